//! What can be asked for on the command line, and its help texts.

mod dependencies;
mod logs;
mod model;
mod scheduling;
mod sharing;
mod sm;

pub use dependencies::{BufferOptions, GraphCheck, Setting, WaveArgs};
pub use logs::{ReplayLog, Window};
pub use model::Model;
pub use scheduling::{OnOff, PowerOptions, PowerPolicy, Sched, Scheduling};
pub use sharing::{CompareCommand, Pair, Pool, SharingArgs, SharingPolicy, Sweep};
pub use sm::{Calibrate, Kernel, KernelArgs, Kernels, Reproduce, SmPolicy, workload};

use crate::failure::Failure;
use crate::memory;
use crate::suggest::like;
use crate::way::{Asked, Way, WaysOf};
use clap::{Args, Parser, Subcommand, ValueEnum};
use gpusched_workloads::graph::read::{Format, STANDARD_INPUT};
use gpusched_workloads::graph::{Generator, GraphError, GraphSource, Wanted, Weights};
use gpusched_workloads::keys::KeySource;
use gpusched_workloads::{Mode, Version};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The GPU if none is named and no dependency graphs run.
pub const GPU: &str = "k20c";
/// The GPU if none is named and dependency graphs run: that of their source.
pub const DEPENDENCY_GPU: &str = "gtx480";
/// The GPU if none is named and a kernel runs: the one whose memory system saturates.
pub const KERNEL_GPU: &str = "gtx480_mascar";

const EXAMPLES: &str = "\
Examples:
  gpusched                                        BFS on the WordNet graph, five ways
  gpusched --graph kron:14 --modes flat,dtbl      two ways, on a generated graph
  gpusched run --mode dtbl --graph road.mtx       one way, on a graph of yours
  gpusched --set dtbl.agt_size=512 --set bfs.min_child=16
  gpusched compare bfs --graph cit:32768 --json > result.json
  gpusched graph info kron:14
  gpusched graph check tasks.dot
  gpusched compare kmeans
  gpusched kernels
  gpusched model --from-run lbm
  gpusched replay-log run.log
  gpusched config show --gpu gtx480 --toml > mine.toml

Exit status: 0 done and verified, 1 failed, 2 wrong arguments, 130 interrupted.";

const COMPARE_EXAMPLES: &str = "\
Examples:
  gpusched compare --graph kron:14
  gpusched compare bfs --modes flat,cdp,dtbl --set bfs.flat=merrill
  gpusched compare sssp --graph flight:3400
  gpusched compare clr --graph cage:32768 --set clr.min_child=16 --set clr.cover=all
  gpusched compare join --keys gauss
  gpusched compare --graph cit:8192 --sched rr,tb-pri,smx-bind,adaptive-bind
  gpusched compare --graph cit:8192 --modes dtbl --sched adaptive-bind --power bubble --transition 20
  gpusched compare --graph copter2.graph --gpu mine.toml --out results
  gpusched compare heat2d
  gpusched compare int_img --tiles 32 --versions global,lrr,lvl --bound 2
  gpusched compare kmeans --sm lrr,gto,equalizer-perf,equalizer-energy,mascar,apogee
  gpusched compare pair BLK STC
  gpusched compare lbm --sm lrr,mem-high,equalizer-perf --gpu gtx480_equalizer --scale 2";

const RUN_EXAMPLES: &str = "\
Examples:
  gpusched run bfs --mode dtbl --graph cit:32768
  gpusched run --mode cdp --graph road.mtx.gz --source 17 --json
  gpusched run sssp --graph prices.csv --weight-scale 100
  gpusched run clr --graph links.txt --undirected
  gpusched run join --keys orders.txt,lines.txt
  gpusched run --graph kron:8 --sched adaptive-bind --gantt tbs.svg
  gpusched run heat2d --version lvl --tiles 96 --launch-scale 16
  gpusched run spmv --sm mascar --set mascar.rexq=16
  gpusched run fmm --gpu c1060 --set fmm.shmem=true --set fmm.ujam=2";

const DEMO_EXAMPLES: &str = "\
Examples:
  gpusched demo laperm
  gpusched demo wavefront --out pictures";

const FOOTPRINT_EXAMPLES: &str = "\
Examples:
  gpusched footprint
  gpusched footprint join --keys gauss
  gpusched footprint bfs --graph cit:32768 --set bfs.min_child=16";

