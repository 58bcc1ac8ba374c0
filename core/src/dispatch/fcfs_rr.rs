//! The baseline policy: kernels first come, first served; SMXs round robin (`dtbl` T4, `frontend` T4f).
//!
//! The head of the FCFS FIFO sends its native TBs, then its groups in the order in which they joined. Each TB goes to the first
//! SMX with room from the round-robin pointer on. Nothing overtakes a head that waits, unless gate K is all that keeps it.

use crate::dispatch::{Cursor, Load};
use crate::frontend::config::LoadMode;
use crate::frontend::tables::Tables;
use crate::frontend::{FrontEnd, Sched};
use crate::id::{KernelSlot, RecordId, SmxId};
use crate::launch::distributor::Chain;
use crate::probe::{Decision, Probe, TbPlacement};
use crate::residency::{ResidentTb, Unit};

impl<T: Tables> FrontEnd<T> {
    /// One cycle of the SMX scheduler.
    pub(crate) fn dispatch_fcfs_rr(&mut self, probe: &mut impl Probe) -> Sched {
        let Some(head) = self.kd.fifo_head() else { return Sched::Idle };
        let mut word = None;
        let mut entry = Some(head);
        while let Some(k) = entry {
            match self.try_kernel(k, probe) {
                Ok(tb) => {
                    if k != head {
                        self.stats.passed = self.stats.passed.saturating_add(1);
                    }
                    return Sched::Tb(tb);
                }
                Err(held) => {
                    let first = *word.get_or_insert(held);
                    if held != Sched::Capped || !self.config.pass_capped {
                        return first;
                    }
                    entry = self.kd.fifo_behind(k);
                }
            }
        }
        word.unwrap_or(Sched::Idle)
    }

    /// Sends the next TB of a marked kernel, or says why not.
    fn try_kernel(&mut self, k: KernelSlot, probe: &mut impl Probe) -> Result<TbPlacement, Sched> {
        let kde = self.kd.get(k);
        let first = kde.mark.is_some_and(|m| m.first);
        let mut cursor = kde.mark.and_then(|m| m.cursor).unwrap_or_else(|| Cursor::start(kde, first));
        let loaded = self.load(&mut cursor, probe);
        self.set_cursor(k, cursor);
        if !loaded {
            return Err(Sched::Load);
        }
        let smx = self.select_smx(k)?;
        let tb = self.send(k, smx, &mut cursor, probe);
        self.advance(k, cursor, probe);
        Ok(tb)
    }

    fn set_cursor(&mut self, k: KernelSlot, cursor: Cursor) {
        if let Some(mark) = &mut self.kd.get_mut(k).mark {
            mark.cursor = Some(cursor);
        }
    }

    /// Whether the information of the cursor's grid is on chip; asks for it once where it is not (H2).
    fn load(&self, cursor: &mut Cursor, probe: &mut impl Probe) -> bool {
        let Some(record) = cursor.group.filter(|&r| self.is_spilled(r)) else { return true };
        if cursor.load == Load::NotAsked {
            probe.decide(self.now, Decision::Load { record });
            cursor.load = Load::Waiting(self.now.after(self.config.load_cycles.into()));
        }
        if let Load::Waiting(until) = cursor.load
            && self.config.load_mode == LoadMode::Fixed
            && self.now >= until
        {
            cursor.load = Load::Here;
        }
        cursor.load == Load::Here
    }

    pub(crate) fn is_spilled(&self, record: RecordId) -> bool {
        self.records.get(record).group().is_some_and(|g| g.age.is_none())
    }

    /// Sends the TB at the cursor to `smx`, on which it fits.
    fn send(&mut self, k: KernelSlot, smx: SmxId, cursor: &mut Cursor, probe: &mut impl Probe) -> TbPlacement {
        let kde = self.kd.get_mut(k);
        kde.exe += 1;
        let need = kde.need;
        let pc = kde.kernel.descriptor.pc;
        let (unit, blkid, tag, launched) = match cursor.group {
            None => {
                let (tag, t0) = (kde.kernel.descriptor.tag, kde.t0.take());
                if kde.restored < kde.kernel.saved {
                    kde.restored += 1;
                    (Unit::Restored, kde.restored - 1, tag, t0)
                } else {
                    kde.kernel.next_native += 1;
                    cursor.next_bl = kde.kernel.next_native;
                    (Unit::Native, cursor.next_bl - 1, tag, t0)
                }
            }
            Some(r) => {
                if let Some(group) = self.records.group_mut(r) {
                    group.exe += 1;
                }
                let record = self.records.get(r);
                cursor.next_bl += 1;
                (Unit::Group(r), cursor.next_bl - 1, record.descriptor.tag, (cursor.next_bl == 1).then_some(record.t0))
            }
        };
        if let Some(t0) = launched {
            self.stats.count_wait(self.now.since(t0));
        }
        self.stats.tbs = self.stats.tbs.saturating_add(1);
        self.rr = SmxId(if u32::from(smx.0) + 1 >= self.config.n_smx { 0 } else { smx.0 + 1 });

        let (class, bypass) = self.gates.admit(pc, smx);
        let slot = self.residency.place(smx, &need, ResidentTb { kde: k, unit, blkid, class, bypass });
        self.gates.recount(smx, self.residency.count_of(smx));
        let tb = TbPlacement { smx, slot, kde: k, tb_ref: self.tb_ref(unit), blkid, tag };
        probe.decide(self.now, Decision::Tb(tb));
        if bypass {
            probe.decide(self.now, Decision::Bypass { smx, slot });
        }
        tb
    }

    /// Moves on after a TB: to the next one, the next group, the next kernel.
    fn advance(&mut self, k: KernelSlot, cursor: Cursor, probe: &mut impl Probe) {
        let kde = self.kd.get(k);
        let more = match cursor.group {
            None => kde.has_native_work(),
            Some(r) => cursor.next_bl < self.records.get(r).total,
        };
        if more {
            return self.set_cursor(k, cursor);
        }
        let mut turn = cursor.turn;
        if let Some(r) = cursor.group {
            turn = turn.saturating_add(1);
            // Next is read only now, so a group linked behind a loaded one is not missed (H3).
            let next = self.records.group_mut(r).and_then(|g| {
                g.dist = true;
                g.next
            });
            let kde = self.kd.get_mut(k);
            kde.chain = kde.chain.zip(next).map(|(chain, next)| Chain { next, ..chain });
        }
        let Some(chain) = self.kd.get(k).chain else {
            self.kd.unmark(k);
            return probe.decide(self.now, Decision::Unmark { kde: k });
        };
        let limit = self.config.turn_groups;
        let had_its_turn = cursor.group.is_some() && 0 < limit && limit <= turn;
        if had_its_turn && self.kd.fifo_head() == Some(k) && self.kd.fifo_behind(k).is_some() {
            self.kd.unmark(k);
            self.kd.mark(k, false);
            return probe.decide(self.now, Decision::Rotate { kde: k });
        }
        let cursor = Cursor { group: Some(chain.next), turn, ..Cursor::default() };
        if let Some(mark) = &mut self.kd.get_mut(k).mark {
            mark.first = false;
            mark.cursor = Some(cursor);
        }
    }
}
