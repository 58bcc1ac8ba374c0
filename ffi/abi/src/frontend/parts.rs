//! LaPerm and the occupancy-bubble controller as parts of a front end: what they hold, and the account of energy. Their decisions
//! are decisions like any other; the machines that stand alone have the same records.

use gpusched::laperm::Entry;
use gpusched::{SliceTables, SmxSet, Tables, UnitId, UnitWork, power::BubbleController};

use super::{Object, gpusched_frontend};
use crate::bubble::{
    gpusched_bubble_config, gpusched_bubble_gpu, gpusched_bubble_record, gpusched_bubble_registers,
    gpusched_bubble_smx, gpusched_bubble_stats,
};
use crate::config::write;
use crate::convert::ToC;
use crate::ids::{smx_id, unit_id};
use crate::laperm::{gpusched_laperm_backup, gpusched_laperm_config};
use crate::object::{array_or_null, enter, inspect, put, put_list};
use crate::smx::{gpusched_energy, gpusched_smx_set};
use crate::status::{gpusched_status, gpusched_status as Status, status};
use crate::{GPUSCHED_NEVER, GPUSCHED_NONE};

/// The end of a run: closes the energy account up to now, and nothing else happens.
///
/// @param frontend  The front end.
/// @param activity  count values from 0 to 1000, one per SMX; null if activity follows from the occupancy.
/// @param count     Their number; 0 if activity is null.
/// @return NoBubble, BadActivity; Null, Misaligned, Capacity; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_account(
    frontend: *mut gpusched_frontend,
    activity: *const u16,
    count: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| Ok(object.gpu.account(array_or_null(activity, count)?)?))
    })
}

// ---- LaPerm

/// LaPerm as this front end runs it.
///
/// @param size  sizeof(gpusched_laperm_config) in the caller's header.
/// @return WrongModel: the policy is another one; Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_laperm_config(
    frontend: *const gpusched_frontend,
    config: *mut gpusched_laperm_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            let laperm = object.gpu.laperm_config().ok_or(Status::WrongModel)?;
            write(config, size, &gpusched_laperm_config::of(&laperm))
        })
    })
}

/// LaPerm: bind units, each with a queue.
///
/// @return WrongModel: the policy is another one; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_laperm_units(
    frontend: *const gpusched_frontend,
    units: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(frontend).and_then(|object| put(units, bind_units(object)?)) })
}

/// LaPerm: the SMX that is visited next.
///
/// @return WrongModel: the policy is another one; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_laperm_cur(
    frontend: *const gpusched_frontend,
    smx: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| put(smx, object.gpu.laperm_cur().ok_or(Status::WrongModel)?.0.into()))
    })
}

/// LaPerm: the backup record of an SMX.
///
/// @return WrongModel: the policy is another one; BadSmx; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_laperm_backup(
    frontend: *const gpusched_frontend,
    smx: u32,
    backup: *mut gpusched_laperm_backup,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            bind_units(object)?;
            put(backup, object.gpu.laperm_backup(smx_id(smx)).ok_or(Status::BadSmx)?.to_c())
        })
    })
}

/// LaPerm's model CDP: the bind unit that the KMU asks first.
///
/// @return WrongModel: the policy is another one; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_laperm_kmu_pointer(
    frontend: *const gpusched_frontend,
    unit: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| put(unit, object.gpu.laperm_kmu_pointer().ok_or(Status::WrongModel)?.0.into()))
    })
}

/// LaPerm: free places of the overflow lists; the model CDP has none.
///
/// @return WrongModel: the policy is another one; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_laperm_pool_free(
    frontend: *const gpusched_frontend,
    places: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| put(places, object.gpu.laperm_pool_free().ok_or(Status::WrongModel)?))
    })
}

/// The native TBs of a kernel, or a group, in one of LaPerm's queues.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_laperm_unit {
    /// Tag of the kernel or group.
    pub tag: u64,
    /// On chip: the cycle from which it is visible; GPUSCHED_NEVER while it is being loaded (laperm_refill_mode external); in memory 0.
    pub ready_at: u64,
    /// Its TBs.
    pub tbs: u32,
    /// The next TB to send.
    pub next: u32,
    /// Nesting level.
    pub prio: u32,
    /// The level by which it is ordered in its queue; 0 in queue 0.
    pub section: u32,
    /// Entry of its kernel.
    pub kde: u32,
    /// Launch record of the group; GPUSCHED_NONE for native TBs.
    pub record: u32,
}

impl From<(u64, &Entry<UnitWork>)> for gpusched_laperm_unit {
    fn from((tag, entry): (u64, &Entry<UnitWork>)) -> Self {
        let &Entry { work: UnitWork { kde, record }, tbs, next, prio, section, ready_at, is_loading, .. } = entry;
        Self {
            tag,
            ready_at: if is_loading { GPUSCHED_NEVER } else { ready_at.0 },
            tbs,
            next,
            prio: prio.into(),
            section: section.into(),
            kde: kde.0.into(),
            record: record.map_or(GPUSCHED_NONE, |record| record.0),
        }
    }
}

