//! Kernels with dependency graphs, and the dependency-graph buffer as a part of a front end: launches, answers from memory, and what
//! the buffer holds. The buffer that stands alone has the same records.

use gpusched::Descriptor;
use gpusched::dats::{Buffer, LocalNode, Node, NodeId};

use super::Object;
use crate::config::write;
use crate::convert::{ToC, from_c};
use crate::dgb::*;
use crate::frontend::{gpusched_frontend, gpusched_kernel};
use crate::object::*;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Launches a kernel from the host whose TBs are the nodes of a dependency graph, in place of those of its grid: it sends each as soon
/// as the nodes before it have ended. It waits in the hardware work queue of its stream, and then until the buffer is free. The host
/// answers the requests of gpusched_frontend_graph_poll from then on.
///
/// @param frontend  The front end.
/// @param stream    Any number; streams share a queue if they are equal modulo n_hwq.
/// @param kernel    Read. Its grid has as many TBs as the graph has nodes.
/// @param retain    As of gpusched_frontend_host_launch; a kernel with a graph cannot be retained.
/// @param graph     Read.
/// @param queue     Receives the queue. May be null.
/// @return EmptyGrid, GridTooLarge, EmptyTb, TbTooBig, NoDgb, GraphRetain, GraphSize, TooManyNodes, TooManyEdges,
/// MisalignedArray, AddressOverflow, HwqFull; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_host_launch_graph(
    frontend: *mut gpusched_frontend,
    stream: u32,
    kernel: *const gpusched_kernel,
    retain: u32,
    graph: *const gpusched_dgb_header,
    queue: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract; the two types of kernels lie alike.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let (kernel, graph) = (get(kernel.cast::<Descriptor>())?, from_c(*get(graph)?));
            let queue = writable_or_null(queue)?;
            let held = object.machine.host_launch_graph(stream, kernel, retain != 0, &graph)?;
            put_unless_null(queue, held.0.into());
            Ok(())
        })
    })
}

/// Tells the next memory request of the graph that runs, if one is due: call it until none is, after the calls of a cycle and before
/// its tick. At most one of each kind is in flight.
///
/// @param frontend  The front end.
/// @param request   Receives the request.
/// @param error     If the buffer refuses, receives the details. May be null.
/// @return NoDgb, GraphFault; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_graph_poll(
    frontend: *mut gpusched_frontend,
    request: *mut gpusched_dgb_request,
    error: *mut gpusched_dgb_error,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let error = writable_or_null(error)?;
            give_or_zero(request, || object.machine.graph_poll().map_err(|refusal| refused(error, refusal)))
        })
    })
}

/// Memory answers a request for nodes.
///
/// @param frontend  The front end.
/// @param tag       That of the request.
/// @param entries   count entries of the node array.
/// @param count     As many as were asked for.
/// @param report    Receives what it set in motion. May be null.
/// @param error     If the buffer refuses, receives the details. May be null.
/// @return NoDgb, GraphFault; StaleTag; BadLength, BadGraph: the request is still in flight; Unread; Null, Misaligned, Capacity; those
/// of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_graph_nodes(
    frontend: *mut gpusched_frontend,
    tag: u32,
    entries: *const u64,
    count: usize,
    report: *mut gpusched_dgb_report,
    error: *mut gpusched_dgb_error,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let (error, entries) = (writable_or_null(error)?, in_place::<Node, _>(entries, count)?);
            give_unless_null(report, || {
                // The end of the graph, or its fault.
                object.room(1)?;
                object.machine.graph_nodes(tag, entries, &mut object.probe).map_err(|refusal| refused(error, refusal))
            })
        })
    })
}

/// Memory answers a request for edges.
///
/// @param frontend  The front end.
/// @param tag       That of the request.
/// @param targets   count entries of the edge array.
/// @param count     As many as were asked for.
/// @param report    Receives what it set in motion. May be null.
/// @param error     If the buffer refuses, receives the details. May be null.
/// @return NoDgb, GraphFault; StaleTag; BadLength, BadEdge: the request is still in flight; Unread; Null, Misaligned, Capacity; those
/// of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_graph_edges(
    frontend: *mut gpusched_frontend,
    tag: u32,
    targets: *const u16,
    count: usize,
    report: *mut gpusched_dgb_report,
    error: *mut gpusched_dgb_error,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let (error, targets) = (writable_or_null(error)?, in_place::<NodeId, _>(targets, count)?);
            give_unless_null(report, || {
                // As of nodes.
                object.room(1)?;
                object.machine.graph_edges(tag, targets, &mut object.probe).map_err(|refusal| refused(error, refusal))
            })
        })
    })
}

