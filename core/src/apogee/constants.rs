//! What follows from a configuration, calculated once.

use super::config::{ApogeeConfig, LalScope};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Constants {
    /// All lanes of a warp.
    pub(super) full_mask: u64,
    /// Bits that no address has.
    pub(super) outside: u64,
    /// Of an address: what is above the place in its line.
    pub(super) line_shift: u32,
    /// The bits of an address that are those of its line.
    pub(super) line_mask: u64,
    /// The last lane of a warp.
    pub(super) last_lane: u8,
    /// The greatest confidence.
    pub(super) max_confidence: u16,
    /// Of a warp's number: that of its last accessed load's register.
    pub(super) lal_mask: u16,
    /// The thread index that marks scalar rows.
    pub(super) scalar: u8,
}

impl Constants {
    /// Those of a checked configuration.
    pub(super) const fn of(config: &ApogeeConfig) -> Self {
        Self {
            full_mask: config.full_mask(),
            outside: u64::MAX << config.addr_bits,
            line_shift: config.line_bytes.trailing_zeros(),
            line_mask: !(config.line_bytes as u64 - 1),
            last_lane: (config.warp_size - 1) as u8,
            max_confidence: config.max_confidence() as u16,
            lal_mask: match config.lal {
                LalScope::Warp => u16::MAX,
                LalScope::Sm => 0,
            },
            scalar: config.scalar() as u8,
        }
    }
}
