//! Which TBs are resident: the slot map, and what is counted in it.

use crate::base::id::SlotId;
use crate::tlp::kernel::{KernelId, Which};

/// The TB in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ResidentTb {
    /// Its kernel.
    pub k: KernelId,
    /// Whether it bypasses L1.
    pub bypass: bool,
}

/// A bit per slot: it is taken, its TB is of kernel 1, its TB bypasses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Slots {
    pub(super) valid: u32,
    pub(super) kernel: u32,
    pub(super) tag: u32,
}

impl Slots {
    /// The slots of a kernel.
    const fn of(&self, k: Which) -> u32 {
        match k {
            Which::K0 => self.valid & !self.kernel,
            Which::K1 => self.kernel,
        }
    }

    /// res: its resident TBs.
    pub(super) const fn resident(&self, k: Which) -> u32 {
        self.of(k).count_ones()
    }

    /// By_cur: those of them that bypass.
    pub(super) const fn bypassing(&self, k: Which) -> u32 {
        (self.of(k) & self.tag).count_ones()
    }

    /// Puts a TB into the lowest free slot; there is one.
    pub(super) fn place(&mut self, k: Which, tag: bool) -> SlotId {
        let slot = SlotId(self.valid.trailing_ones() as u8);
        let bit = bit(slot);
        self.valid |= bit;
        self.kernel |= if k == Which::K1 { bit } else { 0 };
        self.tag |= if tag { bit } else { 0 };
        slot
    }

    /// The TB in a slot.
    pub(super) fn get(&self, slot: SlotId) -> Option<(Which, bool)> {
        let bit = bit(slot);
        let k = if self.kernel & bit == 0 { Which::K0 } else { Which::K1 };
        (self.valid & bit != 0).then_some((k, self.tag & bit != 0))
    }

    /// Empties a slot.
    pub(super) fn free(&mut self, slot: SlotId) {
        let others = !bit(slot);
        self.valid &= others;
        self.kernel &= others;
        self.tag &= others;
    }
}

/// The bit of a slot; none for a slot that no SM has.
pub(super) fn bit(slot: SlotId) -> u32 {
    1u32.checked_shl(slot.0.into()).unwrap_or(0)
}
