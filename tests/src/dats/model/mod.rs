//! The DGB a second time, in the plainest way: every node and edge that ever arrived is kept in a list, the window is a pair of
//! numbers into it, and whatever a rule asks is counted anew, rule by rule as the sheet has them. It shares the core's
//! vocabulary and none of its logic.

mod graph;
mod memory;
mod settle;

use gpusched::{KernelSlot, SmxId, SmxSet};

use super::view::{Resident, View};
use super::{Answer, Answered, Event};
use gpusched::dats::{
    DgbConfig, GraphError, GraphHeader, GraphPolicy, NodeId, NodeState, Phase, Report, Request, Selection, Stall,
};
use graph::{Graph, Running, id};
use settle::level_range;

/// The machine of the sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    c: DgbConfig,
    next_tag: u32,
    next_smx: usize,
    graph: Option<Graph>,
}

impl Model {
    /// A machine without a graph, of a configuration that is within its ranges.
    #[must_use]
    pub fn new(c: &DgbConfig) -> Self {
        Self { c: *c, next_tag: 0, next_smx: 0, graph: None }
    }

    /// Carries out an event.
    ///
    /// # Errors
    /// The sheet's named errors.
    pub fn take(&mut self, event: &Event) -> Answered {
        if *event == Event::Abort {
            let executing = self.graph.take().map_or(0, |g| g.executing().count());
            return Ok(Answer::Abort(executing as u32));
        }
        if let Some((kind, node)) = self.graph.as_ref().and_then(|g| g.fault) {
            return Err(GraphError::GraphFault { kind, node: id(node) });
        }
        match event {
            Event::Launch { kde, graph } => self.launch(*kde, graph),
            Event::Poll => Ok(Answer::Request(self.poll())),
            Event::Nodes { tag, entries } => self.settled(|running| running.nodes(*tag, entries)),
            Event::Edges { tag, targets } => self.settled(|running| running.edges(*tag, targets)),
            Event::Spilled { tag } => self.settled(|running| running.spilled(*tag)),
            Event::Select { fits } => self.select(fits).map(Answer::Selection),
            Event::Complete { node } => self.complete(*node),
            Event::Abort => unreachable!("taken above"),
        }
    }

    // ---- L

    fn launch(&mut self, kde: KernelSlot, graph: &GraphHeader) -> Answered {
        let &GraphHeader { v, e, node_base, edge_base, .. } = graph;
        let misaligned = |base: u64| !base.is_multiple_of(u64::from(self.c.chunk_bytes));
        let overflows = |base: u64, bytes: u64| u128::from(base) + u128::from(bytes) > 1 << 64;
        if self.graph.as_ref().is_some_and(|g| !g.finished()) {
            return Err(GraphError::Busy);
        } else if v == 0 {
            return Err(GraphError::EmptyGraph);
        } else if v > 65535 {
            return Err(GraphError::TooManyNodes);
        } else if e > (1 << 31) - 1 {
            return Err(GraphError::TooManyEdges);
        } else if misaligned(node_base) || misaligned(edge_base) {
            return Err(GraphError::Misaligned);
        } else if overflows(node_base, 8 * u64::from(v)) || overflows(edge_base, 2 * u64::from(e)) {
            return Err(GraphError::AddressOverflow);
        }
        self.graph = Some(Graph::new(kde, graph));
        Ok(Answer::Done)
    }

