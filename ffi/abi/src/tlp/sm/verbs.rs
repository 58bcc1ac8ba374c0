//! What happens on an SM.

use gpusched::Cycle;
use gpusched::tlp::{Attached, Detached, Dispatch, Finished, Metrics, Overridden, Placed, Sampled, TlpSm};

use super::gpusched_tlp_sm;
use crate::GPUSCHED_NONE;
use crate::config::Choice;
use crate::ids::{slot_id, tlp_kernel};
use crate::object::{enter, get, writable};
use crate::status::{gpusched_status, status};
use crate::tlp::records::{gpusched_tlp_kernel, gpusched_tlp_stall, stall};

/// A kernel has come.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_attached {
    /// gpusched_tlp_mode.
    pub mode: u32,
    /// Targets of kernel 0 and 1.
    pub tb: [u32; 2],
}

impl From<Attached> for gpusched_tlp_attached {
    fn from(Attached { mode, tb }: Attached) -> Self {
        Self { mode: mode.code(), tb }
    }
}

/// Kernel 0 or 1 comes to the SM. TBs that are resident stay; those above their target drain.
///
/// @param sm        The machine.
/// @param now       The cycle, not before that of the last call.
/// @param k         0 or 1.
/// @param kernel    The kernel.
/// @param attached  Written.
/// @return BadArg, TimeRegress, SlotBusy, BadKernel, KernelTooBig; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_sm_attach(
    sm: *mut gpusched_tlp_sm,
    now: u64,
    k: u32,
    kernel: *const gpusched_tlp_kernel,
    attached: *mut gpusched_tlp_attached,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<TlpSm>(sm).and_then(|machine| {
            let (kernel, attached) = (*get(kernel)?, writable(attached)?);
            attached.write(machine.attach(Cycle(now), tlp_kernel(k), kernel)?.into());
            Ok(())
        })
    })
}

/// A kernel has gone.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_detached {
    /// gpusched_tlp_mode.
    pub mode: u32,
    /// Targets of kernel 0 and 1.
    pub tb: [u32; 2],
    /// 1 if a period was under way, or its sample due, and is dropped; else 0.
    pub aborted: u32,
}

impl From<Detached> for gpusched_tlp_detached {
    fn from(Detached { mode, tb, aborted }: Detached) -> Self {
        Self { mode: mode.code(), tb, aborted: aborted.into() }
    }
}

/// Kernel 0 or 1 will send no more TBs here, and none is resident. The other one has the SM for itself.
///
/// @param sm        The machine.
/// @param now       The cycle, not before that of the last call.
/// @param k         0 or 1.
/// @param detached  Written.
/// @return BadArg, TimeRegress, NotLive, KernelStillResident; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_sm_done(
    sm: *mut gpusched_tlp_sm,
    now: u64,
    k: u32,
    detached: *mut gpusched_tlp_detached,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<TlpSm>(sm).and_then(|machine| {
            let detached = writable(detached)?;
            detached.write(machine.done(Cycle(now), tlp_kernel(k))?.into());
            Ok(())
        })
    })
}

/// What an SM takes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_dispatched {
    /// gpusched_tlp_stall; None if it takes a TB.
    pub stall: u32,
    /// Its slot; GPUSCHED_NONE if there is no TB.
    pub slot: u32,
    /// Its kernel; GPUSCHED_NONE if there is no TB.
    pub k: u32,
    /// 1 if it bypasses the L1, as long as it runs; else 0.
    pub bypass: u32,
}

impl From<Dispatch> for gpusched_tlp_dispatched {
    #[inline]
    fn from(dispatch: Dispatch) -> Self {
        match dispatch {
            Dispatch::Placed(Placed { slot, k, bypass }) => {
                let stall = gpusched_tlp_stall::None as u32;
                Self { stall, slot: slot.into(), k: k.into(), bypass: bypass.into() }
            }
            Dispatch::Stall(why) => Self { stall: stall(why), slot: GPUSCHED_NONE, k: GPUSCHED_NONE, bypass: 0 },
        }
    }
}

/// Which TB the SM takes next, one per call.
///
/// @param sm          The machine.
/// @param now         The cycle, not before that of the last call.
/// @param avail0      Not 0: kernel 0 has TBs to be sent.
/// @param avail1      Not 0: kernel 1 has.
/// @param dispatched  Written.
/// @return TimeRegress; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_sm_dispatch(
    sm: *mut gpusched_tlp_sm,
    now: u64,
    avail0: u32,
    avail1: u32,
    dispatched: *mut gpusched_tlp_dispatched,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<TlpSm>(sm).and_then(|machine| {
            let dispatched = writable(dispatched)?;
            dispatched.write(machine.dispatch(Cycle(now), [avail0 != 0, avail1 != 0])?.into());
            Ok(())
        })
    })
}

/// A TB that has ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_finished {
    /// Its kernel.
    pub k: u32,
    /// 1 if it bypassed the L1, else 0.
    pub bypass: u32,
    /// 1 if a period ends with it: then its counters go to gpusched_tlp_sm_sample. Else 0.
    pub period_end: u32,
}

