//! Which warps could issue, and what each of the others waits for (refgpu-W2).
//!
//! A warp that waits for a time, a barrier or a launch is parked. One that is not is `ready` if no operand of its head is pending in
//! the scoreboard, and in `waits_memory` if a load is to bring one.

use gpusched::IdSet;
use gpusched::simt::scoreboard::{RegId, WarpId};

use super::{Sm, registers};
use crate::program::Regs;

/// Why a warp does not issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// For an operand that a load or atomic will bring.
    Memory,
    /// For an operand that a functional unit will bring.
    Operand,
    /// At a barrier.
    Barrier,
    /// For the front end to take its launch call.
    Launch,
    /// For a fixed time: TB start, or launch latency.
    Time,
    /// For a free unit, or the LSU.
    Unit,
    /// For its block, which is paused, to be woken.
    Paused,
}

impl Sm {
    /// The front end has taken the warp's launch call; the warp goes on at beat `at`.
    pub fn resume(&mut self, warp: u8, at: u64) {
        self.park_until(warp as usize & 63, at);
    }

    pub(super) fn park_until(&mut self, w: usize, at: u64) {
        self.parked |= 1 << w;
        self.timed |= 1 << w;
        self.wake_at[w] = at;
        self.next_timer = self.next_timer.min(at);
    }

    /// Registers of a warp become ready.
    #[inline]
    pub(super) fn write_back(&mut self, warp: u8, regs: u32) {
        let w = warp as usize & 63;
        let written = self.scoreboard.writeback_set(WarpId(w as u8), &registers(regs));
        debug_assert!(written.is_ok(), "{written:?}");
        self.settle(w);
    }

    /// Puts a warp that is neither parked nor paused into `ready` or, if a load keeps it, into `waits_memory`.
    #[inline]
    pub(super) fn settle(&mut self, w: usize) {
        let bit = 1 << w;
        let usable = if (self.parked | self.paused) & bit == 0 { bit } else { 0 };
        let need = self.need[w];
        // A program's registers are all in the first word.
        let awaits = |regs: &IdSet<RegId>| regs.words()[0] as Regs & need != 0;
        let of = self.scoreboard.warp(WarpId(w as u8));
        let ready = !of.is_some_and(|of| awaits(&of.pending));
        let memory = of.is_some_and(|of| awaits(&of.memory));
        self.ready = self.ready & !bit | if ready { usable } else { 0 };
        self.waits_memory = self.waits_memory & !bit | if memory { usable } else { 0 };
    }

    #[cold]
    pub(super) fn run_timers(&mut self, at: u64) {
        let (mut left, mut next) = (self.timed, u64::MAX);
        while left != 0 {
            let w = left.trailing_zeros() as usize;
            left &= left - 1;
            if self.wake_at[w] <= at {
                self.timed &= !(1 << w);
                self.parked &= !(1 << w);
                self.settle(w);
            } else {
                next = next.min(self.wake_at[w]);
            }
        }
        self.next_timer = next;
    }

    /// What each resident warp waits for.
    pub fn waits(&self) -> impl Iterator<Item = (u32, Wait)> {
        (0..64).filter(|w| self.resident >> w & 1 != 0).map(|w| {
            let bit = 1u64 << w;
            let barrier = self.tbs[self.tb_of[w as usize] as usize & 63].at_barrier;
            let wait = if self.paused & bit != 0 {
                Wait::Paused
            } else if self.timed & bit != 0 {
                Wait::Time
            } else if barrier & bit != 0 {
                Wait::Barrier
            } else if self.parked & bit != 0 {
                Wait::Launch
            } else if self.ready & bit != 0 {
                Wait::Unit
            } else if self.waits_memory & bit != 0 {
                Wait::Memory
            } else {
                Wait::Operand
            };
            (w, wait)
        })
    }
}
