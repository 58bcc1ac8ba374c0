//! The front end's image: what is in it, and what its parts must agree on. The form is described in `image.rs`.

use crate::base::home::TableTooSmall;
use crate::base::id::{KernelSlot, RecordId, SlotId, SmxId};
use crate::base::image::{Form, ImageError, Reader, Writer, countable, possible};
use crate::base::parameter::ConfigError;
use crate::base::saved::{Saved, image_verbs};
use crate::frontend::FrontEnd;
use crate::frontend::config::Config;
use crate::frontend::tables::{TableSet, TableSizes, Tables};
use crate::launch::agt;
use crate::launch::cursor::Cursor;
use crate::launch::distributor::{Kernel, KernelKey};
use crate::launch::hwq::Key;
use crate::launch::record::{Group, Record};
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
        let Self {
            config,
            now,
            seq,
            next_issue,
            kmu_ptr,
            rr,
            hwqs,
            records,
            suspended,
            kd,
            // The groups say which entries they have.
            agt: _,
            load_buffer,
            residency,
            gates,
            laperm: _,
            bubble: _,
            graphs: _,
            stats,
        } = self;
        w.put((now, seq, next_issue, kmu_ptr, rr, stats));
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
        w.put(load_buffer);
        residency.save(w);
        gates.save(w);
        self.save_bubble(w);
        self.save_graphs(w);
    }

    /// Loads the state into a fresh machine.
    fn read_image(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let config = self.config;
        let left_out = |e: ConfigError| TableTooSmall { table: e.parameter.name, have: 0, need: 1 };
        config.check_for::<T::Parts>().map_err(|e| ImageError::Tables(left_out(e)))?;
        (self.now, self.seq, self.next_issue, self.kmu_ptr, self.rr, self.stats) = r.get()?;
        possible(u32::from(self.kmu_ptr) < config.n_hwq + 2 && u32::from(self.rr.0) < config.n_smx)?;
        let search = 1 + u32::from(config.deepest_prio());
        possible(self.next_issue <= self.now.after(config.kmu_interval.max(search).into()))?;
        possible(self.stats.tbs <= self.now.0)?;
        countable(self.seq)?;
        let next = Key { ready: self.now, seq: self.seq };
        self.hwqs.load(r, &config, next)?;
        self.suspended.load(r, &config, next)?;
        self.kd.load(r, &config, self.now)?;
        for kernel in self.kd.kernels().chain(self.suspended.kernels()) {
            self.hwqs.hold(kernel.source)?;
        }
        self.records.load(r, &config, next)?;
        possible(!self.is_laperm_cdp() || self.records.first_agg().is_none())?;
        self.load_line(r)?;
        let sent = self.load_groups(r)?;
        self.load_buffer = r.get()?;
        self.load_tbs(r, sent)?;
        self.load_gates(r)?;
        self.load_bubble(r)?;
        self.load_graphs(r)?;
        self.check_units()?;
        self.kd.active().try_for_each(|k| self.check_sent(k).and_then(|()| self.check_entry(k)))?;
        possible(self.is_load_buffer_possible())
    }

    fn group_in(&self, r: RecordId) -> Option<&Group> {
        self.records.get(r).group()
    }

    /// Loads groups and links those with TBs to send into their kernels' chains. Also, how many others there are.
    fn load_groups(&mut self, r: &mut Reader<'_>) -> Result<u32, ImageError> {
        let mut sent = 0;
        while let Some((id, record)) = r.next::<(RecordId, Record)>()? {
            let group = self.load_group(id, &record)?;
            if group.dist {
                sent += 1;
            } else {
                possible(self.kd.get(group.kernel).mark.is_some())?;
                self.records.join(id, Group { next: None, ..group });
                self.link(group.kernel, id);
            }
        }
        Ok(sent)
    }

    /// Loads a group into its record and counts it in its kernel's entry.
    pub(crate) fn load_group(&mut self, id: RecordId, record: &Record) -> Result<Group, ImageError> {
        self.records.put_back(id, *record, &self.config)?;
        let group = *record.group().ok_or(ImageError::Content)?;
        self.check_active(group.kernel).map_err(|_| ImageError::Content)?;
        possible(self.kd.get(group.kernel).key() == KernelKey::of(&record.descriptor))?;
        possible(!self.is_laperm_cdp())?;
        if let Some(age) = group.age {
            // The hash of a thread is an entry of the table.
            possible(!self.is_laperm())?;
            possible(age == agt::hash(&self.config, record.psmx, record.hw_tid) && self.agt.is_free(age))?;
            self.agt.take(age, id);
        }
        self.kd.get_mut(group.kernel).live += 1;
        Ok(group)
    }

    /// Loads resident TBs. Every one of the `sent` groups must have some (dtbl-D2).
    fn load_tbs(&mut self, r: &mut Reader<'_>, mut sent: u32) -> Result<(), ImageError> {
        if let Some((k, shape)) = self.residency.load_view(r)? {
            self.check_active(k).map_err(|_| ImageError::Content)?;
            possible(self.kd.get(k).need == shape)?;
        }
        while let Some((smx, slot, tb)) = r.next::<(SmxId, SlotId, ResidentTb)>()? {
            self.check_active(tb.kde).map_err(|_| ImageError::Content)?;
            possible(u32::from(smx.0) < self.config.n_smx && !self.doors().is_excluded(tb.kde, smx))?;
            let need = self.kd.get(tb.kde).need;
            self.residency.put_back(smx, slot, &need, ResidentTb { prio: self.prio_of(&tb)?, ..tb })?;
            self.gates.count_read(smx, tb.member)?;
            possible((tb.unit == Unit::Node) == self.kd.get(tb.kde).graph.is_some())?;
            let kde = self.kd.get_mut(tb.kde);
            kde.exe += 1;
            let blocks = match tb.unit {
                Unit::Native => kde.kernel.next_native,
                Unit::Restored => kde.restored,
                Unit::Node => kde.total,
                Unit::Group(record) => {
                    possible(record.0 < self.config.pend_limit)?;
                    let total = self.records.get(record).shape.total;
                    let group =
                        self.records.group_mut(record).filter(|g| g.kernel == tb.kde).ok_or(ImageError::Content)?;
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

    /// The priority of a TB follows from its grid.
    fn prio_of(&self, tb: &ResidentTb) -> Result<u8, ImageError> {
        match tb.unit {
            Unit::Native | Unit::Restored | Unit::Node => Ok(self.kd.get(tb.kde).kernel.prio),
            Unit::Group(r) if r.0 < self.config.pend_limit => Ok(self.records.get(r).prio),
            Unit::Group(_) => Err(ImageError::Content),
        }
    }

    /// No more TBs of an entry reside than were sent: of its own grid since it was resumed, of its groups by their places in the chain
    /// (dtbl-I10).
    fn check_sent(&self, k: KernelSlot) -> Result<(), ImageError> {
        let kde = self.kd.get(k);
        let Kernel { next_native, saved, .. } = kde.kernel;
        let resident = |unit| self.residency.tbs().filter(|tb| tb.kde == k && tb.unit == unit).count() as u32;
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
        let kde = self.kd.get(k);
        let Some(mark) = kde.mark else { return possible(!kde.is_over()) };
        possible(mark.first || kde.chain.is_some())?;
        let Some(cursor) = mark.cursor else { return Ok(()) };
        // A graph's buffer knows how far it is.
        possible(kde.graph.is_none())?;
        possible(cursor.group == Cursor::start(kde).group)?;
        possible(cursor.group.is_none_or(|r| cursor.next_bl < self.records.get(r).shape.total))
    }
}
