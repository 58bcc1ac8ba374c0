//! LaPerm's image: what is in it, and what its parts must agree on. The form is described in `image.rs` of the crate.

use crate::base::cycle::Cycle;
use crate::base::id::{Id, KernelSlot, SmxId, UnitId};
use crate::base::image::{Form, ImageError, Reader, Writer, own_image_verbs, possible};
use crate::base::set::SmxSet;
use crate::policy::laperm::config::{Config, Model, Policy, RefillMode};
use crate::policy::laperm::kmu::Kde;
use crate::policy::laperm::list::{Entry, EntryId};
use crate::policy::laperm::tables::{TableSet, TableSizes, Tables};
use crate::policy::laperm::visit::Backup;
use crate::policy::laperm::{LaPerm, Resources, Work};

const FORM: Form = Form { kind: 2, version: 2 };

own_image_verbs!(LaPerm, Config, image_config);

impl<T: Tables> LaPerm<T> {
    fn smxs(&self) -> impl Iterator<Item = SmxId> + use<T> {
        (0..self.config.smxs as usize).map(SmxId::from_index)
    }

    fn write_image(&self, w: &mut Writer<'_>) {
        let Self { config, now, ticked, queues, visits, free, mask, kmu } = self;
        w.put(config);
        w.put((now, ticked, visits.cur, mask, kmu.pointer, kmu.free_at));
        self.smxs().for_each(|s| w.put((free[s], visits.backups[s])));
        for unit in queues.places() {
            w.list(queues.on_chip(unit));
            w.list(queues.off_chip(unit));
        }
        // The TBs that a kernel on chip has not sent are in its entry there.
        let running = (0..config.kdus()).map(|k| KernelSlot(k as u8)).map(|k| (k, kmu.kdes[k].running));
        w.list(running.filter(|(_, running)| *running > 0));
    }

    /// Loads the state into a fresh machine.
    fn read_image(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let config = self.config;
        (self.now, self.ticked, self.visits.cur, self.mask, self.kmu.pointer, self.kmu.free_at) = r.get()?;
        possible(self.ticked <= Some(self.now) && u32::from(self.visits.cur.0) < config.smxs)?;
        possible(self.mask.without(&SmxSet::first(config.smxs)).is_empty())?;
        let is_cdp = config.model == Model::Cdp;
        possible(u32::from(self.kmu.pointer.0) < config.units() && (is_cdp || self.kmu.pointer == UnitId(0)))?;
        let searched = if is_cdp { self.now.after(1 + u64::from(config.levels)) } else { Cycle::ZERO };
        possible(self.kmu.free_at <= searched)?;
        for s in self.smxs() {
            let (free, backup): (Resources, Backup) = r.get()?;
            possible(free.fits(&config.capacity()) && is_backup(&backup, s, &config))?;
            (self.free[s], self.visits.backups[s]) = (free, backup);
        }
        for unit in self.queues.places() {
            self.read_queue(r, unit)?;
        }
        while let Some((k, running)) = r.next::<(KernelSlot, u32)>()? {
            possible(u32::from(k.0) < config.kdus() && running > 0 && self.kmu.kdes[k].running == 0)?;
            self.kmu.free.set(k, false);
            self.kmu.kdes[k].running = running;
        }
        let mut kernels = self.queues.places().flat_map(|unit| self.queues.on_chip(unit));
        possible(kernels.all(|(_, e)| e.work.kde.is_none_or(|k| self.kmu.kdes[k].running <= e.next)))
    }

    /// Loads the entries of one place, on chip and in memory.
    fn read_queue(&mut self, r: &mut Reader<'_>, unit: Option<UnitId>) -> Result<(), ImageError> {
        let config = self.config;
        let is_cdp = config.model == Model::Cdp;
        let cap = if unit.is_some() { config.unit_cap() } else { config.queue0_cap() };
        // No entry waits longer for its first cycle than what comes last, with its search.
        let wait = match config.model {
            Model::Dtbl => config.refill_cycles.max(if config.charge_insert { config.queue_cap } else { 0 }),
            Model::Cdp => config.kmu_dispatch_cycles + config.levels,
        };
        let mut len = 0;
        while let Some((e, entry)) = r.next::<(EntryId, Entry<Work>)>()? {
            len += 1;
            possible(len <= cap && entry.ready_at <= self.now.after(wait.into()))?;
            possible(entry.work.kde.is_some() == is_cdp)?;
            possible(!entry.is_loading || can_load(&entry, self.now, &config))?;
            if let Some(k) = entry.work.kde {
                possible(u32::from(k.0) < config.kdus() && self.kmu.free.contains(k))?;
                self.kmu.free.set(k, false);
                self.kmu.kdes[k] = Kde { waiting: entry.tbs.saturating_sub(entry.next), running: 0 };
            }
            self.check_entry(&entry, unit)?;
            possible(self.queues.put_back(e, entry, true))?;
        }
        while let Some((e, entry)) = r.next::<(EntryId, Entry<Work>)>()? {
            // Overflow begins when the queue is full; queue 0 has none.
            possible(if is_cdp { entry.next == 0 } else { unit.is_some() && len == cap })?;
            possible(entry.work.kde.is_none() && entry.ready_at == Cycle::ZERO && !entry.is_loading)?;
            self.check_entry(&entry, unit)?;
            possible(self.queues.put_back(e, entry, false))?;
        }
        Ok(())
    }

    fn check_entry(&self, entry: &Entry<Work>, unit: Option<UnitId>) -> Result<(), ImageError> {
        let Entry { work, tbs, next, prio, section, unit: of, .. } = *entry;
        possible(of == unit && next < tbs && self.check_work(tbs, &work.res).is_ok())?;
        possible(u32::from(prio) <= self.config.levels)?;
        possible(match unit {
            Some(_) => section == self.config.section(prio) && section > 0,
            None => prio == 0 && section == 0 && self.config.policy != Policy::Rr,
        })
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
