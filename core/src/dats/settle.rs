//! Settle: what follows from an event, until nothing more does (`dats`, sections S and F).

use core::ops::Range;

use crate::base::table::Rows;
use crate::dats::answer::{GraphError, GraphFaultKind, Pending, Report};
use crate::dats::buffer::{Buffer, Decrement, Phase, Registers, Spill};
use crate::dats::graph::{Node, NodeId};
use crate::dats::slots::NodeSet;
use crate::dats::window::{LocalNode, NodeSlot, NodeState, PubSlot};

/// A contradiction in the graph's memory.
struct Contradiction(GraphFaultKind, u32);

impl<N, E, P, I, W> Buffer<N, E, P, I, W>
where
    N: Rows<LocalNode>,
    E: Rows<NodeId>,
    P: Rows<NodeId>,
    I: Rows<Node>,
    W: Rows<u64>,
{
    /// The whole section, behind an event that has done what `report` says.
    pub(super) fn settle(&mut self, mut report: Report) -> Result<Report, GraphError> {
        self.settle_rounds(&mut report).map_err(|contradiction| self.fail(contradiction))?;
        Ok(report)
    }

    /// The whole section, behind the end of an executing node's TB. dats-S1 to S3 and the older pending nodes wait for something else
    /// than this end, so what can follow is that this node is finalised (dats-S4); and only from the oldest more follows.
    #[inline]
    pub(super) fn settle_end(&mut self, vid: u32, slot: NodeSlot) -> Result<Report, GraphError> {
        let mut report = Report::default();
        report.pending =
            self.finalise_ended(vid, slot, &mut report).map_err(|contradiction| self.fail(contradiction))?;
        Ok(report)
    }

    #[inline(always)]
    fn finalise_ended(
        &mut self,
        vid: u32,
        slot: NodeSlot,
        report: &mut Report,
    ) -> Result<Option<Pending>, Contradiction> {
        let edges = self.edges_in(slot, vid).filter(|edges| self.may_finalise(vid, edges));
        let is_final = edges.is_some();
        if let Some(edges) = edges {
            self.finalise(vid, edges, report)?;
            self.change(vid, slot, NodeState::Executing, NodeState::Done);
        } else {
            self.change(vid, slot, NodeState::Executing, NodeState::Pending);
        }
        if vid == self.regs.tail {
            self.settle_rounds(report)?;
        }
        Ok(if is_final { None } else { self.pending(vid) })
    }

    /// The graph's memory contradicts itself. The window is given up; only what an abort has to tell is kept.
    #[cold]
    fn fail(&mut self, Contradiction(kind, node): Contradiction) -> GraphError {
        let node = NodeId(node as u16);
        let Registers { kde, graph, executing, stats, .. } = self.regs;
        self.clear();
        self.regs = Registers { kde, graph, executing, stats, ..Registers::default() };
        self.phase = Phase::Faulted { kind, node };
        GraphError::GraphFault { kind, node }
    }

    #[inline(always)]
    fn settle_rounds(&mut self, report: &mut Report) -> Result<(), Contradiction> {
        let state = loop {
            // dats-S1 leaves nothing of itself behind, so a round in which only it did something is the last one. Most ends are such.
            let state = self.advance_tail();
            let mut changed = false;
            if self.regs.head < self.regs.fetched {
                changed |= self.insert(report)?;
            }
            if self.regs.spill.is_some() {
                changed |= self.apply_spill(report)?;
            }
            if self.sets.first(NodeSet::Pending).is_some() {
                changed |= self.finalise_oldest(report)?;
            }
            if !changed && (state != Some(NodeState::Pending) || !self.start_spill()) {
                break state;
            }
        };
        let tail = self.regs.tail;
        if state == Some(NodeState::Waiting) {
            return Err(Contradiction(GraphFaultKind::ParentExcess, tail));
        }
        if tail == self.regs.graph.v {
            self.phase = Phase::Finished;
            report.finished = true;
        }
        Ok(())
    }

    /// dats-S1: the tail passes nodes that are done. The state of the one that it comes to.
    fn advance_tail(&mut self) -> Option<NodeState> {
        let mut slot = self.slot(self.regs.tail);
        while self.regs.tail < self.regs.head {
            let state = self.local_nodes[slot].state;
            if state != NodeState::Done {
                return Some(state);
            }
            let end = self.end_in(slot, self.regs.tail).unwrap_or(self.regs.tail_edge);
            self.drop_edges(self.regs.tail_edge, end);
            self.local_nodes[slot] = LocalNode::default();
            self.regs.tail_edge = end;
            self.regs.tail += 1;
            slot = self.next_slot(slot);
        }
        None
    }

    /// dats-S2: landed nodes enter the window.
    #[inline(never)]
    fn insert(&mut self, report: &mut Report) -> Result<bool, Contradiction> {
        let before = self.regs.head;
        while self.regs.head < self.regs.fetched && self.has_room_for(self.regs.head) {
            let vid = self.regs.head;
            let place = self.nib_slot(vid);
            let node = core::mem::take(&mut self.insertions[place]);
            let updates = self.take_updates(vid);
            report.pub_out += updates;
            let parents = u32::from(node.parents()).checked_sub(updates);
            let parents = parents.ok_or(Contradiction(GraphFaultKind::ParentUnderflow, vid))? as u16;
            let slot = self.slot(vid);
            let (is_childless, level, start) = (node.is_childless(), node.level(), node.start());
            self.local_nodes[slot] = LocalNode { state: NodeState::Waiting, is_childless, parents, level, start };
            self.regs.head = vid + 1;
            report.inserted += 1;
            if parents == 0 {
                self.change(vid, slot, NodeState::Waiting, NodeState::Ready);
                report.readied += 1;
            }
        }
        Ok(self.regs.head > before)
    }

    /// dats-I1 to I3: whether the landed node at the head has its slots.
    fn has_room_for(&self, vid: u32) -> bool {
        let (r, lea) = (&self.regs, self.config.lea);
        let node = self.insertions[self.nib_slot(vid)];
        if vid - r.tail >= self.config.lna || node.start() - r.tail_edge > lea {
            return false;
        }
        // With its end unknown, or with more edges than fit at all, it waits inside.
        node.is_childless()
            || self.start_of(vid + 1).is_none_or(|end| end - r.tail_edge <= lea || end - node.start() > lea)
    }

    /// Takes the updates of a node out of the PUB, and says how many there were.
    fn take_updates(&mut self, vid: u32) -> u32 {
        let len = self.pub_len;
        let mine = NodeId(vid as u16);
        let entries = self.pending_updates.first(len as usize).unwrap_or_default();
        let found = entries.iter().filter(|&&v| v == mine).count();
        if found > 0 {
            let mut kept = 0;
            for p in 0..len {
                let v = core::mem::take(&mut self.pending_updates[PubSlot(p)]);
                if v != mine {
                    self.pending_updates[PubSlot(kept)] = v;
                    kept += 1;
                }
            }
            self.pub_len = kept;
        }
        found as u32
    }

    /// dats-S3: edges of the spilling node, each to where there is a place for it.
    #[inline(never)]
    fn apply_spill(&mut self, report: &mut Report) -> Result<bool, Contradiction> {
        let mut changed = false;
        while let Some(spill) = self.regs.spill {
            if self.end_of(spill.node) == Some(spill.cursor) {
                self.change(spill.node, self.slot(spill.node), NodeState::Pending, NodeState::Done);
                self.regs.spill = None;
                report.finalised += 1;
                return Ok(true);
            }
            if spill.decrement.is_some() || spill.cursor >= self.regs.edge_head {
                break;
            }
            let child = self.local_edges[self.edge_slot(spill.cursor)];
            let vid = u32::from(child.0);
            if vid <= spill.node {
                return Err(Contradiction(GraphFaultKind::EdgeOrder, spill.node));
            }
            if self.is_resident(vid) {
                self.decrement(vid, report)?;
            } else if self.pub_free() > 0 {
                self.append(child, report);
            } else if self.is_landed(vid) {
                let place = self.nib_slot(vid);
                let node = &mut self.insertions[place];
                *node = node.with_parent_done().ok_or(Contradiction(GraphFaultKind::ParentUnderflow, vid))?;
            } else if self.regs.nodes_in_flight.is_some() {
                break;
            } else {
                self.regs.spill = Some(Spill { decrement: Some(Decrement { node: child, tag: None }), ..spill });
                break;
            }
            self.edge_applied(report);
            changed = true;
        }
        Ok(changed)
    }

    /// One more edge of the spilling node counts as applied.
    pub(super) fn edge_applied(&mut self, report: &mut Report) {
        if let Some(spill) = &mut self.regs.spill {
            spill.cursor += 1;
            spill.decrement = None;
            let tail_edge = self.regs.tail_edge;
            self.regs.tail_edge = spill.cursor;
            self.drop_edges(tail_edge, self.regs.tail_edge);
            report.updates += 1;
        }
    }

    /// dats-S4: finalises the oldest pending node whose updates all have a place.
    #[inline(never)]
    fn finalise_oldest(&mut self, report: &mut Report) -> Result<bool, Contradiction> {
        let mut pending = self.sets.first(NodeSet::Pending);
        while let Some(vid) = pending {
            if let Some(edges) = self.edges_of(vid).filter(|edges| self.may_finalise(vid, edges)) {
                self.finalise(vid, edges, report)?;
                self.change(vid, self.slot(vid), NodeState::Pending, NodeState::Done);
                return Ok(true);
            }
            pending = self.sets.behind(NodeSet::Pending, vid);
        }
        Ok(false)
    }

    /// Whether a pending node is not spilling, has its edges on chip, is not oversize, and finds room for its updates.
    #[inline]
    fn may_finalise(&self, vid: u32, edges: &Range<u32>) -> bool {
        let is_spilling = self.regs.spill.is_some_and(|spill| spill.node == vid);
        let has_edges = edges.is_empty() || edges.end <= self.regs.edge_head;
        let count = edges.end - edges.start;
        !is_spilling && has_edges && count <= self.config.lea && {
            let free = self.pub_free();
            count <= free || self.outside(edges.clone()) <= free
        }
    }

    /// dats-F1, dats-F2: the children of a node know that it is done. The caller changes its state (dats-F3).
    #[inline]
    fn finalise(&mut self, vid: u32, edges: Range<u32>, report: &mut Report) -> Result<(), Contradiction> {
        let mut slot = self.edge_slot(edges.start);
        report.updates += edges.end - edges.start;
        for _ in edges {
            let child = self.local_edges[slot];
            slot = self.next_edge_slot(slot);
            if u32::from(child.0) <= vid {
                return Err(Contradiction(GraphFaultKind::EdgeOrder, vid));
            }
            if u32::from(child.0) < self.regs.head {
                self.decrement(child.0.into(), report)?;
            } else {
                self.append(child, report);
            }
        }
        report.finalised += 1;
        Ok(())
    }

    /// dats-F2: a resident node has one parent less.
    #[inline]
    fn decrement(&mut self, vid: u32, report: &mut Report) -> Result<(), Contradiction> {
        let slot = self.slot(vid);
        let node = &mut self.local_nodes[slot];
        let left = node.parents.checked_sub(1).filter(|_| node.state == NodeState::Waiting);
        node.parents = left.ok_or(Contradiction(GraphFaultKind::ParentUnderflow, vid))?;
        if node.parents == 0 {
            node.state = NodeState::Ready;
            self.sets.insert(NodeSet::Ready, vid, slot.0);
            report.readied += 1;
        }
        Ok(())
    }

    /// Puts an update into the PUB; the caller has made sure that there is room.
    fn append(&mut self, child: NodeId, report: &mut Report) {
        self.pending_updates[PubSlot(self.pub_len)] = child;
        self.pub_len += 1;
        report.pub_in += 1;
        let stats = &mut self.regs.stats;
        stats.pub_max = stats.pub_max.max(self.pub_len);
    }

    /// dats-S5: what becomes of a pending tail that cannot be finalised. Whether a spill of it has begun.
    #[inline(never)]
    fn start_spill(&mut self) -> bool {
        let tail = self.regs.tail;
        if self.regs.spill.is_some() || self.end_of(tail).is_none() {
            return false;
        }
        let is_oversize = self.is_oversize(tail);
        if is_oversize || (self.is_stuck() && self.config.spill) {
            self.regs.spill = Some(Spill { node: tail, cursor: self.node(tail).start, decrement: None });
            return true;
        }
        if self.is_stuck() {
            self.regs.deadlock = Some(tail);
        }
        false
    }
}
