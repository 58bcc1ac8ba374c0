//! What the hardware would cost: bits of storage, laid out as the sheet does (`bubble_dvfs`, Structures).

use super::config::BubbleConfig;
use crate::base::storage::bits_for;

/// Storage in bits, part by part. The residency ledger belongs to the baseline, evaluation counters are no hardware.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BubbleStorageBits {
    /// DVR.
    pub dvr: u64,
    /// DRN.
    pub drn: u64,
    /// DVFS: one bit per SMX, and that of the GPU level.
    pub dvfs: u64,
    /// Drain counters.
    pub drain_counters: u64,
    /// Transition timers.
    pub timers: u64,
    /// Armed bits.
    pub armed: u64,
    /// GPU level: timer, direction, idle count.
    pub gpu_level: u64,
}

impl BubbleStorageBits {
    /// No controller.
    pub(crate) const NONE: Self =
        Self { dvr: 0, drn: 0, dvfs: 0, drain_counters: 0, timers: 0, armed: 0, gpu_level: 0 };

    /// The three registers, each rounded up to bytes: the source's 6 bytes for 13 SMXs (6.2.4).
    #[must_use]
    pub const fn register_bytes(&self) -> u64 {
        self.dvr.div_ceil(8) + self.drn.div_ceil(8) + self.dvfs.div_ceil(8)
    }

    /// What the source's own W and P call for besides the registers.
    #[must_use]
    pub const fn uncounted(&self) -> u64 {
        self.drain_counters + self.timers + self.armed + self.gpu_level
    }

    /// Everything.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.dvr + self.drn + self.dvfs + self.uncounted()
    }
}

/// Storage of a controller with this configuration.
///
/// ```
/// use gpusched::power::{BubbleConfig, bubble_storage_bits};
///
/// let bits = bubble_storage_bits(&BubbleConfig { transition_samples: 20, ..BubbleConfig::K20C });
/// assert_eq!((bits.register_bytes(), bits.uncounted()), (6, 137));
/// ```
#[must_use]
pub const fn bubble_storage_bits(config: &BubbleConfig) -> BubbleStorageBits {
    let smxs = config.smxs as u64;
    let timer = bits_for(config.transition_samples + 1);
    BubbleStorageBits {
        dvr: smxs,
        drn: smxs,
        dvfs: smxs + 1,
        drain_counters: smxs * bits_for(config.drain_samples),
        timers: smxs * timer,
        armed: smxs,
        gpu_level: timer + 1 + bits_for(config.gpu_idle_samples + 1),
    }
}
