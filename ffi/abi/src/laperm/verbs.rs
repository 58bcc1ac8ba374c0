//! What a host tells LaPerm, and what it decides.

use gpusched::laperm::{Dispatch, KmuStall, KmuTick, Moved, Placed, Reason, Stall, Tick};
use gpusched::{Cycle, KernelSlot};

use super::{Object, gpusched_laperm};
use crate::GPUSCHED_NONE;
use crate::ids::smx_id;
use crate::object::{enter, get, put_unless_null, writable, writable_or_null};
use crate::smx::gpusched_resources;
use crate::status::{gpusched_status, status};

/// Where pushed work went: `place` of gpusched_laperm_placed.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_laperm_place {
    /// To queue 0: `pos`, `ready_at`.
    Queue0 = 0,
    /// To the queue of a unit: `unit`, `level`, `pos`, `ready_at`, and `evicted` if `evicts` is 1.
    OnChip = 1,
    /// To an overflow list in memory, because the unit's queue is full: `unit`, `level`.
    Spilled = 2,
    /// CDP: to a pending list in memory, until the KMU takes it: `unit`, `level`.
    Pending = 3,
}

/// Where pushed work went. Fields that have no meaning there are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_laperm_placed {
    /// The cycle from which it is visible.
    pub ready_at: u64,
    /// Tag of the entry that went to memory instead.
    pub evicted: u64,
    /// gpusched_laperm_place.
    pub place: u32,
    /// The unit; GPUSCHED_NONE for host kernels outside of the units' queues.
    pub unit: u32,
    /// Nesting level.
    pub level: u32,
    /// Entries before it.
    pub pos: u32,
    /// 1 if an entry went to memory instead, else 0.
    pub evicts: u32,
}

impl From<Placed> for gpusched_laperm_placed {
    fn from(placed: Placed) -> Self {
        use gpusched_laperm_place as Place;
        let of_place = |place: Place| Self { place: place as u32, ..Self::default() };
        match placed {
            Placed::Queue0 { pos, ready_at } => {
                Self { pos, ready_at: ready_at.0, unit: GPUSCHED_NONE, ..of_place(Place::Queue0) }
            }
            Placed::OnChip { unit, level, pos, ready_at, evicted } => Self {
                ready_at: ready_at.0,
                evicted: evicted.unwrap_or(0),
                evicts: evicted.is_some().into(),
                unit: unit.0.into(),
                level: level.into(),
                pos,
                ..of_place(Place::OnChip)
            },
            Placed::Spilled { unit, level } => {
                Self { unit: unit.0.into(), level: level.into(), ..of_place(Place::Spilled) }
            }
            Placed::Pending { unit, level } => Self {
                unit: unit.map_or(GPUSCHED_NONE, |unit| unit.0.into()),
                level: level.into(),
                ..of_place(Place::Pending)
            },
        }
    }
}

/// What the scheduler did in a cycle: `sched` of gpusched_laperm_sent.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_laperm_sched {
    /// It sent a TB.
    Tb = 0,
    /// Nothing is visible anywhere.
    NoWork = 1,
    /// The SMX is masked.
    Masked = 2,
    /// There is visible work, but none for this SMX.
    NoCandidate = 3,
    /// A candidate does not fit.
    NoFit = 4,
}

/// Where a candidate was found.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_laperm_stage {
    /// In the queue of the SMX's own unit.
    Unit = 1,
    /// In queue 0.
    Queue0 = 2,
    /// In the queue of a backup unit.
    Backup = 3,
}

/// What a cycle did. If it sent a TB: run it. If not, only `sched` and `smx` have a meaning, and the other fields are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_laperm_sent {
    /// The kernel or group.
    pub tag: u64,
    /// Tag of the entry that comes from an overflow list in its place, if `refills` is 1. With refill_mode external it is to be fetched,
    /// and gpusched_laperm_refilled says that it is here.
    pub refill: u64,
    /// gpusched_laperm_sched.
    pub sched: u32,
    /// Where to run it; without a TB the SMX that was visited, GPUSCHED_NONE if that was not one alone.
    pub smx: u32,
    /// The TB's number in its kernel or group.
    pub tb: u32,
    /// Its nesting level, which its child launches need.
    pub prio: u32,
    /// gpusched_laperm_stage: where it waited.
    pub stage: u32,
    /// The unit in whose queue it waited; GPUSCHED_NONE for queue 0.
    pub unit: u32,
    /// CDP: its kernel's entry of the kernel distributor, for gpusched_laperm_tb_done; GPUSCHED_NONE in DTBL.
    pub kde: u32,
    /// 1 if it is the last TB of the kernel or group, else 0.
    pub last: u32,
    /// 1 if an entry comes from an overflow list in its place, else 0.
    pub refills: u32,
}

