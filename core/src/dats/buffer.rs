//! The dependency-graph buffer (DGB): its registers and its verbs (`dats` L, M, N, E, C, P, T, A).

use crate::dats::answer::{Completion, GraphError, GraphFaultKind, NodeFlaw, Report, Request, Selection, Stall};
use crate::dats::config::{DgbConfig, LevelRef};
use crate::dats::graph::{GraphHeader, GraphLaunch, GraphPolicy, MAX_EDGES, MAX_NODES, Node, NodeId};
use crate::dats::slots::{SlotSet, SlotSets};
use crate::dats::window::{EdgeSlot, LocalNode, NibSlot, NodeSlot, NodeState, PubSlot};
use crate::id::{KernelSlot, SmxId};
use crate::set::SmxSet;
use crate::table::{Rows, Table};

/// What the buffer is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Phase {
    /// There is no graph.
    #[default]
    Idle,
    /// A graph runs.
    Running,
    /// The graph is complete.
    Finished,
    /// The graph's memory contradicts itself; only `abort` helps.
    Faulted {
        /// How.
        kind: GraphFaultKind,
        /// Where.
        node: NodeId,
    },
}

/// A request in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Fetch {
    pub(super) tag: u32,
    pub(super) count: u32,
}

/// A node whose edges are applied one at a time, because its updates do not fit (H1) or its edges do not (H2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Spill {
    /// The node: the tail.
    pub(super) node: u32,
    /// Its first edge that was not applied.
    pub(super) cursor: u32,
    /// The update of this edge that goes to memory.
    pub(super) decrement: Option<Decrement>,
}

/// An update that goes to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Decrement {
    pub(super) node: NodeId,
    /// Of the request, once it is in flight.
    pub(super) tag: Option<u32>,
}

/// Statistics of one graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DgbStats {
    /// Nodes dispatched.
    pub dispatched: u32,
    /// Requests for nodes.
    pub node_requests: u32,
    /// Requests for edges.
    pub edge_requests: u32,
    /// Updates that went to memory.
    pub spills: u32,
    /// The most entries that the PUB held.
    pub pub_max: u32,
    /// The greatest distance between the levels of nodes that executed at the same time.
    pub max_level_range: u32,
}

/// The registers. All are 0 or none while there is no graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Registers {
    pub(super) kdei: KernelSlot,
    pub(super) graph: GraphHeader,
    /// The oldest node that is not done.
    pub(super) tail: u32,
    /// The first node that was not inserted.
    pub(super) head: u32,
    /// The first node that has not landed.
    pub(super) fetched: u32,
    /// The first edge that was not applied, in the order of nodes.
    pub(super) tail_edge: u32,
    /// The first edge that is not on chip.
    pub(super) edge_head: u32,
    pub(super) nodes_in_flight: Option<Fetch>,
    pub(super) edges_in_flight: Option<Fetch>,
    pub(super) spill: Option<Spill>,
    /// The node at which the window can never move again.
    pub(super) deadlock: Option<u32>,
    /// The last node that landed.
    pub(super) landed: Node,
    /// Nodes whose TBs run.
    pub(super) executing: u32,
    pub(super) stats: DgbStats,
}

/// The dependency-graph buffer on rows of any home. [`Dgb`](super::Dgb) is this with the tables of one home.
///
/// It has no clock: calls act in their order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Buffer<N, E, P, I, W> {
    pub(super) config: DgbConfig,
    pub(super) local_nodes: Table<NodeSlot, LocalNode, N>,
    pub(super) local_edges: Table<EdgeSlot, NodeId, E>,
    pub(super) pending_updates: Table<PubSlot, NodeId, P>,
    pub(super) pub_len: u32,
    pub(super) insertions: Table<NibSlot, Node, I>,
    pub(super) sets: SlotSets<W>,
    pub(super) phase: Phase,
    pub(super) regs: Registers,
    /// The SMX that is tried first. Goes on from graph to graph (A15).
    pub(super) next_smx: SmxId,
    /// The tag of the next request. Goes on from graph to graph, so that a late answer meets `StaleTag` (H12).
    pub(super) next_tag: u32,
}

