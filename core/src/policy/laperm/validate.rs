//! What holds of LaPerm between two calls.

use crate::base::cycle::Cycle;
use crate::base::id::{Id, KernelSlot, SmxId, UnitId};
use crate::base::invariant::{Violation, invariant};
use crate::base::set::{IdSet, SmxSet};
use crate::policy::laperm::config::{Config, Model, Policy, RefillMode};
use crate::policy::laperm::list::Entry;
use crate::policy::laperm::tables::Tables;
use crate::policy::laperm::visit::Backup;
use crate::policy::laperm::{LaPerm, Work};

impl<T: Tables> LaPerm<T> {
    /// What holds between any two calls: laperm-I3, laperm-I5, laperm-I6, laperm-I8, but for what only the past tells.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        let Self { config, now, ticked, queues: _, visits, free, mask, kmu: _ } = self;
        invariant("no tick was later than now", *ticked <= Some(*now))?;
        invariant("the visited SMX is there (laperm-R6)", u32::from(visits.cur.0) < config.smxs)?;
        let all = SmxSet::first(config.smxs);
        invariant("only SMXs are masked (laperm-R12)", mask.without(&all).is_empty())?;
        for s in all.iter() {
            invariant("an SMX has no more free than there is (laperm-I5)", free[s].fits(&config.capacity()))?;
            let backup = is_backup(&visits.backups[s], s, config);
            invariant("no SMX is its own backup, and runs end at the limit (laperm-I6)", backup)?;
        }
        let ends = free.ends_by(config.smxs as usize) && visits.backups.ends_by(config.smxs as usize);
        invariant("only SMXs have room and backups", ends)?;
        self.queues.places().try_for_each(|place| self.validate_place(place))?;
        self.validate_kmu()
    }

    fn validate_place(&self, place: Option<UnitId>) -> Result<(), Violation> {
        let (config, is_cdp) = (&self.config, self.config.model == Model::Cdp);
        let cap = if place.is_some() { config.unit_cap() } else { config.queue0_cap() };
        let on_chip = self.queues.on_chip(place).count() as u32;
        invariant("a queue holds what it can (laperm-I3, laperm-I8)", on_chip <= cap)?;
        // No entry waits longer for its first cycle than what comes last, with its search.
        let wait = match config.model {
            Model::Dtbl => config.refill_cycles.max(if config.charge_insert { config.queue_cap } else { 0 }),
            Model::Cdp => config.kmu_dispatch_cycles + config.levels,
        };
        let mut section = u8::MAX;
        for (_, entry) in self.queues.on_chip(place) {
            self.validate_entry(entry, place)?;
            let waits = entry.ready_at <= self.now.after(wait.into());
            invariant("an entry waits no longer than its way takes (laperm-R4, laperm-R9)", waits)?;
            let loads = !entry.is_loading || can_load(entry, self.now, config);
            invariant("an entry is loaded if it was asked for (laperm-R14)", loads)?;
            invariant("a kernel on chip has an entry of the KDU (laperm-R5)", entry.work.kde.is_some() == is_cdp)?;
            invariant("a queue is sorted by section (laperm-I3)", entry.section <= section)?;
            section = entry.section;
        }
        let mut section = u8::MAX;
        for (_, entry) in self.queues.off_chip(place) {
            self.validate_entry(entry, place)?;
            // Overflow begins when the queue is full; queue 0 has none.
            let may_be = if is_cdp { entry.next == 0 } else { place.is_some() && on_chip == cap };
            invariant("memory has what the queue has no room for (laperm-I3)", may_be)?;
            let waits = entry.work.kde.is_none() && entry.ready_at == Cycle::ZERO && !entry.is_loading;
            invariant("an entry in memory is neither loaded nor of the KDU (laperm-R5)", waits)?;
            invariant("a list in memory is sorted by section (laperm-I3)", entry.section <= section)?;
            section = entry.section;
        }
        Ok(())
    }

    fn validate_entry(&self, entry: &Entry<Work>, place: Option<UnitId>) -> Result<(), Violation> {
        let Entry { ref work, tbs, next, prio, section, unit, .. } = *entry;
        invariant(
            "an entry has TBs to send, which fit (laperm-R1)",
            next < tbs && self.check_work(tbs, &work.res).is_ok(),
        )?;
        let is_placed = u32::from(prio) <= self.config.levels
            && unit == place
            && match place {
                Some(_) => section == self.config.section(prio) && section > 0,
                None => prio == 0 && section == 0 && self.config.policy != Policy::Rr,
            };
        invariant("an entry waits in its section (laperm-R2)", is_placed)
    }

    /// The KMU's pointer, and the entries of the kernel distributor.
    fn validate_kmu(&self) -> Result<(), Violation> {
        let Self { config, kmu, now, queues, .. } = self;
        let is_cdp = config.model == Model::Cdp;
        let pointer = u32::from(kmu.pointer.0) < config.units() && (is_cdp || kmu.pointer == UnitId(0));
        invariant("the KMU asks a unit next (laperm-R5)", pointer)?;
        let searched = if is_cdp { now.after(1 + u64::from(config.levels)) } else { Cycle::ZERO };
        invariant("a search takes a cycle per level (laperm-R11)", kmu.free_at <= searched)?;
        let all = IdSet::<KernelSlot>::first(config.kdus());
        let ends = kmu.kdes.ends_by(config.kdus() as usize) && kmu.free.without(&all).is_empty();
        invariant("the KDU has its entries alone", ends)?;
        for (k, kde) in kmu.kdes.iter().take(config.kdus() as usize) {
            invariant("an entry without TBs is free (laperm-R10)", kmu.free.contains(k) == kde.is_free())?;
            let mut kernels = queues.places().flat_map(|place| queues.on_chip(place)).map(|(_, e)| e);
            let kernel = kernels.by_ref().find(|e| e.work.kde == Some(k));
            let only = kernels.all(|e| e.work.kde != Some(k));
            invariant("an entry is of one kernel (laperm-I8)", only)?;
            let waiting = kernel.map_or(0, |e| e.tbs - e.next);
            let sent = kernel.is_none_or(|e| kde.running <= e.next);
            invariant("TBs of a kernel are counted (laperm-R9, laperm-R10)", kde.waiting == waiting && sent)?;
        }
        let mut on_chip = queues.places().flat_map(|place| queues.on_chip(place));
        let known = on_chip.all(|(_, e)| e.work.kde.is_none_or(|k| k.index() < config.kdus() as usize));
        invariant("a kernel on chip has an entry of the KDU (laperm-R5)", known)
    }
}

/// Whether an entry on chip can be one that the host was asked for.
pub(crate) fn can_load<W>(entry: &Entry<W>, now: Cycle, config: &Config) -> bool {
    let asks = config.refill_mode == RefillMode::External && config.model == Model::Dtbl;
    asks && entry.unit.is_some() && entry.ready_at <= now
}

/// Whether an SMX can have this backup record.
pub(crate) fn is_backup(backup: &Backup, smx: SmxId, config: &Config) -> bool {
    let Backup { unit, run } = *backup;
    u32::from(run) <= config.backup_limit
        && match unit {
            Some(unit) => {
                let other = u32::from(unit.0) < config.units() && unit != config.unit_of(smx);
                other && config.policy == Policy::AdaptiveBind
            }
            None => run == 0,
        }
}
