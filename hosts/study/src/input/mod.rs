//! From arguments to what a simulation needs: the graph or the keys, the machine, the options of the workloads.

mod load;
mod part;
mod setup;

use std::borrow::Cow;
use std::sync::Arc;

use gpusched_traces::{Program, Summary};
use gpusched_workloads::catalogue::{Request, Size};
use gpusched_workloads::graph::{Csr, fnv1a};
use gpusched_workloads::keys::Rows;
use gpusched_workloads::regx::Streams;
use gpusched_workloads::{AmrOptions, BhtOptions, GemmOptions, PreOptions, WaveKind, WaveOptions};
use indicatif::HumanCount;
use serde::Serialize;

use crate::ask::{Kernel, Workload};
use crate::trace;
pub use load::{dependency_graph, graph, source_vertex, text};
pub use part::{GraphPart, InputPart};
pub use setup::{Resolved, Setup, in_effect};

/// A graph with what a report says about it, for several simulations at a time.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Name without folders.
    pub name: String,
    /// What it is, its origin and its licence, in one line.
    pub provenance: String,
    /// The graph.
    pub csr: Arc<Csr>,
    /// Whether it was made undirected.
    pub made_undirected: bool,
    /// Least and greatest weight as the source has them.
    pub range: Option<[f64; 2]>,
    /// Where the weights that are used come from, if any are.
    pub weights: Option<WeightsFrom>,
}

impl Graph {
    /// Which way its edges go.
    pub fn direction(&self) -> &'static str {
        match (self.csr.is_directed(), self.made_undirected) {
            (true, _) => "directed",
            (false, true) => "made undirected",
            (false, false) => "undirected",
        }
    }

    /// Its size and which way its edges go.
    pub fn size(&self) -> String {
        let edges = if self.csr.is_directed() { "arcs" } else { "edges" };
        let [vertices, count] = [self.csr.vertices(), self.csr.edge_count()].map(|count| HumanCount(count.into()));
        format!("{vertices} vertices, {count} {edges}, {}", self.direction())
    }
}

/// Where the weights of a graph come from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum WeightsFrom {
    /// The file or the generator, as they are.
    Source,
    /// The file: multiplied and rounded.
    Scaled {
        /// By this.
        scale: f64,
    },
    /// A hash of both ends: the source has none.
    Hash,
}

/// The two sides of a join with what a report says about them, for several simulations at a time.
#[derive(Clone, Debug)]
pub struct Keys {
    /// Name without folders.
    pub name: String,
    /// What they are, in one line.
    pub provenance: String,
    /// The outer side.
    pub r: Arc<Rows>,
    /// The side that is searched.
    pub s: Arc<Rows>,
}

/// What a workload works on.
#[derive(Clone, Debug)]
pub enum Input {
    /// A graph, and the vertex at which searches start.
    Graph {
        /// The graph.
        graph: Graph,
        /// The vertex.
        source: u32,
    },
    /// Two sides of keys.
    Keys(Keys),
    /// Bodies, made for the tree over them.
    Bodies(BhtOptions),
    /// Ratings, made for product recommendation.
    Ratings(PreOptions),
    /// Streams of text, and what is looked for in them.
    Streams(Arc<Streams>),
    /// A matrix in tiles, made for the workload.
    Tiles {
        /// Whose matrix.
        kind: WaveKind,
        /// Its size, and how it is launched.
        options: WaveOptions,
    },
    /// Two matrices, made for their product.
    Product(GemmOptions),
    /// A mesh that is refined.
    Mesh(AmrOptions),
    /// What a kernel makes for itself.
    Kernel {
        /// Whose.
        kernel: Kernel,
        /// How much of it.
        request: Request,
    },
    /// A traced program.
    Trace(Arc<Program>),
}

