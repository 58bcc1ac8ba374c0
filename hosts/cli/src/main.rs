//! The gpusched command line: runs irregular workloads on the reference GPU and shows what its hardware schedulers did.
//!
//! `args.rs` says what can be asked for, `cmd/` answers, one file per command. What the commands share: `input.rs` turns
//! arguments into an input and a configuration, `job.rs` sets a workload up, `variant.rs` says in which ways to run it,
//! `simulate.rs` does it, `report/` is what comes out, and `table.rs`, `plot/` and `output.rs` are three ways to look at that.
//! Results go to standard output, everything else to standard error.

mod args;
mod cmd;
mod failure;
mod ideal;
mod input;
mod interrupt;
mod job;
mod memory;
mod metrics;
mod options;
mod output;
mod plot;
mod progress;
mod report;
mod side_by_side;
mod simulate;
mod statistics;
mod suggest;
mod table;
mod variant;
mod way;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    match cmd::dispatch(cli) {
        Ok(status) => status,
        Err(failure) => failure.report(),
    }
}
