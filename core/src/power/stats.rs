//! Statistics. All counts saturate.

/// What the controller counted since it was built (bubble_dvfs-B5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BubbleStats {
    /// Samples.
    pub samples: u64,
    /// SMXs diverted.
    pub divert: u64,
    /// Diversions refused.
    pub refused: u64,
    /// SMXs drained in time.
    pub drain_done: u64,
    /// SMXs not drained in time.
    pub drain_abort: u64,
    /// SMX-level transitions to low.
    pub down: u64,
    /// SMX-level transitions to high.
    pub up: u64,
    /// Draining SMXs taken back.
    pub cancel: u64,
    /// Transitions of the GPU to low.
    pub gpu_down: u64,
    /// Transitions of the GPU to high.
    pub gpu_up: u64,
}

/// Counts one more.
pub(super) fn count(counter: &mut u64) {
    *counter = counter.saturating_add(1);
}
