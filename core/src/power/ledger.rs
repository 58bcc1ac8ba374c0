//! What each SMX holds: the controller's view of it, and a ledger for hosts without one.

use crate::base::error::Fault;
use crate::base::id::SmxId;
use crate::base::resources::Resources;
use crate::base::table::{Rows, Table};
use crate::power::config::BubbleConfig;

/// Who knows what each SMX holds: the one residency of a GPU, of which this is a view. It is asked only for SMXs that exist.
pub trait Ledger {
    /// Resident warps.
    fn warps(&self, smx: SmxId) -> u32;
    /// Whether no TB is resident.
    fn is_idle(&self, smx: SmxId) -> bool;
    /// Whether a TB finds room.
    fn fits(&self, smx: SmxId, res: &Resources) -> bool;
}

/// TBs and warps that an SMX holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Resident {
    /// TBs.
    pub tbs: u32,
    /// Warps.
    pub warps: u32,
}

/// What one SMX holds and has free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SmxLedger {
    /// What is free.
    pub free: Resources,
    /// What is resident.
    pub resident: Resident,
}

/// The ledger of a host that reports each TB.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct OwnLedger<S> {
    pub(super) smxs: Table<SmxId, SmxLedger, S>,
}

impl<S: Rows<SmxLedger>> OwnLedger<S> {
    pub(super) fn new(rows: S, config: &BubbleConfig) -> Self {
        let mut smxs = Table::new(rows);
        for s in config.smx_ids() {
            smxs[s] = SmxLedger { free: config.capacity(), ..SmxLedger::default() };
        }
        Self { smxs }
    }

    pub(super) fn smx(&self, s: SmxId) -> &SmxLedger {
        &self.smxs[s]
    }

    /// A TB of checked resources starts.
    pub(super) fn take(&mut self, s: SmxId, res: &Resources, config: &BubbleConfig) -> Result<Resident, Fault> {
        let SmxLedger { free, resident } = &mut self.smxs[s];
        if !res.fits(free) {
            return Err(Fault::NoFit);
        }
        *free = free.without(res);
        // A host that gives back TBs in other shapes than it started them in can let these grow.
        resident.tbs = resident.tbs.saturating_add(1);
        resident.warps = resident.warps.saturating_add(res.warps(config.warp_size));
        Ok(*resident)
    }

    /// A TB ends.
    pub(super) fn give(&mut self, s: SmxId, res: &Resources, config: &BubbleConfig) -> Result<Resident, Fault> {
        res.check()?;
        let SmxLedger { free, resident } = &mut self.smxs[s];
        let used = config.capacity().without(free);
        let left = Resident {
            tbs: resident.tbs.checked_sub(1).ok_or(Fault::ReleaseUnderflow)?,
            warps: resident.warps.checked_sub(res.warps(config.warp_size)).ok_or(Fault::ReleaseUnderflow)?,
        };
        if !res.fits(&used) {
            return Err(Fault::ReleaseUnderflow);
        }
        *free = config.capacity().without(&used.without(res));
        *resident = left;
        Ok(left)
    }
}

impl<S: Rows<SmxLedger>> Ledger for OwnLedger<S> {
    fn warps(&self, smx: SmxId) -> u32 {
        self.smx(smx).resident.warps
    }

    fn is_idle(&self, smx: SmxId) -> bool {
        self.smx(smx).resident.tbs == 0
    }

    fn fits(&self, smx: SmxId, res: &Resources) -> bool {
        res.fits(&self.smx(smx).free)
    }
}
