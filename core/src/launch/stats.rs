//! Statistics. All counts saturate.

/// What the front end counted since it was built (`dtbl`, Interface; `frontend`, Interface).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Stats {
    /// Groups that found an eligible kernel.
    pub kde_hit: u64,
    /// Groups that found none.
    pub kde_miss: u64,
    /// Groups that found their AGE free.
    pub agt_hit: u64,
    /// Groups that found it taken.
    pub agt_spill: u64,
    /// Device kernels and groups whose first TB was sent.
    pub dyn_n: u64,
    /// Cycles from their launch calls to their first TBs, summed.
    pub dyn_wait: u64,
    /// TBs sent.
    pub tbs: u64,
    /// Resident warps, summed over cycles.
    pub warp_cycles: u64,
    /// Cycles carried out: the current one's number.
    pub ticks: u64,
    /// Most launch records in use at once.
    pub rec_peak: u64,
    /// Cycles whose word was `gated`.
    pub gated: u64,
    /// Cycles whose word was `capped`.
    pub capped: u64,
    /// TBs sent from behind the FIFO's head.
    pub passed: u64,
    /// Nodes of dependency graphs sent.
    pub graph_tbs: u64,
    /// Samples that the occupancy-bubble controller took.
    pub samples: u64,
    /// Cycles whose word was `told`.
    pub told: u64,
    /// Times that the host was said to be stalled.
    pub stalled: u64,
    /// TBs that the rescue sent.
    pub rescued: u64,
    /// Clusters of TBs sent.
    pub clusters: u64,
    /// Cycles whose word was `frag`.
    pub frag: u64,
    /// Cycles whose word was `quota`.
    pub quota: u64,
}

impl Stats {
    pub(crate) fn count_wait(&mut self, cycles: u64) {
        self.dyn_n = self.dyn_n.saturating_add(1);
        self.dyn_wait = self.dyn_wait.saturating_add(cycles);
    }
}
