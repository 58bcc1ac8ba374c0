//! Mascar on the machine: it is obeyed, nothing is lost, and switched off it is a plain scheduler.

use super::script::{At, Op, config, kernel, run, run_with, with_verb};
use super::skip;
use crate::config::GpuConfig;
use crate::front::LaunchVerb;
use crate::gpu::RunOptions;
use crate::program::Class;
use crate::stats::RunStats;

const MASCAR: (&str, &str) = ("sm.policy", "mascar");
/// The baselines of the source, by Mascar's own machine.
const PLAIN: [(&str, &str); 3] = [MASCAR, ("mascar.enable", "false"), ("mascar.ep_priority", "merged")];

/// The machine of the study with three SMs.
fn with(changes: &[&[(&str, &str)]]) -> GpuConfig {
    config("gtx480_mascar", &[&[("sm.count", "3")], &changes.concat()[..]].concat())
}

/// Warps that gather lines of their own from more than L1 holds, again and again, and use them.
fn thrash(at: At) -> Op {
    let (turn, step) = (at.step / 4, at.step % 4);
    let home = (u64::from(at.blkid) * 8 + u64::from(at.warp)) << 16;
    match step {
        _ if turn == 12 => Op::exit(),
        0 => Op::access(Class::LoadGlobal, 1, move |lane| home + (u64::from(turn % 3) * 8 + lane % 8) * 128),
        1 => Op::access(Class::LoadGlobal, 2, move |lane| home + (u64::from(turn % 2) * 8 + lane % 8) * 128 + 4096),
        2 => Op::new(Class::Fp, 1, 4),
        _ => Op::new(Class::Fp, 2 | 4, 8),
    }
}

/// Enough TBs to fill every SM twice.
const TBS: u32 = 36;

fn saturated(config: &GpuConfig) -> RunStats {
    run(config, &[kernel(1, TBS, 256, 0)], thrash)
}

#[test]
fn a_thrashing_kernel_reaches_mp_mode_and_every_warp_ends() {
    let (lrr, mascar) = (saturated(&with(&[])), saturated(&with(&[&[MASCAR]])));
    let m = mascar.sm.mascar;
    assert_eq!((mascar.sm.tbs, mascar.sm.all_instructions()), (TBS.into(), lrr.sm.all_instructions()));
    assert!(mascar.figures().mp_share > 0.1 && m.mp_entries > 0 && m.owners() > 0, "{m:?}");
    // What entered the queue has left it.
    assert_eq!(m.queued, m.popped);
    assert!(m.queue_peak > 0 && m.queue_peak <= 32 && m.queued > 0, "{m:?}");
    // Each load transaction was taken once.
    let taken = |s: &RunStats| s.sm.l1.hits + s.sm.l1.merges + s.sm.l1.misses;
    assert_eq!(taken(&mascar), taken(&lrr));
    assert_eq!(lrr.sm.mascar, Default::default());
    let stalls = |s: &RunStats| s.figures().lsu_stall_fraction;
    assert!(stalls(&mascar) < stalls(&lrr), "{} {}", stalls(&mascar), stalls(&lrr));
}

#[test]
fn an_owner_that_waits_for_others_gives_way() {
    // Half of each TB's warps load before the barrier, the others behind it; nobody may be shut out.
    let body = |at: At| match (at.step, at.warp % 2) {
        (0, 0) | (2, 1) => Op::access(Class::LoadGlobal, 1, move |lane| {
            (u64::from(at.blkid) * 64 + u64::from(at.warp) * 8 + lane / 4) * 128
        }),
        (1, _) => Op::new(Class::Barrier, 0, 0),
        (3, _) => Op::access(Class::StoreGlobal, 0, move |lane| (u64::from(at.blkid) * 32 + lane) * 128),
        (4, _) => Op::new(Class::Fp, 1, 2),
        (s, _) if s < 5 => Op::new(Class::Int, 0, 4),
        _ => Op::exit(),
    };
    // The flag is up as soon as one MSHR is taken.
    let marks = [("mascar.mshr_sat", "1"), ("mascar.mshr_clear", "1")];
    for queue in ["0", "1", "32"] {
        let config = with(&[&[MASCAR, ("mascar.rexq", queue)], &marks]);
        let stats = run(&config, &[kernel(1, 36, 256, 0)], body);
        assert_eq!(stats.sm.tbs, 36, "rexq {queue}");
        assert!(stats.sm.mascar.released[0] + stats.sm.mascar.released[1] > 0, "{:?}", stats.sm.mascar);
    }
}

