//! What a host tells the machine, and what it decides.

use gpusched::mascar::{
    Action, Entry, Granted, Issue, Kind, Lookup, MAX_SCHEDULERS, Mode, Next, OFFSET_WORDS, Offsets, Pick, Pipe,
    Released, Reply, Request, Saturation, Via, Why,
};
use gpusched::{Cycle, Fault};

use super::{Object, gpusched_mascar};
use crate::GPUSCHED_NONE;
use crate::config::{Choice, choices};
use crate::ids::mascar_warp;
use crate::object::{enter, get, put_unless_null, writable, writable_or_null};
use crate::status::{gpusched_status, status};

/// Every scheduler may issue to a compute pipe: gpusched_mascar_pick.
pub const GPUSCHED_MASCAR_ALL: u32 = u32::MAX;

/// Destination of a store: gpusched_mascar_lsu_begin.
pub const GPUSCHED_MASCAR_STORE: u32 = 127;

/// Issues that a cycle has at most.
pub const GPUSCHED_MASCAR_ISSUES: usize = 9;
const _: () = assert!(GPUSCHED_MASCAR_ISSUES == MAX_SCHEDULERS + 1);

/// Words of the offsets of a request: 64 times 7 bits.
pub const GPUSCHED_MASCAR_OFFSET_WORDS: usize = 7;
const _: () = assert!(GPUSCHED_MASCAR_OFFSET_WORDS == OFFSET_WORDS);

/// What is at the head of a warp's instruction buffer.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_mascar_kind {
    /// Nothing.
    None = 0,
    /// An instruction for a compute pipe.
    Alu = 1,
    /// A memory instruction.
    Mem = 2,
    /// A barrier or fence, or the warp is paused: it waits for something that others must do.
    Sync = 3,
}

/// How the memory system stands.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_mascar_mode {
    /// Equal priority: not saturated.
    Ep = 0,
    /// Memory access priority: saturated, one warp owns the LSU.
    Mp = 1,
}

/// A pipe of the SM.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_mascar_pipe {
    /// Any compute pipe.
    Comp = 0,
    /// The LSU.
    Mem = 1,
}

/// Why an owner gave up.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_mascar_why {
    /// None did.
    None = 0,
    /// Its head depends on an outstanding load.
    Dep = 1,
    /// Its head waits for others.
    Sync = 2,
    /// It owned too long.
    Timeout = 3,
    /// It cannot reach the LSU, which another warp blocks.
    Rescue = 4,
}

/// How a warp became owner.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_mascar_via {
    /// None did.
    None = 0,
    /// It issued to the LSU.
    Issue = 1,
    /// It has a request in the re-execution queue, or blocks the LSU.
    Queue = 2,
}

/// Where the request comes from that is to be presented.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_mascar_src {
    /// There is none.
    Idle = 0,
    /// The instruction in the LSU.
    New = 1,
    /// The refused request that blocks the LSU.
    Blocked = 2,
    /// The head of the re-execution queue.
    Rexq = 3,
}

/// The L1's look-up.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_mascar_lookup {
    /// The line is there.
    Hit = 0,
    /// A miss on a line that is on its way.
    Merge = 1,
    /// A miss.
    Miss = 2,
}

/// What became of a request.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_mascar_action {
    /// It left the LSU.
    Accepted = 0,
    /// Refused: it waits in the re-execution queue.
    Queued = 1,
    /// Refused: it blocks the LSU.
    Blocked = 2,
    /// It left the re-execution queue.
    Popped = 3,
    /// Refused: it went to the queue's tail.
    Recycled = 4,
}

choices! {
    gpusched_mascar_kind = Kind { None Alu Mem Sync };
    gpusched_mascar_mode = Mode { Ep Mp };
    gpusched_mascar_pipe = Pipe { Comp Mem };
    gpusched_mascar_lookup = Lookup { Hit Merge Miss };
    gpusched_mascar_action = Action { Accepted Queued Blocked Popped Recycled };
}

