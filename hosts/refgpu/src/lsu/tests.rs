use super::*;
use crate::agenda::Agenda;

struct Rig {
    lsu: Lsu,
    memory: Memory,
    now: u64,
    wake: Agenda,
}

impl Rig {
    fn new(change: &[(&str, &str)]) -> Self {
        let mut config = GpuConfig::preset("k20c").unwrap();
        for (key, word) in change {
            config.set(key, word).unwrap();
        }
        let wake = Agenda::new(config.sm.count as usize);
        Self { lsu: Lsu::new(&config, 0), memory: Memory::new(&config), now: 0, wake }
    }

    /// Issues an access to these lines at the end of the current cycle.
    fn enter(&mut self, kind: Kind, lines: &[u64], regs: u32) {
        let address = std::array::from_fn(|i| lines.get(i).copied().unwrap_or(0) * 128);
        let mask = ((1u64 << lines.len()) - 1) as u32;
        assert!(self.lsu.is_free() && self.lsu.transactions().combine(mask, &address, 4));
        self.lsu.enter_global(self.now, kind, 0, regs);
    }

    fn cycle(&mut self) -> Option<Loaded> {
        self.now += 1;
        let mut sent = Vec::new();
        self.memory.step(self.now, &mut self.wake, &mut sent);
        for reply in sent {
            self.lsu.expect(reply, reply.at);
        }
        self.lsu.receive(self.now);
        self.lsu.act(self.now);
        self.lsu.send(self.now, &mut self.memory);
        self.lsu.take_done()
    }

    /// Runs until a load is done.
    fn wait(&mut self) -> u64 {
        let start = self.now;
        while self.cycle().is_none() {
            assert!(self.now < start + 10_000);
        }
        self.now - start
    }
}

#[test]
fn an_unloaded_miss_goes_to_dram_and_the_next_access_hits() {
    let mut rig = Rig::new(&[]);
    rig.enter(Kind::Read, &[8], 1);
    assert!(rig.wait().abs_diff(440) <= 2);
    rig.enter(Kind::Read, &[8], 1);
    assert_eq!(rig.wait(), 35);
}

#[test]
fn one_transaction_per_cycle_and_the_latch_is_free_after_the_last() {
    let mut rig = Rig::new(&[]);
    rig.enter(Kind::Read, &[1, 2, 3], 1);
    for _ in 0..2 {
        rig.cycle();
        assert!(!rig.lsu.is_free());
    }
    rig.cycle();
    assert!(rig.lsu.is_free());
}

#[test]
fn waiters_of_one_line_are_answered_one_per_cycle_after_the_fill() {
    let mut rig = Rig::new(&[]);
    let mut done = Vec::new();
    for regs in 1..4 {
        rig.enter(Kind::Read, &[8], regs);
        rig.cycle();
    }
    while done.len() < 3 {
        if let Some(loaded) = rig.cycle() {
            done.push((rig.now, loaded.regs));
        }
    }
    assert_eq!(done.iter().map(|d| d.1).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!((done[1].0 - done[0].0, done[2].0 - done[1].0), (1, 1));
}

#[test]
fn a_refused_transaction_blocks_the_latch_until_a_fill_and_each_cycle_counts() {
    let mut rig = Rig::new(&[("l1.mshrs", "1")]);
    rig.enter(Kind::Read, &[1, 2], 1);
    rig.wait();
    let stalls = rig.lsu.stats().0.stalls;
    // Refused from cycle 2 until the cycle before the fill, which comes one before the answer of an unloaded miss.
    assert!(stalls[Refusal::Mshr as usize].abs_diff(439 - 2) <= 2);
    assert_eq!(stalls.iter().sum::<u64>(), stalls[Refusal::Mshr as usize]);
}

#[test]
fn stores_are_not_waited_for_and_need_only_the_miss_queue() {
    let mut rig = Rig::new(&[("l1.mshrs", "1")]);
    rig.enter(Kind::Write, &[1, 2, 3, 4], 0);
    for _ in 0..4 {
        assert_eq!(rig.cycle(), None);
    }
    assert!(rig.lsu.is_free());
    assert_eq!(rig.lsu.stats().1.stores, 4);
}

#[test]
fn a_full_miss_queue_refuses_until_the_port_moves() {
    let mut rig = Rig::new(&[("l1.miss_queue", "1"), ("noc.input_queue", "1"), ("noc.flit_bytes", "8")]);
    rig.enter(Kind::Write, &(0..8).map(|i| i * 10).collect::<Vec<_>>(), 0);
    for _ in 0..200 {
        rig.cycle();
    }
    assert!(rig.lsu.is_free());
    assert!(rig.lsu.stats().0.stalls[Refusal::MissQueue as usize] > 0);
    assert_eq!(rig.memory.l2_stats().writes, 8);
}

#[test]
fn atomics_pass_the_cache_and_answer_with_old_values() {
    let mut rig = Rig::new(&[]);
    rig.enter(Kind::Write, &[8], 0);
    for _ in 0..500 {
        rig.cycle();
    }
    rig.enter(Kind::Atomic, &[8], 1);
    // L2 hit round trip with one flit more on the way there and one fewer back.
    assert_eq!(rig.wait(), 200 + 1 - 1);
    rig.enter(Kind::Reduction, &[8], 0);
    for _ in 0..500 {
        assert_eq!(rig.cycle(), None);
    }
    assert_eq!(rig.memory.l2_stats().atomics, 2);
}
