//! Arguments of `gpusched timeline`.

use super::Pair;
use clap::Args;
use std::path::PathBuf;

/// Two kernels that share a machine, and what happens.
#[derive(Debug, Args)]
pub struct PairTimeline {
    /// The kernels, and how they share it.
    #[command(flatten)]
    pub pair: Pair,
    /// The files.
    #[command(flatten)]
    pub files: TimelineFiles,
}

/// Where what happened is written to.
#[derive(Clone, Debug, Default, Args)]
pub struct TimelineFiles {
    /// What happened as Chrome's trace events, for ui.perfetto.dev and chrome://tracing [default, without --vcd: a file in the folder of
    /// --out]
    #[arg(long, value_name = "FILE.json")]
    pub perfetto: Option<PathBuf>,
    /// What happened as a value change dump, for waveform viewers such as GTKWave and Surfer
    #[arg(long, value_name = "FILE.vcd")]
    pub vcd: Option<PathBuf>,
}