/// How saturated the memory system is.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_mascar_saturation {
    /// 1 if some cache's flag is set, else 0.
    pub flag: u32,
    /// gpusched_mascar_mode.
    pub mode: u32,
}

impl From<Saturation> for gpusched_mascar_saturation {
    fn from(Saturation { flag, mode }: Saturation) -> Self {
        Self { flag: flag.into(), mode: mode.code() }
    }
}

/// A warp whose head issues.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_mascar_issue {
    /// The scheduler.
    pub sched: u32,
    /// The warp.
    pub warp: u32,
    /// gpusched_mascar_pipe.
    pub pipe: u32,
}

/// What a cycle issues, and what became of the owner.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_mascar_decision {
    /// gpusched_mascar_mode.
    pub mode: u32,
    /// The owner behind this pick; GPUSCHED_NONE if there is none.
    pub owner: u32,
    /// The owner before it, if it gave up; else GPUSCHED_NONE.
    pub released: u32,
    /// gpusched_mascar_why.
    pub why: u32,
    /// The owner, if it is a new one; else GPUSCHED_NONE.
    pub granted: u32,
    /// gpusched_mascar_via.
    pub via: u32,
    /// Issues.
    pub count: u32,
    /// So many issues, by scheduler, compute before memory; at most one is to memory. The rest is 0.
    pub issues: [gpusched_mascar_issue; GPUSCHED_MASCAR_ISSUES],
}

impl From<&Pick> for gpusched_mascar_decision {
    #[inline]
    fn from(Pick { mode, owner, released, granted, issues }: &Pick) -> Self {
        let (released, why) = match released {
            None => (GPUSCHED_NONE, gpusched_mascar_why::None),
            Some(Released { warp, why }) => {
                let why = match why {
                    Why::Dep => gpusched_mascar_why::Dep,
                    Why::Sync => gpusched_mascar_why::Sync,
                    Why::Timeout => gpusched_mascar_why::Timeout,
                    Why::Rescue => gpusched_mascar_why::Rescue,
                };
                (u32::from(*warp), why)
            }
        };
        let (granted, via) = match granted {
            None => (GPUSCHED_NONE, gpusched_mascar_via::None),
            Some(Granted { warp, via: Via::Issue }) => (u32::from(*warp), gpusched_mascar_via::Issue),
            Some(Granted { warp, via: Via::Queue }) => (u32::from(*warp), gpusched_mascar_via::Queue),
        };
        let mut decision = Self {
            mode: mode.code(),
            owner: owner.map_or(GPUSCHED_NONE, u32::from),
            released,
            why: why as u32,
            granted,
            via: via as u32,
            count: issues.len() as u32,
            issues: [gpusched_mascar_issue::default(); GPUSCHED_MASCAR_ISSUES],
        };
        for (to, &Issue { sched, warp, pipe }) in decision.issues.iter_mut().zip(issues) {
            *to = gpusched_mascar_issue { sched: sched.into(), warp: warp.into(), pipe: pipe.code() };
        }
        decision
    }
}

/// A request of a memory instruction: threads of a warp that touch one segment.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_mascar_request {
    /// Address of the segment.
    pub base: u64,
    /// The threads, at least one.
    pub mask: u64,
    /// Their places in the segment: 7 bits a thread, thread 0 lowest, in words from the lowest.
    pub offs: [u64; GPUSCHED_MASCAR_OFFSET_WORDS],
}

impl From<gpusched_mascar_request> for Request {
    fn from(gpusched_mascar_request { base, mask, offs }: gpusched_mascar_request) -> Self {
        Self { base, mask, offs: Offsets(offs) }
    }
}

impl From<Request> for gpusched_mascar_request {
    fn from(Request { base, mask, offs }: Request) -> Self {
        Self { base, mask, offs: offs.0 }
    }
}

