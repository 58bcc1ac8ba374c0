//! P: which warps issue in a cycle, and who owns the LSU.

use super::answer::{Granted, Issue, Issues, Mode, Pick, Pipe, Released, Via, Why};
use super::config::MAX_SCHEDULERS;
use super::lsu::Lsu;
use super::order::Rules;
use super::warps::Kind;
use super::{Mascar, Owner, Tables, WarpId};
use crate::base::cycle::Cycle;
use crate::base::error::Fault;

/// The first time that is refused.
pub(super) const END_OF_TIME: u64 = 1 << 63;

/// What takes instructions in this cycle.
#[derive(Clone, Copy)]
pub(super) struct Accept {
    pub(super) lsu: bool,
    /// The warps whose schedulers may issue to a compute pipe.
    pub(super) comp: u64,
}

impl<T: Tables> Mascar<T> {
    /// One cycle. `lsu_accept`: the LSU can take an instruction; bit s of `comp_accept`: scheduler s may issue to a compute pipe,
    /// every one if it is `None`. The head of each warp that issues is none from here to its next [`Mascar::set_head`]; a memory
    /// issue is followed by [`Mascar::lsu_begin`].
    ///
    /// # Errors
    /// `TimeOverflow` from cycle 2^63 on, `TimeBackwards` unless this is later than the last pick, `BadMask` for a scheduler that
    /// is not there.
    pub fn pick(&mut self, now: Cycle, lsu_accept: bool, comp_accept: Option<u32>) -> Result<Pick, Fault> {
        if now.0 >= END_OF_TIME {
            return Err(Fault::TimeOverflow);
        }
        if now < self.next_pick {
            return Err(Fault::TimeBackwards);
        }
        let open = match comp_accept {
            None => u64::MAX,
            Some(mask) if mask & !self.config.all_schedulers() != 0 => return Err(Fault::BadMask),
            Some(mask) => self.warps_of(mask),
        };
        self.next_pick = now.after(1);
        let accept = Accept { lsu: lsu_accept, comp: open };
        match self.mode {
            _ if !self.is_usual(now) => self.cycle(now, accept),
            Mode::Ep => self.usual::<false>(accept),
            Mode::Mp => self.usual::<true>(accept),
        }
    }

    /// A good pick of any kind, step by step; never an error.
    #[inline(never)]
    pub(super) fn cycle(&mut self, now: Cycle, accept: Accept) -> Result<Pick, Fault> {
        let mut pick = Pick { mode: self.mode, ..Pick::default() };
        if self.is_mp() {
            pick.released = self.release(now);
            if self.owner.is_none() {
                pick.granted = self.grant(now);
            }
        }
        let mem = if accept.lsu && self.lsu.is_idle() { self.eligible() } else { 0 };
        let comp = self.warps.sets.comp_ready & accept.comp;
        if let Some(warp) = self.issue(mem, comp, &mut pick.issues) {
            self.lsu = Lsu::Await(warp);
            if self.is_mp() && self.owner.is_none() {
                pick.granted = Some(self.acquire(warp, Via::Issue, now));
            }
        }
        self.write_wst(self.eligible());
        pick.owner = self.owner();
        Ok(pick)
    }

    // ---- mascar-P1, mascar-P2: the owner

    /// mascar-P1.
    fn release(&mut self, now: Cycle) -> Option<Released> {
        let owner = self.owner?;
        let why = self.why_release(owner, now)?;
        self.set_owner(None);
        self.barred = (why == Why::Timeout).then_some(owner.warp);
        Some(Released { warp: owner.warp, why })
    }

    fn why_release(&self, Owner { warp, since }: Owner, now: Cycle) -> Option<Why> {
        if self.gives_up(warp) {
            return Some(if self.warps.head(warp).dep_load { Why::Dep } else { Why::Sync });
        }
        if now.since(since) >= self.longest && self.others_wait(warp) {
            return Some(Why::Timeout);
        }
        let blocked = self.lsu.blocked().is_some_and(|w| w != warp);
        (blocked && self.config.rescue && self.warps.entries(warp) == 0).then_some(Why::Rescue)
    }

    /// Whether a warp, as owner, waits for a load or for others, and has nothing left to send (mascar-P1, dep and sync).
    pub(super) fn gives_up(&self, w: WarpId) -> bool {
        let head = self.warps.head(w);
        (head.dep_load || (head.kind == Kind::Sync && self.config.relinquish_sync))
            && (!self.config.relinquish_waits || !self.has_requests(w))
    }

    /// Whether anybody but `w` is memory-ready, has queue entries or is in the LSU.
    pub(super) fn others_wait(&self, w: WarpId) -> bool {
        let others = (self.warps.memory_ready() | self.warps.sets.queued) & !self.warps.bit(w);
        others != 0 || self.lsu.warp().is_some_and(|in_lsu| in_lsu != w)
    }

