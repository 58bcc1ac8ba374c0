//! What is launched: the kernel descriptor and its checks.

use crate::base::dim3::Dim3;
use crate::base::error::Fault;
use crate::config::Config;
use crate::config::modern::ClusterPart;
use crate::smx::residency::Need;

/// A kernel or aggregated group as the launch call gives it. Its fields lie as in C, so that C callers' arrays are read in place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(C)]
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
    /// Clusters in which its TBs start together; none if all is 0.
    pub cluster: Cluster,
    /// The caller's name for this launch; opaque, and told back with every decision about it.
    pub tag: u64,
}

/// TBs of a grid that start together in one GPC (sheet `modern`, Clusters). One without any dimension, or of one TB, is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(C)]
pub struct Cluster {
    /// TBs in x.
    pub x: u8,
    /// TBs in y.
    pub y: u8,
    /// TBs in z.
    pub z: u8,
    /// If not 0, it may be as large as the machine allows at most, rather than as large as is portable.
    pub nonportable: u8,
}

/// The dimensions of a cluster of one TB, which is none.
const ONE_TB: u32 = 0x01_01_01;

impl Cluster {
    /// None.
    pub const NONE: Self = Self { x: 0, y: 0, z: 0, nonportable: 0 };

    /// A cluster of these dimensions, which is portable. No machine takes one with 255 TBs or more in a dimension, so there is no greater
    /// number.
    #[must_use]
    pub fn new(x: u32, y: u32, z: u32) -> Self {
        let dim = |n: u32| n.min(u8::MAX.into()) as u8;
        Self { x: dim(x), y: dim(y), z: dim(z), nonportable: 0 }
    }

    /// Its dimensions as one number.
    const fn dimensions(self) -> u32 {
        u32::from_le_bytes([self.x, self.y, self.z, 0])
    }

    /// Whether there is one at all.
    pub(crate) const fn is_given(self) -> bool {
        self.dimensions() != 0
    }

    /// Whether its TBs start together: it is of more than one.
    pub(crate) const fn is_of_many(self) -> bool {
        self.key() != 0
    }

    /// Its TBs: 1 for none.
    #[must_use]
    pub const fn size(self) -> u32 {
        if self.is_given() { self.x as u32 * self.y as u32 * self.z as u32 } else { 1 }
    }

    /// What two kernels share that have clusters alike, or none.
    pub(crate) const fn key(self) -> u32 {
        if self.dimensions() == ONE_TB { 0 } else { self.dimensions() }
    }

    /// modern-V5, of a kernel with this grid on a machine with `part`.
    pub(crate) fn check(self, grid: Dim3, part: Option<&ClusterPart>) -> Result<(), Fault> {
        if !self.is_given() {
            return Ok(());
        }
        let part = part.ok_or(Fault::NoClusters)?;
        self.check_size(part)?;
        let whole = |tbs: u32, of: u8| tbs.checked_rem(of.into()) == Some(0);
        let fits = whole(grid.x, self.x) && whole(grid.y, self.y) && whole(grid.z, self.z);
        if fits { Ok(()) } else { Err(Fault::ClusterGrid) }
    }

    /// Of modern-V5 what is asked of the cluster alone.
    pub(crate) fn check_size(self, part: &ClusterPart) -> Result<(), Fault> {
        let most = if self.nonportable > 0 { part.largest } else { part.portable };
        match self.size() {
            0 => Err(Fault::EmptyCluster),
            size if size > most => Err(Fault::ClusterTooBig),
            _ => Ok(()),
        }
    }
}

/// Limits of a grid, Table 1 of the source and dtbl-V2: 31, 16 and 16 bits, and a product that NextBL can count.
const MAX_GRID: Dim3 = Dim3 { x: 0x7fff_ffff, y: 0xffff, z: 0xffff };

/// A descriptor that passed the checks, in numbers that the schedulers count with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shape {
    /// TBs of the grid.
    pub total: u32,
    /// Resources of one TB.
    pub need: Need,
}

