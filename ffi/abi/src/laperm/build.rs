//! From a configuration to a machine in the caller's memory, and to what its hardware would cost.

use core::ffi::c_void;

use gpusched::laperm::{StorageBits, storage_bits};

use super::config::gpusched_laperm_config;
use super::{Object, gpusched_laperm};
use crate::config::read_checked;
use crate::object::{gpusched_layout, init_from, put, put_layout};
use crate::status::{gpusched_status, status};

/// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
///
/// @param config  An initialised configuration.
/// @param layout  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_layout(
    config: *const gpusched_laperm_config,
    layout: *mut gpusched_layout,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put_layout::<Object>(&config, layout)) })
}

/// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
///
/// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
/// matter.
///
/// @param storage  size bytes, aligned as gpusched_laperm_layout says.
/// @param size     At least what gpusched_laperm_layout says.
/// @param config   An initialised configuration; not needed after the call.
/// @param laperm   Receives the object, which is where storage is.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_init(
    storage: *mut c_void,
    size: usize,
    config: *const gpusched_laperm_config,
    laperm: *mut *mut gpusched_laperm,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| init_from::<Object>(storage, size, &config, laperm)) })
}

/// What LaPerm would cost in hardware, in bits, laid out as the source does.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_laperm_storage {
    /// The units' queues.
    pub unit_queues: u64,
    /// Queue 0.
    pub queue0: u64,
    /// The first index of every section but the highest.
    pub section_pointers: u64,
    /// The pointer to the SMX that is visited next.
    pub visit_pointer: u64,
    /// Backup records, with their counts if there is a limit.
    pub backups: u64,
    /// The KMU's pointer.
    pub kmu_pointer: u64,
    /// The mask.
    pub mask: u64,
    /// Free resources of the SMXs, which the baseline has as well.
    pub baseline: u64,
    /// Overflow or pending lists, in memory.
    pub off_chip: u64,
    /// The source's figure: all queues on chip.
    pub queues: u64,
    /// What LaPerm adds on chip.
    pub on_chip: u64,
}

/// Tells what LaPerm would cost in hardware.
///
/// @param config   An initialised configuration.
/// @param storage  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_storage_bits(
    config: *const gpusched_laperm_config,
    storage: *mut gpusched_laperm_storage,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put(storage, storage_bits(&config).into())) })
}

impl From<StorageBits> for gpusched_laperm_storage {
    fn from(bits: StorageBits) -> Self {
        let StorageBits {
            unit_queues,
            queue0,
            section_pointers,
            visit_pointer,
            backups,
            kmu_pointer,
            mask,
            baseline,
            off_chip,
        } = bits;
        Self {
            unit_queues,
            queue0,
            section_pointers,
            visit_pointer,
            backups,
            kmu_pointer,
            mask,
            baseline,
            off_chip,
            queues: bits.queues(),
            on_chip: bits.on_chip(),
        }
    }
}
