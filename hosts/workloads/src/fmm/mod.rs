//! The U-list phase of a fast multipole method (workloads-D1 to D4): each point of a box takes up the potential of all points of the
//! box and of those around it, directly.
//!
//! Targets and sources are two sets of points, uniform in the unit cube; a box has exactly `q` of each. A TB has the targets of a box, a
//! thread one of them, or [`ujam`](FmmOptions::ujam). The six options are the optimisations that the source tries, in any
//! combination. `list.rs` has the instruction lists.
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::gpu::{Gpu, RunOptions};
//! use gpusched_workloads::{Fmm, FmmOptions};
//!
//! let options = FmmOptions { level: 1, q: 32, shmem: true, rsqrt: true, ..FmmOptions::default() };
//! let mut fmm = Fmm::new(options)?;
//! let run = Gpu::new(&GpuConfig::preset("gtx480")?, RunOptions::default())?.run(&mut fmm, &mut ())?;
//! fmm.check()?;
//! assert_eq!((run.stats.sm.tbs, options.interactions()), (8, 256 * 256));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod boxes;
mod list;

pub use list::Thread;

use super::catalogue::{Request, Size};
use super::device::{Device, Resources, host_kernel};
use super::list::{Algorithm, List, Place};
use super::{Array, Layout, SetupError, Verified, WrongResult, check_range};
use crate::graph::fnv1a;
use boxes::Boxes;
use gpusched::Descriptor;
use gpusched_refgpu::lanes::WARP;
use serde::{Deserialize, Serialize};

/// Floating-point operations of an interaction as the source counts them, whichever instructions do them: kappa.
pub const KAPPA: u32 = 11;
/// Points of a tile.
const TILE: u32 = 32;
const POINT_BYTES: u32 = 16;
/// Registers of a thread, and those that it needs for the source that it loads ahead: ours.
const REGISTERS: u32 = 16;
const AHEAD_REGISTERS: u32 = 4;
/// Registers that each target of a thread needs besides, where it has several.
const TARGET_REGISTERS: u32 = 6;
const MOST_POINTS: u64 = 1 << 24;
/// Of the reference, in double precision.
const TOLERANCE: f64 = 1e-4;

/// How many points, and which optimisations. The defaults are the sheet's baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FmmOptions {
    /// The unit cube has 8^level boxes: 0 to 5.
    pub level: u32,
    /// Targets, and sources, of a box: 1 to 1024.
    pub q: u32,
    /// Unit cubes side by side, 1 to 1000: for more work of the same kind.
    pub cubes: u32,
    /// The boxes at one side have those at the other as neighbours: 27 for each. Sources act from where they are all the same.
    pub periodic: bool,
    /// Sources go through shared memory, in tiles of 32.
    pub shmem: bool,
    /// The reciprocal of the root and a product, in place of root and division.
    pub rsqrt: bool,
    /// An array for each word of the points, in place of structures of 16 bytes.
    pub vecpack: bool,
    /// Targets of a thread, 1 to 4.
    pub ujam: u32,
    /// The next source is loaded before this one is used.
    pub pref: bool,
    /// The loop over sources is unrolled by 4.
    pub tight: bool,
    /// Seed of the points.
    pub seed: u64,
}

impl Default for FmmOptions {
    fn default() -> Self {
        Self::BASELINE
    }
}

impl FmmOptions {
    /// Without any optimisation, in the sheet's size.
    pub const BASELINE: Self = Self {
        level: 3,
        q: 64,
        cubes: 1,
        periodic: false,
        shmem: false,
        rsqrt: false,
        vecpack: false,
        ujam: 1,
        pref: false,
        tight: false,
        seed: 1,
    };

    fn check(&self) -> Result<(), SetupError> {
        check_range("level", self.level, 0..=5, "0 to 5")?;
        if self.periodic {
            check_range("level", self.level, 2..=5, "2 to 5 if periodic: 27 different neighbours")?;
        }
        check_range("q", self.q, 1..=1024, "1 to 1024 points of a box")?;
        check_range("cubes", self.cubes, 1..=1000, "1 to 1000 unit cubes")?;
        check_range("ujam", self.ujam, 1..=list::MOST_TARGETS as u32, "1 to 4 targets of a thread")?;
        let points = u64::from(self.boxes().count()) * u64::from(self.q);
        if points > MOST_POINTS {
            let expected = "at most 2^24 points in all boxes";
            return Err(SetupError::Option { option: "q", expected, found: points });
        }
        Ok(())
    }

    /// As the catalogue's `request` says: so many unit cubes.
    pub(super) fn requested(request: Request) -> Result<Self, SetupError> {
        let Request { seed, size, fmm, .. } = request.without_loop()?;
        Ok(match size {
            Size::Test => Self { level: 1, q: 40, seed, ..fmm },
            Size::Times(n) => Self { cubes: fmm.cubes.saturating_mul(n), seed, ..fmm },
        })
    }

    /// Pairs of a target and a source that acts on it.
    #[must_use]
    pub fn interactions(&self) -> u64 {
        self.boxes().pairs() * u64::from(self.q) * u64::from(self.q)
    }

    const fn boxes(&self) -> Boxes {
        Boxes { level: self.level, cubes: self.cubes, periodic: self.periodic }
    }

    /// Threads of a TB.
    const fn threads(&self) -> u32 {
        self.q.div_ceil(self.ujam).next_multiple_of(WARP)
    }

