//! The baseline policy: kernels first come, first served; SMXs round robin (`dtbl` T4, `frontend` T4f).
//!
//! The head of the FCFS FIFO sends its native TBs, then its groups in the order in which they joined. Each TB goes to the first
//! SMX with room from the round-robin pointer on. Nothing overtakes a head that waits, unless gate K is all that keeps it, or, with
//! `pass_graph`, it is a dependency graph that has no node to send.

use crate::dispatch::{Cursor, Load};
use crate::frontend::config::LoadMode;
use crate::frontend::tables::Tables;
use crate::frontend::{FrontEnd, Sched};
use crate::id::{KernelSlot, RecordId, SmxId};
use crate::launch::distributor::Chain;
use crate::probe::{Decision, Probe, TbPlacement};

impl<T: Tables> FrontEnd<T> {
    /// One cycle of the SMX scheduler.
    #[inline]
    pub(crate) fn dispatch_fcfs_rr(&mut self, probe: &mut impl Probe) -> Sched {
        let Some(head) = self.kd.fifo_head() else { return Sched::Idle };
        match self.try_kernel(head, probe) {
            sent @ Sched::Tb(_) => sent,
            word if self.passes(&word) => self.pass(head, word, probe),
            word => word,
        }
    }

    /// Whether work behind an entry for which the scheduler has this word may go ahead.
    pub(crate) fn passes(&self, word: &Sched) -> bool {
        match word {
            Sched::Capped => self.config.pass_capped,
            word => self.config.pass_graph && word.is_of_graph(),
        }
    }

    /// The FIFO's head is capped everywhere, or has a graph without a node to send: the first kernel behind it that can send a TB
    /// does (A3, A4). `word` is the head's.
    #[inline(never)]
    fn pass(&mut self, head: KernelSlot, word: Sched, probe: &mut impl Probe) -> Sched {
        let mut entry = self.kd.fifo_behind(head);
        while let Some(k) = entry {
            match self.try_behind(k, probe) {
                Sched::Tb(tb) => {
                    self.stats.passed = self.stats.passed.saturating_add(1);
                    return Sched::Tb(tb);
                }
                word if self.passes(&word) => entry = self.kd.fifo_behind(k),
                _ => break,
            }
        }
        word
    }

    /// [`FrontEnd::try_kernel`], once for all that is not the head.
    #[inline(never)]
    fn try_behind(&mut self, k: KernelSlot, probe: &mut impl Probe) -> Sched {
        self.try_kernel(k, probe)
    }

    /// Sends the next TB of a marked kernel, or says why not.
    #[inline(always)] // On the way of every TB; its other caller is rare.
    fn try_kernel(&mut self, k: KernelSlot, probe: &mut impl Probe) -> Sched {
        let kde = self.kd.get_mut(k);
        let group = match kde.cursor() {
            Some(cursor) => cursor.group,
            // Its buffer knows how far a graph is.
            None if kde.graph.is_some() => return self.try_graph(k, probe),
            None => kde.start_cursor().group,
        };
        if let Some(record) = group.filter(|&r| self.is_spilled(r))
            && !self.load(k, record, probe)
        {
            return Sched::Load;
        }
        match self.select_smx(k) {
            Ok(smx) => Sched::Tb(self.send(k, group, smx, probe)),
            Err(word) => word,
        }
    }

    /// Sends the next TB of the kernel or of its group to `smx`, on which it fits.
    #[inline(always)]
    fn send(&mut self, k: KernelSlot, group: Option<RecordId>, smx: SmxId, probe: &mut impl Probe) -> TbPlacement {
        self.rr = SmxId(if u32::from(smx.0) + 1 >= self.config.n_smx { 0 } else { smx.0 + 1 });
        let (tb, more) = match group {
            None => self.send_native(k, smx, probe),
            Some(r) => {
                let blkid = self.kd.get_mut(k).cursor_mut().map_or(0, |cursor| {
                    cursor.next_bl += 1;
                    cursor.next_bl - 1
                });
                self.send_group(k, r, blkid, smx, probe)
            }
        };
        if !more {
            self.finish(k, group, probe);
        }
        tb
    }

    /// Whether the information of a spilled group is here; asks for it once (H2).
    #[inline(never)]
    fn load(&mut self, k: KernelSlot, record: RecordId, probe: &mut impl Probe) -> bool {
        let (now, fixed) = (self.now, self.config.load_mode == LoadMode::Fixed);
        let until = now.after(self.config.load_cycles.into());
        let Some(cursor) = self.kd.get_mut(k).cursor_mut() else { return false };
        if cursor.load == Load::NotAsked {
            probe.decide(now, Decision::Load { record });
            cursor.load = Load::Waiting(until);
        }
        if matches!(cursor.load, Load::Waiting(until) if fixed && now >= until) {
            cursor.load = Load::Here;
        }
        cursor.load == Load::Here
    }

    pub(crate) fn is_spilled(&self, record: RecordId) -> bool {
        self.records.get(record).group().is_some_and(|g| g.age.is_none())
    }

    /// Moves on when a grid was sent whole: to the kernel's next group, or to the next kernel.
    #[inline(never)]
    fn finish(&mut self, k: KernelSlot, group: Option<RecordId>, probe: &mut impl Probe) {
        let mut turn = self.kd.get(k).cursor().map_or(0, |c| c.turn);
        if let Some(r) = group {
            turn = turn.saturating_add(1);
            // Next is read only now, so a group linked behind a loaded one is not missed (H3).
            let next = self.records.group_mut(r).and_then(|g| {
                g.dist = true;
                g.next.map(|(next, _)| next)
            });
            let kde = self.kd.get_mut(k);
            kde.chain = kde.chain.zip(next).map(|(chain, next)| Chain { next, ..chain });
        }
        let Some(chain) = self.kd.get(k).chain else {
            self.kd.unmark(k);
            return probe.decide(self.now, Decision::Unmark { kde: k });
        };
        let limit = self.config.turn_groups;
        let had_its_turn = group.is_some() && 0 < limit && limit <= turn;
        if had_its_turn && self.kd.fifo_head() == Some(k) && self.kd.fifo_behind(k).is_some() {
            self.kd.unmark(k);
            self.kd.mark(k, false);
            return probe.decide(self.now, Decision::Rotate { kde: k });
        }
        if let Some(mark) = &mut self.kd.get_mut(k).mark {
            mark.first = false;
            mark.cursor = Some(Cursor { group: Some(chain.next), turn, ..Cursor::default() });
        }
    }
}