const GRAPH_EXAMPLES: &str = "\
Examples:
  gpusched graph info
  gpusched graph info kron:14,16,seed=2:3
  gpusched graph info copter2.graph.gz";

const CONFIG_EXAMPLES: &str = "\
Examples:
  gpusched config show
  gpusched config show --gpu gtx480 --set l1.mshrs=64
  gpusched config show --toml > mine.toml; gpusched --gpu mine.toml

Labels: paper = one of the sources, public = other public data, inferred = by arithmetic from such, ours = chosen here,
set = changed by you.";

/// Models of GPU hardware scheduling, run on real irregular workloads. Without a command: compare.
#[derive(Debug, Parser)]
#[command(name = "gpusched", version = env!("GPUSCHED_VERSION"), args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do; without one, compare.
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub compare: Ways,
    #[command(flatten)]
    pub simulation: Simulation,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run one workload several ways and set the results side by side
    #[command(after_help = COMPARE_EXAMPLES, args_conflicts_with_subcommands = true)]
    Compare {
        #[command(subcommand)]
        what: Option<CompareCommand>,
        #[arg(default_value = "bfs", value_parser = sm::workload, help = sm::WORKLOAD_HELP)]
        workload: Workload,
        #[command(flatten)]
        ways: Ways,
        #[command(flatten)]
        simulation: Simulation,
    },
    /// Run one workload one way
    #[command(after_help = RUN_EXAMPLES)]
    Run {
        #[arg(default_value = "bfs", value_parser = sm::workload, help = sm::WORKLOAD_HELP)]
        workload: Workload,
        #[command(flatten)]
        way: OneWay,
        #[command(flatten)]
        simulation: Simulation,
    },
    /// Three to five kernels that share one machine, two at a time, under every policy that shares SMs
    #[command(after_help = sharing::POOL_EXAMPLES)]
    Pool(Pool),
    /// A kernel alone with 1, 2, ... TBs per SM, and its type for TLP modulation
    #[command(after_help = sharing::SWEEP_EXAMPLES)]
    Sweep(Sweep),
    /// Watch a scheduler at work on a small example
    #[command(subcommand)]
    Demo(DemoCommand),
    /// How much of the memory that TBs touch they share with their parents, siblings and others
    #[command(after_help = FOOTPRINT_EXAMPLES)]
    Footprint(Footprint),
    /// Look at graphs: those that are searched, and those that say which TB waits for which
    #[command(subcommand)]
    Graph(GraphCommand),
    /// A study again: its kernels under its policies, with what the source reports beside what comes out here
    #[command(after_help = sm::REPRODUCE_EXAMPLES)]
    Reproduce(Reproduce),
    /// The kernels that show what goes on inside SMs, with what the sources' tables say of them
    #[command(after_help = sm::KERNEL_EXAMPLES)]
    Kernels(Kernels),
    /// Move a kernel's instructions per iteration until it has the source's instructions per L1 miss, and tell what was moved
    Calibrate(Calibrate),
    /// A kernel's time from its counters: what bounds it, what each optimisation could gain, where it lies under the roofline
    #[command(after_help = model::EXAMPLES)]
    Model(Model),
    /// What a simulator's decision log says: check it, sum it up, draw it, compare it with another
    #[command(after_help = logs::EXAMPLES)]
    ReplayLog(ReplayLog),
    /// Look at configurations
    #[command(subcommand)]
    Config(ConfigCommand),
}

#[derive(Debug, Subcommand)]
pub enum DemoCommand {
    /// LaPerm's four policies on the example of its source: a table, and a picture
    #[command(after_help = DEMO_EXAMPLES)]
    Laperm(Demo),
    /// Tiles with dependencies under barriers, LRR and LVL: a table, and a picture of how far they run ahead
    #[command(after_help = DEMO_EXAMPLES)]
    Wavefront(Demo),
}

/// What to look at.
#[derive(Debug, Args)]
pub struct Footprint {
    /// What to run
    #[arg(default_value = "bfs")]
    pub workload: Workload,
    #[command(flatten)]
    pub input: Input,
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
    /// No remarks
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Debug, Subcommand)]
pub enum GraphCommand {
    /// Data graphs, which workloads search: size, degrees, search levels and origin
    #[command(after_help = GRAPH_EXAMPLES)]
    Info {
        #[arg(default_value = "wordnet", value_name = "GRAPH", value_parser = self::graph, help = GRAPH_HELP)]
        graph: GraphSource,
        #[command(flatten)]
        load: GraphArgs,
        /// Vertex to search from [default: the one with most neighbours]
        #[arg(long, value_name = "VERTEX")]
        source: Option<u32>,
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// No progress display
        #[arg(short, long)]
        quiet: bool,
    },
    /// Dependency graphs of TBs: whether they can deadlock the buffer that runs them, what they need of it, how they run
    #[command(after_help = dependencies::EXAMPLES)]
    Check(GraphCheck),
}

