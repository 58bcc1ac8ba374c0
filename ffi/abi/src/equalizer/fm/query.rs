//! Queries: the whole visible state. None changes anything, and several threads may ask at once as long as none changes the object.

use gpusched::equalizer::{Domain, Fm};

use super::config::gpusched_equalizer_fm_config;
use super::gpusched_equalizer_fm;
use crate::GPUSCHED_NEVER;
use crate::config::write;
use crate::equalizer::records::number;
use crate::object::{inspect, put};
use crate::smx::gpusched_smx_set;
use crate::status::{gpusched_status, status};

/// The configuration.
///
/// @param size  sizeof(gpusched_equalizer_fm_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_fm_get_config(
    fm: *const gpusched_equalizer_fm,
    config: *mut gpusched_equalizer_fm_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Fm>(fm).and_then(|m| write(config, size, &gpusched_equalizer_fm_config::of(m.config())))
    })
}

/// The time of the last event.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_fm_now(
    fm: *const gpusched_equalizer_fm,
    cycle: *mut u64,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Fm>(fm).and_then(|m| put(cycle, m.now().0)) })
}

/// When the earliest step under way is done: the machine's next event. GPUSCHED_NEVER if none is under way.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_fm_next_event(
    fm: *const gpusched_equalizer_fm,
    cycle: *mut u64,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Fm>(fm).and_then(|m| put(cycle, m.next_event().map_or(GPUSCHED_NEVER, |at| at.0))) })
}

/// A clock domain, as of the last event.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_equalizer_domain {
    /// When its step under way is done; GPUSCHED_NEVER if none is under way.
    pub done_at: u64,
    /// Its level: -1 low, 0 normal, 1 high.
    pub level: i32,
    /// The level that it has, or is on its way to.
    pub target: i32,
}

impl From<&Domain> for gpusched_equalizer_domain {
    fn from(domain: &Domain) -> Self {
        Self {
            done_at: domain.transition.map_or(GPUSCHED_NEVER, |transition| transition.done_at.0),
            level: number(domain.level),
            target: number(domain.target()),
        }
    }
}

/// What a frequency manager holds, as of the last event.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_equalizer_fm_state {
    /// SMs that have voted in this round.
    pub voted: gpusched_smx_set,
    /// SMs that vote.
    pub enabled: gpusched_smx_set,
    /// The domain of the SMs.
    pub sm: gpusched_equalizer_domain,
    /// The domain of the memory.
    pub mem: gpusched_equalizer_domain,
}

/// What the frequency manager holds.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_fm_get_state(
    fm: *const gpusched_equalizer_fm,
    state: *mut gpusched_equalizer_fm_state,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Fm>(fm).and_then(|m| {
            let (voted, enabled) = (m.voted().into(), m.enabled().into());
            put(state, gpusched_equalizer_fm_state { voted, enabled, sm: m.sm().into(), mem: m.mem().into() })
        })
    })
}
