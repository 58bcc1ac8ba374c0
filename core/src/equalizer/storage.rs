//! What the hardware would cost: bits of storage, laid out as the sheet does (`equalizer`, Structures).

use super::config::{FmConfig, SmConfig};
use crate::base::storage::bits_for;

/// Storage of one SM in bits: the part that the source counts (3.5.1.2), and what the mechanism needs all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SmStorageBits {
    /// The four sums.
    pub sums: u64,
    /// The cycle counter of the epoch.
    pub cycle: u64,
    /// Target, limit, hysteresis, watchdog, samples, requests, objective.
    pub control: u64,
    /// State and age of each block slot.
    pub slots: u64,
    /// The pause bit of each row of the instruction buffer; it lives in the host.
    pub pause_bits: u64,
}

impl SmStorageBits {
    /// What the source counts: 7 bytes by default.
    #[must_use]
    pub const fn of_source(&self) -> u64 {
        self.sums + self.cycle
    }

    /// What it does not.
    #[must_use]
    pub const fn uncounted(&self) -> u64 {
        self.control + self.slots + self.pause_bits
    }

    /// Everything.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.of_source() + self.uncounted()
    }
}

/// Storage of an SM with this configuration.
///
/// ```
/// use gpusched::equalizer::{SmConfig, sm_storage_bits};
///
/// let bits = sm_storage_bits(&SmConfig::GTX480);
/// assert_eq!((bits.of_source(), bits.control + bits.slots, bits.pause_bits), (56, 70, 48));
/// ```
#[must_use]
pub const fn sm_storage_bits(config: &SmConfig) -> SmStorageBits {
    let blocks = bits_for(config.max_blocks + 1);
    let (dir, drained, objective) = (2, 1, 1);
    let watchdog = if config.watchdog == 0 { 0 } else { bits_for(config.watchdog + 1) + 1 };
    let counts =
        bits_for(config.max_warps + 1) + bits_for(config.hysteresis) + bits_for(config.samples_per_epoch() + 1);
    SmStorageBits {
        sums: 4 * config.counter_bits as u64,
        cycle: bits_for(config.epoch_cycles),
        // Target, limit and requests are numbers of blocks.
        control: 3 * blocks + counts + dir + drained + objective + watchdog,
        slots: config.max_blocks as u64 * (2 + bits_for(config.max_blocks)),
        pause_bits: config.max_warps as u64,
    }
}

/// Storage of the frequency manager in bits. The source gives no widths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FmStorageBits {
    /// Level, target and countdown of both domains.
    pub domains: u64,
    /// Votes, and whether each SM has voted and is enabled.
    pub votes: u64,
}

impl FmStorageBits {
    /// Everything.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.domains + self.votes
    }
}

/// Storage of a frequency manager with this configuration.
///
/// ```
/// use gpusched::equalizer::{FmConfig, fm_storage_bits};
///
/// assert_eq!(fm_storage_bits(&FmConfig::GTX480).total(), 28 + 15 * 6);
/// ```
#[must_use]
pub const fn fm_storage_bits(config: &FmConfig) -> FmStorageBits {
    let (level, target, votes, voted, enabled) = (2, 2, 4, 1, 1);
    let countdowns = bits_for(config.sm_transition + 1) + bits_for(config.mem_transition + 1);
    FmStorageBits { domains: 2 * (level + target) + countdowns, votes: config.sms as u64 * (votes + voted + enabled) }
}
