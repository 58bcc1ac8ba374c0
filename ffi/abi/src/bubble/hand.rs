//! What an SMX and the GPU are doing: C has one enumeration for both, and the P-state beside it.

use gpusched::power::{GpuLevel, PState, SmxLevel, SmxPower};

use super::{Object, gpusched_bubble};
use crate::convert::{ToC, from_c, numbers};
use crate::object::{inspect, put};
use crate::smx::{gpusched_energy, gpusched_smx_set};
use crate::status::{gpusched_status, gpusched_status as Status, status};

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

numbers! { gpusched_bubble_pstate = PState { High Down Low Up }; }

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

impl ToC for GpuLevel {
    type C = gpusched_bubble_gpu;

    fn to_c(&self) -> gpusched_bubble_gpu {
        use gpusched_bubble_level as Level;
        let of = |level: Level| gpusched_bubble_gpu { level: level as u32, ..Default::default() };
        match self {
            Self::Normal { idle_samples } => gpusched_bubble_gpu { idle_samples: *idle_samples, ..of(Level::Normal) },
            Self::GoingDown { left, low } => {
                gpusched_bubble_gpu { left: left.to_c(), low: low.to_c(), ..of(Level::GoingDown) }
            }
            Self::Low => of(Level::Low),
            Self::GoingUp { left } => gpusched_bubble_gpu { left: left.to_c(), ..of(Level::GoingUp) },
        }
    }
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
            energy: energy.to_c(),
            energy_bubble: energy_bubble.to_c(),
            bubble,
            low,
            level: level as u32,
            samples: samples.to_c(),
            pstate: pstate.to_c(),
            armed: armed.to_c(),
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
            let smx = from_c(smx);
            let (power, pstate) = m.smx(smx).zip(m.pstate(smx)).ok_or(Status::BadSmx)?;
            put(view, gpusched_bubble_smx::of(power, pstate))
        })
    })
}
