//! What the dependency-graph buffer answers, and how it refuses.

use core::fmt;

use crate::base::error::Fault;
use crate::base::id::{KernelSlot, SmxId};
use crate::dats::graph::NodeId;

/// A memory request (`dats`, section M). The host answers it under its tag, after any time, requests of different kinds in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Request {
    /// Read entries of the node array; the answer is `nodes`.
    Nodes {
        /// To be named in the answer.
        tag: u32,
        /// First VID, a multiple of the chunk.
        first: u32,
        /// Entries.
        count: u32,
        /// Address of the first.
        addr: u64,
    },
    /// Read entries of the edge array, all of one chunk; the answer is `edges`.
    Edges {
        /// To be named in the answer.
        tag: u32,
        /// First index.
        first: u32,
        /// Entries.
        count: u32,
        /// Address of the first.
        addr: u64,
    },
    /// Subtract 1 from the parents of a node in memory, before any later read of it; the answer is `spilled`.
    Decrement {
        /// To be named in the answer.
        tag: u32,
        /// The node.
        node: NodeId,
        /// Address of its entry.
        addr: u64,
    },
}

/// What [`select`](super::Buffer::select) decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Selection {
    /// Run this node.
    Dispatch {
        /// The kernel's entry, as its launch told it.
        kde: KernelSlot,
        /// The node.
        node: NodeId,
        /// The SMX.
        smx: SmxId,
    },
    /// Nothing can run now.
    Stall(Stall),
    /// The graph is complete.
    Finished,
}

/// Why no node was dispatched (`dats`, section T).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Stall {
    /// Every node of the window waits for parents, runs, or is done.
    NoReady,
    /// The ready nodes wait for their successor's entry or for edges (the head rule).
    Head,
    /// The ready node is too far ahead.
    LevelBound,
    /// No SMX has room.
    NoSmx,
    /// The window can never move again (dats-H1).
    Deadlock,
}

/// What an event set in motion inside the buffer. A host that charges time for the buffer's work charges it from these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Report {
    /// Nodes that became D.
    pub finalised: u32,
    /// Edges applied.
    pub updates: u32,
    /// Entries put into the PUB.
    pub pub_in: u32,
    /// Entries taken out of the PUB.
    pub pub_out: u32,
    /// Nodes inserted into the window.
    pub inserted: u32,
    /// Nodes that became R.
    pub readied: u32,
    /// Whether the graph is done.
    pub finished: bool,
    /// At the end of a TB: what keeps its node from being final, if anything does.
    pub pending: Option<Pending>,
}

/// What keeps a node from being final although its TB has ended (dats-C3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Pending {
    /// Its edges are not on chip.
    Edges,
    /// The PUB has too little room.
    Pub,
    /// It has more edges than the LEA, and is not the oldest node yet.
    Tail,
    /// Its edges are being applied one at a time.
    Spill,
}

/// What is wrong with a node that memory answered (dats-N1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u32)]
pub enum NodeFlaw {
    /// Its edges start before those of the one before, or beyond the last.
    EdgeStart = 1,
    /// Its mark for having no children is wrong.
    Childless = 2,
    /// It has more edges than the LEA, and nothing spills.
    Oversize = 3,
    /// Its level is below that of the one before, or skips one.
    Level = 4,
    /// It has parents at level 0, or none above.
    Parents = 5,
    /// Of two kernels that share a graph: a producer has parents, or a consumer has children (launch2-X2).
    Part = 6,
}

/// How a graph's memory contradicts itself in a way that no single chunk shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u32)]
pub enum GraphFaultKind {
    /// An edge leads from this node to itself or back.
    EdgeOrder = 1,
    /// More edges lead to this node than it has parents.
    ParentUnderflow = 2,
    /// Fewer edges lead to this node than it has parents.
    ParentExcess = 3,
}

