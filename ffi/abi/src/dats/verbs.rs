//! What a host tells the buffer, and what it decides.

use gpusched::dats::{Completion, GraphLaunch, Pending, Report, Request, Selection, Stall};
use gpusched::{KernelSlot, SmxSet};

use super::graph::{edges as edge_array, gpusched_graph_error, gpusched_graph_header, nodes as node_array, or_tell};
use super::{Object, gpusched_dgb};
use crate::ids::node_id;
use crate::object::{enter, get, put_unless_null, writable, writable_or_null};
use crate::smx::gpusched_smx_set;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// What is asked of memory: `kind` of a gpusched_graph_request.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_graph_request_kind {
    /// Nothing is due; the other fields are 0.
    None = 0,
    /// Read entries of the node array, of 8 bytes each.
    Nodes = 1,
    /// Read entries of the edge array, of 2 bytes each, all of one chunk.
    Edges = 2,
    /// Subtract GPUSCHED_ONE_PARENT from an entry of the node array, before any later read of it.
    Decrement = 3,
}

/// A memory request. The host answers it under its tag, after any time, requests of different kinds in any order.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_graph_request {
    /// Address of the first entry.
    pub addr: u64,
    /// gpusched_graph_request_kind.
    pub kind: u32,
    /// To be named in the answer.
    pub tag: u32,
    /// The first entry: a VID, or an index in the edge array.
    pub first: u32,
    /// Entries; 1 for a decrement.
    pub count: u32,
}

impl From<Option<Request>> for gpusched_graph_request {
    fn from(request: Option<Request>) -> Self {
        use gpusched_graph_request_kind as Kind;
        match request {
            None => Self::default(),
            Some(Request::Nodes { tag, first, count, addr }) => {
                Self { addr, kind: Kind::Nodes as u32, tag, first, count }
            }
            Some(Request::Edges { tag, first, count, addr }) => {
                Self { addr, kind: Kind::Edges as u32, tag, first, count }
            }
            Some(Request::Decrement { tag, node, addr }) => {
                Self { addr, kind: Kind::Decrement as u32, tag, first: node.into(), count: 1 }
            }
        }
    }
}

/// What keeps a node from being final although its TB has ended: `pending` of a gpusched_graph_report.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_graph_pending {
    /// Nothing.
    None = 0,
    /// Its edges are not on chip.
    Edges = 1,
    /// The PUB has too little room.
    Pub = 2,
    /// It has more edges than the LEA, and is not the oldest node yet.
    Tail = 3,
    /// Its edges are being applied one at a time.
    Spill = 4,
}

/// What an event set in motion inside the buffer. A host that charges time for the buffer's work charges it from these.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_graph_report {
    /// Nodes that became final: D.
    pub finalised: u32,
    /// Edges applied.
    pub updates: u32,
    /// Entries put into the PUB.
    pub pub_in: u32,
    /// Entries taken out of the PUB.
    pub pub_out: u32,
    /// Nodes inserted into the window.
    pub inserted: u32,
    /// Nodes that became ready: R.
    pub readied: u32,
    /// 1 if the graph is done, else 0.
    pub finished: u32,
    /// Behind the end of a TB: gpusched_graph_pending, of its node. Else 0.
    pub pending: u32,
}

impl From<Report> for gpusched_graph_report {
    fn from(report: Report) -> Self {
        let Report { finalised, updates, pub_in, pub_out, inserted, readied, finished } = report;
        Self { finalised, updates, pub_in, pub_out, inserted, readied, finished: finished.into(), pending: 0 }
    }
}

impl From<Completion> for gpusched_graph_report {
    fn from(Completion { report, pending }: Completion) -> Self {
        let pending = match pending {
            None => gpusched_graph_pending::None,
            Some(Pending::Edges) => gpusched_graph_pending::Edges,
            Some(Pending::Pub) => gpusched_graph_pending::Pub,
            Some(Pending::Tail) => gpusched_graph_pending::Tail,
            Some(Pending::Spill) => gpusched_graph_pending::Spill,
        };
        Self { pending: pending as u32, ..report.into() }
    }
}

