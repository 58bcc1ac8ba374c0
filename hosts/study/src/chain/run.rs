//! The front end at work on a chain of kernels: TBs take time, not instructions.

use super::bench::{Bench, Ran, Times, Way};
use super::pair::Fused;
use anyhow::{Result, anyhow, bail};
use gpusched::dats::{GraphHeader, Request};
use gpusched::{
    Config, Consumers, Cycle, Decision, Descriptor, DeviceLaunch, Dim3, FrontEnd, KernelEdge, KernelNode, Probe,
    SlotId, SmxId, State, TbPlacement,
};
use gpusched_heap::{HeapTables, front_end};
use gpusched_workloads::depgraph::DepGraph;
use gpusched_workloads::graph::SplitMix64;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

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

/// What a slot is at.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// What is left of a TB that waits, and of that until it triggers.
    left: (u64, u64),
    /// The TBs in a row that its own is one of; none of the last of them.
    row: Option<u32>,
}

/// A run under way.
pub(super) struct Run<'a> {
    bench: &'a Bench,
    way: Way,
    core: FrontEnd<HeapTables>,
    seen: Seen,
    random: SplitMix64,
    /// TBs of the first and of the second of two kernels.
    sizes: [u32; 2],
    /// Kernels that were launched.
    launched: u32,
    /// What TBs do next, by time.
    steps: BinaryHeap<Reverse<(u64, Step, SmxId, u8)>>,
    /// By SM and slot.
    places: Vec<Place>,
    /// The graph of two kernels, and the requests for it that are on their way.
    graph: Option<DepGraph>,
    answers: VecDeque<(u64, Request)>,
    /// Two kernels in one, and TBs of each row that have not ended.
    fused: Option<Fused>,
    rows: Vec<u32>,
    busy: u64,
    /// When TBs were at work, if that is kept.
    pub(super) work: Option<Vec<(u64, u64)>>,
}

impl<'a> Run<'a> {
    pub(super) fn begin(bench: &'a Bench, config: &Config, (way, tbs): (Way, u32), seed: u64) -> Result<Self> {
        let core = front_end(config).map_err(|error| anyhow!("{error}"))?;
        let fused = (way == Way::Fused).then(|| bench.reads.fused(tbs, bench.times.halo));
        let rows = fused.and_then(|fused| fused.tbs.checked_div(fused.behind)).unwrap_or(0);
        let mut run = Self {
            bench,
            way,
            core,
            seen: Seen::default(),
            random: SplitMix64::new(seed),
            sizes: [tbs, bench.reads.consumers(tbs)],
            launched: 0,
            steps: BinaryHeap::new(),
            places: vec![Place::default(); (config.n_smx * config.tb_slots) as usize],
            graph: (way == Way::Dependencies).then(|| bench.reads.graph(tbs)).transpose()?,
            answers: VecDeque::new(),
            fused,
            rows: vec![fused.map_or(0, |fused| fused.behind); rows as usize],
            busy: 0,
            work: None,
        };
        run.launch()?;
        Ok(run)
    }

