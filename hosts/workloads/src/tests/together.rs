//! Kernels that share the machine: TBs that bypass L1 (refgpu-M9), counts by stream, caps of gate K, and that nothing depends on how
//! time is skipped.

use super::config;
use crate::catalogue::{Request, Size, find};
use crate::{FmmOptions, Together};
use gpusched::{ClassId, SmxId};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::{Gpu, RunOptions, RunResult};
use gpusched_refgpu::program::Class;
use gpusched_refgpu::script::{At, Op, kernel, script};
use gpusched_refgpu::stats::RunStats;
use gpusched_refgpu::timeline::Tb;

const SMALL: Request =
    Request { size: Size::Test, loop_warps: None, seed: 1, fmm: FmmOptions::BASELINE, memory: u64::MAX };

fn machine(change: &[(&str, &str)]) -> GpuConfig {
    config("gtx480_liang", &[&[("sm.count", "2"), ("dtbl.n_hwq", "8")], change].concat())
}

/// One warp loads lines 0, 0, 1, 1, ... each when the one before is there; all of its TBs bypass L1 if `by` says so.
fn loads(change: &[(&str, &str)], by: u32) -> RunStats {
    let mut gpu = Gpu::new(&machine(change), RunOptions::default()).unwrap();
    let core = gpu.scheduler();
    core.set_class(ClassId(0), 1).unwrap();
    (0..2).for_each(|smx| core.set_class_cap(ClassId(0), SmxId(smx), 8, by).unwrap());
    let body = |at: At| match at.step {
        0..8 => {
            let mut op = Op::access(Class::LoadGlobal, 1, move |l| u64::from(at.step / 2) * 128 + l * 4);
            op.inst.src = 1;
            op
        }
        _ => Op::exit(),
    };
    gpu.run(&mut script(&[kernel(1, 1, 32, 0)], body), &mut ()).unwrap().stats
}

#[test]
fn loads_of_tagged_tbs_go_past_l1() {
    let (plain, around) = (loads(&[], 0), loads(&[], 8));
    assert_eq!((plain.sm.l1.misses, plain.sm.l1.hits, plain.sm.l1.bypassed), (4, 4, 0));
    assert_eq!((around.sm.l1.misses, around.sm.l1.hits, around.sm.l1.merges, around.sm.l1.bypassed), (0, 0, 0, 8));
    // Each asks L2: four find the line of the one before there.
    assert_eq!((around.l2.hits, around.l2.misses), (4, 4));
    // An L2 hit in place of an L1 hit, four times; DRAM's clock may round once.
    assert!((around.cycles - plain.cycles).abs_diff(4 * (200 - 35)) <= 1, "{} {}", around.cycles, plain.cycles);
}

#[test]
fn tagged_tbs_need_no_mshr_and_do_not_merge() {
    let starved = [("l1.mshrs", "1")];
    let body = |at: At| match at.step {
        0..4 => Op::access(Class::LoadGlobal, 1 << at.step, move |l| u64::from(at.step) * 128 + l * 4),
        _ => Op::exit(),
    };
    let run = |by| {
        let mut gpu = Gpu::new(&machine(&starved), RunOptions::default()).unwrap();
        let core = gpu.scheduler();
        core.set_class(ClassId(0), 1).unwrap();
        (0..2).for_each(|smx| core.set_class_cap(ClassId(0), SmxId(smx), 8, by).unwrap());
        gpu.run(&mut script(&[kernel(1, 1, 64, 0)], body), &mut ()).unwrap().stats
    };
    let (plain, around) = (run(0), run(8));
    assert!(plain.sm.lsu.stalls.iter().sum::<u64>() > 500, "{:?}", plain.sm.lsu);
    assert_eq!(around.sm.lsu.stalls, [0; 5]);
    assert_eq!((around.sm.l1.bypassed, around.l2.hits + around.l2.merges + around.l2.misses), (8, 8));
}

fn together(change: &[(&str, &str)], step: bool, names: &[&str]) -> RunResult {
    let mut work = Together::new(&names.iter().map(|name| (find(name).unwrap(), SMALL)).collect::<Vec<_>>()).unwrap();
    let options = RunOptions { step, log_tbs: 1000, ..RunOptions::default() };
    let mut gpu = Gpu::new(&machine(change), options).unwrap();
    let core = gpu.scheduler();
    // The first kernel of stream 0, past L1 with one TB of two.
    core.set_class(ClassId(0), 0x1000).unwrap();
    (0..2).for_each(|smx| core.set_class_cap(ClassId(0), SmxId(smx), 2, 1).unwrap());
    let result = gpu.run(&mut work, &mut ()).unwrap();
    work.check().unwrap();
    result
}

