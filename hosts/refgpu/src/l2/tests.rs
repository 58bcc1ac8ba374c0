use super::*;
use crate::noc::{Delivery, Destination};

/// Bank 0 of a k20c with its channel; core and DRAM share one clock here.
struct Rig {
    bank: Bank,
    dram: Channel,
    replies: Crossbar,
    now: u64,
    got: Vec<(u16, u64)>,
}

struct Log<'a>(&'a mut Vec<(u16, u64)>);

impl Destination for Log<'_> {
    fn accepts(&self, _: usize) -> bool {
        true
    }
    fn deliver(&mut self, d: Delivery) {
        self.0.push((d.packet.id, d.arrives));
    }
}

impl Rig {
    fn new(change: &[(&str, &str)]) -> Self {
        let mut config = GpuConfig::preset("k20c").unwrap();
        for (key, word) in change {
            config.set(key, word).unwrap();
        }
        Self {
            bank: Bank::new(&config, 0),
            dram: Channel::new(&config.dram, 128),
            replies: Crossbar::new(1, 1, &config.noc),
            now: 0,
            got: Vec::new(),
        }
    }

    fn send(&mut self, id: u16, kind: Kind, line: u32, sectors: u8) {
        let packet = Packet { id, kind, line, sectors, serial: 1, ..Packet::default() };
        self.bank.accept(self.now, packet);
    }

    /// Runs for `cycles`; replies are noted with the cycle in which the bank handed them to the crossbar's port.
    fn run(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.dram.run(self.now);
            if let Some(r) = self.dram.returned().copied().filter(|r| r.tick <= self.now) {
                self.bank.fill(self.now, r.mshr);
                self.dram.take_returned();
            }
            self.bank.step(self.now, &mut self.dram, || self.now + 1);
            self.bank.send_reply(self.now, &mut self.replies);
            self.replies.step(self.now, &mut Log(&mut self.got));
            self.now += 1;
        }
    }
}

#[test]
fn a_hit_takes_rop_hit_flits_and_flight_and_one_access_starts_per_cycle() {
    let mut rig = Rig::new(&[]);
    rig.send(0, Kind::Write, 4, 0b1111);
    rig.run(1000);
    rig.got.clear();
    rig.now = 1000;
    rig.send(1, Kind::Read, 4, 0b1111);
    rig.send(2, Kind::Write, 4, 0b0001);
    rig.run(400);
    let ready = 1000 + 120 + 57;
    assert_eq!(rig.got, [(1, ready + 3 + 8), (2, ready + 3 + 1 + 8)]);
    assert_eq!((rig.bank.stats.hits, rig.bank.stats.misses, rig.bank.stats.writes), (1, 0, 2));
}

#[test]
fn a_read_of_a_sector_needs_no_other_one() {
    let mut rig = Rig::new(&[]);
    rig.send(0, Kind::Write, 4, 0b0100);
    rig.run(400);
    rig.send(1, Kind::Fetch, 4, 0b0100);
    rig.run(400);
    assert_eq!((rig.bank.stats.hits, rig.bank.stats.misses), (1, 0));
    // Two flits, not three.
    assert_eq!(rig.got[1], (1, 400 + 120 + 57 + 2 + 8));
    rig.send(2, Kind::Fetch, 4, 0b0010);
    rig.run(1000);
    assert_eq!((rig.bank.stats.misses, rig.got.len()), (1, 3));
}

#[test]
fn misses_to_one_line_merge_and_are_answered_in_order() {
    let mut rig = Rig::new(&[("l2.merges", "2")]);
    for id in 0..3 {
        rig.send(id, Kind::Read, 4, 0b1111);
    }
    rig.run(1000);
    // The third found the MSHR full, blocked the head, and hit after the fill.
    assert_eq!((rig.bank.stats.misses, rig.bank.stats.merges, rig.bank.stats.hits), (1, 1, 1));
    assert_eq!(rig.got.iter().map(|g| g.0).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(rig.dram.stats(2000).reads, 2);
}

#[test]
fn a_partly_written_line_fetches_only_the_missing_half_on_a_read() {
    let mut rig = Rig::new(&[]);
    rig.send(0, Kind::Write, 4, 0b0011);
    rig.send(1, Kind::Read, 4, 0b1111);
    rig.run(1000);
    assert_eq!(rig.dram.stats(2000).reads, 1);
    assert_eq!((rig.bank.stats.misses, rig.bank.stats.writebacks), (1, 0));
}

#[test]
fn a_dirty_victim_is_written_back_with_its_dirty_halves() {
    let mut rig = Rig::new(&[("l2.sets", "1"), ("l2.ways", "1")]);
    rig.send(0, Kind::Write, 4, 0b0001);
    rig.send(1, Kind::Read, 8, 0b1111);
    rig.send(2, Kind::Read, 12, 0b1111);
    rig.run(2000);
    let dram = rig.dram.stats(3000);
    assert_eq!((dram.writes, dram.reads, rig.bank.stats.writebacks), (1, 4, 1));
    assert_eq!(rig.got.len(), 3);
}

#[test]
fn an_atomic_occupies_the_bank_for_its_lanes_and_dirties_its_sector() {
    let mut rig = Rig::new(&[("l2.sets", "1"), ("l2.ways", "1")]);
    rig.send(0, Kind::Write, 4, 0b1111);
    rig.run(1000);
    rig.got.clear();
    rig.now = 1000;
    rig.bank.accept(1000, Packet { line: 4, kind: Kind::Atomic, sectors: 1, serial: 9, id: 1, ..Packet::default() });
    rig.send(2, Kind::Read, 4, 0b1111);
    rig.run(400);
    // The read starts 9 cycles after the atomic, whose reply holds the port for 2 flits only.
    assert_eq!(rig.got, [(1, 1000 + 177 + 2 + 8), (2, 1000 + 177 + 9 + 3 + 8)]);
}

#[test]
fn a_refused_head_waits_for_a_fill_and_then_goes_on() {
    let mut rig = Rig::new(&[("l2.mshrs", "1")]);
    rig.send(0, Kind::Read, 4, 0b1111);
    rig.send(1, Kind::Read, 8, 0b1111);
    rig.run(130);
    assert_eq!((rig.bank.stats.misses, rig.bank.refused), (1, true));
    rig.run(1000);
    assert_eq!((rig.bank.stats.misses, rig.got.len()), (2, 2));
}
