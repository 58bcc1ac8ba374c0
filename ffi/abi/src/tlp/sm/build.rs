//! From a configuration to a machine in the caller's memory.

use core::ffi::c_void;

use gpusched::tlp::TlpSm;

use super::gpusched_tlp_sm;
use crate::config::read_checked;
use crate::object::{gpusched_layout, init_from, put_layout};
use crate::status::{gpusched_status, status};
use crate::tlp::config::gpusched_tlp_config;

/// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
///
/// @param config  An initialised configuration.
/// @param layout  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_sm_layout(
    config: *const gpusched_tlp_config,
    layout: *mut gpusched_layout,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put_layout::<TlpSm>(&config, layout)) })
}

/// Builds a machine in memory of the caller, at cycle 0 and without kernels. Needs no counterpart: to end it, forget it.
///
/// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
/// matter.
///
/// @param storage  size bytes, aligned as gpusched_tlp_sm_layout says.
/// @param size     At least what gpusched_tlp_sm_layout says.
/// @param config   An initialised configuration; not needed after the call.
/// @param sm       Receives the object, which is where storage is.
/// @return BadConfig; Null, Misaligned, BadStructSize, WrongVersion, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_sm_init(
    storage: *mut c_void,
    size: usize,
    config: *const gpusched_tlp_config,
    sm: *mut *mut gpusched_tlp_sm,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| init_from::<TlpSm>(storage, size, &config, sm)) })
}
