//! What the histogram computes and issues, without a machine.

use super::*;
use crate::functional::{Tally, Turns, finished};
use gpusched_refgpu::program::Class;

fn run(bytes: u32, tbs: u32, values: u32, turns: Turns) -> (Histogram, Tally) {
    finished(Histogram::new(HistogramOptions { bytes, tbs, values, seed: 3 }), 2, turns)
}

#[test]
fn every_byte_is_counted_once_in_any_order_of_warps() {
    // Words for a part of a warp, for some TBs only, and for more than a turn of each thread.
    for (bytes, tbs) in [(4, 1), (100, 3), (4096, 3), (50_000, 2)] {
        let sums = [Turns::Together, Turns::FirstAhead, Turns::LastAhead].map(|turns| {
            let (histogram, _) = run(bytes, tbs, 256, turns);
            assert_eq!(histogram.bins().iter().sum::<u32>(), bytes);
            histogram.check().unwrap()
        });
        assert!(sums.iter().all(|sum| *sum == sums[0]), "{bytes} {tbs}");
    }
}

#[test]
fn the_list_is_the_sheets() {
    // Two TBs of eight warps, two turns each.
    let (_, tally) = run(2 * 2 * 256 * 4, 2, 256, Turns::Together);
    let (warps, turns) = (16, 32);
    assert_eq!((tally.of(Class::LoadGlobal), tally.of(Class::AtomicShared)), (turns, 4 * turns));
    assert_eq!(tally.of(Class::Int), 3 * warps + turns * (4 * 2 + 2));
    assert_eq!([Class::StoreShared, Class::LoadShared, Class::AtomicGlobal].map(|c| tally.of(c)), [warps; 3]);
    assert_eq!((tally.of(Class::Barrier), tally.of(Class::Exit)), (2 * warps, warps));
    assert_eq!(tally.issued, turns * 15 + warps * (3 + 1 + 2 + 2 + 1));
    assert_eq!([Class::LoadGlobal, Class::AtomicGlobal].map(|c| tally.transactions_each(c)), [1.0; 2]);
    let kernel = tally.kernels[0];
    assert_eq!((kernel.tb.x, kernel.regs, kernel.smem), (256, 16 * 256, 1024));
}

#[test]
fn equal_bins_take_turns() {
    let conflicts = |values| run(1 << 16, 4, values, Turns::Together).1.transactions_each(Class::AtomicShared);
    assert_eq!(conflicts(1), 32.0, "all lanes on one word");
    assert!((16.0..20.0).contains(&conflicts(2)), "{}", conflicts(2));
    // 32 lanes over 32 banks: the fullest has three or four, be they equal bins or different ones.
    for values in [32, 256] {
        assert!((3.0..4.0).contains(&conflicts(values)), "{}", conflicts(values));
    }
}

#[test]
fn a_wrong_bin_is_told_with_its_place() {
    let (mut histogram, _) = run(400, 1, 7, Turns::Together);
    let want = histogram.bins[5];
    histogram.bins[5] += 1;
    let error = histogram.check().unwrap_err().to_string();
    assert_eq!(error, format!("wrong result: bin[5] is {}, want {want}", want + 1));
}

#[test]
fn what_is_out_of_range_is_refused() {
    let default = HistogramOptions::default();
    let error = |options| Histogram::new(options).unwrap_err().to_string();
    for bytes in [0, 3, 6, (1 << 28) + 4] {
        let expected = format!("option `bytes`: expected a multiple of 4, up to 2^28, found {bytes}");
        assert_eq!(error(HistogramOptions { bytes, ..default }), expected);
    }
    assert_eq!(error(HistogramOptions { tbs: 0, ..default }), "option `tbs`: expected 1 to 65536 TBs, found 0");
    assert_eq!(
        error(HistogramOptions { values: 257, ..default }),
        "option `values`: expected 1 to 256 different values, found 257"
    );
    assert!(toml::from_str::<HistogramOptions>("bins = 3").unwrap_err().to_string().contains("bins"));
}
