//! How to run, who watches, and what comes out.

use std::ops::ControlFlow;

use crate::equalizer::Tuning;
use crate::front::LaunchVerb;
use crate::power::StateTrace;
use crate::stats::{RunStats, TlpWalk};
use crate::timeline::{Observer, Timeline};

/// How to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// What a launch instruction does. `None`: no kernel has one, and one that comes ends the run.
    pub launch: Option<LaunchVerb>,
    /// No launch latency: the modes CDPI and DTBLI.
    pub ideal_launch: bool,
    /// Look at every unit in every cycle. Slow; no count may tell the difference.
    pub step: bool,
    /// The front end has a dependency-graph buffer, section `dats`: for kernels with graphs.
    pub graphs: bool,
    /// Log each TB, up to so many ([`TbLog`](crate::timeline::TbLog)); a run of more fails. 0 = none are logged.
    pub log_tbs: u32,
    /// Count the different lines that each SM loads. Takes memory, and no count but that one may tell the difference.
    pub count_lines: bool,
}

/// Someone who watches a run and may end it.
pub trait Monitor {
    /// `done` of `total` units of work are done at this cycle. Called every few ten thousand cycles.
    fn progress(&mut self, done: u64, total: u64, cycle: u64) -> ControlFlow<()>;

    /// Who is told what happens, if anybody is; the same in every call. No count may tell the difference.
    fn observer(&mut self) -> Option<&mut dyn Observer> {
        None
    }
}

impl Monitor for () {
    fn progress(&mut self, _: u64, _: u64, _: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// What a run tells.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct RunResult {
    /// Counts and energy.
    pub stats: RunStats,
    /// Occupancy over time.
    pub timeline: Timeline,
    /// P-states over time.
    pub states: StateTrace,
    /// Block counts, warp states and levels over time, if warps were sampled.
    pub tuning: Option<Tuning>,
    /// The way of the targets of all SMs, under TLP modulation.
    pub walk: Option<TlpWalk>,
}
