//! Arguments about logs that simulators write.

use clap::Args;
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  gpusched replay-log run.log
  gpusched replay-log run.log.gz --gantt tbs.svg --from 10000 --to 12000
  gpusched replay-log stock.log laperm.log
  gpusched replay-log before.log after.log --json --quiet > difference.json

A log is what the adapter for GPGPU-Sim writes; hosts/gpgpu-sim/docs/log.md has its format. Of two logs the decisions are
compared, cycles included. A kernel is known by who launched it: the host's third, or the second of TB 5 of that one.

Exit status of two logs: 0 equal, 1 different, 2 trouble, 130 interrupted.";

/// What to look at.
#[derive(Debug, Args)]
pub struct ReplayLog {
    /// A decision log, plain or gzip; - is standard input
    #[arg(value_name = "LOG")]
    pub log: PathBuf,
    /// Another one, to compare with it
    #[arg(value_name = "OTHER")]
    pub other: Option<PathBuf>,
    /// Also draw which TB ran where
    #[arg(long, value_name = "FILE.svg")]
    pub gantt: Option<PathBuf>,
    #[command(flatten)]
    pub window: Window,
    /// Read a log that was cut off as far as it goes, instead of refusing it
    #[arg(long)]
    pub partial: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// No progress display, no remarks
    #[arg(short, long)]
    pub quiet: bool,
}

/// The part of a run that is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Args)]
pub struct Window {
    /// First cycle of the chart
    #[arg(long, value_name = "CYCLE", default_value_t = 0, hide_default_value = true, requires = "gantt")]
    pub from: u64,
    /// Last cycle of the chart [default: that of the log]
    #[arg(long, value_name = "CYCLE", requires = "gantt")]
    pub to: Option<u64>,
}
