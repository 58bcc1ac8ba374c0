//! Queries: the whole visible state. None changes anything, and several threads may ask at once as long as none changes the object.

use gpusched::tlp::{Load, Period, TlpSm};

use super::gpusched_tlp_sm;
use crate::GPUSCHED_NEVER;
use crate::config::{Choice, write};
use crate::ids::{slot_id, tlp_kernel};
use crate::object::{inspect, put};
use crate::status::{gpusched_status, gpusched_status as Status, status};
use crate::tlp::config::gpusched_tlp_config;
use crate::tlp::records::gpusched_tlp_kernel;

/// The configuration.
///
/// @param size  sizeof(gpusched_tlp_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_sm_get_config(
    sm: *const gpusched_tlp_sm,
    config: *mut gpusched_tlp_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<TlpSm>(sm).and_then(|m| write(config, size, &gpusched_tlp_config::of(m.config()))) })
}

/// The time of the last event.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_sm_now(sm: *const gpusched_tlp_sm, cycle: *mut u64) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<TlpSm>(sm).and_then(|m| put(cycle, m.now().0)) })
}

/// What a machine holds.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_sm_state {
    /// Start of the period; GPUSCHED_NEVER if there is none.
    pub start: u64,
    /// Its end; GPUSCHED_NEVER before it.
    pub end: u64,
    /// gpusched_tlp_mode.
    pub mode: u32,
    /// The kernel that was attached earlier.
    pub first: u32,
    /// TBs that kernel 0 and 1 are to have.
    pub tb: [u32; 2],
    /// How many of them are to bypass the L1.
    pub by: [u32; 2],
    /// Resident TBs of kernel 0 and 1.
    pub resident: [u32; 2],
    /// Those of them that bypass.
    pub bypassing: [u32; 2],
    /// gpusched_tlp_phase.
    pub phase: u32,
    /// A bit for the slot of each TB that the period waits for.
    pub cohort: u32,
    /// gpusched_tlp_learn.
    pub learn: u32,
    /// Periods in the history, at most 65535.
    pub periods: u32,
    /// Utilisation of SP in the history, in 65536ths.
    pub sp: u32,
    /// Utilisation of LD/ST.
    pub ldst: u32,
    /// Utilisation of SP by kernel 0 and 1.
    pub sp_of: [u32; 2],
    /// Utilisation of LD/ST by kernel 0 and 1.
    pub ldst_of: [u32; 2],
}

impl From<&TlpSm> for gpusched_tlp_sm_state {
    fn from(sm: &TlpSm) -> Self {
        let &Load { sp, ldst, sp_of, ldst_of } = &sm.history().load;
        let (start, end) = match sm.period() {
            Period::Waiting => (GPUSCHED_NEVER, GPUSCHED_NEVER),
            Period::Sampling { start, .. } => (start.0, GPUSCHED_NEVER),
            Period::Await { start, end } => (start.0, end.0),
        };
        Self {
            start,
            end,
            mode: sm.mode().code(),
            first: sm.first().into(),
            tb: sm.tb(),
            by: sm.by(),
            resident: sm.resident(),
            bypassing: sm.bypassing(),
            phase: sm.period().phase().code(),
            cohort: sm.cohort(),
            learn: sm.learn().code(),
            periods: sm.history().periods.into(),
            sp,
            ldst,
            sp_of,
            ldst_of,
        }
    }
}

/// What the machine holds.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_sm_get_state(
    sm: *const gpusched_tlp_sm,
    state: *mut gpusched_tlp_sm_state,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<TlpSm>(sm).and_then(|m| put(state, m.into())) })
}

/// Kernel 0 or 1.
///
/// @return NotLive: none is attached under this number; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_sm_get_kernel(
    sm: *const gpusched_tlp_sm,
    k: u32,
    kernel: *mut gpusched_tlp_kernel,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<TlpSm>(sm).and_then(|m| put(kernel, m.kernel(tlp_kernel(k)).ok_or(Status::NotLive)?.into()))
    })
}

/// A resident TB.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_resident {
    /// Its kernel.
    pub k: u32,
    /// 1 if it bypasses the L1, else 0.
    pub bypass: u32,
}

/// The TB in a slot.
///
/// @return BadSlot, SlotEmpty; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_sm_get_slot(
    sm: *const gpusched_tlp_sm,
    slot: u32,
    resident: *mut gpusched_tlp_resident,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<TlpSm>(sm).and_then(|m| {
            if slot >= m.config().slots {
                return Err(Status::BadSlot);
            }
            let tb = m.slot(slot_id(slot)).ok_or(Status::SlotEmpty)?;
            put(resident, gpusched_tlp_resident { k: tb.k.into(), bypass: tb.bypass.into() })
        })
    })
}
