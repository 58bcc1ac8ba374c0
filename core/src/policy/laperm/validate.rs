//! What holds of LaPerm between two calls.

use crate::base::cycle::Cycle;
use crate::base::id::{Id, KernelSlot, SmxId, UnitId};
use crate::base::invariant::{Violation, invariant};
use crate::base::set::{IdSet, SmxSet};
use crate::policy::laperm::LaPerm;
use crate::policy::laperm::config::{Config, Model, Policy};
use crate::policy::laperm::tables::Tables;
use crate::policy::laperm::visit::Backup;

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
        // No entry waits longer for its first cycle than what comes last, with its search.
        let wait = match config.model {
            Model::Dtbl => config.longest_wait(),
            Model::Cdp => config.kmu_dispatch_cycles + config.levels,
        };
        self.queues.validate(config, *now, wait)?;
        self.queues.places().try_for_each(|place| self.validate_work(place))?;
        self.validate_kmu()
    }

    /// What holds of what entries are about.
    fn validate_work(&self, place: Option<UnitId>) -> Result<(), Violation> {
        let is_cdp = self.config.model == Model::Cdp;
        for (_, entry) in self.queues.on_chip(place) {
            invariant("a kernel on chip has an entry of the KDU (laperm-R5)", entry.work.kde.is_some() == is_cdp)?;
        }
        for (_, entry) in self.queues.off_chip(place) {
            invariant("a kernel in memory has no entry of the KDU (laperm-R5)", entry.work.kde.is_none())?;
        }
        let mut all = self.queues.on_chip(place).chain(self.queues.off_chip(place));
        let fits = all.all(|(_, entry)| self.check_work(entry.tbs, &entry.work.res).is_ok());
        invariant("the TBs of an entry fit an SMX (laperm-R1)", fits)
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
