//! Queries: the whole visible state. None changes anything, and several threads may ask at once as long as none changes the object.

use gpusched::apogee::{LoadRow, PrefetchState, Row, RowKind, WarpId};

use super::config::gpusched_apogee_config;
use super::verbs::gpusched_apogee_request;
use super::{Object, gpusched_apogee};
use crate::GPUSCHED_NEVER;
use crate::config::write;
use crate::ids::{apogee_row, apogee_warp};
use crate::object::{inspect, put, put_list, writable};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// The configuration.
///
/// @param size  sizeof(gpusched_apogee_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_get_config(
    apogee: *const gpusched_apogee,
    config: *mut gpusched_apogee_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(apogee).and_then(|m| write(config, size, &gpusched_apogee_config::of(m.config())))
    })
}

/// The time of the last load or pop.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_now(apogee: *const gpusched_apogee, cycle: *mut u64) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(apogee).and_then(|m| put(cycle, m.now().0)) })
}

/// The cycle from which the head of the prefetch queue can be popped; GPUSCHED_NEVER while nothing waits.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_next_event(
    apogee: *const gpusched_apogee,
    cycle: *mut u64,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(apogee).and_then(|m| put(cycle, m.next_event().map_or(GPUSCHED_NEVER, |at| at.0)))
    })
}

/// n: threads of the SM.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_threads(apogee: *const gpusched_apogee, n: *mut u32) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(apogee).and_then(|m| put(n, m.threads())) })
}

/// A last accessed load.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_apogee_last_load {
    /// 1 if there is one, else 0.
    pub valid: u32,
    /// Its PC.
    pub pc: u32,
}

/// The last accessed load of a warp; with one register for all warps, that one.
///
/// @return BadWarp; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_get_last_load(
    apogee: *const gpusched_apogee,
    warp: u32,
    last: *mut gpusched_apogee_last_load,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(apogee).and_then(|m| {
            if warp >= m.config().warps {
                return Err(Status::BadWarp);
            }
            let pc = m.last_load(apogee_warp(warp));
            put(last, gpusched_apogee_last_load { valid: pc.is_some().into(), pc: pc.unwrap_or_default() })
        })
    })
}

/// What a row of the prefetch table is for: its PF type.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_apogee_row_type {
    /// Nothing.
    Free = 0,
    /// The load of its PC, which has no offset yet.
    Train = 1,
    /// The load of its PC, with an offset.
    Foa = 2,
    /// The prefetch of what another load will ask for, by the load of its PC.
    Trig = 3,
}

/// What has become of the prefetches of one row for one warp.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_apogee_state {
    /// Nothing is outstanding.
    Idle = 0,
    /// One is on its way to memory.
    Sent = 1,
    /// One has come back.
    Back = 2,
    /// Requested, still in the prefetch queue.
    Queued = 3,
}

/// A row of the prefetch table. Fields that its type has not are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_apogee_row {
    /// Byte address: of the last active thread of the last access, or what to prefetch.
    pub address: u64,
    /// Bit w is the low bit of the state of warp w, a gpusched_apogee_state.
    pub states_low: u64,
    /// Bit w is the high bit of the state of warp w.
    pub states_high: u64,
    /// gpusched_apogee_row_type.
    pub row_type: u32,
    /// The load that reads it: its own, or the trigger.
    pub pc: u32,
    /// Matches of the offset; of a trigger row, a copy of its target's.
    pub confidence: u32,
    /// How often the row was allocated, modulo 2^32.
    pub generation: u32,
    /// Of a load's row: bytes from one thread index to the next; 0 while it trains.
    pub offset: i32,
    /// Of a load's row: lane of the last active thread of the last access; all ones: scalar.
    pub thread: u32,
    /// Of a load's row: iterations from a load to what it prefetches.
    pub distance: u32,
    /// Of a trigger row: PC of the load that it prefetches for.
    pub target: u32,
    /// Of a trigger row: 1 if it did not come in time, else 0.
    pub slow: u32,
}

impl From<&Row> for gpusched_apogee_row {
    fn from(row: &Row) -> Self {
        use gpusched_apogee_row_type as Type;
        let plane = |bit: u32| {
            let has = |w: u32| row.states.of(WarpId(w as u16)) as u32 >> bit & 1 == 1;
            (0..u64::BITS).filter(|&w| has(w)).fold(0, |plane, w| plane | 1 << w)
        };
        let common = Self {
            address: row.address,
            states_low: plane(0),
            states_high: plane(1),
            pc: row.pc,
            confidence: row.confidence.into(),
            generation: row.generation,
            ..Self::default()
        };
        match row.kind {
            RowKind::Free => Self { row_type: Type::Free as u32, ..common },
            RowKind::Load(LoadRow { offset, thread, distance }) => Self {
                row_type: if offset.is_some() { Type::Foa } else { Type::Train } as u32,
                offset: offset.unwrap_or_default(),
                thread: thread.into(),
                distance: distance.into(),
                ..common
            },
            RowKind::Trigger { target, slow } => {
                Self { row_type: Type::Trig as u32, target, slow: slow.into(), ..common }
            }
        }
    }
}

/// The core's states and those of C have the same numbers.
const _: () = {
    assert!(PrefetchState::Idle as u32 == gpusched_apogee_state::Idle as u32);
    assert!(PrefetchState::Sent as u32 == gpusched_apogee_state::Sent as u32);
    assert!(PrefetchState::Back as u32 == gpusched_apogee_state::Back as u32);
    assert!(PrefetchState::Queued as u32 == gpusched_apogee_state::Queued as u32);
};

/// A row of the prefetch table.
///
/// @return BadEntry; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_get_row(
    apogee: *const gpusched_apogee,
    entry: u32,
    row: *mut gpusched_apogee_row,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(apogee).and_then(|m| put(row, m.row(apogee_row(entry)).ok_or(Status::BadEntry)?.into()))
    })
}

/// A request in the prefetch queue.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_apogee_waiting {
    /// What it asks for.
    pub request: gpusched_apogee_request,
    /// The cycle from which it may leave.
    pub ready: u64,
}

/// The prefetch queue, the oldest request first.
///
/// @param waiting   Receives the requests, as far as it reaches; may be null if capacity is 0.
/// @param capacity  Its elements.
/// @param count     Receives how many wait.
/// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_queue(
    apogee: *const gpusched_apogee,
    waiting: *mut gpusched_apogee_waiting,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(apogee).and_then(|m| {
            let queue =
                m.queue().map(|(request, ready)| gpusched_apogee_waiting { request: request.into(), ready: ready.0 });
            put_list(waiting, capacity, count, queue)
        })
    })
}

/// The request that was popped and not answered yet.
///
/// @param request  Receives it, if there is one.
/// @param pending  Receives 1 if there is one, else 0.
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_unanswered(
    apogee: *const gpusched_apogee,
    request: *mut gpusched_apogee_request,
    pending: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(apogee).and_then(|m| {
            let (to, pending) = (writable(request)?, writable(pending)?);
            pending.write(m.unanswered().is_some().into());
            if let Some(&request) = m.unanswered() {
                to.write(request.into());
            }
            Ok(())
        })
    })
}
