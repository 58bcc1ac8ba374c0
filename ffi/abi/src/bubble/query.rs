//! Queries: the whole visible state. None changes anything, and several threads may ask at once as long as none changes the object.

use gpusched::power::{BubbleStats, GpuLevel, PState, SmxLedger, SmxLevel, SmxPower};

use super::config::gpusched_bubble_config;
use super::verbs::{gpusched_bubble_registers, gpusched_bubble_resident};
use super::{Object, gpusched_bubble};
use crate::GPUSCHED_NEVER;
use crate::config::write;
use crate::ids::smx_id;
use crate::object::{inspect, put};
use crate::smx::{gpusched_energy, gpusched_resources, gpusched_smx_set};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// The configuration.
///
/// @param size  sizeof(gpusched_bubble_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_get_config(
    bubble: *const gpusched_bubble,
    config: *mut gpusched_bubble_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(bubble)
            .and_then(|m| write(config, size, &gpusched_bubble_config::of(m.controller().config())))
    })
}

/// The time of the last event.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_now(bubble: *const gpusched_bubble, cycle: *mut u64) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(bubble).and_then(|m| put(cycle, m.controller().now().0)) })
}

/// The only time of the next sample; GPUSCHED_NEVER before the first one, which may come at any time, and after the last that a cycle
/// number can express.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_next_sample(
    bubble: *const gpusched_bubble,
    cycle: *mut u64,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(bubble)
            .and_then(|m| put(cycle, m.controller().next_sample().map_or(GPUSCHED_NEVER, |at| at.0)))
    })
}

/// SMXs that may receive TBs.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_eligible(
    bubble: *const gpusched_bubble,
    eligible: *mut gpusched_smx_set,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(bubble).and_then(|m| put(eligible, m.eligible().into())) })
}

/// SMXs that may be diverted when a bubble is found.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_armed(
    bubble: *const gpusched_bubble,
    armed: *mut gpusched_smx_set,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(bubble).and_then(|m| put(armed, m.controller().armed().into())) })
}

/// The control registers.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_get_registers(
    bubble: *const gpusched_bubble,
    registers: *mut gpusched_bubble_registers,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(bubble).and_then(|m| put(registers, m.controller().registers().into())) })
}

/// What is under way on an SMX, or on the GPU.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_bubble_level {
    /// High P-state, not diverted. Of the GPU: each SMX has its own level.
    Normal = 0,
    /// Diverted, high P-state: its TBs run to their ends. Not of the GPU.
    Draining = 1,
    /// On its way to the low P-state.
    GoingDown = 2,
    /// At the low P-state.
    Low = 3,
    /// On its way to the high P-state.
    GoingUp = 4,
}

/// The P-state of an SMX.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_bubble_pstate {
    /// High voltage and clock.
    High = 0,
    /// From high to low; charged as high.
    Down = 1,
    /// Low voltage and clock.
    Low = 2,
    /// From low to high; charged as high.
    Up = 3,
}

impl From<PState> for gpusched_bubble_pstate {
    fn from(pstate: PState) -> Self {
        match pstate {
            PState::High => Self::High,
            PState::Down => Self::Down,
            PState::Low => Self::Low,
            PState::Up => Self::Up,
        }
    }
}

/// The GPU level.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_bubble_gpu {
    /// Going down: SMXs that were low before, and stay so.
    pub low: gpusched_smx_set,
    /// Normal: samples in a row in which nothing waited and all SMXs were idle.
    pub idle_samples: u64,
    /// gpusched_bubble_level.
    pub level: u32,
    /// Going down or up: samples until it is there.
    pub left: u32,
}

impl From<GpuLevel> for gpusched_bubble_gpu {
    fn from(gpu: GpuLevel) -> Self {
        use gpusched_bubble_level as Level;
        let of_level = |level: Level| Self { level: level as u32, ..Self::default() };
        match gpu {
            GpuLevel::Normal { idle_samples } => Self { idle_samples, ..of_level(Level::Normal) },
            GpuLevel::GoingDown { left, low } => {
                Self { left: left.into(), low: low.into(), ..of_level(Level::GoingDown) }
            }
            GpuLevel::Low => of_level(Level::Low),
            GpuLevel::GoingUp { left } => Self { left: left.into(), ..of_level(Level::GoingUp) },
        }
    }
}

/// The GPU level.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_get_gpu(
    bubble: *const gpusched_bubble,
    gpu: *mut gpusched_bubble_gpu,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(bubble).and_then(|m| put(gpu, m.controller().gpu().into())) })
}

