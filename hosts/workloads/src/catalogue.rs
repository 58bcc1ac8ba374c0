//! The kernels of the studies that look inside the SM, by name (section 5 of sheet `workloads`): what a command line asks for.
//!
//! A kernel is *functional*, a real algorithm in Rust, or *parametric*, a descriptor that says how many instructions of which class
//! it runs and where its accesses go. Whoever wants one sets it up with [`Entry::kernel`], and has it as a [`Boxed`] workload:
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::gpu::{Gpu, RunOptions};
//! use gpusched_workloads::catalogue::{self, Request, Size};
//!
//! let small = Request { size: Size::Test, ..Request::default() };
//! let mut stencil = catalogue::find("stencil")?.kernel(small)?;
//! let run = Gpu::new(&GpuConfig::preset("gtx480")?, RunOptions::default())?.run(&mut stencil, &mut ())?;
//! stencil.check()?;
//! assert!(run.stats.cycles > 0);
//! let wrong = catalogue::find("kmean").unwrap_err();
//! assert!(wrong.to_string().starts_with("no kernel `kmean`; known: "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # To add a functional kernel
//! Write the workload with a constructor that takes a [`Request`] and a `check`, and give it an [`Entry`] in the list of
//! `functional.rs`. Where a row of the sheet's table has the kernel, say so in `row`. A kernel without a grid-stride form begins with
//! [`Request::without_loop`]. One with several kernels of its own (kmeans) has an entry for all of them in turn, and one for each, with
//! the same type and another constructor.

mod functional;

use super::kernel::{App, KernelSpec, Parametric, built_in};
use super::{Boxed, FmmOptions, SetupError, Verified, WrongResult};
use functional::FUNCTIONAL;
use std::fmt;
use std::sync::LazyLock;

/// What a kernel is short of, by the tables of the Equalizer study (workloads-PK4, column Eq).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// C: issue slots and units.
    Compute,
    /// M: memory bandwidth.
    Memory,
    /// K: room in the L1 data cache.
    Cache,
    /// U: nothing, all the time.
    Unsaturated,
}

impl Category {
    /// All of them, in the order of the sources' tables.
    pub const ALL: [Self; 4] = [Self::Compute, Self::Memory, Self::Cache, Self::Unsaturated];

    /// The sheet's letter.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Compute => 'C',
            Self::Memory => 'M',
            Self::Cache => 'K',
            Self::Unsaturated => 'U',
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Compute => "compute",
            Self::Memory => "memory",
            Self::Cache => "cache",
            Self::Unsaturated => "unsaturated",
        })
    }
}

/// What the sources' tables say of a kernel (workloads-PK4). Absent: the kernel is not in that table.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// What it is short of (Table 3.2).
    pub category: Option<Category>,
    /// Its share of its application's time, 0 to 1 (Table 3.2).
    pub fraction: Option<f64>,
    /// TBs that an SM holds (Table 3.2, numBlocks).
    pub blocks: Option<u32>,
    /// Warps of a TB (Table 3.2, W_cta).
    pub warps: Option<u32>,
    /// Warp instructions per L1 miss of a load (Table 4.3).
    pub ipm: Option<f64>,
}

impl Row {
    /// Of a kernel that no table has.
    pub const NONE: Self = Self { category: None, fraction: None, blocks: None, warps: None, ipm: None };
}

/// How a kernel is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// By an algorithm in Rust (workloads-FK1 to FK12).
    Functional,
    /// By a descriptor (workloads-PK1 to PK4).
    Parametric,
    /// By a descriptor, for the single SM of the prefetching study (workloads-PK6).
    Graphics,
}

/// How much work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Little: a few TBs, for tests. Done in milliseconds.
    Test,
    /// So many times the default, which is seconds. 1 or more.
    Times(u32),
}

/// The most warps of a TB: 1024 threads.
const MOST_LOOP_WARPS: u32 = 32;

/// What is asked of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// How much work.
    pub size: Size,
    /// As a grid-stride loop of one TB with so many warps, whose threads share all of the work: the form that the prefetching study
    /// runs on its single SM. `None`: as the kernel is written, usually a thread per item.
    pub loop_warps: Option<u32>,
    /// Seed of the input.
    pub seed: u64,
    /// For `fmm`, whose instructions depend on options: which. The seed is the request's.
    pub fmm: FmmOptions,
    /// Bytes that building a graph as its input may take.
    pub memory: u64,
}

impl Default for Request {
    fn default() -> Self {
        Self { size: Size::Times(1), loop_warps: None, seed: 1, fmm: FmmOptions::default(), memory: u64::MAX }
    }
}

impl Request {
    /// For kernels that have no grid-stride form.
    ///
    /// # Errors
    /// [`SetupError::Option`] if that form is asked for.
    pub fn without_loop(self) -> Result<Self, SetupError> {
        match self.loop_warps {
            None => Ok(self),
            Some(warps) => Err(SetupError::Option {
                option: "loop_warps",
                expected: "none: this kernel has no grid-stride form",
                found: warps.into(),
            }),
        }
    }
}

/// Verifies the result of a kernel that has run.
pub type Check<W> = fn(&W) -> Result<Verified, WrongResult>;

/// A kernel of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What it is called, such as `bp-1`.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// What it does, in a line.
    pub about: &'static str,
    /// The application whose kernels run in turn, where this is one of several.
    pub group: Option<&'static str>,
    /// Its default size.
    pub size: &'static str,
    /// The sources' tables.
    pub row: Row,
    /// How it is set up.
    build: Build,
}

