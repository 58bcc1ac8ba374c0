//! The cheapest way down a grid, from any place of the first row to each of the last, by steps to the place below or next to it
//! (workloads-FK10).
//!
//! A kernel takes `pyramid` rows at once: a TB reads the costs of 256 columns and works on them in shared memory, where those
//! at both ends, whose neighbours other TBs have, fall away row by row. So its own are the 256 - 2 pyramid columns in the
//! middle. In the loop form all threads are one TB, which takes a row at a time and needs no pyramid. `list.rs` has the instruction
//! lists.
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::gpu::{Gpu, RunOptions};
//! use gpusched_workloads::{Pathfinder, PathfinderOptions};
//!
//! let mut path = Pathfinder::new(PathfinderOptions { columns: 700, rows: 30, ..PathfinderOptions::default() })?;
//! let stats = Gpu::new(&GpuConfig::preset("gtx480")?, RunOptions::default())?.run(&mut path, &mut ())?.stats;
//! path.check()?;
//! assert_eq!(stats.host_kernels, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod list;

pub use list::Thread;

use super::catalogue::{Request, Size};
use super::device::{Device, Resources};
use super::list::{Algorithm, List, Place};
use super::{Array, Layout, SetupError, Spread, Verified, WrongResult, check_range, verify_f32};
use crate::graph::SplitMix64;
use gpusched::Descriptor;
use serde::{Deserialize, Serialize};

const TB_THREADS: u32 = 256;
/// Shared memory: the costs of a row, and those of the next.
const RESOURCES: Resources = Resources { regs: 16, smem: 2 * 4 * TB_THREADS };
/// Most places of the grid.
const MOST_PLACES: u64 = 1 << 28;

/// What is walked through, and by which threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PathfinderOptions {
    /// Columns of the grid, 1 to 2^20.
    pub columns: u32,
    /// Rows of the grid, 2 to 65536.
    pub rows: u32,
    /// Rows that a kernel takes at once, 1 to 127. Without a meaning in loops.
    pub pyramid: u32,
    /// Seed of the costs, which are whole numbers from 0 to 9.
    pub seed: u64,
    /// How columns are spread over threads.
    pub spread: Spread,
}

impl Default for PathfinderOptions {
    fn default() -> Self {
        Self { columns: 8192, rows: 100, pyramid: 20, seed: 1, spread: Spread::Grid }
    }
}

impl PathfinderOptions {
    fn check(&self) -> Result<(), SetupError> {
        self.spread.check()?;
        check_range("columns", self.columns, 1..=1 << 20, "1 to 2^20 columns")?;
        check_range("rows", self.rows, 2..=65536, "2 to 65536 rows")?;
        check_range("pyramid", self.pyramid, 1..=127, "1 to 127 rows")?;
        let found = u64::from(self.columns) * u64::from(self.rows);
        if found > MOST_PLACES {
            return Err(SetupError::Option { option: "rows", expected: "at most 2^28 places in all", found });
        }
        Ok(())
    }

    /// As the catalogue's `request` says.
    pub(super) fn requested(request: Request) -> Self {
        let of = Self { seed: request.seed, spread: Spread::requested(request), ..Self::default() };
        match request.size {
            Size::Test => Self { columns: 500, rows: 25, ..of },
            Size::Times(n) => Self { columns: of.columns.saturating_mul(n), ..of },
        }
    }
}

/// A search for the cheapest ways in progress.
#[derive(Clone, Debug)]
pub struct Pathfinder {
    options: PathfinderOptions,
    memory: Memory,
    device: Device<()>,
    /// What each place costs, row by row.
    wall: Vec<f32>,
    /// What the way to each column costs: up to the row before, and up to the row that is being computed.
    cost: [Vec<f32>; 2],
    /// The first row that the running kernel computes, and how many.
    row: u32,
    steps: u32,
    /// Places done.
    done: u64,
}

/// Where the arrays lie.
#[derive(Clone, Debug)]
struct Memory {
    wall: Array,
    cost: [Array; 2],
}

impl Pathfinder {
    /// The cheapest ways through a grid drawn from a seed.
    ///
    /// # Errors
    /// [`SetupError::Option`]: an option out of range.
    pub fn new(options: PathfinderOptions) -> Result<Self, SetupError> {
        options.check()?;
        let PathfinderOptions { columns, rows, .. } = options;
        let mut layout = Layout::default();
        let memory = Memory {
            wall: layout.words(u64::from(columns) * u64::from(rows))?,
            cost: [layout.words(columns.into())?, layout.words(columns.into())?],
        };
        let mut stream = SplitMix64::new(options.seed);
        let wall: Vec<f32> = (0..columns * rows).map(|_| stream.below(10) as f32).collect();
        Ok(Self {
            options,
            memory,
            device: Device::default(),
            cost: [wall[..columns as usize].to_vec(), vec![0.0; columns as usize]],
            wall,
            row: 1,
            steps: 0,
            done: 0,
        })
    }

    /// What the cheapest way to each column of the last row costs, after the run.
    #[must_use]
    pub fn costs(&self) -> &[f32] {
        &self.cost[0]
    }

    /// Compares the costs with those of a sequential program, bit by bit.
    ///
    /// # Errors
    /// [`WrongResult`] with the first column that differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let mut rows = self.wall.chunks(self.options.columns as usize);
        let mut cost = rows.next().unwrap_or_default().to_vec();
        for row in rows {
            let above = cost.clone();
            for (x, cost) in cost.iter_mut().enumerate() {
                let around = &above[x.saturating_sub(1)..above.len().min(x + 2)];
                *cost = row[x] + around.iter().copied().fold(f32::INFINITY, f32::min);
            }
        }
        verify_f32("cost", self.costs().iter().copied(), cost.into_iter())
    }

    /// Columns that a TB of the grid has to itself.
    const fn own_columns(&self) -> u32 {
        TB_THREADS - 2 * self.options.pyramid
    }
}

impl Algorithm for Pathfinder {
    type Thread = Thread;
    on_device!(());

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let PathfinderOptions { columns, rows, pyramid, spread, .. } = self.options;
        // A kernel of the grid leaves its costs in the second array, a loop those of every other row.
        let swaps = if spread.is_loop() { self.steps % 2 } else { self.steps.min(1) };
        if swaps > 0 {
            self.cost.swap(0, 1);
            self.memory.cost.swap(0, 1);
        }
        self.row += self.steps;
        let left = rows - self.row;
        if left == 0 {
            return None;
        }
        self.steps = if spread.is_loop() { left } else { left.min(pyramid) };
        Some(spread.kernel(0, columns.div_ceil(self.own_columns()), TB_THREADS, RESOURCES))
    }

    fn list(&self, _: bool) -> List<Self> {
        if self.options.spread.is_loop() { list::LOOP } else { list::GRID }
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::new(place, self)
    }

    fn progress(&self) -> (u64, u64) {
        (self.done, u64::from(self.options.columns) * u64::from(self.options.rows - 1))
    }
}

#[cfg(test)]
mod tests;
