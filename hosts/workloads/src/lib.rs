//! What runs on the [reference GPU](gpusched_refgpu): algorithms (sheet [`workloads`](sheets)), kernels told by descriptors, and the
//! graphs and keys that they read.
//!
//! ```
//! use std::sync::Arc;
//!
//! use gpusched_refgpu::{config::GpuConfig, gpu::{Gpu, RunOptions}};
//! use gpusched_workloads::{Bfs, BfsOptions, Mode, graph::GraphSource};
//!
//! let graph = "cit:2000".parse::<GraphSource>()?.load(&mut |_| std::ops::ControlFlow::Continue(()))?;
//! let mut search = Bfs::new(Arc::new(graph.csr), Mode::Dtbl, BfsOptions::default())?;
//! let run = Gpu::new(&GpuConfig::preset("k20c").unwrap(), RunOptions::from(Mode::Dtbl))?.run(&mut search, &mut ())?;
//! search.check()?; // Against a sequential search.
//! assert!(run.stats.cycles > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The algorithms
//!
//! | | | |
//! |---|---|---|
//! | [`Bfs`] | breadth-first search | a kernel per level |
//! | [`Sssp`] | single-source shortest paths | two kernels a round |
//! | [`Clr`] | graph colouring | two kernels an iteration |
//! | [`Join`] | relational join | three kernels |
//! | [`Amr`] | adaptive mesh refinement | one, or one per level |
//! | [`Bht`] | forces between bodies by a Barnes-Hut tree | one |
//! | [`Pre`] | similarity of items that users have rated | one |
//! | [`Regx`] | regular expressions in streams of text | one |
//! | [`Wave`] | wavefronts over tiles | one, or one per level |
//! | [`MaskBfs`] | breadth-first search by masks | two kernels a level |
//! | [`Spmv`] | sparse matrix times vector | one |
//! | [`Kmeans`] | clustering | one, and one a round |
//! | [`Stencil`] | seven points in three dimensions | one a sweep |
//! | [`Sgemm`] | dense matrix product, in three ways from tiles to TBs | one |
//! | [`Histogram`] | histogram of bytes | one |
//! | [`Transpose`] | transposition of a matrix | one |
//! | [`Fft`] | fast Fourier transform | one per pass |
//! | [`Mergesort`] | merge sort | one for blocks, one per merge pass |
//! | [`Pathfinder`] | cheapest ways down a grid | one per 20 rows |
//! | [`Filter`] | edges of an image | one |
//! | [`Hotspot`] | heat of a chip | one per 2 steps |
//! | [`Fmm`] | potentials of near points | one |
//!
//! The kernels of the studies that look inside the SM are in the [`catalogue`]; [`Together`] runs several of them at the same time.
//! [`Replay`] executes programs again that were traced on a real GPU, [`Recorder`] writes such traces.
//!
//! Each implements [`Workload`](gpusched_refgpu::program::Workload): one resumable program per warp, with values that are real and a
//! result that is checked (workloads-W1, workloads-W2, workloads-W10). A workload is a folder: `mod.rs` has the data and the kernels,
//! `list.rs` the sheet's instruction lists and what each instruction does for one thread.
//!
//! What they share: `list.rs` walks warps through lists; `vertex.rs` is a thread's loop over the arcs of its vertex;
//! [`LaunchOptions`] and `device.rs` are the launches and their parameter blocks; [`Layout`] gives addresses, [`Mode`] says how
//! to launch, [`Spread`] is a grid or grid-stride loops.
//!
//! What a list costs: `{...}` costs a test and a branch, then the body for the lanes inside, if any. `(...)*` costs its body
//! and then, unless the list says otherwise, a count and a branch for each turn, with the lanes that are still in; a loop that
//! no lane enters costs nothing. Runs of integer instructions form a chain, each waiting for the one before.

#[macro_use]
mod list;

mod amr;
pub mod bfs;
mod bfs_mask;
mod bht;
mod boxed;
pub mod catalogue;
mod clr;
pub mod depgraph;
mod device;
mod fft;
mod filter;
pub mod fmm;
pub mod footprint;
mod generated;
pub mod graph;
mod histogram;
mod hotspot;
mod join;
pub mod kernel;
pub mod keys;
mod kmeans;
mod launch;
mod layout;
mod mergesort;
mod mode;
mod named;
mod pathfinder;
mod pre;
mod record;
pub mod regx;
pub mod replay;
mod sgemm;
pub mod sharers;
#[cfg(doc)]
pub mod sheets;
mod slots;
mod spmv;
mod spread;
mod sssp;
mod stencil;
mod together;
mod transpose;
mod vertex;
mod warp;
mod wavefront;

#[cfg(test)]
pub(crate) mod functional;
#[cfg(test)]
mod tests;

