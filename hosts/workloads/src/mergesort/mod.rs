//! Merge sort (workloads-FK9): blocks of 512 keys in shared memory by a bitonic network, then passes that merge pairs of runs.
//!
//! In a merge pass a thread makes four keys of the result. Where they begin in its two runs it finds by binary search (the merge
//! path); then it takes the lesser of the two next keys, four times. `list.rs` has the instruction lists.
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::gpu::{Gpu, RunOptions};
//! use gpusched_workloads::{Mergesort, MergesortOptions};
//!
//! let mut sort = Mergesort::new(MergesortOptions { keys: 2560, ..MergesortOptions::default() })?;
//! let stats = Gpu::new(&GpuConfig::preset("gtx480")?, RunOptions::default())?.run(&mut sort, &mut ())?.stats;
//! sort.check()?;
//! assert!(sort.keys().is_sorted());
//! assert_eq!(stats.host_kernels, 1 + 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod list;

pub use list::Thread;

use super::catalogue::{Request, Size};
use super::device::{Device, Resources};
use super::list::{Algorithm, List, Place};
use super::{Array, Layout, SetupError, Spread, Verified, WrongResult, check_range, verify};
use crate::graph::SplitMix64;
use gpusched::Descriptor;
use serde::{Deserialize, Serialize};

const TB_THREADS: u32 = 256;
/// Keys that are sorted in shared memory, two for each thread of a TB.
const BLOCK: u32 = 2 * TB_THREADS;
/// Keys that a thread makes in a merge pass. Ours.
const CHUNK: u32 = 4;
/// Ours: no source has the kernel.
const REGISTERS: u32 = 20;

/// What is sorted, and by which threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MergesortOptions {
    /// Keys: a multiple of 512, up to 2^24.
    pub keys: u32,
    /// Seed of the keys, of 32 bits.
    pub seed: u64,
    /// How keys are spread over threads.
    pub spread: Spread,
}

impl Default for MergesortOptions {
    fn default() -> Self {
        Self { keys: 1 << 15, seed: 1, spread: Spread::Grid }
    }
}

impl MergesortOptions {
    fn check(&self) -> Result<(), SetupError> {
        const EXPECTED: &str = "a multiple of 512, up to 2^24";
        self.spread.check()?;
        check_range("keys", self.keys, BLOCK..=1 << 24, EXPECTED)?;
        check_range("keys", self.keys, 0..=self.keys / BLOCK * BLOCK, EXPECTED)
    }

    /// As the catalogue's `request` says.
    pub(super) fn requested(request: Request) -> Self {
        let of = Self { seed: request.seed, spread: Spread::requested(request), ..Self::default() };
        match request.size {
            Size::Test => Self { keys: 3 * BLOCK, ..of },
            Size::Times(n) => Self { keys: of.keys.saturating_mul(n), ..of },
        }
    }
}

/// A sort in progress.
#[derive(Clone, Debug)]
pub struct Mergesort {
    options: MergesortOptions,
    memory: [Array; 2],
    device: Device<()>,
    /// The input, and then what the last kernel gave; and where this one writes.
    keys: Vec<u32>,
    next: Vec<u32>,
    /// Length of the runs that the kernel before left. `None`: it is the first.
    runs: Option<u32>,
    started: bool,
    /// Keys stored.
    done: u64,
}

fn input(options: &MergesortOptions) -> Vec<u32> {
    let mut stream = SplitMix64::new(options.seed);
    (0..options.keys).map(|_| stream.below(1 << 32) as u32).collect()
}

impl Mergesort {
    /// A sort of keys drawn from a seed.
    ///
    /// # Errors
    /// [`SetupError::Option`]: an option out of range.
    pub fn new(options: MergesortOptions) -> Result<Self, SetupError> {
        options.check()?;
        let mut layout = Layout::default();
        let mut words = || layout.words(options.keys.into());
        Ok(Self {
            options,
            memory: [words()?, words()?],
            device: Device::default(),
            keys: input(&options),
            next: vec![0; options.keys as usize],
            runs: None,
            started: false,
            done: 0,
        })
    }

    /// The keys: before the run, or sorted after it.
    #[must_use]
    pub fn keys(&self) -> &[u32] {
        &self.keys
    }

    /// Compares the keys with those that the standard library sorts.
    ///
    /// # Errors
    /// [`WrongResult`] with the first key that differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let mut want = input(&self.options);
        want.sort_unstable();
        verify("key", self.keys.iter().copied(), want.into_iter())
    }

    /// Blocks that a TB sorts at once: as many as give each of its threads a pair of keys.
    fn blocks_at_once(&self) -> u32 {
        match self.options.spread {
            Spread::Grid => 1,
            Spread::Loop(threads) => (threads / TB_THREADS).max(1),
        }
    }

    /// Merge passes.
    const fn passes(&self) -> u32 {
        (self.options.keys / BLOCK).next_power_of_two().ilog2()
    }
}

impl Algorithm for Mergesort {
    type Thread = Thread;
    on_device!(());

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let MergesortOptions { keys, spread, .. } = self.options;
        if !std::mem::replace(&mut self.started, true) {
            let smem = 4 * BLOCK * self.blocks_at_once();
            return Some(spread.kernel(0, keys / BLOCK, TB_THREADS, Resources { regs: REGISTERS, smem }));
        }
        std::mem::swap(&mut self.keys, &mut self.next);
        self.memory.swap(0, 1);
        let runs = self.runs.map_or(BLOCK, |runs| 2 * runs);
        self.runs = Some(runs);
        let tbs = (keys / CHUNK).div_ceil(TB_THREADS);
        (runs < keys).then(|| spread.kernel(1, tbs, TB_THREADS, Resources { regs: REGISTERS, smem: 0 }))
    }

    fn list(&self, _: bool) -> List<Self> {
        match (self.runs, self.options.spread) {
            (None, _) => list::SORT,
            (Some(_), Spread::Grid) => list::MERGE,
            (Some(_), Spread::Loop(_)) => list::MERGE_LOOP,
        }
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::new(place, self)
    }

    fn progress(&self) -> (u64, u64) {
        (self.done, u64::from(self.options.keys) * u64::from(1 + self.passes()))
    }
}

#[cfg(test)]
mod tests;
