//! Product of two dense matrices (workloads-FK4, Parboil): C = A times the transpose of B, with register tiles.
//!
//! A TB has a tile of 128 x 16 elements of C: a row for each thread, whose 16 elements it keeps in registers. For every eight columns
//! of A and B, the TB copies 16 x 8 elements of B to shared memory; each thread then loads an element of A and multiplies it with 16
//! of B, which all lanes read at once.
//!
//! As `gemm` (workloads-FK13) the same product asks who takes the tiles: [`Dispatch`] says whether the machine sends a TB for each, TBs
//! that stay take them from a queue (`queue.rs`), or such TBs do equal shares of the steps of all (`stream_k.rs`).
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

mod dispatch;
mod list;
mod queue;
mod stream_k;

pub use dispatch::{Dispatch, GemmOptions};
pub use list::Thread;

use super::catalogue::{Request, Size};
use super::device::{Device, Resources, host_kernel};
use super::list::{Algorithm, List, Place};
use super::{Array, Layout, SetupError, Verified, WrongResult, check_range, verify_f32};
use crate::graph::SplitMix64;
use gpusched::Descriptor;
use gpusched_refgpu::config::GpuConfig;
use serde::{Deserialize, Serialize};

/// A TB of 16 x 8 threads has a row of C for each, and as many columns as it is wide.
const TB_THREADS: u32 = 128;
const TILE_COLUMNS: u32 = 16;
/// Columns of A and B at a time.
const STEP: u32 = 8;
const RESOURCES: Resources = Resources { regs: 40, smem: 4 * TILE_COLUMNS * STEP };
const MOST_SIDE: u32 = 16384;
/// Where thread 0 tells the others what it has taken: the word behind the tile of B.
const TOLD: u32 = TILE_COLUMNS * STEP;
/// What a TB that stays needs.
const STAYS: Resources = Resources { smem: 4 * (TOLD + 1), ..RESOURCES };
/// TBs that any machine holds: 32 on each of 256 SMs. There is room in memory for what they leave.
const MOST_TBS: u32 = 32 * 256;
const TILE_WORDS: u32 = TB_THREADS * TILE_COLUMNS;
/// Elements of `gemm` are whole numbers below this, so that no sum is rounded, and parts of it may be added in any order.
const BELOW: u64 = 16;

/// Refuses a side that is no multiple of `unit`, or none that a matrix may have; `expected` says so in words.
fn check_multiple(option: &'static str, side: u32, unit: u32, expected: &'static str) -> Result<(), SetupError> {
    check_range(option, side, unit..=MOST_SIDE, expected)?;
    check_range(option, side, 0..=side / unit * unit, expected)
}

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
        check_multiple("rows", self.rows, TB_THREADS, "a multiple of 128, up to 16384")?;
        check_multiple("columns", self.columns, TILE_COLUMNS, "a multiple of 16, up to 16384")?;
        check_multiple("inner", self.inner, STEP, "a multiple of 8, up to 16384")
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
    dispatch: Dispatch,
    /// TBs of the kernel.
    tbs: u32,
    launched: bool,
    device: Device<()>,
    memory: Memory,
    /// The next tile of the queue.
    next: u32,
    /// What TBs leave of tiles that others finish, and whether they have.
    parts: Vec<f32>,
    flags: Vec<bool>,
    /// The matrices, column by column.
    a: Vec<f32>,
    b: Vec<f32>,
    c: Vec<f32>,
    /// Steps that threads have done.
    stepped: u64,
}

/// Where the matrices lie.
#[derive(Clone, Copy, Debug)]
struct Memory {
    a: Array,
    b: Array,
    c: Array,
    next: Array,
    flags: Array,
    parts: Array,
}

impl Sgemm {
    /// A product of matrices drawn from the seed.
    ///
    /// # Errors
    /// [`SetupError::Option`].
    pub fn new(options: SgemmOptions) -> Result<Self, SetupError> {
        options.check()?;
        Self::drawn(options, Dispatch::Hardware, SplitMix64::unit_f32)
    }