/// What the buffer decided: `sched` of a gpusched_dgb_selection.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_dgb_sched {
    /// Run this node: `kde`, `node`, `smx`. The other words leave these fields 0.
    Dispatch = 0,
    /// Every node of the window waits for parents, runs, or is done.
    NoReady = 1,
    /// The ready nodes wait for their successor's entry or for edges.
    Head = 2,
    /// The ready node is too far ahead.
    LevelBound = 3,
    /// No SMX has room.
    NoSmx = 4,
    /// The window can never move again, though TBs may still end: abort the graph, and launch it with spill or a larger window.
    Deadlock = 5,
    /// The graph is complete.
    Finished = 6,
}

/// What the buffer decided.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_dgb_selection {
    /// gpusched_dgb_sched.
    pub sched: u32,
    /// The kernel's entry, as its launch told it.
    pub kde: u32,
    /// The node, whose TB is `order[node]` of its graph.
    pub node: u32,
    /// The SMX.
    pub smx: u32,
}

impl From<Selection> for gpusched_dgb_selection {
    fn from(selection: Selection) -> Self {
        use gpusched_dgb_sched as Sched;
        let of_sched = |sched: Sched| Self { sched: sched as u32, ..Self::default() };
        match selection {
            Selection::Dispatch { kdei, node, smx } => {
                Self { kde: kdei.into(), node: node.into(), smx: smx.into(), ..of_sched(Sched::Dispatch) }
            }
            Selection::Stall(Stall::NoReady) => of_sched(Sched::NoReady),
            Selection::Stall(Stall::Head) => of_sched(Sched::Head),
            Selection::Stall(Stall::LevelBound) => of_sched(Sched::LevelBound),
            Selection::Stall(Stall::NoSmx) => of_sched(Sched::NoSmx),
            Selection::Stall(Stall::Deadlock) => of_sched(Sched::Deadlock),
            Selection::Finished => of_sched(Sched::Finished),
        }
    }
}

/// Starts a graph.
///
/// @param dgb    The buffer.
/// @param kde    The kernel's entry, 0 to 255: opaque, and told back with each dispatch.
/// @param graph  Read.
/// @param error  If the buffer refuses, receives the details. May be null.
/// @return BadKde, BadGraphPolicy; GraphFault, Busy, EmptyGraph, TooManyNodes, TooManyEdges, MisalignedArray, AddressOverflow; Null,
/// Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_launch(
    dgb: *mut gpusched_dgb,
    kde: u32,
    graph: *const gpusched_graph_header,
    error: *mut gpusched_graph_error,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(dgb).and_then(|dgb| {
            let (graph, error) = (*get(graph)?, writable_or_null(error)?);
            let kdei = KernelSlot(kde.try_into().map_err(|_| Status::BadKde)?);
            or_tell(dgb.launch(&GraphLaunch { kdei, graph: graph.to_core()? }), error)
        })
    })
}

/// Tells the next memory request, if one is due: call it until none is. At most one of each kind is in flight.
///
/// @param dgb      The buffer.
/// @param request  Receives the request.
/// @param error    If the buffer refuses, receives the details. May be null.
/// @return GraphFault; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_poll(
    dgb: *mut gpusched_dgb,
    request: *mut gpusched_graph_request,
    error: *mut gpusched_graph_error,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(dgb).and_then(|dgb| {
            let (request, error) = (writable(request)?, writable_or_null(error)?);
            request.write(or_tell(dgb.poll(), error)?.into());
            Ok(())
        })
    })
}

/// Memory answers a request for nodes.
///
/// @param dgb      The buffer.
/// @param tag      That of the request.
/// @param entries  count entries of the node array.
/// @param count    As many as were asked for.
/// @param report   Receives what it set in motion. May be null.
/// @param error    If the buffer refuses, receives the details. May be null.
/// @return GraphFault; StaleTag; BadLength, BadGraph: the request is still in flight; Null, Misaligned, Capacity; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_nodes(
    dgb: *mut gpusched_dgb,
    tag: u32,
    entries: *const u64,
    count: usize,
    report: *mut gpusched_graph_report,
    error: *mut gpusched_graph_error,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(dgb).and_then(|dgb| {
            let (report, error) = (writable_or_null(report)?, writable_or_null(error)?);
            let entries = node_array(entries, count)?;
            put_unless_null(report, or_tell(dgb.nodes(tag, entries), error)?.into());
            Ok(())
        })
    })
}

