//! The gpusched command line, a thin face of the library `gpusched-study`: `args.rs` says what can be asked for, and hands it over.
//! Results go to standard output, everything else to standard error.

mod args;
mod examples;
mod interrupt;
mod pages;

use anyhow::{Context, anyhow};
use args::{
    Cli, Command, CompareCommand, ConfigCommand, DemoCommand, GraphCommand, StudyCommand, TimelineCommand,
    TraceCommand, Ways,
};
use cap::Cap;
use clap::Parser;
use gpusched_study::ask::{Run, Samples, Simulation, TimelineFiles, Workload};
use gpusched_study::{
    Failure, chain, clusters, compare, config, demo, depgraph, footprint, graph, kernels, microbench, model, policies,
    rank, replay_log, reproduce, sharing, speed, study, tournament, trace,
};
use std::alloc::System;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::process::ExitCode;

/// The system's allocator, with a count of the bytes that are in use.
#[global_allocator]
static HEAP: Cap<System> = Cap::new(System, usize::MAX);

/// Exit status of what Ctrl-C or SIGTERM ended, as shells have it of the former.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    match dispatch(Cli::parse()) {
        Ok(status) => status,
        Err(failure) => report(&failure),
    }
}

/// Does what was asked for.
fn dispatch(cli: Cli) -> Result<ExitCode, Failure> {
    interrupt::listen()?;
    let text = match cli.command {
        None => compare(None, &cli.compare, &cli.simulation),
        Some(Command::Compare { what: Some(CompareCommand::Pair(args)), .. }) => sharing::pair(&args),
        Some(Command::Pool(args)) => sharing::pool(&args),
        Some(Command::Sweep(args)) => sharing::sweep(&args),
        Some(Command::Compare { what: None, workload, ways, simulation }) => compare(workload, &ways, &simulation),
        Some(Command::Run(run)) => one(&run, None),
        Some(Command::Timeline { what: Some(TimelineCommand::Pair(args)), .. }) => sharing::pair_timeline(&args),
        Some(Command::Timeline { what: None, run, files }) => one(&run, Some(&files)),
        Some(Command::Study(StudyCommand::Run(args))) => study::run(&args),
        Some(Command::Study(StudyCommand::Table(args))) => study::table(&args),
        Some(Command::Study(StudyCommand::Report(args))) => study::report(&args),
        Some(Command::Study(StudyCommand::List(args))) => study::list(&args),
        Some(Command::Clusters(args)) => clusters::run(&args),
        Some(Command::Chain(args)) => chain::run(&args),
        Some(Command::Footprint(args)) => footprint::run(&args),
        Some(Command::Graph(GraphCommand::Info { graph, load, source, json, quiet })) => {
            graph::info(&graph, &load, source, json, quiet)
        }
        Some(Command::Graph(GraphCommand::Check(args))) => depgraph::check(&args),
        Some(Command::Demo(DemoCommand::Laperm(args))) => demo::laperm(&args),
        Some(Command::Demo(DemoCommand::Wavefront(args))) => demo::wavefront(&args),
        Some(Command::Kernels(args)) => kernels::list(&args),
        Some(Command::Rank(args)) => rank::run(&args),
        Some(Command::Policies(args)) => policies::list(&args),
        Some(Command::Calibrate(args)) => kernels::calibrate(&args),
        Some(Command::Microbench(args)) => microbench::run(&args),
        Some(Command::Speed(args)) => speed::run(&args, Some(|| HEAP.allocated())),
        Some(Command::Model(args)) => model::run(&args),
        Some(Command::Reproduce(args)) => reproduce::run(&args),
        Some(Command::ReplayLog(args)) => {
            let (text, equal) = replay_log::replay(&args)?;
            print(&text)?;
            return Ok(if equal { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        Some(Command::Trace(TraceCommand::Info(args))) => trace::info(&args),
        Some(Command::Completions { shell }) => Ok(pages::completions(shell)),
        Some(Command::Man { out }) => pages::manual(&out),
        Some(Command::Config(ConfigCommand::Show { machine, json, toml })) => config::show(&machine, json, toml),
    }?;
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// One workload, one way, perhaps with a timeline.
fn one(run: &Run, timelines: Option<&TimelineFiles>) -> Result<String, Failure> {
    if run.simulation.scheduling.sched.len() > 1 {
        let name = if timelines.is_some() { "timeline" } else { "run" };
        return Err(Failure::Usage(anyhow!("--sched: {name} takes one scheduler; compare takes several")));
    }
    let workload = run.simulation.input.workload(run.workload)?;
    compare::observed(workload, &run.way.resolve(workload)?, &run.simulation, timelines)
}

fn compare(workload: Option<Workload>, ways: &Ways, simulation: &Simulation) -> Result<String, Failure> {
    let workload = simulation.input.workload(workload)?;
    let all = ways.resolve(workload, &simulation.scheduling)?;
    match ways.samples {
        Samples { seeds: None, sources: None } => compare::run(workload, &all, simulation),
        samples => tournament::run(workload, &all, samples, simulation),
    }
}

/// Prints a result. A reader that has seen enough is no error.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output").map_err(Failure::Failed)
        }
        _ => Ok(()),
    }
}

/// Says why a command did not succeed; the exit status for it.
fn report(failure: &Failure) -> ExitCode {
    let (word, status) = match failure {
        Failure::Failed(_) => ("error: ", 1),
        Failure::Usage(_) => ("error: ", 2), // as clap has it
        Failure::Interrupted => ("", INTERRUPTED),
    };
    // Nobody is left to tell if this fails.
    let _ = writeln!(stderr(), "{word}{failure}");
    ExitCode::from(status)
}
