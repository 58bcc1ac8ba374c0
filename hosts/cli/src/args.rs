//! What can be asked for on the command line: the commands, and the ways to run a workload.

use crate::examples::*;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use gpusched_study::Failure;
use gpusched_study::ask::{
    Calibrate, Chain, Clusters, Demo, Footprint, GRAPH_HELP, GraphArgs, GraphCheck, Kernels, Machine, Microbench,
    Model, Pair, PairTimeline, Policies, Pool, Rank, ReplayLog, Reproduce, Run, Samples, Scheduling, Simulation,
    SmPolicy, Speed, Study, StudyReport, StudyRun, Sweep, TimelineFiles, TraceInfo, WORKLOAD_HELP, Workload, dispatch,
    graph, mode, version, workload,
};
use gpusched_study::way::{Asked, Way, WaysOf};
use gpusched_workloads::graph::GraphSource;
use gpusched_workloads::{Dispatch, Mode, Version};
use std::path::PathBuf;

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
        #[arg(value_parser = workload, help = WORKLOAD_HELP)]
        workload: Option<Workload>,
        #[command(flatten)]
        ways: Ways,
        #[command(flatten)]
        simulation: Box<Simulation>,
    },
    /// Run one workload one way
    #[command(after_help = RUN_EXAMPLES)]
    Run(Box<Run>),
    /// Run one workload one way, and write what happened as a timeline: kernels, TBs by SM, launches, queues, stalls, clocks
    #[command(after_help = TIMELINE_EXAMPLES, args_conflicts_with_subcommands = true)]
    Timeline {
        #[command(subcommand)]
        what: Option<TimelineCommand>,
        #[command(flatten)]
        run: Box<Run>,
        #[command(flatten)]
        files: TimelineFiles,
    },
    /// Runs over every combination of what is varied, as a file says: kept, gone on with after an end, as a table and for programs
    #[command(subcommand, after_help = STUDY_EXAMPLES)]
    Study(StudyCommand),
    /// Three to five kernels that share one machine, two at a time, under every policy that shares SMs
    #[command(after_help = POOL_EXAMPLES)]
    Pool(Pool),
    /// A kernel alone with 1, 2, ... TBs per SM, and its type for TLP modulation
    #[command(after_help = SWEEP_EXAMPLES)]
    Sweep(Sweep),
    /// Clusters of TBs: how many a machine holds, what fragmentation leaves of them, and what waiting for a whole GPC costs
    #[command(after_help = CLUSTER_EXAMPLES)]
    Clusters(Clusters),
    /// Kernels of which each needs the one before: in a stream, as programmatic dependents, and as a graph
    #[command(after_help = CHAIN_EXAMPLES)]
    Chain(Chain),
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
    #[command(after_help = REPRODUCE_EXAMPLES)]
    Reproduce(Reproduce),
    /// The kernels that show what goes on inside SMs, with what the sources' tables say of them
    #[command(after_help = KERNEL_EXAMPLES)]
    Kernels(Kernels),
    /// Every scheduler on every workload: a page with who is how fast where, the same as a table and as JSON
    #[command(after_help = RANK_EXAMPLES)]
    Rank(Rank),
    /// Who can decide which TB goes where (--sched), with sources, parameters and hazards
    Policies(Policies),
    /// Move a kernel's instructions per iteration until it has the source's instructions per L1 miss, and tell what was moved
    Calibrate(Calibrate),
    /// What a machine does: latencies, rates and bandwidths, beside what has been measured on real GPUs
    #[command(after_help = MICROBENCH_EXAMPLES)]
    Microbench(Microbench),
    /// How fast this computer simulates: every workload, or time and memory against SMs, warps, launches and length of traces
    #[command(after_help = SPEED_EXAMPLES)]
    Speed(Speed),
    /// A kernel's time from its counters: what bounds it, what each optimisation could gain, where it lies under the roofline
    #[command(after_help = MODEL_EXAMPLES)]
    Model(Model),
    /// What a simulator's decision log says: check it, sum it up, draw it, compare it with another
    #[command(after_help = LOG_EXAMPLES)]
    ReplayLog(ReplayLog),
    /// Look at traces of real programs
    #[command(subcommand)]
    Trace(TraceCommand),
    /// Look at configurations
    #[command(subcommand)]
    Config(ConfigCommand),
    /// What a shell has to know to complete these commands, on standard output
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// A manual page for each command
    Man {
        /// Folder for the pages
        #[arg(long, default_value = "man", value_name = "DIR")]
        out: PathBuf,
    },
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

