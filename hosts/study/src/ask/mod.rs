//! What can be asked of an experiment. The structs can be arguments of a program, too: `clap` derives them, and whoever writes a
//! program of their own can flatten them into its arguments.

mod chain;
mod clusters;
mod dependencies;
mod logs;
mod microbench;
mod model;
mod run;
mod scheduling;
mod sharing;
mod sm;
mod speed;
mod study;
mod timeline;
mod trace;

pub use chain::{CHAIN_GPU, Chain};
pub use clusters::{CLUSTER_GPU, Clusters};
pub use dependencies::{BufferOptions, GraphCheck, Setting, WaveArgs};
pub use logs::{ReplayLog, Window};
pub use microbench::Microbench;
pub use model::Model;
pub use run::{OneWay, Run};
pub use scheduling::{OnOff, Policies, PowerOptions, PowerPolicy, Rank, Samples, Scheduling};
pub use sharing::{Pair, Pool, SharingArgs, SharingPolicy, Sweep};
pub(crate) use sm::is_file;
pub use sm::{Calibrate, Kernel, KernelArgs, Kernels, Reproduce, SmPolicy, WORKLOAD_HELP, workload};
pub use speed::{Curve, Speed};
pub use study::{Part, Study, StudyReport, StudyRun};
pub use timeline::{PairTimeline, TimelineFiles};
pub use trace::TraceInfo;

use crate::failure::Failure;
use crate::memory;
use crate::suggest::like;
use anyhow::anyhow;
use clap::{Args, ValueEnum};
use gpusched_workloads::graph::read::Format;
use gpusched_workloads::graph::{Generator, GraphError, GraphSource, Wanted, Weights};
use gpusched_workloads::keys::KeySource;
use gpusched_workloads::regx::StreamSource;
use gpusched_workloads::{Dispatch, Mode, Version};
use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// A value by the name that it has on a command line.
fn show(value: &impl ValueEnum, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    value.to_possible_value().map_or(Ok(()), |value| f.pad(value.get_name()))
}

/// The GPU if none is named and no dependency graphs run.
pub const GPU: &str = "k20c";
/// The GPU if none is named and dependency graphs run: that of their source.
pub const DEPENDENCY_GPU: &str = "gtx480";
/// The GPU if none is named and a kernel runs: the one whose memory system saturates.
pub const KERNEL_GPU: &str = "gtx480_mascar";

/// What to look at.
#[derive(Debug, Args)]
pub struct Footprint {
    /// What to run
    #[arg(default_value = "bfs")]
    pub workload: Workload,
    /// The input.
    #[command(flatten)]
    pub input: Input,
    /// The machine.
    #[command(flatten)]
    pub machine: Machine,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// No progress display
    #[arg(short, long)]
    pub quiet: bool,
}

/// Where a demonstration leaves its picture.
#[derive(Debug, Args)]
pub struct Demo {
    /// Folder for the picture
    #[arg(long, default_value = "out", value_name = "DIR")]
    pub out: PathBuf,
    /// In which forms.
    #[command(flatten)]
    pub pictures: Pictures,
    /// No remarks
    #[arg(short, long)]
    pub quiet: bool,
}

/// Algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Workload {
    /// Breadth-first search on a graph
    Bfs,
    /// Single-source shortest paths on a graph
    Sssp,
    /// Graph colouring
    Clr,
    /// Relational join of two sides of keys
    Join,
    /// Adaptive mesh refinement of a flame
    Amr,
    /// Forces between bodies by a Barnes-Hut tree
    Bht,
    /// Product recommendation: pairs of items that users have rated
    Pre,
    /// Regular expressions in streams of text
    Regx,
    /// Product of dense matrices, tile by tile
    Gemm,
    /// Dynamic time warping of two series: a wavefront of tiles
    Dtw,
    /// Smith-Waterman alignment of two strings: a wavefront of tiles
    Sw,
    /// A heat sweep over a plate in place: a wavefront of tiles
    Heat2d,
    /// A sweep of successive over-relaxation: a wavefront of tiles
    Sor,
    /// Integral image: a wavefront of tiles
    #[value(name = "int_img")]
    IntImg,
    /// Integral histogram: a wavefront of tiles
    Hist,
    /// A kernel that shows what goes on inside SMs, by its name in the catalogue
    #[value(skip)]
    Kernel(Kernel),
    /// A program that was traced on a real GPU
    #[value(skip)]
    Trace,
}

