//! The parameters of LaPerm (sheet `laperm`, Parameters).

use crate::base::id::{SmxId, UnitId};
use crate::base::parameter::{self, ConfigError, choice, parameters};
use crate::base::resources::Resources;
use crate::base::set::SmxSet;
use crate::policy::laperm::Entry;

choice! {
    /// Which TBs go first, and where they may go.
    pub enum Policy {
        /// The baseline: one FIFO for all, no priorities, no binding.
        Rr,
        /// Children before their parents, on any SMX.
        TbPri,
        /// Children before their parents, on the SMXs of their parent's unit only.
        SmxBind,
        /// As [`Policy::SmxBind`], but an SMX that has nothing else to do takes children of other units.
        #[default]
        AdaptiveBind,
    }
}
choice! {
    /// What a device-side launch creates.
    pub enum Model {
        /// TB groups: visible to the scheduler at once, beyond the on-chip queues in overflow lists.
        #[default]
        Dtbl,
        /// Kernels: pending in memory until the KMU moves them into one of the kernel distributor's entries.
        Cdp,
    }
}
choice! {
    /// How many SMXs one cycle visits.
    pub enum Visit {
        /// One.
        #[default]
        Step,
        /// As many as it takes to find one that takes a TB.
        Skip,
    }
}
choice! {
    /// What a candidate that does not fit does to later stages (laperm-A4).
    pub enum NoFit {
        /// It waits, and the visit ends.
        #[default]
        Block,
        /// Later stages are tried.
        TryNext,
    }
}
choice! {
    /// Who goes to the overflow list when a unit's queue is full (laperm-A3).
    pub enum Spill {
        /// The new entry.
        #[default]
        New,
        /// The last entry of the lowest level, if the new one is of a higher level.
        Lowest,
    }
}
choice! {
    /// Which unit becomes an SMX's backup (laperm-A5).
    pub enum BackupSelect {
        /// The next one with a candidate, from the SMX's own on.
        #[default]
        Next,
        /// The lowest one with a candidate.
        Lowest,
        /// One whose candidate has the highest level.
        HighestPrio,
    }
}

choice! {
    /// Who times a refill from an overflow list (laperm-R14).
    pub enum RefillMode {
        /// It takes `refill_cycles`.
        #[default]
        Fixed,
        /// The host answers with `refilled`.
        External,
    }
}

parameters! {
    /// Parameters of LaPerm. `Default` is the K20c.
    pub struct Config;
    /// The Tesla K20c, Tables 4 and 5 and section 5.2.5 of the source.
    pub const K20C;
    numbers {
        /// SMXs.
        smxs: "SMXs" = 13 in 1..=256, Paper "Table 4";
        /// SMXs that share an L1 cache, and so a queue; at most `smxs`.
        cluster: "SMXs" = 1 in 1..=256, Paper "5.2.2";
        /// L: the deepest nesting level that has a priority of its own.
        levels: "levels" = 4 in 1..=24, Ours "5.2.1 names L, gives no value";
        /// On-chip entries of a unit's queue; `kdu_entries` in `cdp`.
        queue_cap: "entries" = 128 in 1..=4096, Paper "5.2.5";
        /// Entries of queue 0; `kdu_entries` in `cdp`.
        q0_cap: "entries" = 32 in 1..=256, Paper "5.2.5";
        /// Entries in memory, overflow or pending, of all units together.
        pool_cap: "entries" = 4096 in 0..=1_048_640, Ours "5.2.5 calls it flexible";
        /// `cdp`: entries of the kernel distributor.
        kdu_entries: "entries" = 32 in 1..=256, Paper "Table 4";
        /// Stage-3 dispatches before a backup is given up and backups take turns; 0 = never.
        backup_limit: "TBs" = 0 in 0..=65535, Paper "0 is the source's rule";
        /// From an overflow list to the chip, with `refill_mode` fixed.
        refill_cycles: "cycles" = 0 in 0..=65535, Ours "5.2.5 leaves it to the memory";
        /// `cdp`: from the KMU to the kernel distributor.
        kmu_dispatch_cycles: "cycles" = 283 in 0..=65535, Paper "Table 5";
        /// Threads of an SMX.
        smx_threads: "threads" = 2048 in 1..=1_048_576, Paper "Table 4";
        /// Registers of an SMX.
        smx_regs: "registers" = 65536 in 1..=16_777_216, Paper "Table 4";
        /// Shared memory of an SMX.
        smx_smem: "bytes" = 49152 in 0..=16_777_216, Paper "Table 4";
        /// TB slots of an SMX.
        smx_slots: "TBs" = 16 in 1..=1024, Paper "Table 4";
    }
    choices {
        /// Which TBs go first, and where they may go.
        policy: Policy = Policy::AdaptiveBind;
        /// What a device-side launch creates.
        model: Model = Model::Dtbl;
        /// How many SMXs one cycle visits.
        visit: Visit = Visit::Step;
        /// What a candidate that does not fit does to later stages.
        no_fit: NoFit = NoFit::Block;
        /// Who goes to the overflow list when a unit's queue is full.
        spill: Spill = Spill::New;
        /// Which unit becomes an SMX's backup.
        backup_select: BackupSelect = BackupSelect::Next;
        /// Whether the search for an entry's place in its queue takes time that can be seen.
        charge_insert: bool = false;
        /// Who times a refill from an overflow list; of no account in `cdp`.
        refill_mode: RefillMode = RefillMode::Fixed;
    }
}

