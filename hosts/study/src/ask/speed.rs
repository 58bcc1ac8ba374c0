//! Arguments of `gpusched speed`.

use super::{Machine, Pictures, Results, Workload, workload};
use clap::{Args, ValueEnum};
use std::fmt;

/// What is timed, and how often.
#[derive(Debug, Args)]
pub struct Speed {
    /// Only these workloads, by commas; kernels may be files of your own (.toml) [default: every one that run takes]
    #[arg(long, value_delimiter = ',', value_name = "WORKLOADS", value_parser = workload, conflicts_with = "curve")]
    pub workloads: Vec<Workload>,
    /// Instead of workloads: what host time and memory follow, by commas; alone: all of them
    #[arg(long, value_enum, value_delimiter = ',', value_name = "CURVES", num_args = 0..=1,
        default_missing_value = "sms,warps,launches,trace")]
    pub curve: Vec<Curve>,
    /// Runs of each, of which the quickest counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub repeat: u32,
    /// The machine, the same for all.
    #[command(flatten)]
    pub machine: Machine,
    /// Where the results go.
    #[command(flatten)]
    pub results: Results,
    /// In which forms pictures go there.
    #[command(flatten)]
    pub pictures: Pictures,
}

/// What host time and memory are measured against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Curve {
    /// SMs, 1 to 256: all at the same work, and all but one idle
    Sms,
    /// Warps on each SM, from 1 to all slots
    Warps,
    /// Launches from the device that are pending at the same time, up to 10^6
    Launches,
    /// Instructions of a trace that is read and executed again
    Trace,
}

impl fmt::Display for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::show(self, f)
    }
}