/// What a graph can be.
pub const GRAPH_HELP: &str = "A file (METIS, DIMACS, Matrix Market, edge list; also .gz; - is standard input), wordnet, or a generator: cit:N, cage:N, \
    road:LG, flight:N, uni:LG, kron:LG";
const KEYS_HELP: &str = "For join: uni[:R,S[,K]] or gauss[:R,S[,K]], so many rows and keys below K; or two files R_FILE,S_FILE \
    (a number per line; .bin: little-endian words; also .gz; - is standard input) [default: uni:4096,65536,256]";

const STREAMS_HELP: &str = "For regx: string[:N[,LENGTH]], N streams of random letters, or packets[:N[,LONGEST]] of words [default: string:128,128]";

/// The machine and its options.
#[derive(Debug, Default, Args)]
pub struct Machine {
    /// GPU: the name of a preset, or a TOML file with changes to the preset that its `base` names, or to k20c [default: k20c; gtx480 for dependency graphs and gtx480_mascar for kernels, but for speed; gtx480_liang for pool and
    /// sweep; h100-sxm for chain and clusters; for traces the architecture's]
    #[arg(long, value_name = "GPU")]
    pub gpu: Option<String>,
    /// Change a parameter of the GPU or an option of the workload (see `config show`); repeatable
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assignment)]
    pub assignments: Vec<Assignment>,
}

impl Machine {
    /// An option that is given.
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [("--gpu", self.gpu.is_some()), ("--set", !self.assignments.is_empty())];
        given.into_iter().find_map(|(name, is)| is.then_some(name))
    }

    /// As they stand behind a command.
    pub fn words(&self) -> String {
        let gpu = self.gpu.as_ref().map(|gpu| format!(" --gpu {}", quoted(gpu)));
        let set = self.assignments.iter().map(|of| format!(" --set {}", quoted(&format!("{}={}", of.key, of.value))));
        gpu.into_iter().chain(set).collect()
    }
}

/// An argument as a shell takes it.
pub(crate) fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-+=./:,@%".contains(c);
    if argument.chars().all(is_plain) { argument.to_owned() } else { format!("'{}'", argument.replace('\'', r"'\''")) }
}

/// Where results go, and what is said of them.
#[derive(Debug, Args)]
pub struct Results {
    /// Folder for the results, where files of the same names are replaced
    #[arg(long, default_value = "out", value_name = "DIR")]
    pub out: PathBuf,
    /// Print the result as JSON instead of the tables
    #[arg(long)]
    pub json: bool,
    /// No remarks
    #[arg(short, long)]
    pub quiet: bool,
}

/// In which forms pictures are written.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Pictures {
    /// Also write each picture as PNG, for slides and mails
    #[arg(long)]
    pub png: bool,
}

impl Pictures {
    /// Refuses them where there are none.
    ///
    /// # Errors
    /// `--png`.
    pub fn refused(self, command: &str) -> Result<(), Failure> {
        match self.png {
            true => Err(Failure::Usage(anyhow!("--png: {command} has no pictures"))),
            false => Ok(()),
        }
    }
}

/// How a graph is read.
#[derive(Clone, Debug, Default, Args)]
pub struct GraphArgs {
    /// Make a directed graph undirected: of an arc and the one back the lesser weight stays
    #[arg(long)]
    pub undirected: bool,
    /// How the file is written [default: as its first bytes or its name tell; standard input: list]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<GraphFormat>,
    /// Most memory that building the graph, or joining the keys, may take, such as 512M or 8G [default: what is free]
    #[arg(long, value_name = "BYTES", value_parser = memory::bytes)]
    pub memory: Option<u64>,
}

