//! All that can be seen of the DGB, as plain lists (`dats`, Structures): what two implementations are compared by.

use gpusched::SmxId;

use super::words::{DgbStats, NodeId, NodeState, Phase};

/// An entry of the local node array and the node state table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Resident {
    /// Its VID.
    pub node: NodeId,
    /// Its state.
    pub state: NodeState,
    /// Parents that are not finalised.
    pub parents: u16,
    /// Its level.
    pub level: u16,
    /// The slot of its first edge, unless it is childless.
    pub les: Option<u32>,
}

/// The whole state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// What becomes of the graph.
    pub phase: Phase,
    /// The oldest resident node, and one past the youngest.
    pub window: (u32, u32),
    /// One past the last node that landed.
    pub fetched: u32,
    /// The oldest live edge, and one past the youngest that arrived.
    pub edges: (u32, u32),
    /// Resident nodes, oldest first.
    pub resident: Vec<Resident>,
    /// The edge of each slot of the LEA, where it holds a live one.
    pub lea: Vec<Option<NodeId>>,
    /// The PUB, sorted: its order has no meaning.
    pub pending_updates: Vec<NodeId>,
    /// Nodes in the NIB and their parents.
    pub nib: Vec<(NodeId, u16)>,
    /// The node that spills.
    pub spilling: Option<NodeId>,
    /// The tail that is stuck.
    pub deadlock: Option<NodeId>,
    /// The SMX that is tried first.
    pub next_smx: SmxId,
    /// Statistics of the graph.
    pub stats: DgbStats,
}
