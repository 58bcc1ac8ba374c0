//! All that can be seen of the DGB, as plain lists (`dats`, Structures): what two implementations are compared by.

use gpusched::SmxId;

use gpusched::dats::{Dgb, DgbStats, NodeId, NodeState, Phase, Tables, Window};

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

impl View {
    /// What a machine shows.
    #[must_use]
    pub fn of<T: Tables>(m: &Dgb<T>) -> Self {
        let Window { tail, head, fetched, tail_edge, edge_head, executing: _, spilling, deadlock } = m.window();
        let lea_size = m.config().lea;
        let mut lea = vec![None; lea_size as usize];
        for (edge, child) in m.resident_edges() {
            lea[(edge % lea_size) as usize] = Some(child);
        }
        let resident = m.resident().map(|(node, local)| Resident {
            node,
            state: local.state,
            parents: local.parents,
            level: local.level,
            les: (!local.is_childless).then_some(local.start % lea_size),
        });
        let mut pending_updates = m.pending_updates().collect::<Vec<_>>();
        pending_updates.sort();
        Self {
            phase: m.phase(),
            window: (tail, head),
            fetched,
            edges: (tail_edge, edge_head),
            resident: resident.collect(),
            lea,
            pending_updates,
            nib: m.landed().map(|(node, entry)| (node, entry.parents())).collect(),
            spilling,
            deadlock,
            next_smx: m.next_smx(),
            stats: m.stats(),
        }
    }
}
