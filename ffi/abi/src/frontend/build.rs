//! From a configuration to a front end in the caller's memory, and to what its hardware would cost.

use core::ffi::c_void;

use gpusched::{StorageBits, storage_bits};

use super::config::gpusched_frontend_config;
use super::{Object, gpusched_frontend};
use crate::config::read_checked;
use crate::object::{gpusched_layout, init_from, put, put_layout};
use crate::status::{gpusched_status, status};

/// Tells the memory that a front end of this configuration needs: exactly so many bytes, at this alignment.
///
/// @param config  An initialised configuration.
/// @param layout  Written.
/// @return BadConfig and what else gpusched_frontend_config_check says; Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_layout(
    config: *const gpusched_frontend_config,
    layout: *mut gpusched_layout,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|setup| put_layout::<Object>(&setup, layout)) })
}

/// Builds a front end in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
///
/// The memory stays the caller's, but must neither be touched nor moved as long as the front end is used. Its former content does
/// not matter.
///
/// @param storage   size bytes, aligned as gpusched_frontend_layout says.
/// @param size      At least what gpusched_frontend_layout says.
/// @param config    An initialised configuration; not needed after the call.
/// @param frontend  Receives the object, which is where storage is.
/// @return BadConfig and what else gpusched_frontend_config_check says; Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_init(
    storage: *mut c_void,
    size: usize,
    config: *const gpusched_frontend_config,
    frontend: *mut *mut gpusched_frontend,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|setup| init_from::<Object>(storage, size, &setup, frontend)) })
}

/// What the modelled hardware would cost, in bits, laid out as the sources do.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_frontend_storage {
    /// References to groups in the kernel distributor entries (NAGEI, LAGEI).
    pub kde_refs: u64,
    /// The first bit in the FCFS controller.
    pub fcfs_first: u64,
    /// The group in the SMX scheduler control register.
    pub sscr_agei: u64,
    /// The group in the TB control registers, one per TB slot.
    pub tbcr_agei: u64,
    /// The aggregated group table, and the load buffer of load_ahead places beside it.
    pub agt: u64,
    /// The gates.
    pub gates: u64,
    /// What composition adds to control registers, records and entries.
    pub composition: u64,
    /// What DTBL adds to the baseline's registers: the first four.
    pub dtbl_registers: u64,
    /// Everything on chip.
    pub total: u64,
    /// LaPerm, on chip.
    pub laperm: u64,
    /// LaPerm's overflow lists, in memory.
    pub laperm_off_chip: u64,
    /// The occupancy-bubble controller.
    pub bubble: u64,
    /// The dependency-graph buffer's own figures; 0 without it.
    pub dats: u64,
}

/// Tells what the modelled hardware would cost. The source gives no size for the baseline structures, so none is counted.
///
/// @param config   An initialised configuration.
/// @param storage  Written.
/// @return BadConfig and what else gpusched_frontend_config_check says; Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_storage_bits(
    config: *const gpusched_frontend_config,
    storage: *mut gpusched_frontend_storage,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        read_checked(config).and_then(|setup| {
            let bits = storage_bits(&setup.machine);
            let StorageBits { kde_refs, fcfs_first, sscr_agei, tbcr_agei, agt, gates, composition, .. } = bits;
            let StorageBits { load_buffer, laperm, bubble, dats, .. } = bits;
            let (dtbl_registers, total) = (bits.dtbl_registers(), bits.total());
            let parts = gpusched_frontend_storage {
                kde_refs,
                fcfs_first,
                sscr_agei,
                tbcr_agei,
                agt: agt + load_buffer,
                gates,
                composition,
                dtbl_registers,
                total,
                laperm: laperm.on_chip(),
                laperm_off_chip: laperm.off_chip,
                bubble: bubble.total(),
                dats: dats.total(),
            };
            put(storage, parts)
        })
    })
}
