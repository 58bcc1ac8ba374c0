//! LaPerm's part of a front end's image: its queues, each unit with the record that it is about.

use crate::base::cycle::Cycle;
use crate::base::id::{Id, SmxId, UnitId};
use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::launch::distributor::{Kde, Source};
use crate::launch::hwq::Key;
use crate::launch::record::{Record, RecordState};
use crate::policy::laperm::list::EntryId;
use crate::policy::laperm::validate::{can_load, is_backup};
use crate::policy::laperm::{Backup, Entry};
use crate::policy::line::{Line, UnitWork};

/// A unit in an image.
type Unit<R> = (EntryId, Entry<UnitWork>, Option<R>);

impl<T: Tables> FrontEnd<T> {
    pub(crate) fn save_line(&self, w: &mut Writer<'_>) {
        let Some(Line { config: _, queues, visits, kmu_ptr }) = self.laperm.as_ref() else { return };
        w.put((visits.cur, kmu_ptr));
        self.board.all_smxs().iter().for_each(|s| w.put(visits.backups[s]));
        let with_record = |(e, entry): (EntryId, &Entry<UnitWork>)| -> Unit<&Record> {
            (e, *entry, entry.work.record.map(|r| self.board.records.get(r)))
        };
        for unit in queues.places() {
            w.list(queues.on_chip(unit).map(with_record));
            w.list(queues.off_chip(unit).map(with_record));
        }
    }

    /// Loads the queues of a machine that has its kernels.
    pub(crate) fn load_line(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let n_smx = self.board.config.n_smx;
        let Some(line) = self.laperm.as_mut() else { return Ok(()) };
        let config = line.config;
        (line.visits.cur, line.kmu_ptr) = r.get()?;
        possible(u32::from(line.visits.cur.0) < n_smx && u32::from(line.kmu_ptr.0) < config.units())?;
        possible(line.is_cdp() || line.kmu_ptr == UnitId(0))?;
        for s in (0..n_smx as usize).map(SmxId::from_index) {
            let backup: Backup = r.get()?;
            possible(is_backup(&backup, s, &config))?;
            line.visits.backups[s] = backup;
        }
        for unit in (0..config.units() as usize).map(UnitId::from_index).map(Some).chain([None]) {
            self.load_queue(r, unit)?;
        }
        // The nodes of a graph are no unit of LaPerm.
        let is_held = |kde: &Kde| kde.natives.is_some() == (kde.has_native_work() && kde.graph.is_none());
        possible(self.board.kd.active().all(|k| is_held(self.board.kd.get(k))))
    }

    /// No more TBs of a group that LaPerm holds reside than were sent (dtbl-I10).
    pub(crate) fn check_units(&self) -> Result<(), ImageError> {
        let Some(Line { queues, .. }) = self.laperm.as_ref() else { return Ok(()) };
        let mut held = queues.places().flat_map(|unit| queues.on_chip(unit).chain(queues.off_chip(unit)));
        let group = |entry: &Entry<UnitWork>| self.board.records.get(entry.work.record?).group();
        possible(held.all(|(_, entry)| group(entry).is_none_or(|group| group.exe <= entry.next)))
    }

