//! What the hardware would cost: bits of storage, laid out as the sheet does (`mascar`, Structures; Table 4.2).

use super::config::MascarConfig;
use crate::base::storage::bits_for;

/// Bits of an entry of the queue without offsets and warp: base and destination.
const BASE_AND_DESTINATION: u64 = 64 + 7;

/// Storage in bits, part by part. What the source does not count is left out: thread masks, head descriptors, the LSU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MascarStorageBits {
    /// Warp Readiness Checker: the owner, or none.
    pub wrc: u64,
    /// Warp Status Table: mem and stall bit of each warp.
    pub wst: u64,
    /// Re-execution queue.
    pub rexq: u64,
}

impl MascarStorageBits {
    /// Everything.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.wrc + self.wst + self.rexq
    }
}

/// Storage of one SM's machine with this configuration.
///
/// ```
/// use gpusched::mascar::{MascarConfig, MascarStorageBits, mascar_storage_bits};
///
/// let bits = mascar_storage_bits(&MascarConfig::GTX480);
/// assert_eq!(bits, MascarStorageBits { wrc: 6, wst: 96, rexq: 32 * 301 });
/// assert_eq!(bits.total(), 9734);
/// ```
#[must_use]
pub const fn mascar_storage_bits(config: &MascarConfig) -> MascarStorageBits {
    let offsets = 7 * config.warp_size as u64;
    MascarStorageBits {
        wrc: bits_for(config.warps + 1),
        wst: 2 * config.warps as u64,
        rexq: config.rexq as u64 * (BASE_AND_DESTINATION + offsets + bits_for(config.warps)),
    }
}
