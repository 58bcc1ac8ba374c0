//! A dependency graph as it lies in memory, and what a refusal of one is about.

use core::mem::{align_of, size_of};

use gpusched::dats::{GraphError, GraphHeader, GraphPolicy, Node, NodeId};

use crate::GPUSCHED_NONE;
use crate::object::{array, put_unless_null};
use crate::status::gpusched_status as Status;

/// In which order ready nodes are dispatched. Both take the smallest VID and go round the SMXs.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_graph_policy {
    /// Local round robin: a ready node may run, however far it is ahead.
    Lrr = 0,
    /// Level-bound: nodes that run are at most `bound` levels apart. 3 was evaluated; 0 runs level by level.
    Lvl = 1,
}

/// One parent in an entry of the node array: what a decrement subtracts there.
///
/// An entry of the node array is a number of 64 bits, from bit 0 upward: the index of the node's first child in the edge array (31
/// bits; the sum of the child counts of all lower VIDs, also for nodes without children), whether it has no children (1), the number
/// of its parents (16), its level (16). An entry of the edge array is the VID of a child.
pub const GPUSCHED_ONE_PARENT: u64 = 0x1_0000_0000;

/// A dependency graph on its way into the buffer: what a launch says of it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_graph_header {
    /// Address of the node array, a multiple of the chunk. It is told back with requests, and never followed.
    pub node_base: u64,
    /// Address of the edge array, a multiple of the chunk.
    pub edge_base: u64,
    /// V: nodes, 1 to 65535.
    pub v: u32,
    /// E: edges, at most 2^31-1.
    pub e: u32,
    /// gpusched_graph_policy.
    pub policy: u32,
    /// LVL: the greatest distance, 0 to 65535. LRR has none; 0 when told.
    pub bound: u32,
}

impl From<&GraphHeader> for gpusched_graph_header {
    fn from(&GraphHeader { v, e, node_base, edge_base, policy }: &GraphHeader) -> Self {
        let (policy, bound) = told_policy(policy);
        Self { node_base, edge_base, v, e, policy, bound }
    }
}

impl gpusched_graph_header {
    /// The core's header.
    ///
    /// # Errors
    /// `BadGraphPolicy`.
    pub(crate) fn to_core(self) -> Result<GraphHeader, Status> {
        let Self { node_base, edge_base, v, e, policy, bound } = self;
        Ok(GraphHeader { v, e, node_base, edge_base, policy: core_policy(policy, bound)? })
    }
}

/// A policy and its bound as C has them.
pub(crate) fn told_policy(policy: GraphPolicy) -> (u32, u32) {
    match policy {
        GraphPolicy::Lrr => (gpusched_graph_policy::Lrr as u32, 0),
        GraphPolicy::Lvl { bound } => (gpusched_graph_policy::Lvl as u32, bound.into()),
    }
}

/// The policy that C's two numbers stand for.
///
/// # Errors
/// `BadGraphPolicy`.
pub(crate) fn core_policy(policy: u32, bound: u32) -> Result<GraphPolicy, Status> {
    const LRR: u32 = gpusched_graph_policy::Lrr as u32;
    const LVL: u32 = gpusched_graph_policy::Lvl as u32;
    match (policy, u16::try_from(bound)) {
        (LRR, _) => Ok(GraphPolicy::Lrr),
        (LVL, Ok(bound)) => Ok(GraphPolicy::Lvl { bound }),
        _ => Err(Status::BadGraphPolicy),
    }
}

/// What is wrong with a node that memory answered: `what` of a gpusched_graph_error that comes with BadGraph.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_node_flaw {
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
}

/// How a graph's memory contradicts itself in a way that no single chunk shows: `what` of a gpusched_graph_error that comes with
/// GraphFault.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_graph_fault {
    /// An edge leads from this node to itself or back.
    EdgeOrder = 1,
    /// More edges lead to this node than it has parents.
    ParentUnderflow = 2,
    /// Fewer edges lead to this node than it has parents.
    ParentExcess = 3,
}

