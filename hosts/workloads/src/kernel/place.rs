//! Which addresses the lanes of a warp touch in an access (workloads-PK2), and what lies there.
//!
//! Arrays are not held: the word at an address is a hash of the address, so an input of any size costs nothing. What is stored is
//! counted, and read by nobody: a store goes to an array of its own, or puts back what was loaded.

use super::pattern::{Access, Pattern};
use super::spec::KernelSpec;
use crate::graph::{SplitMix64, hash};
use crate::{Array, Layout, SetupError};
use gpusched_refgpu::lanes::{WARP, first_lanes};

/// How often a line that was drawn already is drawn again, before the next free one is taken.
const REDRAWS: u32 = 8;
/// Draws of u, of which lines take the square.
const U_BITS: u32 = 16;

/// The warps of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Threads in all.
    pub threads: u64,
    /// Warps of a TB, and pairs of them.
    pub warps: u64,
    pub pairs: u64,
    pub tbs: u64,
    /// The most iterations of a warp.
    pub iterations: u64,
    /// Bytes of a line.
    pub line: u64,
}

impl Extent {
    pub fn of(kernel: &KernelSpec) -> Self {
        let (tbs, warps) = (u64::from(kernel.grid), u64::from(kernel.warps()));
        let (most, _) = kernel.iterations();
        let (threads, line) = (tbs * warps * u64::from(WARP), u64::from(kernel.line));
        Self { threads, warps, pairs: warps.div_ceil(2), tbs, iterations: most, line }
    }

    /// Bytes that an access may touch, from the start of its array.
    fn bytes(&self, access: &Access) -> u64 {
        let items = self.threads.saturating_mul(self.iterations);
        let lines = |lines: u64| lines.saturating_mul(self.line);
        let bytes = match access.pattern {
            Pattern::Stream(step) | Pattern::Stride(step) => items.saturating_mul(step.into()),
            Pattern::Row(words) => (self.threads.saturating_mul(words.into()) + self.iterations).saturating_mul(4),
            Pattern::Invariant(every) => lines(self.iterations.div_ceil(every.into())),
            Pattern::Batch(items_of) => lines(items.div_ceil(items_of.into())),
            Pattern::Own(of) => lines(self.tbs * self.warps * u64::from(of)),
            Pattern::Tb(of) => lines(self.tbs * u64::from(of)),
            Pattern::Pair => lines((self.tbs * self.pairs).saturating_mul(self.iterations)),
            Pattern::Gather(_, bytes) | Pattern::Skewed(_, bytes) => bytes,
            Pattern::Back(_) => 0,
        };
        bytes.saturating_add((access.offset + access.moved()).into())
    }
}

/// An access and its array.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub access: Access,
    pub array: Array,
    /// Its number in the kernel, for draws.
    pub number: u64,
}

impl Site {
    /// The sites of accesses that are numbered from `first`, in the next arrays of `layout`.
    pub fn of(list: &[Access], first: u64, extent: &Extent, layout: &mut Layout) -> Result<Vec<Self>, SetupError> {
        let mut sites: Vec<Self> = Vec::new();
        for (place, (number, &access)) in (first..).zip(list).enumerate() {
            let shares = |other: &&Access| other.within as usize == place + 1;
            let array = match sites.get((access.within as usize).wrapping_sub(1)) {
                Some(of) => of.array,
                None => {
                    let all = std::iter::once(&access).chain(list.iter().filter(shares));
                    layout.array(all.map(|access| extent.bytes(access)).max().unwrap_or(0), 1)?
                }
            };
            sites.push(Self { access, array, number });
        }
        Ok(sites)
    }
}

/// Where a warp stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standing {
    pub tb: u64,
    /// Its number in the TB.
    pub warp: u64,
    /// Its iteration, over all phases.
    pub i: u64,
}

/// Lines drawn, for a warp.
pub type Drawn = [u64; WARP as usize];

impl Standing {
    /// Its number in the grid.
    pub const fn number(&self, extent: &Extent) -> u64 {
        self.tb * extent.warps + self.warp
    }

    /// Whether an access with this condition is there.
    pub const fn has(&self, every: u32, warps: u32) -> bool {
        // Nearly all are always there.
        (every == 1 || self.i % every as u64 == every as u64 - 1)
            && (warps == 1 || self.warp.is_multiple_of(warps as u64))
    }

    /// Active lanes of this iteration, of so many in the mean: k drawn from 8 fewer to 8 more.
    pub fn mask(&self, extent: &Extent, mean: u32, seed: u64) -> u32 {
        if mean >= WARP {
            return u32::MAX;
        }
        let mut stream = SplitMix64::new(hash(hash(seed) ^ self.number(extent)) ^ self.i);
        first_lanes((mean + stream.below(17) as u32).saturating_sub(8).clamp(1, WARP))
    }

