//! What Equalizer did in a run.

use serde::{Deserialize, Serialize};

/// What became of the rounds of votes for one domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundStats {
    /// Steps up.
    pub up: u64,
    /// Steps down.
    pub down: u64,
    /// No step was asked for.
    pub none: u64,
    /// Dropped: the last step was still under way.
    pub busy: u64,
    /// Dropped: there is no further level.
    pub limit: u64,
}

/// What Equalizer did in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EqualizerStats {
    /// Epochs.
    pub epochs: u64,
    /// Times that an SM's block count rose by one.
    pub more_blocks: u64,
    /// Times that an SM's block count fell by one.
    pub fewer_blocks: u64,
    /// Blocks that were paused.
    pub pauses: u64,
    /// Blocks that were woken.
    pub wakes: u64,
    /// Blocks that the watchdog woke.
    pub watchdog: u64,
    /// Rounds for the SMs.
    pub sm: RoundStats,
    /// Rounds for the memory.
    pub mem: RoundStats,
}
