//! k-means clustering (workloads-FK2, the kernels of Rodinia): *invert* turns the points from rows into columns, then *assign* finds
//! the nearest centre of each point, and the host moves the centres, round by round.
//!
//! Invert (kmeans-1) reads a row per lane, so that each load touches 32 lines, 32 times the same ones: whether they are still in L1
//! is up to who else runs. Assign (kmeans-2) reads columns.
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::gpu::{Gpu, RunOptions};
//! use gpusched_workloads::{Kmeans, KmeansOptions};
//!
//! let mut kmeans = Kmeans::new(KmeansOptions { points: 300, rounds: 2, ..KmeansOptions::default() })?;
//! let run = Gpu::new(&GpuConfig::preset("gtx480")?, RunOptions::default())?.run(&mut kmeans, &mut ())?;
//! kmeans.check()?;
//! assert_eq!(run.stats.host_kernels, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod list;
mod reference;

pub use list::Thread;

use super::catalogue::{Request, Size};
use super::device::{Device, Resources, host_kernel};
use super::list::{Algorithm, List, Place};
use super::{Array, Layout, SetupError, Verified, WrongResult, check_range, verify, verify_f32};
use crate::graph::SplitMix64;
use gpusched::Descriptor;
use serde::{Deserialize, Serialize};

const TB_THREADS: u32 = 256;
const INVERT_REGISTERS: u32 = 12;
const ASSIGN_REGISTERS: u32 = 20;
/// Limits: words of all points, and of the centres, which are in shared memory.
const MOST_WORDS: u32 = 1 << 26;
const MOST_CENTRE_WORDS: u32 = 48 * 1024 / 4;

/// Which kernels run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KmeansPart {
    /// Both, one after the other.
    #[default]
    Both,
    /// kmeans-1 alone.
    Invert,
    /// kmeans-2 alone; the host has inverted the points.
    Assign,
}

/// Size and kernels of a clustering. The defaults are the sheet's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KmeansOptions {
    /// Points: as many as clusters or more, up to 2^20.
    pub points: u32,
    /// Features of a point, 1 to 1024.
    pub features: u32,
    /// Clusters, 1 to 256; centres of at most 48 KB in all.
    pub clusters: u32,
    /// Rounds of assignment, 1 to 1000, with centres moved in between. With 8, invert has its share of the time on a GTX 480, 0.24
    /// (Table 3.2 of the Equalizer study).
    pub rounds: u32,
    /// Which kernels run.
    pub part: KmeansPart,
    /// Seed of the points.
    pub seed: u64,
}

impl Default for KmeansOptions {
    fn default() -> Self {
        Self { points: 8192, features: 34, clusters: 5, rounds: 8, part: KmeansPart::default(), seed: 1 }
    }
}

impl KmeansOptions {
    fn check(&self) -> Result<(), SetupError> {
        let Self { points, features, clusters, rounds, .. } = *self;
        check_range("features", features, 1..=1024, "1 to 1024")?;
        check_range("clusters", clusters, 1..=256, "1 to 256")?;
        check_range(
            "clusters",
            clusters,
            1..=MOST_CENTRE_WORDS / features,
            "so few that their centres need at most 48 KB",
        )?;
        check_range("points", points, clusters..=1 << 20, "as many as clusters or more, up to 2^20")?;
        check_range("points", points, 1..=MOST_WORDS / features, "at most 2^26 features of all points")?;
        check_range("rounds", rounds, 1..=1000, "1 to 1000")
    }

    /// As the catalogue's `request` says, these kernels.
    pub(super) fn requested(part: KmeansPart, request: Request) -> Result<Self, SetupError> {
        let Request { seed, size, .. } = request.without_loop()?;
        let rounds = if part == KmeansPart::Both { Self::default().rounds } else { 1 };
        let default = Self { part, seed, rounds, ..Self::default() };
        Ok(match size {
            Size::Test => Self { points: 600, ..default },
            Size::Times(n) => Self { points: default.points.saturating_mul(n), ..default },
        })
    }
}

/// A clustering in progress.
#[derive(Clone, Debug)]
pub struct Kmeans {
    options: KmeansOptions,
    device: Device<()>,
    memory: Memory,
    /// The kernel that runs, or is the next: 0 to invert, then a round each.
    kernel: u32,
    next_kernel: u32,
    /// The points, row by row, and column by column.
    points: Vec<f32>,
    inverted: Vec<f32>,
    centres: Vec<f32>,
    /// The cluster of each point.
    membership: Vec<u32>,
    /// Points inverted, and assigned.
    done: u64,
}

/// Where the arrays lie.
#[derive(Clone, Copy, Debug)]
struct Memory {
    points: Array,
    inverted: Array,
    membership: Array,
    centres: Array,
}

