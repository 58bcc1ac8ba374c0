//! Runs the variants of a comparison, side by side.

use crate::compare::MOST_DRAWN;
use crate::failure::Failure;
use crate::interrupt;
use crate::job::{self, Job};
use crate::progress::{Bar, Bars};
use crate::side_by_side;
use crate::stopwatch::Stopwatch;
use crate::study::digest::Digest;
use crate::study::store::Store;
use crate::timeline::{Wanted, Watched};
use crate::variant::Variant;
use crate::way::Way;
use anyhow::{Context, anyhow};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::erased::{AnyWorkload, Erased};
use gpusched_refgpu::gpu::{Gpu, Monitor, RunError, RunOptions, RunResult};
use gpusched_refgpu::stats::RunStats;
use gpusched_workloads::{Boxed, Recorder, Verified, WrongResult};
use indicatif::HumanCount;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// A finished and verified run.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it was run, and on which machine.
    pub variant: Variant,
    /// What the machine counted.
    pub result: RunResult,
    /// That the algorithm's result is right.
    pub verified: Verified,
    /// For how long the simulation had a processor, without the check of its result, and without what a thread beside it reads of a trace.
    /// Not reproducible.
    pub seconds: f64,
    /// Instructions that wait for more results than the trace of the run tells, if one was written.
    pub cut: u64,
    /// The files that tell what happened in it.
    pub timelines: Vec<PathBuf>,
    /// The number of each vertex, if it is kept: level, distance or colour.
    pub by_vertex: Vec<u32>,
}

/// What is kept of a run beside what the machine counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keep<'a> {
    /// Where and when each TB ran, in runs of up to so many; 0: it is not.
    pub tbs: u32,
    /// A trace of what was executed, in this folder.
    pub trace: Option<&'a Path>,
    /// What happened, in these files.
    pub timelines: Option<&'a Wanted>,
    /// The result vertex by vertex, of a workload that has one, if no trace is kept.
    pub by_vertex: bool,
}

/// Runs every variant of `job`, on up to `threads` threads. The first failure ends all.
pub fn run(
    job: Job<'_>,
    variants: &[Variant],
    keep: Keep<'_>,
    threads: Option<NonZeroUsize>,
    quiet: bool,
) -> Result<Vec<Run>, Failure> {
    let machines = machines(job, variants)?;
    let bars = Bars::new(variants, quiet);
    let places: Vec<usize> = (0..variants.len()).collect();
    let spare = side_by_side::at_once(threads, 2 * variants.len()) == 2 * variants.len();
    side_by_side::each(&places, threads, |&place, failed| {
        let (variant, (gpu, options)) = (&variants[place], &machines[place]);
        let options = RunOptions { log_tbs: keep.tbs, ..*options };
        let bar = bars.start(place);
        let begin = |wanted: &Wanted| wanted.begin(&variant.to_string(), gpu, variants.len());
        let timeline = keep.timelines.map(begin).transpose()?;
        let mut watch = Watched { watch: &mut Watch { bar: &bar, failed }, timeline };
        let trace = keep.trace.map(|folder| (job.workload.name(), folder));
        let Keep { by_vertex, .. } = keep;
        let simulation = Simulation { variant, gpu, options, watch: &mut watch, trace, by_vertex, spare };
        let run = simulation.of(job);
        let (run, timelines) = watch.finish(run, |run| run.result.stats.cycles)?;
        bar.finish(run.result.stats.cycles);
        Ok(Run { timelines, ..run })
    })
}

/// What the machine counts in every variant of `job`, on up to `threads` threads: as `store` has it, or in a run, which is kept.
pub fn counts(
    job: Job<'_>,
    variants: &[Variant],
    store: &Store,
    threads: Option<NonZeroUsize>,
    quiet: bool,
) -> Result<Vec<RunStats>, Failure> {
    let machines = machines(job, variants)?;
    let bars = Bars::new(variants, quiet);
    let places: Vec<usize> = (0..variants.len()).collect();
    side_by_side::each(&places, threads, |&place, failed| {
        let variant = &variants[place];
        let mut depends = Digest::of_run(job, variant.way, &machines[place])?;
        depends.add("scheduler", &variant.scheduler().to_string());
        let bar = bars.start(place);
        let run = || Ok(watched(job, variant, &mut Watch { bar: &bar, failed })?.result.stats);
        let stats = store.kept(depends, run)?;
        bar.finish(stats.cycles);
        Ok(stats)
    })
}

/// Runs one variant of `job`, until `failed` says that it is of no more use.
pub fn one(job: Job<'_>, variant: &Variant, failed: &AtomicBool) -> Result<Run, Failure> {
    watched(job, variant, &mut interrupt::Watch(failed))
}

