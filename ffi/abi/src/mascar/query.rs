//! Queries: the whole visible state. None changes anything, and several threads may ask at once as long as none changes the object.

use gpusched::mascar::{Entry, Head, Lsu, MAX_SCHEDULERS, Presented};

use super::config::gpusched_mascar_config;
use super::verbs::{gpusched_mascar_request, gpusched_mascar_src};
use super::{Object, gpusched_mascar};
use crate::config::{Choice, write};
use crate::ids::mascar_warp;
use crate::object::{inspect, put, put_list};
use crate::status::{gpusched_status, gpusched_status as Status, status};
use crate::{GPUSCHED_NEVER, GPUSCHED_NONE};

/// Schedulers that a machine may have.
pub const GPUSCHED_MASCAR_SCHEDULERS: usize = 8;
const _: () = assert!(GPUSCHED_MASCAR_SCHEDULERS == MAX_SCHEDULERS);

/// The configuration.
///
/// @param size  sizeof(gpusched_mascar_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_get_config(
    mascar: *const gpusched_mascar,
    config: *mut gpusched_mascar_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(mascar).and_then(|m| write(config, size, &gpusched_mascar_config::of(m.config())))
    })
}

/// What the LSU does.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_mascar_lsu {
    /// It has no instruction.
    Idle = 0,
    /// A warp issued to it, and gpusched_mascar_lsu_begin is due.
    Await = 1,
    /// It makes the requests of an instruction.
    Busy = 2,
    /// A request was refused while the queue was full.
    Blocked = 3,
}

/// What can be seen of a machine. In masks, bit w is warp w.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_mascar_state {
    /// The cycle of the last pick; GPUSCHED_NEVER before the first one.
    pub picked: u64,
    /// The cycle in which the owner became it; GPUSCHED_NEVER without one.
    pub acquired: u64,
    /// Resident warps.
    pub resident: u64,
    /// Warp Status Table, mem bits: warps whose head was mem at the last pick.
    pub wst_mem: u64,
    /// Warp Status Table, stall bits: warps that the last pick left out of the ready queue.
    pub wst_stall: u64,
    /// Warps that were in the ready queue for memory when MP mode began, and may still issue.
    pub leftover: u64,
    /// gpusched_mascar_mode.
    pub mode: u32,
    /// The saturation flags: bit s is that of cache s.
    pub flags: u32,
    /// The owner; GPUSCHED_NONE if there is none.
    pub owner: u32,
    /// The warp that owned too long, and may not be owner again before another one was; GPUSCHED_NONE if there is none.
    pub barred: u32,
    /// The last issued warp of each scheduler; GPUSCHED_NONE if there is none.
    pub last: [u32; GPUSCHED_MASCAR_SCHEDULERS],
    /// gpusched_mascar_lsu.
    pub lsu: u32,
    /// The warp in the LSU; GPUSCHED_NONE if there is none.
    pub lsu_warp: u32,
    /// Requests that have not left the LSU.
    pub lsu_left: u32,
    /// gpusched_mascar_src of the request that waits for the L1's answer; IDLE if none does.
    pub presented: u32,
    /// Entries of the re-execution queue in use.
    pub rexq: u32,
    /// 0.
    pub reserved: u32,
}

