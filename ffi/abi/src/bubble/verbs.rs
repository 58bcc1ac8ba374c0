//! What a host tells the controller, and what it decides.

use gpusched::power::{GpuDone, GpuStart, Registers, Resident, Resume, Sample, Waiting};
use gpusched::{Cycle, SmxSet};

use super::{Object, gpusched_bubble};
use crate::GPUSCHED_NONE;
use crate::ids::smx_id;
use crate::object::{array, enter, get, put_unless_null, writable, writable_or_null};
use crate::smx::{gpusched_resources, gpusched_smx_set};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// What is resident on an SMX.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_bubble_resident {
    /// TBs.
    pub tbs: u32,
    /// Warps.
    pub warps: u32,
}

impl From<Resident> for gpusched_bubble_resident {
    fn from(Resident { tbs, warps }: Resident) -> Self {
        Self { tbs, warps }
    }
}

/// The TB that the scheduler would dispatch next. With several candidates, one that no eligible SMX can take, if there is one.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_bubble_waiting {
    /// The SMXs that it may run on, if `bound` is not 0.
    pub allowed: gpusched_smx_set,
    /// What it takes.
    pub res: gpusched_resources,
    /// 0: it may run on any SMX, and `allowed` does not matter.
    pub bound: u32,
}

impl From<gpusched_bubble_waiting> for Waiting {
    fn from(gpusched_bubble_waiting { allowed, res, bound }: gpusched_bubble_waiting) -> Self {
        Self { res: res.into(), allowed: (bound != 0).then(|| SmxSet::from_words(allowed.words)) }
    }
}

/// A transition of the GPU that ended.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_bubble_gpu_done {
    /// None.
    None = 0,
    /// All SMXs are low.
    Low = 1,
    /// All SMXs are high.
    High = 2,
}

/// A transition of the GPU that starts: an order for the regulator.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_bubble_gpu_start {
    /// None.
    None = 0,
    /// To low.
    Down = 1,
    /// To high.
    Up = 2,
}

/// How an SMX that is wanted again comes back.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_bubble_resume {
    /// None is wanted.
    None = 0,
    /// Its transition to high starts: an order for the regulator.
    Up = 1,
    /// It was draining, and is eligible at once.
    Cancel = 2,
}

/// The control registers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_bubble_registers {
    /// DVR: diverted SMXs.
    pub dvr: gpusched_smx_set,
    /// DRN: draining SMXs.
    pub drn: gpusched_smx_set,
    /// DVFS without its bit 0: SMXs whose SMX level is in force.
    pub dvfs: gpusched_smx_set,
    /// Bit 0 of DVFS: 1 if the GPU level is in force, else 0.
    pub gpu: u64,
}

impl From<Registers> for gpusched_bubble_registers {
    fn from(Registers { dvr, drn, dvfs, gpu }: Registers) -> Self {
        Self { dvr: dvr.into(), drn: drn.into(), dvfs: dvfs.into(), gpu: gpu.into() }
    }
}

/// What a sample found and decided. `down`, `resume` and `gpu_start` are the orders for the regulator.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_bubble_record {
    /// Transitions to low that ended.
    pub low_done: gpusched_smx_set,
    /// Transitions to high that ended.
    pub high_done: gpusched_smx_set,
    /// Diverted now.
    pub divert: gpusched_smx_set,
    /// In a bubble, but no other SMX could take the work.
    pub refused: gpusched_smx_set,
    /// Drained.
    pub drain_done: gpusched_smx_set,
    /// Not drained in time: eligible again.
    pub drain_abort: gpusched_smx_set,
    /// Transitions to low that start.
    pub down: gpusched_smx_set,
    /// SMXs that may receive TBs from now on.
    pub eligible: gpusched_smx_set,
    /// The control registers after the sample.
    pub registers: gpusched_bubble_registers,
    /// gpusched_bubble_gpu_done.
    pub gpu_done: u32,
    /// gpusched_bubble_gpu_start.
    pub gpu_start: u32,
    /// gpusched_bubble_resume.
    pub resume: u32,
    /// The SMX that is wanted again; GPUSCHED_NONE if none is.
    pub resume_smx: u32,
    /// 1 if a TB waits and nothing eligible can take it, else 0.
    pub starved: u32,
}

