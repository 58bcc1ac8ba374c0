//! What holds of the dependency-graph buffer between two calls, whatever its graph's memory says.

use crate::base::id::Id;
use crate::base::invariant::{Violation, invariant};
use crate::base::table::{Rows, Table};
use crate::dats::answer::NodeFlaw;
use crate::dats::buffer::{Buffer, Fetch, Phase, Registers, Spill};
use crate::dats::graph::{Node, NodeId};
use crate::dats::slots::NodeSet;
use crate::dats::window::{LocalNode, NodeState, set_of};

/// Whether all rows are empty but `len` in a ring of `size`, from `from` on.
fn is_ring<I: Id, R: Default + PartialEq, S: Rows<R>>(rows: &Table<I, R, S>, size: u32, from: u32, len: u32) -> bool {
    let first = from.checked_rem(size).unwrap_or(0) as usize;
    let (size, empty) = (size as usize, R::default());
    let place = |i: usize| if i < first { i + size - first } else { i - first };
    rows.iter().all(|(id, row)| *row == empty || (id.index() < size && place(id.index()) < len as usize))
}

impl<N, E, P, I, W> Buffer<N, E, P, I, W>
where
    N: Rows<LocalNode>,
    E: Rows<NodeId>,
    P: Rows<NodeId>,
    I: Rows<Node>,
    W: Rows<u64>,
{
    /// What holds between any two calls: dats-Q1 to Q3, dats-Q6, dats-Q7, dats-Q9 to Q13, and dats-N1 of what is on chip; of a graph that contradicted
    /// itself, that nothing is left of it.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        self.validate_registers()?;
        self.validate_window()?;
        self.validate_sets()?;
        match self.phase {
            Phase::Running => self.validate_running(),
            _ => Ok(()),
        }
    }

    /// dats-Q1, and what holds of the registers of each phase.
    pub(super) fn validate_registers(&self) -> Result<(), Violation> {
        let config = &self.config;
        let Registers { kde, graph, tail, head, fetched, tail_edge, edge_head, executing, stats, landed, .. } =
            self.regs;
        invariant("the SMX that is tried first is there (dats-A15)", u32::from(self.next_smx.0) < config.smxs)?;
        if self.phase == Phase::Idle {
            return invariant("without a graph there is nothing (dats-X1)", self.regs == Registers::default());
        }
        invariant("the graph could be launched (dats-L1)", graph.v > 0 && graph.check(config).is_ok())?;
        let in_order = tail <= head && head <= fetched && fetched <= graph.v;
        let fits = in_order && head - tail <= config.lna && fetched - head <= config.chunk_nodes();
        invariant("the window has room for its nodes (dats-Q1)", fits)?;
        let fits = tail_edge <= edge_head && edge_head <= graph.e && edge_head - tail_edge <= config.lea;
        invariant("the window has room for its edges (dats-Q1)", fits)?;
        let counted = executing <= graph.v && stats.dispatched <= graph.v && stats.pub_max <= config.pub_entries;
        let asked = stats.edge_requests <= graph.e && stats.spills <= graph.e;
        invariant("nothing is counted more often than it is there", counted && asked)?;
        let rest = Registers { executing, stats, kde, graph, ..Registers::default() };
        match self.phase {
            Phase::Idle => Ok(()),
            Phase::Running => invariant("a graph runs until it is finished (dats-Q9)", tail < graph.v),
            Phase::Finished => {
                let done = tail == graph.v && tail_edge == graph.e && executing == 0 && stats.dispatched == graph.v;
                let end = Registers { tail, head, fetched, tail_edge, edge_head, landed, ..rest };
                invariant("of a finished graph all is done, and nothing left (dats-Q9)", done && self.regs == end)
            }
            Phase::Faulted { node, .. } => {
                let is_left = u32::from(node.0) < graph.v && self.regs == rest;
                invariant("of a faulted graph nothing is left but what runs (dats-X1)", is_left)
            }
        }
    }

    /// Nodes, edges, updates and landed nodes are where they belong, and nothing is elsewhere.
    fn validate_window(&self) -> Result<(), Violation> {
        let Self { config, local_nodes, local_edges, pending_updates, pub_len, insertions, .. } = self;
        let Registers { tail, head, fetched, tail_edge, edge_head, graph, stats, .. } = self.regs;
        let nodes = is_ring(local_nodes, config.lna, tail, head - tail);
        invariant("places of the window without a node are empty (dats-Q1)", nodes)?;
        // Only a node that waits has parents.
        let waits = (tail..head).map(|vid| self.node(vid)).all(|n| (n.state == NodeState::Waiting) == (n.parents > 0));
        invariant("a node waits as long as it has parents (dats-Q4)", waits)?;
        let edges = is_ring(local_edges, config.lea, tail_edge, edge_head - tail_edge);
        invariant("places of the window without an edge are empty (dats-Q2)", edges)?;
        let targets = (tail_edge..edge_head).map(|edge| u32::from(local_edges[self.edge_slot(edge)].0));
        invariant(
            "edges lead to nodes that have parents (dats-Q2)",
            targets.into_iter().all(|t| t > 0 && t < graph.v),
        )?;
        let updates = pending_updates.iter().take(*pub_len as usize).map(|(_, child)| u32::from(child.0));
        let fit =
            *pub_len <= config.pub_entries && pending_updates.ends_by(*pub_len as usize) && *pub_len <= stats.pub_max;
        invariant("the PUB has room for its updates (dats-Q3)", fit)?;
        invariant(
            "updates are of nodes not in the window (dats-Q3)",
            updates.into_iter().all(|c| c >= head && c < graph.v),
        )?;
        let chunk = config.chunk_nodes();
        // What waits is the rest of one chunk.
        let is_rest = fetched == head || head.checked_div(chunk) == (fetched - 1).checked_div(chunk);
        let landed = is_rest && is_ring(insertions, chunk, head, fetched - head);
        invariant("what has landed is the rest of one chunk (dats-M1)", landed)
    }

    fn validate_sets(&self) -> Result<(), Violation> {
        let Registers { tail, head, .. } = self.regs;
        for set in [NodeSet::Ready, NodeSet::Executing, NodeSet::Pending] {
            let mut members = (tail..head).filter(|&vid| set_of(self.node(vid).state) == Some(set));
            let bounds =
                (self.sets.first(set), self.sets.last(set)) == (members.clone().next(), members.clone().last());
            let holds = self.sets.len(set) == members.clone().count() as u32;
            let is_member = members.all(|vid| self.sets.has(set, self.slot(vid).0));
            invariant("a set holds the nodes of its state, from its first to its last", bounds && holds && is_member)?;
        }
        Ok(())
    }

    /// What a window that is running must agree on: dats-N1 for what is on chip, the sets, the requests, a spill, a deadlock.
    fn validate_running(&self) -> Result<(), Violation> {
        let Registers { tail, head, fetched, tail_edge, landed, executing, stats, graph, .. } = self.regs;
        let chunk = self.config.chunk_nodes();
        invariant("nodes land by whole chunks (dats-M1)", fetched == graph.v || fetched.is_multiple_of(chunk))?;
        let on_chip = (tail..fetched).map(|vid| self.entry(vid));
        invariant("nodes on chip fit each other (dats-N1)", self.check_entries(tail, on_chip).is_ok())?;
        invariant("the last node that landed is known", fetched == 0 || self.is_landed_last(landed))?;
        let count = |state| (tail..head).filter(|&vid| self.node(vid).state == state).count() as u32;
        let [in_execution, pending, done] = [NodeState::Executing, NodeState::Pending, NodeState::Done].map(count);
        let counted = executing == in_execution && stats.dispatched == tail + in_execution + pending + done;
        invariant("what was dispatched is counted (dats-Q5)", counted)?;
        if tail < head {
            let node = self.node(tail);
            let is_open = !matches!(node.state, NodeState::Waiting | NodeState::Done);
            invariant("the tail has no parents, and is not done (dats-Q6, dats-Q7)", is_open)?;
            let begins = self.regs.spill.is_some() || node.start == tail_edge;
            invariant("the edges begin with those of the tail (dats-Q2)", begins)?;
        }
        self.validate_requests()?;
        self.validate_spill()?;
        let is_dead = |at| at == tail && !self.config.spill && self.is_pending_tail() && self.is_stuck();
        invariant(
            "a deadlock is that of the tail, without spill (dats-Q10, dats-Q11)",
            self.regs.deadlock.is_none_or(is_dead),
        )
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
    fn validate_requests(&self) -> Result<(), Violation> {
        let Registers { head, fetched, graph, tail_edge, edge_head, nodes_in_flight, edges_in_flight, stats, .. } =
            self.regs;
        let chunk = self.config.chunk_nodes();
        let is_next =
            |Fetch { count, .. }: Fetch| head == fetched && fetched < graph.v && count == chunk.min(graph.v - fetched);
        invariant("nodes are asked for by chunks (dats-M1)", nodes_in_flight.is_none_or(is_next))?;
        let asked = fetched.div_ceil(chunk.max(1)) + u32::from(nodes_in_flight.is_some());
        invariant("requests for nodes are counted (dats-Q13)", stats.node_requests == asked)?;
        let chunk = self.config.chunk_edges();
        let is_next = |Fetch { count, .. }: Fetch| {
            let of_chunk = chunk - edge_head.checked_rem(chunk).unwrap_or(0);
            count > 0
                && count <= of_chunk
                && count <= graph.e - edge_head
                && edge_head + count - tail_edge <= self.config.lea
        };
        invariant("edges are asked for within a chunk, and find room (dats-M2)", edges_in_flight.is_none_or(is_next))?;
        // Each request for edges brings one, each decrement passes one.
        let decrement = self.regs.spill.and_then(|spill| spill.decrement?.tag);
        let counted = stats.edge_requests <= edge_head + u32::from(edges_in_flight.is_some())
            && stats.spills <= tail_edge + u32::from(decrement.is_some());
        invariant("requests for edges and updates are counted (dats-M2, dats-S3)", counted)
    }

    /// dats-S3.
    fn validate_spill(&self) -> Result<(), Violation> {
        let Registers { tail, tail_edge, edge_head, spill, nodes_in_flight, .. } = self.regs;
        let Some(Spill { node, cursor, decrement }) = spill else { return Ok(()) };
        let is_tail = self.config.spill && node == tail && self.is_pending_tail() && cursor == tail_edge;
        invariant("nothing but the tail spills, with leave (dats-S3, dats-Q12)", is_tail)?;
        let within = self.end_of(tail).is_some_and(|end| self.node(tail).start <= cursor && cursor < end);
        invariant("a spill goes through the edges of its node (dats-S3)", within)?;
        let Some(decrement) = decrement else { return Ok(()) };
        let vid = u32::from(decrement.node.0);
        let is_outside = vid > tail && !self.is_resident(vid) && !self.is_landed(vid);
        let is_next = nodes_in_flight.is_none() && cursor < edge_head;
        let is_edge = is_next && self.local_edges[self.edge_slot(cursor)] == decrement.node;
        invariant("an update goes to memory for a node that is there (dats-S3)", is_outside && is_edge)
    }

    fn is_pending_tail(&self) -> bool {
        self.sets.first(NodeSet::Pending) == Some(self.regs.tail)
    }
}
