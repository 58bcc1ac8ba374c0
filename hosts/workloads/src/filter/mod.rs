//! Bilinear edge filter (workloads-FK11): how steep an image is at one point between each pixel and its E, S and SE neighbours.
//!
//! Between four pixels the image is taken as bilinear. The slope at the point (u, v) has two parts: the mean of the upper and
//! the lower difference across, weighted with 1 - v and v, and that of the left and the right difference down, weighted with
//! 1 - u and u. The weights are the same for all pixels. The pixels at the edge of the image are repeated outside of it. Threads
//! run grid-stride loops in the grid, too. `list.rs` has the instruction list.
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::gpu::{Gpu, RunOptions};
//! use gpusched_workloads::{Filter, FilterOptions};
//!
//! let mut filter = Filter::new(FilterOptions { width: 64, height: 48, ..FilterOptions::default() })?;
//! Gpu::new(&GpuConfig::preset("gtx480")?, RunOptions::default())?.run(&mut filter, &mut ())?;
//! filter.check()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod list;

pub use list::Thread;

use super::catalogue::{Request, Size};
use super::device::{Device, Resources};
use super::list::{Algorithm, List, Place};
use super::spread::Items;
use super::{Array, Layout, SetupError, Spread, Verified, WrongResult, check_range, verify_f32};
use crate::graph::SplitMix64;
use gpusched::Descriptor;
use serde::{Deserialize, Serialize};

const TB_THREADS: u32 = 256;
/// Ours: no source has the kernel.
const RESOURCES: Resources = Resources { regs: 20, smem: 0 };
/// Pixels of a thread of the grid. Ours.
const TURNS: u32 = 4;

/// Weights, ours: of the left and right differences, then of the upper and the lower one.
const WEIGHTS: [f32; 4] = [0.75, 0.25, 0.625, 0.375];

/// What is filtered, and by which threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FilterOptions {
    /// Columns of the image, 1 to 8192.
    pub width: u32,
    /// Rows of the image, 1 to 8192.
    pub height: u32,
    /// Seed of the image, of pixels from 0 to 255.
    pub seed: u64,
    /// How pixels are spread over threads.
    pub spread: Spread,
}

impl Default for FilterOptions {
    fn default() -> Self {
        Self { width: 512, height: 512, seed: 1, spread: Spread::Grid }
    }
}

impl FilterOptions {
    fn check(&self) -> Result<(), SetupError> {
        self.spread.check()?;
        check_range("width", self.width, 1..=8192, "1 to 8192 columns")?;
        check_range("height", self.height, 1..=8192, "1 to 8192 rows")
    }

    /// As the catalogue's `request` says.
    pub(super) fn requested(request: Request) -> Self {
        let of = Self { seed: request.seed, spread: Spread::requested(request), ..Self::default() };
        match request.size {
            Size::Test => Self { width: 64, height: 40, ..of },
            Size::Times(n) => Self { height: of.height.saturating_mul(n), ..of },
        }
    }

    const fn pixels(&self) -> u32 {
        self.width * self.height
    }
}

/// A filter at work.
#[derive(Clone, Debug)]
pub struct Filter {
    options: FilterOptions,
    memory: Memory,
    device: Device<()>,
    image: Vec<f32>,
    edges: Vec<f32>,
    started: bool,
    /// Pixels done.
    done: u64,
}

/// Where the arrays lie.
#[derive(Clone, Debug)]
struct Memory {
    image: Array,
    weights: Array,
    edges: Array,
}

impl Filter {
    /// The filter of an image drawn from a seed.
    ///
    /// # Errors
    /// [`SetupError::Option`]: an option out of range.
    pub fn new(options: FilterOptions) -> Result<Self, SetupError> {
        options.check()?;
        let pixels = options.pixels();
        let mut layout = Layout::default();
        let memory = Memory {
            image: layout.words(pixels.into())?,
            weights: layout.words(WEIGHTS.len() as u64)?,
            edges: layout.words(pixels.into())?,
        };
        let mut stream = SplitMix64::new(options.seed);
        Ok(Self {
            options,
            memory,
            device: Device::default(),
            image: (0..pixels).map(|_| stream.below(256) as f32).collect(),
            edges: vec![0.0; pixels as usize],
            started: false,
            done: 0,
        })
    }

    /// The slope at each pixel so far, row by row.
    #[must_use]
    pub fn edges(&self) -> &[f32] {
        &self.edges
    }

    /// Compares the slopes with those of a sequential program, bit by bit.
    ///
    /// # Errors
    /// [`WrongResult`] with the first pixel that differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let FilterOptions { width, height, .. } = self.options;
        let pixel = |x: u32, y: u32| self.image[(y.min(height - 1) * width + x.min(width - 1)) as usize];
        let slope = |x, y| {
            let (here, east) = (pixel(x, y), pixel(x + 1, y));
            let (south, corner) = (pixel(x, y + 1), pixel(x + 1, y + 1));
            let across = (east - here) * 0.625 + (corner - south) * 0.375;
            let down = (south - here) * 0.75 + (corner - east) * 0.25;
            ((across * across + down * down) / 2.0).sqrt()
        };
        let want = (0..height).flat_map(|y| (0..width).map(move |x| slope(x, y)));
        verify_f32("edge", self.edges.iter().copied(), want)
    }

    /// TBs of the grid.
    const fn tbs(&self) -> u32 {
        self.options.pixels().div_ceil(TB_THREADS * TURNS)
    }
}

impl Algorithm for Filter {
    type Thread = Thread;
    on_device!(());

    fn next_kernel(&mut self) -> Option<Descriptor> {
        if std::mem::replace(&mut self.started, true) {
            return None;
        }
        Some(self.options.spread.kernel(0, self.tbs(), TB_THREADS, RESOURCES))
    }

    fn list(&self, _: bool) -> List<Self> {
        list::LIST
    }

    fn thread(&self, place: Place) -> Thread {
        let threads = match self.options.spread {
            Spread::Grid => self.tbs() * TB_THREADS,
            Spread::Loop(threads) => threads,
        };
        Thread::new(Items::strided(place.index(), threads, self.options.pixels()))
    }

    fn progress(&self) -> (u64, u64) {
        (self.done, self.options.pixels().into())
    }
}

#[cfg(test)]
mod tests;