#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Every parameter with its value, unit and provenance
    #[command(after_help = CONFIG_EXAMPLES)]
    Show {
        #[command(flatten)]
        machine: Machine,
        /// Print JSON
        #[arg(long, conflicts_with = "toml")]
        json: bool,
        /// Print a file that --gpu takes
        #[arg(long)]
        toml: bool,
    },
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
}

const GRAPH_HELP: &str = "A file (METIS, DIMACS, Matrix Market, edge list; also .gz; - is standard input), wordnet, or a generator: cit:N, cage:N, \
    road:LG, flight:N, uni:LG, kron:LG";
const KEYS_HELP: &str = "For join: uni[:R,S[,K]] or gauss[:R,S[,K]], so many rows and keys below K; or two files R_FILE,S_FILE \
    (a number per line; .bin: little-endian words; also .gz; - is standard input) [default: uni:4096,65536,256]";

/// The ways to run a workload.
#[derive(Debug, Args)]
pub struct Ways {
    /// Modes to compare, by commas [default: flat,cdp,cdpi,dtbl,dtbli; with --sched cdp,dtbl]
    #[arg(long, value_delimiter = ',', value_name = "MODES", value_parser = mode)]
    pub modes: Vec<Mode>,
    /// Versions of a wavefront to compare, by commas [default: global,cdp,deplinks,lrr,lvl]
    #[arg(long, value_delimiter = ',', value_name = "VERSIONS", value_parser = version)]
    pub versions: Vec<Version>,
    /// For kernels: what runs inside the SMs, by commas [default: lrr,gto,equalizer-perf,equalizer-energy,mascar,apogee]
    #[arg(long, value_delimiter = ',', value_name = "POLICIES", value_enum)]
    pub sm: Vec<SmPolicy>,
}

impl Ways {
    /// Those that are asked for, or the usual ones.
    pub fn resolve(&self, workload: Workload, scheduling: &Scheduling) -> Result<Vec<Way>, Failure> {
        let usual = match (workload.ways(), scheduling.sched.as_slice()) {
            (WaysOf::Modes, [_, ..]) => vec![Way::Mode(Mode::Cdp), Way::Mode(Mode::Dtbl)],
            _ => Way::usual(workload),
        };
        let asked = Asked { modes: &self.modes, versions: &self.versions, sm: &self.sm };
        Way::all(workload, asked, &usual)
    }
}

/// The way to run a workload.
#[derive(Debug, Args)]
pub struct OneWay {
    /// How: flat, cdp, cdpi, dtbl or dtbli [default: dtbl]
    #[arg(long, value_name = "MODE", value_parser = mode)]
    pub mode: Option<Mode>,
    /// How a wavefront runs: global, cdp, deplinks, lrr or lvl [default: lvl]
    #[arg(long, value_name = "VERSION", value_parser = version)]
    pub version: Option<Version>,
    /// What runs inside the SMs when a kernel runs [default: lrr]
    #[arg(long, value_name = "POLICY", value_enum)]
    pub sm: Option<SmPolicy>,
}

impl OneWay {
    /// The one that is asked for, or the usual one.
    pub fn resolve(&self, workload: Workload) -> Result<Vec<Way>, Failure> {
        let usual = match workload.ways() {
            WaysOf::Modes => Way::Mode(Mode::Dtbl),
            WaysOf::Versions => Way::Version(Version::Lvl),
            WaysOf::Policies => Way::Sm(SmPolicy::Lrr),
        };
        let asked = Asked { modes: self.mode.as_slice(), versions: self.version.as_slice(), sm: self.sm.as_slice() };
        Way::all(workload, asked, &[usual])
    }
}

/// The machine and its options.
#[derive(Debug, Args)]
pub struct Machine {
    /// GPU: the name of a preset, or a TOML file [default: k20c; gtx480 for dependency graphs; gtx480_mascar for kernels]
    #[arg(long, value_name = "GPU")]
    pub gpu: Option<String>,
    /// Change a parameter of the GPU or an option of the workload (see `config show`); repeatable
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assignment)]
    pub assignments: Vec<Assignment>,
}

