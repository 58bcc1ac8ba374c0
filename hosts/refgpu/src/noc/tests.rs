use super::*;
use crate::config::GpuConfig;

fn crossbar(inputs: usize, outputs: usize) -> Crossbar {
    Crossbar::new(inputs, outputs, &GpuConfig::preset("k20c").unwrap().noc)
}

/// Notes input and arrival of every packet; one output may be closed.
#[derive(Default)]
struct Log {
    got: Vec<(usize, u64)>,
    closed: Option<usize>,
}

impl Destination for Log {
    fn accepts(&self, output: usize) -> bool {
        self.closed != Some(output)
    }
    fn deliver(&mut self, d: Delivery) {
        self.got.push((d.input, d.arrives));
    }
}

fn packet(id: u16) -> Packet {
    Packet { id, ..Packet::default() }
}

/// Runs to cycle `until` and returns (input, arrival) of every packet.
fn run(noc: &mut Crossbar, until: u64) -> Vec<(usize, u64)> {
    let mut log = Log::default();
    for now in 0..until {
        noc.step(now, &mut log);
    }
    log.got
}

#[test]
fn a_packet_takes_its_flits_and_the_flight() {
    let mut noc = crossbar(2, 2);
    assert!(noc.push(0, 1, 5, 3, packet(0)));
    assert_eq!(noc.next(), 3);
    assert_eq!(run(&mut noc, 10), [(0, 3 + 5 + 8)]);
    assert_eq!(noc.next(), u64::MAX);
    assert_eq!((noc.stats.packets, noc.stats.flits), (1, 5));
}

#[test]
fn an_output_is_held_and_picks_round_robin_from_the_last_winner() {
    for inputs in [3, 64, 257] {
        let mut noc = crossbar(inputs, 1);
        for input in [inputs - 1, 0, 1, 0] {
            assert!(noc.push(input, 0, 2, 0, packet(0)));
        }
        assert_eq!(run(&mut noc, 20), [(0, 10), (1, 12), (inputs - 1, 14), (0, 16)]);
    }
}

#[test]
fn a_packet_passes_one_that_waits_for_another_output_but_an_input_sends_one_at_a_time() {
    let mut noc = crossbar(2, 2);
    for (input, output, flits) in [(0, 0, 4), (1, 0, 1), (1, 1, 1), (1, 1, 1)] {
        assert!(noc.push(input, output, flits, 0, packet(0)));
    }
    // Output 0 is held by input 0 until cycle 4; meanwhile input 1 sends its two to output 1.
    assert_eq!(run(&mut noc, 10), [(0, 12), (1, 9), (1, 10), (1, 13)]);
}

#[test]
fn a_full_port_refuses() {
    let mut noc = crossbar(1, 2);
    let taken = (0..10).filter(|i| noc.push(0, i % 2, 1, 0, packet(0))).count();
    assert_eq!((taken, noc.room(0)), (8, 0));
    run(&mut noc, 1);
    assert_eq!(noc.room(0), 1);
}

#[test]
fn a_full_destination_blocks_its_packets_only() {
    let mut noc = crossbar(2, 2);
    assert!(noc.push(0, 0, 1, 0, packet(0)) && noc.push(1, 1, 1, 0, packet(1)));
    let mut log = Log { closed: Some(0), ..Log::default() };
    for now in 0..4 {
        log.closed = log.closed.filter(|_| now < 3);
        noc.step(now, &mut log);
    }
    assert_eq!(log.got, [(1, 9), (0, 12)]);
}

#[test]
fn packets_are_as_long_as_what_they_carry() {
    let of = |kind, sectors| Packet { kind, sectors, ..Packet::default() };
    let flits = |p: Packet| (p.request_flits(32), p.reply_flits(32, 128));
    assert_eq!(flits(of(Kind::Read, 0b1)), (1, 5));
    assert_eq!(flits(of(Kind::Write, 0b1)), (2, 1));
    assert_eq!(flits(of(Kind::Write, 0b1111)), (5, 1));
    assert_eq!(flits(of(Kind::Atomic, 0b101)), (3, 3));
    assert_eq!(flits(of(Kind::Reduction, 0b101)), (3, 1));
}
