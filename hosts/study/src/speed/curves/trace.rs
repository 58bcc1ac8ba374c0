//! Traces of more and more TBs: recorded, read to their ends, and executed again.

use super::load::load;
use super::{Extent, Line, steps};
use crate::failure::Failure;
use crate::speed::measure::{Bench, Cost, Least, Meter, simulate};
use crate::stopwatch::Stopwatch;
use anyhow::Context;
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::RunOptions;
use gpusched_refgpu::stats::RunStats;
use gpusched_traces::Program;
use gpusched_workloads::{Boxed, Recorder, Replay, Verified};
use std::path::Path;
use std::sync::Arc;

/// Warps of a TB, and instructions of each.
const WARPS: u32 = 8;
const LENGTH: u32 = 100;

/// Writes a trace of so many TBs, in this folder.
fn record(gpu: &GpuConfig, tbs: u32, folder: &Path) -> Result<(), Failure> {
    let work = Boxed::new(load(tbs, WARPS, LENGTH), |_| Ok(Verified { checksum: 0 }));
    let mut recorder = Recorder::new(work, Boxed::check, "load", folder)
        .with_context(|| format!("cannot write {}", folder.display()))?;
    simulate(gpu, RunOptions::default(), &mut recorder, &mut Meter::new(None))?;
    recorder.check().map_err(anyhow::Error::from)?;
    Ok(())
}

/// Reads a trace to its end.
fn read(path: &Path, meter: &mut Meter) -> Result<(Program, f64), Failure> {
    let stopwatch = Stopwatch::start();
    let program = Program::read(path, &mut || meter.look().is_break()).map_err(anyhow::Error::from)?;
    let seconds = stopwatch.seconds();
    if meter.look().is_break() {
        return Err(Failure::Interrupted);
    }
    Ok((program.ok_or(Failure::Interrupted)?, seconds))
}

/// Executes a trace that has been read.
fn execute(gpu: &GpuConfig, program: &Arc<Program>, meter: &mut Meter) -> Result<(RunStats, f64), Failure> {
    let mut work = Boxed::new(Replay::new(Arc::clone(program)), Replay::check);
    let ran = simulate(gpu, RunOptions::default(), &mut work, meter)?;
    work.check().map_err(anyhow::Error::from)?;
    Ok(ran)
}

/// Powers of ten of TBs. The trace of a point is gone after it.
pub fn lengths(gpu: &GpuConfig, extent: &Extent, bench: &Bench) -> Result<Vec<Line>, Failure> {
    let [mut reading, mut executing] = ["read", "executed"].map(|name| Line { name, points: Vec::new() });
    for tbs in steps(10, extent.trace_tbs) {
        let folder = tempfile::tempdir().context("no folder for a trace")?;
        record(gpu, tbs, folder.path())?;
        let Least { what: program, seconds, bytes } = bench.least(|meter| read(folder.path(), meter))?;
        let instructions = program.sum(|summary| summary.instructions);
        let cost = Cost { sms: gpu.sm.count.into(), cycles: 0, instructions, seconds, bytes };
        reading.points.push((instructions, cost));
        let program = Arc::new(program);
        let (_, cost) = bench.simulations(|meter| execute(gpu, &program, meter))?;
        executing.points.push((instructions, cost));
    }
    Ok(vec![reading, executing])
}
