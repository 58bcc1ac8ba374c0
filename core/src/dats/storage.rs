//! What the hardware would cost: bits of storage, laid out as the sheet does (`dats`, Structures).

use super::config::DgbConfig;
use crate::base::storage::bits_for;

/// Storage in bits, part by part. Registers are not counted, as the source does not count them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DgbStorageBits {
    /// Local node array and node state table, entries rounded up to whole words of 64 bits.
    pub lna: u64,
    /// Local edge array.
    pub lea: u64,
    /// Pending update buffer.
    pub pub_entries: u64,
    /// Node insertion buffer.
    pub nib: u64,
}

impl DgbStorageBits {
    /// No buffer.
    pub(crate) const NONE: Self = Self { lna: 0, lea: 0, pub_entries: 0, nib: 0 };

    /// Everything.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.lna + self.lea + self.pub_entries + self.nib
    }
}

/// Storage of a buffer with this configuration.
///
/// ```
/// use gpusched::dats::{DgbConfig, dgb_storage_bits};
///
/// // The source's 2304 bytes (5.4).
/// assert_eq!(dgb_storage_bits(&DgbConfig::GTX480).total() / 8, 2304);
/// ```
#[must_use]
pub const fn dgb_storage_bits(config: &DgbConfig) -> DgbStorageBits {
    // State 2, TB ended 1, childless 1, parents 16, level 16, VID 16, and the start in the edge array.
    let node = 52 + bits_for(config.lea);
    DgbStorageBits {
        lna: node.next_multiple_of(64) * config.lna as u64,
        lea: 16 * config.lea as u64,
        pub_entries: 16 * config.pub_entries as u64,
        nib: 8 * config.chunk_bytes as u64,
    }
}
