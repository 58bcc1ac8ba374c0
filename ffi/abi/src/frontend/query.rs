//! Queries: the whole visible state. None changes anything, and several threads may ask at once as long as none changes the object.
//!
//! Lists are written as far as the caller's array reaches; the length of the whole list is always told, so a call with capacity 0
//! asks for it.

use gpusched::{Descriptor, RecordId};

use super::view::*;
use super::{Object, gpusched_frontend};
use crate::config::write;
use crate::ids::*;
use crate::object::{get, inspect, put, put_list};
use crate::status::{gpusched_status, gpusched_status as Status, status};
use crate::{GPUSCHED_NEVER, GPUSCHED_NONE};

use super::config::gpusched_frontend_config;
use super::launch::gpusched_kernel;

/// The configuration, with `decisions` as it was made.
///
/// @param size  sizeof(gpusched_frontend_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_get_config(
    frontend: *const gpusched_frontend,
    config: *mut gpusched_frontend_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            let decisions = object.setup.decisions as u32;
            write(
                config,
                size,
                &gpusched_frontend_config { decisions, ..gpusched_frontend_config::of(object.gpu.config()) },
            )
        })
    })
}

/// The cycle that the next tick carries out.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_now(frontend: *const gpusched_frontend, cycle: *mut u64) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(frontend).and_then(|object| put(cycle, object.gpu.now().0)) })
}

/// The next cycle, now or later, whose tick decides something if no event comes before it; GPUSCHED_NEVER if only an event can
/// change anything.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_next_event(
    frontend: *const gpusched_frontend,
    cycle: *mut u64,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| put(cycle, object.gpu.next_event().map_or(GPUSCHED_NEVER, |at| at.0)))
    })
}

/// What the machine waits for, a gpusched_frontend_status. GPUSCHED_FRONTEND_STATUS_DRAINED: nothing is owned anywhere.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_get_status(
    frontend: *const gpusched_frontend,
    waits_for: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| put(waits_for, gpusched_frontend_status::from(object.gpu.status()) as u32))
    })
}

/// Statistics since the front end was built.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_get_stats(
    frontend: *const gpusched_frontend,
    stats: *mut gpusched_frontend_stats,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(frontend).and_then(|object| put(stats, object.gpu.stats().into())) })
}

/// The SMX that the scheduler tries first: the round-robin pointer.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_rr(frontend: *const gpusched_frontend, smx: *mut u32) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(frontend).and_then(|object| put(smx, object.gpu.rr().0.into())) })
}

/// What is free on an SMX.
///
/// @return BadSmx; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_smx(
    frontend: *const gpusched_frontend,
    smx: u32,
    free: *mut gpusched_smx,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| put(free, object.gpu.smx(smx_id(smx)).ok_or(Status::BadSmx)?.into()))
    })
}

/// Warps of all resident TBs.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_resident_warps(
    frontend: *const gpusched_frontend,
    warps: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(frontend).and_then(|object| put(warps, object.gpu.resident_warps())) })
}

/// The TB in a slot of an SMX.
///
/// @return BadSmx, BadSlot, NoTb; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_tb(
    frontend: *const gpusched_frontend,
    smx: u32,
    slot: u32,
    tb: *mut gpusched_tb,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            let smx = smx_id(smx);
            object.gpu.smx(smx).ok_or(Status::BadSmx)?;
            if slot >= object.gpu.config().tb_slots {
                return Err(Status::BadSlot);
            }
            put(tb, object.gpu.tb(smx, slot_id(slot)).ok_or(Status::NoTb)?.into())
        })
    })
}

/// Resident TBs, by SMX and slot.
///
/// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_resident_tbs(
    frontend: *const gpusched_frontend,
    tbs: *mut gpusched_tb,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| put_list(tbs, capacity, count, object.gpu.resident_tbs().map(gpusched_tb::from)))
    })
}

