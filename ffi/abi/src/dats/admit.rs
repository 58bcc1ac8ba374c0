//! The admission check.

use gpusched::dats::{Admission, MAX_EDGES, MAX_NODES, NodeId, admit};

use super::config::gpusched_dgb_config;
use super::graph::{edges as edge_array, nodes as node_array};
use crate::GPUSCHED_NONE;
use crate::config::read_checked;
use crate::object::{array_mut, put_unless_null, writable, writable_or_null};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Whether a graph can deadlock the buffer. It is about `spill` off, whatever the configuration says; with it every graph completes.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_admission {
    /// No schedule deadlocks, at any number of SMXs, policy and latency.
    Safe = 0,
    /// Some schedule may deadlock: the smallest node at which the window may stop is told.
    MayDeadlock = 1,
    /// Every schedule deadlocks: the smallest node at which the window stops is told.
    Deadlocks = 2,
    /// A node has more edges than the LEA, so it can never enter the window: the smallest such is told.
    Oversize = 3,
}

/// Tells, before a launch, whether a graph can deadlock the buffer, in O(v + e). It is for graphs as a builder makes them: of another
/// one it may say something wrong, nothing worse.
///
/// @param config     An initialised configuration.
/// @param nodes      The node array: v entries.
/// @param v          Their number, at most 65535.
/// @param edges      The edge array: e entries.
/// @param e          Their number, at most 2^31-1.
/// @param scratch    v counters for the way, whatever they hold.
/// @param admission  Receives a gpusched_admission.
/// @param node       Receives the node that it is about; GPUSCHED_NONE if the graph is safe. May be null.
/// @return BadConfig, TooManyNodes, TooManyEdges; Null, Misaligned, BadStructSize, WrongVersion, Capacity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_admit(
    config: *const gpusched_dgb_config,
    nodes: *const u64,
    v: u32,
    edges: *const u16,
    e: u32,
    scratch: *mut u32,
    admission: *mut u32,
    node: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        read_checked(config).and_then(|config| {
            if v > MAX_NODES {
                return Err(Status::TooManyNodes);
            }
            if e > MAX_EDGES {
                return Err(Status::TooManyEdges);
            }
            let (admission, node) = (writable(admission)?, writable_or_null(node)?);
            let (nodes, edges) = (node_array(nodes, v as usize)?, edge_array(edges, e as usize)?);
            let scratch = array_mut(scratch, v as usize)?;
            let found = admit(&config, nodes, edges, scratch).map_err(|_| Status::StorageTooSmall)?;
            let (verdict, at) = told(found);
            admission.write(verdict as u32);
            put_unless_null(node, at.map_or(GPUSCHED_NONE, u32::from));
            Ok(())
        })
    })
}

fn told(admission: Admission) -> (gpusched_admission, Option<NodeId>) {
    match admission {
        Admission::Safe => (gpusched_admission::Safe, None),
        Admission::MayDeadlock { node } => (gpusched_admission::MayDeadlock, Some(node)),
        Admission::Deadlocks { node } => (gpusched_admission::Deadlocks, Some(node)),
        Admission::Oversize { node } => (gpusched_admission::Oversize, Some(node)),
    }
}
