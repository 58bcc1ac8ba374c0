//! What holds of a Mascar machine between two calls.

use super::config::MascarConfig;
use super::lsu::{Instruction, Lsu, Presented, STORE};
use super::rexq::Entry;
use super::tables::Tables;
use super::warps::Warps;
use super::{Mascar, Owner, WarpId};
use crate::base::invariant::{Violation, invariant};

impl<T: Tables> Mascar<T> {
    /// What holds between any two calls: mascar-I1 to I4, but for what only the past tells, and that every set of warps is that of
    /// their heads and requests.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        let Self { config, flags, mode, next_pick, .. } = self;
        invariant("time has not run out", next_pick.0 <= super::pick::END_OF_TIME)?;
        let has_caches = u32::from(*flags) >> config.sources.caches().len() == 0;
        invariant("the mode is that of the caches' flags (mascar-M2)", has_caches && *mode == self.mode_of(*flags))?;
        self.validate_owner()?;
        self.validate_last()?;
        self.validate_status()?;
        self.validate_queue()?;
        self.validate_lsu()?;
        invariant("sets of warps are those of their heads and requests", self.warps_again()? == self.warps)
    }

    /// The warps, made again of their order, heads and status.
    pub(super) fn warps_again(&self) -> Result<Warps, Violation> {
        let (saved, mut warps) = (&self.warps, Warps::new());
        for rank in 0..saved.resident().count_ones() {
            let w = saved.at(rank);
            let is_other = u32::from(w.0) < self.config.warps && !warps.is_resident(w);
            invariant("each resident warp has an age of its own (mascar-H9)", is_other)?;
            let scheduler = self.scheduler_of(w);
            warps.start(w, scheduler, self.last(scheduler) == Some(w));
            let head = saved.head(w);
            invariant("operands are ready or outstanding, and an instruction's", head.is_possible())?;
            warps.set_head(w, head);
        }
        // Numbers of ages may have been used up since; they count on from the oldest.
        let are_counted = u64::from(saved.resident().count_ones()) <= saved.next_age;
        invariant("ages are counted (mascar-H9)", are_counted && saved.resident() == warps.resident())?;
        warps.next_age = saved.next_age;
        warps.sets.owner = self.owner.map_or(0, |owner| warps.bit(owner.warp));
        warps.take_status(saved);
        self.rexq.iter().for_each(|entry| warps.queued(entry.warp));
        Ok(warps)
    }

    fn validate_owner(&self) -> Result<(), Violation> {
        let resident = |w: WarpId| self.warps.is_resident(w);
        let is_mp = self.is_mp();
        let owns = |Owner { warp, since }: Owner| is_mp && resident(warp) && Some(since) <= self.picked();
        invariant("the owner is resident, and only MP mode has one (mascar-I1)", self.owner.is_none_or(owns))?;
        let may_bar = |w| is_mp && resident(w) && self.owner.is_none() && self.picked().is_some();
        invariant("who is barred is resident, and waits for an owner (mascar-P1)", self.barred.is_none_or(may_bar))
    }

    fn validate_last(&self) -> Result<(), Violation> {
        let MascarConfig { warps, schedulers, .. } = self.config;
        let issued = |(s, last): (u32, &Option<WarpId>)| {
            last.is_none_or(|w| {
                u32::from(w.0) < warps && u32::from(w.0).checked_rem(schedulers) == Some(s) && self.picked().is_some()
            })
        };
        invariant("a warp issues on its scheduler (mascar-P7)", (0..).zip(&self.last).all(issued))
    }

    /// The status table, the ready queue and leftovers.
    fn validate_status(&self) -> Result<(), Violation> {
        let sets = &self.warps.sets;
        let all = sets.wst_mem | sets.wst_stall | sets.in_ready | sets.leftover;
        invariant("the status table is of resident warps (mascar-P8)", all & !sets.all == 0)?;
        invariant("status is that of the last pick (mascar-P8)", self.picked().is_some() || all == 0)?;
        // A warp is in the ready queue with the head that it had there.
        let is_ready = sets.in_ready & !(sets.mem_ready | sets.comp_ready) == 0;
        let is_noted = sets.in_ready & (sets.wst_stall | (sets.wst_mem ^ sets.mem)) == 0;
        invariant("who is in the ready queue can issue, and is not stalled (mascar-M4)", is_ready && is_noted)?;
        let may_issue = sets.leftover & !sets.mem == 0 && (self.is_mp() || sets.leftover == 0);
        invariant("leftovers have head mem, and only MP mode has them (mascar-I4)", may_issue)
    }

    fn validate_queue(&self) -> Result<(), Violation> {
        for (at, &Entry { warp, dst, ref request }) in self.rexq.iter().enumerate() {
            let is_possible = request.is_possible(self.config.warp_size, &self.no_offset) && dst <= STORE;
            invariant("a request has threads, in their segment", is_possible)?;
            invariant("who has requests is resident", self.warps.is_resident(warp))?;
            let same = self.rexq.iter().take(at).all(|other| other.warp != warp || other.dst == dst);
            invariant("the entries of a warp are of one instruction (mascar-I3)", same)?;
            let of_warp = self.rexq.iter().filter(|other| other.warp == warp).count();
            let fits = of_warp <= self.config.warp_size as usize;
            invariant("an instruction has no more requests than threads (mascar-L1)", fits)?;
        }
        let Self { passed, config, .. } = self;
        let starves = u32::from(*passed) <= config.starve_limit && (*passed == 0 || !self.rexq.is_empty());
        invariant("no more requests pass the queue than may (mascar-L3)", starves)
    }

    /// What the LSU, the queue and the presented request are to each other.
    fn validate_lsu(&self) -> Result<(), Violation> {
        let Self { config, rexq, lsu, .. } = self;
        let works = self.picked().is_some() || (lsu.is_idle() && rexq.is_empty());
        invariant("what was issued was picked (mascar-P7)", works)?;
        let entries = |warp| rexq.iter().filter(move |entry| entry.warp == warp);
        let is_instruction = |&Instruction { warp, dst, nreq, left }: &Instruction| {
            let others = entries(warp).count() as u32 + u32::from(left);
            self.warps.is_resident(warp)
                && dst <= STORE
                && left > 0
                && others <= u32::from(nreq)
                && u32::from(nreq) <= config.warp_size
                && entries(warp).all(|entry| entry.dst == dst)
        };
        let is_possible = match lsu {
            Lsu::Idle => true,
            Lsu::Await(warp) => self.warps.is_resident(*warp) && entries(*warp).next().is_none(),
            Lsu::Busy(instruction) => is_instruction(instruction),
            Lsu::Blocked { instruction, held, after_head } => {
                is_instruction(instruction)
                    && rexq.is_full()
                    && held.is_possible(config.warp_size, &self.no_offset)
                    && !(*after_head && rexq.is_empty())
            }
        };
        invariant(
            "the LSU has an instruction of a resident warp, blocked only by a full queue (mascar-I2)",
            is_possible,
        )?;
        let is_presented = match self.presented {
            None => true,
            Some(Presented::New) => matches!(lsu, Lsu::Busy(_)),
            Some(Presented::Blocked) => {
                let alone = rexq.is_empty() || config.retry_owner;
                matches!(lsu, Lsu::Blocked { after_head: false, .. }) && alone
            }
            Some(Presented::Rexq) => !rexq.is_empty() && self.passed == 0,
        };
        invariant("what is presented is there (mascar-L2 to L4)", is_presented)
    }
}
