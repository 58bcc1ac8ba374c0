//! LaPerm's part of a front end's image: its queues, each unit with the record that it is about.

use crate::base::id::{Id, UnitId};
use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::launch::record::Record;
use crate::policy::laperm::Entry;
use crate::policy::laperm::list::EntryId;
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
        let smxs = self.board.all_smxs();
        let Some(line) = self.laperm.as_mut() else { return Ok(()) };
        let units = line.config.units();
        (line.visits.cur, line.kmu_ptr) = r.get()?;
        for s in smxs.iter() {
            line.visits.backups[s] = r.get()?;
        }
        (0..units as usize)
            .map(UnitId::from_index)
            .map(Some)
            .chain([None])
            .try_for_each(|unit| self.load_queue(r, unit))
    }

    /// Loads the units of one place, on chip and in memory.
    fn load_queue(&mut self, r: &mut Reader<'_>, place: Option<UnitId>) -> Result<(), ImageError> {
        for on_chip in [true, false] {
            while let Some((e, entry, record)) = r.next::<Unit<Record>>()? {
                possible(entry.unit == place)?;
                self.load_unit(e, &entry, record, on_chip)?;
                let Some(line) = self.laperm.as_mut() else { return Ok(()) };
                possible(line.queues.put_back(e, entry, on_chip))?;
            }
        }
        Ok(())
    }

    /// Loads what a unit is about, and counts it in its kernel's entry. In the model cdp what is in memory has none yet.
    fn load_unit(
        &mut self,
        e: EntryId,
        entry: &Entry<UnitWork>,
        record: Option<Record>,
        on_chip: bool,
    ) -> Result<(), ImageError> {
        let UnitWork { kde: k, record: r } = entry.work;
        match r.zip(record) {
            Some((r, record)) if !on_chip && self.laperm.as_ref().is_some_and(Line::is_cdp) => {
                return self.board.records.put_back(r, record, &self.board.config);
            }
            Some((r, record)) => {
                possible(self.load_group(r, &record)?.kernel == k)?;
            }
            None => {
                possible(r.is_none() && self.board.check_active(k).is_ok())?;
                self.board.kd.get_mut(k).natives = Some(e);
            }
        }
        self.board.kd.get_mut(k).pend += 1;
        Ok(())
    }
}
