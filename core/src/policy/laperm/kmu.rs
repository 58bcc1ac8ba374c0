//! CDP: kernels move from memory into the entries of the kernel distributor (laperm-R5, laperm-R9, laperm-R10 and laperm-R11).
//!
//! The KMU goes through the units in turn, takes the head of the highest level of the first one where a kernel is pending, and
//! pays a cycle per level that it searched. Host kernels go when no device kernel is pending.

use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::id::{Id, KernelSlot, UnitId, next_of};
use crate::base::set::IdSet;
use crate::base::table::{Rows, Table};
use crate::policy::laperm::Work;
use crate::policy::laperm::config::{Config, Policy};
use crate::policy::laperm::list::{Entry, EntryId};
use crate::policy::laperm::queues::{Queues, Section, UnitQueue};

/// TBs of the kernel in an entry of the kernel distributor; without any, the entry is free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Kde {
    /// TBs that are not dispatched yet.
    pub waiting: u32,
    /// TBs that run.
    pub running: u32,
}

impl Kde {
    pub(crate) const fn is_free(self) -> bool {
        self.waiting == 0 && self.running == 0
    }
}

/// A kernel that the KMU moved to the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Moved {
    /// Its tag.
    pub tag: u64,
    /// The unit in whose queue it is; `None` for queue 0.
    pub unit: Option<UnitId>,
    /// Its nesting level.
    pub level: u8,
    /// Its entry of the kernel distributor.
    pub kde: KernelSlot,
    /// Levels that were searched, in cycles.
    pub cost: u32,
    /// The cycle from which it is visible.
    pub ready_at: Cycle,
}

/// Why the KMU moved nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum KmuStall {
    /// Its last search is still under way.
    Busy,
    /// No kernel is pending.
    NothingPending,
    /// Every entry of the kernel distributor is taken.
    KduFull,
}

/// What the KMU did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum KmuTick {
    /// It moved a kernel.
    Moved(Moved),
    /// It did nothing.
    Stall(KmuStall),
}

/// The KMU's pointer and the kernel distributor's counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Kmu<K> {
    /// The unit that is asked first.
    pub(crate) pointer: UnitId,
    /// It searches before this cycle.
    pub(crate) free_at: Cycle,
    pub(crate) kdes: Table<KernelSlot, Kde, K>,
    pub(crate) free: IdSet<KernelSlot>,
}

impl<K: Rows<Kde>> Kmu<K> {
    pub(crate) fn new(kdes: K, config: &Config) -> Self {
        let free = IdSet::first(config.kdus());
        Self { pointer: UnitId(0), free_at: Cycle::ZERO, kdes: Table::new(kdes), free }
    }

    /// The kernel that is next, and the levels that are searched for it.
    fn next<E, M, S, U>(&self, queues: &Queues<Work, E, M, S, U>, config: &Config) -> Option<(EntryId, u32)>
    where
        E: Rows<Entry<Work>>,
        M: Rows<u64>,
        S: Rows<Section>,
        U: Rows<UnitQueue>,
    {
        let unit = queues.units_off_chip().iter_from(self.pointer).next();
        let e = queues.next_off_chip(unit)?;
        let cost = match unit {
            _ if config.policy == Policy::Rr => 0,
            Some(_) => config.levels - u32::from(queues.get(e).section) + 1,
            None => config.levels,
        };
        Some((e, cost))
    }

    /// laperm-R11: one cycle.
    pub(crate) fn tick<E, M, S, U>(
        &mut self,
        queues: &mut Queues<Work, E, M, S, U>,
        now: Cycle,
        config: &Config,
    ) -> Result<Moved, KmuStall>
    where
        E: Rows<Entry<Work>>,
        M: Rows<u64>,
        S: Rows<Section>,
        U: Rows<UnitQueue>,
    {
        if now < self.free_at {
            return Err(KmuStall::Busy);
        }
        let (e, cost) = self.next(queues, config).ok_or(KmuStall::NothingPending)?;
        let kde = self.free.at_or_above(0).ok_or(KmuStall::KduFull)?;
        let Entry { work, tbs, prio: level, unit, .. } = *queues.get(e);
        self.free.set(kde, false);
        self.kdes[kde] = Kde { waiting: tbs, running: 0 };
        self.free_at = now.after(1 + u64::from(cost));
        if let Some(unit) = unit {
            self.pointer = next_of(unit, config.units());
        }
        queues.work_mut(e).kde = Some(kde);
        let ready_at = now.after(u64::from(cost) + u64::from(config.kmu_dispatch_cycles));
        queues.bring(e, ready_at, None);
        Ok(Moved { tag: work.tag, unit, level, kde, cost, ready_at })
    }

    /// laperm-R9: a TB was dispatched.
    pub(crate) fn dispatched(&mut self, kde: KernelSlot) {
        let kde = &mut self.kdes[kde];
        kde.waiting -= 1;
        kde.running += 1;
    }

    /// laperm-R10: the entry of which a TB ended, if it has one that runs.
    pub(crate) fn running(&self, kde: Option<KernelSlot>, config: &Config) -> Result<KernelSlot, Fault> {
        let known = kde.filter(|k| k.index() < config.kdus() as usize).ok_or(Fault::BadKde)?;
        if self.kdes[known].running == 0 { Err(Fault::BadKde) } else { Ok(known) }
    }

    /// laperm-R10: a TB ended. Whether the entry is free now.
    pub(crate) fn done(&mut self, kde: KernelSlot) -> bool {
        self.kdes[kde].running -= 1;
        let freed = self.kdes[kde].is_free();
        self.free.set(kde, freed);
        freed
    }
}