impl From<Tick> for gpusched_laperm_sent {
    fn from(tick: Tick) -> Self {
        use gpusched_laperm_sched as Sched;
        match tick {
            Tick::Dispatch(Dispatch { smx, tag, tb, prio, stage, unit, last, kde, refill }) => Self {
                tag,
                refill: refill.unwrap_or(0),
                sched: Sched::Tb as u32,
                smx: smx.0.into(),
                tb,
                prio: prio.into(),
                stage: stage as u32,
                unit: unit.map_or(GPUSCHED_NONE, |unit| unit.0.into()),
                kde: kde.map_or(GPUSCHED_NONE, |kde| kde.0.into()),
                last: last.into(),
                refills: refill.is_some().into(),
            },
            Tick::Stall(Stall { smx, reason }) => {
                let sched = match reason {
                    Reason::NoWork => Sched::NoWork,
                    Reason::Masked => Sched::Masked,
                    Reason::NoCandidate => Sched::NoCandidate,
                    Reason::NoFit => Sched::NoFit,
                };
                let smx = smx.map_or(GPUSCHED_NONE, |smx| smx.0.into());
                Self { sched: sched as u32, smx, ..Self::default() }
            }
        }
    }
}

/// What the KMU did in a cycle: `kmu` of gpusched_laperm_moved.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_laperm_kmu {
    /// It moved a kernel to the chip.
    Moved = 0,
    /// Its last search is still under way.
    Busy = 1,
    /// No kernel is pending.
    NothingPending = 2,
    /// Every entry of the kernel distributor is taken.
    KduFull = 3,
}

/// A kernel that the KMU moved to the chip. If it moved none, only `kmu` has a meaning, and the other fields are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_laperm_moved {
    /// The kernel.
    pub tag: u64,
    /// The cycle from which it is visible.
    pub ready_at: u64,
    /// gpusched_laperm_kmu.
    pub kmu: u32,
    /// The unit in whose queue it is; GPUSCHED_NONE for queue 0.
    pub unit: u32,
    /// Nesting level.
    pub level: u32,
    /// Its entry of the kernel distributor.
    pub kde: u32,
    /// Levels that were searched, in cycles.
    pub cost: u32,
}

impl From<KmuTick> for gpusched_laperm_moved {
    fn from(tick: KmuTick) -> Self {
        use gpusched_laperm_kmu as Kmu;
        let of_kmu = |kmu: Kmu| Self { kmu: kmu as u32, ..Self::default() };
        match tick {
            KmuTick::Moved(Moved { tag, unit, level, kde, cost, ready_at }) => Self {
                tag,
                ready_at: ready_at.0,
                unit: unit.map_or(GPUSCHED_NONE, |unit| unit.0.into()),
                level: level.into(),
                kde: kde.0.into(),
                cost,
                ..of_kmu(Kmu::Moved)
            },
            KmuTick::Stall(KmuStall::Busy) => of_kmu(Kmu::Busy),
            KmuTick::Stall(KmuStall::NothingPending) => of_kmu(Kmu::NothingPending),
            KmuTick::Stall(KmuStall::KduFull) => of_kmu(Kmu::KduFull),
        }
    }
}

/// A host kernel can be scheduled from now on.
///
/// @param laperm  The machine.
/// @param now     The cycle, not before that of the last call.
/// @param tag     The host's name for it; opaque, and told back with every decision about it.
/// @param tbs     Its TBs.
/// @param res     What each of them needs.
/// @param placed  Receives where it waits. May be null.
/// @return TimeReversed, EmptyGroup, BadResources, NeverFits; Queue0Full, or, under RR and in CDP, PoolFull; Null, Misaligned; those
/// of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_push_host(
    laperm: *mut gpusched_laperm,
    now: u64,
    tag: u64,
    tbs: u32,
    res: *const gpusched_resources,
    placed: *mut gpusched_laperm_placed,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(laperm).and_then(|machine| {
            let (res, placed) = (*get(res)?, writable_or_null(placed)?);
            put_unless_null(placed, machine.push_host(Cycle(now), tag, tbs, res.into())?.into());
            Ok(())
        })
    })
}

