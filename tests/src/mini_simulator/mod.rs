//! A simulator of nothing but launches and durations: kernels from the host, with and without dependency graphs, whose TBs launch
//! kernels and aggregated groups.
//!
//! `tests/cpp/mini_simulator.cpp` is the same program on the C++ face of the C ABI. Both make the same draws in the same order, so
//! their [`Journal`]s are equal if, and only if, every decision, result and view is.

mod graphs;
mod journal;

use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;

use gpusched::dats::Request;
use gpusched::{
    AgtMiss, ClassId, Config, Cycle, Decision, Descriptor, Dim3, Fallback, Fault, FrontEnd, GpuSpec, GroupLaunch,
    HashScope, KernelSlot, KmuArb, LoadMode, RecordId, SlotId, SmxId, SmxSet, State, Words,
};
use gpusched_heap::{HeapTables, front_end};

use crate::dats::memory::Memory;
use crate::events::Told;
use crate::images::{image, on_heap};
pub use journal::Journal;
use journal::{name, number_or_dash};

/// splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0 to n - 1.
    fn below(&mut self, n: u32) -> u32 {
        (((self.next() >> 32) * u64::from(n)) >> 32) as u32
    }

    fn either<T>(&mut self, this: T, that: T) -> T {
        if self.below(2) == 0 { this } else { that }
    }
}

/// FNV-1a.
#[must_use]
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, &byte| (h ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// What may happen in a cycle, in the order in which it is reported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Done(SmxId, SlotId),
    Loaded(RecordId),
    Answered(u32),
    Gate(u32),
    Unretain(KernelSlot),
    Launch(SmxId, SlotId, u32),
    Host(u32),
}

const GATES: u32 = 4;

/// Programs 0, 1 and 2 differ in everything that a group and its kernel must share.
fn program(p: u32, grid: Dim3, tag: u64) -> Descriptor {
    let (regs, smem) = (2048 * (p + 1), 1024 * p);
    Descriptor { pc: u64::from(p) + 1, grid, tb: Dim3::linear(64 << p), regs, smem, tag, ..Descriptor::default() }
}

fn configure(random: &mut Random) -> Config {
    let gpu = GpuSpec::by_name(random.either("k20c", "gtx480")).map_or(Config::K20C, |spec| spec.config);
    let preset = random.either(gpu.ideal(), gpu);
    let plain = Config {
        n_smx: 1 + random.below(16),
        tb_slots: 1 + random.below(16),
        n_hwq: 1 + random.below(32),
        n_kde: 2 + random.below(31),
        hwq_depth: 1 + random.below(4),
        pend_limit: 16 << random.below(6),
        agt_size: 1 << random.below(8),
        load_cycles: random.below(200),
        turn_groups: random.below(4),
        n_class: random.below(3),
        pass_capped: random.below(2) != 0,
        exclusive: random.below(2) != 0,
        kmu_arb: random.either(KmuArb::Fcfs, KmuArb::Rr),
        hash_scope: random.either(HashScope::Smx, HashScope::Global),
        agt_miss: random.either(AgtMiss::Spill, AgtMiss::Device),
        fallback: random.either(Fallback::Direct, Fallback::Full),
        load_mode: random.either(LoadMode::Fixed, LoadMode::External),
        ..preset
    };
    if random.below(2) == 0 { graphs::configure(random, &plain) } else { plain }
}

struct Simulator {
    random: Random,
    config: Config,
    stepping: bool,
    gpu: FrontEnd<HeapTables>,
    events: BTreeSet<(u64, Event)>,
    /// By tag: whether its TBs launch, and whether it was launched with retain.
    launches: Vec<(bool, bool)>,
    /// By tag: graphs in memory.
    graphs: BTreeMap<u64, Memory>,
    /// By tag: requests without answer, and whose graph they are about.
    requests: BTreeMap<u32, (Request, u64)>,
    /// Not obeyed yet.
    told: Told,
    words: Words,
    journal: Journal,
}

/// The journal of a seed.
///
/// # Panics
/// If the configuration of a seed is refused.
#[must_use]
pub fn run(seed: u64) -> Journal {
    let mut random = Random(seed);
    let config = configure(&mut random);
    let stepping = random.below(2) == 0;
    let gpu = front_end(&config).expect("a configuration within its ranges");
    let mut events = BTreeSet::new();
    for i in 0..1 + random.below(6) {
        events.insert((random.below(2000).into(), Event::Host(i)));
    }
    for i in 1..=GATES {
        events.insert((u64::from(i * 500 + random.below(500)), Event::Gate(i)));
    }
    let (launches, told, words, journal) = Default::default();
    let (graphs, requests) = Default::default();
    Simulator { random, config, stepping, gpu, events, launches, graphs, requests, told, words, journal }.run()
}