    /// The whole chain.
    fn launch(&mut self) -> Result<()> {
        let (Bench { kernel, kernels, .. }, core) = (self.bench, &mut self.core);
        let [tbs, second] = self.sizes;
        let of = |tbs: u32| Descriptor { grid: Dim3::linear(tbs), ..*kernel };
        let mut all = (0..*kernels).map(|nth| of(if nth.is_multiple_of(2) { tbs } else { second }));
        let pairs = kernels / 2;
        self.launched = *kernels;
        match self.way {
            Way::Stream => all.try_for_each(|kernel| core.host_launch(0, &kernel, false).map(drop))?,
            Way::Pdl => all.try_for_each(|kernel| core.host_launch_dependent(0, &kernel, false).map(drop))?,
            Way::Graph | Way::GraphPdl => {
                let nodes: Vec<_> = all.map(|kernel| KernelNode { kernel, retain: 0 }).collect();
                let kind = if self.way == Way::GraphPdl { KernelEdge::PDL } else { KernelEdge::FULL };
                let edges: Vec<_> = (1..*kernels).map(|to| KernelEdge { from: to - 1, to, kind }).collect();
                let graph = core.kgraph_define(&nodes, &edges)?;
                core.kgraph_launch(graph, 0)?;
            }
            Way::Tail => core.host_launch(0, &of(tbs), false).map(drop)?,
            Way::Dependencies => {
                let Descriptor { tb, regs, smem, .. } = *kernel;
                let consumers = Consumers { pc: kernel.pc + 1, tb, regs, smem, first: tbs };
                let e = self.graph.as_ref().map_or(0, |graph| graph.edges.len()) as u32;
                let graph = GraphHeader { v: tbs + second, e, ..GraphHeader::default() };
                (0..pairs)
                    .try_for_each(|_| core.host_launch_cross(0, &of(graph.v), false, &graph, &consumers).map(drop))?;
                self.launched = self.launch_rest(pairs, of(tbs))?;
            }
            Way::Fused => {
                let fused = of(self.fused.map_or(0, |fused| fused.tbs));
                (0..pairs).try_for_each(|_| core.host_launch(0, &fused, false).map(drop))?;
                self.launched = self.launch_rest(pairs, of(tbs))?;
            }
        }
        Ok(())
    }

    /// Behind so many pairs the last kernel of an odd chain. How many launches there were.
    fn launch_rest(&mut self, pairs: u32, kernel: Descriptor) -> Result<u32> {
        if self.bench.kernels.is_multiple_of(2) {
            return Ok(pairs);
        }
        self.core.host_launch(0, &Descriptor { tag: LAST, ..kernel }, false)?;
        Ok(pairs + 1)
    }

    pub(super) fn is_over(&self) -> bool {
        self.seen.complete == self.launched
    }

    pub(super) fn ran(&self) -> Ran {
        let waited = self.core.grid_stats().map_or(0, |stats| stats.wait_slots);
        Ran { cycles: self.core.now().0, busy: self.busy, waited }
    }

    fn place(&mut self, smx: SmxId, slot: u8) -> &mut Place {
        let first = usize::from(smx.0) * self.bench.config.tb_slots as usize;
        &mut self.places[first + usize::from(slot)]
    }

    /// A cycle with what TBs do in it, and those behind it in which nothing happens.
    pub(super) fn step(&mut self) -> Result<()> {
        let now = self.core.now().0;
        while let Some(&Reverse((at, step, smx, slot))) = self.steps.peek()
            && at <= now
        {
            self.steps.pop();
            match step {
                Step::Trigger => self.core.tb_trigger(smx, SlotId(slot), &mut self.seen)?,
                Step::Wait => self.core.tb_wait(smx, SlotId(slot), &mut self.seen)?,
                Step::End => self.end(now, (smx, slot))?,
            }
            self.go_on();
        }
        self.serve(now)?;
        self.core.tick(&mut self.seen)?;
        self.go_on();
        let is_quiet = self.seen.sent.is_empty();
        self.begin_tbs(now)?;
        // A kernel that has just arrived asks for its graph.
        self.ask(now)?;
        let next = self.steps.peek().map(|Reverse((at, ..))| *at);
        let answer = self.answers.front().map(|(at, _)| *at);
        let due = self.core.next_event().map(|at| at.0).into_iter().chain(next).chain(answer).min();
        match due {
            Some(due) if is_quiet => drop(self.core.run(due.saturating_sub(self.core.now().0), &mut self.seen)?),
            None if self.core.status() != State::Drained => bail!("the chain stands still: {:?}", self.core.status()),
            _ => {}
        }
        Ok(())
    }

    /// A TB has ended, but for what the last one of its row does.
    fn end(&mut self, now: u64, (smx, slot): (SmxId, u8)) -> Result<()> {
        if let Some(row) = self.place(smx, slot).row.take() {
            let left = &mut self.rows[row as usize];
            *left -= 1;
            if *left == 0 {
                *left = self.fused.map_or(0, |fused| fused.behind);
                let takes = self.takes();
                self.works(now, takes);
                self.steps.push(Reverse((now + takes, Step::End, smx, slot)));
                return Ok(());
            }
        }
        Ok(self.core.tb_done(smx, SlotId(slot), &mut self.seen)?)
    }

