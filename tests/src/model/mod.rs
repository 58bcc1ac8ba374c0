//! A second front end, written to be read beside the sheets `dtbl` and `frontend`: plain vectors and maps, every rule spelt out
//! where it stands, nothing cached, nothing skipped. It shares the core's vocabulary (descriptors, decisions, faults) and none of
//! its logic, so that a random run in which both agree says something about both.

mod dispatch;
mod gates;
mod look;
mod verbs;

use std::collections::{BTreeMap, VecDeque};

use gpusched::{
    AgtMiss, Config, Cycle, Decision, Descriptor, FallCause, Fallback, Fault, GroupRef, HashScope, HwqId, IssueSource,
    KernelSlot, Kmu, KmuArb, Sched, Stats, Words,
};

use crate::events::{Answer, Event, Value};

/// (ready, seq).
type Key = (u64, u64);

/// A kernel as it travels: in a queue, in an entry, in the suspended list.
#[derive(Clone, Debug)]
struct Kernel {
    descriptor: Descriptor,
    /// The queue that it holds; `None` for device kernels.
    queue: Option<usize>,
    depth: u32,
    psmx: Option<u32>,
    next_native: u32,
    saved: u32,
}

/// A host kernel in its queue.
#[derive(Clone, Debug)]
struct Waiting {
    descriptor: Descriptor,
    retain: bool,
    key: Key,
}

/// A launch record in use.
#[derive(Clone, Debug)]
struct Record {
    state: State,
    descriptor: Descriptor,
    key: Key,
    t0: u64,
    depth: u32,
    hw_tid: u32,
    psmx: u32,
}

#[derive(Clone, Debug)]
enum State {
    /// Waits for the join of command number `.0`.
    Agg(u64),
    Dev,
    Grp(Group),
}

/// A coalesced group. Groups are named by their records, wherever their information is.
#[derive(Clone, Debug)]
struct Group {
    kde: usize,
    age: Option<u32>,
    /// Record, and what the Next field says.
    next: Option<(usize, GroupRef)>,
    exe: u32,
    dist: bool,
}

/// A kernel distributor entry in use.
#[derive(Clone, Debug)]
struct Kde {
    kernel: Kernel,
    /// Arrival cycle and issue order; `None` once active.
    arriving: Option<Key>,
    t0: Option<u64>,
    retain: bool,
    restored: u32,
    exe: u32,
    live: u32,
    nagei: Option<usize>,
    lagei: Option<usize>,
    first: bool,
}

/// SSCR of an entry.
#[derive(Clone, Copy, Debug)]
struct Sscr {
    agei: Option<usize>,
    next_bl: u32,
    /// 0 not asked, 1 waiting, 2 here.
    load: u8,
    load_at: u64,
    turn: u32,
}

/// What a TB is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ref {
    Native,
    Restored,
    Group(usize),
}

/// A resident TB.
#[derive(Clone, Copy, Debug)]
struct Tb {
    kde: usize,
    part: Ref,
    blkid: u32,
    class: Option<usize>,
    bypass: bool,
}

#[derive(Clone, Debug)]
struct Suspended {
    kernel: Kernel,
    resumed: Option<Key>,
}

/// The machine.
#[derive(Clone, Debug)]
pub struct Model {
    config: Config,
    now: u64,
    seq: u64,
    issues: u64,
    next_issue: u64,
    kmu_ptr: usize,
    rr: usize,
    queues: Vec<VecDeque<Waiting>>,
    busy: Vec<bool>,
    records: Vec<Option<Record>>,
    suspended: Vec<Option<Suspended>>,
    kdes: Vec<Option<Kde>>,
    /// Marked entries, head first.
    fifo: Vec<usize>,
    cursors: BTreeMap<usize, Sscr>,
    /// Valid AGEs and their groups.
    agt: BTreeMap<u32, usize>,
    tbcr: Vec<Vec<Option<Tb>>>,
    eligible: Vec<bool>,
    block_caps: Vec<u32>,
    classes: Vec<Option<u64>>,
    /// Cap and `by` per class and SMX.
    caps: Vec<Vec<(u32, u32)>>,
    stats: Stats,
    out: Vec<(Cycle, Decision)>,
}