impl Input {
    /// Name without folders.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Self::Graph { graph, .. } => graph.name.as_str().into(),
            Self::Keys(keys) => keys.name.as_str().into(),
            Self::Bodies(options) => format!("{} bodies", options.bodies).into(),
            Self::Streams(streams) => streams.source.to_string().into(),
            Self::Tiles { kind, options } => {
                let (width, height) = options.size(*kind);
                format!("{}x{} tiles of {width}x{height}", options.columns, options.rows).into()
            }
            Self::Ratings(options) => {
                format!("{}x{} ratings, cut {}", options.users, options.items, options.cut).into()
            }
            Self::Product(options) => format!("{}x{} tiles of {}", options.columns, options.rows, options.inner).into(),
            Self::Mesh(AmrOptions { side, depth, .. }) => format!("{side}x{side}-depth-{depth}").into(),
            Self::Kernel { request: Request { size, loop_warps, .. }, .. } => match loop_warps {
                None => format!("x{}", times(*size)).into(),
                Some(warps) => format!("x{}-{warps}-warps", times(*size)).into(),
            },
            Self::Trace(program) => program.name.as_str().into(),
        }
    }

    /// The seed, if it is one of its options.
    pub fn seed_mut(&mut self) -> Option<&mut u64> {
        match self {
            Self::Bodies(BhtOptions { seed, .. })
            | Self::Tiles { options: WaveOptions { seed, .. }, .. }
            | Self::Ratings(PreOptions { seed, .. })
            | Self::Product(GemmOptions { seed, .. })
            | Self::Mesh(AmrOptions { seed, .. })
            | Self::Kernel { request: Request { seed, .. }, .. } => Some(seed),
            Self::Graph { .. } | Self::Keys(_) | Self::Streams(_) | Self::Trace(_) => None,
        }
    }

    /// What it is, its origin and its licence, in one line.
    pub fn provenance(&self) -> Cow<'_, str> {
        match self {
            Self::Graph { graph, .. } => graph.provenance.as_str().into(),
            Self::Keys(keys) => keys.provenance.as_str().into(),
            Self::Streams(streams) => streams.provenance().into(),
            Self::Ratings(options) => {
                format!("generated in place of MovieLens 100K, seed {}; no licence needed", options.seed).into()
            }
            Self::Bodies(BhtOptions { seed, .. })
            | Self::Tiles { options: WaveOptions { seed, .. }, .. }
            | Self::Product(GemmOptions { seed, .. })
            | Self::Mesh(AmrOptions { seed, .. })
            | Self::Kernel { request: Request { seed, .. }, .. } => {
                format!("generated inputs, seed {seed}; no licence needed").into()
            }
            Self::Trace(program) => trace::provenance(program).into(),
        }
    }

    /// The word for it.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Graph { .. } => "graph",
            Self::Keys(_) => "keys",
            Self::Bodies(_) => "bodies",
            Self::Streams(_) => "streams",
            Self::Tiles { .. } => "tiles",
            Self::Ratings(_) => "ratings",
            Self::Product(_) => "product",
            Self::Mesh(_) => "mesh",
            Self::Kernel { .. } => "kernel",
            Self::Trace(_) => "trace",
        }
    }

    /// FNV-1a 64 of a graph, of two sides of keys, or of text, as loaded: rows, ends of arcs and weights; both sides' sorted keys; a word
    /// for each byte. What is made for a run follows from its options, and a trace is known by its files.
    pub fn checksum(&self) -> Option<u64> {
        match self {
            Self::Graph { graph: Graph { csr, .. }, .. } => {
                let weights = csr.weights().unwrap_or_default();
                Some(fnv1a(csr.row().iter().chain(csr.col()).chain(weights).copied()))
            }
            Self::Keys(Keys { r, s, .. }) => Some(fnv1a(r.keys().iter().chain(s.keys()).copied())),
            Self::Streams(streams) => Some(fnv1a(streams.text().iter().map(|&byte| byte.into()))),
            Self::Bodies(_)
            | Self::Ratings(_)
            | Self::Tiles { .. }
            | Self::Product(_)
            | Self::Mesh(_)
            | Self::Kernel { .. }
            | Self::Trace(_) => None,
        }
    }

    /// How big it is.
    pub fn size(&self) -> String {
        let count = |number: u32| HumanCount(number.into());
        match self {
            Self::Graph { graph, .. } => graph.size(),
            Self::Keys(Keys { r, s, .. }) => format!("{} rows with {}", count(r.count()), count(s.count())),
            Self::Bodies(options) => format!("{} bodies, uniform in the unit cube", count(options.bodies)),
            Self::Streams(streams) => format!("{} streams, {} bytes", count(streams.count()), count(streams.bytes())),
            Self::Tiles { kind, options } => {
                let ((width, height), planes) = (options.size(*kind), kind.planes());
                let planes = if planes > 1 { format!("{planes} planes of ") } else { String::new() };
                let WaveOptions { columns, rows, .. } = options;
                format!("{columns} x {rows} tiles of {planes}{} x {} cells", count(width), count(height))
            }
            Self::Ratings(PreOptions { users, items, cut, .. }) => {
                format!("{} users, {} items, up to {} ratings each", count(*users), count(*items), count(*cut))
            }
            Self::Product(GemmOptions { columns, rows, inner, .. }) => {
                format!("{columns} x {rows} tiles of 16 x 128 elements, over {} columns", count(*inner))
            }
            Self::Mesh(options) => {
                let AmrOptions { side, depth, .. } = options;
                format!("{side} x {side} cells, refined up to {depth} times: {} cells", HumanCount(options.cells()))
            }
            Self::Kernel { kernel: Kernel(entry), request: Request { size, loop_warps, .. } } => {
                let times = match times(*size) {
                    1 => String::new(),
                    times => format!(", {times} times"),
                };
                let warps = loop_warps.map_or(String::new(), |warps| format!(", in a loop of {warps} warps"));
                format!("{}{times}{warps}", entry.size)
            }
            Self::Trace(program) => {
                let [tbs, instructions] =
                    [|of: &Summary| of.tbs, |of: &Summary| of.instructions].map(|of| program.sum(of));
                let kernels = trace::plural(program.kernels.len() as u64, "kernel");
                let (tbs, instructions) = (trace::plural(tbs, "TB"), trace::plural(instructions, "warp instruction"));
                format!("{kernels}, {tbs}, {instructions}")
            }
        }
    }

    /// Where `workload` starts, if it starts at a vertex.
    pub fn source_of(&self, workload: Workload) -> Option<u32> {
        match (self, workload) {
            (Self::Graph { source, .. }, Workload::Bfs | Workload::Sssp) => Some(*source),
            _ => None,
        }
    }

    /// Name, size, and where `workload` starts.
    pub fn description(&self, workload: Workload) -> String {
        let source = self.source_of(workload).map_or(String::new(), |source| format!(", source {source}"));
        match self {
            Self::Bodies(_) | Self::Ratings(_) | Self::Tiles { .. } | Self::Product(_) | Self::Mesh(_) => self.size(),
            Self::Kernel { kernel: Kernel(entry), .. } => format!("{}: {}", entry.about, self.size()),
            _ => format!("{}: {}{source}", self.name(), self.size()),
        }
    }

    /// What the weights are and where they come from, if they are used.
    pub fn weights(&self) -> Option<String> {
        let Self::Graph { graph, .. } = self else { return None };
        let used = graph.csr.weights().unwrap_or_default();
        let (Some(least), Some(most)) = (used.iter().min(), used.iter().max()) else { return None };
        let [low, high] = graph.range.unwrap_or_default();
        Some(match graph.weights? {
            WeightsFrom::Source => format!("{least} to {most}, as they are"),
            WeightsFrom::Scaled { scale } => {
                format!("{low} to {high}, multiplied by {scale} and rounded: {least} to {most}")
            }
            WeightsFrom::Hash => format!("the graph has none; made from the ends of each edge: {least} to {most}"),
        })
    }
}

/// How many times the usual work it is.
const fn times(size: Size) -> u32 {
    match size {
        Size::Times(times) => times,
        Size::Test => 0,
    }
}
