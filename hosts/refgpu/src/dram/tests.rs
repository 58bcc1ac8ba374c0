use super::*;
use crate::config::GpuConfig;

/// gtx480: CCD 2, CCDL 3, RRD 6, RCD 12, RAS 28, RP 12, RC 40, CL 12, WL 4, CDLR 5, WR 12; 32 lines of a row.
fn channel() -> Channel {
    Channel::new(&GpuConfig::preset("gtx480").unwrap().dram, 128)
}

fn read(row: u32, bank: u32, column: u32, bursts: u8) -> Request {
    let rest = (row * 8 + bank / 2) * 32 + column;
    let line = rest / 2 * 4 + bank % 2 * 2 + rest % 2;
    Request { line, bursts, mshr: (row * 100 + bank * 10 + column) as u16, ..Request::default() }
}

fn write(row: u32, bank: u32, column: u32, bursts: u8) -> Request {
    Request { write: true, ..read(row, bank, column, bursts) }
}

/// Ends of data of all requests given at cycle 0, by `mshr`.
fn finish(requests: &[Request]) -> (Vec<(u16, u64)>, DramStats) {
    let mut channel = channel();
    for &request in requests {
        channel.push(0, request);
    }
    channel.run(100_000);
    let mut done = Vec::new();
    while let Some(r) = channel.returned() {
        done.push((r.mshr, r.tick));
        channel.take_returned();
    }
    (done, channel.stats(100_000))
}

#[test]
fn each_line_has_its_own_place_and_a_stream_alternates_between_bank_groups() {
    let channel = channel();
    let banks: Vec<_> = (0..8).map(|line| channel.locate(line)).collect();
    assert_eq!(banks, [(0, 0), (0, 0), (1, 0), (1, 0), (0, 0), (0, 0), (1, 0), (1, 0)]);
    for (row, bank, column) in [(0, 0, 0), (0, 5, 31), (3, 15, 7)] {
        assert_eq!(channel.locate(read(row, bank, column, 1).line), (bank as usize, row));
    }
    let lines = (0..1024).filter(|&line| channel.locate(line) == (6, 0)).count();
    assert_eq!(lines, 4096 / 128);
}

#[test]
fn a_closed_row_costs_rcd_and_an_open_one_only_the_column() {
    let (done, stats) = finish(&[read(0, 0, 0, 2), read(0, 0, 1, 2)]);
    // Activation 0; columns 12, 15, 18, 21 (one group: CCDL); data end CL + burst after the second of each.
    assert_eq!(done, [(0, 15 + 14), (1, 21 + 14)]);
    assert_eq!((stats.reads, stats.activations, stats.precharges), (4, 1, 0));
    assert_eq!(stats.pending_cycles, 22);
}

#[test]
fn another_row_waits_for_ras_rp_and_rc() {
    let (done, stats) = finish(&[read(0, 0, 0, 1), read(1, 0, 0, 1)]);
    // Precharge at RAS 28, activation at 28 + RP = 40 = RC, column 52.
    assert_eq!(done, [(0, 12 + 14), (100, 52 + 14)]);
    assert_eq!((stats.activations, stats.precharges), (2, 1));
}

#[test]
fn activations_are_rrd_apart_and_groups_interleave_at_ccd() {
    let (done, _) = finish(&[read(0, 0, 0, 4), read(0, 1, 0, 4)]);
    // Activations 0 and 6. Bank 0: columns 12, 15, 18; from 18 on bank 1's group fills the gaps.
    // 12 b0, 15 b0, 18 b0, 20 b1, 22 b0 (end), 24 b1, 27 b1, 30 b1.
    assert_eq!(done, [(0, 22 + 14), (10, 30 + 14)]);
}

#[test]
fn the_oldest_open_row_request_goes_before_an_older_one_to_a_closed_row() {
    let (done, stats) = finish(&[read(0, 0, 0, 1), read(1, 0, 0, 1), read(0, 0, 5, 1)]);
    assert_eq!(done.iter().map(|d| d.0).collect::<Vec<_>>(), [0, 5, 100]);
    assert_eq!(stats.activations, 2);
}

#[test]
fn a_read_after_a_write_waits_for_wl_burst_and_cdlr() {
    let (done, stats) = finish(&[write(0, 0, 0, 1), read(0, 0, 1, 1)]);
    // Write at 12, read at 12 + 4 + 2 + 5 = 23.
    assert_eq!(done, [(1, 23 + 14)]);
    assert_eq!((stats.reads, stats.writes), (1, 1));
}

#[test]
fn a_precharge_after_a_write_waits_for_wr() {
    let (done, _) = finish(&[write(0, 0, 0, 8), read(1, 0, 0, 1)]);
    // Last write at 12 + 7 x 3 = 33; precharge 33 + 4 + 2 + 12 = 51; activation 63; column 75.
    assert_eq!(done, [(100, 75 + 14)]);
}

#[test]
fn running_in_one_go_equals_running_cycle_by_cycle() {
    let requests: Vec<_> = (0..16u32)
        .map(|i| {
            let (row, bank) = (i * 7 % 3, i * 5 % 4);
            if i % 3 == 0 { write(row, bank, i, 2) } else { read(row, bank, i, 2) }
        })
        .collect();
    let (mut whole, mut stepped) = (channel(), channel());
    for &r in &requests {
        whole.push(0, r);
        stepped.push(0, r);
    }
    whole.run(5000);
    for tick in 0..=5000 {
        stepped.run(tick);
    }
    assert_eq!(whole.stats(5000), stepped.stats(5000));
    while let Some(&a) = whole.returned() {
        assert_eq!(Some(&a), stepped.returned());
        whole.take_returned();
        stepped.take_returned();
    }
    assert_eq!(stepped.returned(), None);
}
