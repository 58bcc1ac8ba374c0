//! The front end at work on a chain of kernels: TBs take time, not instructions.

use anyhow::{Result, anyhow, bail};
use gpusched::{
    Config, Cycle, Decision, Descriptor, Dim3, FrontEnd, KernelEdge, KernelNode, KgraphPart, PdlPart, Probe, SlotId,
    SmxId, State, TbPlacement,
};
use gpusched_heap::{HeapTables, front_end};
use gpusched_workloads::graph::SplitMix64;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How the kernels of a chain follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// Launched one by one into a stream: each starts when the one before is complete.
    Stream,
    /// The same, each a programmatic dependent.
    Pdl,
    /// A graph, launched at once.
    Graph,
    /// The same, each a programmatic dependent.
    GraphPdl,
}

impl Way {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Stream, Self::Pdl, Self::Graph, Self::GraphPdl];

    /// In tables and pictures.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stream => "stream",
            Self::Pdl => "PDL",
            Self::Graph => "graph",
            Self::GraphPdl => "graph with PDL",
        }
    }

    const fn overlaps(self) -> bool {
        matches!(self, Self::Pdl | Self::GraphPdl)
    }
}

/// What takes how long, in cycles of an SM.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Times {
    /// A TB, at least.
    pub tb: u64,
    /// How much longer it may take.
    pub spread: u64,
    /// Parts of a TB: what needs nothing of the kernel before, and after what it lets the next one start.
    pub parts: (f64, f64),
    /// The host: a kernel, a graph, and each kernel of it.
    pub host: (u32, u32, u32),
    /// From the completion of a kernel to the next one.
    pub dispatch: u32,
}

/// A chain of kernels on a machine.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    config: Config,
    kernel: Descriptor,
    kernels: u32,
    times: Times,
    seed: u64,
}

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ran {
    /// Cycles until all is complete.
    pub cycles: u64,
    /// Cycles of TBs at work.
    pub busy: u64,
    /// Cycles of TBs that waited for the kernel before.
    pub waited: u64,
}

/// What happens to a TB next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Trigger,
    Wait,
    End,
}

/// TBs that were sent or go on, and kernels that are complete.
#[derive(Debug, Default)]
struct Seen {
    sent: Vec<TbPlacement>,
    released: Vec<(SmxId, SlotId)>,
    complete: u32,
}

impl Probe for Seen {
    fn decide(&mut self, _: Cycle, decision: Decision) {
        match decision {
            Decision::Tb(tb) => self.sent.push(tb),
            Decision::Released { smx, slot } => self.released.push((smx, slot)),
            Decision::Complete { .. } => self.complete += 1,
            _ => {}
        }
    }
}

impl Bench {
    /// `kernels` kernels of this shape, on the front end `config`.
    pub fn new(config: &Config, kernel: Descriptor, kernels: u32, times: Times, seed: u64) -> Self {
        let (lat_kernel, lat_graph, lat_node) = times.host;
        let config = Config {
            hwq_depth: kernels,
            lat_dispatch: times.dispatch,
            kmu_interval: 1,
            pdl: Some(PdlPart::CUDA),
            kgraph: Some(KgraphPart {
                graphs: 1,
                nodes: kernels,
                edges: kernels,
                insts: 1,
                lat_kernel,
                lat_graph,
                lat_node,
                ..KgraphPart::FREE
            }),
            ..*config
        };
        Self { config, kernel, kernels, times, seed }
    }

    /// Runs the chain, each kernel of so many TBs.
    pub fn run(&self, way: Way, tbs: u32) -> Result<Ran> {
        let mut run = Run::begin(self, way, tbs)?;
        while run.seen.complete < self.kernels {
            run.step()?;
        }
        let waited = run.core.grid_stats().map_or(0, |stats| stats.wait_slots);
        Ok(Ran { cycles: run.core.now().0, busy: run.busy, waited })
    }
}

/// A run under way.
struct Run<'a> {
    bench: &'a Bench,
    overlaps: bool,
    core: FrontEnd<HeapTables>,
    seen: Seen,
    random: SplitMix64,
    /// What TBs do next, by time.
    steps: BinaryHeap<Reverse<(u64, Step, SmxId, u8)>>,
    /// What is left of a TB that waits, and of that until it triggers, by SM and slot.
    waiting: Vec<(u64, u64)>,
    busy: u64,
}

impl<'a> Run<'a> {
    fn begin(bench: &'a Bench, way: Way, tbs: u32) -> Result<Self> {
        let mut core = front_end(&bench.config).map_err(|error| anyhow!("{error}"))?;
        let kernel = |tag: u32| Descriptor { grid: Dim3::linear(tbs), tag: tag.into(), ..bench.kernel };
        let all = 0..bench.kernels;
        match way {
            Way::Stream => all.into_iter().try_for_each(|tag| core.host_launch(0, &kernel(tag), false).map(drop))?,
            Way::Pdl => {
                all.into_iter().try_for_each(|tag| core.host_launch_dependent(0, &kernel(tag), false).map(drop))?;
            }
            Way::Graph | Way::GraphPdl => {
                let nodes: Vec<_> = all.map(|tag| KernelNode { kernel: kernel(tag), retain: 0 }).collect();
                let kind = if way == Way::GraphPdl { KernelEdge::PDL } else { KernelEdge::FULL };
                let edges: Vec<_> = (1..bench.kernels).map(|to| KernelEdge { from: to - 1, to, kind }).collect();
                let graph = core.kgraph_define(&nodes, &edges)?;
                core.kgraph_launch(graph, 0)?;
            }
        }
        let slots = bench.config.n_smx * bench.config.tb_slots;
        Ok(Self {
            bench,
            overlaps: way.overlaps(),
            core,
            seen: Seen::default(),
            random: SplitMix64::new(bench.seed),
            steps: BinaryHeap::new(),
            waiting: vec![(0, 0); slots as usize],
            busy: 0,
        })
    }

