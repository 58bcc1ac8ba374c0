//! Thread blocks of an SM: they come with all their warps (refgpu-W1), and go when the last has exited.

use gpusched::simt::scoreboard::WarpId;

use super::{Context, Ended, Issued, Outbox, Sm};
use crate::erased::{AnyWorkload, StateId};
use crate::front::Placed;
use crate::lsu::Owner;
use crate::stats::STREAMS;

/// A resident TB.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tb {
    /// Warps that have not exited.
    pub alive: u64,
    pub at_barrier: u64,
    /// Wait for the TB's children.
    pub at_sync: u64,
    /// Its warps, exited or not: they hold their slots till the TB ends.
    pub warps: u32,
    pub threads: u32,
    /// It belongs to a group or a device kernel.
    pub child: bool,
    /// Its warps issue nothing (refgpu-V3).
    pub paused: bool,
    /// Its host stream, and whether it bypasses L1.
    pub owner: Owner,
    /// The core cycle in which it came.
    pub start: u64,
}

impl Sm {
    /// Free warp slots.
    pub fn free_warps(&self) -> u32 {
        (self.all_warps & !self.resident).count_ones()
    }

    /// Starts a TB on the lowest free warp slots (refgpu-W1), or goes on with one that was saved; the caller has seen that its warps fit.
    /// `at` is the beat of a core cycle; `number` counts TBs of the whole run; `spare` gets the states that those of the saved warps
    /// replace. Returns the beat of its first issue.
    pub fn start_tb(
        &mut self,
        at: u64,
        work: &mut AnyWorkload<'_>,
        tb: &Placed,
        number: u64,
        saved: Option<Context>,
        spare: &mut Vec<StateId>,
    ) -> u64 {
        self.count_until(at + 1);
        let switch = self.last_kernel.replace(tb.pc).is_some_and(|last| last != tb.pc);
        let delay = self.config.tb_start + if switch { self.config.tb_switch } else { 0 };
        let first = self.nominal.at(self.nominal.first(at) + u64::from(delay));
        let mut alive = 0;
        let (warps, mut saved) = match saved {
            None => (tb.context.threads.div_ceil(32), None),
            Some(Context(programs)) => (programs.len() as u32, Some(programs.into_iter())),
        };
        for warp in 0..warps {
            let free = self.all_warps & !self.resident;
            let w = free.trailing_zeros() as usize & 63;
            self.resident |= 1 << w;
            self.warps += 1;
            alive |= 1 << w;
            if let Some(unit) = self.lsu.mascar() {
                unit.start(w);
            }
            self.paused &= !(1 << w);
            self.age[w] = number << 6 | u64::from(warp);
            self.tb_of[w] = tb.slot;
            (self.run[w], self.loaded[w]) = (0, 0);
            // What a warp before it had pending was awaited at its exit.
            let left = self.scoreboard.flush(WarpId(w as u8));
            debug_assert_eq!(left, Ok(0));
            match saved.as_mut().and_then(Iterator::next) {
                None => work.begin(&tb.context, warp, &mut self.programs[w]),
                Some(program) => spare.push(std::mem::replace(&mut self.programs[w], program)),
            }
            self.park_until(w, first);
            self.fetch(w, work);
        }
        for scheduler in &mut self.schedulers {
            scheduler.forget(alive);
        }
        self.clusters[tb.slot as usize & 63].clone_from(&tb.cluster);
        let threads = tb.context.threads;
        let stream = work.stream(&tb.context).min(STREAMS - 1);
        let owner = Owner { stream: stream as u8, bypass: tb.bypass };
        self.streams[stream].tbs += 1;
        self.streams[stream].bypassing_tbs += u64::from(tb.bypass);
        let start = self.residency_counted;
        self.tbs[tb.slot as usize & 63] = Tb { alive, warps, threads, child: tb.child, owner, start, ..Tb::default() };
        if let Some(counts) = &mut self.counts {
            counts.start(tb.slot, tb.unit);
        }
        self.held_warps += warps;
        self.held_threads += threads;
        self.lsu.set_threads(self.held_threads);
        self.running_tbs += 1;
        self.stats.tbs += 1;
        first
    }

    /// A warp exits in own cycle `now`, and its TB ends with the last.
    pub(super) fn exit(&mut self, now: u64, w: usize, out: &mut Outbox) {
        let bit = 1 << w;
        if let Some(unit) = self.lsu.mascar() {
            unit.exit(w);
        }
        self.count_residency(self.clock.at(now) + 1);
        self.resident &= !bit;
        self.warps -= 1;
        self.ready &= !bit;
        let slot = self.tb_of[w];
        let tb = &mut self.tbs[slot as usize & 63];
        tb.alive &= !bit;
        if tb.alive == 0 {
            self.held_warps -= tb.warps;
            self.held_threads -= tb.threads;
            self.streams[usize::from(tb.owner.stream)].tb_cycles += self.residency_counted - tb.start;
            self.lsu.set_threads(self.held_threads);
            self.running_tbs -= u64::from(!tb.paused);
            out.ended.push(Ended { sm: self.id, slot, issued: Issued::default() });
        } else if tb.at_sync == tb.alive {
            out.syncs.push((self.id, slot));
        } else if tb.at_barrier == tb.alive {
            self.released |= tb.at_barrier;
            tb.at_barrier = 0;
        }
    }
}
