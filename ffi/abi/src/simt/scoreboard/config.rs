//! Configurations: the preset and checks.

use core::mem::size_of;

use gpusched::simt::scoreboard::ScoreboardConfig;

use crate::config::{self, Parameters, Wrong, fields, gpusched_parameter, write};
use crate::object::put;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Parameters of a scoreboard. Fill it with gpusched_scoreboard_config_init, then change what you like: a newer library adds fields at the end, and programs that were built
/// before keep working.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_scoreboard_config {
    /// sizeof this struct in the caller's header.
    pub struct_size: u32,
    /// Warps of the SM; warps, 1 to 64.
    pub warps: u32,
    /// Registers of a warp; registers, 1 to 256.
    pub regs: u32,
    /// Registers of a warp that may be pending at the same time; registers, 0 to 256. 0: all.
    pub entries: u32,
}

fields! {
    gpusched_scoreboard_config: put, get = ScoreboardConfig;
    numbers { warps regs entries }
    choices {  }
}

impl gpusched_scoreboard_config {
    /// The core's configuration as C has it.
    pub(crate) fn of(config: &ScoreboardConfig) -> Self {
        let mut of = Self { struct_size: size_of::<Self>() as u32, ..Self::default() };
        of.put(config);
        of
    }
}

// SAFETY: it is such a struct.
unsafe impl Parameters for gpusched_scoreboard_config {
    type Checked = ScoreboardConfig;
    const FIRST_SIZE: usize = 16;

    fn preset() -> Self {
        Self::of(&ScoreboardConfig::GTX480)
    }

    fn checked(&self) -> Result<ScoreboardConfig, Wrong> {
        let config = self.get()?;
        config.check()?;
        Ok(config)
    }
}

/// Fills a configuration: an SM of a GTX 480.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_scoreboard_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_scoreboard_config_init(
    config: *mut gpusched_scoreboard_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_scoreboard_config::preset()) })
}

/// Says whether every value is in its range.
///
/// @param config  An initialised configuration.
/// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
/// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_scoreboard_config_check(
    config: *const gpusched_scoreboard_config,
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
pub unsafe extern "C" fn gpusched_scoreboard_parameter(
    index: u32,
    parameter: *mut gpusched_parameter,
) -> gpusched_status {
    let Some((about, value)) = ScoreboardConfig::GTX480.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}
