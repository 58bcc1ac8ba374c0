//! `replay MECHANISM DIR [--through rust|c]`: replays every golden vector of a folder.
//!
//! Prints the first difference of each file that fails, what of a file is not looked at, and last `N passed, N failed`. The exit status
//! is 0 only if none failed.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use gpusched_tests::replay::{Face, MECHANISMS, Outcome, read, replay, unread, vectors_in};

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
        let replayed = read(&file).and_then(|vector| {
            unread(&mechanism, &vector).iter().for_each(|what| println!("{}: {what}", file.display()));
            replay(&mechanism, &vector, through).with_context(|| file.display().to_string())
        });
        match replayed {
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
