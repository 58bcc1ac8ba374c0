//! What is launched: the kernel descriptor and its checks.

use crate::base::dim3::Dim3;
use crate::base::error::Fault;
use crate::config::Config;
use crate::smx::residency::Need;

/// A kernel or aggregated group as the launch call gives it. Its fields lie as in C, so that C callers' arrays are read in place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// The caller's name for this launch; opaque, and told back with every decision about it.
    pub tag: u64,
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

impl Descriptor {
    /// The checks dtbl-V1 to V4, in order.
    pub(crate) fn shape(&self, config: &Config) -> Result<Shape, Fault> {
        let Self { grid, tb, regs, smem, .. } = *self;
        if grid.has_zero() {
            return Err(Fault::EmptyGrid);
        }
        let too_large = grid.x > MAX_GRID.x || grid.y > MAX_GRID.y || grid.z > MAX_GRID.z;
        let total = grid.volume().filter(|_| !too_large).ok_or(Fault::GridTooLarge)?;
        if tb.has_zero() {
            return Err(Fault::EmptyTb);
        }
        let threads = tb.volume().filter(|&t| t <= config.threads).ok_or(Fault::TbTooBig)?;
        if regs > config.regs || smem > config.smem {
            return Err(Fault::TbTooBig);
        }
        let warps = threads.checked_add(config.warp - 1).and_then(|t| t.checked_div(config.warp)).unwrap_or(0);
        Ok(Shape { total, need: Need { threads, regs, smem, warps } })
    }
}
