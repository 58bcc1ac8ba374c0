//! The issue phase under Mascar (refgpu-W3): it is told what is at the head of each warp, and says which warps issue.

use super::blocks::Phase;
use super::{Outbox, Sm, Unit};
use crate::erased::AnyWorkload;
use crate::mascar::Heads;
use crate::program::Effects;

impl Sm {
    /// The issue phase of own cycle `now`. Returns whether heads have changed since the pick, or may in the next cycle.
    pub(super) fn issue_in_order(
        &mut self,
        now: u64,
        work: &mut AnyWorkload<'_>,
        effects: &mut Effects,
        out: &mut Outbox,
    ) {
        let late = if self.bubble_cycle == now { self.bubble } else { 0 };
        self.bubble = 0;
        self.phase = Phase { cycle: now, issued: 0, empty: late };
        let usable = self.ready & !late;
        let ready = self.with_slots(now, usable);
        let heads = self.heads_for_mascar(ready);
        let accepts = self.lsu.accepts(now);
        let Some((l1, queued, unit)) = self.lsu.mascar_beside() else { return };
        unit.tell_occupancy(0, l1, queued);
        if self.textured {
            let (l1, queued) = self.texture.occupancy();
            unit.tell_occupancy(1, l1, queued);
        }
        unit.tell_heads(heads);
        let pick = unit.pick(now, accepts);
        let mut issued = 0;
        for issue in &pick.issues {
            issued |= 1 << issue.sched;
            self.issue_one(now, issue.warp.0 as usize & 63, work, effects, out);
        }
        if let Some(unit) = self.lsu.mascar() {
            unit.count(1);
        }
        self.head_changes = issued != 0 || late != 0 || ready != usable;
        self.stats.issue_cycles += u64::from(issued != 0);
        if issued != (1 << self.schedulers.len()) - 1 {
            let (memory, structural) = self.waiting_schedulers(self.ready & usable, issued);
            self.stats.memory_stalls += memory;
            self.stats.structural_stalls += structural;
        }
        if self.released != 0 {
            self.head_changes = true;
            self.release();
        }
    }

    /// Of these warps, those for whose unit their scheduler has a place in this cycle. Places go round among the schedulers, in the
    /// order of refgpu-W4; Mascar may then choose another warp.
    fn with_slots(&self, now: u64, warps: u64) -> u64 {
        let n = self.schedulers.len();
        let mut left = warps;
        for (unit, units) in [(Unit::Sp, &self.sp), (Unit::Sfu, &self.sfu), (Unit::Dp, &self.dp)] {
            let heads = warps & self.heads[unit as usize];
            let mut places = if heads == 0 { 0 } else { units.places(now) };
            if heads == 0 || places >= n {
                continue;
            }
            for turn in 0..n {
                let own = heads & self.schedulers[(now as usize).wrapping_add(turn) & (n - 1)].warps;
                if own == 0 {
                    continue;
                }
                if places == 0 {
                    left &= !own;
                } else {
                    places -= 1;
                }
            }
        }
        if self.texture.is_free() { left } else { left & !self.heads[Unit::Texture as usize] }
    }

    /// What is at the head of each warp, these being ready. A warp that leaves the SM while L1 has not taken all its requests has
    /// nothing at its head (`WarpHasRequests`). Warps of a paused block wait like those at a barrier (equalizer-C2).
    fn heads_for_mascar(&mut self, ready: u64) -> Heads {
        let here = self.resident & !(self.parked | self.paused);
        let leaving = self.leaves & here;
        let held = if leaving == 0 { 0 } else { self.lsu.mascar().map_or(0, |unit| unit.with_requests(leaving)) };
        let here = here & !held;
        let memory = self.heads[Unit::Lsu as usize] | self.heads[Unit::Texture as usize];
        Heads {
            alu: here & !memory,
            mem: here & memory,
            sync: self.resident & (self.parked & !self.timed | self.paused),
            ready: ready & here,
            dep_load: self.waits_memory & here,
        }
    }
}
