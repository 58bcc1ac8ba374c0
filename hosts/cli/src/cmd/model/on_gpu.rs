//! Inputs from a run on the reference GPU.

use super::estimate::Asked;
use crate::args::{KERNEL_GPU, Kernel, KernelArgs, Model, SmPolicy, Workload};
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::interrupt;
use crate::job::{Job, Prepared, Task};
use crate::way::{Way, WaysOf};
use anyhow::anyhow;
use gpusched::models::exec::{ExecConfig, ExecInputs};
use gpusched_refgpu::config::{ConfigError, GpuConfig};
use gpusched_refgpu::estimate::exec_inputs;
use gpusched_refgpu::gpu::{Gpu, Monitor, RunError, RunOptions};
use gpusched_refgpu::program;
use std::ops::ControlFlow;

/// What a run came to.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// For the model.
    pub inputs: ExecInputs,
    /// Cycles from the first TB to the end of the last one.
    pub cycles: u64,
}

/// Runs a workload in its plainest way: without device launches, barriers between levels, warps in loose round robin.
pub fn of(workload: Workload, args: &Model) -> Result<Asked, Failure> {
    let setup = Setup::resolve(&args.machine, workload.gpu())?;
    let input = Input::load(workload, &args.input, &args.kernel, &setup, args.quiet)?;
    let job = Job { workload, input: &input, setup: &setup };
    let way = match workload.ways() {
        WaysOf::Modes => Way::Mode(gpusched_refgpu::workload::Mode::Flat),
        WaysOf::Versions => Way::Version(gpusched_refgpu::workload::Version::Global),
        WaysOf::Policies => Way::Sm(SmPolicy::Lrr),
    };
    let Measured { inputs, cycles } = job.with(way, Run { gpu: &setup.gpu })?;
    let of = format!("{} on {}", input.description(workload), setup.gpu.name);
    let name = workload.name().to_owned();
    Ok(Asked { name, of, config: ExecConfig::default(), inputs, measured: Some(cycles) })
}

/// Runs a kernel of the catalogue, so many times its usual work.
pub fn kernel(kernel: Kernel, scale: Option<u32>, setup: &Setup) -> Result<Measured, Failure> {
    let workload = Workload::Kernel(kernel);
    let input = Input::load(workload, &Default::default(), &KernelArgs { scale, loop_warps: None }, setup, true)?;
    let job = Job { workload, input: &input, setup };
    job.with(Way::Sm(SmPolicy::Lrr), Run { gpu: &setup.gpu })
}

/// The machine that kernels are estimated on if none is named.
pub const GPU: &str = KERNEL_GPU;

/// One run.
struct Run<'a> {
    gpu: &'a GpuConfig,
}

impl Task for Run<'_> {
    type Output = Measured;

    fn carry_out<W: program::Workload>(self, mut work: Prepared<W>) -> Result<Measured, Failure> {
        let usage = |error: ConfigError| Failure::Usage(error.into());
        let (config, options) = work.machine(self.gpu).map_err(usage)?;
        let gpu = Gpu::new(&config, RunOptions { count_lines: true, ..options }).map_err(usage)?;
        let result = gpu.run(&mut work.work, &mut Watch).map_err(|error| match error {
            RunError::Cancelled { .. } => Failure::Interrupted,
            error => Failure::Failed(error.into()),
        })?;
        (work.check)(&work.work).map_err(|wrong| anyhow!("{wrong}"))?;
        let stats = result.stats;
        Ok(Measured { inputs: exec_inputs(&stats, &config), cycles: stats.cycles - stats.first_tb })
    }
}

/// Ends a run that nobody waits for any more.
struct Watch;

impl Monitor for Watch {
    fn progress(&mut self, _: u64, _: u64, _: u64) -> ControlFlow<()> {
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
