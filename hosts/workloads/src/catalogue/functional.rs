//! The functional kernels of the catalogue: their names, what the sources' tables say of them, and how each is set up.

use super::{Build, Category, Check, Entry, Row};
use crate::{
    Boxed, Fft, FftOptions, Filter, FilterOptions, Fmm, Histogram, HistogramOptions, Hotspot, HotspotOptions, Kmeans,
    KmeansOptions, KmeansPart, MaskBfs, Mergesort, MergesortOptions, Pathfinder, PathfinderOptions, SetupError, Sgemm,
    SgemmOptions, Spmv, Stencil, StencilOptions, Transpose, TransposeForm, TransposeOptions,
};
use gpusched_refgpu::program::Workload;

/// The functional kernels.
pub(super) static FUNCTIONAL: &[Entry] = &[
    Entry {
        name: "bfs-1",
        aliases: &["bfs-2"],
        about: "breadth-first search over a mask of the frontier, two kernels a level",
        size: "uni:14,3",
        row: row(Category::Cache, 0.95, 3, 16, 2.4),
        build: Build::Functional(|request| boxed(MaskBfs::requested(request), MaskBfs::check)),
        ..PLAIN
    },
    Entry {
        name: "spmv",
        aliases: &["spm"],
        about: "sparse matrix times vector by jagged diagonals; printed as compute, behaves as cache",
        size: "cage:32768",
        row: row(Category::Compute, 1.0, 8, 6, 4.2),
        build: Build::Functional(|request| boxed(Spmv::requested(request), Spmv::check)),
        ..PLAIN
    },
    Entry {
        name: "kmeans",
        about: "k-means clustering: kmeans-1, then eight rounds of kmeans-2",
        size: "8192 points of 34 features, 5 clusters",
        build: Build::Functional(|request| {
            boxed(Kmeans::new(KmeansOptions::requested(KmeansPart::Both, request)?), Kmeans::check)
        }),
        ..PLAIN
    },
    Entry {
        name: "kmeans-1",
        aliases: &["kms"],
        group: Some("kmeans"),
        about: "kmeans: turns the points from rows into columns",
        size: "8192 points of 34 features",
        row: row(Category::Cache, 0.24, 6, 8, 0.27),
        build: Build::Functional(|request| {
            boxed(Kmeans::new(KmeansOptions::requested(KmeansPart::Invert, request)?), Kmeans::check)
        }),
    },
    Entry {
        name: "kmeans-2",
        group: Some("kmeans"),
        about: "kmeans: finds the nearest centre of each point",
        size: "8192 points of 34 features, 5 clusters",
        row: Row { ipm: Some(88.0), ..Row::NONE },
        build: Build::Functional(|request| {
            boxed(Kmeans::new(KmeansOptions::requested(KmeansPart::Assign, request)?), Kmeans::check)
        }),
        ..PLAIN
    },
    Entry {
        name: "stencil",
        about: "seven-point stencil in three dimensions; threads walk up the z axis",
        size: "128 x 128 x 32 cells",
        row: row(Category::Unsaturated, 1.0, 5, 4, 38.0),
        build: Build::Functional(|request| boxed(Stencil::new(StencilOptions::requested(request)?), Stencil::check)),
        ..PLAIN
    },
    Entry {
        name: "sgemm",
        about: "product of dense matrices with register tiles",
        size: "128 x 96 times 96 x 160",
        row: row(Category::Compute, 1.0, 6, 4, 75.0),
        build: Build::Functional(|request| boxed(Sgemm::new(SgemmOptions::requested(request)?), Sgemm::check)),
        ..PLAIN
    },
    Entry {
        name: "histogram",
        about: "histogram of bytes in shared memory",
        size: "2^18 bytes",
        row: Row { ipm: Some(91.2), ..Row::NONE },
        build: Build::Functional(|request| {
            boxed(Histogram::new(HistogramOptions::requested(request)?), Histogram::check)
        }),
        ..PLAIN
    },
    Entry {
        name: "transpose",
        aliases: &["transpose-33"],
        about: "transposes a matrix by tiles with rows of 33 words: no bank conflicts",
        size: "512 x 512",
        build: Build::Functional(|request| {
            boxed(Transpose::new(TransposeOptions::requested(TransposeForm::Tile33, request)?), Transpose::check)
        }),
        ..PLAIN
    },
    Entry {
        name: "transpose-32",
        about: "transposes a matrix by tiles with rows of 32 words: 32-way bank conflicts",
        size: "512 x 512",
        build: Build::Functional(|request| {
            boxed(Transpose::new(TransposeOptions::requested(TransposeForm::Tile32, request)?), Transpose::check)
        }),
        ..PLAIN
    },
    Entry {
        name: "transpose-naive",
        about: "transposes a matrix without tiles: a store touches 32 lines",
        size: "512 x 512",
        build: Build::Functional(|request| {
            boxed(Transpose::new(TransposeOptions::requested(TransposeForm::Naive, request)?), Transpose::check)
        }),
        ..PLAIN
    },
    Entry {
        name: "fft",
        aliases: &["ft"],
        about: "transforms complex numbers by Fourier, a pass per kernel",
        size: "16,384 points",
        build: Build::Functional(|request| boxed(Fft::new(FftOptions::requested(request)), Fft::check)),
        ..PLAIN
    },
    Entry {
        name: "mergesort",
        aliases: &["ms"],
        about: "sorts blocks in shared memory, then merges runs",
        size: "32,768 keys",
        build: Build::Functional(|request| {
            boxed(Mergesort::new(MergesortOptions::requested(request)), Mergesort::check)
        }),
        ..PLAIN
    },
    Entry {
        name: "pathfinder",
        aliases: &["shortest-path"],
        about: "finds the cheapest ways down a grid, 20 rows at once",
        size: "100 rows of 8192",
        row: row(Category::Compute, 1.0, 6, 8, 55.8),
        build: Build::Functional(|request| {
            boxed(Pathfinder::new(PathfinderOptions::requested(request)), Pathfinder::check)
        }),
        ..PLAIN
    },
    Entry {
        name: "filter",
        about: "finds the edges of an image between its pixels",
        size: "512 x 512",
        build: Build::Functional(|request| boxed(Filter::new(FilterOptions::requested(request)), Filter::check)),
        ..PLAIN
    },
    Entry {
        name: "hotspot",
        aliases: &["hst"],
        about: "heats a chip, 2 steps at once in three tiles",
        size: "256 x 256, 8 steps",
        build: Build::Functional(|request| boxed(Hotspot::new(HotspotOptions::requested(request)), Hotspot::check)),
        ..PLAIN
    },
    Entry {
        name: "fmm",
        aliases: &["u-list"],
        about: "sums potentials of near points, as a fast multipole method does; with --set fmm.shmem=true and the like",
        size: "8^3 boxes of 64 points",
        build: Build::Functional(|request| boxed(Fmm::requested(request), Fmm::check)),
        ..PLAIN
    },
];

/// An entry without other names, that no table has.
const PLAIN: Entry =
    Entry { name: "", aliases: &[], about: "", group: None, size: "", row: Row::NONE, build: Build::Parametric(&[]) };

/// A row of both tables.
const fn row(category: Category, fraction: f64, blocks: u32, warps: u32, ipm: f64) -> Row {
    Row { category: Some(category), fraction: Some(fraction), blocks: Some(blocks), warps: Some(warps), ipm: Some(ipm) }
}

fn boxed<W: Workload + 'static>(work: Result<W, SetupError>, check: Check<W>) -> Result<Boxed, SetupError> {
    work.map(|work| Boxed::new(work, check))
}
