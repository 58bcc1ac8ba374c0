//! refgpu-N6: unloaded latencies; refgpu-W1, refgpu-W2, refgpu-W5, refgpu-M2, refgpu-M9, refgpu-M7 and refgpu-N5 seen from a whole run.

use super::script::{At, Op, config, kernel, run};
use crate::l1::Refusal;
use crate::program::Class;
use crate::stats::RunStats;

/// One warp runs `ops`, then exits.
fn one_warp(preset: &str, ops: &[Op]) -> RunStats {
    run(&config(preset, &[]), &[kernel(1, 1, 32, 0)], |at: At| {
        ops.get(at.step as usize).cloned().unwrap_or_else(Op::exit)
    })
}

fn load(dst: u32, address: u64) -> Op {
    Op::access(Class::LoadGlobal, dst, |_| address)
}

/// Cycles that `ops` add to a run of nothing.
fn cycles(preset: &str, ops: &[Op]) -> u64 {
    one_warp(preset, ops).cycles - one_warp(preset, &[]).cycles
}

#[test]
fn dram_l1_and_l2_round_trips_are_the_presets() {
    for (preset, l1, l2, dram) in [
        ("k20c", 35, 200, 440),
        ("gtx480", 35, 200, 322),
        ("gtx480_mascar", 35, 200, 440),
        ("v100", 30, 212, 430),
        ("a100", 38, 262, 466),
        ("rtx3090", 39, 255, 542),
        ("rtx4090", 43, 273, 542),
        ("h100-pcie", 41, 263, 479),
        ("h100-sxm", 40, 260, 571),
        ("h200", 40, 388, 573),
    ] {
        let first = one_warp(preset, &[load(1, 4096)]);
        assert_eq!(first.sm.lsu.loads_done, 1);
        assert!(first.sm.lsu.load_latency.abs_diff(dram) <= 2, "{preset} DRAM {}", first.sm.lsu.load_latency);
        let again = one_warp(preset, &[load(1, 4096), Op::new(Class::Int, 1, 0), load(1, 4096)]);
        assert_eq!(again.sm.lsu.load_latency - first.sm.lsu.load_latency, l1, "{preset} L1");
        // A second host kernel finds L1 empty and L2 full.
        let two = run(&config(preset, &[]), &[kernel(1, 1, 32, 0), kernel(1, 1, 32, 0)], |at| {
            if at.step == 0 { load(1, 4096) } else { Op::exit() }
        });
        assert_eq!(two.sm.lsu.load_latency - first.sm.lsu.load_latency, l2, "{preset} L2");
        assert_eq!((two.l2.hits, two.l2.misses, two.sm.l1.misses), (1, 1, 2));
    }
}

#[test]
fn memory_without_l2_is_400_cycles_away_and_l1_4() {
    let first = one_warp("apogee", &[load(1, 4096)]);
    assert_eq!((first.sm.lsu.load_latency, first.sm.lsu.loads_done), (400, 1));
    let again = one_warp("apogee", &[load(1, 4096), Op::new(Class::Int, 1, 0), load(1, 4096)]);
    assert_eq!(again.sm.lsu.load_latency - 400, 4);
    // A line is 32 bytes: a warp of 4-byte words touches four, each of which takes the bus for 8 bytes less than 3 cycles.
    let warp = one_warp("apogee", &[Op::access(Class::LoadGlobal, 1, |l| 4096 + 4 * l)]);
    assert_eq!((warp.sm.transactions, warp.sm.l1.misses), (4, 4));
    assert_eq!(
        warp.sm.lsu.load_latency,
        400 + 8,
        "the fourth is through the bus 8 cycles after it might have been the first"
    );
    let flat = warp.flat.unwrap();
    assert_eq!((flat.reads, flat.bytes, warp.l2.all(), warp.dram.reads), (4, 128, 0, 0));
}

#[test]
fn loads_of_c1060_are_kept_nowhere_and_do_not_merge() {
    let twice = [load(1, 4096), load(2, 4096), Op::new(Class::Int, 1 | 2, 0), load(1, 4096)];
    let stats = one_warp("c1060", &twice);
    assert_eq!((stats.sm.l1.bypassed, stats.sm.l1.hits + stats.sm.l1.merges + stats.sm.l1.misses), (3, 0));
    assert_eq!((stats.sm.lsu.load_latency, stats.sm.lsu.loads_done, stats.l2.all()), (3 * 440, 3, 0));
    // Words of half a warp are a line of 64 bytes; one address for all lanes is one.
    let warp = one_warp("c1060", &[Op::access(Class::LoadGlobal, 1, |l| 4096 + 4 * l)]);
    assert_eq!((warp.sm.transactions, warp.flat.unwrap().bytes), (2, 128));
}

