//! Arguments about logs that simulators write.

use crate::scheduler::Sched;
use clap::Args;
use std::path::PathBuf;

/// What to look at.
#[derive(Debug, Args)]
pub struct ReplayLog {
    /// A decision log, plain or gzip; - is standard input
    #[arg(value_name = "LOG")]
    pub log: PathBuf,
    /// Another one, to compare with it
    #[arg(value_name = "OTHER")]
    pub other: Option<PathBuf>,
    /// Ask a TB scheduler about each TB of the log: whether it would have sent that one, and there; gpusched policies lists them
    #[arg(long, value_name = "SCHEDULER", conflicts_with_all = ["other", "gantt"])]
    pub against: Option<Sched>,
    /// With --against: the GPU, a preset or a TOML file [default: what the head of the log tells]
    #[arg(long, value_name = "GPU", requires = "against")]
    pub gpu: Option<String>,
    /// With --against: tell the first N TBs for which it would do something else
    #[arg(long, value_name = "N", default_value_t = 10, hide_default_value = true, requires = "against")]
    pub partings: usize,
    /// Also draw which TB ran where, as SVG or PNG
    #[arg(long, value_name = "FILE.svg|FILE.png")]
    pub gantt: Option<PathBuf>,
    /// What is drawn.
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
