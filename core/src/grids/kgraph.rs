//! Graphs of kernels, as they are defined: kernels, and which must wait for which (launch2-K1).
//!
//! A graph is defined once and launched any number of times ([`super::instances`] runs it). Each has a section of the tables of kernels
//! and of edges. What waits for a kernel is a list of edges.
//!
//! ```
//! use gpusched::{
//!     Config, Cycle, Decision, Descriptor, Dim3, Fault, FrontEnd, KernelEdge, KernelNode, KgraphPart, inline_tables,
//! };
//!
//! const SMALL: KgraphPart = KgraphPart { graphs: 1, nodes: 3, edges: 2, insts: 1, ..KgraphPart::FREE };
//! const GPU: Config = Config { pend_limit: 16, grids: 8, kgraph: Some(SMALL), ..Config::K20C }.ideal();
//! inline_tables! {
//!     struct Small = GPU;
//! }
//! let kernel = |tag| Descriptor { grid: Dim3::linear(1), tb: Dim3::linear(32), tag, ..Descriptor::default() };
//! let mut gpu = FrontEnd::<Small>::new(&GPU)?;
//! // The third kernel waits for the other two.
//! let nodes = [1, 2, 3].map(|tag| KernelNode { kernel: kernel(tag), retain: 0 });
//! let edges = [0, 1].map(|from| KernelEdge { from, to: 2, kind: KernelEdge::FULL });
//! let graph = gpu.kgraph_define(&nodes, &edges)?;
//! gpu.kgraph_launch(graph, 0)?;
//! assert_eq!(gpu.kgraph_destroy(graph), Err(Fault::KgraphBusy));
//! let mut complete = Vec::new();
//! let mut note = |_: Cycle, decision: Decision| {
//!     if let Decision::Complete { tag } = decision {
//!         complete.push(tag);
//!     }
//! };
//! while !gpu.is_idle() {
//!     gpu.tick(&mut note)?;
//!     let ends: Vec<_> = gpu.resident_tbs().map(|tb| (tb.smx, tb.slot)).collect();
//!     ends.into_iter().try_for_each(|(smx, slot)| gpu.tb_done(smx, slot, &mut note))?;
//! }
//! assert_eq!(complete, [1, 2, 3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::base::error::Fault;
use crate::base::id::{Id, InstanceId, KernelNodeId, KgraphId, id};
use crate::base::invariant::{Violation, invariant};
use crate::base::table::{Rows, Table};
use crate::config::Config;
use crate::config::launch2::KgraphPart;
use crate::launch::descriptor::Descriptor;

/// A kernel of a kernel graph as it is defined. Its fields lie as in C.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(C)]
pub struct KernelNode {
    /// The kernel.
    pub kernel: Descriptor,
    /// Not 0: its entry would stay, joinable. That is refused, for then the graph would not end by itself.
    pub retain: u32,
}

/// What a kernel of a kernel graph waits for. Its fields lie as in C.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(C)]
pub struct KernelEdge {
    /// Number of the kernel that goes first.
    pub from: u32,
    /// Number of the kernel that waits.
    pub to: u32,
    /// Until when: [`KernelEdge::FULL`] or [`KernelEdge::PDL`].
    pub kind: u32,
}

impl KernelEdge {
    /// It waits until the first is complete.
    pub const FULL: u32 = 0;
    /// It is a programmatic dependent: it waits until the first is open.
    pub const PDL: u32 = 1;
}

/// A row of the table of kernel graphs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Kgraph {
    /// Its kernels; 0: no graph.
    pub(super) nodes: u32,
    pub(super) edges: u32,
    /// Launches that were accepted.
    pub(super) launched: u64,
    /// Those of them that began to run.
    pub(super) started: u64,
    /// What runs it.
    pub(super) instance: Option<InstanceId>,
}

/// A kernel graph, as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct KgraphView {
    /// Its kernels.
    pub nodes: u32,
    /// Its edges.
    pub edges: u32,
    /// Launches that wait to run.
    pub waiting: u64,
    /// The instance that runs it.
    pub instance: Option<InstanceId>,
}