/// A group, or in CDP a kernel, that a TB launched can be scheduled from now on: its launch latency is over.
///
/// @param laperm       The machine.
/// @param now          The cycle, not before that of the last call.
/// @param tag          The host's name for it; opaque, and told back with every decision about it.
/// @param tbs          Its TBs.
/// @param res          What each of them needs.
/// @param parent_smx   The SMX of the TB that launched it.
/// @param parent_prio  The nesting level of that TB, `prio` of gpusched_laperm_sent.
/// @param placed       Receives where it waits. May be null.
/// @return TimeReversed, BadSmx, BadPriority, EmptyGroup, BadResources, NeverFits, PoolFull; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_push_child(
    laperm: *mut gpusched_laperm,
    now: u64,
    tag: u64,
    tbs: u32,
    res: *const gpusched_resources,
    parent_smx: u32,
    parent_prio: u32,
    placed: *mut gpusched_laperm_placed,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(laperm).and_then(|machine| {
            let (res, placed) = (*get(res)?, writable_or_null(placed)?);
            // No level is as deep as the deepest that can be told.
            let prio = u8::try_from(parent_prio).unwrap_or(u8::MAX);
            let place = machine.push_child(Cycle(now), tag, tbs, res.into(), smx_id(parent_smx), prio)?;
            put_unless_null(placed, place.into());
            Ok(())
        })
    })
}

/// One cycle of the scheduler: at most one TB is sent.
///
/// @param laperm  The machine.
/// @param now     The cycle, not before that of the last call and not that of the last tick.
/// @param sent    Receives what it did.
/// @return TimeReversed, SameCycle; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_tick(
    laperm: *mut gpusched_laperm,
    now: u64,
    sent: *mut gpusched_laperm_sent,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(laperm).and_then(|machine| {
            let sent = writable(sent)?;
            sent.write(machine.tick(Cycle(now))?.into());
            Ok(())
        })
    })
}

/// An entry that a dispatch asked for (`refill`) is on chip (refill_mode external). Of several with this tag the first, by unit and in
/// its queue.
///
/// @param laperm  The machine.
/// @param now     The cycle, not before that of the last call.
/// @param tag     Its tag.
/// @return TimeReversed; NoLoad: none with this tag is being loaded; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_refilled(laperm: *mut gpusched_laperm, now: u64, tag: u64) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { enter::<Object>(laperm).and_then(|machine| Ok(machine.refilled(Cycle(now), tag)?)) })
}

/// A TB has ended.
///
/// @param laperm     The machine.
/// @param now        The cycle, not before that of the last call.
/// @param smx        Where it ran.
/// @param res        What it needed.
/// @param kde        CDP: `kde` of gpusched_laperm_sent. DTBL: ignored.
/// @param kde_freed  Receives 1 if that entry of the kernel distributor is free now, else 0. May be null.
/// @return TimeReversed, BadSmx, BadResources, ReleaseUnderflow; CDP: BadKde; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_tb_done(
    laperm: *mut gpusched_laperm,
    now: u64,
    smx: u32,
    res: *const gpusched_resources,
    kde: u32,
    kde_freed: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(laperm).and_then(|machine| {
            let (res, kde_freed) = (*get(res)?, writable_or_null(kde_freed)?);
            // What no entry can be called is none.
            let kde = u8::try_from(kde).ok().map(KernelSlot);
            put_unless_null(kde_freed, machine.tb_done(Cycle(now), smx_id(smx), res.into(), kde)?.into());
            Ok(())
        })
    })
}

/// CDP: one cycle of the KMU, in which it moves at most one kernel from memory into an entry of the kernel distributor.
///
/// @param laperm  The machine.
/// @param now     The cycle, not before that of the last call.
/// @param moved   Receives what it did.
/// @return WrongModel: DTBL; TimeReversed; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_kmu_tick(
    laperm: *mut gpusched_laperm,
    now: u64,
    moved: *mut gpusched_laperm_moved,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(laperm).and_then(|machine| {
            let moved = writable(moved)?;
            moved.write(machine.kmu_tick(Cycle(now))?.into());
            Ok(())
        })
    })
}

/// Excludes an SMX from the next visit on, or admits it again. What runs there goes on.
///
/// @param laperm  The machine.
/// @param now     The cycle, not before that of the last call.
/// @param smx     The SMX.
/// @param masked  If not 0 it gets no TBs.
/// @return TimeReversed, BadSmx; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_set_mask(
    laperm: *mut gpusched_laperm,
    now: u64,
    smx: u32,
    masked: u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(laperm).and_then(|machine| Ok(machine.set_mask(Cycle(now), smx_id(smx), masked != 0)?))
    })
}
