//! What LaPerm costs in hardware: bits of storage (`laperm`, Structures and Overhead check).

use crate::base::resources::Resources;
use crate::base::storage::bits_for;
use crate::policy::laperm::config::{Config, Policy};

/// An entry: 24 bytes (5.2.5).
const ENTRY_BITS: u64 = 8 * 24;
/// The count of stage-3 dispatches since a selection.
const RUN_BITS: u64 = 16;

/// Storage in bits, part by part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StorageBits {
    /// The units' queues.
    pub unit_queues: u64,
    /// Queue 0.
    pub queue0: u64,
    /// The first index of every section but the highest.
    pub section_pointers: u64,
    /// The pointer to the SMX that is visited next.
    pub visit_pointer: u64,
    /// Backup records, with their counts if there is a limit.
    pub backups: u64,
    /// The KMU's pointer.
    pub kmu_pointer: u64,
    /// The mask.
    pub mask: u64,
    /// Free resources of the SMXs, which the baseline has as well.
    pub baseline: u64,
    /// Overflow or pending lists, in memory.
    pub off_chip: u64,
}

impl StorageBits {
    /// No machine.
    pub(crate) const NONE: Self = Self {
        unit_queues: 0,
        queue0: 0,
        section_pointers: 0,
        visit_pointer: 0,
        backups: 0,
        kmu_pointer: 0,
        mask: 0,
        baseline: 0,
        off_chip: 0,
    };

    /// The source's figure: all queues on chip.
    #[must_use]
    pub const fn queues(&self) -> u64 {
        self.unit_queues + self.queue0
    }

    /// What LaPerm adds on chip.
    #[must_use]
    pub const fn on_chip(&self) -> u64 {
        self.queues() + self.section_pointers + self.visit_pointer + self.backups + self.kmu_pointer + self.mask
    }
}

/// Storage of LaPerm with this configuration.
///
/// ```
/// use gpusched::laperm::{Config, Model, storage_bits};
///
/// // 5.2.5: 128 entries of 24 bytes per SMX, and queue 0.
/// let bits = storage_bits(&Config::K20C);
/// assert_eq!(bits.unit_queues, 8 * 13 * 3072);
/// assert_eq!(bits.queues(), 8 * 40_704);
/// assert_eq!((bits.section_pointers, bits.backups), (8 * 39, 65));
/// // Of an SMX's registers, shared memory and L1 cache that is about 1 %.
/// assert_eq!(10_000 * 3072 / ((256 + 64) * 1024), 93);
/// // Kernels on chip are at most as many as the kernel distributor's entries.
/// let cdp = storage_bits(&Config { model: Model::Cdp, ..Config::K20C });
/// assert_eq!(cdp.unit_queues, 8 * 13 * 768);
/// ```
#[must_use]
pub const fn storage_bits(config: &Config) -> StorageBits {
    let (smxs, units) = (config.smxs as u64, config.units() as u64);
    let cap = config.unit_cap();
    let Resources { threads, regs, smem, slots } = config.capacity();
    let run = if config.backup_limit > 0 { RUN_BITS } else { 0 };
    StorageBits {
        unit_queues: units * cap as u64 * ENTRY_BITS,
        queue0: config.queue0_cap() as u64 * ENTRY_BITS,
        section_pointers: units * (config.sections() as u64 - 1) * bits_for(cap + 1),
        visit_pointer: bits_for(config.smxs),
        backups: match config.policy {
            Policy::AdaptiveBind => smxs * (bits_for(config.units()) + 1 + run),
            _ => 0,
        },
        kmu_pointer: if config.kdus() > 0 { bits_for(config.units()) } else { 0 },
        mask: smxs,
        baseline: smxs * (bits_for(threads + 1) + bits_for(regs + 1) + bits_for(smem + 1) + bits_for(slots + 1)),
        off_chip: config.pool_cap as u64 * ENTRY_BITS,
    }
}
