//! Parts of a front end: their configurations, and what the occupancy-bubble controller did last.

use gpusched::{SliceTables, Tables, power::BubbleController};

use super::Object;
use crate::bubble::gpusched_bubble_record;
use crate::frontend::gpusched_frontend;
use crate::object::inspect;
use crate::pointer::put;
use crate::status::{gpusched_status, gpusched_status as Status, status};

type Controller = BubbleController<<SliceTables<'static> as Tables>::Powers>;

fn bubble(object: &Object) -> Result<&Controller, Status> {
    object.machine.bubble().ok_or(Status::NoBubble)
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
