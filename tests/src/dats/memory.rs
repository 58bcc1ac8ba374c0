//! Graphs as they lie in a host's memory, and a host that answers requests from it.

use super::Event;
use super::deplinks::{Link, build};
use super::heap;
use gpusched::Dim3;
use gpusched::dats::{GraphHeader, GraphPolicy, Node, NodeId, Request};

/// The arrays of one graph.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct Memory {
    pub nodes: Vec<Node>,
    pub edges: Vec<NodeId>,
}

impl Memory {
    /// The graph of TBs that each need some of the TBs before them.
    ///
    /// # Panics
    /// If a TB needs a later one.
    #[must_use]
    pub fn of_parents(parents: &[Vec<u32>]) -> Self {
        let links = |block: Dim3| {
            let own = parents[block.x as usize].iter();
            own.map(|p| Link::Parent((*p).into(), 0, 0)).collect::<Vec<_>>()
        };
        let built = build(Dim3::linear(parents.len() as u32), usize::MAX, links).expect("a graph without a cycle");
        Self { nodes: built.nodes, edges: built.edges }
    }

    /// The graph whose edges from lower to higher TBs are the bits of `edges`, in the order 0-1, 0-2, 1-2, 0-3 and so on.
    #[must_use]
    pub fn of_bits(tbs: u32, edges: u64) -> Self {
        let bit = |parent: u32, child: u32| edges >> (child * (child - 1) / 2 + parent) & 1 == 1;
        let parents = |child: u32| (0..child).filter(|parent| bit(*parent, child)).collect();
        Self::of_parents(&(0..tbs).map(parents).collect::<Vec<_>>())
    }

    /// A wavefront: each TB of the grid needs the ones to its west and north. The core builds it, so that it may be large.
    ///
    /// # Panics
    /// If the grid has no TB, or more than 65,535.
    #[must_use]
    pub fn wavefront(width: u32, height: u32) -> Self {
        let grid = Dim3 { x: width, y: height, z: 1 };
        let links = |block: Dim3| {
            let (x, y) = (i64::from(block.x), i64::from(block.y));
            vec![Link::Parent(x - 1, y, 0), Link::Parent(x, y - 1, 0)]
        };
        let edges = 2 * width * height - width - height;
        let built = heap::build(grid, edges as usize, &links).expect("a graph without a cycle");
        Self { nodes: built.nodes, edges: built.edges }
    }

    /// A launch of it, at address 0.
    #[must_use]
    pub fn header(&self, policy: GraphPolicy) -> GraphHeader {
        let (v, e) = (self.nodes.len() as u32, self.edges.len() as u32);
        GraphHeader { v, e, node_base: 0, edge_base: 0, policy }
    }

    /// Index of a node's first edge; E for V.
    #[must_use]
    pub fn start(&self, node: usize) -> usize {
        self.nodes.get(node).map_or(self.edges.len(), |n| n.start() as usize)
    }

    /// A node's children.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        self.edges[self.start(node)..self.start(node + 1)].iter().map(|child| usize::from(child.0))
    }

    /// Carries out a request; the event that answers it. Behind the arrays lie zeros.
    ///
    /// # Panics
    /// If it leads a parent count below 0.
    pub fn answer(&mut self, request: &Request) -> Event {
        fn read<T: Copy + Default>(rows: &[T], first: u32, count: u32) -> Vec<T> {
            (first..first + count).map(|i| rows.get(i as usize).copied().unwrap_or_default()).collect()
        }
        match *request {
            Request::Nodes { tag, first, count, .. } => Event::Nodes { tag, entries: read(&self.nodes, first, count) },
            Request::Edges { tag, first, count, .. } => Event::Edges { tag, targets: read(&self.edges, first, count) },
            Request::Decrement { tag, node, .. } => {
                let node = &mut self.nodes[usize::from(node.0)];
                *node = node.with_parent_done().expect("a parent of it is not done");
                Event::Spilled { tag }
            }
        }
    }
}
