//! Queries: the whole visible state. None changes anything, and several threads may ask at once as long as none changes the object.

use gpusched::laperm::{Backup, Entry, Kde, WaitingHead, Work};
use gpusched::{Cycle, UnitId};

use super::config::gpusched_laperm_config;
use super::{Object, gpusched_laperm};
use crate::config::write;
use crate::ids::{kernel_slot, smx_id, unit_id};
use crate::object::{inspect, put, put_list};
use crate::smx::{gpusched_resources, gpusched_smx_set};
use crate::status::{gpusched_status, gpusched_status as Status, status};
use crate::{GPUSCHED_NEVER, GPUSCHED_NONE};

/// The configuration.
///
/// @param size  sizeof(gpusched_laperm_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_get_config(
    laperm: *const gpusched_laperm,
    config: *mut gpusched_laperm_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(laperm).and_then(|m| write(config, size, &gpusched_laperm_config::of(m.config())))
    })
}

/// The last time: that of the last call that was not refused.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_now(laperm: *const gpusched_laperm, cycle: *mut u64) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(laperm).and_then(|m| put(cycle, m.now().0)) })
}

/// The first cycle, from the last time on, in which a tick may do something else than find no work, or a tick of the KMU something
/// else than nothing; GPUSCHED_NEVER if none will without another call. Cycles before it can be left out.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_next_event(
    laperm: *const gpusched_laperm,
    cycle: *mut u64,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(laperm).and_then(|m| put(cycle, m.next_event().map_or(GPUSCHED_NEVER, |at| at.0)))
    })
}

/// Whether nothing waits anywhere and, in CDP, no kernel has a running TB: 1, else 0.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_is_idle(laperm: *const gpusched_laperm, idle: *mut u32) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(laperm).and_then(|m| put(idle, m.is_idle().into())) })
}

/// The SMX that is visited next.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_cur(laperm: *const gpusched_laperm, smx: *mut u32) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(laperm).and_then(|m| put(smx, m.cur().0.into())) })
}

/// What is free on an SMX.
///
/// @return BadSmx; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_free(
    laperm: *const gpusched_laperm,
    smx: u32,
    free: *mut gpusched_resources,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(laperm).and_then(|m| put(free, m.free(smx_id(smx)).ok_or(Status::BadSmx)?.into()))
    })
}

/// Masked SMXs.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_mask(
    laperm: *const gpusched_laperm,
    masked: *mut gpusched_smx_set,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(laperm).and_then(|m| put(masked, m.mask().into())) })
}

/// Units, each with a queue: one per cluster of SMXs if the policy binds, else one in all.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_units(laperm: *const gpusched_laperm, units: *mut u32) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(laperm).and_then(|m| put(units, m.config().units())) })
}

/// A kernel or TB group that has TBs to send.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_laperm_entry {
    /// Its tag.
    pub tag: u64,
    /// On chip: the cycle from which it is visible; GPUSCHED_NEVER while it is being loaded (refill_mode external); in memory 0.
    pub ready_at: u64,
    /// What each of its TBs needs.
    pub res: gpusched_resources,
    /// Its TBs.
    pub tbs: u32,
    /// The next TB to send.
    pub next: u32,
    /// Nesting level.
    pub prio: u32,
    /// The level by which it is ordered in its unit's queue; 0 in queue 0.
    pub section: u32,
    /// CDP, on chip: its entry of the kernel distributor; else GPUSCHED_NONE.
    pub kde: u32,
}

impl From<&Entry<Work>> for gpusched_laperm_entry {
    fn from(entry: &Entry<Work>) -> Self {
        let &Entry { work: Work { tag, res, kde }, tbs, next, prio, section, ready_at, is_loading, .. } = entry;
        Self {
            tag,
            ready_at: if is_loading { GPUSCHED_NEVER } else { ready_at.0 },
            res: res.into(),
            tbs,
            next,
            prio: prio.into(),
            section: section.into(),
            kde: kde.map_or(GPUSCHED_NONE, |kde| kde.0.into()),
        }
    }
}

/// A unit, or queue 0 and host kernels for `GPUSCHED_NONE`.
fn place(machine: &Object, unit: u32) -> Result<Option<UnitId>, Status> {
    match unit {
        GPUSCHED_NONE => Ok(None),
        _ if unit < machine.config().units() => Ok(Some(unit_id(unit))),
        _ => Err(Status::BadUnit),
    }
}

