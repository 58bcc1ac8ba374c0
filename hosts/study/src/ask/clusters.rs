//! Arguments about clusters of TBs.

use super::{Machine, Pictures, Results};
use clap::Args;

/// The machine whose clusters are looked at if none is named.
pub const CLUSTER_GPU: &str = "h100-sxm";

/// What clusters to place.
#[derive(Debug, Args)]
pub struct Clusters {
    /// TBs of a cluster, by commas [default: 1,2,4,8,16, as far as the machine takes them]
    #[arg(long, value_delimiter = ',', value_name = "SIZES", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub sizes: Vec<u32>,
    /// Threads of a TB
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub threads: u32,
    /// Registers of a thread
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(0..=255))]
    pub regs: u32,
    /// Bytes of shared memory of a TB [default: more than half of an SM's, so that each SM holds one]
    #[arg(long, value_name = "BYTES")]
    pub smem: Option<u32>,
    /// Random fillings of the machine at each share of busy SMs; under load, kernels in twenty-fives
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub samples: u32,
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
