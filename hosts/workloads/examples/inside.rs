//! Runs a kernel of the catalogue on a machine with changed keys, and prints what the LSU, Mascar and the prefetcher did. Two words are
//! the kernel's: `size=test`, and `loop_warps`, its form as a loop of one TB of so many warps.
//!
//! ```text
//! cargo run --release -p gpusched-workloads --example inside -- gtx480_mascar kmeans-1 sm.policy=mascar
//! cargo run --release -p gpusched-workloads --example inside -- apogee fft loop_warps=4 sm.warps=4 sm.threads=128 apogee.enabled=true
//! ```

use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::{Gpu, RunOptions};
use gpusched_workloads::catalogue::{self, Request, Size};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [preset, kernel, changes @ ..] = words.as_slice() else { return Err("preset, kernel, key=value ...".into()) };
    let mut config = GpuConfig::preset(preset)?;
    let mut request = Request::default();
    for (key, word) in changes.iter().filter_map(|change| change.split_once('=')) {
        match (key, word) {
            ("size", "test") => request.size = Size::Test,
            ("loop_warps", _) => request.loop_warps = Some(word.parse()?),
            _ => config.set(key, word)?,
        }
    }
    let mut work = catalogue::find(kernel)?.kernel(request)?;
    let stats = Gpu::new(&config, RunOptions::default())?.run(&mut work, &mut ())?.stats;
    work.check()?;
    let f = stats.figures();
    println!("cycles {} IPC {:.3} energy {:.3e} J", stats.cycles, f.ipc, stats.energy.total_j);
    println!("L1 hits {:.3} misses {:.3}, load {:.1} cycles", f.l1_hit_rate, f.l1_miss_rate, f.load_latency);
    println!("instructions per L1 miss {:.2}", f.instructions_per_l1_miss);
    println!("LSU stalls {:.3}: {:?}", f.lsu_stall_fraction, stats.sm.lsu.stalls);
    println!("blocked hits {:.3}", f.blocked_hit_fraction);
    println!("MP {:.3}, queue mean {:.2}: {:?}", f.mp_share, f.rexq_mean, stats.sm.mascar);
    println!("prefetch accuracy {:.3} late {:.3} early {:.3}", f.prefetch_accuracy, f.prefetch_late, f.prefetch_early);
    println!("{:?}", stats.sm.prefetch);
    Ok(())
}
