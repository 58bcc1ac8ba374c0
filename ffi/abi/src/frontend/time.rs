//! Time, and the decisions that it brings.

use core::ptr;

use gpusched::{Cycle, Words};

use super::{Object, gpusched_frontend};
use crate::GPUSCHED_NEVER;
use crate::decision::{gpusched_decision, gpusched_trace};
use crate::object::{enter, inspect, put, put_unless_null, writable, writable_or_null};
use crate::status::{gpusched_status, status};

/// What the scheduler did in a cycle: `sched` of gpusched_tick.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_sched {
    /// It sent a TB.
    Tb = 0,
    /// No kernel has TBs to send.
    Idle = 1,
    /// It waits for the information of a spilled group.
    Load = 2,
    /// No SMX has room for the next TB.
    NoRoom = 3,
    /// An SMX has room, but a gate other than a class cap is closed there.
    Gated = 4,
    /// No SMX takes the next TB, whose class has its share of some (class cap).
    Capped = 5,
    /// LaPerm: the candidate for the visited SMX does not fit there.
    NoFit = 6,
    /// LaPerm: there is visible work, but none for the visited SMX.
    NoCandidate = 7,
    /// LaPerm: the visited SMX takes no TBs.
    Masked = 8,
    /// A dependency graph has no node that is ready.
    GraphNoReady = 9,
    /// A dependency graph: its ready nodes wait for their successor's entry or for edges.
    GraphHead = 10,
    /// A dependency graph: its ready node is too many levels ahead.
    GraphLevelBound = 11,
    /// A dependency graph whose window can never move again.
    GraphDeadlock = 12,
    /// A dependency graph whose memory contradicts itself.
    GraphFault = 13,
}

/// What the kernel management unit did in a cycle: `kmu` of gpusched_tick.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_kmu {
    /// It issued a kernel.
    Issue = 0,
    /// No kernel waits.
    Empty = 1,
    /// Its last dispatch is still under way.
    Busy = 2,
    /// Every kernel distributor entry is taken.
    KdFull = 3,
    /// Only kernels wait whose dependency graphs wait for the dependency-graph buffer.
    DgBusy = 4,
}

/// What a cycle did, besides its decisions.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tick {
    /// gpusched_sched.
    pub sched: u32,
    /// gpusched_kmu.
    pub kmu: u32,
}

/// How often each word was the answer in a run of cycles.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_words {
    /// Cycles that sent a TB.
    pub tb: u64,
    /// Cycles without a kernel that has TBs to send.
    pub idle: u64,
    /// Cycles that waited for a load.
    pub load: u64,
    /// Cycles without room.
    pub noroom: u64,
    /// Cycles in which a gate other than a class cap was closed.
    pub gated: u64,
    /// Cycles in which no SMX took a TB whose class had its share of some.
    pub capped: u64,
    /// KMU: cycles that issued a kernel.
    pub issue: u64,
    /// KMU: cycles without a waiting kernel.
    pub empty: u64,
    /// KMU: cycles in which its last dispatch was under way.
    pub busy: u64,
    /// KMU: cycles in which every entry was taken.
    pub kdfull: u64,
    /// LaPerm: cycles whose candidate did not fit.
    pub no_fit: u64,
    /// LaPerm: cycles without a candidate for the visited SMX.
    pub no_candidate: u64,
    /// LaPerm: cycles that visited a masked SMX.
    pub masked: u64,
    /// Cycles in which a dependency graph had no node that was ready.
    pub g_no_ready: u64,
    /// Cycles in which the ready nodes of a dependency graph waited for their successor's entry or for edges.
    pub g_head: u64,
    /// Cycles in which the ready node of a dependency graph was too many levels ahead.
    pub g_level_bound: u64,
    /// Cycles in which the window of a dependency graph could never move again.
    pub g_deadlock: u64,
    /// Cycles with a dependency graph whose memory contradicts itself.
    pub g_fault: u64,
    /// KMU: cycles in which graphs waited for the dependency-graph buffer.
    pub dgbusy: u64,
}

impl From<Words> for gpusched_words {
    fn from(words: Words) -> Self {
        let Words { tb, idle, load, noroom, gated, capped, no_fit, no_candidate, masked, .. } = words;
        let Words { g_no_ready, g_head, g_level_bound, g_deadlock, g_fault, .. } = words;
        let Words { issue, empty, busy, kdfull, dgbusy, .. } = words;
        Self {
            tb,
            idle,
            load,
            noroom,
            gated,
            capped,
            issue,
            empty,
            busy,
            kdfull,
            no_fit,
            no_candidate,
            masked,
            g_no_ready,
            g_head,
            g_level_bound,
            g_deadlock,
            g_fault,
            dgbusy,
        }
    }
}

/// Carries out the current cycle, then moves to the next one.
///
/// @param frontend  The front end.
/// @param tick      Receives what the cycle did. May be null: its decisions tell the rest.
/// @return TimeOverflow: the last cycle; Unread; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_tick(
    frontend: *mut gpusched_frontend,
    tick: *mut gpusched_tick,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            object.room(object.per_tick)?;
            let tick = writable_or_null(tick)?;
            let gpusched::Tick { sched, kmu } = object.gpu.tick(&mut object.sink)?;
            put_unless_null(tick, gpusched_tick { sched: sched_word(&sched) as u32, kmu: kmu_word(kmu) as u32 });
            Ok(())
        })
    })
}