#[derive(Debug, Subcommand)]
pub enum GraphCommand {
    /// Data graphs, which workloads search: size, degrees, search levels and origin
    #[command(after_help = GRAPH_EXAMPLES)]
    Info {
        #[arg(default_value = "wordnet", value_name = "GRAPH", value_parser = graph, help = GRAPH_HELP)]
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
    #[command(after_help = CHECK_EXAMPLES)]
    Check(GraphCheck),
}

#[derive(Debug, Subcommand)]
pub enum StudyCommand {
    /// Run what has not been run so far, then show the table
    Run(StudyRun),
    /// Show the table of what has been run
    Table(Study),
    /// Write a report on what has been run: one page that needs no other file, with all that makes the results
    Report(StudyReport),
    /// List the runs, as commands, with whether they have been run
    List(Study),
}

#[derive(Debug, Subcommand)]
pub enum TraceCommand {
    /// What is in a trace of Accel-Sim's tracer: kernels, instructions by class and opcode, memory
    #[command(after_help = TRACE_EXAMPLES)]
    Info(TraceInfo),
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

#[derive(Debug, Subcommand)]
pub enum CompareCommand {
    /// Two kernels on one machine, under every policy that shares SMs: tables, pictures and JSON
    #[command(after_help = PAIR_EXAMPLES)]
    Pair(Pair),
}

#[derive(Debug, Subcommand)]
pub enum TimelineCommand {
    /// Two kernels on one machine, as compare pair runs them: a timeline for each policy
    #[command(after_help = TIMELINE_EXAMPLES)]
    Pair(Box<PairTimeline>),
}

/// The ways to run a workload.
#[derive(Debug, Args)]
pub struct Ways {
    /// Modes to compare, by commas: of flat, cdp, cdpi, cdp2, dtbl, dtbli, and pt for bfs [default: all but cdp2 and pt; with --sched
    /// cdp,dtbl]
    #[arg(long, value_delimiter = ',', value_name = "MODES", value_parser = mode)]
    pub modes: Vec<Mode>,
    /// Versions of a wavefront to compare, by commas [default: global,cdp,deplinks,lrr,lvl]
    #[arg(long, value_delimiter = ',', value_name = "VERSIONS", value_parser = version)]
    pub versions: Vec<Version>,
    /// For gemm: who takes the tiles, by commas [default: hardware,persistent,stream-k]
    #[arg(long, value_delimiter = ',', value_name = "DISPATCHES", value_parser = dispatch)]
    pub dispatch: Vec<Dispatch>,
    /// For kernels: what runs inside the SMs, by commas; those that name no order of warps have the machine's (--set sm.policy)
    /// [default: lrr,gto,equalizer-perf,equalizer-energy,mascar,apogee; for traces lrr,gto,apogee]
    #[arg(long, value_delimiter = ',', value_name = "POLICIES", value_enum)]
    pub sm: Vec<SmPolicy>,
    /// On how many inputs.
    #[command(flatten)]
    pub samples: Samples,
}

impl Ways {
    /// Those that are asked for, or the usual ones.
    pub fn resolve(&self, workload: Workload, scheduling: &Scheduling) -> Result<Vec<Way>, Failure> {
        let usual = match (workload.ways(), scheduling.sched.as_slice()) {
            (WaysOf::Modes, [_, ..]) => vec![Way::Mode(Mode::Cdp), Way::Mode(Mode::Dtbl)],
            _ => Way::usual(workload),
        };
        let asked = Asked { modes: &self.modes, versions: &self.versions, dispatches: &self.dispatch, sm: &self.sm };
        Way::all(workload, asked, &usual)
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
            TIMELINE_EXAMPLES,
            STUDY_EXAMPLES,
            DEMO_EXAMPLES,
            FOOTPRINT_EXAMPLES,
            GRAPH_EXAMPLES,
            CHECK_EXAMPLES,
            LOG_EXAMPLES,
            MICROBENCH_EXAMPLES,
            SPEED_EXAMPLES,
            MODEL_EXAMPLES,
            REPRODUCE_EXAMPLES,
            KERNEL_EXAMPLES,
            PAIR_EXAMPLES,
            POOL_EXAMPLES,
            SWEEP_EXAMPLES,
            RANK_EXAMPLES,
            CONFIG_EXAMPLES,
            TRACE_EXAMPLES,
            COMPLETIONS_EXAMPLES,
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
