//! The wavefronts in their five versions: `cargo run --release -p gpusched-workloads --example wavefront -- [key=value...]`.
//!
//! Words: `kinds=dtw,sw`, `versions=global,lvl`, `sides=64,96`, `divide=4`, `scale=16`, and keys of the machine such as `dats.lna=256`.
//! Prints time, speedup over global, level range, added requests at L2 and what the scheduler waited for.

use std::error::Error;
use std::time::Instant;

use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::Gpu;
use gpusched_refgpu::stats::RunStats;
use gpusched_workloads::{Version, Wave, WaveKind, WaveOptions};

fn list<T: std::str::FromStr>(words: &str) -> Result<Vec<T>, T::Err> {
    words.split(',').map(str::parse).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut base = GpuConfig::preset("gtx480")?;
    let (mut kinds, mut versions) = (WaveKind::ALL.to_vec(), Version::ALL.to_vec());
    let (mut sides, mut options) = (vec![64], WaveOptions::default());
    for arg in std::env::args().skip(1) {
        let (key, value) = arg.split_once('=').ok_or("expected key=value")?;
        match key {
            "kinds" => kinds = list(value)?,
            "versions" => versions = list(value)?,
            "sides" => sides = list(value)?,
            "divide" => options.divide = value.parse()?,
            "scale" => options.launch_scale = value.parse()?,
            _ => base.set(key, value)?,
        }
    }
    println!(
        "side kind     version      cycles  speedup  c:l  range  pub   added%  no_ready     head    bound   noroom  \
         Minstr   L1    L2   bw    IPC   occ   Minstr/s"
    );
    for side in sides {
        for &kind in &kinds {
            let mut global = None;
            for &version in &versions {
                let mut wave = Wave::new(kind, version, WaveOptions { columns: side, rows: side, ..options })?;
                let (config, run) = wave.machine(&base)?;
                let start = Instant::now();
                let stats = Gpu::new(&config, run)?.run(&mut wave, &mut ())?.stats;
                let seconds = start.elapsed().as_secs_f64();
                wave.check()?;
                print(side, kind, version, &stats, *global.get_or_insert(stats.cycles), seconds);
            }
        }
    }
    Ok(())
}

fn print(side: u32, kind: WaveKind, version: Version, stats: &RunStats, global: u64, seconds: f64) {
    let (f, dats) = (stats.figures(), stats.dats.unwrap_or_default());
    let launches = Wave::launch_cycles(stats);
    println!(
        "{side:4} {kind:8} {version:8} {:10}  {:+6.2}% {:4.1}  {:5}  {:3}  {:.4}  {:8} {:8} {:8} {:8}  {:7.2} {:.3} {:.3} {:.3} {:.3} \
         {:.3} {:7.2}",
        stats.cycles,
        (global as f64 / stats.cycles as f64 - 1.0) * 100.0,
        (stats.cycles - launches) as f64 / launches as f64,
        stats.level_range.unwrap_or_default(),
        dats.pub_max,
        f.added_requests * 100.0,
        dats.no_ready,
        dats.head,
        dats.level_bound,
        dats.no_room,
        stats.sm.all_instructions() as f64 / 1e6,
        f.l1_hit_rate,
        f.l2_hit_rate,
        f.bandwidth_use,
        f.ipc,
        f.occupancy,
        stats.sm.all_instructions() as f64 / 1e6 / seconds,
    );
}