/// How a graph is read.
#[derive(Debug, Default, Args)]
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
    pub fn wanted(&self, source: &GraphSource, weights: Weights) -> Wanted {
        let is_nameless = matches!(source, GraphSource::File(path) if path.as_os_str() == STANDARD_INPUT);
        let format = self.format.map(GraphFormat::format).or(is_nameless.then_some(Format::EdgeList));
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
fn graph(word: &str) -> Result<GraphSource, String> {
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
fn mode(word: &str) -> Result<Mode, String> {
    word.parse().map_err(|error| format!("{error}{}", like(word, Mode::ALL.map(|mode| mode.to_string()))))
}

/// A version by its name, or what may have been meant.
fn version(word: &str) -> Result<Version, String> {
    word.parse().map_err(|error| format!("{error}{}", like(word, Version::ALL.map(|version| version.to_string()))))
}

/// What a workload works on.
#[derive(Debug, Default, Args)]
pub struct Input {
    #[arg(long, value_name = "GRAPH", value_parser = graph, help = format!("{GRAPH_HELP} [default: wordnet]"))]
    pub graph: Option<GraphSource>,
    #[command(flatten)]
    pub load: GraphArgs,
    /// For sssp: multiply the weights of a file by this and round them [default: they have to be whole numbers]
    #[arg(long, value_name = "FACTOR", value_parser = factor, allow_negative_numbers = true)]
    pub weight_scale: Option<f64>,
    /// For bfs and sssp: vertex to start from [default: the one with most neighbours]
    #[arg(long, value_name = "VERTEX")]
    pub source: Option<u32>,
    #[arg(long, value_name = "KEYS", help = KEYS_HELP, allow_hyphen_values = true)]
    pub keys: Option<KeySource>,
}

/// All that a simulation needs.
#[derive(Debug, Args)]
pub struct Simulation {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub kernel: KernelArgs,
    #[command(flatten)]
    pub wave: WaveArgs,
    #[command(flatten)]
    pub buffer: BufferOptions,
    #[command(flatten)]
    pub scheduling: Scheduling,
    #[command(flatten)]
    pub machine: Machine,
    /// Also draw which TB ran where: a chart for each run, for runs of up to 4,096 TBs
    #[arg(long, value_name = "FILE.svg")]
    pub gantt: Option<PathBuf>,
    /// Folder for the results
    #[arg(long, default_value = "out", value_name = "DIR")]
    pub out: PathBuf,
    /// Simulations at a time; results do not depend on it [default: the machine's cores]
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn no_command_takes_the_options_of_compare() {
        let cli = Cli::try_parse_from(["gpusched", "--graph", "kron:8", "--modes", "flat,dtbl"]).unwrap();
        assert!(cli.command.is_none());
        assert_eq!(cli.compare.modes, [Mode::Flat, Mode::Dtbl]);
        assert_eq!(cli.simulation.input.graph.unwrap().to_string(), "kron:8,16,seed=2:3");
    }

    #[test]
    fn the_examples_in_the_help_texts_are_accepted() {
        let lines = [
            EXAMPLES,
            COMPARE_EXAMPLES,
            RUN_EXAMPLES,
            DEMO_EXAMPLES,
            FOOTPRINT_EXAMPLES,
            GRAPH_EXAMPLES,
            dependencies::EXAMPLES,
            logs::EXAMPLES,
            model::EXAMPLES,
            sm::REPRODUCE_EXAMPLES,
            sm::KERNEL_EXAMPLES,
            sharing::PAIR_EXAMPLES,
            sharing::POOL_EXAMPLES,
            sharing::SWEEP_EXAMPLES,
            CONFIG_EXAMPLES,
        ]
        .map(str::lines);
        let lines = lines.into_iter().flatten().filter_map(|line| line.strip_prefix("  "));
        let mut examples = 0;
        for command in lines.flat_map(|line| line.split("; ")) {
            // A remark follows after three blanks, a file after an arrow.
            let command = command.split("   ").next().and_then(|c| c.split(" > ").next()).unwrap();
            let parsed = Cli::try_parse_from(command.split_whitespace());
            assert!(parsed.is_ok(), "{command}: {}", parsed.unwrap_err());
            examples += 1;
        }
        assert!(examples > 12, "{examples}");
    }
}
