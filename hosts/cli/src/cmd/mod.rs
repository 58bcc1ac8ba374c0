//! The commands, one file each. A command gives the text that goes to standard output; one that compares, an exit status as well.

mod config;
mod demo;
mod depgraph;
mod footprint;
mod graph;
mod kernels;
mod model;
mod replay_log;
mod reproduce;
mod sharing;
mod simulation;

use crate::args::{Cli, Command, CompareCommand, ConfigCommand, DemoCommand, GraphCommand, Simulation, Ways, Workload};
use crate::failure::Failure;
use crate::{interrupt, output};
use anyhow::anyhow;
use std::process::ExitCode;

pub use reproduce::SuiteName;

/// Does what was asked for.
pub fn dispatch(cli: Cli) -> Result<ExitCode, Failure> {
    interrupt::listen()?;
    let text = match cli.command {
        None => compare(Workload::Bfs, &cli.compare, &cli.simulation),
        Some(Command::Compare { what: Some(CompareCommand::Pair(args)), .. }) => sharing::pair(&args),
        Some(Command::Pool(args)) => sharing::pool(&args),
        Some(Command::Sweep(args)) => sharing::sweep(&args),
        Some(Command::Compare { what: None, workload, ways, simulation }) => compare(workload, &ways, &simulation),
        Some(Command::Run { workload, way, simulation }) => match simulation.scheduling.sched.as_slice() {
            [] | [_] => simulation::run(workload, &way.resolve(workload)?, &simulation),
            _ => Err(Failure::Usage(anyhow!("--sched: run takes one scheduler; compare takes several"))),
        },
        Some(Command::Footprint(args)) => footprint::run(&args),
        Some(Command::Graph(GraphCommand::Info { graph, load, source, json, quiet })) => {
            graph::info(&graph, &load, source, json, quiet)
        }
        Some(Command::Graph(GraphCommand::Check(args))) => depgraph::check(&args),
        Some(Command::Demo(DemoCommand::Laperm(args))) => demo::laperm(&args),
        Some(Command::Demo(DemoCommand::Wavefront(args))) => demo::wavefront(&args),
        Some(Command::Kernels(args)) => kernels::list(&args),
        Some(Command::Calibrate(args)) => kernels::calibrate(&args),
        Some(Command::Model(args)) => model::run(&args),
        Some(Command::Reproduce(args)) => reproduce::run(&args),
        Some(Command::ReplayLog(args)) => {
            let (text, status) = replay_log::replay(&args)?;
            return match output::print(&text) {
                Ok(()) | Err(Failure::ClosedPipe) => Ok(status), // a reader that has seen enough makes no logs equal
                Err(failure) => Err(failure),
            };
        }
        Some(Command::Config(ConfigCommand::Show { machine, json, toml })) => config::show(&machine, json, toml),
    }?;
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn compare(workload: Workload, ways: &Ways, simulation: &Simulation) -> Result<String, Failure> {
    simulation::run(workload, &ways.resolve(workload, &simulation.scheduling)?, simulation)
}