impl From<&Sample> for gpusched_bubble_record {
    fn from(sample: &Sample) -> Self {
        let &Sample { gpu_done, gpu_start, low_done, high_done, divert, refused, .. } = sample;
        let &Sample { drain_done, drain_abort, down, resume, starved, eligible, registers, .. } = sample;
        let (kind, resume_smx) = match resume {
            None => (gpusched_bubble_resume::None, GPUSCHED_NONE),
            Some(Resume::Up(smx)) => (gpusched_bubble_resume::Up, smx.0.into()),
            Some(Resume::Cancel(smx)) => (gpusched_bubble_resume::Cancel, smx.0.into()),
        };
        Self {
            low_done: low_done.into(),
            high_done: high_done.into(),
            divert: divert.into(),
            refused: refused.into(),
            drain_done: drain_done.into(),
            drain_abort: drain_abort.into(),
            down: down.into(),
            eligible: eligible.into(),
            registers: registers.into(),
            gpu_done: match gpu_done {
                None => gpusched_bubble_gpu_done::None,
                Some(GpuDone::Low) => gpusched_bubble_gpu_done::Low,
                Some(GpuDone::High) => gpusched_bubble_gpu_done::High,
            } as u32,
            gpu_start: match gpu_start {
                None => gpusched_bubble_gpu_start::None,
                Some(GpuStart::Down) => gpusched_bubble_gpu_start::Down,
                Some(GpuStart::Up) => gpusched_bubble_gpu_start::Up,
            } as u32,
            resume: kind as u32,
            resume_smx,
            starved: starved.into(),
        }
    }
}

/// A TB has started on an SMX.
///
/// @param bubble    The controller.
/// @param now       The cycle, not before that of the last call.
/// @param smx       Where it runs.
/// @param res       What it takes.
/// @param resident  Receives what is resident there now. May be null.
/// @return TimeReversed, BadSmx, BadResources, NeverFits, NotEligible, NoFit; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_dispatched(
    bubble: *mut gpusched_bubble,
    now: u64,
    smx: u32,
    res: *const gpusched_resources,
    resident: *mut gpusched_bubble_resident,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(bubble).and_then(|machine| {
            let (res, resident) = (*get(res)?, writable_or_null(resident)?);
            put_unless_null(resident, machine.dispatched(Cycle(now), smx_id(smx), &res.into())?.into());
            Ok(())
        })
    })
}

/// A TB has ended on an SMX, in whatever state that is.
///
/// @param bubble    The controller.
/// @param now       The cycle, not before that of the last call.
/// @param smx       Where it ran.
/// @param res       What it took.
/// @param resident  Receives what is resident there now. May be null.
/// @return TimeReversed, BadSmx, BadResources, ReleaseUnderflow; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_completed(
    bubble: *mut gpusched_bubble,
    now: u64,
    smx: u32,
    res: *const gpusched_resources,
    resident: *mut gpusched_bubble_resident,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(bubble).and_then(|machine| {
            let (res, resident) = (*get(res)?, writable_or_null(resident)?);
            put_unless_null(resident, machine.completed(Cycle(now), smx_id(smx), &res.into())?.into());
            Ok(())
        })
    })
}

/// A sample: closes the interval, ends transitions, then decides. The first one sets the phase, all others follow exactly a sampling
/// period apart.
///
/// @param bubble    The controller.
/// @param now       The cycle, not before that of the last call.
/// @param waiting   The TB that waits; null if none does.
/// @param activity  count values from 0 to 1000, one per SMX, for the energy of the interval; null if it follows from the occupancy.
/// @param count     Their number; 0 if activity is null.
/// @param record    Receives what it found and decided.
/// @return TimeReversed, OffSample; of the waiting TB BadResources, NeverFits, BadMask; BadActivity; Null, Misaligned, Capacity; those
/// of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_sample(
    bubble: *mut gpusched_bubble,
    now: u64,
    waiting: *const gpusched_bubble_waiting,
    activity: *const u16,
    count: usize,
    record: *mut gpusched_bubble_record,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(bubble).and_then(|machine| {
            let waiting = if waiting.is_null() { None } else { Some(Waiting::from(*get(waiting)?)) };
            let activity = activities(activity, count)?;
            let record = writable(record)?;
            record.write((&machine.sample(Cycle(now), waiting.as_ref(), activity)?).into());
            Ok(())
        })
    })
}

/// Closes the energy interval up to now and does nothing else: for the end of a run.
///
/// @param bubble    The controller.
/// @param now       The cycle, not before that of the last call.
/// @param activity  As of gpusched_bubble_sample.
/// @param count     As of gpusched_bubble_sample.
/// @return TimeReversed, BadActivity; Null, Misaligned, Capacity; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_bubble_account(
    bubble: *mut gpusched_bubble,
    now: u64,
    activity: *const u16,
    count: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(bubble).and_then(|machine| Ok(machine.account(Cycle(now), activities(activity, count)?)?))
    })
}

/// Activities, or none.
///
/// # Safety
/// As of [`array`].
pub(crate) unsafe fn activities<'a>(activity: *const u16, count: usize) -> Result<Option<&'a [u16]>, Status> {
    // SAFETY: the caller's contract.
    if activity.is_null() && count == 0 { Ok(None) } else { unsafe { array(activity, count) }.map(Some) }
}