/// How an entry is set up.
#[derive(Clone, Copy, Debug)]
enum Build {
    Functional(fn(Request) -> Result<Boxed, SetupError>),
    /// Kernels with descriptors, in turn.
    Parametric(&'static [KernelSpec]),
}

/// Other names of parametric kernels: those of the TLP study (workloads-PK5).
const ALIASES: &[(&str, &[&str])] = &[
    ("bp-1", &["bkp"]),
    ("lbm-40", &["lbm-tlp"]),
    ("sc-20", &["stc"]),
    ("srd", &["srad-extract"]),
    ("blk", &["blackscholes"]),
];

/// The parametric kernels, and the applications of several.
static PARAMETRIC: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut entries = Vec::new();
    for (app, of) in built_in() {
        let entry = |name: &'static str, group, kernels: &'static [KernelSpec]| Entry {
            name,
            aliases: ALIASES.iter().find(|(of, _)| *of == name).map_or(&[], |&(_, aliases)| aliases),
            about: &of.about,
            group,
            size: "as its descriptor says",
            row: if let [only] = kernels { only.row } else { Row::NONE },
            build: Build::Parametric(kernels),
        };
        let several = of.kernels.len() > 1;
        entries.extend(several.then(|| entry(app, None, &of.kernels)));
        entries.extend(of.kernels.chunks(1).map(|one| entry(&one[0].name, several.then_some(*app), one)));
    }
    entries
});

/// All kernels: the functional ones, then the parametric ones in the order of the sheet.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    FUNCTIONAL.iter().chain(PARAMETRIC.iter())
}

/// The kernel of this name.
///
/// # Errors
/// [`UnknownKernel`], which names those that there are.
pub fn find(name: &str) -> Result<&'static Entry, UnknownKernel> {
    let is = |entry: &&Entry| entry.name == name || entry.aliases.contains(&name);
    entries().find(is).ok_or_else(|| UnknownKernel(name.to_owned()))
}

impl Entry {
    /// The descriptors of a parametric kernel, or of an application's kernels in turn.
    #[must_use]
    pub const fn specs(&self) -> Option<&'static [KernelSpec]> {
        match self.build {
            Build::Functional(_) => None,
            Build::Parametric(kernels) => Some(kernels),
        }
    }

    /// How the kernel is made.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self.build {
            Build::Functional(_) => Kind::Functional,
            // The lines of that study's cache.
            Build::Parametric(kernels) if kernels.iter().all(|kernel| kernel.line == 32) => Kind::Graphics,
            Build::Parametric(_) => Kind::Parametric,
        }
    }

    /// Sets the kernel up as `request` says.
    ///
    /// # Errors
    /// [`SetupError`]: what is asked for is out of range.
    pub fn kernel(&self, request: Request) -> Result<Boxed, SetupError> {
        let refuse = |option, expected, found| Err(SetupError::Option { option, expected, found });
        if request.size == Size::Times(0) {
            return refuse("scale", "1 or more", 0);
        }
        if let Some(warps) = request.loop_warps.filter(|warps| !(1..=MOST_LOOP_WARPS).contains(warps)) {
            return refuse("loop_warps", "1 to 32 warps", warps.into());
        }
        match self.build {
            Build::Functional(build) => build(request),
            Build::Parametric(kernels) => Ok(Boxed::new(Parametric::of(kernels, request)?, Parametric::check)),
        }
    }
}

/// A user's own kernels as an entry, which stays in memory to the end of the program.
#[must_use]
pub fn own(app: App) -> &'static Entry {
    let App { about, kernels } = app;
    let kernels: &'static [KernelSpec] = kernels.leak();
    let name = if let [one] = kernels { &one.name } else { "own" };
    let row = if let [one] = kernels { one.row } else { Row::NONE };
    let build = Build::Parametric(kernels);
    Box::leak(Box::new(Entry {
        name,
        aliases: &[],
        about: about.leak(),
        group: None,
        size: "as described",
        row,
        build,
    }))
}

/// A name that no kernel has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no kernel `{0}`; known: {known}", known = entries().map(|entry| entry.name).collect::<Vec<_>>().join(", "))]
pub struct UnknownKernel(String);

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_name_is_one_kernels() {
        let mut seen = BTreeSet::new();
        for entry in entries() {
            for name in std::iter::once(&entry.name).chain(entry.aliases) {
                assert!(seen.insert(*name), "{name}");
                assert_eq!(find(name).unwrap().name, entry.name);
            }
        }
        assert!(find("no such").is_err());
    }

    #[test]
    fn sizes_out_of_range_are_refused() {
        let error = |size, loop_warps| {
            let entry = find("lbm").unwrap();
            entry.kernel(Request { size, loop_warps, ..Request::default() }).unwrap_err().to_string()
        };
        assert_eq!(error(Size::Times(0), None), "option `scale`: expected 1 or more, found 0");
        assert_eq!(error(Size::Test, Some(0)), "option `loop_warps`: expected 1 to 32 warps, found 0");
        assert_eq!(error(Size::Test, Some(33)), "option `loop_warps`: expected 1 to 32 warps, found 33");
        assert_eq!(error(Size::Times(1000), None), "option `scale`: expected at most 2^20 TBs, found 1000");
    }

    #[test]
    fn groups_and_kinds_are_told() {
        let kinds = ["transpose", "bp", "bp-1", "hs"].map(|name| find(name).unwrap().kind());
        assert_eq!(kinds, [Kind::Functional, Kind::Parametric, Kind::Parametric, Kind::Graphics]);
        let groups = ["bp", "bp-1", "lbm"].map(|name| find(name).unwrap().group);
        assert_eq!(groups, [None, Some("bp"), None]);
        assert_eq!(find("bkp").unwrap().row.category, Some(Category::Unsaturated));
    }
}
