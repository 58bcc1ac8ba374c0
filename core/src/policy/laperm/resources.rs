//! What TBs need and SMXs have, where the machine is used alone.

use crate::base::error::Fault;

/// Resources of one TB, or what is free on one SMX.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
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
    /// Whether a TB that needs `self` finds room in `free`.
    #[inline]
    #[must_use]
    pub const fn fits(&self, free: &Self) -> bool {
        self.threads <= free.threads && self.regs <= free.regs && self.smem <= free.smem && self.slots <= free.slots
    }

    /// `self` without `part`, which fits.
    #[inline]
    pub(super) const fn without(&self, part: &Self) -> Self {
        Self {
            threads: self.threads - part.threads,
            regs: self.regs - part.regs,
            smem: self.smem - part.smem,
            slots: self.slots - part.slots,
        }
    }

    /// `self` and `part` together, unless that is more than `most`.
    #[inline]
    pub(super) fn with(&self, part: &Self, most: &Self) -> Option<Self> {
        let sum = Self {
            threads: self.threads.checked_add(part.threads)?,
            regs: self.regs.checked_add(part.regs)?,
            smem: self.smem.checked_add(part.smem)?,
            slots: self.slots.checked_add(part.slots)?,
        };
        sum.fits(most).then_some(sum)
    }

    /// What the sheet asks of any TB (laperm-R1).
    pub(super) fn check(&self) -> Result<(), Fault> {
        if self.threads == 0 || self.slots == 0 { Err(Fault::BadResources) } else { Ok(()) }
    }
}