    /// A product whose tiles are taken as `dispatch` says, of matrices of whole numbers.
    ///
    /// # Errors
    /// [`SetupError::Option`].
    pub fn gemm(options: GemmOptions, dispatch: Dispatch) -> Result<Self, SetupError> {
        options.check()?;
        let GemmOptions { columns, rows, inner, seed } = options;
        let options = SgemmOptions { rows: rows * TB_THREADS, columns: columns * TILE_COLUMNS, inner, seed };
        Self::drawn(options, dispatch, |stream| stream.below(BELOW) as f32)
    }

    /// A product of matrices of elements that are drawn.
    fn drawn(options: SgemmOptions, dispatch: Dispatch, draw: fn(&mut SplitMix64) -> f32) -> Result<Self, SetupError> {
        let SgemmOptions { rows, columns, inner, seed } = options;
        let mut layout = Layout::default();
        let mut words = |rows: u32, columns: u32| layout.words(u64::from(rows) * u64::from(columns));
        let memory = Memory {
            a: words(rows, inner)?,
            b: words(columns, inner)?,
            c: words(rows, columns)?,
            next: words(1, 1)?,
            flags: words(MOST_TBS, 1)?,
            parts: words(MOST_TBS, TILE_WORDS)?,
        };
        let mut stream = SplitMix64::new(seed);
        let mut drawn = |len: u32| -> Vec<f32> { (0..len).map(|_| draw(&mut stream)).collect() };
        let mut product = Self {
            options,
            dispatch,
            tbs: 0,
            launched: false,
            device: Device::default(),
            memory,
            next: 0,
            parts: Vec::new(),
            flags: Vec::new(),
            a: drawn(rows * inner),
            b: drawn(columns * inner),
            c: vec![0.0; (rows * columns) as usize],
            stepped: 0,
        };
        product.fill(1);
        Ok(product)
    }

    /// Rows of tiles.
    const fn tiles_down(&self) -> u32 {
        self.options.rows / TB_THREADS
    }

    /// Tiles of C.
    const fn tiles(&self) -> u32 {
        self.tiles_down() * (self.options.columns / TILE_COLUMNS)
    }

    /// On a machine that holds so many TBs.
    fn fill(&mut self, wave: u32) {
        self.tbs = self.dispatch.tbs(wave.min(MOST_TBS), self.tiles(), self.options.inner / STEP);
        if self.dispatch == Dispatch::StreamK {
            self.flags.resize(self.tbs as usize, false);
            self.parts.resize((self.tbs * TILE_WORDS) as usize, 0.0);
        }
    }

    fn kernel(&self) -> Descriptor {
        let resources = if self.dispatch == Dispatch::Persistent { STAYS } else { RESOURCES };
        host_kernel(0, self.tbs, TB_THREADS, resources)
    }

    /// TBs that do a tile each, as many as `machine` holds: a wave of them.
    #[must_use]
    pub fn wave(machine: &GpuConfig) -> u32 {
        machine.wave(&host_kernel(0, 1, TB_THREADS, RESOURCES))
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

    fn starts_on(&mut self, machine: &GpuConfig) {
        self.fill(machine.wave(&self.kernel()));
    }

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let first = !std::mem::replace(&mut self.launched, true);
        first.then(|| self.kernel())
    }

    fn list(&self, _: bool) -> List<Self> {
        match self.dispatch {
            Dispatch::Hardware => list::LIST,
            Dispatch::Persistent => queue::LIST,
            Dispatch::StreamK => stream_k::LIST,
        }
    }

    fn thread(&self, place: Place) -> Thread {
        let mut thread = Thread::at(place);
        if self.dispatch == Dispatch::Hardware {
            thread.begin(place.tb, 0, self.options.inner, self.tiles_down());
        }
        thread
    }

    fn progress(&self) -> (u64, u64) {
        let steps = u64::from(self.tiles()) * u64::from(TB_THREADS) * u64::from(self.options.inner / STEP);
        (self.stepped, steps)
    }
}

#[cfg(test)]
mod gemm_tests;
#[cfg(test)]
mod tests;