impl gpusched_mascar_state {
    fn of(m: &Object) -> Self {
        let lsu = match m.lsu() {
            Lsu::Idle => gpusched_mascar_lsu::Idle,
            Lsu::Await(_) => gpusched_mascar_lsu::Await,
            Lsu::Busy(_) => gpusched_mascar_lsu::Busy,
            Lsu::Blocked { .. } => gpusched_mascar_lsu::Blocked,
        };
        let presented = match m.presented() {
            None => gpusched_mascar_src::Idle,
            Some(Presented::New) => gpusched_mascar_src::New,
            Some(Presented::Blocked) => gpusched_mascar_src::Blocked,
            Some(Presented::Rexq) => gpusched_mascar_src::Rexq,
        };
        Self {
            picked: m.picked().map_or(GPUSCHED_NEVER, |at| at.0),
            acquired: m.acquired().map_or(GPUSCHED_NEVER, |at| at.0),
            resident: m.resident(),
            wst_mem: m.wst_mem(),
            wst_stall: m.wst_stall(),
            leftover: m.leftover(),
            mode: m.mode().code(),
            flags: m.flags().into(),
            owner: m.owner().map_or(GPUSCHED_NONE, u32::from),
            barred: m.barred().map_or(GPUSCHED_NONE, u32::from),
            last: core::array::from_fn(|s| m.last(s).map_or(GPUSCHED_NONE, u32::from)),
            lsu: lsu as u32,
            lsu_warp: m.lsu().warp().map_or(GPUSCHED_NONE, u32::from),
            lsu_left: m.lsu().left().into(),
            presented: presented as u32,
            rexq: m.rexq_len(),
            reserved: 0,
        }
    }
}

/// What can be seen of the machine.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_get_state(
    mascar: *const gpusched_mascar,
    state: *mut gpusched_mascar_state,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(mascar).and_then(|m| put(state, gpusched_mascar_state::of(m))) })
}

/// The first cycle in which a pick or a presentation may do something, if no call comes before it; GPUSCHED_NEVER if none will.
/// Cycles before it can be left out.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_next_event(
    mascar: *const gpusched_mascar,
    cycle: *mut u64,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(mascar).and_then(|m| put(cycle, m.next_event().map_or(GPUSCHED_NEVER, |at| at.0)))
    })
}

/// A warp.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_mascar_warp {
    /// The kind of its head: gpusched_mascar_kind.
    pub kind: u32,
    /// 1 if the operands are available, else 0.
    pub ready: u32,
    /// 1 if an operand is the result of an outstanding load, else 0.
    pub dep_load: u32,
    /// 1 if it has a request in the queue or is in the LSU, so that it cannot exit; else 0.
    pub has_requests: u32,
}

/// A resident warp.
///
/// @return BadWarp, WarpNotResident; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_get_warp(
    mascar: *const gpusched_mascar,
    w: u32,
    warp: *mut gpusched_mascar_warp,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(mascar).and_then(|m| {
            let w = mascar_warp(w);
            m.check_resident(w)?;
            let Head { kind, ready, dep_load } = m.head(w).unwrap_or_default();
            let has_requests = m.has_requests(w).into();
            let (ready, dep_load) = (ready.into(), dep_load.into());
            put(warp, gpusched_mascar_warp { kind: kind.code(), ready, dep_load, has_requests })
        })
    })
}

/// The resident warps, oldest first.
///
/// @param mascar    The machine.
/// @param warps     Receives as many as fit.
/// @param capacity  Elements of that array; if it is 0, warps may be null.
/// @param count     Receives the number of resident warps.
/// @return Capacity: there are more; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_by_age(
    mascar: *const gpusched_mascar,
    warps: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(mascar).and_then(|m| put_list(warps, capacity, count, m.by_age().map(u32::from)))
    })
}

/// An entry of the re-execution queue.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_mascar_entry {
    /// The warp.
    pub warp: u32,
    /// The destination register of its instruction.
    pub dst: u32,
    /// What it wants.
    pub request: gpusched_mascar_request,
}

impl From<&Entry> for gpusched_mascar_entry {
    fn from(&Entry { warp, dst, request }: &Entry) -> Self {
        Self { warp: warp.into(), dst: dst.into(), request: request.into() }
    }
}

/// An entry of the re-execution queue.
///
/// @param mascar  The machine.
/// @param index   How many are before it; 0 is the head.
/// @param entry   Written.
/// @return BadIndex: there are not so many; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_get_rexq(
    mascar: *const gpusched_mascar,
    index: u32,
    entry: *mut gpusched_mascar_entry,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(mascar).and_then(|m| put(entry, m.rexq().nth(index as usize).ok_or(Status::BadIndex)?.into()))
    })
}