impl Simulator {
    fn run(mut self) -> Journal {
        loop {
            while let Some(&(cycle, event)) = self.events.first()
                && cycle <= self.gpu.now().0
            {
                self.events.pop_first();
                self.happen(cycle, event);
            }
            self.ask_memory();
            self.give_up_stuck_graph();
            if self.events.is_empty() && self.gpu.status() == State::Drained {
                break;
            }
            if let Err(fault) = if self.stepping { self.step() } else { self.skip() } {
                self.journal.line(format_args!("stuck {}", fault.name()));
                break;
            }
            self.obey_all();
        }
        self.obey_all();
        self.journal.conclude(&self.gpu.stats(), &self.words);
        self.journal
    }

    fn step(&mut self) -> Result<(), Fault> {
        if self.events.is_empty() && self.gpu.next_event().is_none() {
            return Err(Fault::TimeOverflow);
        }
        let tick = self.gpu.tick(&mut self.told)?;
        self.words.count(&tick, 1);
        Ok(())
    }

    fn skip(&mut self) -> Result<(), Fault> {
        let until = self.events.first().map_or(Cycle::MAX, |&(at, _)| Cycle(at));
        self.words += self.gpu.advance(until, &mut self.told)?;
        Ok(())
    }

    fn happen(&mut self, cycle: u64, event: Event) {
        match event {
            Event::Done(smx, slot) => {
                let done = self.gpu.tb_done(smx, slot, &mut self.told);
                self.journal.line(format_args!("{cycle} > done {} {} {}", smx.0, slot.0, name(done)));
            }
            Event::Loaded(record) => {
                let loaded = self.gpu.spill_loaded(record);
                self.journal.line(format_args!("{cycle} > loaded {} {}", record.0, name(loaded)));
            }
            Event::Answered(tag) => self.answer(cycle, tag),
            Event::Gate(n) => self.gate(cycle, n),
            Event::Unretain(kde) => {
                let unretained = self.gpu.unretain(kde, &mut self.told);
                self.journal.line(format_args!("{cycle} > unretain {} {}", kde.0, name(unretained)));
            }
            Event::Launch(smx, slot, _) if self.random.below(2) == 0 => self.launch_kernels(cycle, smx, slot),
            Event::Launch(smx, slot, _) => self.launch_groups(cycle, smx, slot),
            Event::Host(n) => self.launch_from_host(cycle, n),
        }
    }

    fn launch_from_host(&mut self, cycle: u64, n: u32) {
        let (stream, p) = (self.random.below(8), self.random.below(3));
        let grid = Dim3 { x: self.random.below(8), y: 1 + self.random.below(3), z: 1 };
        let retain = self.random.below(4) == 0;
        let kernel = program(p, grid, self.tag());
        let queue = if self.config.dats.is_some() && self.random.below(2) == 0 {
            self.launch_graph(stream, &kernel, retain)
        } else {
            self.gpu.host_launch(stream, &kernel, retain)
        };
        let row = queue.map_or(0, |queue| queue.0);
        self.journal.line(format_args!("{cycle} > host {stream} {} {row}", name(queue)));
        self.launches.push((true, retain));
        if queue == Err(Fault::HwqFull) {
            self.events.insert((cycle + 100, Event::Host(n)));
        }
    }

    fn launch_kernels(&mut self, cycle: u64, smx: SmxId, slot: SlotId) {
        let kernels: Vec<_> = (0..1 + self.random.below(8)).map(|_| self.child()).collect();
        let records = self.gpu.device_launch(smx, slot, &kernels);
        self.journal.launched(format_args!("{cycle} > kernels {} {} {}", smx.0, slot.0, kernels.len()), records);
    }

    fn launch_groups(&mut self, cycle: u64, smx: SmxId, slot: SlotId) {
        let lanes = 1 + self.random.below(8);
        let group = |_| GroupLaunch { kernel: self.child(), hw_tid: self.random.below(self.config.threads) };
        let groups: Vec<_> = (0..lanes).map(group).collect();
        let records = self.gpu.agg_launch(smx, slot, &groups);
        self.journal.launched(format_args!("{cycle} > groups {} {} {}", smx.0, slot.0, groups.len()), records);
    }

