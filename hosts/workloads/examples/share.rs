//! Runs kernels of the study of concurrent kernels together under a policy, and prints what came out.
//!
//! ```text
//! cargo run --release -p gpusched-workloads --example share -- BLK,STC tlp.policy=tlp tlp.bypass=false
//! ```

use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::{Gpu, RunOptions};
use gpusched_workloads::{Together, sharers};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [names, changes @ ..] = words.as_slice() else { return Err("kernels, key=value ...".into()) };
    let mut config = GpuConfig::preset(sharers::GPU)?;
    for (key, word) in changes.iter().filter_map(|change| change.split_once('=')) {
        config.set(key, word)?;
    }
    let units = config.tlp_units();
    let kernels: Vec<_> =
        names.split(',').map(|name| sharers::find(name).ok_or("no such kernel")).collect::<Result<_, _>>()?;
    let known = kernels.iter().map(|k| Ok((k.category(&units)?, k.measured.pref(&units))));
    let known: Vec<_> = known.collect::<Result<_, gpusched::Fault>>()?;
    let requests: Vec<_> = kernels.iter().map(|k| (k.entry, k.request(1))).collect();
    let mut work = Together::new(&requests)?.knowing(&known);
    let result = Gpu::new(&config, RunOptions::default())?.run(&mut work, &mut ())?;
    work.check()?;
    let (stats, f) = (&result.stats, result.stats.figures());
    println!(
        "{names}: {} cycles, IPC {:.2}, L1 {:.3}, stalls {:.3} {:.3}, {:.2} mJ, {:?}",
        stats.cycles,
        f.ipc,
        f.l1_hit_rate,
        f.memory_stall_fraction,
        f.structural_stall_fraction,
        stats.energy.total_j * 1e3,
        known
    );
    for stream in &stats.streams {
        println!("  {:?}", stream);
    }
    println!("  {:?}", stats.sharing);
    for step in result.walk.iter().flat_map(|walk| &walk.changes).filter(|step| step.sm == 0).take(60) {
        println!("  {:?}", step);
    }
    Ok(())
}