/// A number as a place in an extent of three dimensions whose first two are these; x fastest.
fn place(n: u32, x: u32, y: u32) -> Dim3 {
    let (rest, at) = (n.checked_div(x).unwrap_or(0), n.checked_rem(x).unwrap_or(0));
    Dim3 { x: at, y: rest.checked_rem(y).unwrap_or(0), z: rest.checked_div(y).unwrap_or(0) }
}

/// The number of a place in such an extent. Of what a checked launch has it is no more than 32 bits.
fn number(at: Dim3, x: u32, y: u32) -> u32 {
    at.x.wrapping_add(x.wrapping_mul(at.y.wrapping_add(y.wrapping_mul(at.z))))
}

impl Descriptor {
    /// Clusters of its grid in x and y, and TBs of one in x, y and z.
    fn cluster_extents(&self) -> (u32, u32, Dim3) {
        let of = Dim3 { x: self.cluster.x.into(), y: self.cluster.y.into(), z: self.cluster.z.into() };
        let clusters = |tbs: u32, of: u32| tbs.checked_div(of).unwrap_or(1);
        (clusters(self.grid.x, of.x), clusters(self.grid.y, of.y), of)
    }

    /// modern-C5: the number in the grid of the TB of this rank of a cluster; of a kernel of clusters.
    pub(crate) fn tb_of_cluster(&self, cluster: u32, rank: u32) -> u32 {
        let (x, y, of) = self.cluster_extents();
        let (first, within) = (place(cluster, x, y), place(rank, of.x, of.y));
        let at = |first: u32, of: u32, within: u32| first.wrapping_mul(of).wrapping_add(within);
        let at =
            Dim3 { x: at(first.x, of.x, within.x), y: at(first.y, of.y, within.y), z: at(first.z, of.z, within.z) };
        number(at, self.grid.x, self.grid.y)
    }

    /// modern-C5: the cluster of a TB of the grid, and its rank there.
    pub(crate) fn cluster_of_tb(&self, blkid: u32) -> (u32, u32) {
        let (x, y, of) = self.cluster_extents();
        let at = place(blkid, self.grid.x, self.grid.y);
        let each = |split: fn(u32, u32) -> Option<u32>| {
            let part = |at, of| split(at, of).unwrap_or(0);
            Dim3 { x: part(at.x, of.x), y: part(at.y, of.y), z: part(at.z, of.z) }
        };
        (number(each(u32::checked_div), x, y), number(each(u32::checked_rem), of.x, of.y))
    }

    /// Whether it is a launch that a machine of this configuration takes: its shape, and clusters only of a kernel's own grid.
    pub(crate) fn is_accepted(&self, config: &Config, may_have_clusters: bool) -> bool {
        let clusters = self.cluster.check(self.grid, config.cluster.as_ref());
        self.shape(config).is_ok() && clusters.is_ok() && (may_have_clusters || !self.cluster.is_given())
    }

    /// The checks dtbl-V1 to V4, in order.
    #[inline]
    pub(crate) fn shape(&self, config: &Config) -> Result<Shape, Fault> {
        let Self { grid, tb, regs, smem, .. } = *self;
        let total = match grid.volume_within(MAX_GRID) {
            Some(tbs @ 1..=0xffff_ffff) => tbs as u32,
            _ => return Err(if grid.has_zero() { Fault::EmptyGrid } else { Fault::GridTooLarge }),
        };
        let most = config.threads;
        let threads = match tb.volume_within(Dim3 { x: most, y: most, z: most }) {
            Some(threads) if 0 < threads && threads <= most.into() => threads as u32,
            _ => return Err(if tb.has_zero() { Fault::EmptyTb } else { Fault::TbTooBig }),
        };
        if regs > config.regs || smem > config.smem {
            return Err(Fault::TbTooBig);
        }
        let warps = threads.checked_add(config.warp - 1).and_then(|t| t.checked_div(config.warp)).unwrap_or(0);
        Ok(Shape { total, need: Need { threads, regs, smem, warps } })
    }
}
