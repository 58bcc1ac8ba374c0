//! A toy host in place of SMXs: it launches kernels, lets each TB run for a seeded time, launches groups from inside some of them, reads
//! dependency graphs from memory, and reports what ends. The C firmware has the same one (`../../../c/toy.c`), and ends in the same state.
//!
//! Within a cycle it calls in the order of the front end's protocol: ends by SMX and slot, answers from memory, launches, tick.

pub mod plan;

use core::cmp::Ordering;

use gpusched::dats::{GraphError, Request};
use gpusched::{
    Cycle, Decision, Descriptor, Dim3, Fault, FrontEnd, GroupLaunch, Id, Probe, Sched, SlotId, SmxId, Tables,
    TbPlacement,
};
use heapless::Vec;
use heapless::binary_heap::{BinaryHeap, Min};

use crate::gpus::RESIDENT;
use plan::{Plan, Wavefront};

/// A plan that has not ended by then never will.
const LAST_CYCLE: u64 = 2_000_000;
/// Groups that one TB launches at most.
const LANES: usize = 3;

/// What a call was, for who counts what calls cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// A TB ended.
    Completion,
    /// A host kernel was launched.
    HostLaunch,
    /// A TB launched groups.
    AggLaunch,
    /// A request of a graph was asked for or answered.
    GraphMemory,
    /// A tick that took a sample.
    TickSample,
    /// A tick in which groups joined their kernel.
    TickJoin,
    /// A tick that sent a TB.
    TickTb,
    /// Any other tick.
    Tick,
}

/// Who counts what calls cost.
pub trait Meter {
    /// Makes a call, which also says what it was.
    fn call<R>(&mut self, call: impl FnOnce() -> (R, Call)) -> R;
}

/// Nobody.
impl Meter for () {
    fn call<R>(&mut self, call: impl FnOnce() -> (R, Call)) -> R {
        call().0
    }
}

/// Why a plan was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A call was refused.
    Fault(Fault),
    /// More TBs run than there are slots.
    Overrun,
    /// It does not come to an end.
    Endless,
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<GraphError> for Trouble {
    fn from(error: GraphError) -> Self {
        Self::Fault(error.fault())
    }
}

/// Numbers that look random, the same on every target (Marsaglia's xorshift with the shifts 13, 17 and 5).
struct Seeded(u32);

impl Seeded {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 % limit
    }
}

/// Something that a running TB will do.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Due {
    at: u64,
    what: What,
    smx: SmxId,
    slot: SlotId,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    End,
    Launch,
}

impl Ord for Due {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |due: &Self| (due.at, due.what, due.smx, due.slot);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What one tick decided, apart from what it returns; everything is handed on.
struct Watched<'a, P>(&'a mut P, Call);

impl<P: Probe> Probe for Watched<'_, P> {
    fn decide(&mut self, at: Cycle, decision: Decision) {
        self.1 = match (self.1, decision) {
            (_, Decision::Sample { .. }) => Call::TickSample,
            (Call::Tick | Call::TickTb, Decision::Join { .. }) => Call::TickJoin,
            (Call::Tick, Decision::Tb(_)) => Call::TickTb,
            (call, _) => call,
        };
        self.0.decide(at, decision);
    }

    fn sample(&mut self, at: Cycle, record: &gpusched::power::Sample) {
        self.0.sample(at, record);
    }
}

/// The host while a plan is carried out.
struct Host<'a, M> {
    plan: &'a Plan,
    meter: &'a mut M,
    seeded: Seeded,
    due: BinaryHeap<Due, Min, { 2 * RESIDENT }>,
    kernels: u32,
    groups: u64,
}

/// Carries out a plan on a machine that has run nothing before. It ends drained.
///
/// # Errors
/// What went wrong; the machine is in the state in which it did.
pub fn run<T: Tables>(
    gpu: &mut FrontEnd<T>,
    plan: &Plan,
    graph: &mut Wavefront,
    probe: &mut impl Probe,
    meter: &mut impl Meter,
) -> Result<(), Trouble> {
    let mut host = Host { plan, meter, seeded: Seeded(0x1234_5678), due: BinaryHeap::new(), kernels: 0, groups: 0 };
    while host.kernels < plan.kernels || !gpu.is_idle() {
        let now = gpu.now().0;
        if now == LAST_CYCLE {
            return Err(Trouble::Endless);
        }
        host.ends(gpu, now, probe)?;
        if plan.graph {
            host.memory(gpu, graph, probe)?;
        }
        host.launches(gpu, now, graph)?;
        let tick = host.meter.call(|| {
            let mut watched = Watched(probe, Call::Tick);
            let tick = gpu.tick(&mut watched);
            (tick, watched.1)
        });
        if let Sched::Tb(tb) = tick?.sched {
            host.start(now, &tb)?;
        }
    }
    Ok(())
}

