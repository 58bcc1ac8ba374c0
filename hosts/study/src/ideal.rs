//! A host for one dependency graph that takes nothing but time: the front end without launch latencies, TBs whose durations are
//! given, and a memory that answers the dependency-graph buffer after a fixed time.

use crate::failure::Failure;
use crate::interrupt;
use anyhow::{Context, anyhow};
use gpusched::dats::{DgbStats, GraphHeader, GraphPolicy, Node, NodeId, Request};
use gpusched::{Config, Cycle, Decision, Descriptor, Dim3, FrontEnd, SlotId, SmxId, State, Words};
use gpusched_heap::{HeapTables, front_end};
use gpusched_workloads::depgraph::DepGraph;
use gpusched_workloads::graph::hash;
use std::collections::BTreeSet;

/// The host.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// The front end, with a dependency-graph buffer.
    pub config: Config,
    /// Order of dispatch.
    pub policy: GraphPolicy,
    /// Threads of a TB; it needs nothing else of an SMX but its slot.
    pub tb_threads: u32,
    /// How long TBs take.
    pub durations: Durations,
    /// Cycles from a request of the buffer to its answer.
    pub memory_cycles: u64,
}

/// How long TBs take: each its own time, uniformly between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Durations {
    /// The least, 1 or more.
    pub least: u32,
    /// The greatest.
    pub most: u32,
    /// Which TB takes which.
    pub seed: u64,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Until the last TB had ended.
    pub cycles: u64,
    /// The node at which the window could never move again, if it came to that.
    pub deadlock: Option<NodeId>,
    /// What the buffer counted.
    pub stats: DgbStats,
    /// What the scheduler waited for.
    pub words: Words,
    /// The TBs, in the order in which they started.
    pub tbs: Vec<Ran>,
    /// TBs that all SMXs hold together.
    pub places: u32,
}

/// A TB that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Its node.
    pub node: NodeId,
    /// Its SMX.
    pub smx: SmxId,
    /// Its TB slot.
    pub slot: SlotId,
    /// First cycle.
    pub start: u64,
    /// The cycle behind the last.
    pub end: u64,
}

impl Durations {
    /// Cycles of a TB.
    pub fn of(&self, tb: u16) -> u64 {
        let spread = u64::from(self.most - self.least) + 1;
        u64::from(self.least) + hash(self.seed ^ u64::from(tb)) % spread
    }
}

impl Outcome {
    /// Mean share of the places for TBs that were taken.
    pub fn occupancy(&self) -> f64 {
        let taken: u64 = self.tbs.iter().map(|tb| tb.end - tb.start).sum();
        taken as f64 / (self.cycles.max(1) * u64::from(self.places.max(1))) as f64
    }
}