#[test]
fn counts_by_stream_sum_up_and_no_count_depends_on_skipping() {
    let names = ["lbm-tlp", "kms", "hst", "spm"];
    let skipped = together(&[], false, &names);
    assert_eq!(skipped, together(&[], true, &names), "skipped and stepped");
    assert_eq!(skipped, together(&[], false, &names), "determinism");
    let RunStats { sm, streams, .. } = &skipped.stats;
    let sum = |of: fn(&gpusched_refgpu::stats::StreamCounts) -> u64| {
        streams.iter().map(|stream| of(&stream.counts)).sum::<u64>()
    };
    assert_eq!(streams.len(), 4);
    assert_eq!(
        streams.iter().map(|stream| stream.name.as_deref().unwrap()).collect::<Vec<_>>(),
        ["lbm-40", "kmeans-1", "hotspot", "spmv"]
    );
    assert_eq!(sum(|s| s.instructions), sm.all_instructions());
    assert_eq!(sum(|s| s.lanes), sm.lanes.iter().sum::<u64>());
    assert_eq!(sum(|s| s.tbs), sm.tbs);
    assert_eq!(sum(|s| s.tb_cycles), sm.tb_cycles);
    assert_eq!(sum(|s| s.lsu.busy), sm.lsu.busy);
    assert_eq!(sum(|s| s.lsu.refused), sm.lsu_stall_cycles());
    let l1 = sm.l1;
    assert_eq!([sum(|s| s.lsu.hits), sum(|s| s.lsu.merges)], [l1.hits, l1.merges]);
    assert_eq!([sum(|s| s.lsu.misses), sum(|s| s.lsu.bypassed)], [l1.misses, l1.bypassed]);
    let arithmetic = sm.classes[Class::Int as usize] + sm.classes[Class::Fp as usize];
    let others: u64 = [Class::Barrier, Class::Exit].iter().map(|&class| sm.classes[class as usize]).sum();
    assert_eq!(sum(|s| s.sp_busy), arithmetic + others, "one cycle each");
    assert!(streams[0].counts.bypassing_tbs > 0 && streams[0].counts.lsu.bypassed > 0);
    assert!(streams[1..].iter().all(|stream| stream.counts.lsu.bypassed == 0));
    assert_eq!(streams[2].kernels, 2, "a stream launches its next kernel when the last one has ended");
    assert!(streams.iter().all(|stream| stream.end > stream.start && stream.end < skipped.stats.cycles));
}

#[test]
fn kernels_of_streams_are_there_at_the_same_time_and_within_their_caps() {
    let result = together(&[("dtbl.n_class", "4")], false, &["lbm-tlp", "kms"]);
    let log = &result.timeline.tbs;
    let tbs = log.tbs();
    let at = |cycle: u64, sm: u16, stream: u64| {
        let is_of = |tb: &&Tb| tb.sm == sm && log.launches()[tb.launch as usize].kernel.tag >> 56 == stream;
        tbs.iter().filter(is_of).filter(|tb| tb.start <= cycle && tb.end.is_some_and(|end| cycle < end)).count()
    };
    let most = |tag| tbs.iter().map(|tb| at(tb.start, tb.sm, tag)).max().unwrap();
    assert_eq!(most(0), 2, "the cap");
    assert!(tbs.iter().any(|tb| at(tb.start, tb.sm, 0) > 0 && at(tb.start, tb.sm, 1) > 0), "both at once");
}

#[test]
fn with_one_queue_streams_wait_for_each_other() {
    let one = together(&[("dtbl.n_hwq", "1")], false, &["lbm-tlp", "kms"]).stats;
    let [first, second] = &one.streams[..] else { panic!("two streams") };
    assert!(second.end > first.end);
    let many = together(&[], false, &["lbm-tlp", "kms"]).stats;
    assert!(many.cycles < one.cycles);
}

#[test]
fn equal_kernels_have_their_own_addresses() {
    let one = together(&[], false, &["blk"]).stats;
    let two = together(&[], false, &["blk", "blk"]).stats;
    assert_eq!((two.dram.reads, two.sm.tbs), (2 * one.dram.reads, 2 * one.sm.tbs), "nothing is shared");
    assert!(one.streams.is_empty() && one.kernels.len() == 1, "a single stream is an ordinary run");
}
