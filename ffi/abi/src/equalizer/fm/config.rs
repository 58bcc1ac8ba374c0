//! Configurations: the preset and checks.

use core::mem::size_of;

use gpusched::equalizer::{FmConfig, Idle, Majority};

use crate::config::{self, Parameters, Wrong, choices, fields, gpusched_parameter, write};
use crate::object::put;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// What moves a clock.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_equalizer_majority {
    /// More than half of the SMs that are enabled.
    Strict = 0,
    /// More SMs than are for each of the other two.
    Plurality = 1,
}

/// What becomes of a clock that nobody moves.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_equalizer_idle {
    /// It stays.
    Hold = 0,
    /// It goes one step towards normal.
    Relax = 1,
}

/// Parameters of Equalizer's frequency manager. Fill it with gpusched_equalizer_fm_config_init, then change what you like: a newer
/// library adds fields at the end, and programs that were built before keep working.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_equalizer_fm_config {
    /// sizeof this struct in the caller's header.
    pub struct_size: u32,
    /// SMs that vote; SMs, 1 to 256.
    pub sms: u32,
    /// Time that a step of the SM domain takes; SM cycles, 0 to 2^24.
    pub sm_transition: u32,
    /// Time that a step of the memory domain takes; SM cycles, 0 to 2^24.
    pub mem_transition: u32,
    /// A step of frequency and voltage; thousandths, 1 to 999.
    pub step_permille: u32,
    /// gpusched_equalizer_majority.
    pub majority: u32,
    /// gpusched_equalizer_idle.
    pub idle: u32,
}

choices! {
    gpusched_equalizer_majority = Majority { Strict Plurality };
    gpusched_equalizer_idle = Idle { Hold Relax };
}

fields! {
    gpusched_equalizer_fm_config: put, get = FmConfig;
    numbers { sms sm_transition mem_transition step_permille }
    choices { majority idle }
}

impl gpusched_equalizer_fm_config {
    /// The core's configuration as C has it.
    pub(crate) fn of(config: &FmConfig) -> Self {
        let mut of = Self { struct_size: size_of::<Self>() as u32, ..Self::default() };
        of.put(config);
        of
    }
}

// SAFETY: it is such a struct.
unsafe impl Parameters for gpusched_equalizer_fm_config {
    type Checked = FmConfig;
    const FIRST_SIZE: usize = 28;

    fn preset() -> Self {
        Self::of(&FmConfig::GTX480)
    }

    fn checked(&self) -> Result<FmConfig, Wrong> {
        let config = self.get()?;
        config.check()?;
        Ok(config)
    }
}

/// Fills a configuration with the values of the source, those of a GTX 480.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_equalizer_fm_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_fm_config_init(
    config: *mut gpusched_equalizer_fm_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_equalizer_fm_config::preset()) })
}

/// Says whether every value is in its range.
///
/// @param config  An initialised configuration.
/// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
/// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_fm_config_check(
    config: *const gpusched_equalizer_fm_config,
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
pub unsafe extern "C" fn gpusched_equalizer_fm_parameter(
    index: u32,
    parameter: *mut gpusched_parameter,
) -> gpusched_status {
    let Some((about, value)) = FmConfig::GTX480.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}