/// Memory answers a request for edges.
///
/// @param dgb      The buffer.
/// @param tag      That of the request.
/// @param targets  count entries of the edge array.
/// @param count    As many as were asked for.
/// @param report   Receives what it set in motion. May be null.
/// @param error    If the buffer refuses, receives the details. May be null.
/// @return GraphFault; StaleTag; BadLength, BadEdge: the request is still in flight; Null, Misaligned, Capacity; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_edges(
    dgb: *mut gpusched_dgb,
    tag: u32,
    targets: *const u16,
    count: usize,
    report: *mut gpusched_graph_report,
    error: *mut gpusched_graph_error,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(dgb).and_then(|dgb| {
            let (report, error) = (writable_or_null(report)?, writable_or_null(error)?);
            let targets = edge_array(targets, count)?;
            put_unless_null(report, or_tell(dgb.edges(tag, targets), error)?.into());
            Ok(())
        })
    })
}

/// Memory has carried out a decrement.
///
/// @param dgb     The buffer.
/// @param tag     That of the request.
/// @param report  Receives what it set in motion. May be null.
/// @param error   If the buffer refuses, receives the details. May be null.
/// @return GraphFault, StaleTag; Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_spilled(
    dgb: *mut gpusched_dgb,
    tag: u32,
    report: *mut gpusched_graph_report,
    error: *mut gpusched_graph_error,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(dgb).and_then(|dgb| {
            let (report, error) = (writable_or_null(report)?, writable_or_null(error)?);
            put_unless_null(report, or_tell(dgb.spilled(tag), error)?.into());
            Ok(())
        })
    })
}

/// Dispatches the next node to one of the SMXs that have room for it, or says why not. The hardware issues one TB per cycle, so a host
/// calls this once per cycle.
///
/// @param dgb        The buffer.
/// @param fits       The SMXs that have room for one more TB.
/// @param selection  Receives what it decided.
/// @param error      If the buffer refuses, receives the details. May be null.
/// @return GraphFault, NotLaunched, BadSmx; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_select(
    dgb: *mut gpusched_dgb,
    fits: *const gpusched_smx_set,
    selection: *mut gpusched_dgb_selection,
    error: *mut gpusched_graph_error,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(dgb).and_then(|dgb| {
            let fits = SmxSet::from_words(get(fits)?.words);
            let (selection, error) = (writable(selection)?, writable_or_null(error)?);
            selection.write(or_tell(dgb.select(&fits), error)?.into());
            Ok(())
        })
    })
}

/// The TB of a node has ended. It has left its SMX, whether or not the node can be final now.
///
/// @param dgb     The buffer.
/// @param node    The node.
/// @param report  Receives what it set in motion. May be null.
/// @param error   If the buffer refuses, receives the details. May be null.
/// @return GraphFault, NotLaunched, NotRunning; Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_complete(
    dgb: *mut gpusched_dgb,
    node: u32,
    report: *mut gpusched_graph_report,
    error: *mut gpusched_graph_error,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(dgb).and_then(|dgb| {
            let (report, error) = (writable_or_null(report)?, writable_or_null(error)?);
            put_unless_null(report, or_tell(dgb.complete(node_id(node)), error)?.into());
            Ok(())
        })
    })
}

/// Gives the graph up, in any state: a fault is cleared, and late answers meet StaleTag.
///
/// @param dgb        The buffer.
/// @param executing  Receives how many of its TBs still run; the host has to reap them. May be null.
/// @return Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_abort(dgb: *mut gpusched_dgb, executing: *mut u32) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(dgb).and_then(|dgb| {
            let executing = writable_or_null(executing)?;
            put_unless_null(executing, dgb.abort());
            Ok(())
        })
    })
}
