//! `pack OUT [--header FILE] [--vectors DIR]`: packs the golden vectors for firmware.
//!
//! Every vector is replayed from its JSON first, through Rust and through C; one that does not pass ends the program. Vectors that have
//! no packed form are named with the reason.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;
use gpusched_tests::pack::{Packed, c_header, pack};

/// Packs golden vectors for firmware.
#[derive(Parser)]
struct Arguments {
    /// The packed file.
    out: PathBuf,
    /// Also writes the numbers of the form as a C header.
    #[arg(long)]
    header: Option<PathBuf>,
    /// The folders of vectors.
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors"))]
    vectors: PathBuf,
}

fn main() -> Result<()> {
    let Arguments { out, header, vectors } = Arguments::parse();
    let Packed { bytes, vectors, events, left_out } = pack(&vectors)?;
    for (name, why) in &left_out {
        println!("{name}: not packed: {why}");
    }
    fs::write(&out, &bytes).with_context(|| format!("{}: cannot be written", out.display()))?;
    if let Some(header) = header {
        fs::write(&header, c_header()).with_context(|| format!("{}: cannot be written", header.display()))?;
    }
    println!("{vectors} vectors with {events} events in {} bytes, {} not packed", bytes.len(), left_out.len());
    Ok(())
}
