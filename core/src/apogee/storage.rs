//! What the hardware would cost: bits of storage, laid out as the sheet does (`apogee`, Structures).

use super::config::ApogeeConfig;
use crate::base::storage::bits_for;

/// Storage in bits, part by part. Generations belong to the library, not to the hardware.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ApogeeStorageBits {
    /// One row of the prefetch table.
    pub row: u64,
    /// The prefetch table: what the source counts.
    pub table: u64,
    /// Last accessed loads: a PC and a valid bit each.
    pub last_loads: u64,
    /// Prefetch queue: line, row, warp, kind, and the cycles until it may leave.
    pub queue: u64,
}

impl ApogeeStorageBits {
    /// What the source's own design calls for besides the table.
    #[must_use]
    pub const fn uncounted(&self) -> u64 {
        self.last_loads + self.queue
    }

    /// Everything.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.table + self.uncounted()
    }
}

/// Storage of a machine with this configuration.
///
/// ```
/// use gpusched::apogee::{ApogeeConfig, apogee_storage_bits};
///
/// let bits = apogee_storage_bits(&ApogeeConfig::APOGEE_4);
/// assert_eq!((bits.row, bits.table), (76, 4864)); // Table 5.3a: 64 rows of 76 bits, 608 bytes.
/// assert_eq!(bits.uncounted(), 4 * 11 + 64 * (23 + 6 + 2 + 1 + 4));
/// let many = apogee_storage_bits(&ApogeeConfig { warps: 32, ..ApogeeConfig::APOGEE_4 });
/// assert_eq!(many.row - bits.row, 64 - 8); // Two bits of state for each warp.
/// ```
#[must_use]
pub const fn apogee_storage_bits(config: &ApogeeConfig) -> ApogeeStorageBits {
    let &ApogeeConfig { entries, warps, pc_bits, addr_bits, offset_bits, conf_bits, tidx_bits, dist_bits, .. } = config;
    let pf_type = 2;
    let row = (pc_bits + addr_bits + offset_bits + conf_bits + tidx_bits + dist_bits + pf_type + 2 * warps) as u64;
    // A line may be larger than the address space.
    let line = addr_bits.saturating_sub(config.line_bytes.trailing_zeros()) as u64;
    let request = line + bits_for(entries) + bits_for(warps) + 1 + bits_for(config.issue_latency + 1);
    ApogeeStorageBits {
        row,
        table: entries as u64 * row,
        last_loads: config.lals() as u64 * (pc_bits as u64 + 1),
        queue: config.pfq as u64 * request,
    }
}