/// LaPerm: the on-chip queue of a bind unit, in order.
///
/// @param unit  The bind unit; GPUSCHED_NONE for queue 0.
/// @return WrongModel: the policy is another one; BadUnit; Capacity: count is more than capacity; Null, Misaligned; those of the
/// object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_laperm_queue(
    frontend: *const gpusched_frontend,
    unit: u32,
    units: *mut gpusched_laperm_unit,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            let at = if unit == GPUSCHED_NONE {
                bind_units(object)?;
                None
            } else {
                Some(bind_unit(object, unit)?)
            };
            put_list(units, capacity, count, object.gpu.laperm_queue(at).map(gpusched_laperm_unit::from))
        })
    })
}

/// LaPerm: the overflow lists of a bind unit: highest level first, each in order.
///
/// @param unit  The bind unit.
/// @return WrongModel: the policy is another one; BadUnit; Capacity: count is more than capacity; Null, Misaligned; those of the
/// object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_laperm_overflow(
    frontend: *const gpusched_frontend,
    unit: u32,
    units: *mut gpusched_laperm_unit,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            let overflow = object.gpu.laperm_overflow(bind_unit(object, unit)?);
            put_list(units, capacity, count, overflow.map(gpusched_laperm_unit::from))
        })
    })
}

fn bind_units(object: &Object) -> Result<u32, Status> {
    object.gpu.laperm_config().map(|config| config.units()).ok_or(Status::WrongModel)
}

fn bind_unit(object: &Object, unit: u32) -> Result<UnitId, Status> {
    if unit < bind_units(object)? { Ok(unit_id(unit)) } else { Err(Status::BadUnit) }
}

// ---- occupancy bubbles

type Controller = BubbleController<<SliceTables<'static> as Tables>::Powers>;

fn bubble(object: &Object) -> Result<&Controller, Status> {
    object.gpu.bubble().ok_or(Status::NoBubble)
}

/// The occupancy-bubble controller as this front end runs it.
///
/// @param size  sizeof(gpusched_bubble_config) in the caller's header.
/// @return NoBubble; Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_bubble_config(
    frontend: *const gpusched_frontend,
    config: *mut gpusched_bubble_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| write(config, size, &gpusched_bubble_config::of(bubble(object)?.config())))
    })
}

/// What the last sample found and decided: to be read when there was a decision GPUSCHED_DECISION_KIND_SAMPLE. It is no part of
/// images.
///
/// @return NoBubble; BadIndex: there was no sample since the front end was built or restored; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_bubble_record(
    frontend: *const gpusched_frontend,
    record: *mut gpusched_bubble_record,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            bubble(object)?;
            put(record, *object.sink.sample().ok_or(Status::BadIndex)?)
        })
    })
}

/// SMXs that may be diverted when a bubble is found.
///
/// @return NoBubble; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_bubble_armed(
    frontend: *const gpusched_frontend,
    armed: *mut gpusched_smx_set,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            let set: SmxSet = bubble(object)?.armed();
            put(armed, set.into())
        })
    })
}

/// The control registers.
///
/// @return NoBubble; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_bubble_registers(
    frontend: *const gpusched_frontend,
    registers: *mut gpusched_bubble_registers,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(frontend).and_then(|object| put(registers, bubble(object)?.registers().to_c())) })
}

/// The GPU level.
///
/// @return NoBubble; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_bubble_gpu(
    frontend: *const gpusched_frontend,
    gpu: *mut gpusched_bubble_gpu,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(frontend).and_then(|object| put(gpu, bubble(object)?.gpu().to_c())) })
}

/// One SMX: P-state, what is under way, bubbles, energy.
///
/// @return NoBubble, BadSmx; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_bubble_smx(
    frontend: *const gpusched_frontend,
    smx: u32,
    view: *mut gpusched_bubble_smx,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            let (bubble, smx) = (bubble(object)?, smx_id(smx));
            let (power, pstate) = bubble.smx(smx).zip(bubble.pstate(smx)).ok_or(Status::BadSmx)?;
            put(view, gpusched_bubble_smx::of(power, pstate))
        })
    })
}

/// Energy of the GPU: all SMXs and everything else.
///
/// @return NoBubble; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_bubble_energy(
    frontend: *const gpusched_frontend,
    energy: *mut gpusched_energy,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(frontend).and_then(|object| put(energy, bubble(object)?.energy().to_c())) })
}

/// Energy of everything but the SMXs.
///
/// @return NoBubble; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_bubble_energy_uncore(
    frontend: *const gpusched_frontend,
    energy: *mut gpusched_energy,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| put(energy, bubble(object)?.energy_uncore().to_c()))
    })
}

/// Statistics of the controller.
///
/// @return NoBubble; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_bubble_stats(
    frontend: *const gpusched_frontend,
    stats: *mut gpusched_bubble_stats,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(frontend).and_then(|object| put(stats, bubble(object)?.stats().to_c())) })
}

/// The cycle of the next sample; GPUSCHED_NEVER if it is beyond the last cycle.
///
/// @return NoBubble; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_bubble_next_sample(
    frontend: *const gpusched_frontend,
    cycle: *mut u64,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            let bubble = bubble(object)?;
            // The first one comes a period after cycle 0.
            let first = bubble.config().sample_cycles.into();
            let next = bubble.next_sample().map_or(GPUSCHED_NEVER, |at| at.0);
            put(cycle, if bubble.stats().samples == 0 { first } else { next })
        })
    })
}
