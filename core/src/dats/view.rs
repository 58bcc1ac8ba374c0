//! Queries: the whole visible state. None changes anything.

use crate::base::cycle::Cycle;
use crate::base::id::{KernelSlot, SmxId};
use crate::base::table::Rows;
use crate::dats::answer::Stall;
use crate::dats::buffer::{Buffer, DgbStats, Phase};
use crate::dats::config::DgbConfig;
use crate::dats::graph::{GraphHeader, Node, NodeId};
use crate::dats::window::{LocalNode, NodeState, PubSlot};

/// What the buffer is doing, and where the window stands, in nodes and edges of the graph. After a fault only the phase has a meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DgbState {
    /// What it is doing.
    pub phase: Phase,
    /// The oldest node that is not done; V at the end.
    pub tail: u32,
    /// The first node that was not inserted.
    pub head: u32,
    /// The first node that has not landed.
    pub fetched: u32,
    /// The first edge whose slot is in use.
    pub tail_edge: u32,
    /// The first edge that is not on chip.
    pub edge_head: u32,
    /// Nodes whose TBs run.
    pub executing: u32,
    /// The node whose edges are applied one at a time.
    pub spilling: Option<NodeId>,
    /// The node at which the window can never move again.
    pub deadlock: Option<NodeId>,
    /// The SMX that is tried first. Goes on from graph to graph.
    pub next_smx: SmxId,
    /// The node that would be dispatched now if an SMX had room; `None` also while no graph runs.
    pub next_node: Option<NodeId>,
    /// Whether memory owes an answer, or would once it was asked.
    pub waits_for_memory: bool,
}

impl<N, E, P, I, W> Buffer<N, E, P, I, W>
where
    N: Rows<LocalNode>,
    E: Rows<NodeId>,
    P: Rows<NodeId>,
    I: Rows<Node>,
    W: Rows<u64>,
{
    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &DgbConfig {
        &self.config
    }

    /// What the buffer is doing.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The graph that was launched last, unless it was aborted.
    #[must_use]
    pub fn graph(&self) -> Option<&GraphHeader> {
        (self.phase != Phase::Idle).then_some(&self.regs.graph)
    }

    /// The kernel's entry that was named at the launch.
    #[must_use]
    pub fn kde(&self) -> KernelSlot {
        self.regs.kde
    }

    /// What the buffer is doing, and where the window stands.
    #[must_use]
    pub fn state(&self) -> DgbState {
        let r = &self.regs;
        let vid = |vid: u32| NodeId(vid as u16);
        DgbState {
            phase: self.phase,
            tail: r.tail,
            head: r.head,
            fetched: r.fetched,
            tail_edge: r.tail_edge,
            edge_head: r.edge_head,
            executing: r.executing,
            spilling: r.spill.map(|spill| vid(spill.node)),
            deadlock: self.deadlock(),
            next_smx: self.next_smx,
            next_node: self.next_node(),
            waits_for_memory: self.waits_for_memory(),
        }
    }

    /// The node at which the window can never move again.
    #[must_use]
    pub fn deadlock(&self) -> Option<NodeId> {
        self.regs.deadlock.map(|vid| NodeId(vid as u16))
    }

    /// Statistics of the graph that was launched last.
    #[must_use]
    pub fn stats(&self) -> DgbStats {
        self.regs.stats
    }

    /// The SMX that is tried first.
    #[must_use]
    pub fn next_smx(&self) -> SmxId {
        self.next_smx
    }

    /// Resident nodes, by VID: `tail` and so on.
    pub fn resident(&self) -> impl Iterator<Item = &LocalNode> {
        (self.regs.tail..self.regs.head).map(|vid| self.node(vid))
    }

    /// The state of a node; `None` if it is not resident.
    #[must_use]
    pub fn node_state(&self, vid: u32) -> Option<NodeState> {
        self.is_resident(vid).then(|| self.node(vid).state)
    }

    /// Edges on chip, by their index in the edge array: `tail_edge` and so on.
    pub fn resident_edges(&self) -> impl Iterator<Item = NodeId> {
        let edges = self.regs.tail_edge..self.regs.edge_head;
        edges.map(|edge| self.local_edges[self.edge_slot(edge)])
    }

    /// The PUB, oldest entry first.
    pub fn pending_updates(&self) -> impl Iterator<Item = NodeId> {
        (0..self.pub_len).map(|p| self.pending_updates[PubSlot(p)])
    }

    /// Nodes that wait in the NIB, by VID: `head` and so on.
    pub fn landed(&self) -> impl Iterator<Item = Node> {
        (self.regs.head..self.regs.fetched).map(|vid| self.insertions[self.nib_slot(vid)])
    }

    /// The node that would be dispatched now if an SMX had room; `None` also while no graph runs.
    #[must_use]
    pub fn next_node(&self) -> Option<NodeId> {
        Some(NodeId(self.look()?.ok()? as u16))
    }

    /// The node that would be dispatched, or why none would whatever the SMXs have; `None` while no graph runs.
    #[inline]
    pub(crate) fn look(&self) -> Option<Result<u32, Stall>> {
        (self.phase == Phase::Running).then(|| self.candidate())
    }

    /// `now` while [`Buffer::poll`] has a request, or [`Buffer::select`] a node for an SMX with room; else none: nothing here ripens
    /// with time.
    #[must_use]
    pub fn next_event(&self, now: Cycle) -> Option<Cycle> {
        let polls = self.phase == Phase::Running && self.due_request(0).is_some();
        (polls || self.next_node().is_some()).then_some(now)
    }

    /// Whether memory owes an answer, or would once it was asked.
    #[must_use]
    pub fn waits_for_memory(&self) -> bool {
        let r = &self.regs;
        let in_flight = r.nodes_in_flight.is_some() || r.edges_in_flight.is_some();
        let decrements = r.spill.is_some_and(|spill| spill.decrement.is_some());
        self.phase == Phase::Running && (in_flight || decrements || self.due_request(0).is_some())
    }
}
