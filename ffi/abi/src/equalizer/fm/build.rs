//! From a configuration to a machine in the caller's memory, and to what its hardware would cost.

use core::ffi::c_void;

use gpusched::equalizer::{Fm, FmStorageBits, fm_storage_bits};

use super::config::gpusched_equalizer_fm_config;
use super::gpusched_equalizer_fm;
use crate::config::read_checked;
use crate::object::{gpusched_layout, init_from, put, put_layout};
use crate::status::{gpusched_status, status};

/// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
///
/// @param config  An initialised configuration.
/// @param layout  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_fm_layout(
    config: *const gpusched_equalizer_fm_config,
    layout: *mut gpusched_layout,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put_layout::<Fm>(&config, layout)) })
}

/// Builds a machine in memory of the caller, at cycle 0, with both domains normal and all SMs enabled. Needs no counterpart: to end it, forget it.
///
/// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
/// matter.
///
/// @param storage  size bytes, aligned as gpusched_equalizer_fm_layout says.
/// @param size     At least what gpusched_equalizer_fm_layout says.
/// @param config   An initialised configuration; not needed after the call.
/// @param fm       Receives the object, which is where storage is.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_fm_init(
    storage: *mut c_void,
    size: usize,
    config: *const gpusched_equalizer_fm_config,
    fm: *mut *mut gpusched_equalizer_fm,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| init_from::<Fm>(storage, size, &config, fm)) })
}

/// What the frequency manager would cost in hardware, in bits.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_equalizer_fm_storage {
    /// Level, target and countdown of both domains.
    pub domains: u64,
    /// Votes, and whether each SM has voted and is enabled.
    pub votes: u64,
    /// Everything.
    pub total: u64,
}

impl From<FmStorageBits> for gpusched_equalizer_fm_storage {
    fn from(bits: FmStorageBits) -> Self {
        let FmStorageBits { domains, votes } = bits;
        Self { domains, votes, total: bits.total() }
    }
}

/// Tells what the machine would cost in hardware.
///
/// @param config   An initialised configuration.
/// @param storage  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_fm_storage_bits(
    config: *const gpusched_equalizer_fm_config,
    storage: *mut gpusched_equalizer_fm_storage,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put(storage, fm_storage_bits(&config).into())) })
}
