//! Queries: the whole visible state. None changes anything, and several threads may ask at once as long as none changes the object.

use gpusched::equalizer::Sm;

use super::config::gpusched_equalizer_sm_config;
use super::gpusched_equalizer_sm;
use crate::config::{Choice, write};
use crate::equalizer::records::{gpusched_equalizer_counts, number};
use crate::ids::slot_id;
use crate::object::{inspect, put};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// The configuration.
///
/// @param size  sizeof(gpusched_equalizer_sm_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_get_config(
    sm: *const gpusched_equalizer_sm,
    config: *mut gpusched_equalizer_sm_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Sm>(sm).and_then(|m| write(config, size, &gpusched_equalizer_sm_config::of(m.config())))
    })
}

/// The time of the last event.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_now(
    sm: *const gpusched_equalizer_sm,
    cycle: *mut u64,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Sm>(sm).and_then(|m| put(cycle, m.now().0)) })
}

/// When the next sample is due: the machine's next event.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_next_sample(
    sm: *const gpusched_equalizer_sm,
    cycle: *mut u64,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Sm>(sm).and_then(|m| put(cycle, m.next_sample().0)) })
}

/// What a machine holds, but for its blocks.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_equalizer_sm_state {
    /// Sums of the epoch so far.
    pub sums: gpusched_equalizer_counts,
    /// Samples of the epoch so far.
    pub samples: u32,
    /// Warps of a block; 0 before the first kernel.
    pub w_cta: u32,
    /// Blocks of the kernel that the SM's resources hold; 0 before the first kernel.
    pub limit: u32,
    /// Blocks that may run; 0 before the first kernel.
    pub target: u32,
    /// Decisions for a change so far, below hysteresis.
    pub run: u32,
    /// Direction of the last of them: -1, 0 or 1.
    pub dir: i32,
    /// Blocks that run.
    pub running: u32,
    /// Blocks that are paused.
    pub paused: u32,
    /// Requests that wait for their answer.
    pub outstanding: u32,
    /// 1 if a request was denied and no refill was reported, else 0.
    pub drained: u32,
    /// Epochs that the watchdog has counted.
    pub watchdog_epochs: u32,
    /// gpusched_equalizer_objective.
    pub objective: u32,
}

impl From<&Sm> for gpusched_equalizer_sm_state {
    fn from(sm: &Sm) -> Self {
        Self {
            sums: (*sm.sums()).into(),
            samples: sm.samples(),
            w_cta: sm.w_cta(),
            limit: sm.limit(),
            target: sm.target(),
            run: sm.run(),
            dir: number(sm.dir()),
            running: sm.running(),
            paused: sm.paused(),
            outstanding: sm.outstanding(),
            drained: sm.is_drained().into(),
            watchdog_epochs: sm.watchdog_epochs(),
            objective: sm.objective().code(),
        }
    }
}

/// What the machine holds.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_get_state(
    sm: *const gpusched_equalizer_sm,
    state: *mut gpusched_equalizer_sm_state,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Sm>(sm).and_then(|m| put(state, m.into())) })
}

/// A resident block.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_equalizer_block {
    /// The host's number for it.
    pub id: u64,
    /// 1 if it is paused, else 0.
    pub paused: u32,
}

/// The block in a slot.
///
/// @return BadSlot, SlotEmpty; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_get_block(
    sm: *const gpusched_equalizer_sm,
    slot: u32,
    block: *mut gpusched_equalizer_block,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Sm>(sm).and_then(|m| {
            if slot >= m.config().max_blocks {
                return Err(Status::BadSlot);
            }
            let resident = m.block(slot_id(slot)).ok_or(Status::SlotEmpty)?;
            put(block, gpusched_equalizer_block { id: resident.id, paused: resident.paused.into() })
        })
    })
}
