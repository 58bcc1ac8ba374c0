//! Launches from the device that are pending at the same time: TBs of one warp fill every TB slot and launch kernels, or groups, of one
//! such TB each, which find no room before the first of the parents has ended.

use super::{Extent, Line, RECORDS, steps, with};
use crate::failure::Failure;
use crate::speed::measure::{Bench, Meter, simulate};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::RunOptions;
use gpusched_refgpu::program::Class;
use gpusched_refgpu::script::{At, Op, Script, kernel, script};
use gpusched_workloads::Mode;

/// As kernels, and as groups.
pub const MODES: [Mode; 2] = [Mode::Cdp, Mode::Dtbl];

/// The code of all TBs: groups join the kernel that runs.
const PC: u64 = 1;
/// What kernels of the host are told apart by from what they launch.
const PARENT: u64 = 0;
const CHILD: u64 = 1;

/// Parents that fill the machine, and so many launches by them in all.
fn launching(gpu: &GpuConfig, launches: u32) -> Script<'static> {
    let parents = gpu.wave(&kernel(PC, 1, 32, PARENT));
    // All parents stay until the one with most has launched.
    let calls = launches.div_ceil(parents).div_ceil(32);
    let body = move |at: At| {
        let share = launches / parents + u32::from(at.blkid < launches % parents);
        let left = share.saturating_sub(32 * at.step).min(32);
        match at.tag {
            PARENT if left > 0 => Op::launch(u32::MAX >> (32 - left), PC, CHILD),
            // A TB must not end in the cycle in which its groups join, or they become kernels (dtbl-H4).
            PARENT if at.step <= calls => Op::new(Class::Int, 0, 0),
            _ => Op::exit(),
        }
    };
    script(&[kernel(PC, parents, 32, PARENT)], body)
}

/// Powers of ten; each machine has as many launch records as there are launches. A point is where the model counted most launches pending.
pub fn pending(gpu: &GpuConfig, extent: &Extent, bench: &Bench) -> Result<Vec<Line>, Failure> {
    let line = |name, mode: Mode| {
        Line::of(name, steps(10, extent.launches), |launches| {
            let gpu = with(gpu, &[(RECORDS, &launches.to_string())])?;
            let run = |meter: &mut Meter| simulate(&gpu, RunOptions::from(mode), &mut launching(&gpu, launches), meter);
            let (stats, cost) = bench.simulations(run)?;
            Ok((stats.pending.peak, cost))
        })
    };
    Ok(vec![line("kernels (cdp)", MODES[0])?, line("groups (dtbl)", MODES[1])?])
}
