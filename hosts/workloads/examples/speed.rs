//! How fast the reference GPU simulates: `cargo run --release -p gpusched-workloads --example speed [preset] [graph...]`.
//!
//! Prints, per graph and mode, simulated cycles and warp instructions per second of host time, and the main figures.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::{Gpu, RunOptions};
use gpusched_workloads::graph::GraphSource;
use gpusched_workloads::{Bfs, BfsOptions, Mode};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let preset = args.next().unwrap_or_else(|| "k20c".into());
    let mut graphs: Vec<String> = args.collect();
    if graphs.is_empty() {
        graphs = ["cit:32768", "kron:14,16", "cage:32768"].map(String::from).to_vec();
    }
    let config = GpuConfig::preset(&preset)?;
    println!(
        "graph       mode     Mcycles  Minstr   Minstr/s   IPC  act%   L1    L2   DRAM  bw    stall  occ   lat     mJ      W"
    );
    for name in graphs {
        let graph = Arc::new(name.parse::<GraphSource>()?.load(&mut |_| ControlFlow::Continue(()))?.csr);
        for mode in Mode::ALL {
            let mut bfs = Bfs::new(graph.clone(), mode, BfsOptions::default())?;
            let gpu = Gpu::new(&config, RunOptions::from(mode))?;
            let start = Instant::now();
            let stats = gpu.run(&mut bfs, &mut ())?.stats;
            let seconds = start.elapsed().as_secs_f64();
            bfs.check()?;
            let (f, n) = (stats.figures(), stats.sm.all_instructions() as f64);
            println!(
                "{name:11} {mode:6} {:9.3} {:8.3} {:9.3}  {:6.3} {:4.1} {:.3} {:.3} {:.3} {:.3} {:.3} {:.3} {:5.0} {:6.2} {:6.1}",
                stats.cycles as f64 / 1e6,
                n / 1e6,
                n / 1e6 / seconds,
                f.ipc,
                f.warp_activity,
                f.l1_hit_rate,
                f.l2_hit_rate,
                f.dram_efficiency,
                f.bandwidth_use,
                f.lsu_stall_fraction,
                f.occupancy,
                f.load_latency,
                stats.energy.as_ref().map_or(0.0, |energy| energy.total_j * 1e3),
                stats.energy.as_ref().map_or(0.0, |energy| energy.mean_w),
            );
        }
    }
    Ok(())
}
