//! The dependency-graph buffer (DGB): its registers, and how a graph begins and is given up (`dats`, sections L and A).

use core::num::NonZeroU32;

use crate::base::id::{KernelSlot, SmxId};
use crate::base::set::SmxSet;
use crate::base::table::{Rows, Table};
use crate::dats::answer::{GraphError, GraphFaultKind};
use crate::dats::config::DgbConfig;
use crate::dats::graph::{GraphHeader, MAX_EDGES, MAX_NODES, Node, NodeId};
use crate::dats::slots::NodeSets;
use crate::dats::window::{EdgeSlot, LocalNode, NibSlot, NodeSlot, PubSlot};

/// What the buffer is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Phase {
    /// There is no graph.
    #[default]
    Idle,
    /// A graph runs.
    Running,
    /// The graph is complete.
    Finished,
    /// The graph's memory contradicts itself; only `abort` helps.
    Faulted {
        /// How.
        kind: GraphFaultKind,
        /// Where.
        node: NodeId,
    },
}

/// A request in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Fetch {
    pub(super) tag: u32,
    pub(super) count: u32,
}

/// A node whose edges are applied one at a time, because its updates do not fit (dats-H1) or its edges do not (dats-H2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Spill {
    /// The node: the tail.
    pub(super) node: u32,
    /// Its first edge that was not applied.
    pub(super) cursor: u32,
    /// The update of this edge that goes to memory.
    pub(super) decrement: Option<Decrement>,
}

/// An update that goes to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Decrement {
    pub(super) node: NodeId,
    /// Of the request, once it is in flight.
    pub(super) tag: Option<u32>,
}

/// Statistics of one graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DgbStats {
    /// Nodes dispatched.
    pub dispatched: u32,
    /// Requests for nodes.
    pub node_requests: u32,
    /// Requests for edges.
    pub edge_requests: u32,
    /// Updates that went to memory.
    pub spills: u32,
    /// The most entries that the PUB held.
    pub pub_max: u32,
    /// The greatest distance between the levels of nodes that executed at the same time.
    pub max_level_range: u32,
}

/// The registers. All are 0 or none while there is no graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Registers {
    pub(super) kde: KernelSlot,
    pub(super) graph: GraphHeader,
    /// The oldest node that is not done.
    pub(super) tail: u32,
    /// The first node that was not inserted.
    pub(super) head: u32,
    /// The first node that has not landed.
    pub(super) fetched: u32,
    /// The first edge that was not applied, in the order of nodes.
    pub(super) tail_edge: u32,
    /// The first edge that is not on chip.
    pub(super) edge_head: u32,
    pub(super) nodes_in_flight: Option<Fetch>,
    pub(super) edges_in_flight: Option<Fetch>,
    pub(super) spill: Option<Spill>,
    /// The node at which the window can never move again.
    pub(super) deadlock: Option<u32>,
    /// The last node that landed.
    pub(super) landed: Node,
    /// Nodes whose TBs run.
    pub(super) executing: u32,
    pub(super) stats: DgbStats,
}

/// The configured sizes of the rings, for a modulus that cannot fail, and the SMXs that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Rings {
    pub(super) lna: NonZeroU32,
    pub(super) lea: NonZeroU32,
    pub(super) smxs: SmxSet,
}

impl Rings {
    fn of(config: &DgbConfig) -> Self {
        // No size of a checked configuration is 0.
        let size = |n| NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
        Self { lna: size(config.lna), lea: size(config.lea), smxs: SmxSet::first(config.smxs) }
    }
}

