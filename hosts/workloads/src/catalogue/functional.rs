//! The functional kernels of the catalogue: their names, what the sources' tables say of them, and how each is set up.

use super::{Build, Category, Entry, Row};
use crate::{
    Boxed, Fft, FftOptions, Filter, FilterOptions, Fmm, Histogram, HistogramOptions, Hotspot, HotspotOptions, Kmeans,
    KmeansOptions, KmeansPart, MaskBfs, Mergesort, MergesortOptions, Pathfinder, PathfinderOptions, Sgemm,
    SgemmOptions, Spmv, Stencil, StencilOptions, Transpose, TransposeForm, TransposeOptions,
};

/// The functional kernels.
pub(super) static FUNCTIONAL: &[Entry] = &[
    Entry {
        name: "bfs-1",
        aliases: &["bfs-2"],
        about: "breadth-first search over a mask of the frontier, two kernels a level",
        group: None,
        size: "uni:14,3",
        row: Row {
            category: Some(Category::Cache),
            fraction: Some(0.95),
            blocks: Some(3),
            warps: Some(16),
            ipm: Some(2.4),
        },
        build: Build::Functional(|request| Ok(Boxed::new(MaskBfs::requested(request)?, MaskBfs::check))),
    },
    Entry {
        name: "spmv",
        aliases: &["spm"],
        about: "sparse matrix times vector by jagged diagonals; printed as compute, behaves as cache",
        group: None,
        size: "cage:32768",
        row: Row {
            category: Some(Category::Compute),
            fraction: Some(1.0),
            blocks: Some(8),
            warps: Some(6),
            ipm: Some(4.2),
        },
        build: Build::Functional(|request| Ok(Boxed::new(Spmv::requested(request)?, Spmv::check))),
    },
    Entry {
        name: "kmeans",
        aliases: &[],
        about: "k-means clustering: kmeans-1, then eight rounds of kmeans-2",
        group: None,
        size: "8192 points of 34 features, 5 clusters",
        row: Row::NONE,
        build: Build::Functional(|request| {
            Ok(Boxed::new(Kmeans::new(KmeansOptions::requested(KmeansPart::Both, request)?)?, Kmeans::check))
        }),
    },
    Entry {
        name: "kmeans-1",
        aliases: &["kms"],
        about: "kmeans: turns the points from rows into columns",
        group: Some("kmeans"),
        size: "8192 points of 34 features",
        row: Row {
            category: Some(Category::Cache),
            fraction: Some(0.24),
            blocks: Some(6),
            warps: Some(8),
            ipm: Some(0.27),
        },
        build: Build::Functional(|request| {
            Ok(Boxed::new(Kmeans::new(KmeansOptions::requested(KmeansPart::Invert, request)?)?, Kmeans::check))
        }),
    },
    Entry {
        name: "kmeans-2",
        aliases: &[],
        about: "kmeans: finds the nearest centre of each point",
        group: Some("kmeans"),
        size: "8192 points of 34 features, 5 clusters",
        row: Row { ipm: Some(88.0), ..Row::NONE },
        build: Build::Functional(|request| {
            Ok(Boxed::new(Kmeans::new(KmeansOptions::requested(KmeansPart::Assign, request)?)?, Kmeans::check))
        }),
    },
    Entry {
        name: "stencil",
        aliases: &[],
        about: "seven-point stencil in three dimensions; threads walk up the z axis",
        group: None,
        size: "128 x 128 x 32 cells",
        row: Row {
            category: Some(Category::Unsaturated),
            fraction: Some(1.0),
            blocks: Some(5),
            warps: Some(4),
            ipm: Some(38.0),
        },
        build: Build::Functional(|request| {
            Ok(Boxed::new(Stencil::new(StencilOptions::requested(request)?)?, Stencil::check))
        }),
    },
    Entry {
        name: "sgemm",
        aliases: &[],
        about: "product of dense matrices with register tiles",
        group: None,
        size: "128 x 96 times 96 x 160",
        row: Row {
            category: Some(Category::Compute),
            fraction: Some(1.0),
            blocks: Some(6),
            warps: Some(4),
            ipm: Some(75.0),
        },
        build: Build::Functional(|request| {
            Ok(Boxed::new(Sgemm::new(SgemmOptions::requested(request)?)?, Sgemm::check))
        }),
    },
    Entry {
        name: "histogram",
        aliases: &[],
        about: "histogram of bytes in shared memory",
        group: None,
        size: "2^18 bytes",
        row: Row { ipm: Some(91.2), ..Row::NONE },
        build: Build::Functional(|request| {
            Ok(Boxed::new(Histogram::new(HistogramOptions::requested(request)?)?, Histogram::check))
        }),
    },
    Entry {
        name: "transpose",
        aliases: &["transpose-33"],
        about: "transposes a matrix by tiles with rows of 33 words: no bank conflicts",
        group: None,
        size: "512 x 512",
        row: Row::NONE,
        build: Build::Functional(|request| {
            Ok(Boxed::new(
                Transpose::new(TransposeOptions::requested(TransposeForm::Tile33, request)?)?,
                Transpose::check,
            ))
        }),
    },
    Entry {
        name: "transpose-32",
        aliases: &[],
        about: "transposes a matrix by tiles with rows of 32 words: 32-way bank conflicts",
        group: None,
        size: "512 x 512",
        row: Row::NONE,
        build: Build::Functional(|request| {
            Ok(Boxed::new(
                Transpose::new(TransposeOptions::requested(TransposeForm::Tile32, request)?)?,
                Transpose::check,
            ))
        }),
    },
    Entry {
        name: "transpose-naive",
        aliases: &[],
        about: "transposes a matrix without tiles: a store touches 32 lines",
        group: None,
        size: "512 x 512",
        row: Row::NONE,
        build: Build::Functional(|request| {
            Ok(Boxed::new(
                Transpose::new(TransposeOptions::requested(TransposeForm::Naive, request)?)?,
                Transpose::check,
            ))
        }),
    },
    Entry {
        name: "fft",
        aliases: &["ft"],
        about: "transforms complex numbers by Fourier, a pass per kernel",
        group: None,
        size: "16,384 points",
        row: Row::NONE,
        build: Build::Functional(|request| Ok(Boxed::new(Fft::new(FftOptions::requested(request))?, Fft::check))),
    },
    Entry {
        name: "mergesort",
        aliases: &["ms"],
        about: "sorts blocks in shared memory, then merges runs",
        group: None,
        size: "32,768 keys",
        row: Row::NONE,
        build: Build::Functional(|request| {
            Ok(Boxed::new(Mergesort::new(MergesortOptions::requested(request))?, Mergesort::check))
        }),
    },
    Entry {
        name: "pathfinder",
        aliases: &["shortest-path"],
        about: "finds the cheapest ways down a grid, 20 rows at once",
        group: None,
        size: "100 rows of 8192",
        row: Row {
            category: Some(Category::Compute),
            fraction: Some(1.0),
            blocks: Some(6),
            warps: Some(8),
            ipm: Some(55.8),
        },
        build: Build::Functional(|request| {
            Ok(Boxed::new(Pathfinder::new(PathfinderOptions::requested(request))?, Pathfinder::check))
        }),
    },
    Entry {
        name: "filter",
        aliases: &[],
        about: "finds the edges of an image between its pixels",
        group: None,
        size: "512 x 512",
        row: Row::NONE,
        build: Build::Functional(|request| {
            Ok(Boxed::new(Filter::new(FilterOptions::requested(request))?, Filter::check))
        }),
    },
    Entry {
        name: "hotspot",
        aliases: &["hst"],
        about: "heats a chip, 2 steps at once in three tiles",
        group: None,
        size: "256 x 256, 8 steps",
        row: Row::NONE,
        build: Build::Functional(|request| {
            Ok(Boxed::new(Hotspot::new(HotspotOptions::requested(request))?, Hotspot::check))
        }),
    },
    Entry {
        name: "fmm",
        aliases: &["u-list"],
        about: "sums potentials of near points, as a fast multipole method does; with --set fmm.shmem=true and the like",
        group: None,
        size: "8^3 boxes of 64 points",
        row: Row::NONE,
        build: Build::Functional(|request| Ok(Boxed::new(Fmm::requested(request)?, Fmm::check))),
    },
];