/// The request to present to the L1 now.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_mascar_next {
    /// gpusched_mascar_src.
    pub src: u32,
    /// Its warp; GPUSCHED_NONE if there is none.
    pub warp: u32,
    /// NEW: which of the instruction's requests, from 0; else 0.
    pub index: u32,
    /// BLOCKED and REXQ: the destination register of its instruction; else 0.
    pub dst: u32,
    /// BLOCKED and REXQ: what it wants; else all 0.
    pub request: gpusched_mascar_request,
}

impl From<Next> for gpusched_mascar_next {
    #[inline]
    fn from(next: Next) -> Self {
        let of = |src: gpusched_mascar_src, Entry { warp, dst, request }: Entry| Self {
            src: src as u32,
            warp: warp.into(),
            index: 0,
            dst: dst.into(),
            request: request.into(),
        };
        match next {
            Next::Idle => Self { src: gpusched_mascar_src::Idle as u32, warp: GPUSCHED_NONE, ..Self::default() },
            Next::New { warp, index } => {
                Self { src: gpusched_mascar_src::New as u32, warp: warp.into(), index: index.into(), ..Self::default() }
            }
            Next::Blocked(entry) => of(gpusched_mascar_src::Blocked, entry),
            Next::Rexq(entry) => of(gpusched_mascar_src::Rexq, entry),
        }
    }
}

/// The answer to the L1's answer.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_mascar_reply {
    /// 1 if the request is served: the L1 keeps what it looked up; else 0.
    pub ack: u32,
    /// 1 if it goes to the L2, else 0.
    pub to_l2: u32,
    /// gpusched_mascar_action.
    pub action: u32,
    /// 1 if the request that blocked the LSU took the freed place in the queue, else 0.
    pub unblocked: u32,
}

impl From<Reply> for gpusched_mascar_reply {
    fn from(Reply { ack, to_l2, action, unblocked }: Reply) -> Self {
        Self { ack: ack.into(), to_l2: to_l2.into(), action: action.code(), unblocked: unblocked.into() }
    }
}

/// A warp starts.
///
/// @param mascar  The machine.
/// @param w       The warp.
/// @param age     Receives how many started before it. May be null.
/// @return BadWarp, WarpResident; Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_warp_start(
    mascar: *mut gpusched_mascar,
    w: u32,
    age: *mut u64,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(mascar).and_then(|machine| {
            let age = writable_or_null(age)?;
            put_unless_null(age, machine.warp_start(mascar_warp(w))?);
            Ok(())
        })
    })
}

/// A warp exits. While it has requests in the queue or is in the LSU it cannot: keep it, with head NONE, until they are accepted.
///
/// @param mascar    The machine.
/// @param w         The warp.
/// @param released  Receives 1 if it was the owner, and is no longer; else 0. May be null.
/// @return BadWarp, WarpNotResident, WarpHasRequests; Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_warp_exit(
    mascar: *mut gpusched_mascar,
    w: u32,
    released: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(mascar).and_then(|machine| {
            let released = writable_or_null(released)?;
            put_unless_null(released, machine.warp_exit(mascar_warp(w))?.into());
            Ok(())
        })
    })
}

/// Says what is at the head of a warp's instruction buffer now. The same again changes nothing.
///
/// @param mascar    The machine.
/// @param w         The warp.
/// @param kind      gpusched_mascar_kind.
/// @param ready     Not 0: the operands are available.
/// @param dep_load  Not 0: an operand is the result of an outstanding long-latency load of this warp.
/// @return BadWarp, WarpNotResident; BadHead: no such kind, both flags, or a flag of NONE or SYNC; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_set_head(
    mascar: *mut gpusched_mascar,
    w: u32,
    kind: u32,
    ready: u32,
    dep_load: u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(mascar).and_then(|machine| {
            let w = mascar_warp(w);
            let Some(&kind) = Kind::ALL.get(kind as usize) else {
                machine.check_resident(w)?;
                return Err(Fault::BadHead.into());
            };
            Ok(machine.set_head(w, kind, ready != 0, dep_load != 0)?)
        })
    })
}

