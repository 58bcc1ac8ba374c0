//! Product of two dense matrices (workloads-FK4, Parboil): C = A times the transpose of B, with register tiles.
//!
//! A TB has a tile of 128 x 16 elements of C: a row for each thread, whose 16 elements it keeps in registers. For every eight columns
//! of A and B, the TB copies 16 x 8 elements of B to shared memory; each thread then loads an element of A and multiplies it with 16
//! of B, which all lanes read at once.
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::gpu::{Gpu, RunOptions};
//! use gpusched_workloads::{Sgemm, SgemmOptions};
//!
//! let mut sgemm = Sgemm::new(SgemmOptions { rows: 128, columns: 32, inner: 16, seed: 1 })?;
//! let run = Gpu::new(&GpuConfig::preset("gtx480")?, RunOptions::default())?.run(&mut sgemm, &mut ())?;
//! sgemm.check()?;
//! assert_eq!(run.stats.sm.tbs, 2);
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
use serde::{Deserialize, Serialize};

/// A TB of 16 x 8 threads has a row of C for each, and as many columns as it is wide.
const TB_THREADS: u32 = 128;
const TILE_COLUMNS: u32 = 16;
/// Columns of A and B at a time.
const STEP: u32 = 8;
const RESOURCES: Resources = Resources { regs: 40, smem: 4 * TILE_COLUMNS * STEP };
const MOST_SIDE: u32 = 16384;

/// Size of a product. The defaults are the sheet's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SgemmOptions {
    /// Rows of A and C: a multiple of 128, up to 16384.
    pub rows: u32,
    /// Rows of B, columns of C: a multiple of 16, up to 16384.
    pub columns: u32,
    /// Columns of A and B: a multiple of 8, up to 16384.
    pub inner: u32,
    /// Seed of the matrices.
    pub seed: u64,
}

impl Default for SgemmOptions {
    fn default() -> Self {
        Self { rows: 128, columns: 160, inner: 96, seed: 1 }
    }
}

impl SgemmOptions {
    fn check(&self) -> Result<(), SetupError> {
        for (option, side, unit, expected) in [
            ("rows", self.rows, TB_THREADS, "a multiple of 128, up to 16384"),
            ("columns", self.columns, TILE_COLUMNS, "a multiple of 16, up to 16384"),
            ("inner", self.inner, STEP, "a multiple of 8, up to 16384"),
        ] {
            check_range(option, side, unit..=MOST_SIDE, expected)?;
            check_range(option, side, 0..=side / unit * unit, expected)?;
        }
        Ok(())
    }

    /// As the catalogue's `request` says.
    pub(super) fn requested(request: Request) -> Result<Self, SetupError> {
        let Request { seed, size, .. } = request.without_loop()?;
        let default = Self { seed, ..Self::default() };
        Ok(match size {
            Size::Test => Self { columns: 32, inner: 16, ..default },
            Size::Times(n) => Self { rows: default.rows.saturating_mul(n), ..default },
        })
    }
}

/// A product in progress.
#[derive(Clone, Debug)]
pub struct Sgemm {
    options: SgemmOptions,
    launched: bool,
    device: Device<()>,
    memory: Memory,
    /// The matrices, column by column.
    a: Vec<f32>,
    b: Vec<f32>,
    c: Vec<f32>,
    stored: u64,
}

/// Where the matrices lie.
#[derive(Clone, Copy, Debug)]
struct Memory {
    a: Array,
    b: Array,
    c: Array,
}

impl Sgemm {
    /// A product of matrices drawn from the seed.
    ///
    /// # Errors
    /// [`SetupError::Option`].
    pub fn new(options: SgemmOptions) -> Result<Self, SetupError> {
        options.check()?;
        let SgemmOptions { rows, columns, inner, seed } = options;
        let mut layout = Layout::default();
        let mut words = |rows: u32, columns: u32| layout.words(u64::from(rows) * u64::from(columns));
        let memory = Memory { a: words(rows, inner)?, b: words(columns, inner)?, c: words(rows, columns)? };
        let mut stream = SplitMix64::new(seed);
        let mut drawn = |len: u32| -> Vec<f32> { (0..len).map(|_| stream.unit_f32()).collect() };
        Ok(Self {
            options,
            launched: false,
            device: Device::default(),
            memory,
            a: drawn(rows * inner),
            b: drawn(columns * inner),
            c: vec![0.0; (rows * columns) as usize],
            stored: 0,
        })
    }

    /// Compares the product with that of a sequential program.
    ///
    /// # Errors
    /// [`WrongResult`] with the first element that differs, column by column.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let [rows, columns] = [self.options.rows, self.options.columns].map(|side| side as usize);
        let row = |m: usize| self.a.iter().skip(m).step_by(rows);
        let column = |n: usize| self.b.iter().skip(n).step_by(columns);
        let want = (0..columns)
            .flat_map(|n| (0..rows).map(move |m| row(m).zip(column(n)).fold(0.0, |sum, (a, b)| sum + a * b)));
        verify_f32("c", self.c.iter().copied(), want)
    }
}

impl Algorithm for Sgemm {
    type Thread = Thread;
    on_device!(());

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let SgemmOptions { rows, columns, .. } = self.options;
        let first = !std::mem::replace(&mut self.launched, true);
        first.then(|| host_kernel(0, rows / TB_THREADS * (columns / TILE_COLUMNS), TB_THREADS, RESOURCES))
    }

    fn list(&self, _: bool) -> List<Self> {
        list::LIST
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::at(place, self.options.rows / TB_THREADS)
    }

    fn progress(&self) -> (u64, u64) {
        (self.stored, self.c.len() as u64)
    }
}

#[cfg(test)]
mod tests;
