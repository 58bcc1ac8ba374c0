//! refgpu-M12: prefetching into L1, on the machine of the APOGEE study.

use super::script::{At, Op, config, kernel, run, run_with};
use crate::gpu::RunOptions;
use crate::program::Class;
use crate::stats::RunStats;

const FOUR_WARPS: [(&str, &str); 3] = [("sm.warps", "4"), ("sm.threads", "128"), ("sm.registers", "2048")];
const ON: (&str, &str) = ("apogee.enabled", "true");
const TURNS: u32 = 60;

/// So many warps walk an array together, 32 words each a turn, and work on each word a while.
fn walk(warps: u32, work: u32) -> impl Fn(At) -> Op {
    move |at: At| {
        let (turn, step) = (at.step / (work + 2), at.step % (work + 2));
        let word = move |lane: u64| (u64::from(turn) * u64::from(warps) + u64::from(at.warp)) * 32 + lane;
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

fn with(change: &[(&str, &str)], warps: u32, work: u32) -> RunStats {
    let change: Vec<_> = FOUR_WARPS.iter().chain(change).copied().collect();
    run(&config("apogee", &change), &[kernel(1, 1, 32 * warps, 0)], walk(warps, work))
}

/// Instructions of a turn that is longer than the way to memory, and of one that is shorter.
const LONG: u32 = 20;
const SHORT: u32 = 8;

#[test]
fn a_unit_stride_loop_hits_after_training_and_its_loads_are_faster() {
    let (off, on) = (with(&[], 4, LONG), with(&[ON], 4, LONG));
    let (before, after) = (off.figures(), on.figures());
    assert_eq!((before.l1_miss_rate, off.sm.prefetch.sent, off.distances.len()), (1.0, 0, 0));
    assert!(after.l1_miss_rate < 0.05 && after.l1_hit_rate > 0.9, "{:?} {:?}", on.sm.l1, on.sm.prefetch);
    assert!(after.load_latency < 43.0 && before.load_latency > 400.0, "{} {}", after.load_latency, before.load_latency);
    assert!(on.cycles < off.cycles * 2 / 3, "{} {}", on.cycles, off.cycles);
    assert!(after.prefetch_accuracy > 0.95 && on.sm.prefetch.lines.evicted == 0, "{:?}", on.sm.prefetch);
    // Each line is fetched once, by a load or ahead of it, but for what is fetched beyond the end.
    let fetched = on.sm.l1.misses + on.sm.prefetch.sent;
    assert_eq!(on.flat.map(|flat| flat.reads), Some(fetched));
    assert!(fetched >= off.sm.l1.misses && fetched < off.sm.l1.misses * 11 / 10);
}

#[test]
fn a_turn_shorter_than_the_way_to_memory_makes_the_distance_grow() {
    let stats = with(&[ON], 4, SHORT);
    assert!(stats.distances[0].changes.iter().any(|change| change.distance > 1));
    assert_eq!((stats.distances.len(), stats.distances[0].dropped), (1, 0));
    let prefetch = stats.sm.prefetch;
    assert!(prefetch.slow > 0 && prefetch.early > 0, "it swings: {prefetch:?}");
}

#[test]
fn a_filled_gap_lets_the_distance_of_a_warp_settle() {
    // apogee-H2: without, the distance swings for ever, and lines of some turns are never fetched ahead.
    let (without, filled) = (with(&[ON], 1, 5), with(&[ON, ("apogee.gap_fill", "true")], 1, 5));
    assert!(filled.sm.l1.misses * 2 < without.sm.l1.misses, "{:?} {:?}", filled.sm.l1, without.sm.l1);
    assert!(filled.figures().load_latency < without.figures().load_latency);
    assert!(filled.distances[0].changes.len() < without.distances[0].changes.len());
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
            let run = |step| run_with(&config, RunOptions { step, ..RunOptions::default() }, &kernels, walk(4, 3));
            let skipped = run(false);
            assert_eq!(skipped, run(true), "{preset} {scheme}");
            assert!(skipped.sm.prefetch.sent > 0, "{preset} {scheme}: {:?}", skipped.sm.prefetch);
        }
    }
}

#[test]
fn baselines_fetch_ahead_too() {
    let off = with(&[], 4, SHORT);
    for scheme in ["stride", "mta"] {
        let on = with(&[ON, ("apogee.scheme", scheme)], 4, SHORT);
        assert!(on.sm.prefetch.lines.used > 0 && on.cycles < off.cycles, "{scheme}");
    }
}
