//! refgpu-T3: a skipped run equals a stepped one in every count; equal runs are equal.

use super::script::{At, Op, config, kernel, run_with, with_verb};
use crate::front::LaunchVerb;
use crate::gpu::RunOptions;
use crate::program::Class;

fn hash(at: At, salt: u64) -> u64 {
    let x = (at.tag << 40) ^ (u64::from(at.blkid) << 24) ^ (u64::from(at.warp) << 16) ^ u64::from(at.step) ^ salt << 56;
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// A bit of everything: gathers, stores, atomics, shared memory, units, barriers, divergence, launches.
pub fn body(at: At) -> Op {
    let h = hash(at, 1);
    let dst = 1 << (h >> 8 & 7);
    let spread = [128, 4, 4096, 36][h as usize >> 12 & 3];
    let address = move |l: u64| (h >> 16 & 0xfff) * 128 + (l * spread + (h >> 32)) % (1 << 18);
    if at.step > 40 {
        return Op::exit();
    }
    if at.step % 16 == 7 {
        return Op::new(Class::Barrier, 0, 0);
    }
    if at.tag == 0 && at.step == 20 && h & 3 == 0 {
        return Op::launch((h >> 20) as u32 | 1, 1, 1 + (h >> 40));
    }
    let mut op = match h % 16 {
        0..=4 => Op::access(Class::LoadGlobal, dst, address),
        5 => Op::access(Class::StoreGlobal, 0, address),
        6 => Op::access(Class::AtomicGlobal, dst, move |l| address(l % 7)),
        7 => Op::access(Class::AtomicGlobal, 0, address),
        8 => Op::access(Class::LoadShared, dst, move |l| l * spread),
        9 => Op::access(Class::StoreShared, 0, move |l| l * spread),
        10 if h >> 52 & 1 == 0 => Op::access(Class::LoadTexture, dst, address),
        10 => Op::new(Class::Sfu, 0, dst),
        11 => Op::new(Class::Dp, 0, dst),
        _ => Op::new(Class::Int, 1 << (h >> 6 & 7), dst),
    };
    op.inst.mask = (h >> 24) as u32 | 1;
    op.inst.diverges = h >> 60 == 0;
    op
}

fn same(preset: &str, change: &[(&str, &str)], launch: LaunchVerb) {
    let config = config(preset, change);
    let kernels = [kernel(1, 60, 128, 0), kernel(1, 20, 64, 0)];
    let options = with_verb(launch);
    let skipped = run_with(&config, options, &kernels, body);
    let stepped = run_with(&config, RunOptions { step: true, ..options }, &kernels, body);
    assert_eq!(skipped, stepped);
    assert_eq!(skipped, run_with(&config, options, &kernels, body), "determinism");
    let f = skipped.figures();
    assert!(f.l1_hit_rate > 0.0 && skipped.dram.writes > 0 && skipped.sm.launches > 0, "{skipped:#?}");
}

#[test]
fn groups_on_k20c() {
    same("k20c", &[("l2.sets", "4"), ("dtbl.agt_size", "64")], LaunchVerb::Group);
}

#[test]
fn device_kernels_on_gtx480_with_little_of_everything() {
    let scarce = [
        ("l1.mshrs", "4"),
        ("l1.merges", "2"),
        ("l1.miss_queue", "2"),
        ("l2.mshrs", "2"),
        ("l2.sets", "4"),
        ("dram.queue", "4"),
    ];
    same("gtx480", &scarce, LaunchVerb::DeviceKernel);
}

#[test]
fn few_launch_records_and_lrr() {
    let scarce = [
        ("dtbl.pend_limit", "40"),
        ("run.full_pool", "wait"),
        ("sm.policy", "lrr"),
        ("l2.sets", "4"),
        ("noc.input_queue", "1"),
    ];
    same("k20c", &scarce, LaunchVerb::Group);
}
