//! Completion and suspension.

use gpusched::RecordId;

use super::{Object, gpusched_frontend};
use crate::ids::{kernel_slot, slot_id, smx_id, susp_id};
use crate::object::{enter, put_unless_null, writable_or_null};
use crate::status::{gpusched_status, status};

/// The TB at smx, slot has ended. Its room can be used by the tick of this cycle.
///
/// @return BadSmx, BadSlot, NoTb; Unread; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_tb_done(
    frontend: *mut gpusched_frontend,
    smx: u32,
    slot: u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            // The ends of a group and of a kernel, and its queue.
            object.room(3)?;
            Ok(object.gpu.tb_done(smx_id(smx), slot_id(slot), &mut object.sink)?)
        })
    })
}

/// Ends the hold on a kernel that was launched with retain.
///
/// @return BadKde, NoKernel, NotRetained; Unread; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_unretain(frontend: *mut gpusched_frontend, kde: u32) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            // The end of a kernel, and its queue.
            object.room(2)?;
            Ok(object.gpu.unretain(kernel_slot(kde), &mut object.sink)?)
        })
    })
}

/// Takes a kernel's TBs off their SMXs and its entry away, while it waits for its children; its queue stays held. Contexts are
/// the host's to keep, in the order of the Saved decisions.
///
/// @param frontend  The front end.
/// @param kde       The kernel's entry.
/// @param index     Receives its place in the list of suspended kernels. May be null.
/// @return BadKde, NoKernel, Retained, HasGroups, RestorePending, NothingResident, SyncDepth, SuspFull; Unread; those of the
/// object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_suspend(
    frontend: *mut gpusched_frontend,
    kde: u32,
    index: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let index = writable_or_null(index)?;
            let kde = kernel_slot(kde);
            let resident = object.gpu.kde(kde).map_or(0, |entry| entry.exe as usize);
            object.room(resident + 1)?;
            put_unless_null(index, object.gpu.suspend(kde, &mut object.sink)?.0.into());
            Ok(())
        })
    })
}

/// Makes a suspended kernel a candidate of the KMU. It will send its saved TBs first, on any SMX, then those never sent.
///
/// @return BadSusp, AlreadyResumed; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_resume(frontend: *mut gpusched_frontend, index: u32) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { enter::<Object>(frontend).and_then(|object| Ok(object.gpu.resume(susp_id(index))?)) })
}

/// LaPerm: a unit that a decision GPUSCHED_DECISION_KIND_REFILL asked for is on chip (laperm_refill_mode external). Of several with this
/// tag the first, by bind unit and in its queue.
///
/// @return NoLoad: none with this tag is being loaded; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_refilled(frontend: *mut gpusched_frontend, tag: u64) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { enter::<Object>(frontend).and_then(|object| Ok(object.gpu.refilled(tag)?)) })
}

/// The information of a spilled group is here (load_mode external).
///
/// @return NoLoad: that record was not asked for, or was answered; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_spill_loaded(
    frontend: *mut gpusched_frontend,
    record: u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { enter::<Object>(frontend).and_then(|object| Ok(object.gpu.spill_loaded(RecordId(record))?)) })
}