/// A row of the table of kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KernelNodeRow {
    pub(super) kernel: Descriptor,
    /// Edges that lead to it, and those of them that are programmatic.
    pub(super) waits: u32,
    pub(super) pdl_waits: u32,
    /// The first and the last of the edges that lead from it, which are in the order of where they lead.
    first: Option<u32>,
    last: Option<u32>,
    /// While a graph is checked: edges to it from what is not sorted yet, and the next kernel that is sorted; 0 else.
    left: u32,
    behind: u32,
}

/// A row of the table of edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KernelEdgeRow {
    pub(super) to: u16,
    pub(super) is_pdl: bool,
    /// The one behind it of those that lead from the same kernel.
    next: Option<u32>,
}

id! {
    /// A row of the table of kernels.
    pub(crate) NodeRowId(u32)
}
id! {
    /// A row of the table of edges.
    pub(crate) EdgeRowId(u32)
}

/// All kernel graphs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Kgraphs<G, N, E> {
    pub(super) graphs: Table<KgraphId, Kgraph, G>,
    pub(super) nodes: Table<NodeRowId, KernelNodeRow, N>,
    pub(super) edges: Table<EdgeRowId, KernelEdgeRow, E>,
    /// Rows of each graph: of its kernels, and of its edges.
    pub(super) room: (u32, u32),
}

impl<G: Rows<Kgraph>, N: Rows<KernelNodeRow>, E: Rows<KernelEdgeRow>> Kgraphs<G, N, E> {
    pub(super) fn new(rows: (G, N, E), part: Option<&KgraphPart>) -> Self {
        let room = part.map_or((0, 0), |part| (part.nodes, part.edges));
        Self { graphs: Table::new(rows.0), nodes: Table::new(rows.1), edges: Table::new(rows.2), room }
    }

    pub(super) fn node_row(&self, g: KgraphId, node: u32) -> NodeRowId {
        NodeRowId(u32::from(g) * self.room.0 + node)
    }

    pub(super) fn edge_row(&self, g: KgraphId, edge: u32) -> EdgeRowId {
        EdgeRowId(u32::from(g) * self.room.1 + edge)
    }

    /// A kernel of a graph.
    pub(super) fn node(&self, g: KgraphId, node: KernelNodeId) -> &KernelNodeRow {
        &self.nodes[self.node_row(g, node.0.into())]
    }

    /// The edges that lead from a kernel, in the order of where they lead.
    pub(super) fn edges_from(&self, g: KgraphId, node: KernelNodeId) -> impl Iterator<Item = KernelEdgeRow> {
        let row = move |place: u32| self.edges[self.edge_row(g, place)];
        let places = core::iter::successors(self.node(g, node).first, move |&place| row(place).next);
        // No list is longer than there are edges.
        places.take(self.room.1 as usize).map(row)
    }

    /// The edge at this place, and where the next one is of those that lead from the same kernel.
    pub(super) fn edge_at(&self, g: KgraphId, place: u32) -> (KernelEdgeRow, Option<u32>) {
        let row = self.edges[self.edge_row(g, place)];
        (row, row.next)
    }

    /// Where the edges that lead from a kernel begin.
    pub(super) fn first_edge(&self, g: KgraphId, node: KernelNodeId) -> Option<u32> {
        self.node(g, node).first
    }

    pub(super) fn view(&self, g: KgraphId) -> Option<KgraphView> {
        let &Kgraph { nodes, edges, launched, started, instance } =
            self.graphs.get(g).filter(|graph| graph.nodes > 0)?;
        Some(KgraphView { nodes, edges, waiting: launched - started, instance })
    }

    /// Launches of a graph that began to run.
    pub(super) fn started(&self, g: KgraphId) -> u64 {
        self.graphs[g].started
    }

    /// Whether there are neither graphs nor rows in use.
    pub(super) fn is_empty(&self) -> bool {
        self.graphs.ends_by(0) && self.nodes.ends_by(0) && self.edges.ends_by(0)
    }