    /// Where lane 0 goes and how much further each lane is; for patterns that are a straight line.
    fn line(&self, site: &Site, extent: &Extent) -> (u64, u64) {
        let first = self.number(extent) * u64::from(WARP);
        let item = first + self.i * extent.threads;
        let line = |number: u64, step| (number * extent.line, step);
        match site.access.pattern {
            Pattern::Stream(step) | Pattern::Stride(step) => (item * u64::from(step), step.into()),
            Pattern::Row(words) => ((first * u64::from(words) + self.i) * 4, u64::from(words) * 4),
            Pattern::Invariant(every) => line(self.i / u64::from(every), 0),
            Pattern::Batch(of) => line(item / u64::from(of), 0),
            Pattern::Own(of) => line(self.number(extent) * u64::from(of) + self.i % u64::from(of), 4),
            Pattern::Tb(of) => line(self.tb * u64::from(of) + (self.i + self.warp) % u64::from(of), 4),
            Pattern::Pair => line(self.tb * extent.pairs + self.warp / 2 + self.i * extent.tbs * extent.pairs, 4),
            Pattern::Gather(..) | Pattern::Skewed(..) | Pattern::Back(_) => (0, 0),
        }
    }

    /// Addresses of all lanes. `link` is what a chained access depends on.
    pub fn addresses(&self, site: &Site, extent: &Extent, seed: u64, link: u32, to: &mut [u64; 32]) {
        let base = site.array.at(0) + u64::from(site.access.offset);
        if let Some((lines, count)) = self.drawn(site, extent, seed, link) {
            for (lane, address) in to.iter_mut().enumerate() {
                *address = base + lines[lane % count] * extent.line + lane as u64 * 4 % extent.line;
            }
            return;
        }
        let (start, step) = self.line(site, extent);
        // Words of a line of 32 bytes are taken by four lanes each.
        let wraps =
            extent.line < 128 && matches!(site.access.pattern, Pattern::Own(_) | Pattern::Tb(_) | Pattern::Pair);
        for (lane, address) in to.iter_mut().enumerate() {
            let further = lane as u64 * step;
            *address = base + start + if wraps { further % extent.line } else { further };
        }
    }

    /// The lines that the warp draws, if the pattern draws: lane L goes to line L mod t.
    pub fn drawn(&self, site: &Site, extent: &Extent, seed: u64, link: u32) -> Option<(Drawn, usize)> {
        let (count, bytes, skewed) = match site.access.pattern {
            Pattern::Gather(count, bytes) => (count, bytes, false),
            Pattern::Skewed(count, bytes) => (count, bytes, true),
            _ => return None,
        };
        let link = if site.access.chained { u64::from(link) << 32 } else { 0 };
        let mut stream = SplitMix64::new(hash(hash(seed ^ site.number << 40) ^ self.number(extent)) ^ self.i ^ link);
        let (lines, mut drawn) = (bytes / extent.line, [0; WARP as usize]);
        let mut draw = || {
            if !skewed {
                return stream.below(lines);
            }
            let u = u128::from(stream.below(1 << U_BITS));
            ((u128::from(lines) * u * u) >> (2 * U_BITS)) as u64
        };
        for n in 0..count as usize {
            let is_new = |line: u64| !drawn[..n].contains(&line);
            let mut line = draw();
            for _ in 0..REDRAWS {
                if is_new(line) {
                    break;
                }
                line = draw();
            }
            while !is_new(line) {
                line = (line + 1) % lines;
            }
            drawn[n] = line;
        }
        Some((drawn, count as usize))
    }
}

/// The word at an address.
pub const fn word(seed: u64, address: u64) -> u32 {
    (hash(seed ^ address >> 2) >> 32) as u32
}

/// What a lane loads that asks for `bytes` at `address`, added to its fold.
pub fn fold(seed: u64, fold: u32, address: u64, bytes: u32) -> u32 {
    let add = |fold: u32, value: u32| (fold.rotate_left(5) ^ value).wrapping_mul(0x9E37_79B1);
    if bytes < 4 {
        let value = word(seed, address) >> (8 * (address & 3));
        return add(fold, value & ((1 << (8 * bytes)) - 1));
    }
    (0..bytes / 4).fold(fold, |fold, number| add(fold, word(seed, address + 4 * u64::from(number))))
}

/// What a store adds to the sum over all stores, whose order does not matter.
pub const fn stored(address: u64, value: u32) -> u64 {
    hash(address ^ (value as u64) << 32)
}