impl<M: Meter> Host<'_, M> {
    /// A TB starts: when it will end, and whether it launches groups half-way; every other one does.
    fn start(&mut self, now: u64, tb: &TbPlacement) -> Result<(), Trouble> {
        let time = u64::from(self.plan.least_cycles + self.seeded.below(self.plan.spread_cycles));
        let due = |what, at| Due { at, what, smx: tb.smx, slot: tb.slot };
        // What became a device kernel, or a group, launches nothing.
        let launches = self.plan.groups && tb.tag < u64::from(self.plan.kernels) && self.seeded.below(2) == 0;
        if launches {
            self.due.push(due(What::Launch, now + time / 2)).map_err(|_| Trouble::Overrun)?;
        }
        self.due.push(due(What::End, now + time)).map_err(|_| Trouble::Overrun)
    }

    /// What running TBs do in this cycle.
    fn ends<T: Tables>(&mut self, gpu: &mut FrontEnd<T>, now: u64, probe: &mut impl Probe) -> Result<(), Trouble> {
        while let Some(due) = self.due.peek().copied().filter(|due| due.at <= now) {
            let _ = self.due.pop();
            match due.what {
                What::End => {
                    self.meter.call(|| (gpu.tb_done(due.smx, due.slot, probe), Call::Completion))?;
                }
                What::Launch => self.launch_groups(gpu, due)?,
            }
        }
        Ok(())
    }

    /// One to three groups of one to four TBs each, of the kernel that the TB belongs to.
    fn launch_groups<T: Tables>(&mut self, gpu: &mut FrontEnd<T>, due: Due) -> Result<(), Trouble> {
        let kernel = gpu.tb(due.smx, due.slot).and_then(|tb| gpu.kde(tb.kde)).map(|kde| kde.kernel.descriptor);
        let Some(kernel) = kernel else { return Ok(()) };
        let mut groups = Vec::<GroupLaunch, LANES>::new();
        for lane in 0..=self.seeded.below(LANES as u32) {
            let grid = Dim3::linear(1 + self.seeded.below(4));
            self.groups += 1;
            let descriptor = Descriptor { grid, tag: 1000 + self.groups, ..kernel };
            let hw_tid = due.slot.index() as u32 * 64 + lane;
            groups.push(GroupLaunch { kernel: descriptor, hw_tid }).map_err(|_| Trouble::Overrun)?;
        }
        let launched = self.meter.call(|| (gpu.agg_launch(due.smx, due.slot, &groups), Call::AggLaunch));
        launched.map(drop).map_err(Trouble::Fault)
    }

    /// Whatever the dependency-graph buffer asks of memory is answered in the same cycle.
    fn memory<T: Tables>(
        &mut self,
        gpu: &mut FrontEnd<T>,
        graph: &mut Wavefront,
        probe: &mut impl Probe,
    ) -> Result<(), Trouble> {
        while let Some(request) = self.meter.call(|| (gpu.graph_poll(), Call::GraphMemory))? {
            let answered = self.meter.call(|| {
                let answered = match request {
                    Request::Nodes { tag, first, count, .. } => gpu.graph_nodes(tag, graph.nodes(first, count), probe),
                    Request::Edges { tag, first, count, .. } => gpu.graph_edges(tag, graph.edges(first, count), probe),
                    Request::Decrement { tag, node, .. } => {
                        graph.decrement(node);
                        gpu.graph_spilled(tag, probe)
                    }
                };
                (answered, Call::GraphMemory)
            });
            answered?;
        }
        Ok(())
    }

    /// The host kernels of this cycle, one after the other into the streams.
    fn launches<T: Tables>(&mut self, gpu: &mut FrontEnd<T>, now: u64, graph: &Wavefront) -> Result<(), Trouble> {
        while self.kernels < self.plan.kernels && now >= u64::from(self.kernels * self.plan.every_cycles) {
            let tbs = if self.plan.graph { graph.header().v } else { self.plan.tbs };
            let kernel = Descriptor {
                pc: 0x1000 + 0x100 * u64::from(self.kernels),
                grid: Dim3::linear(tbs),
                tb: Dim3::linear(64),
                regs: 16,
                smem: 1024,
                tag: u64::from(self.kernels),
                ..Descriptor::default()
            };
            let (stream, is_graph) = (self.kernels, self.plan.graph);
            let launched = self.meter.call(|| {
                let launched = if is_graph {
                    gpu.host_launch_graph(stream, &kernel, false, &graph.header())
                } else {
                    gpu.host_launch(stream, &kernel, false)
                };
                (launched, Call::HostLaunch)
            });
            launched?;
            self.kernels += 1;
        }
        Ok(())
    }
}