impl Model {
    /// A machine with this configuration, which is within its ranges.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let n_smx = config.n_smx as usize;
        Self {
            config: *config,
            now: 0,
            seq: 0,
            issues: 0,
            next_issue: 0,
            kmu_ptr: 0,
            rr: 0,
            queues: vec![VecDeque::new(); config.n_hwq as usize],
            busy: vec![false; config.n_hwq as usize],
            records: vec![None; config.pend_limit as usize],
            suspended: vec![None; config.susp_cap as usize],
            kdes: vec![None; config.n_kde as usize],
            fifo: Vec::new(),
            cursors: BTreeMap::new(),
            agt: BTreeMap::new(),
            tbcr: vec![vec![None; config.tb_slots as usize]; n_smx],
            eligible: vec![true; n_smx],
            block_caps: vec![config.tb_slots; n_smx],
            classes: vec![None; config.n_class as usize],
            caps: vec![vec![(config.tb_slots, 0); n_smx]; config.n_class as usize],
            stats: Stats::default(),
            out: Vec::new(),
        }
    }

    /// Takes an event and gives the complete answer.
    pub fn apply(&mut self, event: &Event) -> Answer {
        let value = self.call(event);
        Answer { value, decisions: std::mem::take(&mut self.out) }
    }

    fn call(&mut self, event: &Event) -> Result<Value, Fault> {
        let done = |()| Value::Done;
        match event {
            Event::HostLaunch { stream, descriptor, retain } => self.host_launch(*stream, descriptor, *retain),
            Event::DeviceLaunch { smx, slot, kernels } => self.device_launch(smx.0, slot.0, kernels),
            Event::AggLaunch { smx, slot, groups } => self.agg_launch(smx.0, slot.0, groups),
            Event::TbDone(smx, slot) => self.tb_done(smx.0, slot.0).map(done),
            Event::Unretain(k) => self.unretain(k.0.into()).map(done),
            Event::Suspend(k) => self.suspend(k.0.into()).map(|i| Value::Number(i as u8)),
            Event::Resume(i) => self.resume(i.0.into()).map(done),
            Event::SpillLoaded(r) => self.spill_loaded(r.0 as usize).map(done),
            Event::SetEligible(set) => self.set_eligible(set.words()).map(done),
            Event::SetBlockCap(s, cap) => self.set_block_cap(s.0.into(), *cap).map(done),
            Event::SetClass(c, pc) => self.set_class(c.0.into(), *pc).map(done),
            Event::SetClassCap(c, s, cap, by) => self.set_class_cap(c.0.into(), s.0.into(), *cap, *by).map(done),
            Event::Tick => self.tick().map(|(sched, kmu)| Value::Tick(sched, kmu)),
            Event::Run(n) => self.run(*n).map(Value::Run),
        }
    }

    fn run(&mut self, n: u64) -> Result<Words, Fault> {
        if n > u64::MAX - self.now {
            return Err(Fault::TimeOverflow);
        }
        let mut words = Words::default();
        for left in (1..=n).rev() {
            if self.is_empty() {
                // Nothing can happen any more; this is the one place where the model does not walk.
                self.now += left;
                self.stats.ticks = self.stats.ticks.saturating_add(left);
                words.idle += left;
                words.empty += left;
                break;
            }
            let (sched, kmu) = self.tick()?;
            *match sched {
                Sched::Tb(_) => &mut words.tb,
                Sched::Idle => &mut words.idle,
                Sched::Load => &mut words.load,
                Sched::NoRoom => &mut words.noroom,
                Sched::Gated => &mut words.gated,
                Sched::Capped => &mut words.capped,
            } += 1;
            *match kmu {
                Kmu::Issue => &mut words.issue,
                Kmu::Empty => &mut words.empty,
                Kmu::Busy => &mut words.busy,
                Kmu::KdFull => &mut words.kdfull,
            } += 1;
        }
        Ok(words)
    }

    /// Whether nothing is owned anywhere.
    fn is_empty(&self) -> bool {
        self.queues.iter().all(VecDeque::is_empty)
            && self.records.iter().all(Option::is_none)
            && self.suspended.iter().all(Option::is_none)
            && self.kdes.iter().all(Option::is_none)
    }

    fn emit(&mut self, decision: Decision) {
        self.out.push((Cycle(self.now), decision));
    }

    fn take_seq(&mut self) -> u64 {
        self.seq += 1;
        self.seq - 1
    }

    fn tick(&mut self) -> Result<(Sched, Kmu), Fault> {
        if self.now == u64::MAX {
            return Err(Fault::TimeOverflow);
        }
        let kmu = self.t1_kmu();
        self.t2_arrival();
        self.t3_coalescing();
        let sched = self.t4_dispatch();
        let warps = self.resident_warps();
        self.stats.warp_cycles = self.stats.warp_cycles.saturating_add(warps.into());
        self.stats.ticks = self.stats.ticks.saturating_add(1);
        self.stats.gated += u64::from(sched == Sched::Gated);
        self.stats.capped += u64::from(sched == Sched::Capped);
        self.now += 1;
        Ok((sched, kmu))
    }

    // ---- T1

    /// Every candidate: its position for `kmu_arb` rr, its key, and its number in its structure.
    fn candidates(&self) -> Vec<(usize, Key, usize)> {
        let n_hwq = self.queues.len();
        let mut all = Vec::new();
        for (q, queue) in self.queues.iter().enumerate() {
            if let Some(head) = queue.front()
                && !self.busy[q]
            {
                all.push((q, head.key, q));
            }
        }
        let used = self.records.iter().enumerate().filter_map(|(r, record)| Some((r, record.as_ref()?)));
        let ready = used.filter(|(_, rec)| matches!(rec.state, State::Dev) && rec.key.0 <= self.now);
        if let Some((r, record)) = ready.min_by_key(|(_, record)| record.key) {
            all.push((n_hwq, record.key, r));
        }
        let listed = self.suspended.iter().enumerate().filter_map(|(i, s)| Some((s.as_ref()?.resumed?, i)));
        if let Some((key, i)) = listed.min() {
            all.push((n_hwq + 1, key, i));
        }
        all
    }

    fn t1_kmu(&mut self) -> Kmu {
        let candidates = self.candidates();
        if candidates.is_empty() {
            return Kmu::Empty;
        }
        if self.now < self.next_issue {
            return Kmu::Busy;
        }
        let Some(entry) = self.kdes.iter().position(Option::is_none) else { return Kmu::KdFull };
        let positions = self.queues.len() + 2;
        let chosen = match self.config.kmu_arb {
            KmuArb::Fcfs => candidates.into_iter().min_by_key(|&(_, key, _)| key),
            KmuArb::Rr => {
                let distance = |p: usize| (p + positions - self.kmu_ptr) % positions;
                let first = candidates.into_iter().min_by_key(|&(position, ..)| distance(position));
                if let Some((position, ..)) = first {
                    self.kmu_ptr = (position + 1) % positions;
                }
                first
            }
        };
        let (position, _, number) = chosen.expect("there is a candidate");
        let n_hwq = self.queues.len();
        let (source, kernel, t0, retain) = if position < n_hwq {
            let host = self.queues[number].pop_front().expect("a candidate is a queue's head");
            self.busy[number] = true;
            let kernel = Kernel {
                descriptor: host.descriptor,
                queue: Some(number),
                depth: 0,
                psmx: None,
                next_native: 0,
                saved: 0,
            };
            (IssueSource::Hwq(HwqId(number as u8)), kernel, None, host.retain)
        } else if position == n_hwq {
            let record = self.records[number].take().expect("a candidate is a record in use");
            let kernel = Kernel {
                descriptor: record.descriptor,
                queue: None,
                depth: record.depth,
                psmx: Some(record.psmx),
                next_native: 0,
                saved: 0,
            };
            (IssueSource::Device, kernel, Some(record.t0), false)
        } else {
            let entry = self.suspended[number].take().expect("a candidate is a suspended kernel");
            (IssueSource::Suspended, entry.kernel, None, false)
        };
        let tag = kernel.descriptor.tag;
        let arrive_at = self.now.saturating_add(self.config.lat_dispatch.into());
        self.kdes[entry] = Some(Kde {
            kernel,
            arriving: Some((arrive_at, self.issues)),
            t0,
            retain,
            restored: 0,
            exe: 0,
            live: 0,
            nagei: None,
            lagei: None,
            first: false,
        });
        self.issues += 1;
        self.next_issue = self.now.saturating_add(self.config.kmu_interval.into());
        self.emit(Decision::Issue { source, tag, kde: KernelSlot(entry as u8) });
        Kmu::Issue
    }

    // ---- T2

    fn t2_arrival(&mut self) {
        let due = |(k, e): (usize, &Option<Kde>)| Some((e.as_ref()?.arriving?, k));
        let mut arriving = self.kdes.iter().enumerate().filter_map(due).collect::<Vec<_>>();
        arriving.retain(|((at, _), _)| *at <= self.now);
        arriving.sort_unstable();
        for (_, k) in arriving {
            let kde = self.kdes[k].as_mut().expect("an arriving entry is in use");
            kde.arriving = None;
            kde.first = true;
            let tag = kde.kernel.descriptor.tag;
            self.fifo.push(k);
            self.emit(Decision::Arrive { kde: KernelSlot(k as u8), tag });
        }
    }

    // ---- T3

    fn t3_coalescing(&mut self) {
        let waiting = |(r, record): (usize, &Option<Record>)| match record {
            Some(Record { state: State::Agg(command), key, .. }) => Some((*key, r, *command)),
            _ => None,
        };
        let mut groups = self.records.iter().enumerate().filter_map(waiting).collect::<Vec<_>>();
        groups.retain(|((ready, _), ..)| *ready <= self.now);
        groups.sort_unstable();
        let Some(&(_, _, command)) = groups.first() else { return };
        // Lanes of a command take ascending seq, so the sorted order is lane order.
        let lanes = groups.into_iter().filter(|&(_, _, c)| c == command);
        let mut fallen = Vec::new();
        for (_, r, _) in lanes {
            if let Err(cause) = self.join(r) {
                let tag = self.record(r).descriptor.tag;
                self.emit(Decision::Fall { tag, cause });
                fallen.push(r);
            }
        }
        let m = fallen.len() as u64;
        let ready = match self.config.fallback {
            Fallback::Direct => self.now,
            Fallback::Full => self.now.saturating_add(u64::from(self.config.ld_b) + u64::from(self.config.ld_a) * m),
        };
        for r in fallen {
            let record = self.records[r].as_mut().expect("a fallen group keeps its record");
            record.state = State::Dev;
            record.key.0 = ready;
        }
    }

    fn join(&mut self, r: usize) -> Result<(), FallCause> {
        let Record { descriptor, hw_tid, psmx, .. } = self.record(r).clone();
        let eligible = |e: &Option<Kde>| {
            e.as_ref().is_some_and(|e| e.arriving.is_none() && same_key(&e.kernel.descriptor, &descriptor))
        };
        let Some(k) = self.kdes.iter().position(eligible) else {
            self.stats.kde_miss += 1;
            return Err(FallCause::Kde);
        };
        self.stats.kde_hit += 1;
        let index = match self.config.hash_scope {
            HashScope::Smx => hw_tid,
            HashScope::Global => psmx * self.config.threads + hw_tid,
        };
        let index = index % self.config.agt_size;
        let age = if self.agt.contains_key(&index) {
            self.stats.agt_spill += 1;
            if self.config.agt_miss == AgtMiss::Device {
                return Err(FallCause::Agt);
            }
            None
        } else {
            self.stats.agt_hit += 1;
            self.agt.insert(index, r);
            Some(index)
        };
        let group = Group { kde: k, age, next: None, exe: 0, dist: false };
        self.records[r].as_mut().expect("the record waits").state = State::Grp(group);
        match self.kde(k).nagei {
            None => self.kde_mut(k).nagei = Some(r),
            Some(_) => {
                let last = self.kde(k).lagei.expect("NAGEI and LAGEI are set together");
                let at = self.group_ref(r);
                self.group_mut(last).next = Some((r, at));
            }
        }
        self.kde_mut(k).lagei = Some(r);
        self.kde_mut(k).live += 1;
        if !self.fifo.contains(&k) {
            self.kde_mut(k).first = false;
            self.fifo.push(k);
        }
        let group = self.group_ref(r);
        self.emit(Decision::Join { tag: descriptor.tag, kde: KernelSlot(k as u8), group });
        Ok(())
    }

    // ---- rows that are known to exist

    fn kde(&self, k: usize) -> &Kde {
        self.kdes[k].as_ref().expect("the entry is in use")
    }

    fn kde_mut(&mut self, k: usize) -> &mut Kde {
        self.kdes[k].as_mut().expect("the entry is in use")
    }

    fn record(&self, r: usize) -> &Record {
        self.records[r].as_ref().expect("the record is in use")
    }

    fn group(&self, r: usize) -> &Group {
        match &self.record(r).state {
            State::Grp(group) => group,
            other => panic!("record {r} holds no group but {other:?}"),
        }
    }

    fn group_mut(&mut self, r: usize) -> &mut Group {
        match &mut self.records[r].as_mut().expect("the record is in use").state {
            State::Grp(group) => group,
            other => panic!("record {r} holds no group but {other:?}"),
        }
    }
}

/// I14: what a group and its kernel must share.
fn same_key(a: &Descriptor, b: &Descriptor) -> bool {
    a.pc == b.pc && a.tb == b.tb && a.regs == b.regs && a.smem == b.smem
}

fn tbs_of(d: &Descriptor) -> u32 {
    d.grid.x * d.grid.y * d.grid.z
}

fn threads_of(d: &Descriptor) -> u32 {
    d.tb.x * d.tb.y * d.tb.z
}
