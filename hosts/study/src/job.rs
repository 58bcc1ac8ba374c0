//! A workload with its input, set up for one way to run it: what both simulations and footprints start from.

use crate::ask::Workload;
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::way::Way;
use anyhow::anyhow;
use gpusched_refgpu::config::{ConfigError, GpuConfig};
use gpusched_refgpu::gpu::RunOptions;
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
    /// The workload, set up to run in this `way`; with a `spare` core, for what can be done beside the simulation. If that cannot be, an option
    /// makes no sense, or the input is too much.
    pub fn set_up(&self, way: Way, spare: bool) -> Result<Boxed, Failure> {
        self.made(way, spare).map_err(|error| {
            let told = anyhow!("{}: {error}", self.workload.name());
            match error {
                SetupError::Option { .. } => Failure::Usage(told),
                SetupError::OneWay { .. } => Failure::Usage(anyhow!("{told}; --undirected makes it undirected")),
                _ => Failure::Failed(told),
            }
        })
    }

    fn made(&self, way: Way, spare: bool) -> Result<Boxed, SetupError> {
        let options = &self.setup.options;
        let mode = if let Way::Mode(mode) = way { mode } else { Mode::Flat };
        Ok(match self.input {
            Input::Graph { graph, source } => {
                let (csr, source) = (Arc::clone(&graph.csr), *source);
                match self.workload {
                    Workload::Sssp => {
                        let sssp = Sssp::from_vertex(csr, source, mode, options.sssp)?;
                        Boxed::on_graph(sssp, Sssp::check, Sssp::distances)
                    }
                    Workload::Clr => Boxed::on_graph(Clr::new(csr, mode, options.clr)?, Clr::check, Clr::colors),
                    _ => {
                        let bfs = Bfs::from_vertex(csr, source, mode, options.bfs)?;
                        Boxed::on_graph(bfs, Bfs::check, Bfs::levels)
                    }
                }
            }
            Input::Keys(keys) => {
                let join = Join::new(Arc::clone(&keys.r), Arc::clone(&keys.s), mode, options.join)?;
                Boxed::new(join, Join::check)
            }
            Input::Mesh(options) => Boxed::new(Amr::new(mode, *options)?, Amr::check),
            Input::Bodies(options) => Boxed::new(Bht::new(mode, *options)?, Bht::check),
            Input::Ratings(options) => Boxed::new(Pre::new(*options, mode)?, Pre::check),
            Input::Streams(streams) => Boxed::new(Regx::new(Arc::clone(streams), mode, options.regx)?, Regx::check),
            Input::Tiles { kind, options } => {
                let version = if let Way::Version(version) = way { version } else { Version::Global };
                Boxed::new(Wave::new(*kind, version, *options)?, Wave::check)
            }
            Input::Product(options) => {
                let dispatch = if let Way::Dispatch(dispatch) = way { dispatch } else { Dispatch::Hardware };
                Boxed::new(Sgemm::gemm(*options, dispatch)?, Sgemm::check)
            }
            Input::Kernel { kernel, request } => kernel.0.kernel(*request)?,
            Input::Trace(program) => {
                let replay = if spare { Replay::read_beside } else { Replay::new };
                Boxed::new(replay(Arc::clone(program)), Replay::check)
            }
        })
    }
}
