//! What Equalizer asks of an SM: classes of its warps at a sampling instant, and blocks that are paused (refgpu-W6, refgpu-V3).

use gpusched::equalizer::{SmConfig, Warp};

use super::{Sm, Unit};
use crate::clock::Clock;
use crate::stats::WarpStates;

/// What happened to warps in one own cycle, for classes by the state at the end of its issue phase.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phase {
    /// The own cycle.
    pub cycle: u64,
    /// Warps that issued.
    pub issued: u64,
    /// Warps whose instruction buffer was empty, behind a branch (refgpu-W2).
    pub empty: u64,
}

impl Sm {
    /// Pauses the TB in `slot`, or wakes it, after beat `at`: warps of a paused TB issue nothing. What they have issued goes on. The SM
    /// has to be looked at at the next beat.
    pub fn pause(&mut self, at: u64, slot: u8, on: bool) {
        self.count_until(at + 1);
        let tb = &mut self.tbs[slot as usize & 63];
        // It may have ended in this very cycle.
        if tb.alive == 0 || tb.paused == on {
            return;
        }
        tb.paused = on;
        self.head_changes = true;
        let mut left = tb.alive;
        if on {
            self.paused |= left;
            self.running_tbs -= 1;
        } else {
            self.paused &= !left;
            self.running_tbs += 1;
        }
        while left != 0 {
            self.settle(left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }

    /// Resident TBs that run, and all of them.
    pub fn blocks(&self) -> (u64, u64) {
        let resident = self.tbs.iter().filter(|tb| tb.alive != 0).count() as u64;
        (self.running_tbs, resident)
    }

    /// Its clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Classes of the resident warps at beat `at`, which has an own cycle, after its issue phase (equalizer-C1 to C8).
    pub fn warp_states(&self, at: u64, config: &SmConfig) -> WarpStates {
        let Phase { cycle, issued, empty } = self.phase;
        let (issued, empty) = if cycle == self.clock.last(at) { (issued, empty) } else { (0, 0) };
        let heads = |unit: Unit| self.heads[unit as usize];
        // A warp waits for a time before its first instruction, and for a launch.
        let empty = empty | self.timed;
        let sync = self.parked & !self.timed;
        let memory = heads(Unit::Lsu) | heads(Unit::Texture);
        // Back-pressure is the LSU's alone (refgpu-M10).
        let accepted = if self.lsu.is_free() { u64::MAX } else { !heads(Unit::Lsu) };
        let mut states = WarpStates { samples: 1, ..WarpStates::default() };
        let mut left = self.resident;
        while left != 0 {
            let bit = left & left.wrapping_neg();
            left &= left - 1;
            let is = |warps: u64| warps & bit != 0;
            states.count(&config.classify(&Warp {
                resident: true,
                paused: is(self.paused),
                issued: is(issued),
                valid: !is(empty),
                sync: is(sync),
                ready: is(self.ready),
                mem: is(memory),
                accept: is(accepted),
            }));
        }
        states
    }
}
