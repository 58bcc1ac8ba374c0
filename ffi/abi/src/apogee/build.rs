//! From a configuration to a machine in the caller's memory, and to what its hardware would cost.

use core::ffi::c_void;

use gpusched::apogee::{ApogeeStorageBits, apogee_storage_bits};

use super::config::gpusched_apogee_config;
use super::{Object, gpusched_apogee};
use crate::config::read_checked;
use crate::object::{gpusched_layout, init_from, put, put_layout};
use crate::status::{gpusched_status, status};

/// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
///
/// @param config  An initialised configuration.
/// @param layout  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_layout(
    config: *const gpusched_apogee_config,
    layout: *mut gpusched_layout,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put_layout::<Object>(&config, layout)) })
}

/// Builds a machine in memory of the caller, at cycle 0, having seen nothing. Needs no counterpart: to end it, forget it.
///
/// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
/// matter.
///
/// @param storage  size bytes, aligned as gpusched_apogee_layout says.
/// @param size     At least what gpusched_apogee_layout says.
/// @param config   An initialised configuration; not needed after the call.
/// @param apogee   Receives the object, which is where storage is.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_init(
    storage: *mut c_void,
    size: usize,
    config: *const gpusched_apogee_config,
    apogee: *mut *mut gpusched_apogee,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| init_from::<Object>(storage, size, &config, apogee)) })
}

/// What the prefetcher would cost in hardware, in bits, laid out as the sheet does.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_apogee_storage {
    /// One row of the prefetch table.
    pub row: u64,
    /// The prefetch table: what the source counts.
    pub table: u64,
    /// Last accessed loads: a PC and a valid bit each.
    pub last_loads: u64,
    /// Prefetch queue: line, row, warp, kind, and the cycles until a request may leave.
    pub queue: u64,
    /// Bits that the source's own design calls for besides the table.
    pub uncounted: u64,
    /// Everything.
    pub total: u64,
}

/// Tells what the prefetcher would cost in hardware.
///
/// @param config   An initialised configuration.
/// @param storage  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_storage_bits(
    config: *const gpusched_apogee_config,
    storage: *mut gpusched_apogee_storage,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put(storage, apogee_storage_bits(&config).into())) })
}

impl From<ApogeeStorageBits> for gpusched_apogee_storage {
    fn from(bits: ApogeeStorageBits) -> Self {
        let ApogeeStorageBits { row, table, last_loads, queue } = bits;
        Self { row, table, last_loads, queue, uncounted: bits.uncounted(), total: bits.total() }
    }
}
