//! What a report says about an input in JSON.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gpusched_traces::Bytes;
use gpusched_traces::isa::Space;
use gpusched_workloads::catalogue::Request;
use gpusched_workloads::{GemmOptions, PreOptions, WaveOptions, replay};
use serde::Serialize;

use super::{Graph, Input, Keys, WeightsFrom, times};
use crate::ask::Kernel;

/// A graph in JSON.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct GraphPart<'a> {
    /// Name without folders.
    pub name: &'a str,
    /// What it is.
    pub provenance: &'a str,
    /// How many.
    pub vertices: u32,
    /// How many, of a graph whose edges go both ways.
    pub undirected_edges: Option<u32>,
    /// How many; of an undirected graph two for each edge.
    pub arcs: u32,
    /// Which way edges go.
    pub direction: &'static str,
}

impl Graph {
    /// It, in JSON.
    pub fn part(&self) -> GraphPart<'_> {
        let Self { csr, name, provenance, .. } = self;
        GraphPart {
            name,
            provenance,
            vertices: csr.vertices(),
            undirected_edges: (!csr.is_directed()).then(|| csr.edge_count()),
            arcs: csr.arc_count(),
            direction: self.direction(),
        }
    }
}

/// An input in JSON: an object named after its kind.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum InputPart<'a> {
    /// A graph.
    Graph {
        /// The graph.
        #[serde(flatten)]
        graph: GraphPart<'a>,
        /// Where weights come from, if they are used.
        #[serde(skip_serializing_if = "Option::is_none")]
        weights: Option<WeightsFrom>,
    },
    /// Two sides of keys.
    Keys {
        /// Name without folders.
        name: Cow<'a, str>,
        /// What they are.
        provenance: Cow<'a, str>,
        /// Rows of the outer side.
        r_rows: u32,
        /// Rows of the side that is searched.
        s_rows: u32,
    },
    /// Bodies.
    Bodies {
        /// Name.
        name: Cow<'a, str>,
        /// What they are.
        provenance: Cow<'a, str>,
        /// How many.
        bodies: u32,
    },
    /// Ratings of items by users.
    Ratings {
        /// Name.
        name: Cow<'a, str>,
        /// What they are.
        provenance: Cow<'a, str>,
        /// How many rate.
        users: u32,
        /// How many are rated.
        items: u32,
        /// Most ratings that a user draws.
        cut: u32,
    },
    /// Streams of text.
    Streams {
        /// Name.
        name: Cow<'a, str>,
        /// What they are.
        provenance: Cow<'a, str>,
        /// How many.
        count: u32,
        /// Of text in all of them.
        bytes: u32,
    },
    /// A matrix in tiles.
    Tiles {
        /// Name.
        name: Cow<'a, str>,
        /// What it is.
        provenance: Cow<'a, str>,
        /// Columns of tiles.
        columns: u32,
        /// Rows of tiles.
        rows: u32,
        /// Columns of the matrix.
        width: u32,
        /// Rows of the matrix.
        height: u32,
        /// What all launch latencies are divided by.
        launch_scale: u32,
    },
    /// Two matrices.
    Product {
        /// Name.
        name: Cow<'a, str>,
        /// What they are.
        provenance: Cow<'a, str>,
        /// Columns of tiles of their product.
        columns: u32,
        /// Rows of tiles.
        rows: u32,
        /// Columns of both.
        inner: u32,
    },
    /// A mesh that is refined.
    Mesh {
        /// Name.
        name: Cow<'a, str>,
        /// What it is.
        provenance: Cow<'a, str>,
        /// Cells along a side of the base grid.
        side: u32,
        /// How often a cell of it may be refined.
        depth: u32,
        /// Cells in the end.
        cells: u64,
    },
    /// What a kernel makes for itself.
    Kernel {
        /// Name.
        name: &'static str,
        /// What it does.
        about: &'static str,
        /// Times the usual work.
        scale: u32,
        /// Warps of the TB, in the grid-stride form.
        #[serde(skip_serializing_if = "Option::is_none")]
        loop_warps: Option<u32>,
        /// Seed.
        seed: u64,
    },
    /// A traced program.
    Trace {
        /// Name without folders.
        name: Cow<'a, str>,
        /// Where it was traced.
        provenance: Cow<'a, str>,
        /// Kernels.
        kernels: usize,
        /// TBs that executed something.
        tbs: u64,
        /// Instructions of warps.
        instructions: u64,
        /// Instructions of threads.
        thread_instructions: u64,
        /// Bytes that lanes asked for, by memory.
        bytes: BTreeMap<Space, Bytes>,
        /// What stands in for something that the machine lacks.
        assumed: Vec<String>,
    },
}

impl Input {
    /// It, in JSON.
    pub fn part(&self) -> InputPart<'_> {
        let (name, provenance) = (self.name(), self.provenance());
        match self {
            Self::Graph { graph, .. } => InputPart::Graph { graph: graph.part(), weights: graph.weights },
            Self::Keys(Keys { r, s, .. }) => InputPart::Keys { name, provenance, r_rows: r.count(), s_rows: s.count() },
            Self::Bodies(options) => InputPart::Bodies { name, provenance, bodies: options.bodies },
            Self::Streams(streams) => {
                InputPart::Streams { name, provenance, count: streams.count(), bytes: streams.bytes() }
            }
            Self::Tiles { kind, options } => {
                let (width, height) = options.size(*kind);
                let WaveOptions { columns, rows, launch_scale, .. } = *options;
                InputPart::Tiles { name, provenance, columns, rows, width, height, launch_scale }
            }
            Self::Ratings(PreOptions { users, items, cut, .. }) => {
                InputPart::Ratings { name, provenance, users: *users, items: *items, cut: *cut }
            }
            Self::Product(GemmOptions { columns, rows, inner, .. }) => {
                InputPart::Product { name, provenance, columns: *columns, rows: *rows, inner: *inner }
            }
            Self::Mesh(options) => {
                InputPart::Mesh { name, provenance, side: options.side, depth: options.depth, cells: options.cells() }
            }
            Self::Kernel { kernel: Kernel(entry), request: Request { size, loop_warps, seed, .. } } => {
                InputPart::Kernel {
                    name: entry.name,
                    about: entry.about,
                    scale: times(*size),
                    loop_warps: *loop_warps,
                    seed: *seed,
                }
            }
            Self::Trace(program) => InputPart::Trace {
                name,
                provenance,
                kernels: program.kernels.len(),
                tbs: program.sum(|of| of.tbs),
                instructions: program.sum(|of| of.instructions),
                thread_instructions: program.sum(|of| of.thread_instructions),
                bytes: program.bytes(),
                assumed: replay::assumed(program),
            },
        }
    }
}
