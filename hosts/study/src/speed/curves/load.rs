//! SMs and warps, at a load that leaves memory alone: of eight instructions one is a load that hits in L1 when it has missed once, the
//! others are integer; each needs the one before it.

use super::{Extent, Line, steps, with};
use crate::failure::Failure;
use crate::speed::measure::{Bench, simulate};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::RunOptions;
use gpusched_refgpu::program::Class;
use gpusched_refgpu::script::{At, Op, Script, kernel, script};

/// Where global memory begins.
const BASE: u64 = 1 << 32;
/// Lines that warps share out; the same whatever the size, so that nothing grows with what is touched.
const LINES: u64 = 2048;
/// The most warps of a TB.
const FULL: u32 = 32;

/// TBs of so many warps, each of which executes so many instructions.
pub fn load(tbs: u32, warps: u32, length: u32) -> Script<'static> {
    let body = move |at: At| {
        let mut op = match at.step {
            step if step >= length => Op::exit(),
            step if step.is_multiple_of(8) => {
                let line = BASE + 128 * (u64::from(at.blkid * warps + at.warp) % LINES);
                Op::access(Class::LoadGlobal, 1, |lane| line + 4 * lane)
            }
            _ => Op::new(Class::Int, 1, 1),
        };
        op.inst.src = 1;
        op.inst.pc = at.step % 8;
        op
    };
    script(&[kernel(1, tbs, 32 * warps, 0)], body)
}

/// So many warps of an SM as TBs: how many, and the warps of each.
const fn as_tbs(warps: u32) -> (u32, u32) {
    let tbs = warps.div_ceil(FULL);
    (tbs, warps / tbs)
}

/// All SMs full, and one SM at work beside idle ones.
pub fn sms(gpu: &GpuConfig, extent: &Extent, bench: &Bench) -> Result<Vec<Line>, Failure> {
    let (tbs, warps) = as_tbs(gpu.sm.warps);
    let all = |sms: u32| load(sms * tbs, warps, extent.all_length);
    let one = |_: u32| load(1, FULL.min(gpu.sm.warps), extent.one_length);
    let line = |name, work: &dyn Fn(u32) -> Script<'static>| {
        Line::of(name, steps(2, extent.sms), |sms| {
            let sms_only = [("sm.topology", "none"), ("dsm.enabled", "false"), ("sm.count", &sms.to_string())];
            let gpu = with(gpu, &sms_only)?;
            let (_, cost) = bench.simulations(|meter| simulate(&gpu, RunOptions::default(), &mut work(sms), meter))?;
            Ok((sms.into(), cost))
        })
    };
    Ok(vec![line("all SMs full", &all)?, line("one SM busy", &one)?])
}

/// All SMs of the machine, with more and more warps.
pub fn warps(gpu: &GpuConfig, extent: &Extent, bench: &Bench) -> Result<Vec<Line>, Failure> {
    let line = Line::of("all SMs", steps(2, gpu.sm.warps), |resident| {
        let (tbs, warps) = as_tbs(resident);
        let work = || load(gpu.sm.count * tbs, warps, extent.warp_length);
        let (_, cost) = bench.simulations(|meter| simulate(gpu, RunOptions::default(), &mut work(), meter))?;
        Ok((resident.into(), cost))
    });
    Ok(vec![line?])
}
