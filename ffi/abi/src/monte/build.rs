//! From a configuration to a machine in the caller's memory.

use core::ffi::c_void;

use super::config::gpusched_monte_config;
use super::{Object, gpusched_monte};
use crate::config::read_checked;
use crate::object::{gpusched_layout, init_from, put_layout};
use crate::status::{gpusched_status, status};

/// Tells the memory that the object of this configuration needs: exactly so many bytes, at this alignment.
///
/// @param config  An initialised configuration.
/// @param layout  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_monte_layout(
    config: *const gpusched_monte_config,
    layout: *mut gpusched_layout,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put_layout::<Object>(&config, layout)) })
}

/// Builds an object in memory of the caller, without any runs. Needs no counterpart: to end it, forget it.
///
/// The memory stays the caller's, but must neither be touched nor moved as long as the object is used. Its former content does not
/// matter.
///
/// @param storage  size bytes, aligned as gpusched_monte_layout says.
/// @param size     At least what gpusched_monte_layout says.
/// @param config   An initialised configuration; not needed after the call.
/// @param monte    Receives the object, which is where storage is.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_monte_init(
    storage: *mut c_void,
    size: usize,
    config: *const gpusched_monte_config,
    monte: *mut *mut gpusched_monte,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| init_from::<Object>(storage, size, &config, monte)) })
}
