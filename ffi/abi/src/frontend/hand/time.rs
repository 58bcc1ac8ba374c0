//! Time that many ticks take, and the decisions that they bring.

use core::ptr;

use gpusched::{Cycle, Fault, Words};

use super::Object;
use crate::GPUSCHED_NEVER;
use crate::convert::ToC;
use crate::decision::{gpusched_decision, gpusched_trace};
use crate::frontend::{gpusched_frontend, gpusched_words};
use crate::object::{enter, inspect};
use crate::pointer::{put, put_unless_null, writable, writable_or_null};
use crate::status::{gpusched_status, status};

/// Carries out all cycles before `until` for which there is room for decisions, in one call: for hosts that report nothing
/// meanwhile. If gpusched_frontend_now is below `until` afterwards, the decisions must be read before it goes on.
///
/// @param frontend  The front end.
/// @param until     The cycle that will not be carried out any more; GPUSCHED_NEVER: stop when nothing more is due.
/// @param words     Receives how often each word was the answer. May be null.
/// @return Told if the host decides; Unread: no room for a single cycle's; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_run(
    frontend: *mut gpusched_frontend,
    until: u64,
    words: *mut gpusched_words,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            object.room(object.per_tick)?;
            let words = writable_or_null(words)?;
            // Also where no cycle is asked for, or due.
            if object.machine.config().told().is_some() {
                return Err(Fault::Told.into());
            }
            let mut counted = Words::default();
            let last = |object: &Object| until == GPUSCHED_NEVER && object.machine.next_event().is_none();
            while object.machine.now().0 < until && object.probe.has_room(object.per_tick) && !last(object) {
                counted += object.machine.advance(Cycle(until), &mut object.probe)?;
            }
            put_unless_null(words, counted.to_c());
            Ok(())
        })
    })
}

/// Takes the oldest decisions that were not read yet, at most capacity.
///
/// @param frontend   The front end.
/// @param decisions  Receives them.
/// @param capacity   Length of that array; if it is 0, decisions may be null.
/// @param count      Receives how many it was: less than capacity means that none is left.
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_read(
    frontend: *mut gpusched_frontend,
    decisions: *mut gpusched_decision,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let count = writable(count)?;
            if capacity > 0 {
                writable(decisions)?;
            }
            let unread = object.probe.unread();
            let n = unread.len().min(capacity);
            ptr::copy_nonoverlapping(unread.as_ptr(), decisions, n);
            count.write(n);
            object.probe.take(n);
            Ok(())
        })
    })
}

/// Takes all decisions that were not read yet, without copying them: they lie in the object's storage, oldest first, until the next
/// call that changes the object.
///
/// @param frontend  The front end.
/// @param first     Receives where they are.
/// @param count     Receives how many they are.
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_take(
    frontend: *mut gpusched_frontend,
    first: *mut *const gpusched_decision,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let (first, count) = (writable(first)?, writable(count)?);
            let (decisions, unread) = object.probe.take_all();
            first.write(decisions);
            count.write(unread);
            Ok(())
        })
    })
}

/// Tells how many decisions wait to be read.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_unread(
    frontend: *const gpusched_frontend,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(frontend).and_then(|object| put(count, object.probe.unread().len())) })
}

/// From now on every decision is also written to this ring, whether or not it is read. The ring and its events must stay in place
/// until another ring, or null, is attached.
///
/// @param frontend  The front end.
/// @param trace     `events` and `capacity` are read now, `written` is set to 0. Null: no more tracing.
/// @return Misaligned; Null: it has no events; Capacity: their number is 0; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_trace(
    frontend: *mut gpusched_frontend,
    trace: *mut gpusched_trace,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { enter::<Object>(frontend).and_then(|object| object.probe.attach(trace)) })
}