impl Config {
    /// Checks every range.
    ///
    /// # Errors
    /// The first parameter, in the order of [`Config::PARAMETERS`], that is out of its range; then a cluster of more SMXs than
    /// there are.
    pub fn check(&self) -> Result<(), ConfigError> {
        parameter::check(self.values())?;
        parameter::check_limits(self.values(), &[("cluster", self.smxs)])
    }

    /// Whether a child is bound to its parent's unit, at least at first.
    #[must_use]
    pub const fn binds(&self) -> bool {
        matches!(self.policy, Policy::SmxBind | Policy::AdaptiveBind)
    }

    /// U: units, each with a queue. The SMXs of a unit are neighbours; the last unit may have fewer.
    #[must_use]
    pub const fn units(&self) -> u32 {
        // The cluster of a checked configuration is not 0; an unchecked one must not divide by it either.
        match self.smxs.saturating_add(self.cluster).saturating_sub(1).checked_div(self.cluster) {
            Some(units) if self.binds() => units,
            _ => 1,
        }
    }

    /// The unit of an SMX.
    #[must_use]
    #[inline]
    pub const fn unit_of(&self, smx: SmxId) -> UnitId {
        match (smx.0 as u32).checked_div(self.cluster) {
            Some(unit) if self.binds() => UnitId(unit as u16),
            _ => UnitId(0),
        }
    }

    /// Sections of a unit's queue: one per level, or one in all.
    #[must_use]
    pub const fn sections(&self) -> u32 {
        match self.policy {
            Policy::Rr => 1,
            _ => self.levels,
        }
    }

    /// The section of a unit's queue in which work of a level waits.
    pub(crate) const fn section(&self, level: u8) -> u8 {
        match self.policy {
            Policy::Rr => 1,
            _ => level,
        }
    }

    /// Work of level `prio` whose parent ran on `psmx`; that of a host kernel waits in queue 0, but for the baseline.
    pub(crate) fn entry_of<W>(&self, work: W, tbs: u32, prio: u8, psmx: Option<SmxId>) -> Entry<W> {
        match psmx {
            None if self.policy != Policy::Rr => Entry::host(work, tbs),
            _ => Entry::of_unit(work, tbs, prio, self.unit_of(psmx.unwrap_or_default()), self.section(prio)),
        }
    }

    /// Entries of a unit's queue.
    #[must_use]
    pub const fn unit_cap(&self) -> u32 {
        match self.model {
            Model::Dtbl => self.queue_cap,
            Model::Cdp => self.kdu_entries,
        }
    }

    /// Cycles that an entry waits at most for its first one: its refill, or its way past those before it (laperm-R4, laperm-R9).
    pub(crate) fn longest_wait(&self) -> u32 {
        self.refill_cycles.max(if self.charge_insert { self.unit_cap() } else { 0 })
    }

    /// Entries of queue 0. Under `rr` there is none.
    #[must_use]
    pub const fn queue0_cap(&self) -> u32 {
        match (self.policy, self.model) {
            (Policy::Rr, _) => 0,
            (_, Model::Dtbl) => self.q0_cap,
            (_, Model::Cdp) => self.kdu_entries,
        }
    }

    /// Entries of the kernel distributor that the machine counts; in `dtbl` they are not its affair.
    #[must_use]
    pub const fn kdus(&self) -> u32 {
        match self.model {
            Model::Dtbl => 0,
            Model::Cdp => self.kdu_entries,
        }
    }

    /// What an empty SMX has.
    #[must_use]
    pub const fn capacity(&self) -> Resources {
        Resources { threads: self.smx_threads, regs: self.smx_regs, smem: self.smx_smem, slots: self.smx_slots }
    }

    /// The SMXs on which work of a unit may ever run (laperm-R13).
    #[must_use]
    pub fn allowed(&self, unit: Option<UnitId>) -> SmxSet {
        let all = SmxSet::first(self.smxs);
        match unit {
            Some(UnitId(u)) if self.policy == Policy::SmxBind => {
                let first = u32::from(u) * self.cluster;
                all.and(&SmxSet::first(first + self.cluster)).without(&SmxSet::first(first))
            }
            _ => all,
        }
    }
}
