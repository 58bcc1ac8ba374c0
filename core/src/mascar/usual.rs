//! The usual pick, in few instructions: EP mode, or an owner that stays; at most two schedulers, each of which issues one warp a cycle by
//! age and greed alone. [`pick`](super::pick) does the same step by step, and all other picks.
//!
//! These are rules of `pick` a second time, for speed: some 160 instructions rather than 340 or 360. A test below holds
//! that both ways give the same answer and leave the same state, from whatever state.

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

    /// In whatever state a usual pick is made, step by step it gives the same answer and leaves the same state.
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
                let mut stepwise = sm.clone();
                usual[usize::from(sm.is_mp())] += u32::from(sm.is_usual(now));
                stepwise.next_pick = now.after(1);
                let accept = Accept { lsu, comp: comp.map_or(u64::MAX, |mask| sm.warps_of(mask)) };
                assert_eq!(sm.pick(now, lsu, comp), stepwise.cycle(now, accept), "{config:?}");
                assert_eq!(sm, stepwise, "{config:?}");
            }
        }
        assert!(usual.iter().all(|picks| *picks > 10_000), "too few usual picks: {usual:?}");
    }
}
