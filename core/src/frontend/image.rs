//! The front end's image: what is in it, and what its parts must agree on. The form is described in `image.rs`.

use crate::base::home::TableTooSmall;
use crate::base::id::{KernelSlot, RecordId, SlotId, SmxId};
use crate::base::image::{Form, ImageError, Reader, Writer, countable, possible};
use crate::base::parameter::ConfigError;
use crate::base::saved::{Saved, image_verbs};
use crate::base::set::SmxSet;
use crate::config::Config;
use crate::frontend::FrontEnd;
use crate::frontend::tables::{TableSet, TableSizes, Tables};
use crate::launch::agt;
use crate::launch::board::Board;
use crate::launch::cursor::Cursor;
use crate::launch::distributor::{Kernel, KernelKey};
use crate::launch::hwq::Key;
use crate::launch::record::{Group, Record};
use crate::policy::doors::Doors;
use crate::policy::fcfs_rr::FcfsRr;
use crate::smx::residency::{ResidentTb, Unit};

const FORM: Form = Form { kind: 1, version: 5 };

image_verbs!(FORM, FrontEnd<T>, Config, image_config);

impl<T: Tables> Saved for FrontEnd<T> {
    fn save(&self, w: &mut Writer<'_>) {
        self.write_image(w);
    }

    fn load(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        self.read_image(r)
    }
}

impl<T: Tables> FrontEnd<T> {
    fn write_image(&self, w: &mut Writer<'_>) {
        let Self { board, kmu, fcfs_rr, laperm: _, graphs: _, bubble: _ } = self;
        let Board {
            config,
            now,
            seq,
            hwqs,
            records,
            suspended,
            kd,
            // The groups say which entries they have.
            agt: _,
            residency,
            gates,
            stats,
        } = board;
        w.put((now, seq, kmu, fcfs_rr.rr(), stats));
        hwqs.save(w);
        suspended.save(w);
        kd.save(w);
        records.save(w);
        // Groups with TBs to send make up their kernels' chains, or LaPerm's queues; then those that only have TBs to end.
        let chain = |k| {
            let first = kd.get(k).chain.map(|chain| chain.next);
            core::iter::successors(first, |&r| self.group_in(r)?.next.map(|(next, _)| next))
        };
        let sent = (0..config.pend_limit).map(RecordId).filter(|&r| self.group_in(r).is_some_and(|g| g.dist));
        self.save_line(w);
        w.list(kd.fifo().flat_map(chain).chain(sent).map(|r| (r, records.get(r))));
        w.put(fcfs_rr.load_buffer());
        residency.save(w);
        gates.save(w);
        self.save_bubble(w);
        self.save_graphs(w);
    }

    /// Loads the state into a fresh machine.
    fn read_image(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let config = self.board.config;
        let left_out = |e: ConfigError| TableTooSmall { table: e.parameter.name, have: 0, need: 1 };
        config.check_for::<T::Parts>().map_err(|e| ImageError::Tables(left_out(e)))?;
        let rr: SmxId;
        (self.board.now, self.board.seq, self.kmu, rr, self.board.stats) = r.get()?;
        self.fcfs_rr = FcfsRr::at(rr);
        possible(self.kmu.is_possible(&config, self.board.now) && u32::from(rr.0) < config.n_smx)?;
        possible(self.board.stats.tbs <= self.board.now.0)?;
        countable(self.board.seq)?;
        let next = Key { ready: self.board.now, seq: self.board.seq };
        self.board.hwqs.load(r, &config, next)?;
        self.board.suspended.load(r, &config, next)?;
        self.board.kd.load(r, &config, self.board.now)?;
        for kernel in self.board.kd.kernels().chain(self.board.suspended.kernels()) {
            self.board.hwqs.hold(kernel.source)?;
        }
        self.board.records.load(r, &config, next)?;
        possible(!self.is_cdp() || self.board.records.first_agg().is_none())?;
        self.load_line(r)?;
        let sent = self.load_groups(r)?;
        *self.fcfs_rr.load_buffer_mut() = r.get()?;
        self.load_tbs(r, sent)?;
        self.load_gates(r)?;
        self.load_bubble(r)?;
        self.load_graphs(r)?;
        self.check_units()?;
        self.board.kd.active().try_for_each(|k| self.check_sent(k).and_then(|()| self.check_entry(k)))?;
        possible(self.fcfs_rr.is_possible(&self.board))
    }

    /// Whether kernels wait in LaPerm's lists for the KMU.
    fn is_cdp(&self) -> bool {
        self.laperm.as_ref().is_some_and(|line| line.is_cdp())
    }

    fn group_in(&self, r: RecordId) -> Option<&Group> {
        self.board.records.get(r).group()
    }

    /// Loads groups and links those with TBs to send into their kernels' chains. Also, how many others there are.
    fn load_groups(&mut self, r: &mut Reader<'_>) -> Result<u32, ImageError> {
        let mut sent = 0;
        while let Some((id, record)) = r.next::<(RecordId, Record)>()? {
            let group = self.load_group(id, &record)?;
            if group.dist {
                sent += 1;
            } else {
                possible(self.board.kd.get(group.kernel).mark.is_some())?;
                self.board.records.join(id, Group { next: None, ..group });
                self.board.link(group.kernel, id);
            }
        }
        Ok(sent)
    }

