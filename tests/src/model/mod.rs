//! A second front end, written to be read beside the sheets `dtbl`, `frontend`, `policy` and `modern`: plain vectors and maps,
//! every rule spelt out where it stands, nothing cached, nothing skipped. It shares the core's vocabulary (descriptors,
//! decisions, faults) and none of its logic, so that a random run in which both agree says something about both.

mod bubble;
mod build;
mod cross;
mod dispatch;
mod gates;
mod graphs;
mod grids;
mod kernels;
mod laperm;
mod look;
mod modern;
mod told;
mod verbs;

use std::collections::{BTreeMap, VecDeque};

use cross::Cross;
use gpusched::dats::GraphHeader;
use gpusched::power::Sample;
use gpusched::{
    Config, Consumers, Cycle, Decision, Descriptor, Fault, GraphState, GroupRef, Kmu, Sched, Stats, Tick, UnitKey,
    Words,
};

use crate::bubble::model::Model as Bubble;
use crate::dats as graph;
use crate::dats::model::Model as Dgb;
use crate::events::{Answer, Event, Value};
use crate::laperm::model::Model as LaPerm;
use crate::machine::Machine;
use crate::view::View;
use grids::Grids;
use modern::{Member, Modern, Owner, dims};
use told::Told;

/// (ready, seq).
type Key = (u64, u64);

/// Where a launch comes from, which only a host that decides asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Origin {
    /// The queue of the host launch that it descends from.
    stream: u32,
    /// The unit of the TB that launched it.
    parent: Option<UnitKey>,
}

/// A kernel as it travels: in a queue, in an entry, in the suspended list.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kernel {
    descriptor: Descriptor,
    /// The queue that it holds; `None` for device kernels.
    queue: Option<usize>,
    depth: u32,
    psmx: Option<u32>,
    prio: u32,
    next_native: u32,
    saved: u32,
    /// Of a kernel of clusters, those in which the saved TBs lie, by place in the list of saved ones.
    members: Vec<Member>,
    graph: Option<GraphHeader>,
    /// launch2-X1: the second kernel of two.
    cross: Option<Cross>,
    origin: Origin,
    /// Its stream, if it is the host's.
    stream: Option<u32>,
    owner: Owner,
    grid: Option<usize>,
}

/// A host kernel in its queue.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Waiting {
    descriptor: Descriptor,
    retain: bool,
    /// launch2-P1.
    is_dependent: bool,
    /// A kernel graph, and which of its launches it is, in place of a kernel.
    kernel_graph: Option<(usize, u64)>,
    key: Key,
    graph: Option<GraphHeader>,
    /// launch2-X1: what shares the graph.
    consumers: Option<Consumers>,
    origin: Origin,
    stream: u32,
    owner: Owner,
}

/// A launch record in use.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Record {
    state: Held,
    descriptor: Descriptor,
    key: Key,
    t0: u64,
    depth: u32,
    hw_tid: u32,
    psmx: u32,
    prio: u32,
    origin: Origin,
    owner: Owner,
    grid: Option<usize>,
    /// Of a group the grid that launched it (launch2-P3).
    launcher: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Held {
    /// Waits for the join of command number `.0`.
    Agg(u64),
    Dev,
    /// launch2-C1: a tail launch whose turn has not come.
    Tail,
    Grp(Group),
}

/// A coalesced group. Groups are named by their records, wherever their information is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    kde: usize,
    age: Option<u32>,
    /// Record, and what the Next field says.
    next: Option<(usize, GroupRef)>,
    exe: u32,
    dist: bool,
}

/// A kernel distributor entry in use.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kde {
    kernel: Kernel,
    /// Arrival cycle and issue order; `None` once active.
    arriving: Option<Key>,
    t0: Option<u64>,
    retain: bool,
    restored: u32,
    exe: u32,
    live: u32,
    /// Units of it that LaPerm holds.
    pend: u32,
    nagei: Option<usize>,
    lagei: Option<usize>,
    first: bool,
    graph: Option<GraphState>,
    /// modern-S2: when its TBs, which are frozen, are taken off.
    saving: Option<u64>,
}

/// SSCR of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sscr {
    agei: Option<usize>,
    next_bl: u32,
    /// 0 not asked, 1 waiting, 2 here.
    load: u8,
    load_at: u64,
    turn: u32,
}

/// A spilled group that was asked for before its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asked {
    record: usize,
    /// 1 waiting, 2 here.
    load: u8,
    load_at: u64,
}