/// Runs one variant of `job` before the eyes of `watch`, who is asked once before the machine's first cycle, too.
pub fn watched(job: Job<'_>, variant: &Variant, watch: &mut dyn Monitor) -> Result<Run, Failure> {
    let (gpu, options) = job::machine(job.setup, variant.way, &variant.gpu)?;
    Simulation { variant, gpu: &gpu, options, watch, trace: None, by_vertex: false, spare: false }.of(job)
}

/// The machine of each variant as it runs, and how.
pub fn machines(job: Job<'_>, variants: &[Variant]) -> Result<Vec<(GpuConfig, RunOptions)>, Failure> {
    variants.iter().map(|variant| job::machine(job.setup, variant.way, &variant.gpu)).collect()
}

/// One run.
struct Simulation<'a> {
    variant: &'a Variant,
    /// The machine as it runs.
    gpu: &'a GpuConfig,
    options: RunOptions,
    watch: &'a mut dyn Monitor,
    /// What a trace of it is called, and the folder for it; if there is to be one.
    trace: Option<(&'static str, &'a Path)>,
    /// Whether the result is kept vertex by vertex.
    by_vertex: bool,
    /// Whether a core is free for what can be done beside it.
    spare: bool,
}

impl Simulation<'_> {
    fn of(mut self, job: Job<'_>) -> Result<Run, Failure> {
        let mut work = job.set_up(self.variant.way, self.spare)?;
        if let Some((name, folder)) = self.trace.take() {
            let mut recorder = Recorder::new(work, Boxed::check, name, folder)
                .with_context(|| format!("--export-trace {}", folder.display()))?;
            let ran = self.run(&mut Erased::<_, Recorder<Boxed>>::new(&mut recorder))?;
            return Ok(Run { cut: recorder.cut(), ..self.finished(ran, recorder.check())? });
        }
        let ran = self.run(work.erased())?;
        let by_vertex = work.by_vertex().filter(|_| self.by_vertex).map(<[u32]>::to_vec).unwrap_or_default();
        Ok(Run { by_vertex, ..self.finished(ran, work.check())? })
    }

    /// What the machine counted, and the seconds that it took.
    fn run(&mut self, work: &mut AnyWorkload<'_>) -> Result<(RunResult, f64), Failure> {
        let stopwatch = Stopwatch::start();
        let gpu = Gpu::new(self.gpu, self.options).map_err(|error| Failure::Usage(error.into()))?;
        let (done, total) = work.progress();
        if self.watch.progress(done, total, 0).is_break() {
            return Err(Failure::Interrupted);
        }
        let result = gpu.run_erased(work, self.watch).map_err(|error| self.ended(error))?;
        Ok((result, stopwatch.seconds()))
    }

    fn finished(
        &self,
        (result, seconds): (RunResult, f64),
        check: Result<Verified, WrongResult>,
    ) -> Result<Run, Failure> {
        let verified = check.map_err(|wrong| anyhow!("{}: {wrong}", self.variant))?;
        let variant = Variant { gpu: self.gpu.clone(), ..self.variant.clone() };
        Ok(Run { variant, result, verified, seconds, cut: 0, timelines: Vec::new(), by_vertex: Vec::new() })
    }

    /// Why it did not come to its end.
    fn ended(&self, error: RunError) -> Failure {
        let variant = self.variant;
        match error {
            RunError::Cancelled { .. } => Failure::Interrupted,
            RunError::TooManyTbs { limit, .. } if limit > MOST_DRAWN => Failure::Usage(anyhow!(
                "--log: {variant} starts more than {} TBs, more than a log is held for; take a smaller input",
                HumanCount(limit.into())
            )),
            RunError::TooManyTbs { limit, .. } => Failure::Usage(anyhow!(
                "--gantt: {variant} starts more than {} TBs, more than a chart can show; take a smaller input, such as {}, or \
                 leave --gantt out: the occupancy plot is for runs of any length",
                HumanCount(limit.into()),
                match variant.way {
                    Way::Version(_) | Way::Dispatch(_) => "--tiles 32",
                    Way::Mode(_) => "--graph kron:8 or cit:512",
                    Way::Sm(_) => "a lower --scale",
                }
            )),
            error => Failure::Failed(
                anyhow::Error::new(error).context(format!("{} {variant} did not finish", variant.way.kind())),
            ),
        }
    }
}

/// Shows how far a run is, and ends it when it is of no more use.
struct Watch<'a> {
    bar: &'a Bar,
    failed: &'a AtomicBool,
}

impl Monitor for Watch<'_> {
    fn progress(&mut self, done: u64, total: u64, cycle: u64) -> ControlFlow<()> {
        self.bar.update(done, total, cycle);
        interrupt::Watch(self.failed).progress(done, total, cycle)
    }
}
