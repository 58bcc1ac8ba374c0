//! The front end's image: what is in it, and what its parts must agree on. The form is described in `image.rs`.

use crate::base::home::TableTooSmall;
use crate::base::id::{RecordId, SlotId, SmxId};
use crate::base::image::{Form, ImageError, Reader, Writer, countable, possible};
use crate::base::parameter::ConfigError;
use crate::base::saved::{Saved, image_verbs};
use crate::base::set::SmxSet;
use crate::config::Config;
use crate::frontend::FrontEnd;
use crate::frontend::tables::{TableSet, TableSizes, Tables};
use crate::launch::board::Board;
use crate::launch::record::{Group, Record};
use crate::policy::fcfs_rr::FcfsRr;
use crate::smx::residency::{ResidentTb, Unit};

pub(super) const FORM: Form = Form { kind: 1, version: 11 };

image_verbs!(FORM, FrontEnd<T>, Config, image_config);

impl<T: Tables> Saved for FrontEnd<T> {
    fn save(&self, w: &mut Writer<'_>) {
        self.write_image(w);
    }

    fn may_save(&self) -> Result<(), ImageError> {
        self.between().map_err(|_| ImageError::MidCycle)
    }

    fn load(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        self.read_image(r)
    }
}

impl<T: Tables> FrontEnd<T> {
    fn write_image(&self, w: &mut Writer<'_>) {
        let Self {
            board,
            kmu,
            fcfs_rr,
            laperm: _,
            told: _,
            modern: _,
            grids: _,
            graphs: _,
            bubble: _,
            quiet: _,
            launched: _,
        } = self;
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
        kd.save(w, config);
        records.save(w);
        // Groups with TBs to send make up their kernels' chains, or LaPerm's queues; then those that only have TBs to end, and free ones.
        let chain = |k| {
            let first = kd.get(k).chain.map(|chain| chain.next);
            core::iter::successors(first, |&r| self.group_in(r)?.next.map(|(next, _)| next))
        };
        let is_free = config.told().is_some() && config.has_free_units();
        let sent =
            (0..config.pend_limit).map(RecordId).filter(|&r| self.group_in(r).is_some_and(|g| g.dist || is_free));
        self.save_line(w);
        w.list(kd.fifo().flat_map(chain).chain(sent).map(|r| (r, records.get(r))));
        w.put(fcfs_rr.load_buffer());
        residency.save(w);
        gates.save(w);
        self.save_told(w);
        self.save_modern(w);
        self.save_grids(w);
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
        countable(self.board.seq)?;
        countable(self.board.stats.tbs)?;
        self.board.hwqs.load(r, &config)?;
        self.board.suspended.load(r, &config)?;
        self.board.kd.load(r, &config)?;
        for kernel in self.board.kd.kernels().chain(self.board.suspended.kernels()) {
            self.board.hwqs.hold(kernel.source, &config)?;
        }
        self.board.records.load(r, &config)?;
        self.load_line(r)?;
        self.load_groups(r)?;
        *self.fcfs_rr.load_buffer_mut() = r.get()?;
        self.load_tbs(r)?;
        self.load_gates(r)?;
        self.load_told(r)?;
        self.load_modern(r)?;
        self.load_grids(r)?;
        self.load_bubble(r)?;
        self.load_graphs(r)
    }

    fn group_in(&self, r: RecordId) -> Option<&Group> {
        self.board.records.get(r).group()
    }

    /// Loads groups, and links those with TBs to send into their kernels' chains.
    fn load_groups(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        while let Some((id, record)) = r.next::<(RecordId, Record)>()? {
            let group = self.load_group(id, &record)?;
            let is_free = self.board.config.told().is_some() && self.board.config.has_free_units();
            if !group.dist && !is_free {
                possible(self.laperm.as_ref().is_none() && self.board.kd.get(group.kernel).mark.is_some())?;
                self.board.records.join(id, Group { next: None, ..group });
                self.board.link(group.kernel, id);
            }
        }
        Ok(())
    }

    /// Loads a group into its record and counts it in its kernel's entry.
    pub(crate) fn load_group(&mut self, id: RecordId, record: &Record) -> Result<Group, ImageError> {
        self.board.records.put_back(id, *record, &self.board.config)?;
        let group = *record.group().ok_or(ImageError::Content)?;
        self.board.check_active(group.kernel).map_err(|_| ImageError::Content)?;
        if let Some(age) = group.age {
            possible(age.0 < self.board.config.agt_size && self.board.agt.is_free(age))?;
            self.board.agt.take(age, id);
        }
        self.board.kd.get_mut(group.kernel).live += 1;
        Ok(group)
    }

    /// Loads resident TBs, and counts them.
    fn load_tbs(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        self.board.residency.load_view(r)?;
        while let Some((smx, slot, tb)) = r.next::<(SmxId, SlotId, ResidentTb)>()? {
            self.board.check_active(tb.kde).map_err(|_| ImageError::Content)?;
            let need = *self.board.kd.need_of(&tb);
            if tb.unit == Unit::Node {
                self.board.kd.count_resident(tb.kde, tb.blkid);
            }
            self.board.residency.put_back(smx, slot, &need, ResidentTb { prio: self.prio_of(&tb)?, ..tb })?;
            self.board.gates.count_read(smx, tb.member)?;
            self.board.kd.get_mut(tb.kde).exe += 1;
            if let Unit::Group(record) = tb.unit {
                self.board.records.group_mut(record).ok_or(ImageError::Content)?.exe += 1;
            }
        }
        Ok(())
    }

    /// Sets the gates of an image, on a machine that has its TBs.
    fn load_gates(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let refused = |_| ImageError::Content;
        let eligible: SmxSet = r.get()?;
        self.board.gates.set_eligible(eligible);
        while let Some((smx, cap)) = r.next()? {
            self.set_block_cap(smx, cap).map_err(refused)?;
        }
        while let Some((class, pc)) = r.next()? {
            self.set_class(class, pc).map_err(refused)?;
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
}
