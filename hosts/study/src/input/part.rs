//! What a report says about an input in JSON.

use std::collections::BTreeMap;

use gpusched_traces::Bytes;
use gpusched_traces::isa::Space;
use gpusched_workloads::catalogue::Request;
use gpusched_workloads::{GemmOptions, PreOptions, WaveOptions, replay};
use serde::Serialize;

use super::{Graph, Input, Keys, WeightsFrom, times};
use crate::ask::Kernel;
use crate::trace;

/// An input in JSON: an object named after its kind.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum InputPart<'a> {
    /// A graph.
    Graph {
        /// Name without folders.
        name: &'a str,
        /// What it is.
        provenance: &'a str,
        /// How many.
        vertices: u32,
        /// How many, of a graph whose edges go both ways.
        undirected_edges: Option<u32>,
        /// How many; of an undirected graph two for each edge.
        arcs: u32,
        /// Which way edges go.
        direction: &'static str,
        /// Where weights come from, if they are used.
        #[serde(skip_serializing_if = "Option::is_none")]
        weights: Option<WeightsFrom>,
    },
    /// Two sides of keys.
    Keys {
        /// Name without folders.
        name: &'a str,
        /// What they are.
        provenance: &'a str,
        /// Rows of the outer side.
        r_rows: u32,
        /// Rows of the side that is searched.
        s_rows: u32,
    },
    /// Bodies.
    Bodies {
        /// Name.
        name: String,
        /// What they are.
        provenance: String,
        /// How many.
        bodies: u32,
    },
    /// Ratings of items by users.
    Ratings {
        /// Name.
        name: String,
        /// What they are.
        provenance: String,
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
        name: String,
        /// What they are.
        provenance: String,
        /// How many.
        count: u32,
        /// Of text in all of them.
        bytes: u32,
    },
    /// A matrix in tiles.
    Tiles {
        /// Name.
        name: String,
        /// What it is.
        provenance: String,
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
        name: String,
        /// What they are.
        provenance: String,
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
        name: String,
        /// What it is.
        provenance: String,
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
        name: &'a str,
        /// Where it was traced.
        provenance: String,
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
        match self {
            Self::Graph { graph, .. } => {
                let Graph { csr, name, provenance, weights, .. } = graph;
                InputPart::Graph {
                    name,
                    provenance,
                    vertices: csr.vertices(),
                    undirected_edges: (!csr.is_directed()).then(|| csr.edge_count()),
                    arcs: csr.arc_count(),
                    direction: graph.direction(),
                    weights: *weights,
                }
            }
            Self::Keys(Keys { r, s, name, provenance }) => {
                InputPart::Keys { name, provenance, r_rows: r.count(), s_rows: s.count() }
            }
            Self::Bodies(options) => InputPart::Bodies {
                name: self.name().into_owned(),
                provenance: self.provenance().into_owned(),
                bodies: options.bodies,
            },
            Self::Streams(streams) => InputPart::Streams {
                name: self.name().into_owned(),
                provenance: streams.provenance(),
                count: streams.count(),
                bytes: streams.bytes(),
            },
            Self::Tiles { kind, options } => {
                let (width, height) = options.size(*kind);
                let WaveOptions { columns, rows, launch_scale, .. } = *options;
                let (name, provenance) = (self.name().into_owned(), self.provenance().into_owned());
                InputPart::Tiles { name, provenance, columns, rows, width, height, launch_scale }
            }
            Self::Ratings(PreOptions { users, items, cut, .. }) => InputPart::Ratings {
                name: self.name().into_owned(),
                provenance: self.provenance().into_owned(),
                users: *users,
                items: *items,
                cut: *cut,
            },
            Self::Product(GemmOptions { columns, rows, inner, .. }) => InputPart::Product {
                name: self.name().into_owned(),
                provenance: self.provenance().into_owned(),
                columns: *columns,
                rows: *rows,
                inner: *inner,
            },
            Self::Mesh(options) => InputPart::Mesh {
                name: self.name().into_owned(),
                provenance: self.provenance().into_owned(),
                side: options.side,
                depth: options.depth,
                cells: options.cells(),
            },
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
                name: &program.name,
                provenance: trace::provenance(program),
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