/// What a TB is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ref {
    Native,
    Restored,
    Node,
    Group(usize),
}

/// A resident TB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tb {
    kde: usize,
    part: Ref,
    blkid: u32,
    prio: u32,
    class: Option<usize>,
    bypass: bool,
    member: Option<Member>,
    /// launch2-P2, launch2-P5.
    has_triggered: bool,
    is_waiting: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Suspended {
    kernel: Kernel,
    resumed: Option<Key>,
}

/// Cycles in which something happens, if anything ever does, when [`Event::Advance`] has no limit.
pub const LOOK_AHEAD: u32 = 100;

/// The machine.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// The load buffer's places.
    ahead: Vec<Option<Asked>>,
    tbcr: Vec<Vec<Option<Tb>>>,
    eligible: Vec<bool>,
    block_caps: Vec<u32>,
    classes: Vec<Option<u64>>,
    /// Cap and `by` per class and SMX.
    caps: Vec<Vec<(u32, u32)>>,
    laperm: Option<LaPerm>,
    /// frontend-T1p: the unit that the KMU asks first.
    kptr: usize,
    bubble: Option<Bubble>,
    dgb: Option<Dgb>,
    /// The kernel that has the buffer: from its issue to its end, or to the abort of its graph.
    dgb_owner: Option<usize>,
    /// Of each SMX, for the next sample.
    activity: Option<Vec<u16>>,
    /// Present under policy `told`.
    host: Option<Told>,
    modern: Modern,
    grids: Grids,
    stats: Stats,
    out: Vec<(Cycle, Decision)>,
    told: Vec<(Cycle, Sample)>,
}