    fn running(&mut self) -> Option<Running<'_>> {
        self.graph.as_mut().map(|g| Running { c: &self.c, g, report: Report::default() })
    }

    fn poll(&mut self) -> Option<Request> {
        let tag = self.next_tag;
        let request = self.running()?.poll(tag)?;
        self.next_tag = tag.wrapping_add(1);
        Some(request)
    }

    /// Takes an answer from memory, and settles.
    fn settled(&mut self, take: impl FnOnce(&mut Running<'_>) -> Result<(), GraphError>) -> Answered {
        let mut running = self.running().ok_or(GraphError::StaleTag)?;
        take(&mut running)?;
        if let Err((kind, node)) = running.settle() {
            running.g.fault = Some((kind, node));
            return Err(GraphError::GraphFault { kind, node: id(node) });
        }
        Ok(Answer::Report(running.report))
    }

    fn complete(&mut self, node: NodeId) -> Answered {
        if self.graph.as_ref().is_none_or(Graph::finished) {
            return Err(GraphError::NotLaunched);
        }
        let i = usize::from(node.0);
        let settled = self.settled(|running| {
            if !running.g.executing().any(|executing| executing == i) {
                return Err(GraphError::NotRunning { node });
            }
            running.g.nodes[i].state = Some(NodeState::Pending);
            Ok(())
        })?;
        let Answer::Report(report) = settled else { unreachable!("settling reports") };
        let pending = self.running().and_then(|running| running.pending(i));
        Ok(Answer::Report(Report { pending, ..report }))
    }

    fn select(&mut self, fits: &SmxSet) -> Result<Selection, GraphError> {
        let smxs = self.c.smxs as usize;
        let mut next_smx = self.next_smx;
        let Some(running) = self.running() else { return Err(GraphError::NotLaunched) };
        if let Some(smx) = fits.iter().find(|s| usize::from(s.0) >= smxs) {
            return Err(GraphError::BadSmx { smx });
        }
        if running.g.finished() {
            return Ok(Selection::Finished);
        }
        let n = match running.candidate() {
            Ok(n) => n,
            Err(stall) => return Ok(Selection::Stall(stall)),
        };
        let mut turn = (0..smxs).map(|i| SmxId(((next_smx + i) % smxs) as u16));
        let Some(smx) = turn.find(|s| fits.contains(*s)) else { return Ok(Selection::Stall(Stall::NoSmx)) };
        next_smx = (usize::from(smx.0) + 1) % smxs;
        let g = running.g;
        g.nodes[n].state = Some(NodeState::Executing);
        g.stats.dispatched += 1;
        let range = level_range(g.executing().map(|i| g.nodes[i].level)) as u32;
        g.stats.max_level_range = g.stats.max_level_range.max(range);
        let kde = g.kde;
        self.next_smx = next_smx;
        Ok(Selection::Dispatch { kde, node: id(n), smx })
    }

    fn unless_faulted(&self) -> Option<Self> {
        self.graph.as_ref().filter(|g| g.fault.is_none() && !g.finished()).map(|_| self.clone())
    }

    /// The node that would be dispatched if an SMX had room.
    #[must_use]
    pub fn next_node(&self) -> Option<NodeId> {
        self.unless_faulted()?.running()?.candidate().ok().map(id)
    }

    /// Whether a poll would issue a request.
    #[must_use]
    pub fn is_request_due(&self) -> bool {
        self.unless_faulted().is_some_and(|mut copy| copy.poll().is_some())
    }

    /// Whether memory owes an answer, or would after a poll.
    #[must_use]
    pub fn waits_for_memory(&self) -> bool {
        let owes = |g: &Graph| g.nodes_asked.is_some() || g.edges_asked.is_some() || g.decrement.is_some();
        let running = self.unless_faulted().and_then(|m| m.graph);
        running.as_ref().is_some_and(owes) || self.is_request_due()
    }

    /// Everything that can be seen.
    #[must_use]
    pub fn view(&self) -> View {
        let nothing = GraphHeader { v: 0, e: 0, node_base: 0, edge_base: 0, policy: GraphPolicy::Lrr };
        let nothing = Graph::new(KernelSlot(0), &nothing);
        let g = self.graph.as_ref().unwrap_or(&nothing);
        let lea = self.c.lea as usize;
        let resident = |i: usize| {
            let node = &g.nodes[i];
            Resident {
                node: id(i),
                state: node.state.expect("a resident node has a state"),
                parents: node.parents as u16,
                level: node.level as u16,
                les: (!node.childless).then_some((node.start % lea) as u32),
            }
        };
        let mut slots = vec![None; lea];
        for e in g.tail_edge..g.edge_head() {
            slots[e % lea] = Some(id(g.edges[e]));
        }
        let mut pending_updates = g.updates.iter().map(|child| id(*child)).collect::<Vec<_>>();
        pending_updates.sort();
        View {
            phase: match (&self.graph, g.fault) {
                (None, _) => Phase::Idle,
                (_, Some((kind, node))) => Phase::Faulted { kind, node: id(node) },
                (Some(g), None) if g.finished() => Phase::Finished,
                _ => Phase::Running,
            },
            window: (g.tail as u32, g.head as u32),
            fetched: g.fetched() as u32,
            edges: (g.tail_edge as u32, g.edge_head() as u32),
            resident: g.resident().map(resident).collect(),
            lea: slots,
            pending_updates,
            nib: (g.head..g.fetched()).map(|i| (id(i), g.nodes[i].parents as u16)).collect(),
            spilling: g.spill.map(|(t, _)| id(t)),
            deadlock: g.deadlock.map(id),
            next_smx: SmxId(self.next_smx as u16),
            stats: g.stats,
        }
    }
}