/// The dependency-graph buffer on rows of any home. [`Dgb`](super::Dgb) is this with the tables of one home.
///
/// It has no clock: calls act in their order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Buffer<N, E, P, I, W> {
    pub(super) config: DgbConfig,
    pub(super) rings: Rings,
    pub(super) local_nodes: Table<NodeSlot, LocalNode, N>,
    pub(super) local_edges: Table<EdgeSlot, NodeId, E>,
    pub(super) pending_updates: Table<PubSlot, NodeId, P>,
    pub(super) pub_len: u32,
    pub(super) insertions: Table<NibSlot, Node, I>,
    pub(super) sets: NodeSets<W>,
    pub(super) phase: Phase,
    pub(super) regs: Registers,
    /// The SMX that is tried first. Goes on from graph to graph (dats-A15).
    pub(super) next_smx: SmxId,
    /// The tag of the next request. Goes on from graph to graph, so that a late answer meets `StaleTag` (dats-H12).
    pub(super) next_tag: u32,
}

impl GraphHeader {
    /// The checks of a launch from `TooManyNodes` on (dats-L1).
    pub(crate) fn check(&self, config: &DgbConfig) -> Result<(), GraphError> {
        if self.v > MAX_NODES {
            return Err(GraphError::TooManyNodes);
        }
        if self.e > MAX_EDGES {
            return Err(GraphError::TooManyEdges);
        }
        let chunk = u64::from(config.chunk_bytes);
        if !self.node_base.is_multiple_of(chunk) || !self.edge_base.is_multiple_of(chunk) {
            return Err(GraphError::Misaligned);
        }
        let ends = |base: u64, bytes: u64| bytes == 0 || base.checked_add(bytes - 1).is_some();
        if ends(self.node_base, 8 * u64::from(self.v)) && ends(self.edge_base, 2 * u64::from(self.e)) {
            Ok(())
        } else {
            Err(GraphError::AddressOverflow)
        }
    }
}

impl<N, E, P, I, W> Buffer<N, E, P, I, W>
where
    N: Rows<LocalNode>,
    E: Rows<NodeId>,
    P: Rows<NodeId>,
    I: Rows<Node>,
    W: Rows<u64>,
{
    /// A buffer without a graph, of a checked configuration and on rows that are enough.
    pub(crate) fn empty(config: &DgbConfig, rows: (N, E, P, I, W)) -> Self {
        let (local_nodes, local_edges, pending_updates, insertions, words) = rows;
        Self {
            config: *config,
            rings: Rings::of(config),
            local_nodes: Table::new(local_nodes),
            local_edges: Table::new(local_edges),
            pending_updates: Table::new(pending_updates),
            pub_len: 0,
            insertions: Table::new(insertions),
            sets: NodeSets::new(words, config.lna),
            phase: Phase::Idle,
            regs: Registers::default(),
            next_smx: SmxId(0),
            next_tag: 0,
        }
    }

    /// Starts a graph (dats-L1, dats-L2). The kernel's entry is told back with each dispatch.
    ///
    /// # Errors
    /// `GraphFault`, `Busy`, `EmptyGraph`, `TooManyNodes`, `TooManyEdges`, `Misaligned`, `AddressOverflow`.
    pub fn launch(&mut self, kde: KernelSlot, graph: &GraphHeader) -> Result<(), GraphError> {
        self.check_fault()?;
        if self.phase == Phase::Running {
            return Err(GraphError::Busy);
        }
        if graph.v == 0 {
            return Err(GraphError::EmptyGraph);
        }
        graph.check(&self.config)?;
        self.regs = Registers { kde, graph: *graph, ..Registers::default() };
        self.phase = Phase::Running;
        Ok(())
    }

    /// Gives the graph up, in any state: a fault is cleared, late answers meet `StaleTag` (dats-X1). How many of its TBs still run; the
    /// host has to reap them.
    pub fn abort(&mut self) -> u32 {
        let executing = self.regs.executing;
        self.clear();
        executing
    }

    /// `GraphFault` from the event that met it to the abort.
    #[inline]
    pub(super) fn check_fault(&self) -> Result<(), GraphError> {
        match self.phase {
            Phase::Faulted { kind, node } => Err(GraphError::GraphFault { kind, node }),
            _ => Ok(()),
        }
    }
}
