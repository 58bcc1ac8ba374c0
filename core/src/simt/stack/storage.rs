//! What the hardware would cost: bits of storage, laid out as the sheet does (`models`, Structures).

use super::config::StackConfig;
use crate::base::storage::bits_for;

/// Storage of a warp in bits. The source gives no figure of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StackStorageBits {
    /// PC, mask, and whether the warp is live.
    pub registers: u64,
    /// The entries: reconvergence PC, mask and next PC each.
    pub entries: u64,
    /// How many of them are in use, which the sheet does not count.
    pub pointer: u64,
}

impl StackStorageBits {
    /// Everything.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.registers + self.entries + self.pointer
    }
}

/// Storage of a warp with this configuration.
///
/// ```
/// use gpusched::simt::stack::{StackConfig, stack_storage_bits};
///
/// let bits = stack_storage_bits(&StackConfig::WARP_32);
/// assert_eq!((bits.entries, bits.entries / 8), (5952, 744)); // 62 entries of 96 bits.
/// ```
#[must_use]
pub const fn stack_storage_bits(config: &StackConfig) -> StackStorageBits {
    let (pc, mask, live) = (32, config.lanes as u64, 1);
    StackStorageBits {
        registers: pc + mask + live,
        entries: config.depth as u64 * (pc + mask + pc),
        pointer: bits_for(config.depth + 1),
    }
}
