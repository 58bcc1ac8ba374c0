//! The image of the dependency-graph buffer: what is in it, and what its parts must agree on. The form is described in `image.rs` of
//! the crate.
//!
//! Registers, then the rows of the window in the order of the graph. What a graph's memory may get wrong is not checked again: the
//! buffer meets it as it would have before.

use crate::base::image::{Form, ImageError, Reader, Writer, own_image_verbs, possible};
use crate::base::table::Rows;
use crate::dats::Dgb;
use crate::dats::answer::NodeFlaw;
use crate::dats::buffer::{Buffer, Fetch, Phase, Registers, Spill};
use crate::dats::config::DgbConfig;
use crate::dats::graph::{Node, NodeId};
use crate::dats::slots::NodeSet;
use crate::dats::tables::{TableSet, TableSizes, Tables};
use crate::dats::window::{LocalNode, NodeState, PubSlot};

const FORM: Form = Form { kind: 4, version: 1 };

own_image_verbs!(Dgb, DgbConfig, dgb_image_config);

impl<T: Tables> Dgb<T> {
    fn write_image(&self, w: &mut Writer<'_>) {
        w.put(self.config());
        self.save_state(w);
    }

    fn read_image(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        self.load_state(r)
    }
}

impl<N, E, P, I, W> Buffer<N, E, P, I, W>
where
    N: Rows<LocalNode>,
    E: Rows<NodeId>,
    P: Rows<NodeId>,
    I: Rows<Node>,
    W: Rows<u64>,
{
    pub(crate) fn save_state(&self, w: &mut Writer<'_>) {
        let Self {
            config: _,
            rings: _,
            local_nodes: _,
            local_edges: _,
            pending_updates: _,
            pub_len: _,
            insertions: _,
            // The states of the nodes say which sets they are in.
            sets: _,
            phase,
            regs,
            next_smx,
            next_tag,
        } = self;
        w.put((next_smx, next_tag, phase));
        if *phase == Phase::Idle {
            return;
        }
        w.put(regs);
        w.list(self.resident().map(|(_, node)| node));
        w.list(self.resident_edges().map(|(_, target)| target));
        w.list(self.pending_updates());
        w.list(self.landed().map(|(_, node)| node));
    }

    /// Loads the state into a fresh buffer.
    pub(crate) fn load_state(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        (self.next_smx, self.next_tag, self.phase) = r.get()?;
        possible(u32::from(self.next_smx.0) < self.config.smxs)?;
        if self.phase == Phase::Idle {
            return Ok(());
        }
        self.regs = r.get()?;
        self.check_registers()?;
        self.load_nodes(r)?;
        self.load_edges(r)?;
        self.load_updates(r)?;
        self.load_landed(r)?;
        match self.phase {
            Phase::Running => self.check_running(),
            _ => Ok(()),
        }
    }

    /// dats-Q1, and what holds of the registers of each phase.
    fn check_registers(&self) -> Result<(), ImageError> {
        let config = &self.config;
        let Registers { kdei: _, graph, tail, head, fetched, tail_edge, edge_head, executing, stats, .. } = self.regs;
        possible(graph.v > 0 && graph.check(config).is_ok())?;
        possible(tail <= head && head <= fetched && fetched <= graph.v)?;
        possible(head - tail <= config.lna && fetched - head <= config.chunk_nodes())?;
        possible(tail_edge <= edge_head && edge_head <= graph.e && edge_head - tail_edge <= config.lea)?;
        possible(executing <= graph.v && stats.dispatched <= graph.v && stats.pub_max <= config.pub_entries)?;
        possible(stats.edge_requests <= graph.e && stats.spills <= graph.e)?;
        let rest = Registers { executing, stats, kdei: self.regs.kdei, graph, ..Registers::default() };
        match self.phase {
            Phase::Idle => Ok(()),
            Phase::Running => possible(tail < graph.v),
            Phase::Finished => {
                possible(tail == graph.v && tail_edge == graph.e && executing == 0 && stats.dispatched == graph.v)?;
                let landed = self.regs.landed;
                let end = Registers { tail, head, fetched, tail_edge, edge_head, landed, ..rest };
                possible(self.regs == end)
            }
            Phase::Faulted { node, .. } => possible(u32::from(node.0) < graph.v && self.regs == rest),
        }
    }

    /// Resident nodes. Only a node that waits has parents, and only the tail can have been passed by nothing.
    fn load_nodes(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let mut vid = self.regs.tail;
        while let Some(node) = r.next::<LocalNode>()? {
            possible(vid < self.regs.head)?;
            possible((node.state == NodeState::Waiting) == (node.parents > 0))?;
            let slot = self.slot(vid);
            self.local_nodes[slot] = LocalNode { state: NodeState::Waiting, ..node };
            self.change(vid, slot, NodeState::Waiting, node.state);
            vid += 1;
        }
        possible(vid == self.regs.head)
    }

    fn load_edges(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let mut edge = self.regs.tail_edge;
        while let Some(target) = r.next::<NodeId>()? {
            possible(edge < self.regs.edge_head && target.0 > 0 && u32::from(target.0) < self.regs.graph.v)?;
            let slot = self.edge_slot(edge);
            self.local_edges[slot] = target;
            edge += 1;
        }
        possible(edge == self.regs.edge_head)
    }

    /// dats-Q3.
    fn load_updates(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let Registers { head, graph, stats, .. } = self.regs;
        while let Some(child) = r.next::<NodeId>()? {
            let vid = u32::from(child.0);
            possible(self.pub_len < self.config.pub_entries && vid >= head && vid < graph.v)?;
            self.pending_updates[PubSlot(self.pub_len)] = child;
            self.pub_len += 1;
        }
        possible(self.pub_len <= stats.pub_max)
    }

    fn load_landed(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let Registers { head, fetched, .. } = self.regs;
        let chunk = self.config.chunk_nodes();
        // What waits is the rest of one chunk.
        possible(fetched == head || head.checked_div(chunk) == (fetched - 1).checked_div(chunk))?;
        let mut vid = head;
        while let Some(node) = r.next::<Node>()? {
            possible(vid < fetched)?;
            let slot = self.nib_slot(vid);
            self.insertions[slot] = node;
            vid += 1;
        }
        possible(vid == fetched)
    }

    /// What a window that is running must agree on: dats-N1 for what is on chip, the sets, the requests, a spill, a deadlock.
    fn check_running(&self) -> Result<(), ImageError> {
        let Registers { tail, head, fetched, tail_edge, landed, executing, stats, .. } = self.regs;
        let chunk = self.config.chunk_nodes();
        possible(fetched == self.regs.graph.v || fetched.is_multiple_of(chunk))?;
        let on_chip = (tail..fetched).map(|vid| self.entry(vid));
        possible(self.check_entries(tail, on_chip).is_ok())?;
        possible(fetched == 0 || self.is_landed_last(landed))?;
        let count = |state| self.resident().filter(|(_, node)| node.state == state).count() as u32;
        let (in_execution, pending, done) =
            (count(NodeState::Executing), count(NodeState::Pending), count(NodeState::Done));
        possible(executing == in_execution && stats.dispatched == tail + in_execution + pending + done)?;
        if tail < head {
            let node = self.node(tail);
            possible(!matches!(node.state, NodeState::Waiting | NodeState::Done))?;
            possible(self.regs.spill.is_some() || node.start == tail_edge)?;
        }
        self.check_requests()?;
        self.check_spill()?;
        let Some(deadlock) = self.regs.deadlock else { return Ok(()) };
        possible(deadlock == tail && !self.config.spill && self.is_pending_tail() && self.is_stuck())
    }

    /// A node on chip as it lay in memory, but for its parents.
    fn entry(&self, vid: u32) -> Node {
        if self.is_resident(vid) {
            let LocalNode { is_childless, level, start, .. } = *self.node(vid);
            Node::new(start, is_childless, u16::from(level > 0), level)
        } else {
            self.insertions[self.nib_slot(vid)]
        }
    }

    /// dats-N1 of nodes that follow each other. What lay before the window is gone; anything that fits may have.
    fn check_entries(&self, first: u32, entries: impl Iterator<Item = Node>) -> Result<(), NodeFlaw> {
        let mut before = None;
        for (vid, node) in (first..).zip(entries) {
            let gone = (first > 0).then(|| Node::new(node.start(), true, 0, node.level()));
            self.check_node(vid, before.or(gone), node).map_err(|(_, flaw)| flaw)?;
            before = Some(node);
        }
        Ok(())
    }

    /// Whether the register of the last landed node is about it.
    fn is_landed_last(&self, landed: Node) -> bool {
        let Registers { tail, fetched, .. } = self.regs;
        let Some(last) = fetched.checked_sub(1).filter(|&last| last >= tail) else {
            return landed.start() <= self.regs.tail_edge;
        };
        let entry = self.entry(last);
        (landed.start(), landed.is_childless(), landed.level()) == (entry.start(), entry.is_childless(), entry.level())
    }

    /// dats-M1 to M4: what can be in flight.
    fn check_requests(&self) -> Result<(), ImageError> {
        let Registers { head, fetched, graph, tail_edge, edge_head, nodes_in_flight, edges_in_flight, stats, .. } =
            self.regs;
        let chunk = self.config.chunk_nodes();
        if let Some(Fetch { count, .. }) = nodes_in_flight {
            possible(head == fetched && fetched < graph.v && count == chunk.min(graph.v - fetched))?;
        }
        let asked = fetched.div_ceil(chunk.max(1)) + u32::from(nodes_in_flight.is_some());
        possible(stats.node_requests == asked)?;
        if let Some(Fetch { count, .. }) = edges_in_flight {
            let chunk = self.config.chunk_edges();
            let of_chunk = chunk - edge_head.checked_rem(chunk).unwrap_or(0);
            possible(count > 0 && count <= of_chunk && count <= graph.e - edge_head)?;
            possible(edge_head + count - tail_edge <= self.config.lea)?;
        }
        // Each request for edges brings one, each decrement passes one.
        let decrement = self.regs.spill.and_then(|spill| spill.decrement?.tag);
        possible(stats.edge_requests <= edge_head + u32::from(edges_in_flight.is_some()))?;
        possible(stats.spills <= tail_edge + u32::from(decrement.is_some()))
    }

    /// dats-S3.
    fn check_spill(&self) -> Result<(), ImageError> {
        let Registers { tail, tail_edge, edge_head, spill, nodes_in_flight, .. } = self.regs;
        let Some(Spill { node, cursor, decrement }) = spill else { return Ok(()) };
        possible(self.config.spill && node == tail && self.is_pending_tail() && cursor == tail_edge)?;
        let end = self.end_of(tail).ok_or(ImageError::Content)?;
        possible(self.node(tail).start <= cursor && cursor < end)?;
        let Some(decrement) = decrement else { return Ok(()) };
        let vid = u32::from(decrement.node.0);
        possible(nodes_in_flight.is_none() && cursor < edge_head && !self.is_resident(vid) && !self.is_landed(vid))?;
        possible(vid > tail && self.local_edges[self.edge_slot(cursor)] == decrement.node)
    }

    fn is_pending_tail(&self) -> bool {
        let tail = self.regs.tail;
        self.sets.first(NodeSet::Pending) == Some(tail)
    }
}
