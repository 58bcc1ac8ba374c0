//! A workload with its input, set up for one way to run it: what both simulations and footprints start from.

use crate::args::Workload;
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::way::Way;
use anyhow::anyhow;
use gpusched_refgpu::config::{ConfigError, GpuConfig};
use gpusched_refgpu::gpu::RunOptions;
use gpusched_refgpu::program;
use gpusched_refgpu::workload::catalogue::Check;
use gpusched_refgpu::workload::{Bfs, Boxed, Clr, Join, Mode, SetupError, Sssp, Version, Wave};
use std::sync::Arc;

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

/// What is done with a workload of any type.
pub trait Task {
    /// What comes out.
    type Output;

    /// Does it.
    fn carry_out<W: program::Workload>(self, work: Prepared<W>) -> Result<Self::Output, Failure>;
}

/// The machine on which a workload runs, and how.
type Machine<W> = fn(&W, Way, &GpuConfig) -> Result<(GpuConfig, RunOptions), ConfigError>;

/// A workload that is set up.
pub struct Prepared<W> {
    /// The workload.
    pub work: W,
    /// How it runs.
    pub way: Way,
    /// Verifies the result when it has run.
    pub check: Check<W>,
    machine: Machine<W>,
}

impl<W> Prepared<W> {
    /// The machine `base` as the workload is to run on it, and how.
    pub fn machine(&self, base: &GpuConfig) -> Result<(GpuConfig, RunOptions), ConfigError> {
        (self.machine)(&self.work, self.way, base)
    }
}

impl Job<'_> {
    /// Sets the workload up to run in this `way`, and does `task` with it.
    pub fn with<T: Task>(&self, way: Way, task: T) -> Result<T::Output, Failure> {
        let options = &self.setup.options;
        let mode = if let Way::Mode(mode) = way { mode } else { Mode::Flat };
        match self.input {
            Input::Graph { graph, source } => {
                let (csr, source) = (Arc::clone(&graph.csr), *source);
                match self.workload {
                    Workload::Sssp => {
                        self.start(Sssp::from_vertex(csr, source, mode, options.sssp), Sssp::check, as_is, way, task)
                    }
                    Workload::Clr => self.start(Clr::new(csr, mode, options.clr), Clr::check, as_is, way, task),
                    _ => self.start(Bfs::from_vertex(csr, source, mode, options.bfs), Bfs::check, as_is, way, task),
                }
            }
            Input::Keys(keys) => {
                let join = Join::new(Arc::clone(&keys.r), Arc::clone(&keys.s), mode, options.join);
                self.start(join, Join::check, as_is, way, task)
            }
            Input::Tiles { kind, options } => {
                let version = if let Way::Version(version) = way { version } else { Version::Global };
                self.start(Wave::new(*kind, version, *options), Wave::check, of_wave, way, task)
            }
            Input::Kernel { kernel, request } => {
                self.start(kernel.0.kernel(*request), Boxed::check, under_policy, way, task)
            }
        }
    }

    /// Does `task`, if the workload could be set up. If not, an option makes no sense, or the input is too much.
    fn start<W, T>(
        &self,
        work: Result<W, SetupError>,
        check: Check<W>,
        machine: Machine<W>,
        way: Way,
        task: T,
    ) -> Result<T::Output, Failure>
    where
        W: program::Workload,
        T: Task,
    {
        let work = work.map_err(|error| {
            let told = anyhow!("{}: {error}", self.workload.name());
            if matches!(error, SetupError::Option { .. }) { Failure::Usage(told) } else { Failure::Failed(told) }
        })?;
        task.carry_out(Prepared { work, way, check, machine })
    }
}

/// The machine as it is configured.
fn as_is<W>(_: &W, way: Way, base: &GpuConfig) -> Result<(GpuConfig, RunOptions), ConfigError> {
    let options = if let Way::Mode(mode) = way { RunOptions::from(mode) } else { RunOptions::default() };
    Ok((base.clone(), options))
}

/// The machine with the policy inside its SMs.
fn under_policy<W>(_: &W, way: Way, base: &GpuConfig) -> Result<(GpuConfig, RunOptions), ConfigError> {
    let mut gpu = base.clone();
    if let Way::Sm(policy) = way {
        // What warps wait for is of interest under any policy.
        gpu.equalizer.switch.observe = true;
        policy.settings().iter().try_for_each(|(key, value)| gpu.set(key, value))?;
        gpu.check()?;
    }
    Ok((gpu, RunOptions::default()))
}

/// The machine with the wavefront's launch latencies and buffer.
fn of_wave(wave: &Wave, _: Way, base: &GpuConfig) -> Result<(GpuConfig, RunOptions), ConfigError> {
    wave.machine(base)
}
