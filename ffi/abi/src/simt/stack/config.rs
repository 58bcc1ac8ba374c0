//! Configurations: the preset and checks.

use core::mem::size_of;

use gpusched::simt::stack::{FirstPath, StackConfig};

use crate::config::{self, Parameters, Wrong, choices, fields, gpusched_parameter, write};
use crate::object::put;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Which path of a divergent branch runs first.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_stack_first {
    /// That of the lanes that do not take the branch.
    Fall = 0,
    /// That of the lanes that take it.
    Taken = 1,
}

/// Parameters of a reconvergence stack. Fill it with gpusched_stack_config_init, then change what you like: a newer library adds fields at the end, and programs that were built
/// before keep working.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_stack_config {
    /// sizeof this struct in the caller's header.
    pub struct_size: u32,
    /// Lanes of the warp; lanes, 1 to 64.
    pub lanes: u32,
    /// Entries of the stack; entries, 1 to 126. 2 * (lanes - 1) never overflow.
    pub depth: u32,
    /// gpusched_stack_first.
    pub first: u32,
    /// Entries that change nothing are left out; 0 or 1.
    pub compact: u32,
}

choices! {
    gpusched_stack_first = FirstPath { Fall Taken };
}

fields! {
    gpusched_stack_config: put, get = StackConfig;
    numbers { lanes depth }
    choices { first compact }
}

impl gpusched_stack_config {
    /// The core's configuration as C has it.
    pub(crate) fn of(config: &StackConfig) -> Self {
        let mut of = Self { struct_size: size_of::<Self>() as u32, ..Self::default() };
        of.put(config);
        of
    }
}

// SAFETY: it is such a struct.
unsafe impl Parameters for gpusched_stack_config {
    type Checked = StackConfig;
    const FIRST_SIZE: usize = 20;

    fn preset() -> Self {
        Self::of(&StackConfig::WARP_32)
    }

    fn checked(&self) -> Result<StackConfig, Wrong> {
        let config = self.get()?;
        config.check()?;
        Ok(config)
    }
}

/// Fills a configuration: a warp of 32 lanes, with a stack that cannot overflow.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_stack_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_stack_config_init(
    config: *mut gpusched_stack_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_stack_config::preset()) })
}

/// Fills a configuration: a warp of so many lanes, with a stack that cannot overflow.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_stack_config) in the caller's header.
/// @param lanes   1 to 64.
/// @return BadConfig; Null, Misaligned, BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_stack_config_of_lanes(
    config: *mut gpusched_stack_config,
    size: usize,
    lanes: u32,
) -> gpusched_status {
    let of = StackConfig::of_lanes(lanes);
    if of.check().is_err() {
        return Status::BadConfig;
    }
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_stack_config::of(&of)) })
}

/// Says whether every value is in its range.
///
/// @param config  An initialised configuration.
/// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
/// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_stack_config_check(
    config: *const gpusched_stack_config,
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
pub unsafe extern "C" fn gpusched_stack_parameter(index: u32, parameter: *mut gpusched_parameter) -> gpusched_status {
    let Some((about, value)) = StackConfig::WARP_32.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}