    fn place(&self, smx: SmxId, slot: u8) -> usize {
        usize::from(smx.0) * self.bench.config.tb_slots as usize + usize::from(slot)
    }

    /// A cycle with what TBs do in it, and those behind it in which nothing happens.
    fn step(&mut self) -> Result<()> {
        let now = self.core.now().0;
        while let Some(&Reverse((at, step, smx, slot))) = self.steps.peek()
            && at <= now
        {
            self.steps.pop();
            match step {
                Step::Trigger => self.core.tb_trigger(smx, SlotId(slot), &mut self.seen)?,
                Step::Wait => self.core.tb_wait(smx, SlotId(slot), &mut self.seen)?,
                Step::End => self.core.tb_done(smx, SlotId(slot), &mut self.seen)?,
            }
            self.go_on();
        }
        self.core.tick(&mut self.seen)?;
        self.go_on();
        let is_quiet = self.seen.sent.is_empty();
        self.begin_tbs(now);
        let next = self.steps.peek().map(|Reverse((at, ..))| Cycle(*at));
        let due = self.core.next_event().into_iter().chain(next).min();
        match due {
            Some(due) if is_quiet => drop(self.core.run(due.since(self.core.now()), &mut self.seen)?),
            None if self.core.status() != State::Drained => bail!("the chain stands still: {:?}", self.core.status()),
            _ => {}
        }
        Ok(())
    }

    /// TBs whose wait is over.
    fn go_on(&mut self) {
        let now = self.core.now().0;
        for (smx, slot) in std::mem::take(&mut self.seen.released) {
            let (left, trigger) = self.waiting[self.place(smx, slot.0)];
            if trigger > 0 {
                self.steps.push(Reverse((now + trigger.min(left), Step::Trigger, smx, slot.0)));
            }
            self.steps.push(Reverse((now + left, Step::End, smx, slot.0)));
        }
    }

    /// TBs that were sent in the cycle `now` begin.
    fn begin_tbs(&mut self, now: u64) {
        let Times { tb, spread, parts: (prologue, trigger), .. } = self.bench.times;
        for TbPlacement { smx, slot, .. } in std::mem::take(&mut self.seen.sent) {
            let takes = tb + if spread == 0 { 0 } else { self.random.below(spread + 1) };
            self.busy += takes;
            if !self.overlaps {
                self.steps.push(Reverse((now + takes, Step::End, smx, slot.0)));
                continue;
            }
            let part = |of: f64| (takes as f64 * of) as u64;
            let (first, until) = (part(prologue), part(trigger));
            // What comes behind the wait is counted from there on.
            let place = self.place(smx, slot.0);
            self.waiting[place] = (takes - first, until.saturating_sub(first));
            if until <= first {
                self.steps.push(Reverse((now + until, Step::Trigger, smx, slot.0)));
            }
            self.steps.push(Reverse((now + first, Step::Wait, smx, slot.0)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine of four SMXs of one TB each, and kernels of two TBs of 100 cycles.
    fn bench(times: Times) -> Bench {
        let config = Config { n_smx: 4, tb_slots: 1, ..Config::K20C.ideal() };
        let kernel = Descriptor { tb: Dim3::linear(32), ..Descriptor::default() };
        Bench::new(&config, kernel, 10, times, 1)
    }

    const FREE: Times = Times { tb: 100, spread: 0, parts: (0.0, 0.0), host: (0, 0, 0), dispatch: 0 };

    /// Ten kernels whose second TB starts a cycle behind the first take 101 cycles each. Of dependents both are there already, and go on
    /// together, when the kernel before is complete.
    #[test]
    fn without_costs_only_the_start_of_tbs_counts() {
        for way in Way::ALL {
            let ran = bench(FREE).run(way, 2).unwrap();
            let each = if way.overlaps() { 100 } else { 101 };
            assert_eq!((ran.busy, ran.cycles / 10), (2000, each), "{way:?}: {ran:?}");
        }
    }

    /// What launching costs is hidden by those who start early, and paid once by graphs.
    #[test]
    fn costs_are_hidden_or_paid_once() {
        let cycles = |times, way| bench(times).run(way, 2).unwrap().cycles;
        let dispatch = Times { dispatch: 50, ..FREE };
        assert_eq!(cycles(dispatch, Way::Stream) - cycles(FREE, Way::Stream), 10 * 50);
        assert!(cycles(dispatch, Way::Pdl) < cycles(FREE, Way::Stream) + 2 * 50);
        let host = Times { host: (200, 300, 1), ..FREE };
        assert!(cycles(host, Way::Stream) >= 10 * 200);
        assert_eq!(cycles(host, Way::Graph) - cycles(FREE, Way::Graph), 310);
    }

    /// What needs nothing of the kernel before runs beside it.
    #[test]
    fn prologues_overlap() {
        let times = Times { parts: (0.5, 0.0), ..FREE };
        let [stream, pdl] = [Way::Stream, Way::Pdl].map(|way| bench(times).run(way, 2).unwrap());
        assert!(pdl.cycles * 10 < stream.cycles * 6, "{pdl:?} {stream:?}");
        assert!(pdl.waited == 0 || pdl.waited < pdl.busy);
        // Where kernels fill the machine, nothing starts early.
        let [stream, pdl] = [Way::Stream, Way::Pdl].map(|way| bench(times).run(way, 4).unwrap());
        assert!(pdl.cycles * 10 > stream.cycles * 9, "{pdl:?} {stream:?}");
    }
}
