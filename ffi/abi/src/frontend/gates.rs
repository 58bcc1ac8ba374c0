//! Gates: what may keep a TB off an SMX although its resources are free. The host's controllers set them; one that is open cannot
//! be told from none, and closing one evicts nothing.

use gpusched::SmxSet;

use super::view::*;
use super::{Object, gpusched_frontend};
use crate::ids::*;
use crate::object::{array, enter, get, inspect, put};
use crate::smx::gpusched_smx_set;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Only these SMXs take TBs from now on.
///
/// @return BubbleOwnsMask: the occupancy-bubble controller says which do; BadMask: the set names an SMX that does not exist; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_set_eligible(
    frontend: *mut gpusched_frontend,
    eligible: *const gpusched_smx_set,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let set = SmxSet::from_words(get(eligible)?.words);
            Ok(object.gpu.set_eligible(set)?)
        })
    })
}

/// The SMXs that take TBs.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_eligible(
    frontend: *const gpusched_frontend,
    eligible: *mut gpusched_smx_set,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(frontend).and_then(|object| put(eligible, object.gpu.eligible().into())) })
}

/// An SMX holds at most cap TBs from now on; tb_slots is open.
///
/// @return BadSmx, BadCap; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_set_block_cap(
    frontend: *mut gpusched_frontend,
    smx: u32,
    cap: u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { enter::<Object>(frontend).and_then(|object| Ok(object.gpu.set_block_cap(smx_id(smx), cap)?)) })
}

/// How many TBs an SMX may hold.
///
/// @return BadSmx; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_block_cap(
    frontend: *const gpusched_frontend,
    smx: u32,
    cap: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend)
            .and_then(|object| put(cap, object.gpu.block_cap(smx_id(smx)).ok_or(Status::BadSmx)?))
    })
}

/// Kernels with this program entry are of this class from now on. The caps of the class stay.
///
/// @return BadClass; ClassTaken: pc belongs to another class; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_set_class(
    frontend: *mut gpusched_frontend,
    cls: u32,
    pc: u64,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { enter::<Object>(frontend).and_then(|object| Ok(object.gpu.set_class(class_id(cls), Some(pc))?)) })
}

/// No kernel is of this class any more. Its caps stay.
///
/// @return BadClass; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_clear_class(frontend: *mut gpusched_frontend, cls: u32) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { enter::<Object>(frontend).and_then(|object| Ok(object.gpu.set_class(class_id(cls), None)?)) })
}

/// The program entry of a class.
///
/// @param bound  Receives 1 if the class has one, else 0 and pc is set to 0.
/// @return BadClass; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_get_class(
    frontend: *const gpusched_frontend,
    cls: u32,
    bound: *mut u32,
    pc: *mut u64,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            let class = class_id(cls);
            // The question that knows which classes exist.
            object.gpu.has_work(class)?;
            let of_class = object.gpu.class(class);
            crate::object::writable(pc)?;
            put(bound, of_class.is_some().into())?;
            put(pc, of_class.unwrap_or(0))
        })
    })
}

/// An SMX holds at most cap TBs of a class from now on, the first `by` of which bypass L1; tb_slots is open.
///
/// @return BadClass, BadSmx; BadCap: by is above cap, or cap above tb_slots; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_set_class_cap(
    frontend: *mut gpusched_frontend,
    cls: u32,
    smx: u32,
    cap: u32,
    by: u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend)
            .and_then(|object| Ok(object.gpu.set_class_cap(class_id(cls), smx_id(smx), cap, by)?))
    })
}

/// The cap of a class on an SMX, and what it holds.
///
/// @return BadClass, BadSmx; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_class_cap(
    frontend: *const gpusched_frontend,
    cls: u32,
    smx: u32,
    view: *mut gpusched_class_cap,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            let (class, smx) = (class_id(cls), smx_id(smx));
            object.gpu.has_work(class)?;
            put(view, object.gpu.class_cap(class, smx).ok_or(Status::BadSmx)?.into())
        })
    })
}

/// Whether an active kernel of the class has unsent TBs or groups: 1, else 0.
///
/// @return BadClass; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_has_work(
    frontend: *const gpusched_frontend,
    cls: u32,
    has_work: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| put(has_work, object.gpu.has_work(class_id(cls))?.into()))
    })
}

/// The unit that controllers should wake SMXs for: the first in line that no SMX can take although one that is not eligible is
/// allowed to; else the first in line.
///
/// @param start  The bind unit to begin with under LaPerm; 0 otherwise, the only line that first come, first served has.
/// @return BadUnit; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_waiting_head(
    frontend: *const gpusched_frontend,
    start: u32,
    head: *mut gpusched_waiting_head,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(frontend).and_then(|object| put(head, object.gpu.waiting_head(start)?.into())) })
}

/// Activity of each SMX in thousandths, for the next sample of the occupancy-bubble controller, which uses it up.
///
/// @param per_smx  count values from 0 to 1000, one per SMX.
/// @return NoBubble: there is no such controller; BadActivity; Null, Misaligned, Capacity; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_activity(
    frontend: *mut gpusched_frontend,
    per_smx: *const u16,
    count: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { enter::<Object>(frontend).and_then(|object| Ok(object.gpu.activity(array(per_smx, count)?)?)) })
}
