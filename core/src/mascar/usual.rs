//! The usual pick, in few instructions: EP mode, or an owner that stays; at most two schedulers, each of which issues one warp a cycle by
//! age and greed alone. [`pick`](super::pick) does the same step by step, and all other picks.

use super::answer::{Issues, Mode, Pick, Pipe};
use super::lsu::Lsu;
use super::order::first;
use super::pick::Accept;
use super::{Mascar, Tables};
use crate::base::cycle::Cycle;
use crate::base::error::Fault;

impl<T: Tables> Mascar<T> {
    /// Whether a pick is such a one.
    #[inline]
    pub(super) fn is_usual(&self, now: Cycle) -> bool {
        let is_mp = self.is_mp();
        self.rules[usize::from(is_mp)].is_usual && (!is_mp || self.is_settled(now))
    }

    /// Whether there is an owner, and mascar-P1 finds no reason to look closer.
    #[inline]
    fn is_settled(&self, now: Cycle) -> bool {
        let sets = &self.warps.sets;
        let in_time = self.owner.is_some_and(|owner| now.since(owner.since) < self.longest);
        in_time && sets.waits & sets.owner == 0 && self.lsu.blocked().is_none()
    }

    /// Such a pick; never an error. In the shape of the answer, so that it is written in place.
    #[inline(never)]
    pub(super) fn usual<const MP: bool>(&mut self, accept: Accept) -> Result<Pick, Fault> {
        let rules = &self.rules[usize::from(MP)];
        let sets = &self.warps.sets;
        // mascar-P3.
        let ready = self.warps.memory_ready();
        let eligible = if MP { ready & (sets.owner | sets.leftover) } else { ready };
        let mem = if accept.lsu && self.lsu.is_idle() { eligible } else { 0 };
        let comp = sets.comp_ready & accept.comp;
        // mascar-P4, mascar-P5. A scheduler that is not there has no warps.
        let (greedy_mem, greedy_comp) = (sets.greedy & rules.greedy_mem, sets.greedy & rules.greedy_comp);
        let [a, b, ..] = sets.of_scheduler;
        let mut contenders = 0;
        for set in [a, b] {
            if rules.mem_first || comp & set == 0 {
                contenders |= first(mem & set, greedy_mem);
            }
        }
        // mascar-P6, mascar-P7.
        let winner = self.winner(contenders);
        let mut issues = Issues::new();
        let (mut issued, mut moved) = (winner, 0);
        for (s, set) in [a, b].into_iter().enumerate() {
            if winner & set != 0 {
                moved |= set;
                let warp = self.warps.issue(winner);
                self.lsu = Lsu::Await(warp);
                self.note(s, warp, Pipe::Mem, &mut issues);
            } else if comp & set != 0 {
                let comp = first(comp & set, greedy_comp);
                (issued, moved) = (issued | comp, moved | set);
                let warp = self.warps.issue(comp);
                self.note(s, warp, Pipe::Comp, &mut issues);
            }
        }
        let greedy = self.warps.sets.greedy & !moved | issued;
        self.warps.issued(issued, greedy);
        self.write_wst(eligible & !issued);
        let (mode, owner) = if MP { (Mode::Mp, self.owner()) } else { (Mode::Ep, None) };
        Ok(Pick { mode, owner, released: None, granted: None, issues })
    }
}
