//! What holds of the residency between two calls.

use super::{Need, Residency, ResidentTb, Smx, Tbcr};
use crate::base::id::{Id, KernelSlot, SlotId, SmxId};
use crate::base::invariant::{Violation, invariant};
use crate::base::table::Rows;
use crate::config::Config;

impl<S: Rows<Smx>, R: Rows<Tbcr>> Residency<S, R> {
    /// dtbl-I1: what is free, and what TBs take that each need what `of_tb` says, are what there is. `of_kernel` says what a kernel's next
    /// one needs.
    pub(crate) fn validate(
        &self,
        config: &Config,
        of_kernel: impl Fn(KernelSlot) -> Option<Need>,
        of_tb: impl Fn(&ResidentTb) -> Option<Need>,
    ) -> Result<(), Violation> {
        let Self { smxs, tbcrs, n_smx, tb_slots, followed, shape, room, warps } = self;
        let ends = smxs.ends_by(*n_smx) && tbcrs.ends_by(n_smx * tb_slots);
        invariant("only SMXs and slots that there are are used", ends)?;
        let mut all_warps = 0;
        for s in (0..*n_smx).map(SmxId::from_index) {
            let Smx { slots, mut threads, mut regs, mut smem, warps } = smxs[s];
            let mut free = u64::MAX >> (64 - config.tb_slots);
            let mut here = 0;
            for (slot, tb) in self.on(s) {
                let Some(need) = of_tb(tb) else { return invariant("a TB's kernel is active (dtbl-I2)", false) };
                free &= !(1 << slot.0);
                // There is no overflow where the sums are right.
                threads = threads.saturating_add(need.threads);
                regs = regs.saturating_add(need.regs);
                smem = smem.saturating_add(need.smem);
                here += need.warps;
            }
            let sums = (slots, threads, regs, smem) == (free, config.threads, config.regs, config.smem);
            invariant("free and taken are what there is (dtbl-I1)", sums && warps == here)?;
            all_warps += here;
        }
        invariant("resident warps are counted (dtbl-I1)", *warps == all_warps)?;
        invariant("the room is that of the shape it is kept for", *room == self.room_for(shape))?;
        let is_kept = followed.is_none_or(|k| of_kernel(k).is_some_and(|need| need == *shape));
        invariant("the kernel whose room is kept is active", is_kept)
    }

    /// The TBs of an SMX, by slot.
    pub(crate) fn on(&self, s: SmxId) -> impl Iterator<Item = (SlotId, &ResidentTb)> {
        (0..self.tb_slots).map(SlotId::from_index).filter_map(move |slot| Some((slot, self.tb(s, slot)?)))
    }

    /// The resident TBs.
    pub(crate) fn tbs(&self) -> impl Iterator<Item = &ResidentTb> {
        self.tbcrs.iter().filter_map(|(_, tb)| tb.as_ref())
    }
}
