//! All that can be seen of the DGB, as plain lists (`dats`, Structures): what two implementations are compared by.

use gpusched::dats::{Buffer, DgbState, DgbStats, LocalNode, Node, NodeId, NodeState, Phase};
use gpusched::{Rows, SmxId};

use super::Queries;

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

/// What a machine is asked for, of one that stands alone or of a part.
#[allow(missing_docs, reason = "the names are the core's")]
pub struct Shown {
    pub state: DgbState,
    pub stats: DgbStats,
    pub resident: Vec<LocalNode>,
    pub edges: Vec<NodeId>,
    pub pending_updates: Vec<NodeId>,
    pub landed: Vec<Node>,
}

impl Shown {
    /// All of it, of a buffer with so many places for edges.
    ///
    /// # Panics
    /// If two queries that show the same thing do not agree.
    #[must_use]
    pub fn view(self, lea: u32) -> View {
        let Self { state, stats, resident, edges, mut pending_updates, landed } = self;
        let DgbState { phase, tail, head, fetched, tail_edge, edge_head, spilling, deadlock, next_smx, .. } = state;
        assert_eq!(resident.len(), (head - tail) as usize);
        assert_eq!(edges.len(), (edge_head - tail_edge) as usize);
        assert_eq!(landed.len(), (fetched - head) as usize);
        let mut slots = vec![None; lea as usize];
        for (edge, child) in (tail_edge..).zip(edges) {
            slots[(edge % lea) as usize] = Some(child);
        }
        let local = |(vid, local): (u32, LocalNode)| Resident {
            node: NodeId(vid as u16),
            state: local.state,
            parents: local.parents,
            level: local.level,
            les: (!local.is_childless).then_some(local.start % lea),
        };
        pending_updates.sort();
        View {
            phase,
            window: (tail, head),
            fetched,
            edges: (tail_edge, edge_head),
            resident: (tail..).zip(resident).map(local).collect(),
            lea: slots,
            pending_updates,
            nib: (head..).zip(landed).map(|(vid, entry)| (NodeId(vid as u16), entry.parents())).collect(),
            spilling,
            deadlock,
            next_smx,
            stats,
        }
    }
}

impl View {
    /// What a machine shows.
    #[must_use]
    pub fn of(m: &impl Queries) -> Self {
        let shown = Shown {
            state: m.state(),
            stats: m.stats(),
            resident: m.resident(),
            edges: m.resident_edges(),
            pending_updates: m.pending_updates(),
            landed: m.landed(),
        };
        shown.view(m.config().lea)
    }

    /// What a part shows.
    #[must_use]
    pub fn of_part<N, E, P, I, W>(m: &Buffer<N, E, P, I, W>) -> Self
    where
        N: Rows<LocalNode>,
        E: Rows<NodeId>,
        P: Rows<NodeId>,
        I: Rows<Node>,
        W: Rows<u64>,
    {
        let shown = Shown {
            state: m.state(),
            stats: m.stats(),
            resident: m.resident().copied().collect(),
            edges: m.resident_edges().collect(),
            pending_updates: m.pending_updates().collect(),
            landed: m.landed().collect(),
        };
        shown.view(m.config().lea)
    }

    /// What the sheet says of the state: after a fault nothing but the fault.
    #[must_use]
    pub fn specified(self) -> Self {
        if !matches!(self.phase, Phase::Faulted { .. }) {
            return self;
        }
        Self {
            phase: self.phase,
            window: (0, 0),
            fetched: 0,
            edges: (0, 0),
            resident: Vec::new(),
            lea: Vec::new(),
            pending_updates: Vec::new(),
            nib: Vec::new(),
            spilling: None,
            deadlock: None,
            next_smx: SmxId(0),
            stats: DgbStats::default(),
        }
    }
}