/// Tells the occupancy of a cache. The mode follows at once.
///
/// @param mascar      The machine.
/// @param src         The cache, from 0, as in the configuration.
/// @param mshr        Taken MSHRs.
/// @param missq       Taken places of the miss queue.
/// @param saturation  Receives flag and mode. May be null.
/// @return BadSource, BadOccupancy; Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_l1_state(
    mascar: *mut gpusched_mascar,
    src: u32,
    mshr: u32,
    missq: u32,
    saturation: *mut gpusched_mascar_saturation,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(mascar).and_then(|machine| {
            let saturation = writable_or_null(saturation)?;
            put_unless_null(saturation, machine.l1_state(src as usize, mshr, missq)?.into());
            Ok(())
        })
    })
}

/// One cycle: which warps issue. The head of each is NONE from here to its next gpusched_mascar_set_head; a memory issue is followed
/// by gpusched_mascar_lsu_begin.
///
/// @param mascar       The machine.
/// @param now          The cycle, below 2^63, later than that of the last pick.
/// @param lsu_accept   Not 0: the LSU can take an instruction.
/// @param comp_accept  Bit s: scheduler s may issue to a compute pipe; GPUSCHED_MASCAR_ALL: each may.
/// @param decision     Written.
/// @return TimeOverflow, TimeBackwards, BadMask; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_pick(
    mascar: *mut gpusched_mascar,
    now: u64,
    lsu_accept: u32,
    comp_accept: u32,
    decision: *mut gpusched_mascar_decision,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(mascar).and_then(|machine| {
            let decision = writable(decision)?;
            let comp_accept = (comp_accept != GPUSCHED_MASCAR_ALL).then_some(comp_accept);
            decision.write((&machine.pick(Cycle(now), lsu_accept != 0, comp_accept)?).into());
            Ok(())
        })
    })
}

/// Describes the memory instruction that a warp just issued.
///
/// @param mascar  The machine.
/// @param w       The warp.
/// @param nreq    Its coalesced requests; 0 if no thread is active.
/// @param dst     Its destination register, below 127; GPUSCHED_MASCAR_STORE for a store.
/// @return LsuNotAwaiting, WrongWarp, BadCount, BadRegister; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_lsu_begin(
    mascar: *mut gpusched_mascar,
    w: u32,
    nreq: u32,
    dst: u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { enter::<Object>(mascar).and_then(|machine| Ok(machine.lsu_begin(mascar_warp(w), nreq, dst)?)) })
}

/// Tells the request to present to the L1 now, at most one per port and cycle. Unless it is IDLE, gpusched_mascar_lsu_reply is due.
///
/// @param mascar  The machine.
/// @param next    Written.
/// @return ReplyPending; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_lsu_next(
    mascar: *mut gpusched_mascar,
    next: *mut gpusched_mascar_next,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(mascar).and_then(|machine| {
            let next = writable(next)?;
            next.write(machine.lsu_next()?.into());
            Ok(())
        })
    })
}

/// Reports the L1's answer to the presented request.
///
/// @param mascar   The machine.
/// @param result   gpusched_mascar_lookup.
/// @param room     Not 0: the L1 could allocate what the request needs.
/// @param request  A request that is NEW, kept if it is refused; else ignored, and may be null.
/// @param reply    Written.
/// @return NoReplyPending; BadReply: no such look-up; BadRequest: NEW and null, without threads, or with threads or offsets beyond
/// the warp; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_lsu_reply(
    mascar: *mut gpusched_mascar,
    result: u32,
    room: u32,
    request: *const gpusched_mascar_request,
    reply: *mut gpusched_mascar_reply,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(mascar).and_then(|machine| {
            let reply = writable(reply)?;
            let request = if request.is_null() { None } else { Some(Request::from(*get(request)?)) };
            let Some(&result) = Lookup::ALL.get(result as usize) else {
                machine.presented().ok_or(Fault::NoReplyPending)?;
                return Err(Fault::BadReply.into());
            };
            reply.write(machine.lsu_reply(result, room != 0, request.as_ref())?.into());
            Ok(())
        })
    })
}