impl From<Finished> for gpusched_tlp_finished {
    #[inline]
    fn from(Finished { k, bypass, period_end }: Finished) -> Self {
        Self { k: k.into(), bypass: bypass.into(), period_end: period_end.into() }
    }
}

/// The TB in a slot has ended. Its successor comes with the next gpusched_tlp_sm_dispatch.
///
/// @param sm        The machine.
/// @param now       The cycle, not before that of the last call.
/// @param slot      The slot.
/// @param finished  Written.
/// @return TimeRegress, BadSlot: it is empty, or there is no such slot; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_sm_finish(
    sm: *mut gpusched_tlp_sm,
    now: u64,
    slot: u32,
    finished: *mut gpusched_tlp_finished,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<TlpSm>(sm).and_then(|machine| {
            let finished = writable(finished)?;
            finished.write(machine.finish(Cycle(now), slot_id(slot))?.into());
            Ok(())
        })
    })
}

/// The counters of a period.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_metrics {
    /// Cycles in which SP pipelines were busy with kernel 0 and 1.
    pub sp: [u64; 2],
    /// Cycles in which LD/ST pipelines were.
    pub ldst: [u64; 2],
    /// Stalls for memory.
    pub stall_mem: u64,
    /// Structural stalls.
    pub stall_struct: u64,
    /// Not 0: kernel 0, and 1, has TBs to be sent.
    pub avail: [u32; 2],
}

impl From<gpusched_tlp_metrics> for Metrics {
    fn from(metrics: gpusched_tlp_metrics) -> Self {
        let gpusched_tlp_metrics { sp, ldst, stall_mem, stall_struct, avail } = metrics;
        Self { sp, ldst, stall_mem, stall_struct, avail: avail.map(|avail| avail != 0) }
    }
}

/// What a sample leads to.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_sampled {
    /// gpusched_tlp_action.
    pub action: u32,
    /// The pipeline whose utilisation fell: gpusched_tlp_pipe, or GPUSCHED_NONE.
    pub critical: u32,
    /// The kernel that was to grow; GPUSCHED_NONE if there is none.
    pub grow: u32,
    /// Targets of kernel 0 and 1.
    pub tb: [u32; 2],
    /// Bypassing TBs wanted of kernel 0 and 1.
    pub by: [u32; 2],
    /// gpusched_tlp_learn.
    pub learn: u32,
    /// Cycles that the hardware takes for it.
    pub cost: u32,
}

impl From<Sampled> for gpusched_tlp_sampled {
    #[inline]
    fn from(Sampled { action, critical, grow, tb, by, learn, cost }: Sampled) -> Self {
        Self {
            action: action.code(),
            critical: critical.map_or(GPUSCHED_NONE, Choice::code),
            grow: grow.map_or(GPUSCHED_NONE, Into::into),
            tb,
            by,
            learn: learn.code(),
            cost,
        }
    }
}

/// The counters of the period that has ended.
///
/// @param sm       The machine.
/// @param now      The cycle, not before that of the last call.
/// @param metrics  The counters.
/// @param sampled  Written.
/// @return TimeRegress, NoSampleDue; BadMetrics: more than 2^64 - 1 stalls, or more busy cycles than the period and the pipelines
/// allow; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_sm_sample(
    sm: *mut gpusched_tlp_sm,
    now: u64,
    metrics: *const gpusched_tlp_metrics,
    sampled: *mut gpusched_tlp_sampled,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<TlpSm>(sm).and_then(|machine| {
            let (metrics, sampled) = ((*get(metrics)?).into(), writable(sampled)?);
            sampled.write(machine.sample(Cycle(now), &metrics)?.into());
            Ok(())
        })
    })
}

/// The host has set the targets.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_overridden {
    /// 1 if a period was under way, or its sample due, and is dropped; else 0.
    pub aborted: u32,
    /// Bypassing TBs wanted of kernel 0 and 1.
    pub by: [u32; 2],
}

impl From<Overridden> for gpusched_tlp_overridden {
    fn from(Overridden { aborted, by }: Overridden) -> Self {
        Self { aborted: aborted.into(), by }
    }
}

/// Sets the targets of two kernels, which are modulated from here on.
///
/// @param sm          The machine.
/// @param now         The cycle, not before that of the last call.
/// @param tb0         TBs of kernel 0.
/// @param tb1         TBs of kernel 1.
/// @param overridden  Written.
/// @return TimeRegress; NotPaired: there are not two kernels; BadArg: both are 0; DoesNotFit; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_sm_override(
    sm: *mut gpusched_tlp_sm,
    now: u64,
    tb0: u32,
    tb1: u32,
    overridden: *mut gpusched_tlp_overridden,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<TlpSm>(sm).and_then(|machine| {
            let overridden = writable(overridden)?;
            overridden.write(machine.override_tlp(Cycle(now), [tb0, tb1])?.into());
            Ok(())
        })
    })
}
