//! The commands, one file each. A command gives the text that goes to standard output.

mod config;
mod demo;
mod graph;
mod simulation;

use crate::args::{Cli, Command, ConfigCommand, DemoCommand, GraphCommand, Workload};
use crate::failure::Failure;
use crate::{interrupt, output};

/// Does what was asked for.
pub fn dispatch(cli: Cli) -> Result<(), Failure> {
    interrupt::listen()?;
    let text = match cli.command {
        None => simulation::run(Workload::Bfs, &cli.compare.modes, &cli.simulation),
        Some(Command::Compare { workload, modes, simulation }) => simulation::run(workload, &modes.modes, &simulation),
        Some(Command::Run { workload, mode, simulation }) => simulation::run(workload, &[mode], &simulation),
        Some(Command::Graph(GraphCommand::Info { graph, source, json, quiet })) => {
            graph::info(&graph, source, json, quiet)
        }
        Some(Command::Demo(DemoCommand::Laperm(args))) => demo::laperm(&args),
        Some(Command::Config(ConfigCommand::Show { machine, json, toml })) => config::show(&machine, json, toml),
    }?;
    output::print(&text)
}