/// One SMX as the controller keeps it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_bubble_smx {
    /// Energy.
    pub energy: gpusched_energy,
    /// The part of it in intervals that ended in a bubble.
    pub energy_bubble: gpusched_energy,
    /// Samples that found a bubble.
    pub bubble: u64,
    /// Samples that found it low.
    pub low: u64,
    /// gpusched_bubble_level; normal while the GPU level is in force.
    pub level: u32,
    /// Draining: samples spent so. Going down or up: samples until it is there.
    pub samples: u32,
    /// gpusched_bubble_pstate.
    pub pstate: u32,
    /// 1 if a bubble may activate diversion, else 0.
    pub armed: u32,
}

impl gpusched_bubble_smx {
    pub(crate) fn of(smx: &SmxPower, pstate: PState) -> Self {
        use gpusched_bubble_level as Level;
        let &SmxPower { level, armed, bubble, low, energy, energy_bubble } = smx;
        let (level, samples) = match level {
            SmxLevel::Normal => (Level::Normal, 0),
            SmxLevel::Draining { samples } => (Level::Draining, samples),
            SmxLevel::GoingDown { left } => (Level::GoingDown, left),
            SmxLevel::Low => (Level::Low, 0),
            SmxLevel::GoingUp { left } => (Level::GoingUp, left),
        };
        Self {
            energy: energy.into(),
            energy_bubble: energy_bubble.into(),
            bubble,
            low,
            level: level as u32,
            samples: samples.into(),
            pstate: gpusched_bubble_pstate::from(pstate) as u32,
            armed: armed.into(),
        }
    }
}

/// One SMX: P-state, what is under way, bubbles, energy.
///
/// @return BadSmx; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_get_smx(
    bubble: *const gpusched_bubble,
    smx: u32,
    view: *mut gpusched_bubble_smx,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(bubble).and_then(|m| {
            let smx = smx_id(smx);
            let (power, pstate) = m.smx(smx).zip(m.pstate(smx)).ok_or(Status::BadSmx)?;
            put(view, gpusched_bubble_smx::of(power, pstate))
        })
    })
}

/// What an SMX holds and has free.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_bubble_ledger {
    /// What is free.
    pub free: gpusched_resources,
    /// What is resident.
    pub resident: gpusched_bubble_resident,
}

impl From<&SmxLedger> for gpusched_bubble_ledger {
    fn from(&SmxLedger { free, resident }: &SmxLedger) -> Self {
        Self { free: free.into(), resident: resident.into() }
    }
}

/// What an SMX holds and has free.
///
/// @return BadSmx; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_get_ledger(
    bubble: *const gpusched_bubble,
    smx: u32,
    ledger: *mut gpusched_bubble_ledger,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(bubble).and_then(|m| put(ledger, m.ledger(smx_id(smx)).ok_or(Status::BadSmx)?.into()))
    })
}

/// Energy of the GPU: all SMXs and everything else.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_energy(
    bubble: *const gpusched_bubble,
    energy: *mut gpusched_energy,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(bubble).and_then(|m| put(energy, m.controller().energy().into())) })
}

/// Energy of everything but the SMXs.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_energy_uncore(
    bubble: *const gpusched_bubble,
    energy: *mut gpusched_energy,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(bubble).and_then(|m| put(energy, m.controller().energy_uncore().into())) })
}

/// What the controller counted since it was built. All counts saturate.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_bubble_stats {
    /// Samples.
    pub samples: u64,
    /// SMXs diverted.
    pub divert: u64,
    /// Diversions refused.
    pub refused: u64,
    /// SMXs drained in time.
    pub drain_done: u64,
    /// SMXs not drained in time.
    pub drain_abort: u64,
    /// SMX-level transitions to low.
    pub down: u64,
    /// SMX-level transitions to high.
    pub up: u64,
    /// Draining SMXs taken back.
    pub cancel: u64,
    /// Transitions of the GPU to low.
    pub gpu_down: u64,
    /// Transitions of the GPU to high.
    pub gpu_up: u64,
}

impl From<BubbleStats> for gpusched_bubble_stats {
    fn from(stats: BubbleStats) -> Self {
        let BubbleStats { samples, divert, refused, drain_done, drain_abort, down, up, cancel, gpu_down, gpu_up } =
            stats;
        Self { samples, divert, refused, drain_done, drain_abort, down, up, cancel, gpu_down, gpu_up }
    }
}

/// Statistics since the controller was built.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_get_stats(
    bubble: *const gpusched_bubble,
    stats: *mut gpusched_bubble_stats,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(bubble).and_then(|m| put(stats, m.controller().stats().into())) })
}