impl Model {
    /// A machine with this configuration, which is within its ranges.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let n_smx = config.n_smx as usize;
        let modern = Modern::new(config);
        // modern-P3.
        let n_queue = modern.n_contexts() * config.n_hwq as usize;
        Self {
            config: *config,
            now: 0,
            seq: 0,
            issues: 0,
            next_issue: 0,
            kmu_ptr: 0,
            rr: 0,
            queues: vec![VecDeque::new(); n_queue],
            busy: vec![false; n_queue],
            records: vec![None; config.pend_limit as usize],
            suspended: vec![None; config.susp_cap as usize],
            kdes: vec![None; config.n_kde as usize],
            fifo: Vec::new(),
            cursors: BTreeMap::new(),
            agt: BTreeMap::new(),
            ahead: vec![None; config.load_ahead as usize],
            tbcr: vec![vec![None; config.tb_slots as usize]; n_smx],
            eligible: vec![true; n_smx],
            block_caps: vec![config.tb_slots; n_smx],
            classes: vec![None; config.n_class as usize],
            caps: vec![vec![(config.tb_slots, 0); n_smx]; config.n_class as usize],
            laperm: config.laperm().as_ref().map(|part| LaPerm::new(&laperm::machine(config, part))),
            kptr: 0,
            bubble: config.bubble.as_ref().map(|part| Bubble::new(&part.machine(config))),
            dgb: graphs::machine(config),
            dgb_owner: None,
            activity: None,
            host: config.told().map(Told::new),
            modern,
            grids: Grids::default(),
            stats: Stats::default(),
            out: Vec::new(),
            told: Vec::new(),
        }
    }

    /// Takes an event and gives the complete answer.
    pub fn apply(&mut self, event: &Event) -> Answer {
        let value = if self.host.is_some() { self.call_told(event) } else { self.call(event) };
        if value.is_ok() {
            self.tell_drains();
        }
        Answer { value, decisions: std::mem::take(&mut self.out), samples: std::mem::take(&mut self.told) }
    }

    /// The calls of all policies.
    fn call(&mut self, event: &Event) -> Result<Value, Fault> {
        let done = |()| Value::Done;
        match *event {
            Event::HostLaunch { stream, ref descriptor, retain } => {
                self.host_launch(stream, descriptor, (retain, false), (None, None))
            }
            Event::HostLaunchGraph { stream, ref descriptor, retain, graph } => {
                self.host_launch(stream, descriptor, (retain, false), (Some(graph), None))
            }
            Event::HostLaunchDependent { stream, ref descriptor, retain } => {
                self.host_launch(stream, descriptor, (retain, true), (None, None))
            }
            Event::HostLaunchGraphDependent { stream, ref descriptor, retain, graph } => {
                self.host_launch(stream, descriptor, (retain, true), (Some(graph), None))
            }
            Event::HostLaunchCross { stream, ref producers, retain, is_dependent, graph, consumers } => {
                self.host_launch(stream, producers, (retain, is_dependent), (Some(graph), Some(consumers)))
            }
            Event::KgraphDefine { ref nodes, ref edges } => self.kgraph_define(nodes, edges),
            Event::KgraphLaunch { graph, stream } => self.kgraph_launch(graph, stream),
            Event::KgraphDestroy(graph) => self.kgraph_destroy(graph).map(done),
            Event::TbTrigger { smx, slot } => self.tb_trigger(smx, slot).map(done),
            Event::TbWait { smx, slot } => self.tb_wait(smx, slot).map(done),
            Event::GraphPoll => self.graph_verb(&graph::Event::Poll),
            Event::GraphNodes(tag, ref entries) => {
                self.graph_verb(&graph::Event::Nodes { tag, entries: entries.clone() })
            }
            Event::GraphEdges(tag, ref targets) => {
                self.graph_verb(&graph::Event::Edges { tag, targets: targets.clone() })
            }
            Event::GraphSpilled(tag) => self.graph_verb(&graph::Event::Spilled { tag }),
            Event::AbortGraph(k) => self.abort_graph(k).map(done),
            Event::DeviceLaunch { smx, slot, ref kernels } => self.device_launch(smx, slot, kernels),
            Event::DeviceLaunchNamed { smx, slot, ref launches } => self.device_launch_named(smx, slot, launches),
            Event::AggLaunch { smx, slot, ref groups } => self.agg_launch(smx, slot, groups),
            Event::TbDone { smx, slot } => self.tb_done(smx, slot).map(done),
            Event::Unretain(k) => self.unretain(k).map(done),
            // launch2-C5.
            Event::Suspend(_) if self.has_named_streams() => Err(Fault::NoJoin),
            Event::Suspend(k) => self.suspend(k),
            Event::Resume(i) => self.resume(i).map(done),
            Event::SpillLoaded(r) => self.spill_loaded(r).map(done),
            Event::Refilled(tag) => self.refilled(tag).map(done),
            Event::SetEligible(set) => self.set_eligible(set.words()).map(done),
            Event::SetBlockCap { smx, cap } => self.set_block_cap(smx, cap).map(done),
            Event::SetClass { class, pc } => self.set_class(class, pc).map(done),
            Event::SetClassCap { class, smx, cap, by } => self.set_class_cap(class, smx, cap, by).map(done),
            Event::SetStream { stream, context, priority } => self.set_stream(stream, context, priority).map(done),
            Event::SetContext { context, smxs, gpcs, quota, kdes } => {
                self.set_context(context, smxs, gpcs, quota, kdes).map(done)
            }
            Event::Drain { smxs, context, kde } => self.drain(smxs, context, kde),
            Event::ReleaseDrain(i) => self.release_drain(i).map(done),
            Event::SaveKernel(k) => self.save_kernel(k),
            Event::MaxActiveClusters { ref kernel, context } => {
                self.max_active_clusters(kernel, context).map(Value::Number)
            }
            Event::GpcOf(s) => self.gpc_of(s).map(Value::Number),
            Event::Activity(ref values) => self.set_activity(values).map(done),
            Event::Account(ref activity) => self.account(activity.clone()).map(done),
            Event::HasWork(class) => self.class(class).map(|c| Value::Number(self.has_work(c).into())),
            Event::WaitingHead(start) => {
                let start = start as usize;
                if start < self.units() { Ok(Value::Head(self.waiting_head(start))) } else { Err(Fault::BadUnit) }
            }
            Event::Tick => {
                let mut words = Words::default();
                words.count(&self.tick()?, 1);
                Ok(Value::Words(words))
            }
            Event::Run(n) => self.run(n).map(Value::Words),
            Event::Advance(until) => self.advance(until).map(Value::Words),
            _ => Err(Fault::NotTold),
        }
    }

    fn run(&mut self, n: u64) -> Result<Words, Fault> {
        if n > u64::MAX - self.now {
            return Err(Fault::TimeOverflow);
        }
        let mut words = Words::default();
        for left in (1..=n).rev() {
            if self.is_empty() && self.bubble.is_none() {
                // Nothing can happen any more; this is the one place where the model does not walk.
                self.now += left;
                self.stats.ticks = self.stats.ticks.saturating_add(left);
                words.idle += left;
                words.empty += left;
                break;
            }
            words.count(&self.tick()?, 1);
        }
        Ok(words)
    }

    /// Ticks until one decides. Without a limit the model looks a little ahead: nobody asks it where the answer is far.
    fn advance(&mut self, until: u64) -> Result<Words, Fault> {
        if until == u64::MAX {
            let mut ahead = self.clone();
            let mut decides = |i: &u32| {
                let loaded = *i > 0 && ahead.is_loaded_now();
                ahead.tick().is_ok_and(|_| loaded || !ahead.out.is_empty())
            };
            (0..LOOK_AHEAD).find(&mut decides).ok_or(Fault::TimeOverflow)?;
        }
        let mut words = Words::default();
        let start = self.now;
        // frontend-O4: a cycle in which a unit is loaded is announced, whatever its visit finds.
        let mut loaded = false;
        while self.now < until && self.out.is_empty() && !loaded {
            loaded = self.now > start && self.is_loaded_now();
            words.count(&self.tick()?, 1);
        }
        Ok(words)
    }

    /// Whether nothing is owned anywhere.
    fn is_empty(&self) -> bool {
        self.queues.iter().all(VecDeque::is_empty)
            && self.records.iter().all(Option::is_none)
            && self.suspended.iter().all(Option::is_none)
            && self.kdes.iter().all(Option::is_none)
            && self.grids.is_empty()
    }

    fn emit(&mut self, decision: Decision) {
        self.out.push((Cycle(self.now), decision));
    }

    /// Bind units; one without LaPerm.
    fn units(&self) -> usize {
        self.laperm.as_ref().map_or(1, LaPerm::units)
    }

    fn take_seq(&mut self) -> u64 {
        self.seq += 1;
        self.seq - 1
    }

    fn tick(&mut self) -> Result<Tick, Fault> {
        let kmu = self.before_dispatch()?;
        let sched = self.t4_dispatch();
        self.after_dispatch(sched);
        Ok(Tick { sched, kmu })
    }

    /// frontend-O5, up to frontend-T4.
    fn before_dispatch(&mut self) -> Result<Kmu, Fault> {
        if self.now == u64::MAX {
            return Err(Fault::TimeOverflow);
        }
        self.t0_saves();
        self.t0_grids();
        let kmu = self.t1_kmu();
        self.t2_arrival();
        self.t3_coalescing();
        self.p3_sweep();
        self.c_sample();
        Ok(kmu)
    }

    /// Statistics, now + 1.
    fn after_dispatch(&mut self, sched: Sched) {
        let warps = self.resident_warps();
        self.stats.warp_cycles = self.stats.warp_cycles.saturating_add(warps.into());
        self.stats.ticks = self.stats.ticks.saturating_add(1);
        self.count_waits(1);
        self.stats.gated += u64::from(sched == Sched::Gated);
        self.stats.capped += u64::from(sched == Sched::Capped);
        self.stats.told += u64::from(sched == Sched::Told);
        self.stats.frag += u64::from(sched == Sched::Frag);
        self.stats.quota += u64::from(sched == Sched::Quota);
        self.now += 1;
    }

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
            Held::Grp(group) => group,
            other => panic!("record {r} holds no group but {other:?}"),
        }
    }

    fn group_mut(&mut self, r: usize) -> &mut Group {
        match &mut self.records[r].as_mut().expect("the record is in use").state {
            Held::Grp(group) => group,
            other => panic!("record {r} holds no group but {other:?}"),
        }
    }
}

/// dtbl-I14: what a group and its kernel must share, and the context (modern-P2).
fn same_key(a: (&Descriptor, usize), b: (&Descriptor, usize)) -> bool {
    let ((a, context_of_a), (b, context_of_b)) = (a, b);
    let are_alike = a.pc == b.pc && a.tb == b.tb && a.regs == b.regs && a.smem == b.smem;
    are_alike && dims(a) == dims(b) && context_of_a == context_of_b
}

fn tbs_of(d: &Descriptor) -> u32 {
    d.grid.x * d.grid.y * d.grid.z
}

fn threads_of(d: &Descriptor) -> u32 {
    d.tb.x * d.tb.y * d.tb.z
}

impl Machine for Model {
    type Event = Event;
    type Answered = Answer;
    type View = View;
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Answer {
        self.apply(event)
    }

    fn view(&self) -> View {
        self.view()
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}