    /// What holds of a graph between two calls, and of the rows that are its own.
    pub(super) fn validate(&self, g: KgraphId, config: &Config) -> Result<(), Violation> {
        let Kgraph { nodes, edges, launched, started, instance } = self.graphs[g];
        let fits = nodes <= self.room.0 && edges <= self.room.1 && started <= launched;
        let is_idle = nodes > 0 || (edges, launched, started, instance) == (0, 0, 0, None);
        invariant("a kernel graph has its size (launch2-K1)", fits && is_idle)?;
        let mut listed = 0;
        for i in 0..self.room.0 {
            let row = &self.nodes[self.node_row(g, i)];
            if i >= nodes {
                invariant("a kernel graph has its rows alone", *row == KernelNodeRow::default())?;
                continue;
            }
            // The edges from it, no more of them than there are.
            let next = |place: &u32| self.edges.get(self.edge_row(g, *place))?.next;
            let is_there = |place: &u32| *place < edges;
            let places = || core::iter::successors(row.first.filter(is_there), move |at| next(at).filter(is_there));
            let its = || places().take(edges as usize + 1).map(|place| self.edges[self.edge_row(g, place)]);
            let n = its().count();
            listed += n;
            let known = its().all(|edge| {
                u32::from(edge.to) < nodes && u32::from(edge.to) != i && (!edge.is_pdl || config.pdl.is_some())
            });
            let in_order = its().map(|edge| edge.to).is_sorted_by(|a, b| a < b)
                && its().last().is_none_or(|edge| edge.next.is_none());
            let ends = places().take(n).last() == row.last && row.first.is_some() == (n > 0);
            invariant(
                "the edges from a kernel are a list (launch2-K1)",
                n <= edges as usize && known && in_order && ends,
            )?;
            let is_accepted = row.kernel.is_accepted(config, true) && (row.left, row.behind) == (0, 0);
            invariant("a kernel of a kernel graph was accepted (launch2-K1)", is_accepted)?;
        }
        let all = (0..self.room.1).map(|place| self.edges[self.edge_row(g, place)]);
        let empty = all.skip(edges as usize).all(|edge| edge == KernelEdgeRow::default());
        invariant("every edge is in a list (launch2-K1)", empty && listed == edges as usize)?;
        for i in 0..nodes {
            let into =
                || (0..edges).map(|place| self.edges[self.edge_row(g, place)]).filter(|edge| u32::from(edge.to) == i);
            let row = &self.nodes[self.node_row(g, i)];
            let counts = (into().count() as u32, into().filter(|edge| edge.is_pdl).count() as u32);
            invariant("the edges to a kernel are counted (launch2-K1)", (row.waits, row.pdl_waits) == counts)?;
        }
        Ok(())
    }

    /// launch2-K1: what is given as a new graph; `check` looks at a kernel.
    pub(super) fn define(
        &mut self,
        config: &Config,
        nodes: &[KernelNode],
        edges: &[KernelEdge],
        check: impl Fn(&Descriptor) -> Result<(), Fault>,
    ) -> Result<KgraphId, Fault> {
        let part = config.kgraph.as_ref().ok_or(Fault::NoKgraph)?;
        let all = (0..part.graphs as usize).map(KgraphId::from_index);
        let g = all.into_iter().find(|&g| self.graphs[g].nodes == 0).ok_or(Fault::KgraphFull)?;
        if nodes.is_empty() {
            return Err(Fault::EmptyKgraph);
        }
        if nodes.len() > part.nodes as usize || edges.len() > part.edges as usize {
            return Err(Fault::KgraphSize);
        }
        for node in nodes {
            check(&node.kernel)?;
            if node.retain != 0 {
                return Err(Fault::GraphRetain);
            }
        }
        let written = self.write(g, config.pdl.is_some(), nodes, edges).and_then(|()| self.sort(g, nodes.len() as u32));
        if written.is_err() {
            self.clear(g, nodes.len() as u32, edges.len() as u32);
        }
        written?;
        let (nodes, edges) = (nodes.len() as u32, edges.len() as u32);
        self.graphs[g] = Kgraph { nodes, edges, ..Kgraph::default() };
        Ok(g)
    }

    /// Writes a graph into its rows, up to the first edge that is wrong.
    fn write(&mut self, g: KgraphId, has_pdl: bool, nodes: &[KernelNode], edges: &[KernelEdge]) -> Result<(), Fault> {
        let n = nodes.len() as u32;
        for (node, i) in nodes.iter().zip(0..) {
            let row = self.node_row(g, i);
            self.nodes[row] = KernelNodeRow { kernel: node.kernel, ..KernelNodeRow::default() };
        }
        for (&KernelEdge { from, to, kind }, place) in edges.iter().zip(0..) {
            if from >= n || to >= n || from == to || kind > KernelEdge::PDL {
                return Err(Fault::KgraphEdge);
            }
            let is_pdl = kind == KernelEdge::PDL;
            self.insert(g, from, (place, KernelEdgeRow { to: to as u16, is_pdl, next: None }))?;
            if is_pdl && !has_pdl {
                return Err(Fault::BadPdlEdge);
            }
            let to = self.node_row(g, to);
            self.nodes[to].waits += 1;
            self.nodes[to].pdl_waits += u32::from(is_pdl);
        }
        Ok(())
    }