/// A refusal of the dependency-graph buffer (sheet `dats`, Faults). All but `GraphFault` leave everything as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum GraphError {
    /// This front end has no buffer.
    NoDgb,
    /// A cycle of the front end was begun and has not ended.
    MidCycle,
    /// A graph is running.
    Busy,
    /// V = 0.
    EmptyGraph,
    /// V > 65535.
    TooManyNodes,
    /// E > 2^31-1.
    TooManyEdges,
    /// A base address is no multiple of the chunk.
    Misaligned,
    /// An array ends beyond the last address.
    AddressOverflow,
    /// No request of this kind is in flight under this tag.
    StaleTag,
    /// Not as many entries as were asked for.
    BadLength,
    /// A node that the buffer cannot work with.
    BadGraph {
        /// Its VID.
        node: NodeId,
        /// What is wrong.
        what: NodeFlaw,
    },
    /// An edge to node 0 or to no node.
    BadEdge {
        /// Its index.
        edge: u32,
    },
    /// An SMX that does not exist.
    BadSmx {
        /// The smallest such.
        smx: SmxId,
    },
    /// No graph is running.
    NotLaunched,
    /// The node has no TB that runs.
    NotRunning {
        /// The node that was named.
        node: NodeId,
    },
    /// The graph's memory contradicts itself. Every verb but `abort` says so from then on.
    GraphFault {
        /// How.
        kind: GraphFaultKind,
        /// Where.
        node: NodeId,
    },
}

impl GraphError {
    /// The refusal without its details.
    #[must_use]
    pub const fn fault(self) -> Fault {
        match self {
            Self::NoDgb => Fault::NoDgb,
            Self::MidCycle => Fault::MidCycle,
            Self::Busy => Fault::Busy,
            Self::EmptyGraph => Fault::EmptyGraph,
            Self::TooManyNodes => Fault::TooManyNodes,
            Self::TooManyEdges => Fault::TooManyEdges,
            Self::Misaligned => Fault::Misaligned,
            Self::AddressOverflow => Fault::AddressOverflow,
            Self::StaleTag => Fault::StaleTag,
            Self::BadLength => Fault::BadLength,
            Self::BadGraph { .. } => Fault::BadGraph,
            Self::BadEdge { .. } => Fault::BadEdge,
            Self::BadSmx { .. } => Fault::BadSmx,
            Self::NotLaunched => Fault::NotLaunched,
            Self::NotRunning { .. } => Fault::NotRunning,
            Self::GraphFault { .. } => Fault::GraphFault,
        }
    }
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadGraph { node, what } => write!(f, "node {}: {}", node.0, what.text()),
            Self::BadEdge { edge } => write!(f, "edge {edge}: {}", Fault::BadEdge),
            Self::BadSmx { smx } => write!(f, "SMX {}: {}", smx.0, Fault::BadSmx),
            Self::NotRunning { node } => write!(f, "node {}: {}", node.0, Fault::NotRunning),
            Self::GraphFault { kind, node } => write!(f, "node {}: {}", node.0, kind.text()),
            _ => self.fault().fmt(f),
        }
    }
}

impl core::error::Error for GraphError {}

/// A cycle of the front end is under way: the only refusal of a graph verb that has no graph in it.
impl From<Fault> for GraphError {
    fn from(_: Fault) -> Self {
        Self::MidCycle
    }
}

impl From<GraphError> for Fault {
    fn from(error: GraphError) -> Self {
        error.fault()
    }
}

impl NodeFlaw {
    /// One sentence for a person.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::EdgeStart => "its edges do not start behind those of the node before, within the edge array",
            Self::Childless => "its mark for having no children is wrong",
            Self::Oversize => "it has more edges than the local edge array, and nothing spills",
            Self::Level => "its level is neither that of the node before nor one above",
            Self::Parents => "it has parents at level 0, or none above",
            Self::Part => "it is a producer that has parents, or a consumer that has children",
        }
    }
}

impl GraphFaultKind {
    /// One sentence for a person.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::EdgeOrder => "an edge leads from it to itself or to a lower node",
            Self::ParentUnderflow => "more edges lead to it than it has parents",
            Self::ParentExcess => "fewer edges lead to it than it has parents",
        }
    }
}
