//! From a configuration to a machine in the caller's memory, and to what its hardware would cost.

use core::ffi::c_void;

use gpusched::mascar::{MascarStorageBits, mascar_storage_bits};

use super::config::gpusched_mascar_config;
use super::{Object, gpusched_mascar};
use crate::config::read_checked;
use crate::object::{gpusched_layout, init_from, put, put_layout};
use crate::status::{gpusched_status, status};

/// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
///
/// @param config  An initialised configuration.
/// @param layout  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_layout(
    config: *const gpusched_mascar_config,
    layout: *mut gpusched_layout,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put_layout::<Object>(&config, layout)) })
}

/// Builds a machine in memory of the caller, without warps, in EP mode. Needs no counterpart: to end it, forget it.
///
/// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
/// matter.
///
/// @param storage  size bytes, aligned as gpusched_mascar_layout says.
/// @param size     At least what gpusched_mascar_layout says.
/// @param config   An initialised configuration; not needed after the call.
/// @param mascar   Receives the object, which is where storage is.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_init(
    storage: *mut c_void,
    size: usize,
    config: *const gpusched_mascar_config,
    mascar: *mut *mut gpusched_mascar,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| init_from::<Object>(storage, size, &config, mascar)) })
}

/// What one SM's machine would cost in hardware, in bits, laid out as the source does.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_mascar_storage {
    /// Warp Readiness Checker: the owner, or none.
    pub wrc: u64,
    /// Warp Status Table.
    pub wst: u64,
    /// Re-execution queue.
    pub rexq: u64,
    /// Everything.
    pub total: u64,
}

/// Tells what one SM's machine would cost in hardware.
///
/// @param config   An initialised configuration.
/// @param storage  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_storage_bits(
    config: *const gpusched_mascar_config,
    storage: *mut gpusched_mascar_storage,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put(storage, mascar_storage_bits(&config).into())) })
}

impl From<MascarStorageBits> for gpusched_mascar_storage {
    fn from(bits: MascarStorageBits) -> Self {
        let MascarStorageBits { wrc, wst, rexq } = bits;
        Self { wrc, wst, rexq, total: bits.total() }
    }
}
