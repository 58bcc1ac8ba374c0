//! Arguments about traces of programs.

use clap::Args;
use std::path::PathBuf;

/// Which trace to look at.
#[derive(Debug, Args)]
pub struct TraceInfo {
    /// A list of kernels (kernelslist.g), the folder with one, or the trace of one kernel (.traceg), plain, gzip, xz or zstd
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Tell the N opcodes that are executed most
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub opcodes: usize,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// No remarks on kernels that have been read
    #[arg(short, long)]
    pub quiet: bool,
}