impl GraphArgs {
    /// An option that means something with graphs or keys only.
    pub fn first_given(&self) -> Option<&'static str> {
        self.first_of_graphs().or(self.memory.is_some().then_some("--memory"))
    }

    /// An option that means something with graphs only.
    pub fn first_of_graphs(&self) -> Option<&'static str> {
        let given = [("--undirected", self.undirected), ("--format", self.format.is_some())];
        given.into_iter().find_map(|(name, is)| is.then_some(name))
    }

    /// Most bytes that may be taken.
    pub fn memory(&self) -> u64 {
        self.memory.unwrap_or_else(memory::free)
    }

    /// The graph of `source`, with these weights.
    pub fn wanted(&self, weights: Weights) -> Wanted {
        let format = self.format.map(GraphFormat::format);
        Wanted { weights, undirected: self.undirected, format, memory: self.memory() }
    }
}

/// How a graph is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    /// METIS, and DIMACS-10
    Metis,
    /// DIMACS-9 shortest paths, and DIMACS colouring
    Dimacs,
    /// Matrix Market, coordinate
    Mtx,
    /// Two vertices and perhaps a weight a line
    List,
}

impl GraphFormat {
    const fn format(self) -> Format {
        match self {
            Self::Metis => Format::Metis,
            Self::Dimacs => Format::Dimacs,
            Self::Mtx => Format::MatrixMarket,
            Self::List => Format::EdgeList,
        }
    }
}

/// A graph by its name, or what may have been meant.
///
/// # Errors
/// What was expected.
pub fn graph(word: &str) -> Result<GraphSource, String> {
    let kinds = Generator::KINDS.map(|kind| format!("{kind}:")).into_iter().chain(["wordnet".to_owned()]);
    let name = word.split_inclusive(':').next().unwrap_or(word);
    word.parse().map_err(|error: GraphError| {
        match Generator::KINDS.iter().any(|kind| name.strip_suffix(':') == Some(kind)) {
            true => error.to_string(),
            false => format!("{error}{}", like(name, kinds)),
        }
    })
}

fn factor(word: &str) -> Result<f64, &'static str> {
    let factor = word.parse().ok().filter(|factor| (1e-12..=1e12).contains(factor));
    factor.ok_or("expected a number from 1e-12 to 1e12")
}

/// A mode by its name, or what may have been meant.
///
/// # Errors
/// What was expected.
pub fn mode(word: &str) -> Result<Mode, String> {
    word.parse().map_err(|error| format!("{error}{}", like(word, Mode::ALL.map(|mode| mode.to_string()))))
}

/// A version by its name, or what may have been meant.
///
/// # Errors
/// What was expected.
pub fn version(word: &str) -> Result<Version, String> {
    word.parse().map_err(|error| format!("{error}{}", like(word, Version::ALL.map(|version| version.to_string()))))
}

/// A dispatch by its name, or what may have been meant.
///
/// # Errors
/// What was expected.
pub fn dispatch(word: &str) -> Result<Dispatch, String> {
    word.parse().map_err(|error| format!("{error}{}", like(word, Dispatch::ALL.map(|dispatch| dispatch.to_string()))))
}

/// What a workload works on.
#[derive(Clone, Debug, Default, Args)]
pub struct Input {
    /// The graph.
    #[arg(long, value_name = "GRAPH", value_parser = graph, help = format!("{GRAPH_HELP} [default: wordnet]"))]
    pub graph: Option<GraphSource>,
    /// How it is read.
    #[command(flatten)]
    pub load: GraphArgs,
    /// For sssp: multiply the weights of a file by this and round them [default: they have to be whole numbers]
    #[arg(long, value_name = "FACTOR", value_parser = factor, allow_negative_numbers = true)]
    pub weight_scale: Option<f64>,
    /// For bfs and sssp: vertex to start from [default: the one with most neighbours]
    #[arg(long, value_name = "VERTEX")]
    pub source: Option<u32>,
    /// The two sides of a join.
    #[arg(long, value_name = "KEYS", help = KEYS_HELP, allow_hyphen_values = true)]
    pub keys: Option<KeySource>,
    /// The streams of text.
    #[arg(long, value_name = "STREAMS", help = STREAMS_HELP)]
    pub streams: Option<StreamSource>,
    /// Instead of a workload: a program that Accel-Sim's tracer recorded on a real GPU, executed again (a kernelslist.g, the folder with one, or a
    /// kernel's .traceg; plain, gzip, xz or zstd)
    #[arg(long, value_name = "TRACE")]
    pub trace: Option<PathBuf>,
}