/// What a refusal of a graph is about. What has no meaning for a status is GPUSCHED_NONE, or 0 in `what`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct gpusched_graph_error {
    /// BadGraph, GraphFault: the VID.
    pub node: u32,
    /// BadEdge: the index in the edge array.
    pub edge: u32,
    /// BadSmx: the smallest that does not exist.
    pub smx: u32,
    /// Cycle: the smallest linear index of a TB on it or behind it.
    pub tb: u32,
    /// BadGraph: a gpusched_node_flaw. GraphFault: a gpusched_graph_fault.
    pub what: u32,
}

impl Default for gpusched_graph_error {
    fn default() -> Self {
        Self { node: GPUSCHED_NONE, edge: GPUSCHED_NONE, smx: GPUSCHED_NONE, tb: GPUSCHED_NONE, what: 0 }
    }
}

impl From<GraphError> for gpusched_graph_error {
    fn from(error: GraphError) -> Self {
        match error {
            GraphError::BadGraph { node, what } => Self { node: node.into(), what: what as u32, ..Self::default() },
            GraphError::GraphFault { kind, node } => Self { node: node.into(), what: kind as u32, ..Self::default() },
            GraphError::BadEdge { edge } => Self { edge, ..Self::default() },
            GraphError::BadSmx { smx } => Self { smx: smx.into(), ..Self::default() },
            _ => Self::default(),
        }
    }
}

// The numbers are the core's.
const _: () = {
    use gpusched::dats::{GraphFaultKind, NodeFlaw};
    assert!(gpusched_node_flaw::EdgeStart as u32 == NodeFlaw::EdgeStart as u32);
    assert!(gpusched_node_flaw::Childless as u32 == NodeFlaw::Childless as u32);
    assert!(gpusched_node_flaw::Oversize as u32 == NodeFlaw::Oversize as u32);
    assert!(gpusched_node_flaw::Level as u32 == NodeFlaw::Level as u32);
    assert!(gpusched_node_flaw::Parents as u32 == NodeFlaw::Parents as u32);
    assert!(gpusched_graph_fault::EdgeOrder as u32 == GraphFaultKind::EdgeOrder as u32);
    assert!(gpusched_graph_fault::ParentUnderflow as u32 == GraphFaultKind::ParentUnderflow as u32);
    assert!(gpusched_graph_fault::ParentExcess as u32 == GraphFaultKind::ParentExcess as u32);
};

/// The value of a call, or the status of its refusal, whose details go to `error`.
///
/// # Errors
/// That of the refusal.
///
/// # Safety
/// As [`put_unless_null`].
#[inline]
pub(crate) unsafe fn or_tell<V>(result: Result<V, GraphError>, error: *mut gpusched_graph_error) -> Result<V, Status> {
    result.map_err(|refused| {
        // SAFETY: the caller's contract.
        unsafe { put_unless_null(error, refused.into()) };
        refused.fault().into()
    })
}

// Callers' arrays are read in place as the core's types, which are numbers.
const _: () = {
    assert!(size_of::<Node>() == size_of::<u64>() && align_of::<Node>() == align_of::<u64>());
    assert!(size_of::<NodeId>() == size_of::<u16>() && align_of::<NodeId>() == align_of::<u16>());
};

/// Entries of a node array.
///
/// # Errors
/// As [`array`].
///
/// # Safety
/// As [`array`].
#[inline]
pub(crate) unsafe fn nodes<'a>(first: *const u64, count: usize) -> Result<&'a [Node], Status> {
    // SAFETY: the caller's contract; the types lie alike.
    unsafe { array(first.cast::<Node>(), count) }
}

/// Entries of an edge array.
///
/// # Errors
/// As [`array`].
///
/// # Safety
/// As [`array`].
#[inline]
pub(crate) unsafe fn edges<'a>(first: *const u16, count: usize) -> Result<&'a [NodeId], Status> {
    // SAFETY: the caller's contract; the types lie alike.
    unsafe { array(first.cast::<NodeId>(), count) }
}