#[test]
fn stores_of_apogee_hold_an_mshr_until_they_are_done() {
    let stores = |n: u32| {
        run(&config("apogee", &[]), &[kernel(1, 1, 32, 0)], move |at: At| match at.step {
            s if s < n => Op::access(Class::StoreGlobal, 0, move |l| u64::from(s) * 4096 + l * 32),
            // Behind them in the LSU.
            s if s == n => load(1, 1 << 20),
            _ => Op::exit(),
        })
    };
    let (one, two) = (stores(1), stores(2));
    assert_eq!((one.sm.lsu.stalls, two.sm.l1.stores), ([0; 5], 64));
    // The second instruction's first store waits for the first one's, the others for their turns on the bus.
    let stalled = two.sm.lsu.stalls[Refusal::Mshr as usize];
    assert!((360..=450).contains(&stalled), "{stalled}");
}

fn sp_interval(preset: &str) -> u64 {
    config(preset, &[]).sm.sp_interval.into()
}

#[test]
fn results_are_there_after_the_units_latency() {
    let of = |class| [Op::new(class, 0, 1), Op::new(Class::Int, 1, 0)];
    for (preset, class, latency) in [
        ("k20c", Class::Int, 10),
        ("k20c", Class::Sfu, 26),
        ("k20c", Class::Dp, 14),
        ("gtx480", Class::Fp, 10),
        ("gtx480", Class::Dp, 18),
        ("gtx480_mascar", Class::Fp, 10),
        // The result of an integer instruction is there before its unit takes another.
        ("apogee", Class::Int, 4),
        ("apogee", Class::Fp, 24),
    ] {
        // The producer issues in the first cycle, its reader `latency` later, the exit when the unit takes another.
        assert_eq!(cycles(preset, &of(class)), latency + sp_interval(preset), "{preset} {class:?}");
    }
    for (preset, latency) in [("k20c", 24), ("gtx480", 26), ("gtx480_mascar", 26), ("apogee", 4)] {
        let shared = |stride| [Op::access(Class::LoadShared, 1, |l| l * stride), Op::new(Class::Int, 1, 0)];
        let exit = sp_interval(preset);
        assert_eq!(cycles(preset, &shared(4)), latency + exit);
        assert_eq!(cycles(preset, &shared(8)), latency + 1 + exit, "two words of one bank");
    }
}

#[test]
fn units_take_an_instruction_per_interval() {
    for (preset, class, interval) in [
        ("gtx480", Class::Sfu, 4),
        ("gtx480", Class::Dp, 8),
        ("k20c", Class::Sfu, 1),
        ("gtx480", Class::Int, 1),
        ("apogee", Class::Int, 4),
        ("apogee", Class::Sfu, 16),
        ("apogee", Class::LoadShared, 4),
    ] {
        // Independent ones of one warp; the exit waits for the last.
        let of = |n| vec![Op::new(class, 0, 0); n];
        assert_eq!(cycles(preset, &of(11)) - cycles(preset, &of(1)), 10 * interval, "{preset} {class:?}");
    }
}

#[test]
fn a_load_blocks_only_its_first_reader_and_a_divergent_branch_one_cycle() {
    let independent = Op::new(Class::Int, 0, 2);
    let blocked = one_warp("k20c", &[load(1, 0), Op::new(Class::Int, 1, 0), independent.clone(), independent.clone()]);
    let free =
        one_warp("k20c", &[load(1, 0), independent.clone(), Op::new(Class::Int, 0, 4), Op::new(Class::Int, 1, 0)]);
    // In the first, both independent ones (and the exit, 10 each) come after the reader; the second hides them.
    assert_eq!(blocked.cycles, free.cycles + 20);
    let mut branch = Op::new(Class::Int, 0, 0);
    let straight = cycles("k20c", std::slice::from_ref(&branch));
    branch.inst.diverges = true;
    assert_eq!(cycles("k20c", &[branch]), straight + 1);
}

#[test]
fn a_barrier_waits_for_all_warps_that_have_not_exited() {
    // Warp 0 computes long before the barrier, warp 1 exits at once, warp 2 only waits.
    let body = |at: At| match (at.warp, at.step) {
        (0, s) if s < 20 => Op::new(Class::Int, 1, 1),
        (0, 20) | (2, 0) => Op::new(Class::Barrier, 0, 0),
        (2, 1) => Op::new(Class::Sfu, 0, 1),
        _ => Op::exit(),
    };
    let stats = run(&config("k20c", &[]), &[kernel(1, 1, 96, 0)], body);
    let empty = run(&config("k20c", &[]), &[kernel(1, 1, 96, 0)], |_| Op::exit());
    // 20 dependent instructions, the barrier, then in the next cycle the SFU, whose result the exit waits for.
    assert_eq!(stats.cycles - empty.cycles, 19 * 10 + 1 + 1 + 26);
}

#[test]
fn a_tb_starts_ten_cycles_after_its_dispatch_and_the_first_dispatch_comes_after_283() {
    let stats = one_warp("k20c", &[]);
    assert_eq!((stats.first_tb, stats.cycles), (283, 283 + 10 + 1));
}