pub use amr::{Amr, AmrOptions};
pub use bfs::{Bfs, BfsOptions};
pub use bfs_mask::MaskBfs;
pub use bht::{Bht, BhtOptions};
pub use boxed::Boxed;
pub use clr::Clr;
pub use fft::{Fft, FftOptions};
pub use filter::{Filter, FilterOptions};
pub use fmm::{Fmm, FmmOptions};
pub use histogram::{Histogram, HistogramOptions};
pub use hotspot::{Hotspot, HotspotOptions};
pub use join::Join;
pub use kmeans::{Kmeans, KmeansOptions, KmeansPart};
pub use launch::{Cover, LaunchOptions, Shape};
pub use layout::{Array, Layout};
pub use mergesort::{Mergesort, MergesortOptions};
pub use mode::Mode;
pub use named::UnknownWord;
pub use pathfinder::{Pathfinder, PathfinderOptions};
pub use pre::{Pre, PreOptions};
pub use record::Recorder;
pub use regx::Regx;
pub use replay::Replay;
pub use sgemm::{Dispatch, GemmOptions, Sgemm, SgemmOptions};
pub use spmv::Spmv;
pub use spread::Spread;
pub use sssp::{INFINITY, Sssp};
pub use stencil::{Stencil, StencilOptions};
pub use together::Together;
pub use transpose::{Transpose, TransposeForm, TransposeOptions};
pub use wavefront::{Barriers, Version, Wave, WaveKind, WaveOptions};

use crate::graph::{Csr, GraphSource, Wanted, fnv1a};
use std::iter::repeat;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

/// Why a workload cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The arrays do not fit below 2^40 (workloads-W4).
    #[error("the arrays need {bytes} bytes, over the 2^40 of the address space")]
    TooBig {
        /// Bytes needed.
        bytes: u64,
    },
    /// An option is out of range.
    #[error("option `{option}`: expected {expected}, found {found}")]
    Option {
        /// Its name.
        option: &'static str,
        /// What may be given.
        expected: &'static str,
        /// What was given.
        found: u64,
    },
    /// The workload has no such mode.
    #[error("mode {mode}: only the breadth-first search has it")]
    NoMode {
        /// The mode.
        mode: Mode,
    },
    /// A shortest path is as long as the mark for none (workloads-W11).
    #[error("a shortest path of length {length}: expected at most 2^32 - 2")]
    PathTooLong {
        /// The longest of the shortest paths.
        length: u64,
    },
    /// A workload on edges that go both ways was given an arc that goes one way.
    #[error("the graph is directed: an arc leads from vertex {from} to {to}, and none back")]
    OneWay {
        /// Where it starts.
        from: u32,
        /// Where it leads.
        to: u32,
    },
    /// The dependencies of TBs make no graph that the hardware takes.
    #[error("the dependency graph: {0}")]
    Graph(#[from] gpusched::dats::DepLinksError),
    /// The input cannot be made.
    #[error("{reason}")]
    Input {
        /// Why.
        reason: String,
    },
    /// A parametric kernel's descriptor makes no sense.
    #[error("{0}")]
    Kernel(#[from] kernel::SpecError),
    /// A join has more pairs than its 32-bit offsets can number.
    #[error("the join has {pairs} pairs: expected at most 2^32 - 1")]
    TooManyPairs {
        /// Pairs of rows with equal keys.
        pairs: u64,
    },
}

/// The result of a run agrees with the independent one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// FNV-1a 64 over the result array.
    pub checksum: u64,
}

/// The result of a run differs from the independent one. The run is void.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("wrong result: {place} is {got}, want {want}")]
pub struct WrongResult {
    /// The first element that differs, such as `level[17]`.
    pub place: String,
    /// Its value.
    pub got: String,
    /// The independent value.
    pub want: String,
}

/// The graph of a [`GraphSource`] that is no file, if building it takes no more than `memory` bytes.
fn graph(name: &str, memory: u64) -> Result<Arc<Csr>, SetupError> {
    let wanted = Wanted { memory, ..Wanted::default() };
    let loaded =
        name.parse::<GraphSource>().and_then(|source| source.load_as(&wanted, &mut |_| ControlFlow::Continue(())));
    loaded.map(|graph| Arc::new(graph.csr)).map_err(|error| SetupError::Input { reason: error.to_string() })
}

/// Compares the array called `name` with the independent one.
fn verify(
    name: &str,
    got: impl Iterator<Item = u32> + Clone,
    want: impl Iterator<Item = u32>,
) -> Result<Verified, WrongResult> {
    verify_words(name, got, want, |word| word.to_string())
}

/// The same for floating point, bit by bit.
fn verify_f32(
    name: &str,
    got: impl Iterator<Item = f32> + Clone,
    want: impl Iterator<Item = f32>,
) -> Result<Verified, WrongResult> {
    verify_words(name, got.map(f32::to_bits), want.map(f32::to_bits), |word| f32::from_bits(word).to_string())
}

fn verify_words(
    name: &str,
    got: impl Iterator<Item = u32> + Clone,
    want: impl Iterator<Item = u32>,
    show: fn(u32) -> String,
) -> Result<Verified, WrongResult> {
    // Behind its end each goes on as nothing, so that one that is shorter differs.
    let pairs = got.clone().map(Some).chain(repeat(None)).zip(want.map(Some).chain(repeat(None)));
    let mut both = pairs.take_while(|pair| *pair != (None, None)).enumerate();
    match both.find(|(_, (got, want))| got != want) {
        None => Ok(Verified { checksum: fnv1a(got) }),
        Some((index, pair)) => {
            let [got, want] = <[_; 2]>::from(pair).map(|word| word.map_or_else(|| "nothing".into(), show));
            Err(WrongResult { place: format!("{name}[{index}]"), got, want })
        }
    }
}

/// Refuses an option outside of what is `allowed`, which `expected` says in words.
fn check_range(
    option: &'static str,
    found: u32,
    allowed: RangeInclusive<u32>,
    expected: &'static str,
) -> Result<(), SetupError> {
    if allowed.contains(&found) {
        return Ok(());
    }
    Err(SetupError::Option { option, expected, found: found.into() })
}
