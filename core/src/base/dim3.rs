//! Grids and thread blocks: how far they reach.

/// Extent in three dimensions: of a grid in TBs, or of a TB in threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(C)]
pub struct Dim3 {
    /// First dimension.
    pub x: u32,
    /// Second dimension.
    pub y: u32,
    /// Third dimension.
    pub z: u32,
}

impl Dim3 {
    /// An extent in one dimension.
    #[must_use]
    pub const fn linear(x: u32) -> Self {
        Self { x, y: 1, z: 1 }
    }

    /// The product of the three, if it fits 32 bits.
    pub(crate) fn volume(self) -> Option<u32> {
        self.x.checked_mul(self.y)?.checked_mul(self.z)
    }

    /// The product of the three, if none is above its limit; the product of the limits fits 64 bits.
    pub(crate) const fn volume_within(self, most: Self) -> Option<u64> {
        // Three comparisons and no jump.
        let is_within = (self.x <= most.x) & (self.y <= most.y) & (self.z <= most.z);
        if is_within { Some(self.x as u64 * self.y as u64 * self.z as u64) } else { None }
    }

    pub(crate) const fn has_zero(self) -> bool {
        self.x == 0 || self.y == 0 || self.z == 0
    }
}