    /// Loads a group into its record and counts it in its kernel's entry.
    pub(crate) fn load_group(&mut self, id: RecordId, record: &Record) -> Result<Group, ImageError> {
        self.board.records.put_back(id, *record, &self.board.config)?;
        let group = *record.group().ok_or(ImageError::Content)?;
        self.board.check_active(group.kernel).map_err(|_| ImageError::Content)?;
        possible(self.board.kd.get(group.kernel).key() == KernelKey::of(&record.descriptor))?;
        possible(!self.is_cdp())?;
        if let Some(age) = group.age {
            // The hash of a thread is an entry of the table.
            possible(self.laperm.as_ref().is_none())?;
            possible(age == agt::hash(&self.board.config, record.psmx, record.hw_tid) && self.board.agt.is_free(age))?;
            self.board.agt.take(age, id);
        }
        self.board.kd.get_mut(group.kernel).live += 1;
        Ok(group)
    }

    /// Loads resident TBs. Every one of the `sent` groups must have some (dtbl-D2).
    fn load_tbs(&mut self, r: &mut Reader<'_>, mut sent: u32) -> Result<(), ImageError> {
        if let Some((k, shape)) = self.board.residency.load_view(r)? {
            self.board.check_active(k).map_err(|_| ImageError::Content)?;
            possible(self.board.kd.get(k).need == shape)?;
        }
        while let Some((smx, slot, tb)) = r.next::<(SmxId, SlotId, ResidentTb)>()? {
            self.board.check_active(tb.kde).map_err(|_| ImageError::Content)?;
            possible(u32::from(smx.0) < self.board.config.n_smx && !Doors::of(&self.board).is_excluded(tb.kde, smx))?;
            let need = self.board.kd.get(tb.kde).need;
            self.board.residency.put_back(smx, slot, &need, ResidentTb { prio: self.prio_of(&tb)?, ..tb })?;
            self.board.gates.count_read(smx, tb.member)?;
            possible((tb.unit == Unit::Node) == self.board.kd.get(tb.kde).graph.is_some())?;
            let kde = self.board.kd.get_mut(tb.kde);
            kde.exe += 1;
            let blocks = match tb.unit {
                Unit::Native => kde.kernel.next_native,
                Unit::Restored => kde.restored,
                Unit::Node => kde.total,
                Unit::Group(record) => {
                    possible(record.0 < self.board.config.pend_limit)?;
                    let total = self.board.records.get(record).shape.total;
                    let group = self
                        .board
                        .records
                        .group_mut(record)
                        .filter(|g| g.kernel == tb.kde)
                        .ok_or(ImageError::Content)?;
                    sent -= u32::from(group.dist && group.exe == 0);
                    group.exe += 1;
                    possible(group.exe <= total)?;
                    total
                }
            };
            possible(tb.blkid < blocks)?;
        }
        possible(sent == 0)
    }

    /// Sets the gates of an image, on a machine that has its TBs.
    fn load_gates(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let refused = |_| ImageError::Content;
        let eligible: SmxSet = r.get()?;
        possible(eligible.without(&self.board.all_smxs()).is_empty())?;
        self.board.gates.set_eligible(eligible);
        while let Some((smx, cap)) = r.next()? {
            self.set_block_cap(smx, cap).map_err(refused)?;
        }
        while let Some((class, pc)) = r.next()? {
            self.set_class(class, Some(pc)).map_err(refused)?;
        }
        while let Some((class, smx, cap, by)) = r.next()? {
            self.set_class_cap(class, smx, cap, by).map_err(refused)?;
        }
        Ok(())
    }

    /// The priority of a TB follows from its grid.
    fn prio_of(&self, tb: &ResidentTb) -> Result<u8, ImageError> {
        match tb.unit {
            Unit::Native | Unit::Restored | Unit::Node => Ok(self.board.kd.get(tb.kde).kernel.prio),
            Unit::Group(r) if r.0 < self.board.config.pend_limit => Ok(self.board.records.get(r).prio),
            Unit::Group(_) => Err(ImageError::Content),
        }
    }

    /// No more TBs of an entry reside than were sent: of its own grid since it was resumed, of its groups by their places in the chain
    /// (dtbl-I10).
    fn check_sent(&self, k: KernelSlot) -> Result<(), ImageError> {
        let kde = self.board.kd.get(k);
        let Kernel { next_native, saved, .. } = kde.kernel;
        let resident = |unit| self.board.residency.tbs().filter(|tb| tb.kde == k && tb.unit == unit).count() as u32;
        possible(resident(Unit::Native) <= next_native - saved && resident(Unit::Restored) <= kde.restored)?;
        possible(resident(Unit::Node) <= next_native)?;
        let cursor = kde.cursor().copied().unwrap_or_default();
        let first = kde.chain.map(|chain| chain.next);
        let mut chain = core::iter::successors(first, |&r| self.group_in(r)?.next.map(|(next, _)| next));
        let sent = |r| if cursor.group == Some(r) { cursor.next_bl } else { 0 };
        possible(chain.all(|r| self.group_in(r).is_some_and(|group| group.exe <= sent(r))))
    }

    /// What an active entry's mark, chain and TBs must agree on (dtbl-I7, and frontend-I9).
    fn check_entry(&self, k: KernelSlot) -> Result<(), ImageError> {
        let kde = self.board.kd.get(k);
        let Some(mark) = kde.mark else { return possible(!kde.is_over()) };
        possible(mark.first || kde.chain.is_some())?;
        let Some(cursor) = mark.cursor else { return Ok(()) };
        // A graph's buffer knows how far it is.
        possible(kde.graph.is_none())?;
        possible(cursor.group == Cursor::start(kde).group)?;
        possible(cursor.group.is_none_or(|r| cursor.next_bl < self.board.records.get(r).shape.total))
    }
}
