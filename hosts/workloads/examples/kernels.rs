//! The kernels of the catalogue, one after the other: `cargo run --release -p gpusched-workloads --example kernels -- [key=value...]`.
//!
//! Words: `kernels=spmv,kmeans-1`, `preset=gtx480`, `times=4`, `seed=1`, `loop=4` for grid-stride loops of four warps, and keys of
//! the machine such as `sm.policy=lrr`. Prints simulated cycles, host seconds, instructions per L1 miss with the source's beside
//! it, and the main figures.

use std::error::Error;
use std::time::Instant;

use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::{Gpu, RunOptions};
use gpusched_refgpu::stats::RunStats;
use gpusched_workloads::catalogue::{self, Entry, Request, Size};

/// Runs a kernel, verifies it, and takes the time.
fn timed(entry: &Entry, request: Request, config: &GpuConfig) -> Result<(RunStats, f64), Box<dyn Error>> {
    let mut work = entry.kernel(request)?;
    let start = Instant::now();
    let stats = Gpu::new(config, RunOptions::default())?.run(&mut work, &mut ())?.stats;
    let seconds = start.elapsed().as_secs_f64();
    work.check()?;
    Ok((stats, seconds))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut config = GpuConfig::preset("gtx480")?;
    let mut kernels: Vec<&Entry> = catalogue::entries().collect();
    let mut request = Request::default();
    for arg in std::env::args().skip(1) {
        let (key, value) = arg.split_once('=').ok_or("expected key=value")?;
        match key {
            "kernels" => kernels = value.split(',').map(catalogue::find).collect::<Result<_, _>>()?,
            "preset" => config = GpuConfig::preset(value)?,
            "times" => request.size = Size::Times(value.parse()?),
            "loop" => request.loop_warps = Some(value.parse()?),
            "seed" => request.seed = value.parse()?,
            _ => config.set(key, value)?,
        }
    }
    println!(
        "kernel             cycles  seconds    Minstr  Minstr/s      ipm   source  lanes    IPC    L1    L2  stall    bw   occ"
    );
    for entry in kernels {
        let (stats, seconds) = timed(entry, request, &config)?;
        let (f, instructions) = (stats.figures(), stats.sm.all_instructions() as f64);
        println!(
            "{:16} {:8} {seconds:8.2} {:9.3} {:9.2} {:8.2} {:>8} {:6.1} {:6.3} {:.3} {:.3}  {:.3} {:.3} {:.3}",
            entry.name,
            stats.cycles,
            instructions / 1e6,
            instructions / 1e6 / seconds,
            f.instructions_per_l1_miss,
            entry.row.ipm.map_or_else(|| "-".into(), |ipm| ipm.to_string()),
            0.32 * f.warp_activity,
            f.ipc,
            f.l1_hit_rate,
            f.l2_hit_rate,
            f.lsu_stall_fraction,
            f.bandwidth_use,
            f.occupancy,
        );
    }
    Ok(())
}
