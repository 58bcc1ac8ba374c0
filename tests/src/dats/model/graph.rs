//! A graph that runs, and the words that the rules use (`dats`, section D).

use std::ops::Range;

use gpusched::KernelSlot;
use gpusched::dats::{DgbConfig, DgbStats, GraphFaultKind, GraphHeader, NodeId, NodeState, Prefetch, Report};

/// A node that has landed; `state` is `None` while it is in the NIB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Arrived {
    pub(super) start: usize,
    pub(super) childless: bool,
    pub(super) parents: usize,
    pub(super) level: usize,
    pub(super) state: Option<NodeState>,
}

/// A request that was issued: tag, first entry, entries.
pub(super) type InFlight = Option<(u32, usize, usize)>;

/// The graph that was launched last, and all that has become of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Graph {
    pub(super) kde: KernelSlot,
    pub(super) header: GraphHeader,
    /// V and E.
    pub(super) v: usize,
    pub(super) e: usize,
    /// All nodes below `fetched`, all edges below `edge_head`.
    pub(super) nodes: Vec<Arrived>,
    pub(super) edges: Vec<usize>,
    pub(super) tail: usize,
    pub(super) head: usize,
    pub(super) tail_edge: usize,
    pub(super) updates: Vec<usize>,
    pub(super) nodes_asked: InFlight,
    pub(super) edges_asked: InFlight,
    /// The child whose count in memory must go down, and the tag once that was asked for.
    pub(super) decrement: Option<(usize, Option<u32>)>,
    /// The node that spills, and its next edge.
    pub(super) spill: Option<(usize, usize)>,
    pub(super) deadlock: Option<usize>,
    pub(super) fault: Option<(GraphFaultKind, usize)>,
    pub(super) stats: DgbStats,
}

pub(super) type Settled = Result<(), (GraphFaultKind, usize)>;

pub(super) fn id(node: usize) -> NodeId {
    NodeId(u16::try_from(node).expect("V fits 16 bits"))
}

impl Graph {
    pub(super) fn new(kde: KernelSlot, header: &GraphHeader) -> Self {
        Self {
            kde,
            header: *header,
            v: header.v as usize,
            e: header.e as usize,
            nodes: Vec::new(),
            edges: Vec::new(),
            tail: 0,
            head: 0,
            tail_edge: 0,
            updates: Vec::new(),
            nodes_asked: None,
            edges_asked: None,
            decrement: None,
            spill: None,
            deadlock: None,
            fault: None,
            stats: DgbStats::default(),
        }
    }

    pub(super) fn fetched(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn edge_head(&self) -> usize {
        self.edges.len()
    }

    pub(super) fn finished(&self) -> bool {
        self.tail == self.v
    }

    pub(super) fn is(&self, i: usize, state: NodeState) -> bool {
        self.nodes[i].state == Some(state)
    }

    pub(super) fn resident(&self) -> Range<usize> {
        self.tail..self.head
    }

    /// Resident or landed.
    pub(super) fn known(&self, i: usize) -> bool {
        (self.tail..self.fetched()).contains(&i)
    }

    pub(super) fn start(&self, i: usize) -> Option<usize> {
        if i == self.v { Some(self.e) } else { self.known(i).then(|| self.nodes[i].start) }
    }

    pub(super) fn end(&self, i: usize) -> Option<usize> {
        if self.nodes[i].childless { Some(self.nodes[i].start) } else { self.start(i + 1) }
    }

    /// The children of a node whose edges are resident.
    pub(super) fn children(&self, i: usize) -> &[usize] {
        let end = self.end(i).expect("its end is known");
        if self.nodes[i].childless { &[] } else { &self.edges[self.nodes[i].start..end] }
    }

    pub(super) fn edges_resident(&self, i: usize) -> bool {
        self.nodes[i].childless || self.end(i).is_some_and(|end| self.edge_head() >= end)
    }

    pub(super) fn outside(&self, i: usize) -> usize {
        self.children(i).iter().filter(|child| **child >= self.head).count()
    }

    pub(super) fn executing(&self) -> impl Iterator<Item = usize> {
        (0..self.fetched()).filter(|i| self.is(*i, NodeState::Executing))
    }

    pub(super) fn underflow(i: usize) -> (GraphFaultKind, usize) {
        (GraphFaultKind::ParentUnderflow, i)
    }

    /// dats-F2.
    pub(super) fn decrement(&mut self, child: usize, report: &mut Report) -> Settled {
        let node = &mut self.nodes[child];
        if node.state != Some(NodeState::Waiting) || node.parents == 0 {
            return Err(Self::underflow(child));
        }
        node.parents -= 1;
        if node.parents == 0 {
            node.state = Some(NodeState::Ready);
            report.readied += 1;
        }
        Ok(())
    }

    pub(super) fn put_into_pub(&mut self, child: usize, report: &mut Report) {
        self.updates.push(child);
        report.pub_in += 1;
        self.stats.pub_max = self.stats.pub_max.max(self.updates.len() as u32);
    }
}

/// The rules of a running graph.
pub(super) struct Running<'a> {
    pub(super) c: &'a DgbConfig,
    pub(super) g: &'a mut Graph,
    pub(super) report: Report,
}

impl Running<'_> {
    pub(super) fn chunk_nodes(&self) -> usize {
        self.c.chunk_bytes as usize / 8
    }

    pub(super) fn chunk_edges(&self) -> usize {
        self.c.chunk_bytes as usize / 2
    }

    pub(super) fn lea(&self) -> usize {
        self.c.lea as usize
    }

    pub(super) fn free_updates(&self) -> usize {
        self.c.pub_entries as usize - self.g.updates.len()
    }

    pub(super) fn oversize(&self, i: usize) -> bool {
        self.c.spill && self.g.end(i).is_some_and(|end| end - self.g.nodes[i].start > self.lea())
    }

    pub(super) fn edge_need(&self) -> usize {
        let g = &self.g;
        g.start(g.head).unwrap_or_else(|| if g.tail < g.head { g.nodes[g.head - 1].start } else { g.tail_edge })
    }

    pub(super) fn wants_nodes(&self) -> bool {
        let g = &self.g;
        let chunk = self.chunk_nodes().min(g.v - g.fetched());
        let room = self.c.lna as usize - (g.head - g.tail);
        let idle = g.nodes_asked.is_none() && g.decrement.is_none();
        g.fetched() < g.v && g.head == g.fetched() && idle && (self.c.prefetch == Prefetch::Eager || room >= chunk)
    }
}
