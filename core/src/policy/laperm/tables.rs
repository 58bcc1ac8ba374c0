//! LaPerm's tables.

use crate::base::free_map;
use crate::base::home::tables;
use crate::base::resources::Resources;
use crate::policy::laperm::Work;
use crate::policy::laperm::config::Config;
use crate::policy::laperm::kmu::Kde;
use crate::policy::laperm::list::Entry;
use crate::policy::laperm::queues::{self, Section, UnitQueue};
use crate::policy::laperm::visit::Backup;

tables! {
    /// Entries on chip and in memory.
    Entries entries: Entry<Work>;
    /// Map of free entries.
    FreeWords free_words: u64;
    /// Sections of all units, and that of host kernels.
    Sections sections: Section;
    /// Units.
    Units units: UnitQueue;
    /// Free resources: `smxs`.
    Smxs smxs: Resources;
    /// Backup records: `smxs`.
    Backups backups: Backup;
    /// Kernel distributor entries: `kdu_entries` in `cdp`, else none.
    Kdes kdes: Kde;
}

impl TableSizes {
    /// What a configuration within its ranges needs.
    #[must_use]
    pub const fn of(config: &Config) -> Self {
        Self {
            entries: queues::capacity(config) as usize,
            free_words: free_map::words(queues::capacity(config)),
            sections: queues::sections(config) as usize,
            units: config.units() as usize,
            smxs: config.smxs as usize,
            backups: config.smxs as usize,
            kdes: config.kdus() as usize,
        }
    }
}
