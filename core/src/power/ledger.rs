//! What each SMX holds: the controller's view of it, and a ledger for hosts without one.

use crate::base::error::Fault;
use crate::base::id::SmxId;
use crate::base::table::{Rows, Table};
use crate::power::config::BubbleConfig;

/// Resources of one TB, or what an SMX has free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Resources {
    /// Threads.
    pub threads: u32,
    /// Registers.
    pub regs: u32,
    /// Shared memory, bytes.
    pub smem: u32,
    /// TB slots.
    pub slots: u32,
}

impl Resources {
    /// What an empty SMX has.
    #[must_use]
    pub const fn of_smx(config: &BubbleConfig) -> Self {
        let &BubbleConfig { smx_threads, smx_regs, smx_smem, smx_slots, .. } = config;
        Self { threads: smx_threads, regs: smx_regs, smem: smx_smem, slots: smx_slots }
    }

    /// Whether every component is at most that of `room`.
    #[must_use]
    pub const fn fits(&self, room: &Self) -> bool {
        self.threads <= room.threads && self.regs <= room.regs && self.smem <= room.smem && self.slots <= room.slots
    }

    /// Warps of a TB, the last one perhaps partly filled.
    #[must_use]
    pub const fn warps(&self, warp_size: u32) -> u32 {
        match (self.threads.checked_div(warp_size), self.threads.checked_rem(warp_size)) {
            (Some(full), Some(rest)) => full + (rest > 0) as u32,
            _ => 0,
        }
    }

    /// What is left of `self` without `part`, which fits.
    const fn without(&self, part: &Self) -> Self {
        Self {
            threads: self.threads - part.threads,
            regs: self.regs - part.regs,
            smem: self.smem - part.smem,
            slots: self.slots - part.slots,
        }
    }

    /// What the sheet asks of any TB: threads and slots, and an SMX large enough.
    pub(super) fn check(&self, config: &BubbleConfig) -> Result<(), Fault> {
        self.check_amount()?;
        if self.fits(&Self::of_smx(config)) { Ok(()) } else { Err(Fault::TbTooBig) }
    }

    fn check_amount(&self) -> Result<(), Fault> {
        if self.threads == 0 || self.slots == 0 { Err(Fault::BadResources) } else { Ok(()) }
    }
}

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
            smxs[s] = SmxLedger { free: Resources::of_smx(config), ..SmxLedger::default() };
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
        res.check_amount()?;
        let SmxLedger { free, resident } = &mut self.smxs[s];
        let used = Resources::of_smx(config).without(free);
        let left = Resident {
            tbs: resident.tbs.checked_sub(1).ok_or(Fault::ReleaseUnderflow)?,
            warps: resident.warps.checked_sub(res.warps(config.warp_size)).ok_or(Fault::ReleaseUnderflow)?,
        };
        if !res.fits(&used) {
            return Err(Fault::ReleaseUnderflow);
        }
        *free = Resources::of_smx(config).without(&used.without(res));
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