#[test]
fn baselines_by_mascars_machine_equal_the_sms_own_with_one_scheduler() {
    for (own, order) in [("lrr", "rr"), ("gto", "gto")] {
        let one = [("sm.schedulers", "1")];
        let plain = with(&[&PLAIN, &one, &[("mascar.ep_mem_order", order), ("mascar.rexq", "0")]]);
        // As many TBs as fit: greed of Mascar's machine goes on with the next warp in the slot, the SM's own does not.
        let full = |config: &GpuConfig| run(config, &[kernel(1, TBS / 2, 256, 0)], thrash);
        let (a, b) = (full(&plain), full(&with(&[&one, &[("sm.policy", own)]])));
        assert_eq!((a.cycles, a.sm.l1, a.dram), (b.cycles, b.sm.l1, b.dram), "{own}");
        assert_eq!(a.sm.lsu, b.sm.lsu, "{own}");
    }
}

#[test]
fn with_two_schedulers_only_who_gets_the_lsu_differs() {
    // The SM lets the schedulers take turns (refgpu-W4), Mascar the older warp go first (mascar-P6). In turns that changes little;
    // greed, being for the oldest of all rather than of each scheduler, keeps the lines of fewer warps in L1.
    let both = |own, order| {
        let plain = with(&[&PLAIN, &[("mascar.ep_mem_order", order), ("mascar.rexq", "0")]]);
        let (a, b) = (saturated(&plain), saturated(&with(&[&[("sm.policy", own)]])));
        assert_eq!(a.sm.mascar.queued + a.sm.mascar.mp_cycles, 0);
        (a, b)
    };
    let (a, b) = both("lrr", "rr");
    assert!(a.cycles.abs_diff(b.cycles) * 10 < b.cycles, "{} {}", a.cycles, b.cycles);
    let (a, b) = both("gto", "gto");
    assert!(a.cycles < b.cycles && a.sm.l1.hits > b.sm.l1.hits, "{} {}", a.cycles, b.cycles);
}

#[test]
fn the_queue_works_without_the_modes() {
    let plain = with(&[&PLAIN, &[("mascar.ep_mem_order", "rr")]]);
    let stats = saturated(&plain);
    assert!(stats.sm.mascar.queued > 0 && stats.sm.mascar.mp_cycles == 0, "{:?}", stats.sm.mascar);
    assert!(stats.figures().lsu_stall_fraction < saturated(&with(&[])).figures().lsu_stall_fraction);
}

#[test]
fn skipping_changes_nothing() {
    let little = [("l1.mshrs", "8"), ("mascar.mshr_sat", "6"), ("mascar.mshr_clear", "4"), ("l2.sets", "4")];
    let short = [("mascar.owner_timeout", "50"), ("mascar.rexq", "4"), ("mascar.starve_limit", "3")];
    let ways: [&[(&str, &str)]; 4] = [&[], &PLAIN, &short, &[("mascar.rexq", "0"), ("mascar.per_pipe", "true")]];
    for way in ways {
        let config = with(&[&[MASCAR], &little, way]);
        let kernels = [kernel(1, 20, 128, 0), kernel(1, 10, 64, 0)];
        let run = |step| run_with(&config, RunOptions { step, ..with_verb(LaunchVerb::Group) }, &kernels, skip::body);
        assert_eq!(run(false), run(true), "{way:?}");
    }
}

#[test]
fn hits_behind_a_stalled_lsu_are_counted_and_the_queue_lets_them_through() {
    // Half of the warps gather lines that nobody has seen, the others come back to one line.
    let body = |at: At| match (at.step % 2, at.warp % 2) {
        _ if at.step == 24 => Op::exit(),
        (0, 0) => Op::access(Class::LoadGlobal, 1, move |lane| {
            ((u64::from(at.blkid) * 8 + u64::from(at.warp)) * 32 + u64::from(at.step)) * 4096 + lane * 128
        }),
        (0, _) => Op::access(Class::LoadGlobal, 1, |lane| 4 * lane),
        _ => Op::new(Class::Fp, 1, 2),
    };
    let of = |config: &GpuConfig| run(config, &[kernel(1, TBS, 256, 0)], body);
    let count = ("run.blocked_hits", "true");
    let (lrr, queue) = (of(&with(&[&[count]])), of(&with(&[&PLAIN, &[count, ("mascar.ep_mem_order", "rr")]])));
    assert!(lrr.figures().blocked_hit_fraction > 0.05, "{:?}", lrr.figures());
    assert!(queue.sm.blocked_hits < lrr.sm.blocked_hits, "{} {}", queue.sm.blocked_hits, lrr.sm.blocked_hits);
    let uncounted = of(&with(&[]));
    assert_eq!((uncounted.cycles, uncounted.sm.lsu, uncounted.sm.blocked_hits), (lrr.cycles, lrr.sm.lsu, 0));
    for policy in ["lrr", "mascar"] {
        let config = with(&[&[count, ("sm.policy", policy), ("sm.count", "1")]]);
        let run = |step| run_with(&config, RunOptions { step, ..RunOptions::default() }, &[kernel(1, 8, 256, 0)], body);
        assert_eq!(run(false), run(true), "{policy}");
    }
}
