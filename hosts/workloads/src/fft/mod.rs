//! Fast Fourier transform (workloads-FK8): Stockham's radix 2, in order without a permutation, a pass per kernel.
//!
//! A pass takes the elements j and j + n/2 to the elements 2j - q and 2j - q + s, where s = 2^pass and q = j mod s; the
//! difference is turned by the (j - q)th of n roots of unity. So all loads of data are coalesced, the stores from pass 5 on.
//! `list.rs` has the instruction lists, `reference.rs` what the result is held to.
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::gpu::{Gpu, RunOptions};
//! use gpusched_workloads::{Fft, FftOptions};
//!
//! let mut fft = Fft::new(FftOptions { points: 1024, ..FftOptions::default() })?;
//! let stats = Gpu::new(&GpuConfig::preset("gtx480")?, RunOptions::default())?.run(&mut fft, &mut ())?.stats;
//! fft.check()?;
//! assert_eq!(stats.host_kernels, 10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod list;
mod reference;

pub use list::Thread;

use super::catalogue::{Request, Size};
use super::device::{Device, Resources};
use super::list::{Algorithm, List, Place};
use super::{Array, Layout, SetupError, Spread, Verified, WrongResult, check_range};
use crate::graph::{SplitMix64, fnv1a};
use gpusched::Descriptor;
use reference::{Complex, Roots};
use serde::{Deserialize, Serialize};

const TB_THREADS: u32 = 256;
/// Ours: no source has the kernel.
const RESOURCES: Resources = Resources { regs: 20, smem: 0 };

/// What is transformed, and by which threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FftOptions {
    /// Points: a power of two from 64 to 2^22.
    pub points: u32,
    /// Seed of the input, whose parts are below 1.
    pub seed: u64,
    /// How butterflies are spread over threads.
    pub spread: Spread,
}

impl Default for FftOptions {
    fn default() -> Self {
        Self { points: 1 << 14, seed: 1, spread: Spread::Grid }
    }
}

impl FftOptions {
    fn check(&self) -> Result<(), SetupError> {
        const EXPECTED: &str = "a power of two from 64 to 2^22";
        self.spread.check()?;
        check_range("points", self.points, 64..=1 << 22, EXPECTED)?;
        if self.points.is_power_of_two() {
            return Ok(());
        }
        Err(SetupError::Option { option: "points", expected: EXPECTED, found: self.points.into() })
    }

    /// As the catalogue's `request` says.
    pub(super) fn requested(request: Request) -> Self {
        let of = Self { seed: request.seed, spread: Spread::requested(request), ..Self::default() };
        match request.size {
            Size::Test => Self { points: 512, ..of },
            Size::Times(n) => Self { points: of.points.saturating_mul(n), ..of },
        }
    }
}

/// Real and imaginary parts of an array of complex numbers.
type Parts<T> = [T; 2];

/// A transform in progress.
#[derive(Clone, Debug)]
pub struct Fft {
    options: FftOptions,
    memory: Memory,
    device: Device<()>,
    /// The input, and then what the last pass gave; and where this pass writes.
    data: Parts<Vec<f32>>,
    next: Parts<Vec<f32>>,
    /// The first half of the roots of unity.
    twiddle: Parts<Vec<f32>>,
    /// Passes begun.
    passes: u32,
    /// Butterflies done.
    done: u64,
}

/// Where the arrays lie.
#[derive(Clone, Debug)]
struct Memory {
    /// A pass reads one and writes the other.
    data: [Parts<Array>; 2],
    twiddle: Parts<Array>,
}

impl Fft {
    /// The transform of numbers drawn from a seed.
    ///
    /// # Errors
    /// [`SetupError::Option`]: an option out of range.
    pub fn new(options: FftOptions) -> Result<Self, SetupError> {
        options.check()?;
        let mut layout = Layout::default();
        let mut parts =
            |len: u32| -> Result<_, SetupError> { Ok([layout.words(len.into())?, layout.words(len.into())?]) };
        let memory =
            Memory { data: [parts(options.points)?, parts(options.points)?], twiddle: parts(options.points / 2)? };
        let zeros = || vec![0.0; options.points as usize];
        let roots = Roots::new(options.points);
        let twiddle = |part: fn(Complex) -> f64| (0..options.points / 2).map(|k| part(roots.get(k)) as f32).collect();
        Ok(Self {
            options,
            memory,
            device: Device::default(),
            data: input(&options),
            next: [zeros(), zeros()],
            twiddle: [twiddle(|root| root.re), twiddle(|root| root.im)],
            passes: 0,
            done: 0,
        })
    }

    /// Real and imaginary parts: the input before the run, the transform after it.
    #[must_use]
    pub const fn values(&self) -> &[Vec<f32>; 2] {
        &self.data
    }

    /// Compares the first 64 values with those that the definition of the transform gives in double precision, and all with
    /// those of a recursive transform. Each may be off by 1e-4 of their root mean square.
    ///
    /// # Errors
    /// [`WrongResult`] with the first value that is farther off.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let [re, im] = input(&self.options);
        let input: Vec<_> = re.iter().zip(&im).map(|(&re, &im)| Complex { re: re.into(), im: im.into() }).collect();
        reference::hold(&self.data, &reference::first_by_definition(&input))?;
        reference::hold(&self.data, &reference::transform(&input))?;
        Ok(Verified { checksum: fnv1a(self.data.iter().flatten().map(|part| part.to_bits())) })
    }

    /// log2 of the points: as many passes there are.
    const fn all_passes(&self) -> u32 {
        self.options.points.ilog2()
    }
}

/// The numbers that are transformed: both parts of one, then of the next.
fn input(options: &FftOptions) -> Parts<Vec<f32>> {
    let mut stream = SplitMix64::new(options.seed);
    let (re, im) = (0..options.points).map(|_| (stream.unit_f32(), stream.unit_f32())).unzip();
    [re, im]
}

impl Algorithm for Fft {
    type Thread = Thread;
    on_device!(());

    fn next_kernel(&mut self) -> Option<Descriptor> {
        if self.passes > 0 {
            std::mem::swap(&mut self.data, &mut self.next);
            self.memory.data.swap(0, 1);
        }
        if self.passes == self.all_passes() {
            return None;
        }
        self.passes += 1;
        let tbs = (self.options.points / 2).div_ceil(TB_THREADS);
        Some(self.options.spread.kernel(0, tbs, TB_THREADS, RESOURCES))
    }

    fn list(&self, _: bool) -> List<Self> {
        if self.options.spread.is_loop() { list::LOOP } else { list::GRID }
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::new(self.options.spread.items(place, self.options.points / 2))
    }

    fn progress(&self) -> (u64, u64) {
        (self.done, u64::from(self.options.points / 2) * u64::from(self.all_passes()))
    }
}

#[cfg(test)]
mod tests;
