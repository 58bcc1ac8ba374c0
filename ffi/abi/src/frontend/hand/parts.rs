//! Parts of a front end: their configurations, and what the occupancy-bubble controller did last.

use gpusched::{SliceTables, Tables, power::BubbleController};

use super::Object;
use crate::bubble::{gpusched_bubble_config, gpusched_bubble_record, gpusched_bubble_smx};
use crate::config::write;
use crate::convert::from_c;
use crate::frontend::gpusched_frontend;
use crate::laperm::gpusched_laperm_config;
use crate::object::{inspect, put};
use crate::status::{gpusched_status, gpusched_status as Status, status};

type Controller = BubbleController<<SliceTables<'static> as Tables>::Powers>;

fn bubble(object: &Object) -> Result<&Controller, Status> {
    object.machine.bubble().ok_or(Status::NoBubble)
}

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
            let laperm = object.machine.laperm_config().ok_or(Status::WrongModel)?;
            write(config, size, &gpusched_laperm_config::of(&laperm))
        })
    })
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
            put(record, *object.probe.sample().ok_or(Status::BadIndex)?)
        })
    })
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
            let (bubble, smx) = (bubble(object)?, from_c(smx));
            let (power, pstate) = bubble.smx(smx).zip(bubble.pstate(smx)).ok_or(Status::BadSmx)?;
            put(view, gpusched_bubble_smx::of(power, pstate))
        })
    })
}
