//! Inputs from a run on the reference GPU.

use super::estimate::Asked;
use crate::ask::{KERNEL_GPU, Model, SmPolicy, Workload};
use crate::failure::Failure;
use crate::input::{Input, Setup};
use crate::interrupt::Watch;
use crate::job::{self, Job};
use crate::study::digest::Digest;
use crate::study::store::{Kept, Store};
use crate::trace;
use crate::way::{Way, WaysOf};
use anyhow::anyhow;
use gpusched::models::exec::{ExecConfig, ExecInputs};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::estimate::exec_inputs;
use gpusched_refgpu::gpu::{Gpu, RunError, RunOptions};
use gpusched_workloads::{Dispatch, Mode, Version};
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

/// What a run came to.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// For the model.
    pub inputs: ExecInputs,
    /// Cycles from the first TB to the end of the last one, without launches by the host between kernels.
    pub cycles: u64,
    /// Mean cycles from the issue of a load to its data; 0 without loads.
    pub load_latency: f64,
    /// Cycles from issue to result of a special function.
    pub sfu_latency: f64,
    /// Cycles for which an SM's LSU had transactions to take, one a cycle, or its port lines to bring from L2, whichever are more.
    pub ports: f64,
}

impl Kept for Measured {
    const SCHEMA: &'static str = "gpusched.measured/1";
}

/// Runs a workload in its plainest way.
pub fn of(workload: Workload, args: &Model) -> Result<Asked, Failure> {
    let setup = Setup::resolve(&args.machine, trace::usual_gpu(workload, &args.input, &args.machine)?)?;
    setup.only_of(&[workload])?;
    setup.check_options(std::iter::once(plainest(workload)))?;
    let input = Input::load(workload, &args.input, &args.kernel, &setup, args.quiet)?;
    let job = Job { workload, input: &input, setup: &setup };
    setup.check_effect(&[job::machine(&setup, plainest(workload), &setup.gpu)?], &[])?;
    let Measured { inputs, cycles, .. } = measure(job, &machine(job)?, &AtomicBool::new(false))?;
    let of = format!("{} on {}, {}", input.description(workload), setup.gpu.name, setup.told_set(|_| String::new()));
    let name = workload.name().to_owned();
    Ok(Asked { name, of, config: ExecConfig::default(), inputs, measured: Some(cycles) })
}

/// What a job comes to in its plainest way: as `store` has it, or in a run, which is kept.
pub fn measured(job: Job<'_>, store: &Store, useless: &AtomicBool) -> Result<Measured, Failure> {
    let machine = machine(job)?;
    store.kept(Digest::of_run(job, plainest(job.workload), &machine)?, || measure(job, &machine, useless))
}

/// The machine as a job runs on it in its plainest way, and how.
fn machine(job: Job<'_>) -> Result<(GpuConfig, RunOptions), Failure> {
    let (gpu, options) = job::machine(job.setup, plainest(job.workload), &job.setup.gpu)?;
    Ok((gpu, RunOptions { count_lines: true, ..options }))
}

/// Runs a job in its plainest way: without device launches, barriers between levels, warps in loose round robin. `useless` ends it.
fn measure(job: Job<'_>, (gpu, options): &(GpuConfig, RunOptions), useless: &AtomicBool) -> Result<Measured, Failure> {
    let mut work = job.set_up(plainest(job.workload), false)?;
    let machine = Gpu::new(gpu, *options).map_err(|error| Failure::Usage(error.into()))?;
    let result = machine.run_erased(work.erased(), &mut Watch(useless)).map_err(|error| match error {
        RunError::Cancelled { .. } => Failure::Interrupted,
        error => Failure::Failed(error.into()),
    })?;
    work.check().map_err(|wrong| anyhow!("{wrong}"))?;
    let stats = result.stats;
    let inputs = exec_inputs(&stats, gpu);
    Ok(Measured {
        inputs,
        cycles: stats.kernel_cycles(),
        load_latency: stats.figures().load_latency,
        sfu_latency: gpu.sm.sfu_latency.into(),
        ports: stats.sm.transactions.max(stats.replies.flits) as f64 / inputs.active_sms.max(1.0),
    })
}

/// Without device launches, barriers between levels, or another order of warps than loose round robin.
pub const fn plainest(workload: Workload) -> Way {
    match workload.ways() {
        WaysOf::Modes => Way::Mode(Mode::Flat),
        WaysOf::Versions => Way::Version(Version::Global),
        WaysOf::Dispatches => Way::Dispatch(Dispatch::Hardware),
        WaysOf::Policies => Way::Sm(SmPolicy::Lrr),
    }
}

/// The machine that kernels are estimated on if none is named.
pub const GPU: &str = KERNEL_GPU;