    /// Loads the units of one place, on chip and in memory.
    fn load_queue(&mut self, r: &mut Reader<'_>, place: Option<UnitId>) -> Result<(), ImageError> {
        let Some(line) = self.laperm.as_ref() else { return Ok(()) };
        let (config, is_cdp) = (line.config, line.is_cdp());
        let cap = if place.is_some() { config.unit_cap() } else { config.queue0_cap() };
        // No unit waits longer for its first cycle than what comes last.
        let wait = config.refill_cycles.max(if config.charge_insert { cap } else { 0 });
        let mut len = 0;
        while let Some((e, entry, record)) = r.next::<Unit<Record>>()? {
            len += 1;
            possible(len <= cap && entry.ready_at <= self.board.now.after(wait.into()))?;
            possible(!entry.is_loading || can_load(&entry, self.board.now, &config))?;
            self.load_held(e, &entry, record, place)?;
            self.put_unit_back(e, entry, true)?;
        }
        let mut last = None;
        while let Some((e, entry, record)) = r.next::<Unit<Record>>()? {
            possible(entry.ready_at == Cycle::ZERO && !entry.is_loading)?;
            if is_cdp {
                // In each list by age.
                let (key, level) = self.load_pending(&entry, record, place)?;
                possible(last.is_none_or(|(k, l)| level < l || (level == l && k <= key)))?;
                last = Some((key, level));
            } else {
                // Overflow begins when the queue is full; queue 0 has none.
                possible(place.is_some() && len == cap)?;
                self.load_held(e, &entry, record, place)?;
            }
            self.put_unit_back(e, entry, false)?;
        }
        Ok(())
    }

    fn put_unit_back(&mut self, e: EntryId, entry: Entry<UnitWork>, on_chip: bool) -> Result<(), ImageError> {
        let Some(line) = self.laperm.as_mut() else { return Ok(()) };
        possible(line.queues.put_back(e, entry, on_chip))
    }

    /// Loads what a unit is about, and counts it in its kernel's entry.
    fn load_held(
        &mut self,
        e: EntryId,
        entry: &Entry<UnitWork>,
        record: Option<Record>,
        place: Option<UnitId>,
    ) -> Result<(), ImageError> {
        let UnitWork { kde: k, record: r } = entry.work;
        self.board.check_active(k).map_err(|_| ImageError::Content)?;
        let (left, prio, psmx) = match r.zip(record) {
            Some((r, record)) => {
                self.load_group(r, &record)?;
                let Record { shape, prio, psmx, .. } = *self.board.records.get(r);
                possible(entry.tbs == shape.total && record.group().is_some_and(|g| g.kernel == k && !g.dist))?;
                (shape.total.saturating_sub(entry.next), prio, Some(psmx))
            }
            None => {
                let kde = self.board.kd.get_mut(k);
                possible(r.is_none() && kde.natives.replace(e).is_none())?;
                let kernel = &kde.kernel;
                let psmx = if let Source::Hwq(_) = kernel.source { None } else { kernel.psmx };
                ((kernel.saved - kde.restored) + (kde.total - kernel.next_native), kernel.prio, psmx)
            }
        };
        possible(left > 0 && entry.tbs.checked_sub(entry.next) == Some(left))?;
        self.board.kd.get_mut(k).pend += 1;
        self.check_place(entry, place, prio, psmx)
    }

    /// Loads a kernel that waits for the KMU. Its age and level.
    fn load_pending(
        &mut self,
        entry: &Entry<UnitWork>,
        record: Option<Record>,
        place: Option<UnitId>,
    ) -> Result<(Key, u8), ImageError> {
        let (r, record) = entry.work.record.zip(record).ok_or(ImageError::Content)?;
        possible(
            record.state == RecordState::Dev && record.key.ready < self.board.now && record.key.seq < self.board.seq,
        )?;
        self.board.records.put_back(r, record, &self.board.config)?;
        let Record { shape, prio, psmx, key, .. } = *self.board.records.get(r);
        possible(entry.next == 0 && entry.tbs == shape.total && entry.work.kde.0 == 0)?;
        self.check_place(entry, place, prio, Some(psmx))?;
        Ok((key, entry.section))
    }

    /// A unit waits where one of its level and origin does.
    fn check_place(
        &self,
        entry: &Entry<UnitWork>,
        place: Option<UnitId>,
        prio: u8,
        psmx: Option<SmxId>,
    ) -> Result<(), ImageError> {
        let Some(line) = self.laperm.as_ref() else { return Ok(()) };
        let like = line.entry_of(entry.work, entry.tbs, prio, psmx);
        possible(entry.unit == place && (entry.unit, entry.section, entry.prio) == (like.unit, like.section, like.prio))
    }
}
