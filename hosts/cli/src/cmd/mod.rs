//! The commands, one file each. A command gives the text that goes to standard output.

mod config;
mod graph;

use crate::args::{Cli, Command, ConfigCommand, GraphCommand};
use crate::failure::Failure;
use crate::{interrupt, output};

/// Does what was asked for.
pub fn dispatch(cli: Cli) -> Result<(), Failure> {
    interrupt::listen()?;
    let text = match cli.command {
        None => todo!(),
        Some(Command::Compare { .. }) => todo!(),
        Some(Command::Run { .. }) => todo!(),
        Some(Command::Graph(GraphCommand::Info { graph, source, json, quiet })) => {
            graph::info(&graph, source, json, quiet)
        }
        Some(Command::Config(ConfigCommand::Show { machine, json, toml })) => config::show(&machine, json, toml),
    }?;
    output::print(&text)
}
