//! Configurations: the preset and checks.

use core::mem::size_of;

use gpusched::power::{BubbleConfig, Retrigger};

use crate::config::{self, Parameters, Wrong, choices, fields, gpusched_parameter, write};
use crate::object::put;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// When a bubble that is still there may be diverted again.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_bubble_retrigger {
    /// At every sample.
    Level = 0,
    /// At every sample until a drain time-out or a resumption; then only after the SMX was not in a bubble.
    Rearm = 1,
    /// Only at the first sample of a bubble, even if that was refused.
    Once = 2,
}

/// Parameters of the occupancy-bubble controller. Fill it with gpusched_bubble_config_init, then change what you like: a newer library
/// adds fields at the end, and programs that were built before keep working.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_bubble_config {
    /// sizeof this struct in the caller's header.
    pub struct_size: u32,
    /// SMXs; SMXs, 1 to 256.
    pub smxs: u32,
    /// Threshold T, numerator; of t_den, 0 to t_den.
    pub t_num: u32,
    /// Threshold T, denominator; parts, 1 to 65535.
    pub t_den: u32,
    /// Sampling period; cycles, 1 to 2^20.
    pub sample_cycles: u32,
    /// W: samples in which a draining SMX must become empty; samples, 1 to 65535.
    pub drain_samples: u32,
    /// P: samples that a transition of the P-state takes; samples, 1 to 65535.
    pub transition_samples: u32,
    /// Samples in a row with all SMXs idle before the GPU level; samples, 1 to 65535.
    pub gpu_idle_samples: u32,
    /// Threads of a warp; divides smx_threads; threads, 1 to 1024.
    pub warp_size: u32,
    /// Threads of an SMX; threads, 1 to 2^20.
    pub smx_threads: u32,
    /// Registers of an SMX; registers, 1 to 2^24.
    pub smx_regs: u32,
    /// Shared memory of an SMX; bytes, 0 to 2^24.
    pub smx_smem: u32,
    /// TB slots of an SMX; TBs, 1 to 1024.
    pub smx_slots: u32,
    /// Voltage of the high P-state; mV, 1 to 5000.
    pub v_high_mv: u32,
    /// Voltage of the low P-state; mV, 1 to v_high_mv.
    pub v_low_mv: u32,
    /// Clock of the high P-state; MHz, 1 to 5000.
    pub f_high_mhz: u32,
    /// Clock of the low P-state; MHz, 1 to f_high_mhz.
    pub f_low_mhz: u32,
    /// Leakage follows this power of the voltage; exponent, 0 to 3.
    pub leak_exp: u32,
    /// Leakage of an SMX at the high P-state; mW, 0 to 10^6.
    pub p_leak_mw: u32,
    /// Other power of an idle SMX at the high P-state; mW, 0 to 10^6.
    pub p_idle_mw: u32,
    /// What full activity adds at the high P-state; mW, 0 to 10^6.
    pub p_dyn_mw: u32,
    /// Everything but the SMXs, at any P-state; mW, 0 to 10^6.
    pub p_uncore_mw: u32,
    /// gpusched_bubble_retrigger.
    pub retrigger: u32,
    /// Whether anything is decided; if not, bubbles and energy are counted for the base run; 0 or 1.
    pub enabled: u32,
    /// A bubble is an occupancy of at most T, rather than below T; 0 or 1.
    pub inclusive: u32,
    /// A diverted SMX runs empty before it goes down, rather than going down with its TBs; 0 or 1.
    pub draining: u32,
    /// The whole GPU goes down when all SMXs are idle; 0 or 1.
    pub gpu_level: u32,
    /// A draining SMX may be taken back; 0 or 1.
    pub resume_draining: u32,
    /// No SMX is resumed while another one is going up; 0 or 1.
    pub resume_hold: u32,
}

choices! {
    gpusched_bubble_retrigger = Retrigger { Level Rearm Once };
}

fields! {
    gpusched_bubble_config: put, get = BubbleConfig;
    numbers {
        smxs t_num t_den sample_cycles drain_samples transition_samples gpu_idle_samples warp_size
        smx_threads smx_regs smx_smem smx_slots v_high_mv v_low_mv f_high_mhz f_low_mhz leak_exp
        p_leak_mw p_idle_mw p_dyn_mw p_uncore_mw
    }
    choices { retrigger enabled inclusive draining gpu_level resume_draining resume_hold }
}

impl gpusched_bubble_config {
    /// The core's configuration as C has it.
    pub(crate) fn of(config: &BubbleConfig) -> Self {
        let mut of = Self { struct_size: size_of::<Self>() as u32, ..Self::default() };
        of.put(config);
        of
    }
}

// SAFETY: it is such a struct.
unsafe impl Parameters for gpusched_bubble_config {
    type Checked = BubbleConfig;
    const FIRST_SIZE: usize = 116;

    fn preset() -> Self {
        Self::of(&BubbleConfig::K20C)
    }

    fn checked(&self) -> Result<BubbleConfig, Wrong> {
        let config = self.get()?;
        config.check()?;
        Ok(config)
    }
}

/// Fills a configuration with the values of the source, those of a Tesla K20c with an on-chip regulator. The powers are a
/// calibration.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_bubble_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_config_init(
    config: *mut gpusched_bubble_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_bubble_config::preset()) })
}

/// Says whether every value is in its range, and right beside the others.
///
/// @param config  An initialised configuration.
/// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
/// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_config_check(
    config: *const gpusched_bubble_config,
    wrong: *mut gpusched_parameter,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { config::check(config, wrong) })
}

/// Tells a numeric parameter: name, default and range.
///
/// @param index      From 0.
/// @param parameter  Written.
/// @return Null, Misaligned; BadIndex: there are not so many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_parameter(index: u32, parameter: *mut gpusched_parameter) -> gpusched_status {
    let Some((about, value)) = BubbleConfig::K20C.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}
