//! `replay MECHANISM DIR [--through rust|c]`: replays every golden vector of a folder.
//!
//! Prints the first difference of each file that fails, and last `N passed, N failed`. The exit status is 0 only if none failed.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use gpusched_tests::replay::{Face, MECHANISMS, Outcome, replay_file, vectors_in};

/// Replays golden vectors.
#[derive(Parser)]
struct Arguments {
    /// The mechanism whose form the vectors have.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(MECHANISMS))]
    mechanism: String,
    /// The folder of JSON files.
    dir: PathBuf,
    /// How the machine is reached.
    #[arg(long, value_enum, default_value_t = Face::Rust)]
    through: Face,
}

fn main() -> Result<ExitCode> {
    let Arguments { mechanism, dir, through } = Arguments::parse();
    let (mut passed, mut failed) = (0, 0);
    for file in vectors_in(&dir)? {
        match replay_file(&mechanism, &file, through) {
            Ok(Outcome::Passed) => passed += 1,
            Ok(Outcome::Differs(difference)) => {
                println!("{}: {difference}", file.display());
                failed += 1;
            }
            Err(error) => {
                println!("{error:#}");
                failed += 1;
            }
        }
    }
    println!("{passed} passed, {failed} failed");
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
