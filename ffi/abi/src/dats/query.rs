//! Queries: the whole visible state. None changes anything, and several threads may ask at once as long as none changes the object.

use gpusched::dats::{DgbStats, LocalNode, NodeId, NodeState, Phase, Window};

use super::config::gpusched_dgb_config;
use super::graph::gpusched_graph_header;
use super::{Inner, Object, gpusched_dgb};
use crate::GPUSCHED_NONE;
use crate::config::write;
use crate::object::{inspect, put, put_list};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// The configuration.
///
/// @param size  sizeof(gpusched_dgb_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_get_config(
    dgb: *const gpusched_dgb,
    config: *mut gpusched_dgb_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(dgb).and_then(|dgb| write(config, size, &gpusched_dgb_config::of(dgb.config())))
    })
}

/// What the buffer is doing.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_dgb_phase {
    /// There is no graph.
    Idle = 0,
    /// A graph runs.
    Running = 1,
    /// The graph is complete.
    Finished = 2,
    /// The graph's memory contradicts itself; only an abort helps.
    Faulted = 3,
}

/// What the buffer is doing, and where the window stands, in nodes and edges of the graph.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_dgb_state {
    /// gpusched_dgb_phase.
    pub phase: u32,
    /// If it is faulted, gpusched_graph_fault: how. Else 0.
    pub fault: u32,
    /// If it is faulted: where. Else GPUSCHED_NONE.
    pub fault_node: u32,
    /// The oldest node that is not done; v at the end.
    pub tail: u32,
    /// The first node that was not inserted.
    pub head: u32,
    /// The first node that has not landed.
    pub fetched: u32,
    /// The first edge whose slot is in use.
    pub tail_edge: u32,
    /// The first edge that is not on chip.
    pub edge_head: u32,
    /// Nodes whose TBs run.
    pub executing: u32,
    /// The node whose edges are applied one at a time; GPUSCHED_NONE if there is none.
    pub spilling: u32,
    /// The node at which the window can never move again; GPUSCHED_NONE if there is none.
    pub deadlock: u32,
    /// The SMX that is tried first. Goes on from graph to graph.
    pub next_smx: u32,
    /// The node that would be dispatched now if an SMX had room; GPUSCHED_NONE if there is none.
    pub next_node: u32,
    /// 1 if memory owes an answer, or would once it was asked, else 0.
    pub waits_for_memory: u32,
}

/// What the buffer is doing, and where the window stands. After a fault only the fault has a meaning.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_get_state(
    dgb: *const gpusched_dgb,
    state: *mut gpusched_dgb_state,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(dgb).and_then(|dgb| put(state, gpusched_dgb_state::of(dgb))) })
}

impl gpusched_dgb_state {
    pub(crate) fn of(dgb: &Inner) -> Self {
        let Window { tail, head, fetched, tail_edge, edge_head, executing, spilling, deadlock } = dgb.window();
        let (phase, fault, fault_node) = match dgb.phase() {
            Phase::Idle => (gpusched_dgb_phase::Idle, 0, None),
            Phase::Running => (gpusched_dgb_phase::Running, 0, None),
            Phase::Finished => (gpusched_dgb_phase::Finished, 0, None),
            Phase::Faulted { kind, node } => (gpusched_dgb_phase::Faulted, kind as u32, Some(node)),
        };
        Self {
            phase: phase as u32,
            fault,
            fault_node: node_or_none(fault_node),
            tail,
            head,
            fetched,
            tail_edge,
            edge_head,
            executing,
            spilling: node_or_none(spilling),
            deadlock: node_or_none(deadlock),
            next_smx: dgb.next_smx().into(),
            next_node: node_or_none(dgb.next_node()),
            waits_for_memory: dgb.waits_for_memory().into(),
        }
    }
}

fn node_or_none(node: Option<NodeId>) -> u32 {
    node.map_or(GPUSCHED_NONE, u32::from)
}

/// The graph that was launched last.
///
/// @return NotLaunched: there was none, or it was aborted; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_get_graph(
    dgb: *const gpusched_dgb,
    graph: *mut gpusched_graph_header,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(dgb).and_then(|dgb| put(graph, dgb.graph().ok_or(Status::NotLaunched)?.into())) })
}

/// What the buffer counted since the last launch.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_dgb_stats {
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

impl From<DgbStats> for gpusched_dgb_stats {
    fn from(stats: DgbStats) -> Self {
        let DgbStats { dispatched, node_requests, edge_requests, spills, pub_max, max_level_range } = stats;
        Self { dispatched, node_requests, edge_requests, spills, pub_max, max_level_range }
    }
}

/// Statistics of the graph that was launched last.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_get_stats(
    dgb: *const gpusched_dgb,
    stats: *mut gpusched_dgb_stats,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(dgb).and_then(|dgb| put(stats, dgb.stats().into())) })
}

/// State of a node in the window.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_node_state {
    /// W: parents are not final.
    Waiting = 0,
    /// R: may be dispatched.
    Ready = 1,
    /// P: its TB runs.
    Executing = 2,
    /// P: its TB has ended; its children do not know yet.
    Pending = 3,
    /// D: its children know.
    Done = 4,
}

/// A node in the window: its row of the local node array and the node state table.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_dgb_node {
    /// Its VID.
    pub node: u32,
    /// gpusched_node_state.
    pub state: u32,
    /// Parents that are not final.
    pub parents: u32,
    /// Level.
    pub level: u32,
    /// Index of its first edge. The hardware keeps its slot: this modulo lea.
    pub start: u32,
    /// 1 if it has no children, else 0.
    pub childless: u32,
}

impl From<(NodeId, &LocalNode)> for gpusched_dgb_node {
    fn from((node, row): (NodeId, &LocalNode)) -> Self {
        let &LocalNode { state, is_childless, parents, level, start } = row;
        let state = match state {
            NodeState::Waiting => gpusched_node_state::Waiting,
            NodeState::Ready => gpusched_node_state::Ready,
            NodeState::Executing => gpusched_node_state::Executing,
            NodeState::Pending => gpusched_node_state::Pending,
            NodeState::Done => gpusched_node_state::Done,
        };
        Self {
            node: node.into(),
            state: state as u32,
            parents: parents.into(),
            level: level.into(),
            start,
            childless: is_childless.into(),
        }
    }
}

/// Nodes in the window, by VID: `tail` and so on.
///
/// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_resident(
    dgb: *const gpusched_dgb,
    nodes: *mut gpusched_dgb_node,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(dgb)
            .and_then(|dgb| put_list(nodes, capacity, count, dgb.resident().map(gpusched_dgb_node::from)))
    })
}

/// Edges on chip, by their index in the edge array: `tail_edge` and so on. Edge i is in slot i modulo lea.
///
/// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_resident_edges(
    dgb: *const gpusched_dgb,
    targets: *mut u16,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(dgb)
            .and_then(|dgb| put_list(targets, capacity, count, dgb.resident_edges().map(|(_, target)| target.0)))
    })
}

/// The pending update buffer: nodes beyond the window that lost a parent, oldest entry first.
///
/// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_pending_updates(
    dgb: *const gpusched_dgb,
    nodes: *mut u16,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(dgb)
            .and_then(|dgb| put_list(nodes, capacity, count, dgb.pending_updates().map(|node| node.0)))
    })
}

/// The node insertion buffer: entries of the node array that wait for room in the window, by VID: `head` and so on.
///
/// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_landed(
    dgb: *const gpusched_dgb,
    entries: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(dgb)
            .and_then(|dgb| put_list(entries, capacity, count, dgb.landed().map(|(_, entry)| entry.to_bits())))
    })
}