    /// What a TB needs of an SM.
    const fn resources(&self) -> Resources {
        let targets = if self.ujam > 1 { TARGET_REGISTERS * self.ujam } else { 0 };
        let ahead = if self.pref { AHEAD_REGISTERS } else { 0 };
        Resources { regs: REGISTERS + targets + ahead, smem: if self.shmem { TILE * POINT_BYTES } else { 0 } }
    }
}

/// A U-list phase at work.
#[derive(Clone, Debug)]
pub struct Fmm {
    options: FmmOptions,
    launched: bool,
    device: Device<()>,
    memory: Memory,
    /// x, y, z, potential; those of a box after those of the box before.
    targets: Vec<[f32; 4]>,
    /// x, y, z, density.
    sources: Vec<[f32; 4]>,
    /// Where the U-list of each box begins in `lists`, and the end.
    first_entry: Vec<u32>,
    /// The boxes in U-lists.
    lists: Vec<u32>,
    stored: u64,
}

/// Where the arrays lie. Those that are read as constants have their places, too.
#[derive(Clone, Debug)]
struct Memory {
    targets: Points,
    sources: Points,
    first_source: Array,
    lists: Array,
}

/// Points in memory.
#[derive(Clone, Debug)]
enum Points {
    /// Structures of four words.
    Structures(Array),
    /// An array for each word.
    Words([Array; 4]),
}

impl Points {
    fn new(vecpack: bool, points: u64, layout: &mut Layout) -> Result<Self, SetupError> {
        if !vecpack {
            return layout.array(points, POINT_BYTES.into()).map(Self::Structures);
        }
        let mut words = [Array::default(); 4];
        for array in &mut words {
            *array = layout.words(points)?;
        }
        Ok(Self::Words(words))
    }

    /// Address of a word of a point.
    const fn word(&self, point: u32, word: usize) -> u64 {
        match self {
            Self::Structures(points) => points.at(point) + 4 * word as u64,
            Self::Words(words) => words[word].at(point),
        }
    }
}

impl Fmm {
    /// Points drawn from a seed.
    ///
    /// # Errors
    /// [`SetupError::Option`]: an option out of range.
    pub fn new(options: FmmOptions) -> Result<Self, SetupError> {
        options.check()?;
        let boxes = options.boxes();
        let (first_entry, lists) = boxes.lists();
        let (targets, sources) = boxes.points(options.q, options.seed);
        let mut layout = Layout::default();
        let points = targets.len() as u64;
        let of_target = Points::new(options.vecpack, points, &mut layout)?;
        let of_source = Points::new(options.vecpack, points, &mut layout)?;
        let of_boxes = u64::from(boxes.count()) + 1;
        let [_, first_source, _] = [layout.words(of_boxes)?, layout.words(of_boxes)?, layout.words(of_boxes)?];
        let memory =
            Memory { targets: of_target, sources: of_source, first_source, lists: layout.words(lists.len() as u64)? };
        Ok(Self {
            options,
            launched: false,
            device: Device::default(),
            memory,
            targets,
            sources,
            first_entry,
            lists,
            stored: 0,
        })
    }

    /// The request of the catalogue.
    pub(super) fn requested(request: Request) -> Result<Self, SetupError> {
        Self::new(FmmOptions::requested(request)?)
    }

    /// The potential of each target so far.
    pub fn potentials(&self) -> impl Iterator<Item = f32> + Clone {
        self.targets.iter().map(|&[.., potential]| potential)
    }

    /// Compares the potentials with sums in double precision.
    ///
    /// # Errors
    /// [`WrongResult`] with the first target whose potential is off by more than a ten-thousandth.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let q = self.options.q as usize;
        let wide = |point: &[f32; 4]| point.map(f64::from);
        for (number, target) in self.targets.iter().enumerate() {
            let [x, y, z, got] = wide(target);
            let own = number / q;
            let neighbours = &self.lists[self.first_entry[own] as usize..self.first_entry[own + 1] as usize];
            let sources = neighbours.iter().flat_map(|&neighbour| &self.sources[neighbour as usize * q..][..q]);
            let want = sources.map(wide).fold(0.0, |sum, [sx, sy, sz, density]| {
                let [dx, dy, dz] = [x - sx, y - sy, z - sz];
                sum + density / (dx * dx + dy * dy + dz * dz).sqrt()
            });
            let off = (got - want).abs();
            if off.is_nan() || off > TOLERANCE * want {
                let place = format!("potential[{number}]");
                return Err(WrongResult { place, got: got.to_string(), want: want.to_string() });
            }
        }
        Ok(Verified { checksum: fnv1a(self.potentials().map(f32::to_bits)) })
    }
}

impl Algorithm for Fmm {
    type Thread = Thread;
    on_device!(());

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let first = !std::mem::replace(&mut self.launched, true);
        let options = self.options;
        first.then(|| host_kernel(0, options.boxes().count(), options.threads(), options.resources()))
    }

    fn list(&self, _: bool) -> List<Self> {
        list::LIST
    }

    fn thread(&self, place: Place) -> Thread {
        let own = place.tb as usize;
        Thread::new(place, [self.first_entry[own], self.first_entry[own + 1]])
    }

    fn progress(&self) -> (u64, u64) {
        (self.stored, self.targets.len() as u64)
    }
}

#[cfg(test)]
mod tests;
