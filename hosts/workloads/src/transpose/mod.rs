//! Transposition of a matrix (workloads-FK7): by tiles through shared memory, whose rows of 33 words put a column into 32
//! banks and whose rows of 32 put it into one, or straight, with stores that touch a line per lane.
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::gpu::{Gpu, RunOptions};
//! use gpusched_workloads::{Transpose, TransposeOptions};
//!
//! let mut transpose = Transpose::new(TransposeOptions { width: 64, height: 32, ..TransposeOptions::default() })?;
//! let run = Gpu::new(&GpuConfig::preset("gtx480")?, RunOptions::default())?.run(&mut transpose, &mut ())?;
//! transpose.check()?;
//! assert_eq!(run.stats.sm.shared_cycles, run.stats.sm.shared_instructions); // no bank conflicts
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

/// A TB of 32 x 8 threads moves a tile of 32 x 32 elements.
const TILE: u32 = WARP;
const TB_ROWS: u32 = 8;
const REGISTERS: u32 = 16;
/// Limits of the matrix.
const MOST_SIDE: u32 = 1 << 16;
const MOST_ELEMENTS: u32 = 1 << 26;

/// How a matrix is transposed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TransposeForm {
    /// Through a tile with rows of 33 words: no bank conflicts.
    #[default]
    Tile33,
    /// Through a tile with rows of 32 words: a column is in one bank, 32-way conflicts.
    Tile32,
    /// Without a tile: each store touches 32 lines.
    Naive,
}

impl TransposeForm {
    /// Words of a row of the tile. 0: no tile.
    const fn row_words(self) -> u32 {
        match self {
            Self::Tile33 => 33,
            Self::Tile32 => 32,
            Self::Naive => 0,
        }
    }
}

/// Size and form of a transposition. The defaults are the sheet's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TransposeOptions {
    /// Columns: a multiple of 32, up to 2^16.
    pub width: u32,
    /// Rows: the same; at most 2^26 elements in all.
    pub height: u32,
    /// How.
    pub form: TransposeForm,
    /// Seed of the matrix.
    pub seed: u64,
}

impl Default for TransposeOptions {
    fn default() -> Self {
        Self { width: 512, height: 512, form: TransposeForm::default(), seed: 1 }
    }
}

impl TransposeOptions {
    fn check(&self) -> Result<(), SetupError> {
        for (option, side) in [("width", self.width), ("height", self.height)] {
            const EXPECTED: &str = "a multiple of 32, up to 65536";
            check_range(option, side, TILE..=MOST_SIDE, EXPECTED)?;
            check_range(option, side, 0..=side / TILE * TILE, EXPECTED)?;
        }
        check_range("height", self.height, 0..=MOST_ELEMENTS / self.width, "at most 2^26 elements in all")
    }

    /// As the catalogue's `request` says, in this form.
    pub(super) fn requested(form: TransposeForm, request: Request) -> Result<Self, SetupError> {
        let Request { seed, size, .. } = request.without_loop()?;
        Ok(match size {
            Size::Test => Self { width: 64, height: 96, form, seed },
            Size::Times(n) => Self { height: Self::default().height.saturating_mul(n), form, seed, ..Self::default() },
        })
    }
}

/// A transposition in progress.
#[derive(Clone, Debug)]
pub struct Transpose {
    options: TransposeOptions,
    launched: bool,
    device: Device<()>,
    /// Where the matrix and its transpose lie.
    memory: [Array; 2],
    matrix: Vec<f32>,
    transposed: Vec<f32>,
    stored: u64,
}

impl Transpose {
    /// A transposition of a matrix drawn from the seed.
    ///
    /// # Errors
    /// [`SetupError::Option`].
    pub fn new(options: TransposeOptions) -> Result<Self, SetupError> {
        options.check()?;
        let elements = u64::from(options.width) * u64::from(options.height);
        let mut layout = Layout::default();
        let memory = [layout.words(elements)?, layout.words(elements)?];
        let mut stream = SplitMix64::new(options.seed);
        Ok(Self {
            options,
            launched: false,
            device: Device::default(),
            memory,
            matrix: (0..elements).map(|_| stream.unit_f32()).collect(),
            transposed: vec![0.0; elements as usize],
            stored: 0,
        })
    }

    /// Compares the result with the matrix, column by column.
    ///
    /// # Errors
    /// [`WrongResult`] with the first element that differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let width = self.options.width as usize;
        let columns = (0..width).flat_map(|column| self.matrix.iter().skip(column).step_by(width));
        verify_f32("transposed", self.transposed.iter().copied(), columns.copied())
    }
}

impl Algorithm for Transpose {
    type Thread = Thread;
    on_device!(());

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let Self { options: TransposeOptions { width, height, form, .. }, .. } = *self;
        let resources = Resources { regs: REGISTERS, smem: 4 * TILE * form.row_words() };
        let first = !std::mem::replace(&mut self.launched, true);
        first.then(|| host_kernel(form as u8, width / TILE * (height / TILE), TILE * TB_ROWS, resources))
    }

    fn list(&self, _: bool) -> List<Self> {
        match self.options.form {
            TransposeForm::Tile33 | TransposeForm::Tile32 => list::TILED,
            TransposeForm::Naive => list::NAIVE,
        }
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::at(place, self.options.width / TILE)
    }

    fn progress(&self) -> (u64, u64) {
        (self.stored, self.matrix.len() as u64)
    }
}

#[cfg(test)]
mod tests;
