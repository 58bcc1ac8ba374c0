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
            Mode::Ep if self.rules[0].is_usual => self.cycle::<false, true>(now, accept),
            Mode::Ep => self.cycle::<false, false>(now, accept),
            Mode::Mp if self.rules[1].is_usual && self.is_settled(now) => self.cycle::<true, true>(now, accept),
            Mode::Mp => self.cycle::<true, false>(now, accept),
        }
    }

    /// A good pick; never an error. In the shape of the answer, so that it is written in place. It is compiled for each mode, and in each
    /// once for usual picks, by usual rules and with an owner that stays, so that these cost less than half of all others.
    #[inline(never)]
    fn cycle<const MP: bool, const USUAL: bool>(&mut self, now: Cycle, accept: Accept) -> Result<Pick, Fault> {
        let (mode, may_change) = if MP { (Mode::Mp, !USUAL) } else { (Mode::Ep, false) };
        let rules = self.rules[usize::from(MP)];
        let (mut released, mut granted) = (None, None);
        if may_change {
            released = self.release(now);
            if self.owner.is_none() {
                granted = self.grant(now);
            }
        }
        let mut eligible = self.eligible::<MP>();
        let mem = if accept.lsu && self.lsu.is_idle() { eligible } else { 0 };
        let comp = self.warps.sets.comp_ready & accept.comp;
        let mut issues = Issues::new();
        let winner = self.winner(self.contenders::<USUAL>(mem, comp, rules));
        let issued = self.issue::<USUAL>(winner, comp, rules, &mut issues);
        // With nobody owning the LSU, who issues to memory is the owner (mascar-A2).
        if may_change && winner != 0 && self.owner.is_none() {
            granted = Some(self.acquire(self.warps.of(winner), Via::Issue, now));
            eligible = self.eligible::<MP>();
        }
        self.write_wst(eligible & !issued);
        Ok(Pick { mode, owner: if MP { self.owner() } else { None }, released, granted, issues })
    }

    // ---- mascar-P1, mascar-P2: the owner

    /// Whether there is an owner, and mascar-P1 finds no reason to look closer.
    #[inline]
    fn is_settled(&self, now: Cycle) -> bool {
        let sets = &self.warps.sets;
        let in_time = self.owner.is_some_and(|owner| now.since(owner.since) < self.longest);
        in_time && sets.waits & sets.owner == 0 && self.lsu.blocked().is_none()
    }

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
    #[inline]
    pub(super) fn eligible<const MP: bool>(&self) -> u64 {
        let ready = self.warps.memory_ready();
        match self.owner {
            _ if !MP => ready,
            Some(_) => ready & (self.warps.sets.owner | self.warps.sets.leftover),
            None => ready & !self.barred.map_or(0, |w| self.warps.bit(w)),
        }
    }

    /// The warps of some schedulers.
    pub(super) fn warps_of(&self, schedulers: u32) -> u64 {
        let sets = (0..).zip(&self.warps.sets.of_scheduler);
        sets.filter(|(s, _)| schedulers >> s & 1 == 1).fold(0, |all, (_, set)| all | set)
    }

    /// mascar-P7: issues the memory warp `winner`, if there is one, and those of the compute warps `comp` that are first. Those that
    /// issued.
    #[inline(always)]
    fn issue<const USUAL: bool>(&mut self, winner: u64, comp: u64, rules: Rules, issues: &mut Issues) -> u64 {
        let (mut issued, mut greedy) = (winner, self.warps.sets.greedy);
        for s in 0..rules.schedulers::<USUAL>() {
            let set = self.warps.sets.of_scheduler[s];
            let (mem, comp) = (winner & set, comp & set);
            if comp != 0 && (mem == 0 || (!USUAL && self.config.per_pipe)) {
                let comp = rules.first_comp::<USUAL>(comp, self.last[s], &self.warps);
                (issued, greedy) = (issued | comp, greedy & !set | comp);
                let warp = self.warps.issue(comp);
                self.note(s, warp, Pipe::Comp, issues);
            }
            if mem != 0 {
                greedy = greedy & !set | mem;
                let warp = self.warps.issue(mem);
                self.lsu = Lsu::Await(warp);
                self.note(s, warp, Pipe::Mem, issues);
            }
        }
        self.warps.issued(issued, greedy);
        issued
    }

    /// mascar-P6 (mascar-A10). Older warps are lower bits.
    #[inline]
    fn winner(&self, contenders: u64) -> u64 {
        let owner = contenders & self.warps.sets.owner;
        if owner == 0 { contenders & contenders.wrapping_neg() } else { owner }
    }

    /// mascar-P7: a warp of scheduler `s` issues.
    #[inline]
    fn note(&mut self, s: usize, warp: WarpId, pipe: Pipe, issues: &mut Issues) {
        self.last[s % MAX_SCHEDULERS] = Some(warp);
        // One per scheduler, and a second one only to the LSU.
        let _ = issues.push(Issue { sched: s as u8, warp, pipe });
    }

    /// mascar-P4, mascar-P5: the first memory warps of the schedulers that contend.
    #[inline]
    fn contenders<const USUAL: bool>(&self, mem: u64, comp: u64, rules: Rules) -> u64 {
        let owner = self.warps.sets.owner;
        let mut contenders = 0;
        for (set, last) in self.warps.sets.of_scheduler.iter().zip(self.last).take(rules.schedulers::<USUAL>()) {
            let (mem, comp) = (mem & set, comp & set);
            let mem = if !USUAL && self.config.owner_first && mem & owner != 0 { owner } else { mem };
            let first = rules.first_mem::<USUAL>(mem, last, &self.warps);
            let precedes = || {
                let comp = rules.first_comp::<USUAL>(comp, last, &self.warps);
                rules.first_mem::<USUAL>(first | comp, last, &self.warps) == first
            };
            if rules.mem_first || comp == 0 || (!USUAL && rules.merged && precedes()) {
                contenders |= first;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mascar::config::{MascarConfig, Order, Priority};
    use crate::mascar::{Kind, Lookup, Request, WarpId};
    use crate::models::monte::Generator;

    const SMALL: MascarConfig =
        MascarConfig { warps: 6, rexq: 3, owner_timeout: 9, warp_size: 4, ..MascarConfig::GTX480 };

    crate::inline_mascar_tables! {
        struct Small = SMALL;
    }

    /// Something that happens between two picks, or is refused.
    fn disturb(sm: &mut Mascar<Small>, random: &mut Generator) {
        let w = WarpId(random.below(6) as u8);
        let _ = match random.below(16) {
            0 | 1 => sm.warp_start(w).map(drop),
            2 => sm.warp_exit(w).map(drop),
            3 => sm.l1_state(0, 60 * random.below(2) as u32, 0).map(drop),
            4 | 5 => {
                let result = [Lookup::Hit, Lookup::Miss, Lookup::Merge][random.below(3) as usize];
                let request = Request { mask: 1 + random.below(15), ..Request::default() };
                let room = random.below(2) == 0;
                sm.lsu_next().and_then(|_| sm.lsu_reply(result, room, Some(&request))).map(drop)
            }
            n => {
                let kind = [Kind::Alu, Kind::Mem, Kind::Mem, Kind::Sync][random.below(4) as usize];
                sm.set_head(w, kind, n > 8 && kind != Kind::Sync, n == 8 && kind != Kind::Sync)
            }
        };
        if let Lsu::Await(warp) = sm.lsu {
            sm.lsu_begin(warp, random.below(5) as u32, 1 + u32::from(warp.0)).unwrap();
        }
    }

    /// A configuration with usual picks, of any orders and priorities that these can have.
    fn config(random: &mut Generator) -> MascarConfig {
        let mut order = || [Order::Oldest, Order::Gto][random.below(2) as usize];
        let [ep_mem_order, ep_comp_order, mp_mem_order, mp_comp_order] = [(); 4].map(|()| order());
        let mut priority = || [Priority::Mem, Priority::Comp][random.below(2) as usize];
        let [ep_priority, mp_priority] = [(); 2].map(|()| priority());
        let schedulers = 1 + random.below(2) as u32;
        let orders = MascarConfig { ep_mem_order, ep_comp_order, mp_mem_order, mp_comp_order, ..SMALL };
        MascarConfig { ep_priority, mp_priority, schedulers, ..orders }
    }

    /// In whatever state a usual pick is made, what is compiled for all picks gives the same answer and leaves the same state.
    #[test]
    fn a_usual_pick_is_a_pick() {
        let mut random = Generator::new(4);
        let mut usual = [0; 2];
        for _ in 0..200 {
            let config = config(&mut random);
            let mut sm = Mascar::<Small>::new(&config).unwrap();
            for now in (1..400).map(Cycle) {
                for _ in 0..random.below(5) {
                    disturb(&mut sm, &mut random);
                }
                let lsu = random.below(4) > 0;
                let comp = [None, Some(random.next() as u32 & config.all_schedulers())][random.below(2) as usize];
                let mut plain = sm.clone();
                let is_mp = sm.is_mp();
                usual[usize::from(is_mp)] += u32::from(!is_mp || sm.is_settled(now));
                plain.next_pick = now.after(1);
                let accept = Accept { lsu, comp: comp.map_or(u64::MAX, |mask| sm.warps_of(mask)) };
                let plainly = if is_mp { Mascar::cycle::<true, false> } else { Mascar::cycle::<false, false> };
                assert_eq!(sm.pick(now, lsu, comp), plainly(&mut plain, now, accept), "{config:?}");
                assert_eq!(sm, plain, "{config:?}");
            }
        }
        assert!(usual.iter().all(|picks| *picks > 10_000), "too few usual picks: {usual:?}");
    }
}
