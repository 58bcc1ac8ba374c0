//! What TBs need and SMXs have: one TB's share, or what is free on one SMX.

use super::error::Fault;

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
    /// catalogue-N5, modern-C6: how many TBs that need `self` find room in `free`. What they need nothing of is no limit.
    pub(crate) fn times_in(&self, free: &Self) -> u32 {
        let of = |free: u32, need| free.checked_div(need).unwrap_or(u32::MAX);
        let [slots, threads] = [of(free.slots, self.slots), of(free.threads, self.threads)];
        slots.min(threads).min(of(free.regs, self.regs)).min(of(free.smem, self.smem))
    }

    /// Whether a TB that needs `self` finds room in `free`.
    #[inline]
    #[must_use]
    pub const fn fits(&self, free: &Self) -> bool {
        self.threads <= free.threads && self.regs <= free.regs && self.smem <= free.smem && self.slots <= free.slots
    }

    /// `self` without `part`, which fits.
    #[inline]
    pub(crate) const fn without(&self, part: &Self) -> Self {
        Self {
            threads: self.threads - part.threads,
            regs: self.regs - part.regs,
            smem: self.smem - part.smem,
            slots: self.slots - part.slots,
        }
    }

    /// `self` and `part` together, unless that is more than `most`.
    #[inline]
    pub(crate) fn with(&self, part: &Self, most: &Self) -> Option<Self> {
        let sum = Self {
            threads: self.threads.checked_add(part.threads)?,
            regs: self.regs.checked_add(part.regs)?,
            smem: self.smem.checked_add(part.smem)?,
            slots: self.slots.checked_add(part.slots)?,
        };
        sum.fits(most).then_some(sum)
    }

    /// Warps of a TB, the last one perhaps partly filled.
    #[must_use]
    pub const fn warps(&self, warp_size: u32) -> u32 {
        match (self.threads.checked_div(warp_size), self.threads.checked_rem(warp_size)) {
            (Some(full), Some(rest)) => full + (rest > 0) as u32,
            _ => 0,
        }
    }

    /// What is asked of any TB (laperm-R1): threads and slots.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        if self.threads == 0 || self.slots == 0 { Err(Fault::BadResources) } else { Ok(()) }
    }
}
