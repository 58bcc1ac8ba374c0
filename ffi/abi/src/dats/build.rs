//! From a configuration to a machine in the caller's memory, and to what its hardware would cost.

use core::ffi::c_void;

use gpusched::dats::{DgbStorageBits, dgb_storage_bits};

use super::config::gpusched_dgb_config;
use super::{Object, gpusched_dgb};
use crate::config::read_checked;
use crate::object::{gpusched_layout, init_from, put, put_layout};
use crate::status::{gpusched_status, status};

/// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
///
/// @param config  An initialised configuration.
/// @param layout  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_layout(
    config: *const gpusched_dgb_config,
    layout: *mut gpusched_layout,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put_layout::<Object>(&config, layout)) })
}

/// Builds a machine in memory of the caller, without a graph. Needs no counterpart: to end it, forget it.
///
/// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
/// matter.
///
/// @param storage  size bytes, aligned as gpusched_dgb_layout says.
/// @param size     At least what gpusched_dgb_layout says.
/// @param config   An initialised configuration; not needed after the call.
/// @param dgb      Receives the object, which is where storage is.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_init(
    storage: *mut c_void,
    size: usize,
    config: *const gpusched_dgb_config,
    dgb: *mut *mut gpusched_dgb,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| init_from::<Object>(storage, size, &config, dgb)) })
}

/// What the buffer would cost in hardware, in bits, laid out as the source does: without its registers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_dgb_storage {
    /// Local node array and node state table, entries rounded up to whole words of 64 bits.
    pub lna: u64,
    /// Local edge array.
    pub lea: u64,
    /// Pending update buffer.
    pub pub_entries: u64,
    /// Node insertion buffer.
    pub nib: u64,
    /// Everything.
    pub total: u64,
}

/// Tells what the buffer would cost in hardware.
///
/// @param config   An initialised configuration.
/// @param storage  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_storage_bits(
    config: *const gpusched_dgb_config,
    storage: *mut gpusched_dgb_storage,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put(storage, dgb_storage_bits(&config).into())) })
}

impl From<DgbStorageBits> for gpusched_dgb_storage {
    fn from(bits: DgbStorageBits) -> Self {
        let DgbStorageBits { lna, lea, pub_entries, nib } = bits;
        Self { lna, lea, pub_entries, nib, total: bits.total() }
    }
}
