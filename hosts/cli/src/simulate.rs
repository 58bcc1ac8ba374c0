//! Runs the modes of a comparison, side by side on a few threads. What comes out does not depend on how many.

use crate::args::Workload;
use crate::failure::Failure;
use crate::input::Setup;
use crate::interrupt;
use crate::progress::{Bar, Bars};
use anyhow::anyhow;
use gpusched_refgpu::gpu::{Gpu, Monitor, RunError, RunOptions, RunResult};
use gpusched_refgpu::graph::Csr;
use gpusched_refgpu::workload::{Bfs, Mode, Verified};
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
    /// Its input.
    pub graph: &'a Arc<Csr>,
    /// Where it starts.
    pub source: u32,
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
        let (result, verified) = match self.workload {
            Workload::Bfs => {
                let mut bfs = Bfs::from_vertex(Arc::clone(self.graph), self.source, mode, self.setup.bfs)
                    .map_err(|error| Failure::Usage(anyhow!("bfs: {error}")))?;
                let result = self.on_gpu(mode, &mut bfs, &mut watch)?;
                (result, bfs.check().map_err(|wrong| anyhow!("{mode}: {wrong}"))?)
            }
        };
        watch.bar.finish(result.stats.cycles);
        Ok(Run { mode, result, verified, seconds: start.elapsed().as_secs_f64() })
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
