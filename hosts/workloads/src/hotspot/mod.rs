//! The temperature of a chip under power, step by step (workloads-FK12; also kernel HST of workloads-PK4).
//!
//! In a step each cell takes up its power, what flows from its four neighbours, and what flows to the air around. A kernel does
//! `pyramid` steps: a TB of 16 x 16 threads holds as many cells in shared memory, in three tiles for temperature, power and the
//! next temperature, and loses a rim of cells, whose neighbours other TBs have, in every step. So its own are the
//! (16 - 2 pyramid)^2 cells in the middle. In the loop form all threads are one TB, which does a step of the whole chip at a time
//! and needs no tiles. `list.rs` has the instruction lists.
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::gpu::{Gpu, RunOptions};
//! use gpusched_workloads::{Hotspot, HotspotOptions};
//!
//! let mut hotspot = Hotspot::new(HotspotOptions { width: 40, height: 30, ..HotspotOptions::default() })?;
//! let stats = Gpu::new(&GpuConfig::preset("gtx480")?, RunOptions::default())?.run(&mut hotspot, &mut ())?.stats;
//! hotspot.check()?;
//! assert_eq!((stats.host_kernels, stats.sm.tbs), (4, 4 * 4 * 3));
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

/// Side of a tile.
const TILE: u32 = 16;
const TB_THREADS: u32 = TILE * TILE;
/// Shared memory: three tiles.
const RESOURCES: Resources = Resources { regs: 36, smem: 3 * 4 * TB_THREADS };

/// Of the air, in degrees. This and the others are ours.
const AMBIENT: f32 = 80.0;
/// What a step takes up of all flows; what flows between cells and to the air, per degree.
const RATE: f32 = 0.125;
const TO_NEIGHBOUR: f32 = 0.75;
const TO_AIR: f32 = 0.0625;

/// What is simulated, and by which threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HotspotOptions {
    /// Columns of cells, 1 to 4096.
    pub width: u32,
    /// Rows of cells, 1 to 4096.
    pub height: u32,
    /// Steps of time, 1 to 65536. The default is ours.
    pub steps: u32,
    /// Steps that a kernel does at once, 1 to 7. Without a meaning in loops.
    pub pyramid: u32,
    /// Seed of temperatures from 320 to 340 degrees, and of powers below 1.
    pub seed: u64,
    /// How cells are spread over threads.
    pub spread: Spread,
}

impl Default for HotspotOptions {
    fn default() -> Self {
        Self { width: 256, height: 256, steps: 8, pyramid: 2, seed: 1, spread: Spread::Grid }
    }
}

impl HotspotOptions {
    fn check(&self) -> Result<(), SetupError> {
        self.spread.check()?;
        check_range("width", self.width, 1..=4096, "1 to 4096 columns")?;
        check_range("height", self.height, 1..=4096, "1 to 4096 rows")?;
        check_range("steps", self.steps, 1..=65536, "1 to 65536 steps")?;
        check_range("pyramid", self.pyramid, 1..=7, "1 to 7 steps")
    }

    /// As the catalogue's `request` says.
    pub(super) fn requested(request: Request) -> Self {
        let of = Self { seed: request.seed, spread: Spread::requested(request), ..Self::default() };
        match request.size {
            Size::Test => Self { width: 50, height: 40, steps: 3, ..of },
            Size::Times(n) => Self { height: of.height.saturating_mul(n), ..of },
        }
    }

    const fn cells(&self) -> u32 {
        self.width * self.height
    }
}

/// A chip that heats up.
#[derive(Clone, Debug)]
pub struct Hotspot {
    options: HotspotOptions,
    memory: Memory,
    device: Device<()>,
    power: Vec<f32>,
    /// The temperature before the kernel, which in a grid writes the second; in a loop, steps read and write them by turns.
    heat: [Vec<f32>; 2],
    /// Steps done before the running kernel, and those it does.
    before: u32,
    steps: u32,
    /// Cells computed that count.
    done: u64,
}

/// Where the arrays lie.
#[derive(Clone, Debug)]
struct Memory {
    power: Array,
    heat: [Array; 2],
}

/// Power and first temperature of all cells.
fn input(options: &HotspotOptions) -> (Vec<f32>, Vec<f32>) {
    let mut stream = SplitMix64::new(options.seed);
    (0..options.cells()).map(|_| (stream.unit_f32(), 320.0 + 20.0 * stream.unit_f32())).unzip()
}

impl Hotspot {
    /// A chip drawn from a seed.
    ///
    /// # Errors
    /// [`SetupError::Option`]: an option out of range.
    pub fn new(options: HotspotOptions) -> Result<Self, SetupError> {
        options.check()?;
        let cells = options.cells();
        let mut layout = Layout::default();
        let mut words = || layout.words(cells.into());
        let memory = Memory { power: words()?, heat: [words()?, words()?] };
        let (power, heat) = input(&options);
        Ok(Self {
            options,
            memory,
            device: Device::default(),
            power,
            heat: [heat, vec![0.0; cells as usize]],
            before: 0,
            steps: 0,
            done: 0,
        })
    }

    /// The temperature of each cell, row by row: before the run, or after it.
    #[must_use]
    pub fn temperatures(&self) -> &[f32] {
        &self.heat[0]
    }

    /// Compares the temperatures with those of a sequential program, bit by bit.
    ///
    /// # Errors
    /// [`WrongResult`] with the first cell that differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let (width, height) = (self.options.width as usize, self.options.height as usize);
        let (power, mut heat) = input(&self.options);
        for _ in 0..self.options.steps {
            let old = heat.clone();
            for (y, row) in heat.chunks_mut(width).enumerate() {
                let [north, here, south] = [y.saturating_sub(1), y, (y + 1).min(height - 1)].map(|y| &old[y * width..]);
                for (x, cell) in row.iter_mut().enumerate() {
                    let around = north[x] + south[x] + here[x.saturating_sub(1)] + here[(x + 1).min(width - 1)];
                    let flow = power[y * width + x] + (around - 4.0 * *cell) * 0.75 + (80.0 - *cell) * 0.0625;
                    *cell += flow * 0.125;
                }
            }
        }
        verify_f32("cell", self.temperatures().iter().copied(), heat.into_iter())
    }

    /// Side of the part of a tile that the TB has to itself.
    const fn own_side(&self) -> u32 {
        TILE - 2 * self.options.pyramid
    }

    /// Tiles in a row of tiles.
    const fn tile_columns(&self) -> u32 {
        self.options.width.div_ceil(self.own_side())
    }
}

impl Algorithm for Hotspot {
    type Thread = Thread;
    on_device!(());

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let HotspotOptions { height, steps, pyramid, spread, .. } = self.options;
        let swaps = if spread.is_loop() { self.steps % 2 } else { self.steps.min(1) };
        if swaps > 0 {
            self.heat.swap(0, 1);
            self.memory.heat.swap(0, 1);
        }
        self.before += self.steps;
        let left = steps - self.before;
        self.steps = if spread.is_loop() { left } else { left.min(pyramid) };
        let tiles = self.tile_columns() * height.div_ceil(self.own_side());
        (left > 0).then(|| spread.kernel(0, tiles, TB_THREADS, RESOURCES))
    }

    fn list(&self, _: bool) -> List<Self> {
        if self.options.spread.is_loop() { list::LOOP } else { list::GRID }
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::new(place, self)
    }

    fn progress(&self) -> (u64, u64) {
        (self.done, u64::from(self.options.cells()) * u64::from(self.options.steps))
    }
}

#[cfg(test)]
mod tests;
