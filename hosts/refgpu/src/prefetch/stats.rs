//! What prefetching did, and what it was good for (refgpu-S10).

use crate::changes::Changes;
use gpusched::apogee::{Adjust, Loaded};
use serde::{Deserialize, Serialize};

counts! {
    /// What a prefetcher saw and asked for.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct PrefetchStats {
        /// Loads that it saw.
        pub loads: u64,
        /// Loads beyond its address space.
        pub unseen: u64,
        /// Loads that were on a learnt pattern.
        pub confirmed: u64,
        /// Loads that broke one.
        pub mismatches: u64,
        /// Loads that displaced another load's row.
        pub displaced: u64,
        /// Lines that entered the prefetch queue for loads of a fixed offset.
        pub pushed: u64,
        /// Such lines that waited there already.
        pub merged: u64,
        /// Such lines that found it full.
        pub dropped: u64,
        /// Predictions of threads outside the address space.
        pub outside: u64,
        /// Prefetches of thread-invariant loads by an earlier load.
        pub triggered: u64,
        /// Chains that were made from a thread-invariant load to an earlier one.
        pub chains: u64,
        /// Loads that found their prefetch slow: the distance grew, or was the greatest.
        pub slow: u64,
        /// Loads that found that it had come too early: the distance shrank, or was the least.
        pub early: u64,
        /// Requests that left the queue.
        pub popped: u64,
        /// Of these, requests that went to memory: prefetched lines.
        pub sent: u64,
        /// Lines that came for a row that had been displaced.
        pub stale: u64,
        /// What became of the prefetched lines.
        pub lines: LineUse,
    }
}

counts! {
    /// What became of prefetched lines in L1. Those that are in none of these are there unused, or were when the cache was emptied.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct LineUse {
        /// A load wanted them before they were evicted.
        pub used: u64,
        /// Of these, while they were on their way: late.
        pub late: u64,
        /// They were evicted before any load wanted them: too early, or wrong.
        pub evicted: u64,
    }
}

impl PrefetchStats {
    /// Counts what APOGEE says of a load.
    pub(super) fn count(&mut self, loaded: &Loaded) {
        self.confirmed += u64::from(loaded.confirmed);
        self.mismatches += u64::from(loaded.mismatch);
        self.displaced += u64::from(loaded.evicted.is_some()) + u64::from(loaded.tia_evicted.is_some());
        self.pushed += u64::from(loaded.pushed);
        self.merged += u64::from(loaded.merged);
        self.dropped += u64::from(loaded.dropped);
        self.outside += u64::from(loaded.outside);
        self.triggered += u64::from(loaded.triggered);
        self.slow += u64::from(matches!(loaded.adjust, Adjust::Inc | Adjust::IncSat));
        self.early += u64::from(matches!(loaded.adjust, Adjust::Dec | Adjust::DecMin));
    }
}

/// From now on a load is fetched so many iterations ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DistanceChange {
    /// Cycle of the SM's clock.
    pub cycle: u64,
    /// The load, by its number in the kernel.
    pub load: u32,
    /// Iterations.
    pub distance: u16,
}

/// How far ahead loads are fetched, over time, of an SM; each begins at `apogee.init_distance`.
pub type Distances = Changes<DistanceChange, 4096>;
