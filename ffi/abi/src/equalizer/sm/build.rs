//! From a configuration to a machine in the caller's memory, and to what its hardware would cost.

use core::ffi::c_void;

use gpusched::equalizer::{Sm, SmStorageBits, sm_storage_bits};

use super::config::gpusched_equalizer_sm_config;
use super::gpusched_equalizer_sm;
use crate::config::read_checked;
use crate::object::{gpusched_layout, init_from, put, put_layout};
use crate::status::{gpusched_status, status};

/// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
///
/// @param config  An initialised configuration.
/// @param layout  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_layout(
    config: *const gpusched_equalizer_sm_config,
    layout: *mut gpusched_layout,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put_layout::<Sm>(&config, layout)) })
}

/// Builds a machine in memory of the caller, at cycle 0 and without a kernel. Needs no counterpart: to end it, forget it.
///
/// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
/// matter.
///
/// @param storage  size bytes, aligned as gpusched_equalizer_sm_layout says.
/// @param size     At least what gpusched_equalizer_sm_layout says.
/// @param config   An initialised configuration; not needed after the call.
/// @param sm       Receives the object, which is where storage is.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_init(
    storage: *mut c_void,
    size: usize,
    config: *const gpusched_equalizer_sm_config,
    sm: *mut *mut gpusched_equalizer_sm,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| init_from::<Sm>(storage, size, &config, sm)) })
}

/// What Equalizer would cost in hardware per SM, in bits.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_equalizer_sm_storage {
    /// The four sums.
    pub sums: u64,
    /// The cycle counter of the epoch.
    pub cycle: u64,
    /// Target, limit, hysteresis, watchdog, samples, requests, objective.
    pub control: u64,
    /// State and age of each block slot.
    pub slots: u64,
    /// The pause bit of each row of the instruction buffer; it lives in the host.
    pub pause_bits: u64,
    /// What the source counts: the sums and the cycle counter.
    pub of_source: u64,
    /// What it does not.
    pub uncounted: u64,
    /// Everything.
    pub total: u64,
}

impl From<SmStorageBits> for gpusched_equalizer_sm_storage {
    fn from(bits: SmStorageBits) -> Self {
        let SmStorageBits { sums, cycle, control, slots, pause_bits } = bits;
        let (of_source, uncounted, total) = (bits.of_source(), bits.uncounted(), bits.total());
        Self { sums, cycle, control, slots, pause_bits, of_source, uncounted, total }
    }
}

/// Tells what the machine would cost in hardware.
///
/// @param config   An initialised configuration.
/// @param storage  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_storage_bits(
    config: *const gpusched_equalizer_sm_config,
    storage: *mut gpusched_equalizer_sm_storage,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put(storage, sm_storage_bits(&config).into())) })
}
