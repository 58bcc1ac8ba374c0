//! From a configuration to a machine in the caller's memory, and to what its hardware would cost.

use core::ffi::c_void;

use gpusched::power::{BubbleStorageBits, bubble_storage_bits};

use super::config::gpusched_bubble_config;
use super::{Object, gpusched_bubble};
use crate::config::read_checked;
use crate::object::{gpusched_layout, init_from, put, put_layout};
use crate::status::{gpusched_status, status};

/// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
///
/// @param config  An initialised configuration.
/// @param layout  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_layout(
    config: *const gpusched_bubble_config,
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
/// @param storage  size bytes, aligned as gpusched_bubble_layout says.
/// @param size     At least what gpusched_bubble_layout says.
/// @param config   An initialised configuration; not needed after the call.
/// @param bubble   Receives the object, which is where storage is.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_init(
    storage: *mut c_void,
    size: usize,
    config: *const gpusched_bubble_config,
    bubble: *mut *mut gpusched_bubble,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| init_from::<Object>(storage, size, &config, bubble)) })
}

/// What the controller would cost in hardware, in bits, laid out as the sheet does.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_bubble_storage {
    /// DVR.
    pub dvr: u64,
    /// DRN.
    pub drn: u64,
    /// DVFS: one bit per SMX, and that of the GPU level.
    pub dvfs: u64,
    /// Drain counters.
    pub drain_counters: u64,
    /// Transition timers.
    pub timers: u64,
    /// Armed bits.
    pub armed: u64,
    /// GPU level: timer, direction, idle count.
    pub gpu_level: u64,
    /// Bytes of the three registers, each rounded up: the source's figure.
    pub register_bytes: u64,
    /// Bits that the source's own parameters call for besides the registers.
    pub uncounted: u64,
    /// Everything.
    pub total: u64,
}

/// Tells what the controller would cost in hardware.
///
/// @param config   An initialised configuration.
/// @param storage  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_storage_bits(
    config: *const gpusched_bubble_config,
    storage: *mut gpusched_bubble_storage,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put(storage, bubble_storage_bits(&config).into())) })
}

impl From<BubbleStorageBits> for gpusched_bubble_storage {
    fn from(bits: BubbleStorageBits) -> Self {
        let BubbleStorageBits { dvr, drn, dvfs, drain_counters, timers, armed, gpu_level } = bits;
        let (register_bytes, uncounted, total) = (bits.register_bytes(), bits.uncounted(), bits.total());
        Self { dvr, drn, dvfs, drain_counters, timers, armed, gpu_level, register_bytes, uncounted, total }
    }
}