/// The on-chip queue of a unit, in order.
///
/// @param unit  The unit; GPUSCHED_NONE for queue 0.
/// @return BadUnit; Capacity: count is more than capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_queue(
    laperm: *const gpusched_laperm,
    unit: u32,
    entries: *mut gpusched_laperm_entry,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(laperm).and_then(|m| {
            let queue = m.queue(place(m, unit)?).map(gpusched_laperm_entry::from);
            put_list(entries, capacity, count, queue)
        })
    })
}

/// The lists in memory of a unit: highest level first, each in order. Overflow lists in DTBL, pending lists in CDP.
///
/// @param unit  The unit; GPUSCHED_NONE for host kernels.
/// @return BadUnit; Capacity: count is more than capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_off_chip(
    laperm: *const gpusched_laperm,
    unit: u32,
    entries: *mut gpusched_laperm_entry,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(laperm).and_then(|m| {
            let lists = m.off_chip(place(m, unit)?).map(gpusched_laperm_entry::from);
            put_list(entries, capacity, count, lists)
        })
    })
}

/// Free places in memory.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_pool_free(
    laperm: *const gpusched_laperm,
    places: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(laperm).and_then(|m| put(places, m.pool_free())) })
}

/// TBs of the kernel in an entry of the kernel distributor.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_laperm_kde {
    /// TBs that are not sent yet.
    pub waiting: u32,
    /// TBs that run.
    pub running: u32,
}

impl From<Kde> for gpusched_laperm_kde {
    fn from(Kde { waiting, running }: Kde) -> Self {
        Self { waiting, running }
    }
}

/// CDP: an entry of the kernel distributor.
///
/// @return BadKde: there is no such entry, as in DTBL; NoKernel: it is free; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_get_kde(
    laperm: *const gpusched_laperm,
    kde: u32,
    entry: *mut gpusched_laperm_kde,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(laperm).and_then(|m| {
            if kde >= m.config().kdus() {
                return Err(Status::BadKde);
            }
            put(entry, m.kde(kernel_slot(kde)).ok_or(Status::NoKernel)?.into())
        })
    })
}

/// The backup record of an SMX.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_laperm_backup {
    /// The recorded unit; GPUSCHED_NONE if none was ever recorded.
    pub unit: u32,
    /// Stage-3 dispatches since the last selection; counted only with a backup_limit.
    pub run: u32,
}

impl From<Backup> for gpusched_laperm_backup {
    fn from(Backup { unit, run }: Backup) -> Self {
        Self { unit: unit.map_or(GPUSCHED_NONE, |unit| unit.0.into()), run: run.into() }
    }
}

/// The backup record of an SMX.
///
/// @return BadSmx; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_get_backup(
    laperm: *const gpusched_laperm,
    smx: u32,
    backup: *mut gpusched_laperm_backup,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(laperm).and_then(|m| put(backup, m.backup(smx_id(smx)).ok_or(Status::BadSmx)?.into()))
    })
}

/// CDP: the unit that the KMU asks first.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_kmu_pointer(
    laperm: *const gpusched_laperm,
    unit: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(laperm).and_then(|m| put(unit, m.kmu_pointer().0.into())) })
}

/// CDP: the KMU is busy before this cycle.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_kmu_free_at(
    laperm: *const gpusched_laperm,
    cycle: *mut u64,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>(laperm).and_then(|m| put(cycle, m.kmu_free_at().0)) })
}

/// Work that waits for room.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_laperm_head {
    /// The SMXs where it may run.
    pub allowed: gpusched_smx_set,
    /// The kernel or group.
    pub tag: u64,
    /// What a TB of it needs.
    pub res: gpusched_resources,
    /// 1 if there is some, else 0 and all fields are 0.
    pub present: u32,
}

impl From<Option<WaitingHead>> for gpusched_laperm_head {
    fn from(head: Option<WaitingHead>) -> Self {
        let of = |WaitingHead { tag, res, allowed }| Self { allowed: allowed.into(), tag, res: res.into(), present: 1 };
        head.map_or_else(Self::default, of)
    }
}

/// The work that a diversion controller should wake SMXs for: of the candidates from unit `start` on, wrapping, and of queue 0, the
/// first one that only masked SMXs could take; if there is none, the first one. Vary `start` from sample to sample.
///
/// @return TimeReversed, BadUnit; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_waiting_head(
    laperm: *const gpusched_laperm,
    now: u64,
    start: u32,
    head: *mut gpusched_laperm_head,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(laperm).and_then(|m| put(head, m.waiting_head(Cycle(now), unit_id(start))?.into()))
    })
}