fn sched_word(sched: &gpusched::Sched) -> gpusched_sched {
    match sched {
        gpusched::Sched::Tb(_) => gpusched_sched::Tb,
        gpusched::Sched::Idle => gpusched_sched::Idle,
        gpusched::Sched::Load => gpusched_sched::Load,
        gpusched::Sched::NoRoom => gpusched_sched::NoRoom,
        gpusched::Sched::Gated => gpusched_sched::Gated,
        gpusched::Sched::Capped => gpusched_sched::Capped,
        gpusched::Sched::NoFit => gpusched_sched::NoFit,
        gpusched::Sched::NoCandidate => gpusched_sched::NoCandidate,
        gpusched::Sched::Masked => gpusched_sched::Masked,
        gpusched::Sched::GraphNoReady => gpusched_sched::GraphNoReady,
        gpusched::Sched::GraphHead => gpusched_sched::GraphHead,
        gpusched::Sched::GraphLevelBound => gpusched_sched::GraphLevelBound,
        gpusched::Sched::GraphDeadlock => gpusched_sched::GraphDeadlock,
        gpusched::Sched::GraphFault => gpusched_sched::GraphFault,
    }
}

fn kmu_word(kmu: gpusched::Kmu) -> gpusched_kmu {
    match kmu {
        gpusched::Kmu::Issue => gpusched_kmu::Issue,
        gpusched::Kmu::Empty => gpusched_kmu::Empty,
        gpusched::Kmu::Busy => gpusched_kmu::Busy,
        gpusched::Kmu::KdFull => gpusched_kmu::KdFull,
        gpusched::Kmu::DgBusy => gpusched_kmu::DgBusy,
    }
}

/// Carries out cycles until one has decided something or `until` is the next one, whichever comes first. Cycles without decisions
/// cost nothing, however many they are. Typically `until` is when the host's next TB ends.
///
/// @param frontend  The front end.
/// @param until     The cycle that will not be carried out any more; GPUSCHED_NEVER for no limit.
/// @param words     Receives how often each word was the answer. May be null.
/// @return TimeOverflow: nothing is due and there is no limit; Unread; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_advance(
    frontend: *mut gpusched_frontend,
    until: u64,
    words: *mut gpusched_words,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            object.room(object.per_tick)?;
            let words = writable_or_null(words)?;
            let counted = object.gpu.advance(Cycle(until), &mut object.sink)?;
            put_unless_null(words, counted.into());
            Ok(())
        })
    })
}

/// Carries out all cycles before `until` for which there is room for decisions, in one call: for hosts that report nothing
/// meanwhile. If gpusched_frontend_now is below `until` afterwards, the decisions must be read before it goes on.
///
/// @param frontend  The front end.
/// @param until     The cycle that will not be carried out any more; GPUSCHED_NEVER: stop when nothing more is due.
/// @param words     Receives how often each word was the answer. May be null.
/// @return Unread: no room for a single cycle's; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_run(
    frontend: *mut gpusched_frontend,
    until: u64,
    words: *mut gpusched_words,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            object.room(object.per_tick)?;
            let words = writable_or_null(words)?;
            let mut counted = Words::default();
            let last = |object: &Object| until == GPUSCHED_NEVER && object.gpu.next_event().is_none();
            while object.gpu.now().0 < until && object.sink.has_room(object.per_tick) && !last(object) {
                counted += object.gpu.advance(Cycle(until), &mut object.sink)?;
            }
            put_unless_null(words, counted.into());
            Ok(())
        })
    })
}

/// Takes the oldest decisions that were not read yet, at most capacity.
///
/// @param frontend   The front end.
/// @param decisions  Receives them.
/// @param capacity   Length of that array; if it is 0, decisions may be null.
/// @param count      Receives how many it was: less than capacity means that none is left.
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_read(
    frontend: *mut gpusched_frontend,
    decisions: *mut gpusched_decision,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let count = writable(count)?;
            if capacity > 0 {
                writable(decisions)?;
            }
            let unread = object.sink.unread();
            let n = unread.len().min(capacity);
            ptr::copy_nonoverlapping(unread.as_ptr(), decisions, n);
            count.write(n);
            object.sink.take(n);
            Ok(())
        })
    })
}

/// Takes all decisions that were not read yet, without copying them: they lie in the object's storage, oldest first, until the next
/// call that changes the object.
///
/// @param frontend  The front end.
/// @param first     Receives where they are.
/// @param count     Receives how many they are.
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_take(
    frontend: *mut gpusched_frontend,
    first: *mut *const gpusched_decision,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(frontend).and_then(|object| {
            let (first, count) = (writable(first)?, writable(count)?);
            let (decisions, unread) = object.sink.take_all();
            first.write(decisions);
            count.write(unread);
            Ok(())
        })
    })
}

/// Tells how many decisions wait to be read.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_unread(
    frontend: *const gpusched_frontend,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(frontend).and_then(|object| put(count, object.sink.unread().len())) })
}

/// From now on every decision is also written to this ring, whether or not it is read. The ring and its events must stay in place
/// until another ring, or null, is attached.
///
/// @param frontend  The front end.
/// @param trace     `events` and `capacity` are read now, `written` is set to 0. Null: no more tracing.
/// @return Misaligned; Null: it has no events; Capacity: their number is 0; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_trace(
    frontend: *mut gpusched_frontend,
    trace: *mut gpusched_trace,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { enter::<Object>(frontend).and_then(|object| object.sink.attach(trace)) })
}
