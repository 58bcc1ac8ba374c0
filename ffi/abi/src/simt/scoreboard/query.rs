//! Queries: the whole visible state. None changes anything, and several threads may ask at once as long as none changes the object.

use super::config::gpusched_scoreboard_config;
use super::{Object, gpusched_scoreboard};
use crate::config::write;
use crate::ids::scoreboard_warp;
use crate::object::{inspect, put};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// The configuration.
///
/// @param size  sizeof(gpusched_scoreboard_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_scoreboard_get_config(
    scoreboard: *const gpusched_scoreboard,
    config: *mut gpusched_scoreboard_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(scoreboard).and_then(|m| write(config, size, &gpusched_scoreboard_config::of(m.config())))
    })
}

/// Registers of all warps that wait for memory.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_scoreboard_mem_in_flight(
    scoreboard: *const gpusched_scoreboard,
    count: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(scoreboard).and_then(|m| put(count, m.mem_in_flight())) })
}

/// Registers of a warp that are pending. Bit b of word w is register 64w + b.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_warp_regs {
    /// Registers that wait for a result.
    pub pending: [u64; 4],
    /// Those of them that wait for memory.
    pub memory: [u64; 4],
}

/// The registers of a warp that are pending.
///
/// @return BadWarp; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_scoreboard_warp(
    scoreboard: *const gpusched_scoreboard,
    warp: u32,
    regs: *mut gpusched_warp_regs,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(scoreboard).and_then(|m| {
            let of = m.warp(scoreboard_warp(warp)).ok_or(Status::BadWarp)?;
            put(regs, gpusched_warp_regs { pending: of.pending.words(), memory: of.memory.words() })
        })
    })
}