/// Memory has carried out a decrement.
///
/// @param frontend  The front end.
/// @param tag       That of the request.
/// @param report    Receives what it set in motion. May be null.
/// @param error     If the buffer refuses, receives the details. May be null.
/// @return NoDgb, GraphFault, StaleTag; Unread; Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_graph_spilled(
    frontend: *mut gpusched_frontend,
    tag: u32,
    report: *mut gpusched_dgb_report,
    error: *mut gpusched_dgb_error,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let error = writable_or_null(error)?;
            give_unless_null(report, || {
                // As of nodes.
                object.room(1)?;
                object.machine.graph_spilled(tag, &mut object.probe).map_err(|refusal| refused(error, refusal))
            })
        })
    })
}

// ---- what the buffer holds

type Rows<R> = &'static mut [R];
type Part = Buffer<Rows<LocalNode>, Rows<NodeId>, Rows<NodeId>, Rows<Node>, Rows<u64>>;

fn dgb(object: &Object) -> Result<&Part, Status> {
    object.machine.dgb().ok_or(Status::NoDgb)
}

/// The dependency-graph buffer as this front end runs it.
///
/// @param size  sizeof(gpusched_dgb_config) in the caller's header.
/// @return NoDgb; Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_dgb_config(
    frontend: *const gpusched_frontend,
    config: *mut gpusched_dgb_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| write(config, size, &gpusched_dgb_config::of(dgb(object)?.config())))
    })
}

/// The entry of the kernel that has the buffer: its graph is on its way, running, or in a fault. GPUSCHED_NONE if the buffer is free.
///
/// @return NoDgb; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_dgb_owner(
    frontend: *const gpusched_frontend,
    kde: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            dgb(object)?;
            put(kde, object.machine.dgb_owner().to_c())
        })
    })
}

/// What the buffer is doing, and where the window stands. After a fault only the fault has a meaning.
///
/// @return NoDgb; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_dgb_state(
    frontend: *const gpusched_frontend,
    state: *mut gpusched_dgb_state,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(frontend).and_then(|object| put(state, dgb(object)?.state().to_c())) })
}

/// The graph that was started last.
///
/// @return NoDgb; NotLaunched: there was none, or it was given up; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_dgb_graph(
    frontend: *const gpusched_frontend,
    graph: *mut gpusched_dgb_header,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| put(graph, dgb(object)?.graph().ok_or(Status::NotLaunched)?.to_c()))
    })
}

/// Statistics of the graph that was started last.
///
/// @return NoDgb; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_dgb_stats(
    frontend: *const gpusched_frontend,
    stats: *mut gpusched_dgb_stats,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(frontend).and_then(|object| put(stats, dgb(object)?.stats().to_c())) })
}

/// Nodes in the window, as of gpusched_dgb_resident.
///
/// @return NoDgb; Capacity: count is more than capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_dgb_resident(
    frontend: *const gpusched_frontend,
    nodes: *mut gpusched_dgb_node,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| put_list(nodes, capacity, count, dgb(object)?.resident().map(ToC::to_c)))
    })
}

/// Edges on chip, as of gpusched_dgb_resident_edges.
///
/// @return NoDgb; Capacity: count is more than capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_dgb_resident_edges(
    frontend: *const gpusched_frontend,
    list: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| put_list(list, capacity, count, dgb(object)?.resident_edges().map(|node| node.to_c())))
    })
}

/// The pending update buffer, as of gpusched_dgb_pending_updates.
///
/// @return NoDgb; Capacity: count is more than capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_dgb_pending_updates(
    frontend: *const gpusched_frontend,
    list: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| put_list(list, capacity, count, dgb(object)?.pending_updates().map(|node| node.to_c())))
    })
}

/// The node insertion buffer, as of gpusched_dgb_landed.
///
/// @return NoDgb; Capacity: count is more than capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_dgb_landed(
    frontend: *const gpusched_frontend,
    entries: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| put_list(entries, capacity, count, dgb(object)?.landed().map(|node| node.to_c())))
    })
}
