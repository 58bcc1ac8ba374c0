//! Histogram of bytes (workloads-FK6): a TB counts in 256 bins of its own in shared memory, then adds them to those of all.
//!
//! Lanes of a warp with equal bytes add to one word and so take turns, as do those whose bins share a bank. With few different
//! values that is nearly all of them.
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::gpu::{Gpu, RunOptions};
//! use gpusched_workloads::{Histogram, HistogramOptions};
//!
//! let mut histogram = Histogram::new(HistogramOptions { bytes: 4096, tbs: 2, ..HistogramOptions::default() })?;
//! Gpu::new(&GpuConfig::preset("gtx480")?, RunOptions::default())?.run(&mut histogram, &mut ())?;
//! histogram.check()?;
//! assert_eq!(histogram.bins().iter().sum::<u32>(), 4096);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod list;

pub use list::Thread;

use super::catalogue::{Request, Size};
use super::device::{Device, Resources, host_kernel};
use super::list::{Algorithm, List, Place};
use super::{Array, Layout, SetupError, Verified, WrongResult, check_range, verify};
use crate::graph::SplitMix64;
use gpusched::Descriptor;
use serde::{Deserialize, Serialize};

const BINS: u32 = 256;
/// A thread clears a bin and adds it up.
const TB_THREADS: u32 = BINS;
const RESOURCES: Resources = Resources { regs: 16, smem: 4 * BINS };

/// Size of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HistogramOptions {
    /// Bytes to count: a multiple of 4, up to 2^28.
    pub bytes: u32,
    /// TBs among whose threads the words are dealt, 1 to 65536.
    pub tbs: u32,
    /// Different values among the bytes, 1 to 256, evenly likely: the fewer, the more conflicts.
    pub values: u32,
    /// Seed of the bytes.
    pub seed: u64,
}

impl Default for HistogramOptions {
    fn default() -> Self {
        Self { bytes: 1 << 18, tbs: 64, values: BINS, seed: 1 }
    }
}

impl HistogramOptions {
    fn check(&self) -> Result<(), SetupError> {
        const EXPECTED: &str = "a multiple of 4, up to 2^28";
        check_range("bytes", self.bytes, 4..=1 << 28, EXPECTED)?;
        check_range("bytes", self.bytes, 0..=self.bytes / 4 * 4, EXPECTED)?;
        check_range("tbs", self.tbs, 1..=65536, "1 to 65536 TBs")?;
        check_range("values", self.values, 1..=BINS, "1 to 256 different values")
    }

    /// As the catalogue's `request` says.
    pub(super) fn requested(request: Request) -> Result<Self, SetupError> {
        let Request { seed, size, .. } = request.without_loop()?;
        let default = Self { seed, ..Self::default() };
        Ok(match size {
            Size::Test => Self { bytes: 1 << 13, tbs: 3, ..default },
            Size::Times(n) => Self { bytes: default.bytes.saturating_mul(n), ..default },
        })
    }
}

/// A histogram in progress.
#[derive(Clone, Debug)]
pub struct Histogram {
    options: HistogramOptions,
    launched: bool,
    device: Device<()>,
    memory: Memory,
    data: Vec<u8>,
    bins: Vec<u32>,
    /// Words counted.
    counted: u64,
}

/// Where the arrays lie.
#[derive(Clone, Copy, Debug)]
struct Memory {
    data: Array,
    bins: Array,
}

impl Histogram {
    /// A histogram of bytes drawn from the seed.
    ///
    /// # Errors
    /// [`SetupError::Option`].
    pub fn new(options: HistogramOptions) -> Result<Self, SetupError> {
        options.check()?;
        let mut layout = Layout::default();
        let memory = Memory { data: layout.words(u64::from(options.bytes / 4))?, bins: layout.words(BINS.into())? };
        let mut stream = SplitMix64::new(options.seed);
        Ok(Self {
            options,
            launched: false,
            device: Device::default(),
            memory,
            data: (0..options.bytes).map(|_| stream.below(options.values.into()) as u8).collect(),
            bins: vec![0; BINS as usize],
            counted: 0,
        })
    }

    /// How often each byte has been counted.
    #[must_use]
    pub fn bins(&self) -> &[u32] {
        &self.bins
    }

    /// Compares the bins with a count of the bytes one after the other.
    ///
    /// # Errors
    /// [`WrongResult`] with the first bin that differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let mut want = [0; BINS as usize];
        self.data.iter().for_each(|&byte| want[usize::from(byte)] += 1);
        verify("bin", self.bins.iter().copied(), want.into_iter())
    }
}

impl Algorithm for Histogram {
    type Thread = Thread;
    on_device!(());

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let first = !std::mem::replace(&mut self.launched, true);
        first.then(|| host_kernel(0, self.options.tbs, TB_THREADS, RESOURCES))
    }

    fn list(&self, _: bool) -> List<Self> {
        list::LIST
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::at(place)
    }

    fn progress(&self) -> (u64, u64) {
        (self.counted, u64::from(self.options.bytes / 4))
    }
}

#[cfg(test)]
mod tests;
