//! What the hardware would cost: bits of storage, laid out as the sheet does (`models`, Structures).

use super::config::ScoreboardConfig;
use crate::base::storage::bits_for;

/// Storage of an SM in bits. The source gives no figure of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ScoreboardStorageBits {
    /// One pending bit and one memory bit per register and warp.
    pub marks: u64,
    /// How many registers of each warp are pending.
    pub counts: u64,
}

impl ScoreboardStorageBits {
    /// Everything.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.marks + self.counts
    }
}

/// Storage of a scoreboard with this configuration.
///
/// ```
/// use gpusched::simt::scoreboard::{ScoreboardConfig, scoreboard_storage_bits};
///
/// let bits = scoreboard_storage_bits(&ScoreboardConfig::GTX480);
/// assert_eq!((bits.marks, bits.counts), (48 * 2 * 64, 48 * 7)); // A count from 0 to 64.
/// ```
#[must_use]
pub const fn scoreboard_storage_bits(config: &ScoreboardConfig) -> ScoreboardStorageBits {
    let &ScoreboardConfig { warps, regs, entries } = config;
    let most = if entries == 0 || entries > regs { regs } else { entries };
    ScoreboardStorageBits { marks: warps as u64 * 2 * regs as u64, counts: warps as u64 * bits_for(most + 1) }
}
