//! What the hardware would cost: bits of storage, laid out as the sheet does (`tlp`, Structures).

use super::config::TlpConfig;
use super::smart_even::MAX_SHARERS;
use crate::base::storage::bits_for;

/// Storage of one [`TlpSm`](super::TlpSm) in bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TlpSmStorageBits {
    /// Descriptors of both kernels, which came first, and the mode.
    pub kernels: u64,
    /// Tb, By, By_cur and res of both.
    pub targets: u64,
    /// The slot map with tags, and the cohort.
    pub slots: u64,
    /// Phase, last event, start and end of the period.
    pub period: u64,
    /// The six utilisations, and the number of periods.
    pub history: u64,
    /// What is tried, and the stalls that it is compared with.
    pub learning: u64,
}

impl TlpSmStorageBits {
    /// What the source counts (4.5): six 4-bit and ten 32-bit registers, 43 bytes. They do not hold the algorithm: targets take values
    /// from 0 to 16, the LD/ST and SP history of each kernel and the stalls without bypassing are missing, and so are tags, cohort and
    /// timer.
    pub const OF_SOURCE: u64 = 6 * 4 + 10 * 32;

    /// Everything.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.kernels + self.targets + self.slots + self.period + self.history + self.learning
    }
}

/// Storage of all units in bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TlpStorageBits {
    /// Each SM's part.
    pub sm: TlpSmStorageBits,
    /// [`Pool`](super::Pool).
    pub pool: u64,
    /// [`LeftOver`](super::LeftOver).
    pub left_over: u64,
    /// [`SmartEven`](super::SmartEven).
    pub smart_even: u64,
    /// [`Smc`](super::Smc).
    pub smc: u64,
}

impl TlpStorageBits {
    /// Each SM's part together.
    #[must_use]
    pub const fn sm_total(&self) -> u64 {
        self.sm.total()
    }

    /// Of each SM's part, what the source counts.
    #[must_use]
    pub const fn sm_of_source(&self) -> u64 {
        TlpSmStorageBits::OF_SOURCE
    }
}

/// Storage of each unit with this configuration.
///
/// ```
/// use gpusched::tlp::{TlpConfig, TlpSmStorageBits, tlp_storage_bits};
///
/// assert_eq!(TlpSmStorageBits::OF_SOURCE, 43 * 8);
/// assert_eq!(tlp_storage_bits(&TlpConfig::GTX480).sm.total(), 217 + 48 + 32 + 194 + 208 + 522);
/// ```
#[must_use]
pub const fn tlp_storage_bits(config: &TlpConfig) -> TlpStorageBits {
    let needs = 3 * 32;
    // A number of TBs of an SM, as the sheet has it.
    let (tbs, sm) = (6, bits_for(config.sms));
    let (kind, pref, opt, live, first, mode) = (2, 1, 8, 1, 1, 2);
    let (phase, time, share, periods) = (2, 64, 32, 16);
    let (learn, chosen, stall) = (3, 1, 64 + 64);
    let (valid, ready, count, seq) = (1, 1, 32, 64);
    TlpStorageBits {
        sm: TlpSmStorageBits {
            kernels: 2 * (needs + kind + opt + live) + first + mode,
            targets: 8 * tbs,
            slots: 4 * config.slots as u64,
            period: phase + 3 * time,
            history: 6 * share + periods,
            learning: learn + chosen + tbs + 4 * stall,
        },
        pool: config.pool_cap as u64 * (valid + ready + kind + pref + seq),
        // Needs, TBs, next, finished, order; then TBs per SM and kernel, and the pointer.
        left_over: config.qcap as u64 * (valid + needs + 3 * count + seq + tbs * config.sms as u64) + sm,
        // Owner (4 bits) and TBs of each SM; most TBs per SM, TBs, next and finished of each kernel; the pointer.
        smart_even: config.sms as u64 * (4 + tbs) + MAX_SHARERS as u64 * (tbs + 3 * count) + sm,
        // Two proposals: the split and the TBs of both kernels; how good the best is; the phase.
        smc: 2 * (sm + 2 * tbs) + 64 + 3,
    }
}
