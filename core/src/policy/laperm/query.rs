//! What can be seen of the machine, without changing it (`laperm`, `waiting_head` and `state`).

use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::id::{Id, KernelSlot, SmxId, UnitId};
use crate::base::resources::Resources;
use crate::base::set::SmxSet;
use crate::policy::laperm::config::Config;
use crate::policy::laperm::kmu::Kde;
use crate::policy::laperm::list::Entry;
use crate::policy::laperm::tables::Tables;
use crate::policy::laperm::visit::Backup;
use crate::policy::laperm::{LaPerm, Work};

/// Work that waits for room, for the diversion controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WaitingHead {
    /// The kernel or group.
    pub tag: u64,
    /// What a TB of it needs.
    pub res: Resources,
    /// The SMXs where it may run.
    pub allowed: SmxSet,
}

/// An entry, on chip or in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct EntryView {
    /// What it is.
    pub work: Work,
    /// On chip: the cycle from which it is visible; `None` while it is being loaded (`refill_mode` external). In memory 0.
    pub ready_at: Option<Cycle>,
    /// Its TBs.
    pub tbs: u32,
    /// The next TB to send.
    pub next: u32,
    /// Nesting level.
    pub prio: u8,
    /// The level by which it is ordered in its unit's queue; 0 in queue 0.
    pub section: u8,
}

impl EntryView {
    fn of(entry: &Entry<Work>) -> Self {
        let &Entry { work, tbs, next, prio, section, ready_at, is_loading, .. } = entry;
        Self { work, ready_at: (!is_loading).then_some(ready_at), tbs, next, prio, section }
    }
}

impl<T: Tables> LaPerm<T> {
    /// laperm-R13: of the candidates from unit `start` on, wrapping, and of queue 0, the first one that only masked SMXs could take;
    /// if there is none, the first one. Vary `start` from sample to sample.
    ///
    /// # Errors
    /// `TimeBackwards`, `BadUnit`.
    pub fn waiting_head(&self, now: Cycle, start: UnitId) -> Result<Option<WaitingHead>, Fault> {
        self.check_time(now)?;
        self.check_unit(start)?;
        let head = |e: &Entry<Work>| {
            let Work { tag, res, .. } = e.work;
            WaitingHead { tag, res, allowed: self.config.allowed(e.unit) }
        };
        let waits_for_a_mask = |h: &WaitingHead| {
            let open = h.allowed.without(&self.mask);
            !h.allowed.and(&self.mask).is_empty() && !open.iter().any(|s| h.res.fits(&self.free[s]))
        };
        let mut heads = self.queues.candidates_from(start, now).map(head);
        let first = heads.next();
        Ok(first.into_iter().chain(heads).find(waits_for_a_mask).or(first))
    }

    /// The first cycle, from the last time on, in which [`LaPerm::tick`] may answer something else than `no_work`, or
    /// [`LaPerm::kmu_tick`] something else than a stall; `None` if none will without another call. Cycles before it can be left
    /// out: ticks in them change nothing but the times.
    #[must_use]
    pub fn next_event(&self) -> Option<Cycle> {
        let tickable = if self.ticked == Some(self.now) { self.now.after(1) } else { self.now };
        let tick = self.queues.first_ready().map(|ready| ready.max(tickable));
        // The CDP model's entries in memory wait for the KMU; those of DTBL wait for a dispatch.
        let places = if self.kmu.free.is_empty() { 0 } else { usize::MAX };
        let pending = self.queues.places().take(places).any(|unit| self.queues.next_off_chip(unit).is_some());
        let kmu = pending.then(|| self.kmu.free_at.max(self.now));
        tick.into_iter().chain(kmu).min()
    }

    /// Whether nothing waits anywhere and, in `cdp`, no kernel has a running TB.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        let waits = |unit| self.queues.on_chip(unit).next().is_some() || self.queues.off_chip(unit).next().is_some();
        !self.queues.places().any(waits) && (0..self.config.kdus()).all(|k| self.kde(KernelSlot(k as u8)).is_none())
    }

    /// The configuration.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// The last time.
    #[must_use]
    pub const fn now(&self) -> Cycle {
        self.now
    }

    /// The SMX that is visited next.
    #[must_use]
    pub const fn cur(&self) -> SmxId {
        self.visits.cur
    }

    /// What is free on an SMX; `None` if there is no such SMX.
    #[must_use]
    pub fn free(&self, smx: SmxId) -> Option<Resources> {
        self.check_smx(smx).ok().map(|()| self.free[smx])
    }

    /// Masked SMXs.
    #[must_use]
    pub const fn mask(&self) -> SmxSet {
        self.mask
    }

    /// The on-chip queue of a unit, or queue 0 for `None`, in order; `None` if there is no such unit.
    pub fn queue(&self, unit: Option<UnitId>) -> Option<impl Iterator<Item = EntryView>> {
        self.has_place(unit).then(|| self.queues.on_chip(unit).map(|(_, e)| EntryView::of(e)))
    }

    /// The lists in memory of a unit, or those of host kernels for `None`: highest level first, each in order. Overflow lists in
    /// `dtbl`, pending lists in `cdp`. `None` if there is no such unit.
    pub fn off_chip(&self, unit: Option<UnitId>) -> Option<impl Iterator<Item = EntryView>> {
        self.has_place(unit).then(|| self.queues.off_chip(unit).map(|(_, e)| EntryView::of(e)))
    }

    fn has_place(&self, unit: Option<UnitId>) -> bool {
        unit.is_none_or(|unit| self.check_unit(unit).is_ok())
    }

    /// Free places in memory.
    #[must_use]
    pub const fn pool_free(&self) -> u32 {
        self.queues.pool_free()
    }

    /// `cdp`: an entry of the kernel distributor; `None` if it is free or there is no such entry.
    #[must_use]
    pub fn kde(&self, kde: KernelSlot) -> Option<Kde> {
        let taken = kde.index() < self.config.kdus() as usize && !self.kmu.free.contains(kde);
        taken.then(|| self.kmu.kdes[kde])
    }

    /// The backup record of an SMX; `None` if there is no such SMX.
    #[must_use]
    pub fn backup(&self, smx: SmxId) -> Option<Backup> {
        self.check_smx(smx).ok().map(|()| self.visits.backups[smx])
    }

    /// `cdp`: the unit that the KMU asks first.
    #[must_use]
    pub const fn kmu_pointer(&self) -> UnitId {
        self.kmu.pointer
    }

    /// `cdp`: the KMU is busy before this cycle.
    #[must_use]
    pub const fn kmu_free_at(&self) -> Cycle {
        self.kmu.free_at
    }

    fn check_unit(&self, unit: UnitId) -> Result<(), Fault> {
        if u32::from(unit.0) < self.config.units() { Ok(()) } else { Err(Fault::BadUnit) }
    }
}