/// A kernel distributor entry.
///
/// @return BadKde; NoKernel: it is free; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_kde(
    frontend: *const gpusched_frontend,
    kde: u32,
    entry: *mut gpusched_kde,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            if kde >= object.gpu.config().n_kde {
                return Err(Status::BadKde);
            }
            let found = object.gpu.kde(kernel_slot(kde)).ok_or(Status::NoKernel)?;
            put(entry, gpusched_kde::of(&object.gpu, found))
        })
    })
}

/// Entries with TBs to send, in the order of the FCFS controller, head first.
///
/// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_fcfs(
    frontend: *const gpusched_frontend,
    kdes: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| put_list(kdes, capacity, count, object.gpu.fcfs().map(|kde| kde.0.into())))
    })
}

/// The lowest active entry that a group with this descriptor would join; GPUSCHED_NONE if there is none.
///
/// @param kernel  pc, tb, regs and smem matter.
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_eligible_kernel(
    frontend: *const gpusched_frontend,
    kernel: *const gpusched_kernel,
    kde: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            let descriptor = get(kernel.cast::<Descriptor>())?;
            put(kde, object.gpu.eligible_kernel(descriptor).map_or(GPUSCHED_NONE, |kde| kde.0.into()))
        })
    })
}

/// A launch record.
///
/// @return BadIndex: there is no such record, or it is free; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_record(
    frontend: *const gpusched_frontend,
    record: u32,
    view: *mut gpusched_record,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| put(view, object.gpu.record(RecordId(record)).ok_or(Status::BadIndex)?.into()))
    })
}

/// Launch records in use.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_records_in_use(
    frontend: *const gpusched_frontend,
    count: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(frontend).and_then(|object| put(count, object.gpu.records_in_use())) })
}

/// The live group in a launch record.
///
/// @return BadIndex: there is none; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_group(
    frontend: *const gpusched_frontend,
    record: u32,
    view: *mut gpusched_group_view,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            let group = object.gpu.group(RecordId(record)).ok_or(Status::BadIndex)?;
            put(view, gpusched_group_view::of(&object.gpu, &group))
        })
    })
}

/// Live groups on chip, by AGE.
///
/// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_agt(
    frontend: *const gpusched_frontend,
    groups: *mut gpusched_group_view,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            let views = object.gpu.agt().map(|(_, group)| gpusched_group_view::of(&object.gpu, &group));
            put_list(groups, capacity, count, views)
        })
    })
}

/// Live groups in global memory (spilled), by launch record.
///
/// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_spilled(
    frontend: *const gpusched_frontend,
    groups: *mut gpusched_group_view,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            let views = object.gpu.spilled().map(|(_, group)| gpusched_group_view::of(&object.gpu, &group));
            put_list(groups, capacity, count, views)
        })
    })
}

/// Spilled groups that were asked for before their turn (load_ahead), by their places in the load buffer: 8 at most.
///
/// @return Capacity: count is more than capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_load_buffer(
    frontend: *const gpusched_frontend,
    places: *mut gpusched_load_place,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            let asked = object
                .gpu
                .load_buffer()
                .map(|(record, load)| gpusched_load_place { record: record.0, load: gpusched_load::from(load) as u32 });
            put_list(places, capacity, count, asked)
        })
    })
}

/// A hardware work queue.
///
/// @return BadIndex; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_hwq(
    frontend: *const gpusched_frontend,
    queue: u32,
    view: *mut gpusched_hwq,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| put(view, object.gpu.hwq(hwq_id(queue)).ok_or(Status::BadIndex)?.into()))
    })
}

/// A suspended kernel.
///
/// @return BadSusp: no kernel has this place; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_suspended(
    frontend: *const gpusched_frontend,
    index: u32,
    view: *mut gpusched_suspended,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| put(view, object.gpu.suspended(susp_id(index)).ok_or(Status::BadSusp)?.into()))
    })
}
