//! Arguments about chains of kernels.

use super::{Machine, Pictures, Results};
use crate::chain::Reads;
use clap::Args;

/// The machine on which chains run if none is named.
pub const CHAIN_GPU: &str = "h100-sxm";

/// What chain of kernels to run.
#[derive(Debug, Args)]
pub struct Chain {
    /// Kernels, each of which needs the one before
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..=65535))]
    pub kernels: u32,
    /// TBs of a kernel, by commas, in parts of what the machine holds at once: 1 is one wave
    #[arg(long, value_name = "WAVES", value_delimiter = ',', default_values_t = [0.1, 0.5, 0.9, 1.1, 1.5, 1.9, 2.1, 3.5])]
    pub waves: Vec<f64>,
    /// What a TB takes, in cycles of an SM
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    pub cycles: u32,
    /// How much longer a TB may take than another one, in parts of what it takes
    #[arg(long, value_name = "PART", default_value_t = 0.3)]
    pub spread: f64,
    /// What a TB of every second kernel reads of the one before: stencil:N, the TB in its place and N on either side; reduce:N, N TBs;
    /// layers:N, all N tiles of its row
    #[arg(long, value_name = "PATTERN", default_value = "stencil:1")]
    pub reads: Reads,
    /// The part of a TB that needs nothing of the kernel before
    #[arg(long, value_name = "PART", default_value_t = 0.1)]
    pub prologue: f64,
    /// After which part of a TB it lets the next kernel start
    #[arg(long, value_name = "PART", default_value_t = 0.0)]
    pub trigger: f64,
    /// What launching a kernel costs the host, in microseconds: an H200's
    #[arg(long, value_name = "US", default_value_t = 2.43)]
    pub host: f64,
    /// What launching a kernel takes where a TB does it, in microseconds: as long as the host of an H200
    #[arg(long, value_name = "US", default_value_t = 2.43)]
    pub device: f64,
    /// From the completion of a kernel to the first TB of the next, in microseconds: an H200's inside a graph
    #[arg(long, value_name = "US", default_value_t = 1.26)]
    pub dispatch: f64,
    /// What launching a graph costs the host, in microseconds; a nanosecond for each kernel comes to that
    #[arg(long, value_name = "US", default_value_t = 2.5)]
    pub graph: f64,
    /// From a request of the dependency-graph buffer to memory's answer, in cycles of an SM: an H100's L2
    #[arg(long, value_name = "N", default_value_t = 260, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub fetch: u32,
    /// What of a TB is computed twice where two steps of a stencil are fused, in parts of a TB
    #[arg(long, value_name = "PART", default_value_t = 0.1)]
    pub halo: f64,
    /// Also draw when TBs were at work in the first kernels, for kernels of this size
    #[arg(long, value_name = "WAVES")]
    pub timeline: Option<f64>,
    /// Threads of a TB
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub threads: u32,
    /// Registers of a thread
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(0..=255))]
    pub regs: u32,
    /// Bytes of shared memory of a TB
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub smem: u32,
    /// Where random numbers begin
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The machine.
    #[command(flatten)]
    pub machine: Machine,
    /// Where the results go.
    #[command(flatten)]
    pub results: Results,
    /// In which forms pictures go there.
    #[command(flatten)]
    pub pictures: Pictures,
}