impl Kmeans {
    /// Clusters of points drawn from the seed, around as many places as there are clusters. The first centres are the first points.
    ///
    /// # Errors
    /// [`SetupError::Option`].
    pub fn new(options: KmeansOptions) -> Result<Self, SetupError> {
        options.check()?;
        let KmeansOptions { points, features, clusters, part, seed, .. } = options;
        let mut layout = Layout::default();
        let mut words = |len: u32| layout.words(u64::from(len));
        let memory = Memory {
            points: words(points * features)?,
            inverted: words(points * features)?,
            membership: words(points)?,
            centres: words(clusters * features)?,
        };
        let drawn = drawn(points, features, clusters, seed);
        let alone = part == KmeansPart::Assign;
        Ok(Self {
            options,
            device: Device::default(),
            memory,
            kernel: 0,
            next_kernel: u32::from(alone),
            inverted: if alone { reference::inverted(&drawn, features) } else { vec![0.0; drawn.len()] },
            centres: drawn[..(clusters * features) as usize].to_vec(),
            membership: vec![0; points as usize],
            points: drawn,
            done: 0,
        })
    }

    /// The cluster of each point, so far.
    #[must_use]
    pub fn membership(&self) -> &[u32] {
        &self.membership
    }

    /// Compares the inverted points and the clusters with those of a sequential program.
    ///
    /// # Errors
    /// [`WrongResult`] with the first word that differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let KmeansOptions { features, clusters, rounds, part, .. } = self.options;
        let inverted = verify_f32(
            "inverted",
            self.inverted.iter().copied(),
            reference::inverted(&self.points, features).into_iter(),
        )?;
        if part == KmeansPart::Invert {
            return Ok(inverted);
        }
        let want = reference::membership(&self.points, features as usize, clusters as usize, rounds);
        verify("membership", self.membership.iter().copied(), want.into_iter())
    }

    /// The host's part of a round: each centre moves to the mean of its points, if it has any.
    fn move_centres(&mut self) {
        let KmeansOptions { points, features, clusters, .. } = self.options;
        for cluster in 0..clusters {
            let members = || (0..points).filter(|&p| self.membership[p as usize] == cluster);
            let count = members().count();
            for feature in (0..features).filter(|_| count > 0) {
                let sum = members().fold(0.0, |sum, p| sum + self.inverted[(feature * points + p) as usize]);
                self.centres[(cluster * features + feature) as usize] = sum / count as f32;
            }
        }
    }
}

/// Points around a place per cluster: features of the place from 0 to 2, off it by up to 1.
fn drawn(points: u32, features: u32, clusters: u32, seed: u64) -> Vec<f32> {
    let mut stream = SplitMix64::new(seed);
    let places: Vec<f32> = (0..clusters * features).map(|_| 2.0 * stream.unit_f32()).collect();
    let mut drawn = Vec::with_capacity((points * features) as usize);
    for _ in 0..points {
        let place = (stream.below(clusters.into()) * u64::from(features)) as usize;
        drawn.extend(places[place..place + features as usize].iter().map(|at| at + stream.unit_f32()));
    }
    drawn
}

impl Algorithm for Kmeans {
    type Thread = Thread;
    on_device!(());

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let KmeansOptions { points, features, clusters, rounds, part, .. } = self.options;
        self.kernel = self.next_kernel;
        self.next_kernel += 1;
        let last = if part == KmeansPart::Invert { 0 } else { rounds };
        if self.kernel > last {
            return None;
        }
        if self.kernel > 1 {
            self.move_centres();
        }
        let (regs, smem) = match self.kernel {
            0 => (INVERT_REGISTERS, 0),
            _ => (ASSIGN_REGISTERS, 4 * features * clusters),
        };
        let program = u8::from(self.kernel > 0);
        Some(host_kernel(program, points.div_ceil(TB_THREADS), TB_THREADS, Resources { regs, smem }))
    }

    fn kernel_name(&self) -> Option<&str> {
        Some(if self.kernel == 0 { "kmeans-1" } else { "kmeans-2" })
    }

    fn list(&self, _: bool) -> List<Self> {
        if self.kernel == 0 { list::INVERT } else { list::ASSIGN }
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::at(place)
    }

    fn progress(&self) -> (u64, u64) {
        let KmeansOptions { points, rounds, part, .. } = self.options;
        let kernels = match part {
            KmeansPart::Both => 1 + rounds,
            KmeansPart::Invert => 1,
            KmeansPart::Assign => rounds,
        };
        (self.done, u64::from(points) * u64::from(kernels))
    }
}

#[cfg(test)]
mod tests;
