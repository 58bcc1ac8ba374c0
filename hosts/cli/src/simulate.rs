//! Runs the modes of a comparison, side by side on a few threads. What comes out does not depend on how many.

use crate::args::Workload;
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::interrupt;
use crate::progress::{Bar, Bars};
use anyhow::anyhow;
use gpusched_refgpu::gpu::{Gpu, Monitor, RunError, RunOptions, RunResult};
use gpusched_refgpu::workload::{Bfs, Clr, Join, Mode, SetupError, Sssp, Verified, WrongResult};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Instant;

/// What is to be run.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The algorithm.
    pub workload: Workload,
    /// What it works on.
    pub input: &'a Input,
    /// The machine and the options.
    pub setup: &'a Setup,
}

/// A finished and verified run.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it was run.
    pub mode: Mode,
    /// What the machine counted.
    pub result: RunResult,
    /// That the algorithm's result is right.
    pub verified: Verified,
    /// How long the simulation took. Not reproducible.
    pub seconds: f64,
}

/// Runs `job` in every mode, on up to `threads` threads. The first failure ends all.
pub fn run(job: Job<'_>, modes: &[Mode], threads: Option<NonZeroUsize>, quiet: bool) -> Result<Vec<Run>, Failure> {
    let threads = threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let bars = Bars::new(modes, quiet);
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (ended, endings) = mpsc::channel();
    let work = |ended: Sender<_>| {
        while !failed.load(Ordering::Relaxed) {
            // Hands out each mode once.
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(&mode) = modes.get(index) else { break };
            let run = job.run(mode, Watch { bar: bars.start(index), failed: &failed });
            failed.fetch_or(run.is_err(), Ordering::Relaxed);
            let _ = ended.send((index, run)); // the other end is open till all have ended
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.min(modes.len()) {
            let ended = ended.clone();
            scope.spawn(|| work(ended));
        }
    });
    drop(ended);
    let mut endings: Vec<_> = endings.into_iter().collect();
    // A run that another's failure ended counts as interrupted, and is no news.
    endings.sort_by_key(|(index, run)| (matches!(run, Err(Failure::Interrupted)), *index));
    endings.into_iter().map(|(_, run)| run).collect()
}

impl Job<'_> {
    fn run(&self, mode: Mode, mut watch: Watch<'_>) -> Result<Run, Failure> {
        let start = Instant::now();
        let options = &self.setup.options;
        let (result, verified) = match self.input {
            Input::Graph { graph, source } => {
                let (csr, source) = (Arc::clone(&graph.csr), *source);
                match self.workload {
                    Workload::Sssp => {
                        let sssp = Sssp::from_vertex(csr, source, mode, options.sssp);
                        self.checked(mode, sssp, Sssp::check, &mut watch)
                    }
                    Workload::Clr => self.checked(mode, Clr::new(csr, mode, options.clr), Clr::check, &mut watch),
                    _ => {
                        let bfs = Bfs::from_vertex(csr, source, mode, options.bfs);
                        self.checked(mode, bfs, Bfs::check, &mut watch)
                    }
                }
            }
            Input::Keys(keys) => {
                let join = Join::new(Arc::clone(&keys.r), Arc::clone(&keys.s), mode, options.join);
                self.checked(mode, join, Join::check, &mut watch)
            }
        }?;
        watch.bar.finish(result.stats.cycles);
        Ok(Run { mode, result, verified, seconds: start.elapsed().as_secs_f64() })
    }

    /// Runs `work`, if it could be set up, and checks its result.
    fn checked<W>(
        &self,
        mode: Mode,
        work: Result<W, SetupError>,
        check: fn(&W) -> Result<Verified, WrongResult>,
        watch: &mut Watch<'_>,
    ) -> Result<(RunResult, Verified), Failure>
    where
        W: gpusched_refgpu::program::Workload,
    {
        let mut work = work.map_err(|error| self.refused(error))?;
        let result = self.on_gpu(mode, &mut work, watch)?;
        Ok((result, check(&work).map_err(|wrong| anyhow!("{mode}: {wrong}"))?))
    }

    /// Why the workload cannot be set up: an option that makes no sense, or an input that is too much.
    fn refused(&self, error: SetupError) -> Failure {
        let told = anyhow!("{}: {error}", self.workload.name());
        match error {
            SetupError::Option { .. } => Failure::Usage(told),
            _ => Failure::Failed(told),
        }
    }

    fn on_gpu<W>(&self, mode: Mode, work: &mut W, watch: &mut Watch<'_>) -> Result<RunResult, Failure>
    where
        W: gpusched_refgpu::program::Workload,
    {
        let gpu = Gpu::new(&self.setup.gpu, RunOptions::from(mode)).map_err(|error| Failure::Usage(error.into()))?;
        match gpu.run(work, watch) {
            Ok(result) => Ok(result),
            Err(RunError::Cancelled { .. }) => Err(Failure::Interrupted),
            Err(error) => {
                Err(Failure::Failed(anyhow::Error::new(error).context(format!("mode {mode} did not finish"))))
            }
        }
    }
}

/// Shows how far a run is, and ends it when it is of no more use.
struct Watch<'a> {
    bar: Bar,
    failed: &'a AtomicBool,
}

impl Monitor for Watch<'_> {
    fn progress(&mut self, done: u64, total: u64, cycle: u64) -> ControlFlow<()> {
        self.bar.update(done, total, cycle);
        if interrupt::requested() || self.failed.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
