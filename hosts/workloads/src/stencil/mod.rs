//! Seven-point stencil on a grid in three dimensions (workloads-FK3, Parboil): each inner cell becomes a weighted sum of itself and
//! its six neighbours.
//!
//! A thread walks up the z axis at its x and y. It keeps the cells below it and at it in registers; so it loads the one above and
//! the four beside.
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::gpu::{Gpu, RunOptions};
//! use gpusched_workloads::{Stencil, StencilOptions};
//!
//! let mut stencil = Stencil::new(StencilOptions { width: 40, depth: 9, height: 5, ..StencilOptions::default() })?;
//! Gpu::new(&GpuConfig::preset("gtx480")?, RunOptions::default())?.run(&mut stencil, &mut ())?;
//! stencil.check()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod list;

pub use list::Thread;

use super::catalogue::{Request, Size};
use super::device::{Device, Resources, host_kernel};
use super::list::{Algorithm, List, Place};
use super::{Array, Layout, SetupError, Verified, WrongResult, check_range, verify_f32};
use crate::graph::SplitMix64;
use gpusched::Descriptor;
use gpusched_refgpu::lanes::WARP;
use serde::{Deserialize, Serialize};

/// A TB of 32 x 4 threads, one for each column of cells.
const TB_WIDTH: u32 = WARP;
const TB_DEPTH: u32 = 4;
const RESOURCES: Resources = Resources { regs: 48, smem: 0 };
/// What a cell and the sum of its neighbours count.
const OWN: f32 = 1.0 / 6.0;
const NEIGHBOURS: f32 = 1.0 / 36.0;
const MOST_CELLS: u64 = 1 << 27;

/// Size of a stencil. The defaults are the sheet's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StencilOptions {
    /// Cells along x, 3 to 8192.
    pub width: u32,
    /// Cells along y, 3 to 8192.
    pub depth: u32,
    /// Cells along z, 3 to 8192; at most 2^27 in all.
    pub height: u32,
    /// How often the grid is swept, a kernel each time, 1 to 1000.
    pub sweeps: u32,
    /// Seed of the cells.
    pub seed: u64,
}

impl Default for StencilOptions {
    fn default() -> Self {
        Self { width: 128, depth: 128, height: 32, sweeps: 1, seed: 1 }
    }
}

impl StencilOptions {
    fn check(&self) -> Result<(), SetupError> {
        let Self { width, depth, height, sweeps, .. } = *self;
        for (option, side) in [("width", width), ("depth", depth), ("height", height)] {
            check_range(option, side, 3..=8192, "3 to 8192")?;
        }
        let most = (MOST_CELLS / (u64::from(width) * u64::from(depth))) as u32;
        check_range("height", height, 0..=most, "at most 2^27 cells in all")?;
        check_range("sweeps", sweeps, 1..=1000, "1 to 1000")
    }

    /// As the catalogue's `request` says.
    pub(super) fn requested(request: Request) -> Result<Self, SetupError> {
        let Request { seed, size, .. } = request.without_loop()?;
        let default = Self { seed, ..Self::default() };
        Ok(match size {
            Size::Test => Self { width: 70, depth: 10, height: 6, ..default },
            Size::Times(n) => Self { depth: default.depth.saturating_mul(n), ..default },
        })
    }
}

/// A stencil in progress.
#[derive(Clone, Debug)]
pub struct Stencil {
    options: StencilOptions,
    device: Device<()>,
    /// Where the two grids lie.
    memory: [Array; 2],
    /// What every other sweep reads, and the others write. The border is the same in both.
    cells: [Vec<f32>; 2],
    first: Vec<f32>,
    /// Sweeps begun.
    sweeps: u32,
    done: u64,
}

impl Stencil {
    /// A stencil on cells drawn from the seed.
    ///
    /// # Errors
    /// [`SetupError::Option`].
    pub fn new(options: StencilOptions) -> Result<Self, SetupError> {
        options.check()?;
        let cells = u64::from(options.width) * u64::from(options.depth) * u64::from(options.height);
        let mut layout = Layout::default();
        let memory = [layout.words(cells)?, layout.words(cells)?];
        let mut stream = SplitMix64::new(options.seed);
        let first: Vec<f32> = (0..cells).map(|_| stream.unit_f32()).collect();
        let cells = [first.clone(), first.clone()];
        Ok(Self { options, device: Device::default(), memory, cells, first, sweeps: 0, done: 0 })
    }

    /// Compares the cells with those of a sequential program.
    ///
    /// # Errors
    /// [`WrongResult`] with the first cell that differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let mut want = self.first.clone();
        for _ in 0..self.options.sweeps {
            want = self.swept(&want);
        }
        let got = &self.cells[self.options.sweeps as usize % 2];
        verify_f32("cell", got.iter().copied(), want.into_iter())
    }

    /// One sweep, cell by cell.
    fn swept(&self, old: &[f32]) -> Vec<f32> {
        let StencilOptions { width, depth, height, .. } = self.options;
        let (row, plane) = (width as usize, (width * depth) as usize);
        let mut new = old.to_vec();
        for z in 1..height as usize - 1 {
            for y in 1..depth as usize - 1 {
                for x in 1..row - 1 {
                    let at = z * plane + y * row + x;
                    let around =
                        old[at + plane] + old[at - plane] + old[at - row] + old[at + row] + old[at - 1] + old[at + 1];
                    new[at] = around * NEIGHBOURS - old[at] * OWN;
                }
            }
        }
        new
    }

    /// TBs along x.
    const fn tbs_across(&self) -> u32 {
        self.options.width.div_ceil(TB_WIDTH)
    }
}

impl Algorithm for Stencil {
    type Thread = Thread;
    on_device!(());

    fn next_kernel(&mut self) -> Option<Descriptor> {
        if self.sweeps == self.options.sweeps {
            return None;
        }
        self.sweeps += 1;
        let tbs = self.tbs_across() * self.options.depth.div_ceil(TB_DEPTH);
        Some(host_kernel(0, tbs, TB_WIDTH * TB_DEPTH, RESOURCES))
    }

    fn list(&self, _: bool) -> List<Self> {
        list::LIST
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::at(place, self.tbs_across())
    }

    fn progress(&self) -> (u64, u64) {
        let StencilOptions { width, depth, height, sweeps, .. } = self.options;
        let inner = [width, depth, height].map(|side| u64::from(side - 2));
        (self.done, inner.iter().product::<u64>() * u64::from(sweeps))
    }
}

#[cfg(test)]
mod tests;
