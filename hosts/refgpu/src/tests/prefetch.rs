//! M12: prefetching into L1, on the machine of the APOGEE study.

use super::script::{At, Op, config, kernel, run, run_with};
use crate::gpu::RunOptions;
use crate::program::Class;
use crate::stats::RunStats;

const FOUR_WARPS: [(&str, &str); 3] = [("sm.warps", "4"), ("sm.threads", "128"), ("sm.registers", "2048")];
const ON: (&str, &str) = ("apogee.enabled", "true");
const TURNS: u32 = 60;

/// Four warps walk an array together, 128 words a turn, and work on each word a while.
fn walk(work: u32) -> impl Fn(At) -> Op {
    move |at: At| {
        let (turn, step) = (at.step / (work + 2), at.step % (work + 2));
        let word = move |lane: u64| (u64::from(turn) * 4 + u64::from(at.warp)) * 32 + lane;
        let mut op = match step {
            _ if turn == TURNS => Op::exit(),
            0 => Op::access(Class::LoadGlobal, 1, |lane| (1 << 32) + 4 * word(lane)),
            1 => Op::new(Class::Fp, 1, 2),
            _ => Op::new(Class::Fp, 2, 2),
        };
        op.inst.pc = step;
        op
    }
}

fn with(change: &[(&str, &str)], work: u32) -> RunStats {
    let change: Vec<_> = FOUR_WARPS.iter().chain(change).copied().collect();
    run(&config("apogee", &change), &[kernel(1, 1, 128, 0)], walk(work))
}

#[test]
fn a_unit_stride_loop_hits_after_training_and_its_loads_are_faster() {
    let (off, on) = (with(&[], 8), with(&[ON], 8));
    let (before, after) = (off.figures(), on.figures());
    assert_eq!((before.l1_miss_rate, off.sm.prefetch.sent, off.distances.len()), (1.0, 0, 0));
    assert!(after.l1_miss_rate < 0.2 && after.l1_hit_rate > 0.5, "{:?} {:?}", on.sm.l1, on.sm.prefetch);
    assert!(after.load_latency < before.load_latency / 3.0, "{} {}", after.load_latency, before.load_latency);
    assert!(on.cycles < off.cycles * 2 / 3);
    assert!(after.prefetch_accuracy > 0.9 && on.sm.prefetch.lines.evicted == 0, "{:?}", on.sm.prefetch);
    // Each line is fetched once, by a load or ahead of it, but for what is fetched beyond the end.
    let fetched = on.sm.l1.misses + on.sm.prefetch.sent;
    assert_eq!(on.flat.unwrap().reads, fetched);
    assert!(fetched >= off.sm.l1.misses && fetched < off.sm.l1.misses * 11 / 10);
    // The loop is shorter than the way to memory: the distance has to grow.
    let distances = &on.distances[0];
    assert!(distances.changes.iter().any(|change| change.distance > 1) && distances.dropped == 0);
}

#[test]
fn a_filled_gap_lets_a_short_loop_settle() {
    // Hazard 2: without, the distance swings, and a line in some turns is never fetched ahead.
    let (without, with_gap) = (with(&[ON], 8), with(&[ON, ("apogee.gap_fill", "true")], 8));
    assert!(with_gap.sm.l1.misses <= without.sm.l1.misses);
    assert!(with_gap.figures().load_latency <= without.figures().load_latency);
}

#[test]
fn thread_invariant_loads_are_triggered_by_earlier_ones() {
    // A chain of loads that every thread makes, from a table that moves on in each turn, far from where it was.
    let body = |at: At| {
        let (turn, step) = (at.step / 8, at.step % 8);
        let mut op = match step {
            _ if turn == 40 => Op::exit(),
            0 => Op::access(Class::LoadGlobal, 1, move |lane| u64::from(turn) * 128 + 4 * lane),
            1..=4 => Op::new(Class::Fp, 1, 1),
            // The line was displaced since.
            5 => Op::access(Class::LoadGlobal, 2, |_| 1 << 20),
            6 => Op::access(Class::StoreGlobal, 0, |_| 1 << 20),
            _ => Op::new(Class::Fp, 2, 2),
        };
        op.inst.pc = step;
        op
    };
    let change: Vec<_> = FOUR_WARPS.iter().chain(&[ON]).copied().collect();
    let stats = run(&config("apogee", &change), &[kernel(1, 1, 32, 0)], body);
    assert!(stats.sm.prefetch.chains > 0 && stats.sm.prefetch.triggered > 0, "{:?}", stats.sm.prefetch);
}

#[test]
fn texture_loads_are_not_seen_and_loads_beyond_the_address_space_are_counted() {
    let change: Vec<_> = FOUR_WARPS.iter().chain(&[ON, ("apogee.addr_bits", "12")]).copied().collect();
    let stats = run(&config("apogee", &change), &[kernel(1, 1, 32, 0)], |at: At| match at.step {
        0 => Op::access(Class::LoadTexture, 1, |lane| 4 * lane),
        1 => Op::access(Class::LoadGlobal, 1, |lane| 4096 + 4 * lane),
        2 => Op::access(Class::LoadGlobal, 1, |lane| 8000 + 4 * lane + 128 * (lane / 31)),
        _ => Op::exit(),
    });
    assert_eq!((stats.sm.prefetch.loads, stats.sm.prefetch.unseen), (1, 1));
}

#[test]
fn skipping_changes_nothing_under_any_scheme() {
    for scheme in ["apogee", "stride", "mta"] {
        for preset in ["apogee", "gtx480_mascar"] {
            let config = config(preset, &[ON, ("apogee.scheme", scheme)]);
            let kernels = [kernel(1, 6, 128, 0), kernel(1, 3, 96, 0)];
            let run = |step| run_with(&config, RunOptions { step, ..RunOptions::default() }, &kernels, walk(3));
            let skipped = run(false);
            assert_eq!(skipped, run(true), "{preset} {scheme}");
            assert!(skipped.sm.prefetch.sent > 0, "{preset} {scheme}: {:?}", skipped.sm.prefetch);
        }
    }
}

#[test]
fn baselines_fetch_ahead_too() {
    let off = with(&[], 8);
    for scheme in ["stride", "mta"] {
        let on = with(&[ON, ("apogee.scheme", scheme)], 8);
        assert!(on.sm.prefetch.lines.used > 0 && on.cycles < off.cycles, "{scheme}");
    }
}
