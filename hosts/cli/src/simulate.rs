//! Runs the variants of a comparison, side by side on a few threads. What comes out does not depend on how many.

use crate::args::Workload;
use crate::failure::Failure;
use crate::input::Setup;
use crate::interrupt;
use crate::progress::{Bar, Bars};
use crate::variant::Variant;
use anyhow::anyhow;
use gpusched_refgpu::gpu::{Gpu, Monitor, RunError, RunOptions, RunResult};
use gpusched_refgpu::graph::Csr;
use gpusched_refgpu::workload::{Bfs, Verified};
use indicatif::HumanCount;
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
    /// Log each TB, in runs of up to so many; 0 = do not.
    pub log_tbs: u32,
}

/// A finished and verified run.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it was run.
    pub variant: Variant,
    /// What the machine counted.
    pub result: RunResult,
    /// That the algorithm's result is right.
    pub verified: Verified,
    /// How long the simulation took. Not reproducible.
    pub seconds: f64,
}

/// Runs every variant of `job`, on up to `threads` threads. The first failure ends all.
pub fn run(
    job: Job<'_>,
    variants: &[Variant],
    threads: Option<NonZeroUsize>,
    quiet: bool,
) -> Result<Vec<Run>, Failure> {
    let threads = threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let bars = Bars::new(variants, quiet);
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (ended, endings) = mpsc::channel();
    let work = |ended: Sender<_>| {
        while !failed.load(Ordering::Relaxed) {
            // Hands out each variant once.
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(variant) = variants.get(index) else { break };
            let run = job.run(variant, Watch { bar: bars.start(index), failed: &failed });
            failed.fetch_or(run.is_err(), Ordering::Relaxed);
            let _ = ended.send((index, run)); // the other end is open till all have ended
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.min(variants.len()) {
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
    fn run(&self, variant: &Variant, mut watch: Watch<'_>) -> Result<Run, Failure> {
        let start = Instant::now();
        let (result, verified) = match self.workload {
            Workload::Bfs => {
                let mut bfs = Bfs::from_vertex(Arc::clone(self.graph), self.source, variant.mode, self.setup.bfs)
                    .map_err(|error| Failure::Usage(anyhow!("bfs: {error}")))?;
                let result = self.on_gpu(variant, &mut bfs, &mut watch)?;
                (result, bfs.check().map_err(|wrong| anyhow!("{variant}: {wrong}"))?)
            }
        };
        watch.bar.finish(result.stats.cycles);
        Ok(Run { variant: variant.clone(), result, verified, seconds: start.elapsed().as_secs_f64() })
    }

    fn on_gpu<W>(&self, variant: &Variant, work: &mut W, watch: &mut Watch<'_>) -> Result<RunResult, Failure>
    where
        W: gpusched_refgpu::program::Workload,
    {
        let options = RunOptions { log_tbs: self.log_tbs, ..RunOptions::from(variant.mode) };
        let gpu = Gpu::new(&variant.gpu, options).map_err(|error| Failure::Usage(error.into()))?;
        match gpu.run(work, watch) {
            Ok(result) => Ok(result),
            Err(RunError::Cancelled { .. }) => Err(Failure::Interrupted),
            Err(RunError::TooManyTbs { limit, .. }) => Err(Failure::Usage(anyhow!(
                "--gantt: {variant} starts more than {} TBs, more than a chart can show; take a smaller input, such as \
                 --graph kron:8 or cit:512, or leave --gantt out: the occupancy plot is for runs of any length",
                HumanCount(limit.into())
            ))),
            Err(error) => {
                Err(Failure::Failed(anyhow::Error::new(error).context(format!("mode {variant} did not finish"))))
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
