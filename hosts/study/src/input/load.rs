//! From arguments to an input: files are read, with a progress display, and what is made is made.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use anyhow::anyhow;
use gpusched_workloads::catalogue::{Request, Size};
use gpusched_workloads::depgraph::{DepError, DepSource, NamedDeps};
use gpusched_workloads::graph::read::{Progress, STANDARD_INPUT};
use gpusched_workloads::graph::{Builtin, GraphError, GraphSource, NamedGraph, Wanted, Weights, gib};
use gpusched_workloads::keys::{KeyError, KeySource};

use super::{Graph, Input, Keys, Setup, WeightsFrom};
use crate::ask::{self, KernelArgs, Workload};
use crate::failure::Failure;
use crate::progress::Reading;
use crate::{interrupt, memory, trace};

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
                let mut graph = graph(from, &args.load.wanted(weights), quiet)?;
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

/// Where a limit of memory comes from, behind what says it.
const LIMIT: &str = ", which is what is free, or what --memory says";

/// Loads a graph, with a progress display for files.
pub fn graph(source: &GraphSource, wanted: &Wanted, quiet: bool) -> Result<Graph, Failure> {
    if wanted.format.is_some() && !matches!(source, GraphSource::File(_)) {
        return Err(Failure::Usage(anyhow!("--format: {source} is no file")));
    }
    if wanted.undirected && !matches!(source, GraphSource::File(_)) {
        return Err(Failure::Usage(anyhow!("--undirected has no effect: {source} is undirected")));
    }
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

/// A text that is read at once, without the byte-order mark that some programs begin it with.
pub fn text(path: &Path) -> io::Result<String> {
    let text =
        if path.as_os_str() == STANDARD_INPUT { io::read_to_string(io::stdin())? } else { fs::read_to_string(path)? };
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
