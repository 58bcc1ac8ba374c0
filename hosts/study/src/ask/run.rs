//! Arguments of `gpusched run`, which are also what each run of a study is made of.

use super::{Simulation, SmPolicy, WORKLOAD_HELP, Workload, dispatch, mode, version, workload};
use crate::failure::Failure;
use crate::way::{Asked, Way};
use clap::Args;
use gpusched_workloads::{Dispatch, Mode, Version};

/// One workload, one way.
#[derive(Debug, Args)]
pub struct Run {
    /// The workload.
    #[arg(value_parser = workload, help = WORKLOAD_HELP)]
    pub workload: Option<Workload>,
    /// How it runs.
    #[command(flatten)]
    pub way: OneWay,
    /// What it works on, and the machine.
    #[command(flatten)]
    pub simulation: Simulation,
}

/// The way to run a workload.
#[derive(Debug, Args)]
pub struct OneWay {
    /// How: flat, cdp, cdpi, cdp2, dtbl or dtbli, or pt for bfs [default: dtbl]
    #[arg(long, value_name = "MODE", value_parser = mode)]
    pub mode: Option<Mode>,
    /// How a wavefront runs: global, cdp, deplinks, lrr or lvl [default: lvl]
    #[arg(long, value_name = "VERSION", value_parser = version)]
    pub version: Option<Version>,
    /// Who takes the tiles of gemm: hardware, persistent or stream-k [default: hardware]
    #[arg(long, value_name = "DISPATCH", value_parser = dispatch)]
    pub dispatch: Option<Dispatch>,
    /// What runs inside the SMs when a kernel runs [default: lrr]
    #[arg(long, value_name = "POLICY", value_enum)]
    pub sm: Option<SmPolicy>,
}

impl OneWay {
    /// The one that is asked for, or the usual one.
    ///
    /// # Errors
    /// A way that `workload` does not run in.
    pub fn resolve(&self, workload: Workload) -> Result<Vec<Way>, Failure> {
        let asked = Asked {
            modes: self.mode.as_slice(),
            versions: self.version.as_slice(),
            dispatches: self.dispatch.as_slice(),
            sm: self.sm.as_slice(),
        };
        Way::all(workload, asked, &[Way::of_run(workload)])
    }
}
