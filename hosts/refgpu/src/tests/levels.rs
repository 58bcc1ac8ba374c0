//! refgpu-V2: levels of voltage and frequency, of the SMs and of the memory.

use super::script::{At, Op, config, kernel, run, run_with, with_verb};
use super::skip;
use crate::config::GpuConfig;
use crate::front::LaunchVerb;
use crate::gpu::RunOptions;
use crate::program::Class;
use crate::stats::RunStats;

/// Every SM full of warps that compute: as many instructions as its units take.
fn compute(config: &GpuConfig) -> RunStats {
    run(config, &[kernel(1, 240, 256, 0)], |at: At| match at.step {
        0..200 => Op::new(Class::Int, 1 << (at.step % 8), 1 << (at.step % 8)),
        _ => Op::exit(),
    })
}

/// Every SM full of warps that stream: as many lines as the memory moves.
fn stream(config: &GpuConfig) -> RunStats {
    run(config, &[kernel(1, 1200, 256, 0)], |at: At| {
        let step = u64::from(at.step);
        let line = (u64::from(at.blkid) * 8 + step) * 8 + u64::from(at.warp);
        if step == 8 { Op::exit() } else { Op::access(Class::LoadGlobal, 1 << step, |l| line * 128 + 4 * l) }
    })
}

/// More MSHRs than Little's law asks for: the memory is what limits.
const SATURATED: (&str, &str) = ("l1.mshrs", "128");

fn at(change: &[(&str, &str)]) -> GpuConfig {
    config("gtx480", &[&[SATURATED], change].concat())
}

/// Speed over that of `base`.
fn speedup(base: &RunStats, now: &RunStats) -> f64 {
    base.cycles as f64 / now.cycles as f64
}

#[test]
fn sms_speed_up_computing_and_memory_speeds_up_streaming() {
    let points = [("vf.sm", "low", 0.85), ("vf.sm", "high", 1.15), ("vf.mem", "low", 0.85), ("vf.mem", "high", 1.15)];
    let (compute_base, stream_base) = (compute(&at(&[])), stream(&at(&[])));
    let use_of_bus = stream_base.figures().bandwidth_use;
    assert!(use_of_bus > 0.85, "{use_of_bus}");
    for (key, level, ratio) in points {
        let config = at(&[(key, level)]);
        let computing = speedup(&compute_base, &compute(&config));
        let streaming = speedup(&stream_base, &stream(&config));
        let (follows, stays) = if key == "vf.sm" { (computing, streaming) } else { (streaming, computing) };
        assert!((follows - ratio).abs() < 0.02, "{key} {level}: {follows}");
        assert!((stays - 1.0).abs() < 0.03, "{key} {level}: {stays}");
    }
}

/// The counts of own cycles, and of DRAM's, follow the clock.
#[test]
fn each_domain_counts_cycles_of_its_own_clock() {
    let base = compute(&at(&[]));
    let (sm, mem) = (compute(&at(&[("vf.sm", "high")])), compute(&at(&[("vf.mem", "low")])));
    let clock = |stats: &RunStats| stats.sm.cycles as f64 / (15 * stats.cycles) as f64;
    let bus = |stats: &RunStats| stats.command_cycles as f64 / stats.cycles as f64 * 700.0 / 924.0;
    let near = |a: f64, b: f64| (a - b).abs() < 1e-3;
    assert!(near(clock(&base), 1.0) && near(clock(&sm), 1.15) && near(clock(&mem), 1.0));
    assert!(near(bus(&base), 1.0) && near(bus(&sm), 1.0) && near(bus(&mem), 0.85));
    // The same instructions at a higher voltage; events beyond are the same.
    let events = |stats: &RunStats| {
        stats.energy.as_ref().unwrap().parts_j.execution + stats.energy.as_ref().unwrap().parts_j.registers
    };
    assert!(near(events(&sm) / events(&base), 1.15f64.powi(2)));
    assert!(near(
        mem.energy.as_ref().unwrap().parts_j.dram_standby / base.energy.as_ref().unwrap().parts_j.dram_standby,
        0.85 * 0.9
    ));
}

/// refgpu-T3.
#[test]
fn skipping_is_exact_at_any_pair_of_levels() {
    for (sm, mem) in [("low", "high"), ("high", "low"), ("normal", "high"), ("low", "normal")] {
        let scarce = [("l1.mshrs", "4"), ("l2.sets", "4"), ("noc.input_queue", "1"), ("vf.sm", sm), ("vf.mem", mem)];
        let config = config("gtx480", &scarce);
        let kernels = [kernel(1, 20, 128, 0), kernel(1, 10, 64, 0)];
        let run = |step| run_with(&config, RunOptions { step, ..with_verb(LaunchVerb::Group) }, &kernels, skip::body);
        assert_eq!(run(false), run(true), "{sm} {mem}");
    }
}
