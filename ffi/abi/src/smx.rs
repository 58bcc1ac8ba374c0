//! What the machines say about SMXs in the same way: sets of them, shapes, what a TB takes of one, energy.

use core::mem::offset_of;

use gpusched::{Cluster, Dim3, Resources};

use crate::convert::{FromC, ToC};

/// A set of SMXs: bit b of word w is SMX 64 w + b.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_smx_set {
    /// 256 bits.
    pub words: [u64; 4],
}

/// A set of GPCs: bit b of word w is GPC 64 w + b.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_gpc_set {
    /// 256 bits.
    pub words: [u64; 4],
}

/// Clusters of TBs that start together in one GPC: TBs in each dimension; none if all are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_cluster {
    /// TBs in x.
    pub x: u8,
    /// TBs in y.
    pub y: u8,
    /// TBs in z.
    pub z: u8,
    /// If not 0, it may be as large as cluster_largest, else as cluster_portable.
    pub nonportable: u8,
}

// It lies within what is read in place.
const _: () = assert!(
    size_of::<gpusched_cluster>() == size_of::<Cluster>()
        && offset_of!(gpusched_cluster, x) == offset_of!(Cluster, x)
        && offset_of!(gpusched_cluster, y) == offset_of!(Cluster, y)
        && offset_of!(gpusched_cluster, z) == offset_of!(Cluster, z)
        && offset_of!(gpusched_cluster, nonportable) == offset_of!(Cluster, nonportable)
);

/// Extent in three dimensions: of a grid in TBs, or of a TB in threads.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_dim3 {
    /// First dimension.
    pub x: u32,
    /// Second dimension.
    pub y: u32,
    /// Third dimension.
    pub z: u32,
}

// It lies within what is read in place.
const _: () = assert!(
    size_of::<gpusched_dim3>() == size_of::<Dim3>()
        && offset_of!(gpusched_dim3, x) == offset_of!(Dim3, x)
        && offset_of!(gpusched_dim3, y) == offset_of!(Dim3, y)
        && offset_of!(gpusched_dim3, z) == offset_of!(Dim3, z)
);

/// Energy in mW x cycles, 128 bits wide: 2^64 hi + lo. A cycle lasts 1/f_high_mhz us.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_energy {
    /// The low 64 bits.
    pub lo: u64,
    /// The high 64 bits.
    pub hi: u64,
}

/// Resources of one TB, or what is free on one SMX.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_resources {
    /// Threads.
    pub threads: u32,
    /// Registers.
    pub regs: u32,
    /// Shared memory, bytes.
    pub smem: u32,
    /// TB slots.
    pub slots: u32,
}

impl ToC for Resources {
    type C = gpusched_resources;

    #[inline]
    fn to_c(&self) -> gpusched_resources {
        let &Self { threads, regs, smem, slots } = self;
        gpusched_resources { threads, regs, smem, slots }
    }
}

impl FromC for Resources {
    type C = gpusched_resources;

    #[inline]
    fn from_c(gpusched_resources { threads, regs, smem, slots }: gpusched_resources) -> Self {
        Self { threads, regs, smem, slots }
    }
}