impl Host {
    /// Runs a graph until its end, or until it can go on no longer. A node must not have more edges than the buffer, unless it spills.
    pub fn run(&self, graph: &DepGraph) -> Result<Outcome, Failure> {
        let mut front = front_end(&self.config.ideal()).map_err(|error| Failure::Usage(error.into()))?;
        let kernel = Descriptor {
            grid: Dim3::linear(graph.nodes.len() as u32),
            tb: Dim3::linear(self.tb_threads),
            ..Default::default()
        };
        let launched = front.host_launch_graph(0, &kernel, false, &self.header(graph));
        launched.map_err(|fault| anyhow!("the graph cannot be launched: {fault}"))?;
        let mut memory =
            Memory { graph, nodes: graph.nodes.clone(), cycles: self.memory_cycles, in_flight: Vec::new() };
        let mut tbs: Vec<Ran> = Vec::with_capacity(graph.nodes.len());
        // By end, then by SMX and slot.
        let mut running = BTreeSet::new();
        let (mut words, mut rounds) = (Words::default(), 0_u32);
        let deadlock = loop {
            rounds = rounds.wrapping_add(1);
            if rounds.is_multiple_of(1 << 12) && interrupt::requested() {
                return Err(Failure::Interrupted);
            }
            let now = front.now().0;
            while let Some(&(end, smx, slot)) = running.first()
                && end <= now
            {
                running.pop_first();
                front.tb_done(smx, slot, &mut ()).map_err(|fault| anyhow!("cycle {now}: {fault}"))?;
            }
            memory.serve(now, &mut front).with_context(|| format!("cycle {now}: the buffer and the graph"))?;
            match front.status() {
                State::Drained => break None,
                State::GraphStuck => break front.dgb().and_then(|dgb| dgb.deadlock()),
                _ => {}
            }
            let next = running.first().map(|&(end, ..)| end).into_iter().chain(memory.next()).min();
            let mut sent = |at: Cycle, decision| {
                if let Decision::Tb(tb) = decision {
                    let node = NodeId(tb.blkid as u16);
                    let end = at.0 + self.durations.of(graph.order[usize::from(node.0)]);
                    tbs.push(Ran { node, smx: tb.smx, slot: tb.slot, start: at.0, end });
                    running.insert((end, tb.smx, tb.slot));
                }
            };
            let until = next.map_or(Cycle::MAX, Cycle);
            words += front.advance(until, &mut sent).map_err(|fault| anyhow!("cycle {now}: {fault}"))?;
        };
        let stats = front.dgb().map_or_else(DgbStats::default, |dgb| dgb.stats());
        let cycles = tbs.iter().map(|tb| tb.end).max().unwrap_or(0);
        Ok(Outcome { cycles, deadlock, stats, words, tbs, places: self.places() })
    }

    fn header(&self, graph: &DepGraph) -> GraphHeader {
        let (v, e) = (graph.nodes.len() as u32, graph.edges.len() as u32);
        // Behind the nodes, where any chunk may start.
        let edge_base = (8 * u64::from(v)).next_multiple_of(1 << 10);
        GraphHeader { v, e, node_base: 0, edge_base, policy: self.policy }
    }

    /// TBs that all SMXs hold together.
    pub fn places(&self) -> u32 {
        let Config { n_smx, tb_slots, threads, warp, .. } = self.config;
        n_smx * tb_slots.min(threads / self.tb_threads.max(1).next_multiple_of(warp))
    }
}

/// The graph in memory, and the requests under way.
struct Memory<'a> {
    graph: &'a DepGraph,
    /// The node array: a spill changes it.
    nodes: Vec<Node>,
    cycles: u64,
    /// With the cycle of the answer.
    in_flight: Vec<(u64, Request)>,
}

impl Memory<'_> {
    /// The next answer.
    fn next(&self) -> Option<u64> {
        self.in_flight.iter().map(|flight| flight.0).min()
    }

    /// Gives the answers that are due and takes new requests, until there are none of either.
    fn serve(&mut self, now: u64, front: &mut FrontEnd<HeapTables>) -> anyhow::Result<()> {
        loop {
            while let Some(due) = self.in_flight.iter().position(|flight| flight.0 <= now) {
                let (_, request) = self.in_flight.remove(due);
                self.answer(&request, front)?;
            }
            while let Some(request) = front.graph_poll()? {
                self.in_flight.push((now + self.cycles, request));
            }
            if self.next().is_none_or(|next| next > now) {
                return Ok(());
            }
        }
    }

    fn answer(&mut self, request: &Request, front: &mut FrontEnd<HeapTables>) -> anyhow::Result<()> {
        match *request {
            Request::Nodes { tag, first, count, .. } => {
                front.graph_nodes(tag, &self.nodes[first as usize..][..count as usize], &mut ())?;
            }
            Request::Edges { tag, first, count, .. } => {
                front.graph_edges(tag, &self.graph.edges[first as usize..][..count as usize], &mut ())?;
            }
            Request::Decrement { tag, node, .. } => {
                let entry = &mut self.nodes[usize::from(node.0)];
                *entry = entry.with_parent_done().context("a decrement of a node without parents")?;
                front.graph_spilled(tag, &mut ())?;
            }
        }
        Ok(())
    }
}
