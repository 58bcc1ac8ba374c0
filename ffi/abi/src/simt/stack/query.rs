//! Queries: the whole visible state. None changes anything, and several threads may ask at once as long as none changes the object.

use gpusched::simt::stack::Entry;

use super::config::gpusched_stack_config;
use super::verbs::gpusched_running;
use super::{Object, gpusched_stack};
use crate::GPUSCHED_NONE;
use crate::config::write;
use crate::object::{inspect, put, put_list};
use crate::status::{gpusched_status, status};

/// The configuration.
///
/// @param size  sizeof(gpusched_stack_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_stack_get_config(
    stack: *const gpusched_stack,
    config: *mut gpusched_stack_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(stack).and_then(|m| write(config, size, &gpusched_stack_config::of(m.config())))
    })
}

/// What runs, as the last call told it; a warp that has not begun is done. `pops` is 0.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_stack_running(
    stack: *const gpusched_stack,
    running: *mut gpusched_running,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(stack).and_then(|m| {
            let depth = m.entries().len() as u32;
            put(running, gpusched_running { mask: m.mask(), pc: m.pc(), depth, pops: 0, done: (!m.is_live()).into() })
        })
    })
}

/// Lanes that wait for their turn.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_stack_entry {
    /// The lanes, a bit each.
    pub mask: u64,
    /// The PC at which what runs before them ends; GPUSCHED_NONE: only when all of its lanes have exited.
    pub reconv: u32,
    /// Where they go on.
    pub next: u32,
}

impl From<Entry> for gpusched_stack_entry {
    fn from(Entry { reconv, mask, next }: Entry) -> Self {
        Self { mask, reconv: reconv.unwrap_or(GPUSCHED_NONE), next }
    }
}

/// The entries, from the bottom.
///
/// @param stack     The stack.
/// @param entries   Written as far as it reaches.
/// @param capacity  Elements of that array; if it is 0, entries may be null.
/// @param count     Receives their number, also if it is more than that.
/// @return Capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_stack_entries(
    stack: *const gpusched_stack,
    entries: *mut gpusched_stack_entry,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(stack).and_then(|m| put_list(entries, capacity, count, m.entries().map(Into::into)))
    })
}
