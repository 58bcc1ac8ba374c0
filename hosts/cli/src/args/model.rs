//! Arguments of `gpusched model`.

use super::{Input, KernelArgs, Machine, Workload, sm};
use clap::Args;
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  gpusched model kernel.toml
  gpusched model --from-run lbm --scale 2
  gpusched model --from-run lbm --toml > kernel.toml
  gpusched model --from-run bfs --graph cit:8192 --json

A file has what Table 4.1 of the model's source lists: a section [inputs] with insts, mem_insts, total_warps, active_sms, n,
avg_inst_lat, dram_lat, delta, freq (GHz), mem_peak_bw (GB/s) and what else is known; before it, if you like, name, size_unit
(literal or bytes) and clamp_bfp.";

/// A kernel, in figures or to be run.
#[derive(Debug, Args)]
pub struct Model {
    /// A file with what is known about a kernel and its GPU
    #[arg(value_name = "KERNEL.toml", required_unless_present = "from_run", conflicts_with = "from_run")]
    pub file: Option<PathBuf>,
    /// Run a workload on the reference GPU (see gpusched kernels), and fill the inputs with what it counts
    #[arg(long, value_name = "WORKLOAD", value_parser = sm::workload)]
    pub from_run: Option<Workload>,
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub kernel: KernelArgs,
    #[command(flatten)]
    pub machine: Machine,
    /// Folder for the pictures
    #[arg(long, default_value = "out", value_name = "DIR")]
    pub out: PathBuf,
    /// Print JSON instead of the table
    #[arg(long, conflicts_with = "toml")]
    pub json: bool,
    /// Print the inputs as a file that this command takes
    #[arg(long)]
    pub toml: bool,
    /// No remarks
    #[arg(short, long)]
    pub quiet: bool,
}