    /// TBs whose wait is over.
    fn go_on(&mut self) {
        let now = self.core.now().0;
        for (smx, slot) in std::mem::take(&mut self.seen.released) {
            let (left, trigger) = self.place(smx, slot.0).left;
            if trigger > 0 {
                self.steps.push(Reverse((now + trigger.min(left), Step::Trigger, smx, slot.0)));
            }
            self.works(now, left);
            self.steps.push(Reverse((now + left, Step::End, smx, slot.0)));
        }
    }

    /// A TB works from now on.
    fn works(&mut self, now: u64, takes: u64) {
        self.busy += takes;
        if let Some(work) = &mut self.work {
            work.push((now, now + takes));
        }
    }

    /// What the next TB takes.
    fn takes(&mut self) -> u64 {
        let Times { tb, spread, .. } = self.bench.times;
        tb + if spread == 0 { 0 } else { self.random.below(spread + 1) }
    }

    /// TBs that were sent in the cycle `now` begin.
    fn begin_tbs(&mut self, now: u64) -> Result<()> {
        let (prologue, trigger) = self.bench.times.parts;
        for TbPlacement { smx, slot, blkid, tag, .. } in std::mem::take(&mut self.seen.sent) {
            if self.way == Way::Tail && blkid == 0 {
                self.launch_next(tag, (smx, slot))?;
            }
            let mut takes = self.takes();
            if let Some(fused) = self.fused.filter(|_| tag != LAST) {
                takes = (takes as f64 * fused.takes).round() as u64;
                self.place(smx, slot.0).row = blkid.checked_div(fused.behind);
            }
            if !self.way.overlaps() {
                self.works(now, takes);
                self.steps.push(Reverse((now + takes, Step::End, smx, slot.0)));
                continue;
            }
            let part = |of: f64| (takes as f64 * of) as u64;
            let (first, until) = (part(prologue), part(trigger));
            // What comes behind the wait is counted from there on.
            self.place(smx, slot.0).left = (takes - first, until.saturating_sub(first));
            if until <= first {
                self.steps.push(Reverse((now + until, Step::Trigger, smx, slot.0)));
            }
            self.works(now, first);
            self.steps.push(Reverse((now + first, Step::Wait, smx, slot.0)));
        }
        Ok(())
    }

    /// A TB of a kernel, whose tag is its number, launches the next one behind it.
    fn launch_next(&mut self, nth: u64, (smx, slot): (SmxId, SlotId)) -> Result<()> {
        let next = nth + 1;
        if next == u64::from(self.bench.kernels) {
            return Ok(());
        }
        let tbs = self.sizes[next as usize % 2];
        let kernel = Descriptor { grid: Dim3::linear(tbs), tag: next, ..self.bench.kernel };
        self.core.device_launch_named(smx, slot, &[DeviceLaunch { kernel, stream: DeviceLaunch::TAIL }])?;
        Ok(())
    }

    /// The buffer asks for what it needs of its graph.
    fn ask(&mut self, now: u64) -> Result<()> {
        while self.graph.is_some()
            && let Some(request) = self.core.graph_poll()?
        {
            self.answers.push_back((now + u64::from(self.bench.times.fetch), request));
        }
        Ok(())
    }

    /// Memory answers what was asked long enough ago.
    fn serve(&mut self, now: u64) -> Result<()> {
        while let Some((_, request)) = self.answers.pop_front_if(|(at, _)| *at <= now) {
            self.answer(request)?;
            self.ask(now)?;
        }
        Ok(())
    }

    fn answer(&mut self, request: Request) -> Result<()> {
        let Some(graph) = &self.graph else { return Ok(()) };
        match request {
            Request::Nodes { tag, first, count, .. } => {
                self.core.graph_nodes(tag, &graph.nodes[first as usize..][..count as usize], &mut self.seen)?;
            }
            Request::Edges { tag, first, count, .. } => {
                self.core.graph_edges(tag, &graph.edges[first as usize..][..count as usize], &mut self.seen)?;
            }
            Request::Decrement { .. } => bail!("every update has room in the buffer"),
        }
        Ok(())
    }
}

/// The tag of the last kernel of an odd chain.
const LAST: u64 = 1;
