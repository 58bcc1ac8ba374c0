//! What a load/store unit counts, in all and for each host stream.

use super::{Latch, Lsu, Refusal};
use crate::l1::L1Stats;
use crate::stats::{LsuShare, STREAMS};

counts! {
    /// What the LSU counted.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
    pub struct LsuStats {
        /// Cycles with a refused attempt, by reason: merge, set, MSHR, miss queue (refgpu-M5); under Mascar, which
        /// counts them while the LSU is blocked, also that the warp is not the owner (refgpu-M13).
        pub stalls: [u64; Refusal::COUNT],
        /// Cycles with an instruction in the latch.
        pub busy: u64,
        /// Loads and atomics whose last transaction was answered.
        pub loads_done: u64,
        /// Cycles of the SM's own clock from their issue to that, summed.
        pub load_latency: u64,
    }
}

/// Of which TB an instruction is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Owner {
    /// Its host stream, below [`STREAMS`].
    pub stream: u8,
    /// Its loads go past L1 (refgpu-M9).
    pub bypass: bool,
}

impl Lsu {
    /// What enters next is an instruction of this TB.
    #[inline]
    pub fn set_owner(&mut self, owner: Owner) {
        self.owner = owner;
    }

    /// What the owner of the latch had of the unit.
    #[inline]
    pub(super) fn share(&mut self) -> &mut LsuShare {
        &mut self.shares[usize::from(self.owner.stream) % STREAMS]
    }

    /// What each host stream had of the unit.
    pub fn shares(&self) -> &[LsuShare; STREAMS] {
        &self.shares
    }

    /// `cycles` went by in which nothing happened here.
    #[inline]
    pub fn idle(&mut self, cycles: u64) {
        self.idle_for_mascar(cycles);
        if self.latch != Latch::Free {
            self.count_busy(cycles);
        }
    }

    /// Cycles with an instruction in the latch, refused if it is now.
    #[inline]
    pub(super) fn count_busy(&mut self, cycles: u64) {
        self.stats.busy += cycles;
        self.share().busy += cycles;
        if let Some(reason) = self.refused {
            self.stats.stalls[reason as usize] += cycles;
            self.share().refused += cycles;
        }
    }

    /// What was counted.
    pub fn stats(&self) -> (&LsuStats, &L1Stats) {
        (&self.stats, &self.l1.stats)
    }
}
