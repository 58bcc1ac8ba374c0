//! The window that slides over the graph: its rows, and the words that the rules use (`dats`, section D).

use core::ops::Range;

use crate::base::id::id;
use crate::base::table::Rows;
use crate::dats::answer::Pending;
use crate::dats::buffer::{Buffer, Phase};
use crate::dats::config::Prefetch;
use crate::dats::graph::{Node, NodeId};
use crate::dats::slots::NodeSet;

id! {
    /// A slot of the local node array.
    pub(super) NodeSlot(u32)
}
id! {
    /// A slot of the local edge array.
    pub(super) EdgeSlot(u32)
}
id! {
    /// A place of the pending update buffer.
    pub(super) PubSlot(u32)
}
id! {
    /// A place of the node insertion buffer.
    pub(super) NibSlot(u32)
}

/// State of a resident node (4.2.1): W, R, P and D.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum NodeState {
    /// W: parents are not finalised.
    #[default]
    Waiting,
    /// R: may be dispatched.
    Ready,
    /// P: its TB runs; executing (dats-D3).
    Executing,
    /// P: its TB has ended, its children do not know yet; pending (dats-D3).
    Pending,
    /// D: its children know.
    Done,
}

/// A row of the local node array and the node state table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LocalNode {
    /// State.
    pub state: NodeState,
    /// Whether it has no children.
    pub is_childless: bool,
    /// Parents that are not finalised.
    pub parents: u16,
    /// Level.
    pub level: u16,
    /// Index of its first edge. The hardware keeps its slot: this modulo `lea`.
    pub start: u32,
}

