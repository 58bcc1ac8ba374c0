//! What the toy host does: how many kernels, how long their TBs run, and the graph of the one that has dependencies.

use gpusched::Dim3;
use gpusched::dats::{DepLinks, DepLinksError, DepLinksRow, GraphHeader, GraphPolicy, GraphStorage, Node, NodeId};

use crate::gpus;

/// A run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// What it is called.
    pub name: &'static str,
    /// Host kernels.
    pub kernels: u32,
    /// Cycles from one to the next.
    pub every_cycles: u32,
    /// TBs of each.
    pub tbs: u32,
    /// Cycles that a TB runs at least.
    pub least_cycles: u32,
    /// The length of a TB is below this much more.
    pub spread_cycles: u32,
    /// Whether half of the kernels' TBs launch groups.
    pub groups: bool,
    /// Whether the kernels are wavefronts.
    pub graph: bool,
}

/// DTBL under round robin.
pub const DTBL: Plan = Plan {
    name: "rr + dtbl",
    kernels: 3,
    every_cycles: 500,
    tbs: 48,
    // Longer than a launch from inside a TB takes, so that groups still find their kernel.
    least_cycles: 4000,
    spread_cycles: 16_000,
    groups: true,
    graph: false,
};
/// The same under LaPerm.
pub const LAPERM: Plan = Plan { name: "laperm adaptive-bind", ..DTBL };
/// A wavefront.
pub const DATS: Plan = Plan {
    name: "dats wavefront",
    kernels: 1,
    least_cycles: 200,
    spread_cycles: 400,
    groups: false,
    graph: true,
    ..DTBL
};
/// Bursts that fill the GPU and fade out, so that SMXs go to sleep and are wanted again.
pub const BUBBLE: Plan = Plan {
    name: "bubble dvfs",
    every_cycles: 9000,
    tbs: gpus::SMXS * gpus::TB_SLOTS,
    least_cycles: 200,
    spread_cycles: 12_000,
    groups: false,
    ..DTBL
};

/// Tiles along a side of the wavefront.
const SIDE: u32 = 8;
/// Its nodes.
const V: usize = (SIDE * SIDE) as usize;
/// Its edges: each tile needs the one to its west and the one to its north.
const E: usize = 2 * (SIDE * (SIDE - 1)) as usize;

/// A wavefront in memory, built on the target.
pub struct Wavefront {
    nodes: [Node; V],
    edges: [NodeId; E],
    header: GraphHeader,
}

impl Wavefront {
    /// Builds it.
    ///
    /// # Errors
    /// Those of the builder.
    pub fn build(policy: GraphPolicy) -> Result<Self, DepLinksError> {
        let (mut nodes, mut edges) = ([Node::default(); V], [NodeId(0); E]);
        let (mut order, mut parents, mut rows) = ([0; V], [0; E], [DepLinksRow::default(); V]);
        let storage = GraphStorage {
            nodes: &mut nodes,
            edges: &mut edges,
            order: &mut order,
            parents: &mut parents,
            rows: &mut rows,
        };
        let graph = DepLinks::build(Dim3 { x: SIDE, y: SIDE, z: 1 }, storage, |tile, links| {
            let (x, y) = (i64::from(tile.x), i64::from(tile.y));
            links.set_policy(policy)?;
            links.add_dependency(x - 1, y, 0)?;
            links.add_dependency(x, y - 1, 0)
        })?;
        let (v, e) = (graph.nodes.len() as u32, graph.edges.len() as u32);
        let header = GraphHeader { v, e, node_base: 0, edge_base: 0, policy };
        Ok(Self { nodes, edges, header })
    }

    /// What a launch says of it.
    #[must_use]
    pub fn header(&self) -> GraphHeader {
        self.header
    }

    /// A part of the node array; nothing if it has no such part.
    #[must_use]
    pub fn nodes(&self, first: u32, count: u32) -> &[Node] {
        self.nodes.get(first as usize..(first + count) as usize).unwrap_or_default()
    }

    /// A part of the edge array; nothing if it has no such part.
    #[must_use]
    pub fn edges(&self, first: u32, count: u32) -> &[NodeId] {
        self.edges.get(first as usize..(first + count) as usize).unwrap_or_default()
    }

    /// Carries out a request that counts down a node's parents.
    pub fn decrement(&mut self, node: NodeId) {
        if let Some(entry) = self.nodes.get_mut(usize::from(node.0))
            && let Some(less) = entry.with_parent_done()
        {
            *entry = less;
        }
    }
}
