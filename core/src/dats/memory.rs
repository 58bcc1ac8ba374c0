//! What goes between the buffer and memory: its requests, and their answers (`dats`, sections M, N, E and P).

use crate::base::table::Rows;
use crate::dats::answer::{GraphError, NodeFlaw, Report, Request};
use crate::dats::buffer::{Buffer, Decrement, Fetch, Phase};
use crate::dats::graph::{GraphHeader, Node, NodeId};
use crate::dats::window::LocalNode;

impl<N, E, P, I, W> Buffer<N, E, P, I, W>
where
    N: Rows<LocalNode>,
    E: Rows<NodeId>,
    P: Rows<NodeId>,
    I: Rows<Node>,
    W: Rows<u64>,
{
    /// The next memory request, if one is due (dats-M1 to M4). At most one of each kind is in flight.
    ///
    /// # Errors
    /// `GraphFault`.
    pub fn poll(&mut self) -> Result<Option<Request>, GraphError> {
        self.check_fault()?;
        if self.phase != Phase::Running {
            return Ok(None);
        }
        let tag = self.next_tag;
        let request = self.due_request(tag);
        let r = &mut self.regs;
        match request {
            None => return Ok(None),
            Some(Request::Decrement { .. }) => {
                if let Some(decrement) = r.spill.as_mut().and_then(|spill| spill.decrement.as_mut()) {
                    decrement.tag = Some(tag);
                }
                r.stats.spills += 1;
            }
            Some(Request::Edges { count, .. }) => {
                r.edges_in_flight = Some(Fetch { tag, count });
                r.stats.edge_requests += 1;
            }
            Some(Request::Nodes { count, .. }) => {
                r.nodes_in_flight = Some(Fetch { tag, count });
                r.stats.node_requests += 1;
            }
        }
        self.next_tag = tag.wrapping_add(1);
        Ok(request)
    }

    /// The request that is due, under this tag (dats-M1 to M4).
    pub(super) fn due_request(&self, tag: u32) -> Option<Request> {
        let r = &self.regs;
        if let Some(Decrement { node, tag: None }) = r.spill.and_then(|spill| spill.decrement) {
            return Some(Request::Decrement { tag, node, addr: self.node_address(node.0.into()) });
        }
        let (first, room) = (r.edge_head, r.tail_edge + self.config.lea);
        if r.edges_in_flight.is_none() && first < self.edge_need().min(room) {
            let chunk = self.config.chunk_edges();
            let of_chunk = chunk - first.checked_rem(chunk).unwrap_or(0);
            let count = (first + of_chunk).min(r.graph.e).min(room) - first;
            let addr = r.graph.edge_base.wrapping_add(2 * u64::from(first));
            return Some(Request::Edges { tag, first, count, addr });
        }
        let first = r.fetched;
        self.wants_nodes().then(|| {
            let count = self.config.chunk_nodes().min(r.graph.v - first);
            Request::Nodes { tag, first, count, addr: self.node_address(first) }
        })
    }

    fn node_address(&self, vid: u32) -> u64 {
        self.regs.graph.node_base.wrapping_add(8 * u64::from(vid))
    }

    /// A chunk of nodes lands (dats-N1, dats-N2).
    ///
    /// # Errors
    /// `GraphFault`, `StaleTag`, `BadLength`, `BadGraph`. After all but the first the request is still in flight (dats-H13).
    pub fn nodes(&mut self, tag: u32, entries: &[Node]) -> Result<Report, GraphError> {
        self.check_fault()?;
        answered(self.regs.nodes_in_flight, tag, entries.len())?;
        self.check_nodes(entries)?;
        let mut vid = self.regs.fetched;
        for &entry in entries {
            let slot = self.nib_slot(vid);
            self.insertions[slot] = entry;
            self.regs.landed = entry;
            vid += 1;
        }
        self.regs.fetched = vid;
        self.regs.nodes_in_flight = None;
        self.settle(Report::default())
    }

    /// launch2-X2: what a chunk of nodes shows of a graph that two kernels share, the second from node `split` on.
    ///
    /// # Errors
    /// As [`Buffer::nodes`].
    pub(crate) fn check_parts(&self, tag: u32, entries: &[Node], split: u32) -> Result<(), GraphError> {
        self.check_fault()?;
        answered(self.regs.nodes_in_flight, tag, entries.len())?;
        let is_flawed = |&(vid, node): &(u32, &Node)| if vid < split { node.level() > 0 } else { !node.is_childless() };
        match (self.regs.fetched..).zip(entries).find(is_flawed) {
            Some((vid, _)) => Err(GraphError::BadGraph { node: NodeId(vid as u16), what: NodeFlaw::Part }),
            None => Ok(()),
        }
    }

    /// dats-N1: what a chunk of nodes shows of itself.
    fn check_nodes(&self, entries: &[Node]) -> Result<(), GraphError> {
        let first = self.regs.fetched;
        let mut before = (first > 0).then_some(self.regs.landed);
        for (vid, &node) in (first..).zip(entries) {
            let flaw = |(vid, what)| GraphError::BadGraph { node: NodeId(vid as u16), what };
            self.check_node(vid, before, node).map_err(flaw)?;
            before = Some(node);
        }
        Ok(())
    }

    /// dats-N1 for one node and the one before, which is none for the first: which of them is flawed, and how.
    pub(super) fn check_node(&self, vid: u32, before: Option<Node>, node: Node) -> Result<(), (u32, NodeFlaw)> {
        let GraphHeader { v, e, .. } = self.regs.graph;
        let (start, level, is_last) = (node.start(), node.level(), vid + 1 == v);
        let (least, most) = before.map_or((0, 0), |before| (before.start(), e));
        if start < least || start > most || (is_last && start != e) {
            return Err((vid, NodeFlaw::EdgeStart));
        }
        if before.is_some_and(|before| before.is_childless() != (before.start() == start)) {
            return Err((vid - 1, NodeFlaw::Childless));
        }
        if is_last && !node.is_childless() {
            return Err((vid, NodeFlaw::Childless));
        }
        if !self.config.spill && start - least > self.config.lea {
            return Err((vid - 1, NodeFlaw::Oversize));
        }
        let (lowest, highest) = before.map_or((0, 0), |before| (before.level(), before.level().saturating_add(1)));
        if level < lowest || level > highest {
            return Err((vid, NodeFlaw::Level));
        }
        let has_parents = node.parents() > 0;
        if (level == 0 && has_parents) || (!self.config.spill && level > 0 && !has_parents) {
            return Err((vid, NodeFlaw::Parents));
        }
        Ok(())
    }

    /// Edges arrive (dats-E1, dats-E2).
    ///
    /// # Errors
    /// `GraphFault`, `StaleTag`, `BadLength`, `BadEdge`. After all but the first the request is still in flight (dats-H13).
    pub fn edges(&mut self, tag: u32, targets: &[NodeId]) -> Result<Report, GraphError> {
        self.check_fault()?;
        answered(self.regs.edges_in_flight, tag, targets.len())?;
        let v = self.regs.graph.v;
        let first = self.regs.edge_head;
        if let Some((edge, _)) = (first..).zip(targets).find(|(_, t)| t.0 == 0 || u32::from(t.0) >= v) {
            return Err(GraphError::BadEdge { edge });
        }
        let mut slot = self.edge_slot(first);
        for &target in targets {
            self.local_edges[slot] = target;
            slot = self.next_edge_slot(slot);
        }
        self.regs.edge_head = first + targets.len() as u32;
        self.regs.edges_in_flight = None;
        self.settle(Report::default())
    }

    /// Memory has subtracted (dats-P1).
    ///
    /// # Errors
    /// `GraphFault`, `StaleTag`.
    pub fn spilled(&mut self, tag: u32) -> Result<Report, GraphError> {
        self.check_fault()?;
        let in_flight = self.regs.spill.and_then(|spill| spill.decrement).and_then(|decrement| decrement.tag);
        if in_flight != Some(tag) {
            return Err(GraphError::StaleTag);
        }
        let mut report = Report::default();
        self.edge_applied(&mut report);
        self.settle(report)
    }
}

/// Whether this answers the request in flight.
fn answered(in_flight: Option<Fetch>, tag: u32, len: usize) -> Result<(), GraphError> {
    match in_flight {
        Some(fetch) if fetch.tag == tag && fetch.count as usize == len => Ok(()),
        Some(fetch) if fetch.tag == tag => Err(GraphError::BadLength),
        _ => Err(GraphError::StaleTag),
    }
}