impl<N, E, P, I, W> Buffer<N, E, P, I, W>
where
    N: Rows<LocalNode>,
    E: Rows<NodeId>,
    P: Rows<NodeId>,
    I: Rows<Node>,
    W: Rows<u64>,
{
    /// The slot of a node.
    #[inline]
    pub(super) fn slot(&self, vid: u32) -> NodeSlot {
        NodeSlot(vid % self.rings.lna)
    }

    /// The slot of an edge.
    #[inline]
    pub(super) fn edge_slot(&self, edge: u32) -> EdgeSlot {
        EdgeSlot(edge % self.rings.lea)
    }

    /// The place of a landed node. A chunk starts at a multiple of its length.
    pub(super) fn nib_slot(&self, vid: u32) -> NibSlot {
        NibSlot(vid.checked_rem(self.config.chunk_nodes()).unwrap_or(0))
    }

    /// dats-D1.
    pub(super) fn is_resident(&self, vid: u32) -> bool {
        (self.regs.tail..self.regs.head).contains(&vid)
    }

    pub(super) fn is_landed(&self, vid: u32) -> bool {
        (self.regs.head..self.regs.fetched).contains(&vid)
    }

    /// A resident node.
    #[inline]
    pub(super) fn node(&self, vid: u32) -> &LocalNode {
        &self.local_nodes[self.slot(vid)]
    }

    /// The resident node in a slot goes from one state to another, and from set to set. Both states are known where this is called, so little
    /// of it is left.
    #[inline(always)]
    pub(super) fn change(&mut self, vid: u32, slot: NodeSlot, from: NodeState, to: NodeState) {
        self.local_nodes[slot].state = to;
        if let Some(set) = set_of(from) {
            self.sets.remove(set, vid, slot.0);
        }
        if let Some(set) = set_of(to) {
            self.sets.insert(set, vid, slot.0);
        }
    }

    /// `start(i)`, where it is known (dats-D2).
    #[inline]
    pub(super) fn start_of(&self, vid: u32) -> Option<u32> {
        if self.is_resident(vid) {
            Some(self.node(vid).start)
        } else if self.is_landed(vid) {
            Some(self.insertions[self.nib_slot(vid)].start())
        } else {
            (vid == self.regs.graph.v).then_some(self.regs.graph.e)
        }
    }

    /// `end(i)` of a resident node, where it is known: of all but the last it is (dats-D2).
    #[inline]
    pub(super) fn end_of(&self, vid: u32) -> Option<u32> {
        self.end_in(self.slot(vid), vid)
    }

    /// [`Self::end_of`] of a node whose slot is known.
    #[inline]
    pub(super) fn end_in(&self, slot: NodeSlot, vid: u32) -> Option<u32> {
        let node = &self.local_nodes[slot];
        if node.is_childless {
            Some(node.start)
        } else if vid + 1 < self.regs.head {
            Some(self.local_nodes[self.next_slot(slot)].start)
        } else {
            self.start_of(vid + 1)
        }
    }

    /// The slot of the next node.
    #[inline]
    pub(super) fn next_slot(&self, NodeSlot(slot): NodeSlot) -> NodeSlot {
        NodeSlot(if slot + 1 == self.config.lna { 0 } else { slot + 1 })
    }

    /// Whether every edge of a resident node is on chip (dats-D4).
    #[inline]
    pub(super) fn has_edges(&self, vid: u32) -> bool {
        self.node(vid).is_childless || self.end_of(vid).is_some_and(|end| self.regs.edge_head >= end)
    }

    /// Whether a resident node is known to have more edges than the LEA (dats-D5).
    pub(super) fn is_oversize(&self, vid: u32) -> bool {
        self.end_of(vid).is_some_and(|end| end - self.node(vid).start > self.config.lea)
    }

    /// The edges of a resident node, as indices of the edge array, where its end is known.
    #[inline]
    pub(super) fn edges_of(&self, vid: u32) -> Option<Range<u32>> {
        self.edges_in(self.slot(vid), vid)
    }

    /// [`Self::edges_of`] a node whose slot is known.
    #[inline]
    pub(super) fn edges_in(&self, slot: NodeSlot, vid: u32) -> Option<Range<u32>> {
        Some(self.local_nodes[slot].start..self.end_in(slot, vid)?)
    }

    /// `Outside(i)`: how many of these edges, which are on chip, lead to nodes that are not in the window yet (dats-D4).
    #[inline]
    pub(super) fn outside(&self, edges: Range<u32>) -> u32 {
        let mut slot = self.edge_slot(edges.start);
        let mut outside = 0;
        for _ in edges {
            outside += u32::from(u32::from(self.local_edges[slot].0) >= self.regs.head);
            slot = self.next_edge_slot(slot);
        }
        outside
    }

    /// The slot of the next edge.
    #[inline]
    pub(super) fn next_edge_slot(&self, EdgeSlot(slot): EdgeSlot) -> EdgeSlot {
        EdgeSlot(if slot + 1 == self.config.lea { 0 } else { slot + 1 })
    }

    /// Free entries of the PUB.
    pub(super) fn pub_free(&self) -> u32 {
        self.config.pub_entries - self.pub_len
    }

    /// Takes a slot's edge out of the window, so that equal windows are equal state.
    pub(super) fn drop_edges(&mut self, from: u32, to: u32) {
        let mut slot = self.edge_slot(from);
        for _ in from..to {
            self.local_edges[slot] = NodeId(0);
            slot = self.next_edge_slot(slot);
        }
    }

    /// `edge_need`: how far the edges of all inserted nodes reach whose count is known (dats-D6).
    pub(super) fn edge_need(&self) -> u32 {
        let head = self.regs.head;
        let before = head.checked_sub(1).filter(|&last| self.is_resident(last));
        let known = self.start_of(head).or_else(|| before.map(|last| self.node(last).start));
        known.unwrap_or(self.regs.tail_edge)
    }

    /// `want_nodes`: whether the next chunk of nodes is to be requested (dats-D7).
    pub(super) fn wants_nodes(&self) -> bool {
        let r = &self.regs;
        let missing = r.graph.v - r.fetched;
        let room = self.config.lna - (r.head - r.tail);
        missing > 0
            && r.head == r.fetched
            && r.nodes_in_flight.is_none()
            && r.spill.is_none_or(|spill| spill.decrement.is_none())
            && (self.config.prefetch == Prefetch::Eager || room >= missing.min(self.config.chunk_nodes()))
    }

    /// Whether the oldest node waits for good: it cannot be finalised, so the window cannot move (dats-S5).
    pub(super) fn is_stuck(&self) -> bool {
        self.has_edges(self.regs.tail)
            && self.edges_of(self.regs.tail).is_some_and(|edges| self.outside(edges) > self.pub_free())
            && self.regs.nodes_in_flight.is_none()
            && !self.wants_nodes()
    }

    /// dats-C3: what keeps a node from being final.
    pub(super) fn pending(&self, vid: u32) -> Option<Pending> {
        if !self.is_resident(vid) || self.node(vid).state != NodeState::Pending {
            None
        } else if self.regs.spill.is_some_and(|spill| spill.node == vid) {
            Some(Pending::Spill)
        } else if self.is_oversize(vid) {
            Some(Pending::Tail)
        } else if !self.has_edges(vid) {
            Some(Pending::Edges)
        } else {
            Some(Pending::Pub)
        }
    }

    /// Forgets the graph and everything about it.
    pub(super) fn clear(&mut self) {
        let config = self.config;
        for vid in self.regs.tail..self.regs.head {
            let slot = self.slot(vid);
            self.local_nodes[slot] = LocalNode::default();
        }
        self.drop_edges(self.regs.tail_edge, self.regs.edge_head);
        (0..self.pub_len).for_each(|p| self.pending_updates[PubSlot(p)] = NodeId(0));
        (0..config.chunk_nodes()).for_each(|n| self.insertions[NibSlot(n)] = Node::default());
        self.sets.clear();
        self.pub_len = 0;
        self.regs = Default::default();
        self.phase = Phase::Idle;
    }
}

/// The set that nodes in this state are in.
#[inline(always)]
pub(super) const fn set_of(state: NodeState) -> Option<NodeSet> {
    match state {
        NodeState::Ready => Some(NodeSet::Ready),
        NodeState::Executing => Some(NodeSet::Executing),
        NodeState::Pending => Some(NodeSet::Pending),
        NodeState::Waiting | NodeState::Done => None,
    }
}
