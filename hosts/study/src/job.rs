//! A workload with its input, set up for one way to run it: what both simulations and footprints start from.

use crate::ask::Workload;
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::way::Way;
use anyhow::anyhow;
use gpusched_refgpu::config::{ConfigError, GpuConfig};
use gpusched_refgpu::gpu::RunOptions;
use gpusched_refgpu::program;
use gpusched_workloads::catalogue::Check;
use gpusched_workloads::{
    Amr, Bfs, Bht, Boxed, Clr, Dispatch, Join, Mode, Pre, Regx, Replay, SetupError, Sgemm, Sssp, Version, Wave,
};
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
    fn carry_out<W: program::Workload + 'static>(self, work: Prepared<W>) -> Result<Self::Output, Failure>;
}

/// A workload that is set up.
pub struct Prepared<W> {
    /// The workload.
    pub work: W,
    /// Verifies the result when it has run.
    pub check: Check<W>,
    /// The result, if there is a number for each vertex of a graph.
    pub by_vertex: Option<fn(&W) -> &[u32]>,
}

/// The machine `base` as workloads run on it in this `way`, and how.
pub fn machine(setup: &Setup, way: Way, base: &GpuConfig) -> Result<(GpuConfig, RunOptions), Failure> {
    machine_of(setup, way, base).map_err(|error| Failure::Usage(error.into()))
}

fn machine_of(setup: &Setup, way: Way, base: &GpuConfig) -> Result<(GpuConfig, RunOptions), ConfigError> {
    let (gpu, options) = match way {
        Way::Mode(mode) => {
            let gpu = if mode.is_ideal() { base.without_launch_latency() } else { base.clone() };
            (gpu, RunOptions::from(mode))
        }
        Way::Version(version) => setup.options.wave.machine(version, base)?,
        Way::Dispatch(_) => (base.clone(), RunOptions::default()),
        Way::Sm(policy) => {
            let mut gpu = base.clone();
            // What warps wait for is of interest under any policy.
            gpu.equalizer.switch.observe = true;
            policy.settings().iter().try_for_each(|(key, value)| gpu.set(key, value))?;
            gpu.check()?;
            (gpu, RunOptions::default())
        }
    };
    gpu.check_streams(1)?;
    Ok((gpu, options))
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
                        let sssp = Sssp::from_vertex(csr, source, mode, options.sssp);
                        self.start_on_graph(sssp, Sssp::check, Sssp::distances, task)
                    }
                    Workload::Clr => {
                        self.start_on_graph(Clr::new(csr, mode, options.clr), Clr::check, Clr::colors, task)
                    }
                    _ => {
                        let bfs = Bfs::from_vertex(csr, source, mode, options.bfs);
                        self.start_on_graph(bfs, Bfs::check, Bfs::levels, task)
                    }
                }
            }
            Input::Keys(keys) => {
                let join = Join::new(Arc::clone(&keys.r), Arc::clone(&keys.s), mode, options.join);
                self.start(join, Join::check, task)
            }
            Input::Mesh(options) => self.start(Amr::new(mode, *options), Amr::check, task),
            Input::Bodies(options) => self.start(Bht::new(mode, *options), Bht::check, task),
            Input::Ratings(options) => self.start(Pre::new(*options, mode), Pre::check, task),
            Input::Streams(streams) => {
                self.start(Regx::new(Arc::clone(streams), mode, options.regx), Regx::check, task)
            }
            Input::Tiles { kind, options } => {
                let version = if let Way::Version(version) = way { version } else { Version::Global };
                self.start(Wave::new(*kind, version, *options), Wave::check, task)
            }
            Input::Product(options) => {
                let dispatch = if let Way::Dispatch(dispatch) = way { dispatch } else { Dispatch::Hardware };
                self.start(Sgemm::gemm(*options, dispatch), Sgemm::check, task)
            }
            Input::Kernel { kernel, request } => self.start(kernel.0.kernel(*request), Boxed::check, task),
            Input::Trace(program) => {
                let replay = Replay::new(Arc::clone(program));
                self.start(Ok(Boxed::new(replay, Replay::check)), Boxed::check, task)
            }
        }
    }

    /// Does `task` with a workload whose result is no number for each vertex.
    fn start<W, T>(&self, work: Result<W, SetupError>, check: Check<W>, task: T) -> Result<T::Output, Failure>
    where
        W: program::Workload + 'static,
        T: Task,
    {
        task.carry_out(Prepared { work: self.set_up(work)?, check, by_vertex: None })
    }

    /// Does `task` with one whose result is.
    fn start_on_graph<W, T>(
        &self,
        work: Result<W, SetupError>,
        check: Check<W>,
        by_vertex: fn(&W) -> &[u32],
        task: T,
    ) -> Result<T::Output, Failure>
    where
        W: program::Workload + 'static,
        T: Task,
    {
        task.carry_out(Prepared { work: self.set_up(work)?, check, by_vertex: Some(by_vertex) })
    }

    /// The workload, if it could be set up. If not, an option makes no sense, or the input is too much.
    fn set_up<W>(&self, work: Result<W, SetupError>) -> Result<W, Failure> {
        work.map_err(|error| {
            let told = anyhow!("{}: {error}", self.workload.name());
            match error {
                SetupError::Option { .. } => Failure::Usage(told),
                SetupError::OneWay { .. } => Failure::Usage(anyhow!("{told}; --undirected makes it undirected")),
                _ => Failure::Failed(told),
            }
        })
    }
}
