//! From arguments to what a simulation needs: the graph or the keys, the machine, the options of the workloads.

mod setup;

pub use setup::{Resolved, Setup};

use crate::ask::{self, Kernel, KernelArgs, Workload};
use crate::failure::Failure;
use crate::interrupt;
use crate::memory;
use crate::progress::Reading;
use crate::trace;
use anyhow::anyhow;
use gpusched_traces::isa::Space;
use gpusched_traces::{Bytes, Program, Summary};
use gpusched_workloads::catalogue::{Request, Size};
use gpusched_workloads::depgraph::{DepError, DepSource, NamedDeps};
use gpusched_workloads::graph::read::{Progress, STANDARD_INPUT};
use gpusched_workloads::graph::{Builtin, Csr, GraphError, GraphSource, NamedGraph, Wanted, Weights, fnv1a, gib};
use gpusched_workloads::keys::{KeyError, KeySource, Rows};
use gpusched_workloads::regx::Streams;
use gpusched_workloads::{AmrOptions, BhtOptions, GemmOptions, PreOptions, WaveKind, WaveOptions, replay};
use indicatif::HumanCount;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

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
    /// Loads what `workload` works on, with a progress display for files.
    pub fn load(
        workload: Workload,
        args: &ask::Input,
        kernel: &KernelArgs,
        setup: &Setup,
        quiet: bool,
    ) -> Result<Self, Failure> {
        let refuse =
            |option: &str| Err(Failure::Usage(anyhow!("{option}: {} takes {}", workload.name(), workload.takes())));
        match (workload, &args.trace) {
            (Workload::Trace, Some(path)) => {
                return args
                    .first_given()
                    .or(kernel.first_given())
                    .map_or_else(|| Ok(Self::Trace(trace::program(path, quiet)?.into())), refuse);
            }
            (_, Some(_)) => return refuse("--trace"),
            (_, None) => {}
        }
        let makes_its_own = match workload {
            Workload::Kernel(of) => {
                let KernelArgs { scale, loop_warps } = *kernel;
                let size = Size::Times(scale.unwrap_or(1));
                let request = Request { size, loop_warps, memory: memory::free(), ..setup.options.request(of) };
                Some(Self::Kernel { kernel: of, request })
            }
            Workload::Bht => Some(Self::Bodies(setup.options.bht)),
            Workload::Pre => Some(Self::Ratings(setup.options.pre)),
            Workload::Gemm => Some(Self::Product(setup.options.gemm)),
            Workload::Amr => Some(Self::Mesh(setup.options.amr)),
            _ => workload.wave().map(|kind| Self::Tiles { kind, options: setup.options.wave }),
        };
        if let (false, Some(option)) = (matches!(workload, Workload::Kernel(_)), kernel.first_given()) {
            return refuse(option);
        }
        if let Some(own) = makes_its_own {
            return args.first_given().map_or_else(|| own.fits(1).map(|()| own), refuse);
        }
        if workload == Workload::Regx {
            let source = args.streams.unwrap_or_default();
            let others = ask::Input { streams: None, ..args.clone() };
            return others.first_given().map_or_else(|| Ok(Self::Streams(source.streams().into())), refuse);
        }
        if args.streams.is_some() {
            return refuse("--streams");
        }
        let searches = matches!(workload, Workload::Bfs | Workload::Sssp);
        if let (Some(_), false) = (args.weight_scale, workload == Workload::Sssp) {
            return refuse("--weight-scale");
        }
        if let (Some(option), Workload::Join) = (args.load.first_of_graphs(), workload) {
            return refuse(option);
        }
        match (workload, args) {
            (Workload::Join, ask::Input { graph: Some(_), .. }) => refuse("--graph"),
            (_, ask::Input { source: Some(_), .. }) if !searches => refuse("--source"),
            (Workload::Join, args) => {
                keys(&args.keys.clone().unwrap_or_default(), args.load.memory(), quiet).map(Self::Keys)
            }
            (_, ask::Input { keys: Some(_), .. }) => refuse("--keys"),
            (_, args) => {
                let wordnet = GraphSource::Builtin(Builtin::Wordnet);
                let from = args.graph.as_ref().unwrap_or(&wordnet);
                let weights = match (workload, args.weight_scale) {
                    (Workload::Sssp, None) => Weights::Whole,
                    (Workload::Sssp, Some(scale)) => Weights::Times(scale),
                    _ => Weights::Ignored,
                };
                let mut graph = graph(from, &args.load.wanted(from, weights), quiet)?;
                if workload == Workload::Sssp {
                    graph.weights = Some(weights_of(&graph, from, args.weight_scale)?);
                    graph.csr = Arc::new(Arc::unwrap_or_clone(graph.csr).or_hashed_weights());
                }
                let source = source_vertex(&graph, args.source)?;
                Ok(Self::Graph { graph, source })
            }
        }
    }

    /// Refuses matrices that take more memory than is free, if so many runs are under way at the same time.
    pub fn fits(&self, runs: usize) -> Result<(), Failure> {
        let (what, one) = match self {
            Self::Tiles { kind, options } => {
                let (width, height) = options.size(*kind);
                (format!("{kind}: matrices of {width}x{height} cells"), options.memory(*kind))
            }
            Self::Ratings(options) => (format!("pre: counts of {}", self.size()), options.memory()),
            Self::Product(options) => (format!("gemm: matrices of {}", self.size()), options.memory()),
            Self::Mesh(options) => (format!("amr: a mesh of {}", self.size()), options.memory()),
            Self::Graph { .. }
            | Self::Keys(_)
            | Self::Bodies(_)
            | Self::Streams(_)
            | Self::Kernel { .. }
            | Self::Trace(_) => {
                return Ok(());
            }
        };
        let (needs, limit) = (one.saturating_mul(runs as u64), memory::free());
        if needs <= limit {
            return Ok(());
        }
        let (needs, limit) = (gib(needs), gib(limit));
        let runs = if runs == 1 { String::new() } else { format!(" in {runs} runs at the same time (--threads)") };
        Err(Failure::Failed(anyhow!(
            "{what}{runs} take about {needs} of memory; the limit is {limit}, which is what is free"
        )))
    }

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
        let (least, most) = (used.iter().min().unwrap_or(&0), used.iter().max().unwrap_or(&0));
        let [low, high] = graph.range.unwrap_or_default();
        Some(match graph.weights? {
            WeightsFrom::Source => format!("{least} to {most}, as they are"),
            WeightsFrom::Scaled { scale } => {
                format!("{low} to {high}, multiplied by {scale} and rounded: {least} to {most}")
            }
            WeightsFrom::Hash => format!("the graph has none; made from the ends of each edge: {least} to {most}"),
        })
    }

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

