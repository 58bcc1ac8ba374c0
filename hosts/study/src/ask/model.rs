//! Arguments of `gpusched model`.

use super::{Input, KernelArgs, Machine, Pictures, Workload, sm};
use clap::Args;
use std::path::PathBuf;

/// A kernel, in figures or to be run.
#[derive(Debug, Args)]
pub struct Model {
    /// A file with what is known about a kernel and its GPU
    #[arg(value_name = "KERNEL.toml", required_unless_present_any = ["from_run", "trace"], conflicts_with_all = ["from_run", "trace"])]
    pub file: Option<PathBuf>,
    /// Run a workload on the reference GPU (see gpusched kernels), and fill the inputs with what it counts
    #[arg(long, value_name = "WORKLOAD", value_parser = sm::workload)]
    pub from_run: Option<Workload>,
    /// The input.
    #[command(flatten)]
    pub input: Input,
    /// How much a kernel does.
    #[command(flatten)]
    pub kernel: KernelArgs,
    /// The machine.
    #[command(flatten)]
    pub machine: Machine,
    /// Folder for the pictures
    #[arg(long, default_value = "out", value_name = "DIR")]
    pub out: PathBuf,
    /// In which forms pictures go there.
    #[command(flatten)]
    pub pictures: Pictures,
    /// Print JSON instead of the table
    #[arg(long, conflicts_with = "toml")]
    pub json: bool,
    /// Print the inputs as a file that this command takes
    #[arg(long, conflicts_with = "png")]
    pub toml: bool,
    /// No remarks
    #[arg(short, long)]
    pub quiet: bool,
}
