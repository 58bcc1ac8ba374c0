//! Warps of a TB that leaves its SM while it waits for its children, and comes back on any (refgpu-V1; dtbl-S1, dtbl-S2).

use super::{Sm, Tb};
use crate::erased::StateId;

/// The programs of a TB's warps that had not exited, in order.
#[derive(Debug)]
pub struct Context(pub(super) Vec<StateId>);

impl Sm {
    /// Takes a TB, all of whose warps wait for its children, off the SM at the end of beat `at`. Its slots get states of `spare`.
    pub fn save_tb(&mut self, at: u64, slot: u8, spare: &mut Vec<StateId>) -> Context {
        self.count_until(at + 1);
        self.take_issued(slot);
        let Tb { alive, warps, threads, paused, .. } = std::mem::take(&mut self.tbs[slot as usize & 63]);
        self.held_warps -= warps;
        self.held_threads -= threads;
        self.lsu.set_threads(self.held_threads);
        self.running_tbs -= u64::from(!paused);
        self.warps -= u64::from(alive.count_ones());
        self.resident &= !alive;
        self.parked &= !alive;
        let mut left = alive;
        let mut programs = Vec::with_capacity(alive.count_ones() as usize);
        while left != 0 {
            if let Some(unit) = self.lsu.mascar() {
                unit.exit(left.trailing_zeros() as usize);
            }
            programs.push(std::mem::replace(
                &mut self.programs[left.trailing_zeros() as usize],
                spare.pop().unwrap_or_default(),
            ));
            left &= left - 1;
        }
        Context(programs)
    }

    /// The children of the TB in `slot` have ended: its warps go on at beat `at`.
    pub fn end_sync(&mut self, slot: u8, at: u64) {
        let mut left = std::mem::take(&mut self.tbs[slot as usize & 63].at_sync);
        while left != 0 {
            self.park_until(left.trailing_zeros() as usize, at);
            left &= left - 1;
        }
    }

    /// A warp waits for the kernels that its TB launched. Returns whether all warps of the TB do.
    pub(super) fn arrive_at_sync(&mut self, w: usize) -> bool {
        self.parked |= 1 << w;
        let tb = &mut self.tbs[self.tb_of[w] as usize & 63];
        tb.at_sync |= 1 << w;
        tb.at_sync == tb.alive
    }
}