    /// mascar-P2, at any pick without an owner (mascar-A8).
    fn grant(&mut self, now: Cycle) -> Option<Granted> {
        // Those who wait for the L1; without a queue that is who blocks the LSU.
        let blocked = self.lsu.blocked();
        let mut waiting = self.warps.sets.queued;
        if self.rexq.is_empty() {
            waiting |= blocked.map_or(0, |w| self.warps.bit(w));
        }
        let ready = self.warps.memory_ready();
        let barred = self.barred.map_or(0, |w| self.warps.bit(w));
        if (ready | waiting) & !barred == 0 {
            self.barred = None;
        }
        let barred = self.barred.map_or(0, |w| self.warps.bit(w));
        let nobody_issues = ready & !barred == 0;
        if waiting & !barred == 0 || !(nobody_issues || (self.config.rescue && blocked.is_some())) {
            return None;
        }
        let may_own = |w: &WarpId| Some(*w) != self.barred;
        // An instruction has at most 64 requests, so of the entries at most 64 are skipped.
        let warp = self.rexq.iter().map(|entry| entry.warp).find(may_own).or(blocked)?;
        Some(self.acquire(warp, Via::Queue, now))
    }

    pub(super) fn set_owner(&mut self, owner: Option<Owner>) {
        self.owner = owner;
        self.warps.sets.owner = owner.map_or(0, |owner| self.warps.bit(owner.warp));
    }

    fn acquire(&mut self, warp: WarpId, via: Via, now: Cycle) -> Granted {
        self.set_owner(Some(Owner { warp, since: now }));
        self.barred = None;
        Granted { warp, via }
    }

    // ---- mascar-P3 to P7: who issues

    /// mascar-P3.
    pub(super) fn eligible(&self) -> u64 {
        let ready = self.warps.memory_ready();
        if !self.is_mp() {
            return ready;
        }
        match self.owner {
            Some(_) => ready & (self.warps.sets.owner | self.warps.sets.leftover),
            None => ready & !self.barred.map_or(0, |w| self.warps.bit(w)),
        }
    }

    /// The warps of some schedulers.
    pub(super) fn warps_of(&self, schedulers: u32) -> u64 {
        let sets = (0..).zip(&self.warps.sets.of_scheduler);
        sets.filter(|(s, _)| schedulers >> s & 1 == 1).fold(0, |all, (_, set)| all | set)
    }

    /// mascar-P4 to P7: issues from the memory warps `mem` and the compute warps `comp`. Who goes to the LSU.
    fn issue(&mut self, mem: u64, comp: u64, issues: &mut Issues) -> Option<WarpId> {
        let rules = self.rules[usize::from(self.is_mp())];
        let contenders = if mem == 0 { 0 } else { self.contenders(mem, comp, rules) };
        let winner = self.winner(contenders);
        let to_lsu = (winner != 0).then(|| self.warps.issue(winner));
        let (mut issued, mut greedy) = (winner, self.warps.sets.greedy);
        for s in 0..MAX_SCHEDULERS {
            let set = self.warps.sets.of_scheduler[s];
            let (mem, comp) = (winner & set, comp & set);
            if comp != 0 && (mem == 0 || self.config.per_pipe) {
                let comp = rules.comp.first(comp, self.last[s], &self.warps);
                (issued, greedy) = (issued | comp, greedy & !set | comp);
                let warp = self.warps.issue(comp);
                self.note(s, warp, Pipe::Comp, issues);
            }
            if let (Some(warp), 1..) = (to_lsu, mem) {
                greedy = greedy & !set | mem;
                self.note(s, warp, Pipe::Mem, issues);
            }
        }
        self.warps.issued(issued, greedy);
        to_lsu
    }

    /// mascar-P6 (mascar-A10). Older warps are lower bits.
    #[inline]
    pub(super) fn winner(&self, contenders: u64) -> u64 {
        let owner = contenders & self.warps.sets.owner;
        if owner == 0 { contenders & contenders.wrapping_neg() } else { owner }
    }

    /// mascar-P7: a warp of scheduler `s` issues. With nobody owning the LSU, who issues to memory is the owner (mascar-A2).
    #[inline]
    pub(super) fn note(&mut self, s: usize, warp: WarpId, pipe: Pipe, issues: &mut Issues) {
        self.last[s % MAX_SCHEDULERS] = Some(warp);
        // One per scheduler, and a second one only to the LSU.
        let _ = issues.push(Issue { sched: s as u8, warp, pipe });
    }

    /// mascar-P4, mascar-P5: the first memory warps of the schedulers that contend.
    fn contenders(&self, mem: u64, comp: u64, rules: Rules) -> u64 {
        let owner = self.warps.sets.owner;
        let mut contenders = 0;
        for (set, last) in self.warps.sets.of_scheduler.iter().zip(self.last) {
            let (mem, comp) = (mem & set, comp & set);
            let mem = if self.config.owner_first && mem & owner != 0 { owner } else { mem };
            let mem = rules.mem.first(mem, last, &self.warps);
            let precedes = || {
                let comp = rules.comp.first(comp, last, &self.warps);
                rules.mem.first(mem | comp, last, &self.warps) == mem
            };
            if rules.mem_first || comp == 0 || (rules.merged && precedes()) {
                contenders |= mem;
            }
        }
        contenders
    }

    // ---- mascar-P8

    /// `eligible`: the eligible memory warps that did not issue, by the owner as it now is.
    #[inline]
    pub(super) fn write_wst(&mut self, eligible: u64) {
        let sets = &mut self.warps.sets;
        let unstalled = eligible | sets.comp_ready;
        sets.wst_mem = sets.mem;
        sets.wst_stall = sets.all & !unstalled;
        sets.in_ready = unstalled;
    }
}
