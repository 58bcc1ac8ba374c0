//! From a configuration to a machine in the caller's memory, and to what its hardware would cost.

use core::ffi::c_void;

use gpusched::simt::scoreboard::{ScoreboardStorageBits, scoreboard_storage_bits};

use super::config::gpusched_scoreboard_config;
use super::{Object, gpusched_scoreboard};
use crate::config::read_checked;
use crate::object::{gpusched_layout, init_from, put, put_layout};
use crate::status::{gpusched_status, status};

/// Tells the memory that the scoreboard of this configuration needs: exactly so many bytes, at this alignment.
///
/// @param config  An initialised configuration.
/// @param layout  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_scoreboard_layout(
    config: *const gpusched_scoreboard_config,
    layout: *mut gpusched_layout,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put_layout::<Object>(&config, layout)) })
}

/// Builds a scoreboard in memory of the caller; nothing is pending. Needs no counterpart: to end it, forget it.
///
/// The memory stays the caller's, but must neither be touched nor moved as long as the object is used. Its former content does not
/// matter.
///
/// @param storage  size bytes, aligned as gpusched_scoreboard_layout says.
/// @param size     At least what gpusched_scoreboard_layout says.
/// @param config   An initialised configuration; not needed after the call.
/// @param scoreboard Receives the object, which is where storage is.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_scoreboard_init(
    storage: *mut c_void,
    size: usize,
    config: *const gpusched_scoreboard_config,
    scoreboard: *mut *mut gpusched_scoreboard,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| init_from::<Object>(storage, size, &config, scoreboard)) })
}

/// What a scoreboard would cost in hardware, in bits, laid out as the sheet does.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_scoreboard_storage {
    /// One pending bit and one memory bit per register and warp.
    pub marks: u64,
    /// How many registers of each warp are pending.
    pub counts: u64,
    /// Everything.
    pub total: u64,
}

impl From<ScoreboardStorageBits> for gpusched_scoreboard_storage {
    fn from(bits: ScoreboardStorageBits) -> Self {
        let ScoreboardStorageBits { marks, counts } = bits;
        Self { marks, counts, total: bits.total() }
    }
}

/// Tells what a scoreboard would cost in hardware.
///
/// @param config   An initialised configuration.
/// @param storage  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_scoreboard_storage_bits(
    config: *const gpusched_scoreboard_config,
    storage: *mut gpusched_scoreboard_storage,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put(storage, scoreboard_storage_bits(&config).into())) })
}