    /// Puts an edge among those that lead from the same kernel, unless there is one already to where it leads.
    fn insert(&mut self, g: KgraphId, from: u32, (place, edge): (u32, KernelEdgeRow)) -> Result<(), Fault> {
        let from = self.node_row(g, from);
        let KernelNodeRow { first, last, .. } = self.nodes[from];
        let leads_to = |this: &Self, at: Option<u32>| at.map(|at| this.edges[this.edge_row(g, at)].to);
        // Most come in order.
        let mut before = last.filter(|_| leads_to(self, last) < Some(edge.to));
        let mut behind = if before.is_some() { None } else { first };
        while let Some(at) = behind.filter(|_| leads_to(self, behind) < Some(edge.to)) {
            (before, behind) = (Some(at), self.edges[self.edge_row(g, at)].next);
        }
        if leads_to(self, behind) == Some(edge.to) {
            return Err(Fault::KgraphEdge);
        }
        let row = self.edge_row(g, place);
        self.edges[row] = KernelEdgeRow { next: behind, ..edge };
        match before {
            Some(before) => {
                let row = self.edge_row(g, before);
                self.edges[row].next = Some(place);
            }
            None => self.nodes[from].first = Some(place),
        }
        if behind.is_none() {
            self.nodes[from].last = Some(place);
        }
        Ok(())
    }

    /// Whether its kernels can be put in an order in which none waits for one behind it.
    fn sort(&mut self, g: KgraphId, n: u32) -> Result<(), Fault> {
        // Sorted kernels are linked, so that each is looked at once.
        let (mut first, mut last, mut sorted) = (None, None, 0);
        for i in 0..n {
            let row = self.node_row(g, i);
            self.nodes[row].left = self.nodes[row].waits;
            if self.nodes[row].waits == 0 {
                self.link(g, &mut last, i);
                first = first.or(Some(i));
            }
        }
        let mut next = first;
        while let Some(i) = next {
            sorted += 1;
            let mut edge = self.nodes[self.node_row(g, i)].first;
            while let Some(place) = edge {
                let (row, next) = self.edge_at(g, place);
                edge = next;
                let to = row.to.into();
                let row = self.node_row(g, to);
                self.nodes[row].left -= 1;
                if self.nodes[row].left == 0 {
                    self.link(g, &mut last, to);
                }
            }
            next = if last == Some(i) { None } else { Some(self.nodes[self.node_row(g, i)].behind) };
        }
        for i in 0..n {
            let row = self.node_row(g, i);
            (self.nodes[row].left, self.nodes[row].behind) = (0, 0);
        }
        if sorted == n { Ok(()) } else { Err(Fault::KgraphCycle) }
    }

    /// Puts a kernel behind those that are sorted.
    fn link(&mut self, g: KgraphId, last: &mut Option<u32>, node: u32) {
        if let Some(last) = last.replace(node) {
            let row = self.node_row(g, last);
            self.nodes[row].behind = node;
        }
    }

    /// Whether a graph neither waits to run nor runs; it is none from then on.
    pub(super) fn destroy(&mut self, g: KgraphId) -> Result<(), Fault> {
        let view = self.view(g).ok_or(Fault::BadKgraph)?;
        if view.waiting > 0 || view.instance.is_some() {
            return Err(Fault::KgraphBusy);
        }
        self.clear(g, view.nodes, view.edges);
        self.graphs[g] = Kgraph::default();
        Ok(())
    }

    fn clear(&mut self, g: KgraphId, nodes: u32, edges: u32) {
        let (node, edge) = (self.node_row(g, 0).index(), self.edge_row(g, 0).index());
        let nodes = self.nodes.slice_mut(node, nodes as usize).unwrap_or_default();
        nodes.fill(KernelNodeRow::default());
        let edges = self.edges.slice_mut(edge, edges as usize).unwrap_or_default();
        edges.fill(KernelEdgeRow::default());
    }
}
