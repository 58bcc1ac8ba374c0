//! Votes, and what becomes of them.

use gpusched::Cycle;
use gpusched::equalizer::{Fm, Levels};

use super::gpusched_equalizer_fm;
use crate::GPUSCHED_NEVER;
use crate::equalizer::records::{gpusched_equalizer_round, number};
use crate::ids::smx_id;
use crate::object::{enter, writable};
use crate::status::{gpusched_status, status};

/// An SM's vote of this round. The last vote resolves the round.
///
/// @param fm        The frequency manager.
/// @param now       The cycle, not before that of the last call.
/// @param sm        The SM.
/// @param sm_vote   For the SMs: -1, 0 or 1.
/// @param mem_vote  For the memory: -1, 0 or 1.
/// @param round     Receives what it led to.
/// @return TimeOverflow, TimeBackwards, BadSm, NotEnabled, BadVote, AlreadyVoted; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_fm_vote(
    fm: *mut gpusched_equalizer_fm,
    now: u64,
    sm: u32,
    sm_vote: i32,
    mem_vote: i32,
    round: *mut gpusched_equalizer_round,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Fm>(fm).and_then(|machine| {
            let round = writable(round)?;
            let resolved = machine.vote(Cycle(now), smx_id(sm), (sm_vote, mem_vote))?;
            round.write(resolved.map(Into::into).unwrap_or_default());
            Ok(())
        })
    })
}

/// Resolves the round; an SM that did not vote is for no step.
///
/// @param fm     The frequency manager.
/// @param now    The cycle, not before that of the last call.
/// @param round  Receives what it led to.
/// @return TimeOverflow, TimeBackwards; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_fm_close(
    fm: *mut gpusched_equalizer_fm,
    now: u64,
    round: *mut gpusched_equalizer_round,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Fm>(fm).and_then(|machine| {
            let round = writable(round)?;
            round.write(machine.close(Cycle(now))?.into());
            Ok(())
        })
    })
}

/// Whether an SM votes: one that hangs or has no power would keep a round open.
///
/// @param fm   The frequency manager.
/// @param now  The cycle, not before that of the last call.
/// @param sm   The SM.
/// @param on   0: it does not vote.
/// @return TimeOverflow, TimeBackwards, BadSm, RoundOpen; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_fm_enable(
    fm: *mut gpusched_equalizer_fm,
    now: u64,
    sm: u32,
    on: u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { enter::<Fm>(fm).and_then(|machine| Ok(machine.enable(Cycle(now), smx_id(sm), on != 0)?)) })
}

/// Levels and frequencies.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_equalizer_levels {
    /// When the earliest step under way is done; GPUSCHED_NEVER if none is under way.
    pub next: u64,
    /// Level of the SMs: -1 low, 0 normal, 1 high.
    pub sm: i32,
    /// Level of the memory: -1 low, 0 normal, 1 high.
    pub mem: i32,
    /// Frequency and voltage of the SMs, in thousandths of normal.
    pub sm_permille: u32,
    /// Frequency and voltage of the memory, in thousandths of normal.
    pub mem_permille: u32,
}

impl From<Levels> for gpusched_equalizer_levels {
    fn from(Levels { sm, mem, sm_permille, mem_permille, next }: Levels) -> Self {
        let next = next.map_or(GPUSCHED_NEVER, |at| at.0);
        Self { next, sm: number(sm), mem: number(mem), sm_permille, mem_permille }
    }
}

/// The levels at this time.
///
/// @param fm      The frequency manager.
/// @param now     The cycle, not before that of the last call.
/// @param levels  Written.
/// @return TimeOverflow, TimeBackwards; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_fm_levels(
    fm: *mut gpusched_equalizer_fm,
    now: u64,
    levels: *mut gpusched_equalizer_levels,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Fm>(fm).and_then(|machine| {
            let levels = writable(levels)?;
            levels.write(machine.levels(Cycle(now))?.into());
            Ok(())
        })
    })
}
