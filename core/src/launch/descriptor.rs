//! What is launched: the kernel descriptor and its checks.

/// Extent in three dimensions: of a grid in TBs, or of a TB in threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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
}

/// A kernel or aggregated group as the launch call gives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Descriptor {
    /// Program entry.
    pub pc: u64,
    /// Grid, in TBs. x at most 2^31-1, y and z at most 65535, the product at most 2^32-1.
    pub grid: Dim3,
    /// TB, in threads.
    pub tb: Dim3,
    /// Registers of one TB.
    pub regs: u32,
    /// Shared memory of one TB, in bytes.
    pub smem: u32,
    /// Address of the parameters; opaque.
    pub param: u32,
    /// The caller's name for this launch; opaque, and told back with every decision about it.
    pub tag: u64,
}
