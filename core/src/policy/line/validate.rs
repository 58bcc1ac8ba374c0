//! What holds of LaPerm as the front end's policy between two calls.

use super::{Line, LineTables, UnitWork};
use crate::base::id::{Id, KernelSlot, SmxId, UnitId};
use crate::base::invariant::{Violation, invariant};
use crate::launch::board::{Board, BoardTables};
use crate::launch::distributor::Source;
use crate::launch::record::{Record, RecordState};
use crate::policy::laperm::Entry;
use crate::policy::laperm::list::EntryId;
use crate::policy::laperm::validate::is_backup;

impl<T: LineTables + BoardTables> Line<T> {
    /// What holds of the line over this board: its units are the native TBs and groups with TBs to send (frontend-I4).
    pub(crate) fn validate(&self, board: &Board<T>) -> Result<(), Violation> {
        let Self { config, queues, visits, kmu_ptr } = self;
        let n_smx = board.config.n_smx as usize;
        invariant("the visited SMX is there (laperm-R6)", visits.cur.index() < n_smx)?;
        let asks = u32::from(kmu_ptr.0) < config.units() && (self.is_cdp() || *kmu_ptr == UnitId(0));
        invariant("the KMU asks a unit next (frontend-T1p)", asks)?;
        let mut smxs = (0..n_smx).map(SmxId::from_index);
        let backups = smxs.all(|s| is_backup(&visits.backups[s], s, config));
        invariant("no SMX is its own backup, and runs end at the limit (laperm-I6)", backups)?;
        let kernels_only = !self.is_cdp() || board.records.iter().all(|(_, record)| !record.is_group());
        invariant("in the model cdp no group is launched", kernels_only)?;
        queues.validate(config, board.now, config.longest_wait())?;
        queues.places().try_for_each(|place| self.validate_place(place, board))?;
        board.kd.active().try_for_each(|k| self.validate_units(k, board))
    }

    /// Kernels in the lists of the KMU.
    pub(crate) fn pending(&self) -> usize {
        let places = self.queues.places().filter(|_| self.is_cdp());
        places.map(|place| self.queues.off_chip(place).count()).sum()
    }

    fn validate_place(&self, place: Option<UnitId>, board: &Board<T>) -> Result<(), Violation> {
        for (e, entry) in self.queues.on_chip(place) {
            self.validate_unit(e, entry, board)?;
        }
        let mut last = None;
        for (e, entry) in self.queues.off_chip(place) {
            if !self.is_cdp() {
                self.validate_unit(e, entry, board)?;
                continue;
            }
            // In each list by age.
            let key = self.validate_pending(entry, board)?;
            let sorted = last.is_none_or(|(section, last)| section != entry.section || last <= key);
            invariant("pending kernels wait by level and age (frontend-T1p)", sorted)?;
            last = Some((entry.section, key));
        }
        Ok(())
    }

    /// A unit is the native TBs of a kernel, or a group, and waits where one of its level and origin does.
    fn validate_unit(&self, e: EntryId, entry: &Entry<UnitWork>, board: &Board<T>) -> Result<(), Violation> {
        let UnitWork { kde: k, record } = entry.work;
        invariant("a unit's kernel is active (frontend-I4)", board.check_active(k).is_ok())?;
        let kde = board.kd.get(k);
        let (left, prio, psmx) = match record {
            Some(r) => {
                let &Record { ref shape, prio, psmx, .. } = board.records.get(r);
                let group = board.records.get(r).group().filter(|group| group.kernel == k && !group.dist);
                let Some(group) = group.filter(|_| r.0 < board.config.pend_limit && entry.tbs == shape.total) else {
                    return invariant("a unit is a group of its kernel with TBs to send (frontend-I4)", false);
                };
                invariant("no more TBs of a group run than were sent (dtbl-I10)", group.exe <= entry.next)?;
                (shape.total.saturating_sub(entry.next), prio, Some(psmx))
            }
            None => {
                invariant("a kernel has one unit of native TBs (frontend-I4)", kde.natives == Some(e))?;
                let kernel = &kde.kernel;
                let psmx = if let Source::Hwq(_) = kernel.source { None } else { kernel.psmx };
                ((kernel.saved - kde.restored) + (kde.total - kernel.next_native), kernel.prio, psmx)
            }
        };
        invariant("a unit has the TBs that are left (frontend-F4)", entry.tbs - entry.next == left)?;
        self.validate_origin(entry, prio, psmx)
    }

    /// A kernel that waits for the KMU in the model cdp. Its age.
    fn validate_pending(
        &self,
        entry: &Entry<UnitWork>,
        board: &Board<T>,
    ) -> Result<crate::launch::hwq::Key, Violation> {
        let Some(r) = entry.work.record.filter(|r| r.0 < board.config.pend_limit) else {
            return Err(Violation("a pending kernel has its record (frontend-T1p)"));
        };
        let &Record { ref state, key, ref shape, prio, psmx, .. } = board.records.get(r);
        let waits = *state == RecordState::Dev && key.ready < board.now && key.seq < board.seq;
        invariant("what waits for the KMU has matured (frontend-T1p)", waits)?;
        let is_whole = entry.tbs == shape.total && entry.work.kde == KernelSlot(0);
        invariant("nothing of a pending kernel was sent (frontend-T1p)", is_whole)?;
        self.validate_origin(entry, prio, Some(psmx))?;
        Ok(key)
    }

    fn validate_origin(&self, entry: &Entry<UnitWork>, prio: u8, psmx: Option<SmxId>) -> Result<(), Violation> {
        let like = self.config.entry_of(entry.work, entry.tbs, prio, psmx);
        let is_like = (entry.unit, entry.section, entry.prio) == (like.unit, like.section, like.prio);
        invariant("a unit waits where those of its level and origin do (frontend-T2, frontend-T3p)", is_like)
    }

    /// A kernel's units are counted. The nodes of a graph are no unit of LaPerm.
    fn validate_units(&self, k: KernelSlot, board: &Board<T>) -> Result<(), Violation> {
        let kde = board.kd.get(k);
        let has_natives = kde.has_native_work() && kde.graph.is_none();
        invariant("LaPerm holds native TBs that are to be sent (frontend-I4)", kde.natives.is_some() == has_natives)?;
        let groups = board.records.iter().filter_map(|(_, record)| record.group());
        let waiting = groups.filter(|group| group.kernel == k && !group.dist).count();
        let units = self.queues.places().flat_map(|place| {
            let off_chip = self.queues.off_chip(place).filter(|_| !self.is_cdp());
            self.queues.on_chip(place).chain(off_chip)
        });
        let held = units.filter(|(_, entry)| entry.work.kde == k).count();
        let owed = waiting + usize::from(has_natives);
        invariant("a kernel's units are counted (frontend-I4)", held == owed && kde.pend as usize == owed)
    }
}
