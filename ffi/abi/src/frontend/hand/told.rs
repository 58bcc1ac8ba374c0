//! The host's half of a cycle: what it may send, told in pieces of any length, and the end, with what it promises.

use gpusched::{Config, Cycle, SmxId};

use super::Object;
use crate::GPUSCHED_NONE;
use crate::convert::{ToC, from_c};
use crate::frontend::{gpusched_frontend, gpusched_offer};
use crate::object::{enter, inspect};
use crate::pointer::{get_or_null, give_unless_null, writable, writable_or_null};
use crate::status::{gpusched_status, status};

/// Tells the units with TBs to send, in order, between gpusched_frontend_begin and gpusched_frontend_end. It changes nothing, and says how
/// things stand: what was sent in this cycle is gone.
///
/// A list that is longer than the array goes on with the offer that `next` names. Whoever needs only the first offers asks for only so
/// many, and pays for no others.
///
/// @param frontend  The front end.
/// @param from      The offer to begin with, as `next` has named it; GPUSCHED_NONE: the first one.
/// @param smx       Only those that are open on this SMX; GPUSCHED_NONE: all.
/// @param offers    Receives them.
/// @param capacity  Length of that array; if it is 0, offers may be null.
/// @param count     Receives how many they are: less than capacity means that there are no more.
/// @param next      Receives the offer to go on with; GPUSCHED_NONE if there are no more. May be null.
/// @return NotTold, NotBegun; BadOffer: `from` is not offered; BadSmx; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_offers(
    frontend: *const gpusched_frontend,
    from: u32,
    smx: u32,
    offers: *mut gpusched_offer,
    capacity: usize,
    count: *mut usize,
    next: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(frontend).and_then(|object| {
            let (count, next) = (writable(count)?, writable_or_null(next)?);
            if capacity > 0 {
                writable(offers)?;
            }
            let first = (from != GPUSCHED_NONE).then(|| from_c(from));
            let smx: Option<SmxId> = (smx != GPUSCHED_NONE).then(|| from_c(smx));
            let mut line = object.machine.offers_from(first, smx)?;
            let mut told = 0;
            while told < capacity
                && let Some(offer) = line.next()
            {
                offers.add(told).write(offer.to_c());
                told += 1;
            }
            count.write(told);
            // What follows is looked for only if it is asked for.
            if !next.is_null() {
                next.write(line.next_id().map_or(GPUSCHED_NONE, |id| id.to_c()));
            }
            Ok(())
        })
    })
}

/// Ends the cycle that was begun. The host promises that it would send nothing until `wake`, or ever, unless something happens before; so
/// gpusched_frontend_next_event and gpusched_frontend_skip need not ask it. It may send all the same.
///
/// @param frontend  The front end.
/// @param wake      The cycle from which on the host may have something to say; null: not before something happens.
/// @param sched     Receives gpusched_sched, the word of the cycle. May be null.
/// @return NotTold, NotBegun; BadWake if `wake` is not later than this cycle; Unread; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_end(
    frontend: *mut gpusched_frontend,
    wake: *const u64,
    sched: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let wake = get_or_null(wake)?.copied().map(Cycle);
            object.room(Config::DECISIONS_PER_END)?;
            give_unless_null(sched, || Ok(object.machine.end(wake, &mut object.probe)?))
        })
    })
}
