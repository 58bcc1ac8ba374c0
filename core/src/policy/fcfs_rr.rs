//! The baseline policy: kernels first come, first served; SMXs round robin (dtbl-T4, frontend-T4f).
//!
//! The head of the FCFS FIFO sends its native TBs, then its groups in the order in which they joined. Each TB goes to the first
//! SMX with room from the round-robin pointer on. A head that cannot be sent leaves some SMXs to those behind it, and each of them
//! to the next (frontend-G6): those on which it has its share (gate K), or, with `pass_graph`, all if it is a dependency graph
//! that has no node to send. On an SMX where it waits for room nothing overtakes it.
//!
//! So the line is walked while an SMX is left. What an entry leaves are set operations; only on an SMX that it does not leave is
//! room looked for, so on each SMX once in a cycle, however long the line.

use crate::base::id::{KernelSlot, RecordId, SmxId};
use crate::base::set::SmxSet;
use crate::config::LoadMode;
use crate::frontend::gates::Doors;
use crate::frontend::tables::Tables;
use crate::frontend::{FrontEnd, Sched};
use crate::launch::cursor::{Cursor, Load};
use crate::launch::distributor::Chain;
use crate::probe::{Decision, Probe, TbPlacement};

impl<T: Tables> FrontEnd<T> {
    /// One cycle of the SMX scheduler.
    #[inline]
    pub(crate) fn dispatch_fcfs_rr(&mut self, probe: &mut impl Probe) -> Sched {
        let Some(head) = self.kd.fifo_head() else { return Sched::Idle };
        match self.try_kernel(head, None, probe) {
            Ok(tb) => Sched::Tb(tb),
            Err(word) if word == Sched::Capped || word.is_of_graph() => self.pass(head, word, probe),
            Err(word) => word,
        }
    }

    /// The head of the FIFO cannot be sent, for which it has `word`: the first kernel behind it that an SMX takes which is left to
    /// it goes ahead (frontend-A3, frontend-A4).
    #[inline(never)]
    fn pass(&mut self, head: KernelSlot, word: Sched, probe: &mut impl Probe) -> Sched {
        let mut left = self.doors().leaves(head, &word, &self.all_smxs());
        let mut behind = self.kd.fifo_behind(head);
        while let Some(k) = behind.filter(|_| !left.is_empty()) {
            match self.try_behind(k, &left, probe) {
                Ok(tb) => {
                    self.stats.passed = self.stats.passed.saturating_add(1);
                    return Sched::Tb(tb);
                }
                Err(word) => left = self.doors().leaves(k, &word, &left),
            }
            behind = self.kd.fifo_behind(k);
        }
        word
    }

    /// [`FrontEnd::try_kernel`], once for all that is not the head.
    #[inline(never)]
    fn try_behind(&mut self, k: KernelSlot, left: &SmxSet, probe: &mut impl Probe) -> Result<TbPlacement, Sched> {
        self.try_kernel(k, Some(left), probe)
    }

    /// Sends the next TB of a marked kernel to one of the SMXs left to it, all if it is the head, or says why not.
    #[inline(always)] // On the way of every TB; its other caller is rare.
    fn try_kernel(
        &mut self,
        k: KernelSlot,
        left: Option<&SmxSet>,
        probe: &mut impl Probe,
    ) -> Result<TbPlacement, Sched> {
        let kde = self.kd.get_mut(k);
        let group = match kde.cursor() {
            Some(cursor) => cursor.group,
            // Its buffer knows how far a graph is.
            None if kde.graph.is_some() => {
                return self.try_graph(k, left.unwrap_or(&self.all_smxs()), probe);
            }
            None => self.start(k),
        };
        if let Some(record) = group.filter(|&r| self.is_spilled(r))
            && !self.load(k, record, probe)
        {
            return Err(Sched::Load);
        }
        if self.config.load_ahead > 0 {
            self.look_ahead(k, group, probe);
        }
        let smx = match left {
            None => self.select_smx(k)?,
            Some(left) => self.first_taker(k, left).ok_or_else(|| self.doors().verdict(k, left))?,
        };
        Ok(self.send(k, group, smx, probe))
    }

    /// Entries of the FIFO with the SMXs that are left to each, and why it cannot be sent if it cannot; loads aside. The line ends
    /// with an entry that can be, or that leaves no SMX.
    pub(crate) fn in_line<'a>(
        &'a self,
        doors: &'a Doors<'a, T>,
    ) -> impl Iterator<Item = (KernelSlot, SmxSet, Result<(), Sched>)> + use<'a, T> {
        let (mut next, mut left) = (self.kd.fifo_head(), self.all_smxs());
        core::iter::from_fn(move || {
            let k = next.filter(|_| !left.is_empty())?;
            let own = left;
            let found = self.find(k, doors, &own);
            left = found.as_ref().err().map_or(SmxSet::EMPTY, |word| doors.leaves(k, word, &own));
            next = self.kd.fifo_behind(k);
            Some((k, own, found))
        })
    }

    /// Whether an entry of the FIFO could be sent to an SMX that is left to it; loads aside.
    fn find(&self, k: KernelSlot, doors: &Doors<'_, T>, left: &SmxSet) -> Result<(), Sched> {
        if self.kd.get(k).graph.is_some() {
            self.graph_candidate()?;
        }
        if doors.is_taken(k, left) { Ok(()) } else { Err(doors.verdict(k, left)) }
    }

    /// Whether the information of the group that an entry of the FIFO sends next is still to be loaded (dtbl-H2).
    pub(crate) fn waits_for_load(&self, k: KernelSlot) -> bool {
        let Cursor { group, load, .. } = self.cursor_of(k);
        let fixed = self.config.load_mode == LoadMode::Fixed;
        group.is_some_and(|r| self.is_spilled(r))
            && match load {
                Load::NotAsked => !fixed || self.config.load_cycles > 0,
                Load::Waiting(until) => !fixed || self.now < until,
                Load::Here => false,
            }
    }

    /// A marked kernel is tried for the first time. The group that it starts with, if it is one.
    #[inline(never)]
    fn start(&mut self, k: KernelSlot) -> Option<RecordId> {
        let cursor = self.kd.get_mut(k).start_cursor()?;
        if let Some(record) = cursor.group {
            cursor.load = self.load_buffer.take(record, self.config.load_ahead);
        }
        cursor.group
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

    /// Whether the information of a spilled group is here; asks for it once (dtbl-H2).
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
            // Next is read only now, so a group linked behind a loaded one is not missed (dtbl-H3).
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
            let load = self.load_buffer.take(chain.next, self.config.load_ahead);
            mark.cursor = Some(Cursor { group: Some(chain.next), load, turn, ..Cursor::default() });
        }
    }
}
