//! A dependency graph as it lies in memory: levelled, renamed, children by node (sheet `dats`, Structures).
//!
//! Nodes are TBs under new names. Virtual node ids (VIDs) rise with the level, so each edge leads to a higher VID and the window
//! that the buffer holds can slide over the arrays once.

use crate::base::id::id;

id! {
    /// A node of a dependency graph by its virtual id (VID), 0..V.
    pub NodeId(u16)
}

/// The most nodes of a graph: VIDs and "one past the last" fit 16 bits (dats-H6).
pub const MAX_NODES: u32 = 65_535;

/// The most edges of a graph: an index fits 31 bits.
pub const MAX_EDGES: u32 = 0x7fff_ffff;

/// An entry of the node array, 8 bytes: from bit 0 upward the index of the first child in the edge array (31 bits), whether there
/// are no children (1), the number of parents (16), the level (16).
///
/// The index is the sum of the child counts of all lower VIDs, also for nodes without children, so a node's children end where
/// those of the next one start.
///
/// ```
/// use gpusched::dats::Node;
///
/// let node = Node::new(7, false, 2, 3);
/// assert_eq!((node.start(), node.is_childless(), node.parents(), node.level()), (7, false, 2, 3));
/// assert_eq!(node.to_bits(), 0x0003_0002_0000_0007);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(transparent)]
pub struct Node(u64);

impl Node {
    /// A node. Of `start`, 31 bits are kept.
    #[must_use]
    pub const fn new(start: u32, is_childless: bool, parents: u16, level: u16) -> Self {
        let low = (start & MAX_EDGES) as u64 | (is_childless as u64) << 31;
        Self(low | (parents as u64) << 32 | (level as u64) << 48)
    }

    /// A node as it lies in memory.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The node as it lies in memory.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// Index of the first child in the edge array.
    #[must_use]
    pub const fn start(self) -> u32 {
        self.0 as u32 & MAX_EDGES
    }

    /// Whether it has no children.
    #[must_use]
    pub const fn is_childless(self) -> bool {
        self.0 >> 31 & 1 == 1
    }

    /// Parents that are not finalised.
    #[must_use]
    pub const fn parents(self) -> u16 {
        (self.0 >> 32) as u16
    }

    /// The length of the longest path that leads to it.
    #[must_use]
    pub const fn level(self) -> u16 {
        (self.0 >> 48) as u16
    }

    /// The node with one parent less: what a `Decrement` asks of memory. `None` if it has none.
    #[must_use]
    pub const fn with_parent_done(self) -> Option<Self> {
        if self.parents() == 0 { None } else { Some(Self(self.0 - (1 << 32))) }
    }
}

impl core::fmt::Debug for Node {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Node")
            .field("start", &self.start())
            .field("is_childless", &self.is_childless())
            .field("parents", &self.parents())
            .field("level", &self.level())
            .finish()
    }
}

/// In which order ready nodes are dispatched (3.1). Both take the smallest VID and go round the SMXs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum GraphPolicy {
    /// Local round robin: a ready node may run, however far it is ahead.
    #[default]
    Lrr,
    /// Level-bound: nodes that run are at most `bound` levels apart.
    Lvl {
        /// The greatest distance. 3 was evaluated; 0 runs level by level.
        bound: u16,
    },
}

/// A dependency graph on its way into the buffer: what a launch says of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GraphHeader {
    /// V: nodes, 1..=65535.
    pub v: u32,
    /// E: edges, at most 2^31-1.
    pub e: u32,
    /// Address of the node array, a multiple of the chunk.
    pub node_base: u64,
    /// Address of the edge array, a multiple of the chunk.
    pub edge_base: u64,
    /// Order of dispatch.
    pub policy: GraphPolicy,
}
