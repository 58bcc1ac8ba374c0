//! What tests of the machine have in common: scripts, configurations and how to run them.

use gpusched::Descriptor;

use crate::config::GpuConfig;
use crate::front::LaunchVerb;
use crate::gpu::{Gpu, RunOptions, RunResult};
use crate::power::SmxState;
use crate::stats::RunStats;

pub use crate::script::*;

pub fn config(preset: &str, change: &[(&str, &str)]) -> GpuConfig {
    let mut config = GpuConfig::preset(preset).unwrap();
    for (key, word) in change {
        config.set(key, word).unwrap();
    }
    config
}

/// Runs `body` for these kernels.
pub fn run(config: &GpuConfig, kernels: &[Descriptor], body: impl Fn(At) -> Op) -> RunStats {
    run_with(config, RunOptions::default(), kernels, body)
}

pub fn run_with(config: &GpuConfig, options: RunOptions, kernels: &[Descriptor], body: impl Fn(At) -> Op) -> RunStats {
    Gpu::new(config, options).unwrap().run(&mut script(kernels, body), &mut ()).unwrap().stats
}

/// Runs `body` with SMs whose states are set: after this cycle, this SM, this state.
pub fn run_at(
    config: &GpuConfig,
    options: RunOptions,
    kernels: &[Descriptor],
    body: impl Fn(At) -> Op,
    states: &[(u64, u16, SmxState)],
) -> RunResult {
    let mut gpu = Gpu::new(config, options).unwrap();
    gpu.script = states.iter().copied().collect();
    gpu.run(&mut script(kernels, body), &mut ()).unwrap()
}

pub fn with_verb(launch: LaunchVerb) -> RunOptions {
    RunOptions { launch: Some(launch), ..RunOptions::default() }
}
