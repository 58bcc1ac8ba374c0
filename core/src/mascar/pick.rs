//! P: which warps issue in a cycle, and who owns the LSU.

use super::answer::{Granted, Issue, Pick, Pipe, Released, Via, Why};
use super::config::{MAX_SCHEDULERS, Priority};
use super::lsu::Lsu;
use super::order::Rules;
use super::warps::Kind;
use super::{Mascar, Owner, Tables, WarpId};
use crate::cycle::Cycle;
use crate::error::Fault;

/// The first time that is refused.
pub(super) const END_OF_TIME: u64 = 1 << 63;

/// A scheduler's memory warp that may have the LSU.
#[derive(Clone, Copy)]
struct Contender {
    scheduler: usize,
    rank: u32,
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
        if self.picked.is_some_and(|last| now <= last) {
            return Err(Fault::TimeBackwards);
        }
        let all = self.config.all_schedulers();
        let comp_accept = comp_accept.unwrap_or(all);
        if comp_accept & !all != 0 {
            return Err(Fault::BadMask);
        }
        self.picked = Some(now);

        let mut pick = Pick { mode: self.mode(), ..Pick::default() };
        let is_mp = self.is_mp();
        if is_mp {
            pick.released = self.release(now);
            if self.owner.is_none() {
                pick.granted = self.grant(now);
            }
        }
        let eligible = self.eligible(is_mp);
        let can_issue = lsu_accept && self.lsu.is_idle();
        self.issue(if can_issue { eligible } else { 0 }, comp_accept, now, &mut pick);
        pick.owner = self.owner();
        self.write_wst(is_mp);
        Ok(pick)
    }

    // ---- P1, P2: the owner

    /// P1.
    fn release(&mut self, now: Cycle) -> Option<Released> {
        let owner = self.owner?;
        let why = self.why_release(owner, now)?;
        self.owner = None;
        self.barred = (why == Why::Timeout).then_some(owner.warp);
        Some(Released { warp: owner.warp, why })
    }

    fn why_release(&self, Owner { warp, since }: Owner, now: Cycle) -> Option<Why> {
        if self.gives_up(warp) {
            return Some(if self.warps.head(warp).dep_load { Why::Dep } else { Why::Sync });
        }
        let limit = u64::from(self.config.owner_timeout);
        if limit > 0 && now.since(since) >= limit && self.others_wait(warp) {
            return Some(Why::Timeout);
        }
        let blocked = self.lsu.blocked().is_some_and(|w| w != warp);
        (blocked && self.config.rescue && self.warps.entries(warp) == 0).then_some(Why::Rescue)
    }

    /// Whether a warp, as owner, waits for a load or for others, and has nothing left to send (P1, dep and sync).
    pub(super) fn gives_up(&self, w: WarpId) -> bool {
        let head = self.warps.head(w);
        let waits = head.dep_load || (self.config.relinquish_sync && head.kind == Kind::Sync);
        waits && (!self.config.relinquish_waits || !self.has_requests(w))
    }

    /// Whether anybody but `w` is memory-ready, has queue entries or is in the LSU.
    pub(super) fn others_wait(&self, w: WarpId) -> bool {
        let others = (self.warps.memory_ready() | self.warps.sets.queued) & !self.warps.bit(w);
        others != 0 || self.lsu.warp().is_some_and(|in_lsu| in_lsu != w)
    }

    /// P2.
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

    fn acquire(&mut self, warp: WarpId, via: Via, now: Cycle) -> Granted {
        self.owner = Some(Owner { warp, since: now });
        self.barred = None;
        Granted { warp, via }
    }

    // ---- P3 to P7: who issues

    /// P3.
    #[inline]
    pub(super) fn eligible(&self, is_mp: bool) -> u64 {
        let ready = self.warps.memory_ready();
        if !is_mp {
            return ready;
        }
        match self.owner {
            Some(owner) => ready & (self.warps.bit(owner.warp) | self.warps.sets.leftover),
            None => ready & !self.barred.map_or(0, |w| self.warps.bit(w)),
        }
    }

    /// P4 to P7: issues from the memory warps `mem` and from the compute-ready warps.
    #[inline]
    fn issue(&mut self, mem: u64, comp_accept: u32, now: Cycle, pick: &mut Pick) {
        let is_mp = self.is_mp();
        let rules = self.config.rules(is_mp);
        let comp = self.warps.sets.comp_ready;
        let winner = if mem == 0 { None } else { self.winner(mem, comp, comp_accept, rules, is_mp) };
        let mut issued = 0;
        for (s, set) in self.schedulers() {
            let candidates = comp & set;
            let won = winner.is_some_and(|winner| winner.scheduler == s);
            if candidates != 0 && comp_accept >> s & 1 == 1 && (!won || self.config.per_pipe) {
                let rank = rules.comp.first(candidates, self.last_of(s), &self.warps);
                issued |= 1 << rank;
                self.issue_one(s, rank, Pipe::Comp, pick);
            }
            if let Some(Contender { rank, .. }) = winner.filter(|_| won) {
                issued |= 1 << rank;
                let warp = self.issue_one(s, rank, Pipe::Mem, pick);
                self.lsu = Lsu::Await(warp);
                if is_mp && self.owner.is_none() {
                    pick.granted = Some(self.acquire(warp, Via::Issue, now));
                }
            }
        }
        self.warps.issued(issued);
    }

    #[inline]
    fn issue_one(&mut self, s: usize, rank: u32, pipe: Pipe, pick: &mut Pick) -> WarpId {
        let warp = self.warps.at(rank);
        if let Some(last) = self.last.get_mut(s) {
            *last = Some(warp);
        }
        // One per scheduler, and a second one only to the LSU.
        let _ = pick.issues.push(Issue { sched: s as u8, warp, pipe });
        warp
    }

    /// P5, P6: the contender that has the LSU.
    #[inline]
    fn winner(&self, mem: u64, comp: u64, comp_accept: u32, rules: Rules, is_mp: bool) -> Option<Contender> {
        let owner = self.owner.filter(|_| is_mp).map_or(0, |owner| self.warps.bit(owner.warp));
        let mut winner: Option<Contender> = None;
        for (scheduler, set) in self.schedulers() {
            let candidates = mem & set;
            if candidates == 0 {
                continue;
            }
            let last = self.last_of(scheduler);
            let first = if self.config.owner_first && candidates & owner != 0 { owner } else { candidates };
            let rank = rules.mem.first(first, last, &self.warps);
            let comp = if comp_accept >> scheduler & 1 == 1 { comp & set } else { 0 };
            let contends = comp == 0
                || self.config.per_pipe
                || match rules.priority {
                    Priority::Mem => true,
                    Priority::Comp => false,
                    Priority::Merged => {
                        let first = rules.comp.first(comp, last, &self.warps);
                        rules.mem.precedes(rank, first, last, &self.warps)
                    }
                };
            let better = |than: Contender| 1 << rank == owner || (1 << than.rank != owner && rank < than.rank);
            if contends && winner.is_none_or(better) {
                winner = Some(Contender { scheduler, rank });
            }
        }
        winner
    }

    /// The schedulers and their warps.
    #[inline]
    fn schedulers(&self) -> impl Iterator<Item = (usize, u64)> + use<T> {
        let sets: [u64; MAX_SCHEDULERS] = self.warps.sets.of_scheduler;
        (0..).zip(sets).take(self.config.schedulers as usize)
    }

    #[inline]
    fn last_of(&self, s: usize) -> Option<WarpId> {
        self.last.get(s).copied().flatten()
    }

    // ---- P8

    #[inline]
    fn write_wst(&mut self, is_mp: bool) {
        let unstalled = self.eligible(is_mp) | self.warps.sets.comp_ready;
        let all = self.warps.all();
        let sets = &mut self.warps.sets;
        sets.wst_mem = sets.mem;
        sets.wst_stall = all & !unstalled;
        sets.in_ready = unstalled;
    }
}