impl GraphHeader {
    /// The checks of a launch from `TooManyNodes` on (L1).
    pub(crate) fn check(&self, config: &DgbConfig) -> Result<(), GraphError> {
        if self.v > MAX_NODES {
            return Err(GraphError::TooManyNodes);
        }
        if self.e > MAX_EDGES {
            return Err(GraphError::TooManyEdges);
        }
        let chunk = u64::from(config.chunk_bytes);
        if !self.node_base.is_multiple_of(chunk) || !self.edge_base.is_multiple_of(chunk) {
            return Err(GraphError::Misaligned);
        }
        let ends = |base: u64, bytes: u64| bytes == 0 || base.checked_add(bytes - 1).is_some();
        if ends(self.node_base, 8 * u64::from(self.v)) && ends(self.edge_base, 2 * u64::from(self.e)) {
            Ok(())
        } else {
            Err(GraphError::AddressOverflow)
        }
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
    /// A buffer without a graph, of a checked configuration and on rows that are enough.
    pub(crate) fn empty(config: &DgbConfig, rows: (N, E, P, I, W)) -> Self {
        let (local_nodes, local_edges, pending_updates, insertions, words) = rows;
        Self {
            config: *config,
            local_nodes: Table::new(local_nodes),
            local_edges: Table::new(local_edges),
            pending_updates: Table::new(pending_updates),
            pub_len: 0,
            insertions: Table::new(insertions),
            sets: SlotSets::new(words, config.lna),
            phase: Phase::Idle,
            regs: Registers::default(),
            next_smx: SmxId(0),
            next_tag: 0,
        }
    }

    /// Starts a graph (L).
    ///
    /// # Errors
    /// `GraphFault`, `Busy`, `EmptyGraph`, `TooManyNodes`, `TooManyEdges`, `Misaligned`, `AddressOverflow`.
    pub fn launch(&mut self, launch: &GraphLaunch) -> Result<(), GraphError> {
        self.check_fault()?;
        if self.phase == Phase::Running {
            return Err(GraphError::Busy);
        }
        if launch.graph.v == 0 {
            return Err(GraphError::EmptyGraph);
        }
        launch.graph.check(&self.config)?;
        self.regs = Registers { kdei: launch.kdei, graph: launch.graph, ..Registers::default() };
        self.phase = Phase::Running;
        Ok(())
    }

    /// The next memory request, if one is due (M). At most one of each kind is in flight.
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

    /// The request that is due, under this tag (M1 to M4).
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

    /// A chunk of nodes lands (N).
    ///
    /// # Errors
    /// `GraphFault`, `StaleTag`, `BadLength`, `BadGraph`. After all but the first the request is still in flight (H13).
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

    /// N1: what a chunk of nodes shows of itself.
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

    /// N1 for one node and the one before, which is none for the first: which of them is flawed, and how.
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

    /// Edges arrive (E).
    ///
    /// # Errors
    /// `GraphFault`, `StaleTag`, `BadLength`, `BadEdge`. After all but the first the request is still in flight (H13).
    pub fn edges(&mut self, tag: u32, targets: &[NodeId]) -> Result<Report, GraphError> {
        self.check_fault()?;
        answered(self.regs.edges_in_flight, tag, targets.len())?;
        let v = self.regs.graph.v;
        let first = self.regs.edge_head;
        if let Some((edge, _)) = (first..).zip(targets).find(|(_, t)| t.0 == 0 || u32::from(t.0) >= v) {
            return Err(GraphError::BadEdge { edge });
        }
        let mut slot = self.edge_slot(first).0;
        for &target in targets {
            self.local_edges[EdgeSlot(slot)] = target;
            slot = if slot + 1 == self.config.lea { 0 } else { slot + 1 };
        }
        self.regs.edge_head = first + targets.len() as u32;
        self.regs.edges_in_flight = None;
        self.settle(Report::default())
    }

    /// Memory has subtracted (P).
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

    /// Dispatches the next node to one of the SMXs that have room for it, or says why not (T). The hardware issues one TB per
    /// cycle, so a host calls this once per cycle.
    ///
    /// # Errors
    /// `GraphFault`, `NotLaunched`, `BadSmx`.
    #[inline]
    pub fn select(&mut self, fits: &SmxSet) -> Result<Selection, GraphError> {
        self.check_fault()?;
        if self.phase == Phase::Idle {
            return Err(GraphError::NotLaunched);
        }
        if let Some(smx) = fits.at_or_above(self.config.smxs as usize) {
            return Err(GraphError::BadSmx { smx });
        }
        if self.phase == Phase::Finished {
            return Ok(Selection::Finished);
        }
        let vid = match self.candidate() {
            Ok(vid) => vid,
            Err(stall) => return Ok(Selection::Stall(stall)),
        };
        let Some(smx) = fits.first_from(self.next_smx, fits, &SmxSet::EMPTY) else {
            return Ok(Selection::Stall(Stall::NoSmx));
        };
        self.next_smx = if u32::from(smx.0) + 1 == self.config.smxs { SmxId(0) } else { SmxId(smx.0 + 1) };
        self.set_state(vid, NodeState::Executing);
        let r = &mut self.regs;
        r.executing += 1;
        r.stats.dispatched += 1;
        if let Some((low, high)) = self.executing_levels() {
            self.regs.stats.max_level_range = self.regs.stats.max_level_range.max(u32::from(high - low));
        }
        Ok(Selection::Dispatch { kdei: self.regs.kdei, node: NodeId(vid as u16), smx })
    }

    /// The node that [`Buffer::select`] would dispatch to any SMX, while a graph runs (T2, T3).
    #[inline]
    pub(super) fn candidate(&self) -> Result<u32, Stall> {
        let or_deadlock = |stall| if self.regs.deadlock.is_some() { Stall::Deadlock } else { stall };
        let mut from = self.regs.tail;
        let mut found = None;
        let mut any_ready = false;
        while let Some(vid) = self.first_of(SlotSet::Ready, from) {
            any_ready = true;
            let has_what_it_needs = !self.config.issue_needs_edges || self.has_edges(vid) || self.is_oversize(vid);
            if self.end_of(vid).is_some() && has_what_it_needs {
                found = Some(vid);
                break;
            }
            from = vid + 1;
        }
        let Some(vid) = found else {
            return Err(or_deadlock(if any_ready { Stall::Head } else { Stall::NoReady }));
        };
        if let GraphPolicy::Lvl { bound } = self.regs.graph.policy {
            let level = self.node(vid).level;
            let (low, high) = match self.config.level_ref {
                LevelRef::Incomplete => (self.node(self.regs.tail).level, level),
                LevelRef::Active => self.executing_levels().unwrap_or((level, level)),
            };
            if high.max(level) - low.min(level) > bound {
                return Err(or_deadlock(Stall::LevelBound));
            }
        }
        Ok(vid)
    }

    /// The lowest and the highest level of the nodes that execute. Levels rise with VIDs.
    #[inline]
    fn executing_levels(&self) -> Option<(u16, u16)> {
        let low = self.first_of(SlotSet::Executing, self.regs.tail)?;
        let high = self.last_of(SlotSet::Executing)?;
        Some((self.node(low).level, self.node(high).level))
    }

    /// The TB of a node has ended (C). It has left its SMX, whether or not the node can be finalised now (H4).
    ///
    /// # Errors
    /// `GraphFault`, `NotLaunched`, `NotRunning`.
    #[inline]
    pub fn complete(&mut self, node: NodeId) -> Result<Completion, GraphError> {
        self.check_fault()?;
        if self.phase != Phase::Running {
            return Err(GraphError::NotLaunched);
        }
        let vid = u32::from(node.0);
        if !self.is_resident(vid) || self.node(vid).state != NodeState::Executing {
            return Err(GraphError::NotRunning { node });
        }
        self.set_state(vid, NodeState::Pending);
        self.regs.executing -= 1;
        let report = self.settle(Report::default())?;
        Ok(Completion { report, pending: self.pending(vid) })
    }

    /// Gives the graph up, in any state: a fault is cleared, late answers meet `StaleTag` (A). How many of its TBs still run; the
    /// host has to reap them.
    pub fn abort(&mut self) -> u32 {
        let executing = self.regs.executing;
        self.clear();
        executing
    }

    /// `GraphFault` from the event that met it to the abort.
    #[inline]
    pub(super) fn check_fault(&self) -> Result<(), GraphError> {
        match self.phase {
            Phase::Faulted { kind, node } => Err(GraphError::GraphFault { kind, node }),
            _ => Ok(()),
        }
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
