//! Runs a kernel alone with 1, 2, ... TBs per SM on the machine of the study of concurrent kernels, and prints cycles and its type.
//!
//! ```text
//! cargo run --release -p gpusched-workloads --example sweep -- blk 1
//! ```

use gpusched_refgpu::config::GpuConfig;
use gpusched_workloads::catalogue::{self, Request, Size};
use gpusched_workloads::sharers;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [kernel, scale] = words.as_slice() else { return Err("kernel, scale".into()) };
    let gpu = GpuConfig::preset(sharers::GPU)?;
    let request = Request { size: Size::Times(scale.parse()?), ..Request::default() };
    let mut tell = |stats: &gpusched_refgpu::stats::RunStats| {
        let f = stats.figures();
        println!(
            "{} cycles, IPC {:.2}, L1 {:.3}, DRAM {:.3}, stalls {:.3} {:.3}",
            stats.cycles, f.ipc, f.l1_hit_rate, f.bandwidth_use, f.memory_stall_fraction, f.structural_stall_fraction
        );
    };
    let swept = sharers::sweep(catalogue::find(kernel)?, request, &gpu, &mut tell)?;
    println!("{} {:?} {:?} {:?}", kernel, swept.category(&gpu.tlp_units())?, swept.pref(&gpu.tlp_units()), swept);
    Ok(())
}