impl Input {
    /// The workload that runs: the one that is given, a trace, or breadth-first search.
    ///
    /// # Errors
    /// Two of them.
    pub fn workload(&self, given: Option<Workload>) -> Result<Workload, Failure> {
        match (given, &self.trace) {
            (Some(workload), Some(_)) => {
                let name = workload.name();
                Err(Failure::Usage(anyhow!("--trace runs instead of a workload; take either it or {name}")))
            }
            (None, Some(_)) => Ok(Workload::Trace),
            (given, None) => Ok(given.unwrap_or(Workload::Bfs)),
        }
    }

    /// An option that says what a workload works on, but for the trace.
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--graph", self.graph.is_some()),
            ("--source", self.source.is_some()),
            ("--keys", self.keys.is_some()),
            ("--streams", self.streams.is_some()),
            ("--weight-scale", self.weight_scale.is_some()),
        ];
        given.into_iter().find_map(|(name, is)| is.then_some(name)).or(self.load.first_given())
    }
}

/// All that a simulation needs.
#[derive(Debug, Args)]
pub struct Simulation {
    /// The input.
    #[command(flatten)]
    pub input: Input,
    /// How much a kernel does.
    #[command(flatten)]
    pub kernel: KernelArgs,
    /// The size of a wavefront.
    #[command(flatten)]
    pub wave: WaveArgs,
    /// The dependency-graph buffer.
    #[command(flatten)]
    pub buffer: BufferOptions,
    /// Who schedules TBs.
    #[command(flatten)]
    pub scheduling: Scheduling,
    /// The machine.
    #[command(flatten)]
    pub machine: Machine,
    /// Also draw which TB ran where, as SVG or PNG: a chart for each run, for runs of up to 4,096 TBs
    #[arg(long, value_name = "FILE.svg|FILE.png")]
    pub gantt: Option<PathBuf>,
    /// Also write what was decided: a decision log for each run, which replay-log reads, for runs of up to 1,048,576 TBs
    #[arg(long, value_name = "FILE.log")]
    pub log: Option<PathBuf>,
    /// Also write what a run executes as a trace for Accel-Sim, or for --trace: a kernelslist.g and a file for each kernel
    #[arg(long, value_name = "DIR")]
    pub export_trace: Option<PathBuf>,
    /// For bfs, sssp and clr: also write what was found of each vertex, its level, distance or colour, a line each
    #[arg(long, value_name = "FILE.csv")]
    pub results: Option<PathBuf>,
    /// Folder for the results, where files of the same names are replaced
    #[arg(long, default_value = "out", value_name = "DIR")]
    pub out: PathBuf,
    /// In which forms pictures go there.
    #[command(flatten)]
    pub pictures: Pictures,
    /// Simulations at a time, and a thread beside each that reads a trace, if any are left; results do not depend on it [default: the machine's
    /// cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Print the result as JSON instead of the table
    #[arg(long)]
    pub json: bool,
    /// No progress display, no remarks
    #[arg(short, long)]
    pub quiet: bool,
}

/// One `--set`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Dotted name.
    pub key: String,
    /// The word after `=`.
    pub value: String,
}

fn assignment(word: &str) -> Result<Assignment, String> {
    match word.split_once('=') {
        Some((key, value)) if key.contains('.') && !value.is_empty() => {
            Ok(Assignment { key: key.trim().to_owned(), value: value.trim().to_owned() })
        }
        _ => Err("expected KEY=VALUE, such as dtbl.agt_size=512".to_owned()),
    }
}