    fn child(&mut self) -> Descriptor {
        let p = self.random.below(3);
        let tbs = if self.random.below(40) == 0 { 0 } else { 1 + self.random.below(6) };
        let child = program(p, Dim3::linear(tbs), self.tag());
        self.launches.push((false, false));
        child
    }

    /// The name of the next launch.
    fn tag(&self) -> u64 {
        self.launches.len() as u64
    }

    /// Closes gates, and opens them all at last.
    fn gate(&mut self, cycle: u64, n: u32) {
        let Config { n_smx, tb_slots, n_class, .. } = self.config;
        let mut eligible = SmxSet::EMPTY;
        for i in 0..n_smx {
            eligible.set(SmxId(i as u16), self.random.below(4) != 0 || n == GATES);
        }
        let Self { random, gpu, journal, .. } = self;
        journal.line(format_args!("{cycle} > eligible {}", name(gpu.set_eligible(eligible))));
        let smx = SmxId(random.below(n_smx + 1) as u16);
        journal.line(format_args!("{cycle} > block cap {}", name(gpu.set_block_cap(smx, random.below(tb_slots + 2)))));
        let class = ClassId(random.below(n_class + 1) as u8);
        let pc = 1 + random.below(3);
        journal.line(format_args!("{cycle} > class {}", name(gpu.set_class(class, pc.into()))));
        let (cap, by) = (random.below(tb_slots + 2), random.below(3));
        journal.line(format_args!("{cycle} > class cap {}", name(gpu.set_class_cap(class, smx, cap, by))));
        if random.below(4) == 0 {
            journal.line(format_args!("{cycle} > clear class {}", name(gpu.clear_class(class))));
        }
        if n == GATES {
            self.open_all_gates();
        }
        self.abort_now_and_then(cycle);
        for p in 0..3 {
            let kde = self.gpu.eligible_kernel(&program(p, Dim3::linear(1), 0)).map(|kde| kde.0);
            self.journal.line(format_args!("joins {p} {}", number_or_dash(kde)));
        }
        self.journal.snapshot(&self.gpu);
        self.change_machine();
    }

    fn open_all_gates(&mut self) {
        let Config { n_smx, tb_slots, n_class, .. } = self.config;
        for smx in (0..n_smx).map(|i| SmxId(i as u16)) {
            assert_eq!(self.gpu.set_block_cap(smx, tb_slots), Ok(()));
            for class in (0..n_class).map(|k| ClassId(k as u8)) {
                assert_eq!(self.gpu.set_class_cap(class, smx, tb_slots, 0), Ok(()));
            }
        }
    }

    /// Goes on with a copy of the machine, made of its image.
    fn change_machine(&mut self) {
        self.obey_all();
        let image = image(&self.gpu);
        self.journal.line(format_args!("image Ok Ok {} {}", image.len(), hash(&image)));
        self.gpu = on_heap(&image).expect("an image of this machine");
    }

    fn obey_all(&mut self) {
        for (at, decision) in take(&mut self.told).decisions {
            self.journal.decision(at, &decision);
            self.obey(at.0 + 1, decision);
        }
    }

    fn obey(&mut self, next: u64, decision: Decision) {
        let of = |launches: &[(bool, bool)], tag: u64| launches.get(tag as usize).copied().unwrap_or_default();
        match decision {
            Decision::Tb(tb) => {
                let duration = 1 + self.random.below(400);
                let commands = if of(&self.launches, tb.tag).0 { self.random.below(3) } else { 0 };
                for i in 0..commands {
                    let at = next + u64::from(self.random.below(duration));
                    self.events.insert((at, Event::Launch(tb.smx, tb.slot, i)));
                }
                self.events.insert((next + u64::from(duration), Event::Done(tb.smx, tb.slot)));
            }
            Decision::Load { record } if self.config.load_mode == LoadMode::External => {
                self.events.insert((next + u64::from(self.random.below(100)), Event::Loaded(record)));
            }
            Decision::Arrive { kde, tag } if of(&self.launches, tag).1 => {
                self.events.insert((next + u64::from(self.random.below(3000)), Event::Unretain(kde)));
            }
            _ => {}
        }
    }
}
