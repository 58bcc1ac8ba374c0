//! From a configuration to a machine in the caller's memory, and to what its hardware would cost.

use core::ffi::c_void;

use gpusched::simt::stack::{StackStorageBits, stack_storage_bits};

use super::config::gpusched_stack_config;
use super::{Object, gpusched_stack};
use crate::config::read_checked;
use crate::object::{gpusched_layout, init_from, put, put_layout};
use crate::status::{gpusched_status, status};

/// Tells the memory that the stack of this configuration needs: exactly so many bytes, at this alignment.
///
/// @param config  An initialised configuration.
/// @param layout  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_stack_layout(
    config: *const gpusched_stack_config,
    layout: *mut gpusched_layout,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put_layout::<Object>(&config, layout)) })
}

/// Builds the stack of a warp in memory of the caller; the warp is not live yet. Needs no counterpart: to end it, forget it.
///
/// The memory stays the caller's, but must neither be touched nor moved as long as the object is used. Its former content does not
/// matter.
///
/// @param storage  size bytes, aligned as gpusched_stack_layout says.
/// @param size     At least what gpusched_stack_layout says.
/// @param config   An initialised configuration; not needed after the call.
/// @param stack    Receives the object, which is where storage is.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_stack_init(
    storage: *mut c_void,
    size: usize,
    config: *const gpusched_stack_config,
    stack: *mut *mut gpusched_stack,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| init_from::<Object>(storage, size, &config, stack)) })
}

/// What a warp's stack would cost in hardware, in bits, laid out as the sheet does.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_stack_storage {
    /// PC, mask, and whether the warp is live.
    pub registers: u64,
    /// The entries: reconvergence PC, mask and next PC each.
    pub entries: u64,
    /// How many of them are in use.
    pub pointer: u64,
    /// Everything.
    pub total: u64,
}

impl From<StackStorageBits> for gpusched_stack_storage {
    fn from(bits: StackStorageBits) -> Self {
        let StackStorageBits { registers, entries, pointer } = bits;
        Self { registers, entries, pointer, total: bits.total() }
    }
}

/// Tells what a warp's stack would cost in hardware.
///
/// @param config   An initialised configuration.
/// @param storage  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_stack_storage_bits(
    config: *const gpusched_stack_config,
    storage: *mut gpusched_stack_storage,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put(storage, stack_storage_bits(&config).into())) })
}
