//! What happens on an SM, and the two functions that keep nothing.

use gpusched::Cycle;
use gpusched::equalizer::{Counts, Sm};

use super::gpusched_equalizer_sm;
use crate::equalizer::records::{
    gpusched_equalizer_change, gpusched_equalizer_classified, gpusched_equalizer_counts, gpusched_equalizer_decision,
    gpusched_equalizer_epoch, gpusched_equalizer_warp,
};
use crate::ids::slot_id;
use crate::object::{enter, get, inspect, put, writable};
use crate::status::{gpusched_status, status};

/// A kernel starts. `limit` of its blocks may run at first, or with `keep` as many as of the kernel before.
///
/// @param sm        The machine.
/// @param now       The cycle, not before that of the last call.
/// @param w_cta     Warps of a block.
/// @param limit     Blocks that the SM's resources hold.
/// @param keep      Not 0: the target of the kernel before is kept.
/// @param target    Receives how many blocks may run.
/// @param requests  Receives how many blocks are to be asked of the work distributor.
/// @return TimeOverflow, TimeBackwards, SampleMissed, Busy, BadKernel; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_kernel_start(
    sm: *mut gpusched_equalizer_sm,
    now: u64,
    w_cta: u32,
    limit: u32,
    keep: u32,
    target: *mut u32,
    requests: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Sm>(sm).and_then(|machine| {
            let (target, requests) = (writable(target)?, writable(requests)?);
            let started = machine.kernel_start(Cycle(now), w_cta, limit, keep != 0)?;
            target.write(started.target);
            requests.write(started.requests);
            Ok(())
        })
    })
}

/// The work distributor's answer to a request: this block.
///
/// @param sm      The machine.
/// @param now     The cycle, not before that of the last call.
/// @param block   The host's number for it; no resident block has it.
/// @param slot    Receives where it is.
/// @param change  Receives what follows. The block itself may be paused at once.
/// @return TimeOverflow, TimeBackwards, SampleMissed, UnsolicitedGrant, DuplicateBlock; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_grant(
    sm: *mut gpusched_equalizer_sm,
    now: u64,
    block: u64,
    slot: *mut u32,
    change: *mut gpusched_equalizer_change,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Sm>(sm).and_then(|machine| {
            let (slot, change) = (writable(slot)?, writable(change)?);
            let granted = machine.grant(Cycle(now), block)?;
            slot.write(granted.slot.into());
            change.write((&granted.change).into());
            Ok(())
        })
    })
}

/// The work distributor's answer to a request: it has no block. Nothing more is asked for before gpusched_equalizer_sm_refill.
///
/// @param sm      The machine.
/// @param now     The cycle, not before that of the last call.
/// @param change  Receives what follows.
/// @return TimeOverflow, TimeBackwards, SampleMissed, UnsolicitedDeny; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_deny(
    sm: *mut gpusched_equalizer_sm,
    now: u64,
    change: *mut gpusched_equalizer_change,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Sm>(sm).and_then(|machine| {
            let change = writable(change)?;
            change.write((&machine.deny(Cycle(now))?).into());
            Ok(())
        })
    })
}

/// The work distributor has blocks again.
///
/// @param sm      The machine.
/// @param now     The cycle, not before that of the last call.
/// @param change  Receives what follows.
/// @return TimeOverflow, TimeBackwards, SampleMissed, NoKernel; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_refill(
    sm: *mut gpusched_equalizer_sm,
    now: u64,
    change: *mut gpusched_equalizer_change,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Sm>(sm).and_then(|machine| {
            let change = writable(change)?;
            change.write((&machine.refill(Cycle(now))?).into());
            Ok(())
        })
    })
}

/// The block in a slot has ended, running or paused.
///
/// @param sm      The machine.
/// @param now     The cycle, not before that of the last call.
/// @param slot    Where it was.
/// @param block   Receives the number under which it was granted.
/// @param change  Receives what follows.
/// @return TimeOverflow, TimeBackwards, SampleMissed, BadSlot, SlotEmpty; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_block_end(
    sm: *mut gpusched_equalizer_sm,
    now: u64,
    slot: u32,
    block: *mut u64,
    change: *mut gpusched_equalizer_change,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Sm>(sm).and_then(|machine| {
            let (block, change) = (writable(block)?, writable(change)?);
            let ended = machine.block_end(Cycle(now), slot_id(slot))?;
            block.write(ended.block);
            change.write((&ended.change).into());
            Ok(())
        })
    })
}

/// A sample, exactly at the cycle that gpusched_equalizer_sm_next_sample tells, also on an idle SM. The one at a multiple of
/// epoch_cycles ends the epoch.
///
/// @param sm      The machine.
/// @param now     The cycle.
/// @param counts  The warps.
/// @param epoch   Receives what it led to.
/// @return TimeOverflow, TimeBackwards, SampleMissed, NotDue, BadSample, NoKernel; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_sample(
    sm: *mut gpusched_equalizer_sm,
    now: u64,
    counts: *const gpusched_equalizer_counts,
    epoch: *mut gpusched_equalizer_epoch,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Sm>(sm).and_then(|machine| {
            let (counts, epoch) = (Counts::from(*get(counts)?), writable(epoch)?);
            epoch.write(machine.sample(Cycle(now), &counts)?.as_ref().map(Into::into).unwrap_or_default());
            Ok(())
        })
    })
}

/// What the user wants from the next decision on.
///
/// @param sm         The machine.
/// @param now        The cycle, not before that of the last call.
/// @param objective  gpusched_equalizer_objective.
/// @return TimeOverflow, TimeBackwards, SampleMissed, BadObjective; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_set_objective(
    sm: *mut gpusched_equalizer_sm,
    now: u64,
    objective: u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { enter::<Sm>(sm).and_then(|machine| Ok(machine.set_objective(Cycle(now), objective)?)) })
}

/// Gives up the epoch in progress after a missed sample.
///
/// @param sm           The machine.
/// @param now          The cycle, not before that of the last call.
/// @param next_sample  Receives when the next sample is due.
/// @return TimeOverflow, TimeBackwards; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_resync(
    sm: *mut gpusched_equalizer_sm,
    now: u64,
    next_sample: *mut u64,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Sm>(sm).and_then(|machine| {
            let next_sample = writable(next_sample)?;
            next_sample.write(machine.resync(Cycle(now))?.0);
            Ok(())
        })
    })
}

/// The class of a warp, by the machine's configuration. Changes nothing.
///
/// @param sm          The machine.
/// @param warp        The warp.
/// @param classified  Written.
/// @return BadEnum: `kind` is none; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_classify(
    sm: *const gpusched_equalizer_sm,
    warp: *const gpusched_equalizer_warp,
    classified: *mut gpusched_equalizer_classified,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Sm>(sm).and_then(|machine| put(classified, machine.classify(&get(warp)?.try_into()?).into()))
    })
}

/// Algorithm 1 on the sums of an epoch, by the machine's configuration. Changes nothing.
///
/// @param sm        The machine.
/// @param sums      The sums.
/// @param samples   Samples that they are made of.
/// @param w_cta     Warps of a block.
/// @param decision  Written.
/// @return BadSample: no sample; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_decide(
    sm: *const gpusched_equalizer_sm,
    sums: *const gpusched_equalizer_counts,
    samples: u32,
    w_cta: u32,
    decision: *mut gpusched_equalizer_decision,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Sm>(sm).and_then(|machine| {
            let sums = Counts::from(*get(sums)?);
            put(decision, machine.config().decide(&sums, samples, w_cta)?.into())
        })
    })
}
