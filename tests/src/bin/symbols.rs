//! `symbols libgpusched.a`: fails unless that static library, of whatever target, exports exactly the functions of
//! `include/gpusched.h`, cannot panic, and needs nothing but `memcpy` and its kin.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Parser;
use gpusched_tests::symbols::Symbols;

/// Checks the symbols of a static libgpusched.
#[derive(Parser)]
struct Arguments {
    /// The archive.
    library: PathBuf,
}

fn main() -> Result<()> {
    let symbols = Symbols::of_archive(&Arguments::parse().library)?;
    let complaints = symbols.complaints()?;
    ensure!(complaints.is_empty(), "{}", complaints.join("\n"));
    println!("{} functions, no panic; from elsewhere: {:?}", symbols.exported.len(), symbols.wanted);
    Ok(())
}