/// How many times the usual work it is.
const fn times(size: Size) -> u32 {
    match size {
        Size::Times(times) => times,
        Size::Test => 0,
    }
}

/// Shows how far reading is, and ends it when it is interrupted.
fn on_progress(reading: &mut Reading) -> impl FnMut(Progress) -> ControlFlow<()> {
    |progress| {
        reading.update(progress);
        interrupt::look()
    }
}

/// Where the weights of a graph come from. A scale is for weights of a file.
fn weights_of(graph: &Graph, source: &GraphSource, scale: Option<f64>) -> Result<WeightsFrom, Failure> {
    match (scale, source, graph.csr.weights()) {
        (Some(scale), GraphSource::File(_), Some(_)) => Ok(WeightsFrom::Scaled { scale }),
        (Some(_), ..) => Err(Failure::Usage(anyhow!("--weight-scale: {} is no file with weights", graph.name))),
        (None, _, Some(_)) => Ok(WeightsFrom::Source),
        (None, _, None) => Ok(WeightsFrom::Hash),
    }
}

/// A text that is read at once, without the byte-order mark that some programs begin it with.
pub fn text(path: &Path) -> io::Result<String> {
    let text =
        if path.as_os_str() == STANDARD_INPUT { io::read_to_string(io::stdin())? } else { fs::read_to_string(path)? };
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Where a limit of memory comes from, behind what says it.
const LIMIT: &str = ", which is what is free, or what --memory says";

/// Loads a graph, with a progress display for files.
pub fn graph(source: &GraphSource, wanted: &Wanted, quiet: bool) -> Result<Graph, Failure> {
    match source.load_as(wanted, &mut on_progress(&mut Reading::new(source, quiet))) {
        Ok(NamedGraph { name, provenance, csr, made_undirected, weights: range }) => {
            Ok(Graph { name, provenance, csr: Arc::new(csr), made_undirected, range, weights: None })
        }
        Err(GraphError::Cancelled) => Err(Failure::Interrupted),
        Err(error @ GraphError::Memory { .. }) => Err(Failure::Failed(anyhow!("{source}: {error}{LIMIT}"))),
        Err(error) => Err(Failure::Failed(error.into())),
    }
}

/// Loads keys, with a progress display for files.
fn keys(source: &KeySource, memory: u64, quiet: bool) -> Result<Keys, Failure> {
    match source.load(memory, &mut on_progress(&mut Reading::new(source, quiet))) {
        Ok(keys) => Ok(Keys { name: keys.name, provenance: keys.provenance, r: keys.r.into(), s: keys.s.into() }),
        Err(KeyError::Read(GraphError::Cancelled)) => Err(Failure::Interrupted),
        Err(error @ KeyError::Memory { .. }) => Err(Failure::Failed(anyhow!("{source}: {error}{LIMIT}"))),
        Err(error) => Err(Failure::Failed(error.into())),
    }
}

/// Loads a dependency graph, with a progress display for files.
pub fn dependency_graph(source: &DepSource, quiet: bool) -> Result<NamedDeps, Failure> {
    source.load(&mut on_progress(&mut Reading::new(source, quiet))).map_err(|error| match error {
        DepError::Read(GraphError::Cancelled) => Failure::Interrupted,
        error => Failure::Failed(error.into()),
    })
}

/// The vertex to start from: `asked`, if the graph has it, else the one with most neighbours.
pub fn source_vertex(graph: &Graph, asked: Option<u32>) -> Result<u32, Failure> {
    match asked {
        None => Ok(graph.csr.source()),
        Some(vertex) if vertex < graph.csr.vertices() => Ok(vertex),
        Some(vertex) => Err(Failure::Usage(anyhow!(
            "--source {vertex}: the vertices of {} are 0 to {}",
            graph.name,
            graph.csr.vertices() - 1
        ))),
    }
}
