//! Equalizer on the whole machine: what it changes, and what it must not (refgpu-W6, refgpu-V2, refgpu-V3; frontend-C3, frontend-E7).

use gpusched::equalizer::{Objective, VfMap, VfSteps, Votes};
use proptest::prelude::*;

use super::script::{At, Op, Script, config, kernel, run_at, script, with_verb};
use super::skip;
use crate::config::GpuConfig;
use crate::equalizer::VfPair;
use crate::erased::Erased;
use crate::front::{LaunchVerb, Placed};
use crate::gpu::{RunOptions, RunResult};
use crate::memory::Memory;
use crate::program::{Class, Effects, TbContext};
use crate::sm::{Outbox, Sm};
use crate::stats::RunStats;
use crate::vf::VfLevel::{High, Low, Normal};

const ON: (&str, &str) = ("equalizer.enabled", "true");
const OBSERVE: (&str, &str) = ("equalizer.observe", "true");
const ENERGY: (&str, &str) = ("equalizer.objective", "energy");

/// About a third of the preset, in what it has and in what it always draws.
fn machine(change: &[(&str, &str)]) -> GpuConfig {
    let third = [("sm.count", "4"), ("dram.channels", "2"), ("l2.banks", "4")];
    let power = [("energy.leakage_mw", "11173"), ("energy.dram_standby_mw", "1000")];
    config("gtx480_equalizer", &[&third[..], &power, change].concat())
}

/// Epochs a quarter as long as the source's.
fn hasty(change: &[(&str, &str)]) -> GpuConfig {
    let times =
        [("equalizer.sample_interval", "32"), ("equalizer.epoch_cycles", "1024"), ("equalizer.sm_transition", "128")];
    machine(&[&times, change].concat())
}

/// 6 blocks of 8 warps per SM that only compute, with `n` instructions each.
fn computing(n: u32) -> impl Fn(At) -> Op {
    move |at: At| match at.step {
        step if step < n => Op::new(Class::Int, 1 << (step % 8), 1 << (step % 8)),
        _ => Op::exit(),
    }
}

/// Loads of `n` lines per warp that nobody else reads.
fn streaming(n: u64) -> impl Fn(At) -> Op {
    move |at: At| {
        let step = u64::from(at.step);
        let line = (u64::from(at.blkid) * n + step) * 8 + u64::from(at.warp);
        if step == n { Op::exit() } else { Op::access(Class::LoadGlobal, 1 << (step % 4), |l| line * 128 + 4 * l) }
    }
}

/// Each block walks 8 KB of its own, again and again: three blocks find theirs in an L1 of 32 KB, six do not.
fn reusing(n: u64) -> impl Fn(At) -> Op {
    move |at: At| {
        let step = u64::from(at.step);
        let line = u64::from(at.blkid) * 64 + (step / 2 * 8 + u64::from(at.warp)) % 64;
        match step {
            _ if step >= 2 * n => Op::exit(),
            _ if step % 2 == 1 => Op::new(Class::Int, 1, 2),
            _ => Op::access(Class::LoadGlobal, 1, |l| line * 128 + 4 * l),
        }
    }
}

type Body<'a> = &'a dyn Fn(At) -> Op;

fn run(config: &GpuConfig, tbs: u32, body: impl Fn(At) -> Op) -> RunResult {
    run_at(config, RunOptions::default(), &[kernel(1, tbs, 256, 7)], body, &[])
}

fn speed(base: &RunResult, now: &RunResult) -> f64 {
    base.stats.cycles as f64 / now.stats.cycles as f64
}

fn energy(base: &RunResult, now: &RunResult) -> f64 {
    now.stats.energy.as_ref().unwrap().total_j / base.stats.energy.as_ref().unwrap().total_j
}

#[test]
fn computing_raises_the_sms_and_streaming_the_memory() {
    let points: [(Body<'_>, u32, VfPair, VfPair); 2] = [
        (&computing(800), 24, VfPair { sm: High, mem: Normal }, VfPair { sm: Normal, mem: Low }),
        (&streaming(60), 48, VfPair { sm: Normal, mem: High }, VfPair { sm: Low, mem: Normal }),
    ];
    for (body, tbs, fast, frugal) in points {
        // More MSHRs than Little's law asks for: the memory limits.
        let of = |change: &[(&str, &str)]| run(&hasty(&[&[("l1.mshrs", "128")], change].concat()), tbs, body);
        let (base, performance, saving) = (of(&[OBSERVE]), of(&[ON]), of(&[ON, ENERGY]));
        let share = |result: &RunResult, pair: VfPair| {
            result.stats.vf_cycles[pair.sm as usize][pair.mem as usize] as f64 / result.stats.cycles as f64
        };
        assert!(share(&performance, fast) > 0.7, "{:?}", performance.stats.vf_cycles);
        assert!(share(&saving, frugal) > 0.7, "{:?}", saving.stats.vf_cycles);
        let (faster, slower) = (speed(&base, &performance), speed(&base, &saving));
        assert!(faster > 1.06 && faster < 1.16, "{faster}");
        assert!(slower > 0.93 && slower < 1.03, "{slower}");
        let (more, less) = (energy(&base, &performance), energy(&base, &saving));
        assert!(more > 1.02 && less < if fast.sm == High { 1.0 } else { 0.99 }, "{more} {less}");
        // What the base run's warps wait for is why.
        let warps = base.stats.warps.unwrap();
        let per = |n: u64| n as f64 / warps.samples as f64;
        if fast.sm == High {
            assert!(per(warps.xalu) > 8.0 && per(warps.xmem) < 1.0, "{warps:?}");
        } else {
            assert!(per(warps.xmem) + per(warps.waiting) > 20.0, "{warps:?}");
        }
    }
}

#[test]
fn steps_of_the_clocks_take_their_time() {
    let result = run(&machine(&[ON]), 24, computing(800));
    let changes = result.tuning.unwrap().levels.changes;
    // Of the first epoch, which has its votes at 4096; the second finds the limit.
    assert_eq!((changes[0].cycle, changes[0].levels), (4096 + 512, VfPair { sm: High, mem: Normal }));
    let slow = run(&machine(&[ON, ("equalizer.sm_transition", "5000")]), 24, computing(800));
    let stats = slow.stats.equalizer.unwrap();
    assert_eq!(slow.tuning.unwrap().levels.changes[0].cycle, 4096 + 5000);
    assert!(stats.sm.busy == 1 && stats.sm.up == 1 && stats.sm.limit > 0, "{stats:?}");
    let at_once = run(&machine(&[ON, ("equalizer.sm_transition", "0")]), 24, computing(800));
    assert_eq!(at_once.tuning.unwrap().levels.changes[0].cycle, 4097);
    // From the step on, own cycles come 23 for 20.
    let [own, all] = [result.stats.sm.cycles / 4, result.stats.cycles];
    assert!(own.abs_diff(4608 + (all - 4608) * 23 / 20) <= 1, "{own} {all}");
}

/// refgpu-E1: the voltage is up before the clock is, and goes down behind it.
#[test]
fn while_a_clock_changes_the_higher_voltage_counts() {
    // Nor is a block paused.
    const UNENDING: [(&str, &str); 3] = [
        ("equalizer.sm_transition", "10000000"),
        ("equalizer.mem_transition", "10000000"),
        ("equalizer.min_blocks", "8"),
    ];
    let points: [(Body<'_>, u32); 2] = [(&computing(800), 24), (&streaming(60), 48)];
    for (body, tbs) in points {
        let of =
            |change: &[(&str, &str)]| run(&hasty(&[&[("l1.mshrs", "128")], change, &UNENDING].concat()), tbs, body);
        let (base, up, down) = (of(&[OBSERVE]), of(&[ON]), of(&[ON, ENERGY]));
        assert!(up.tuning.as_ref().unwrap().levels.changes.is_empty());
        assert_eq!((up.stats.cycles, down.stats.cycles), (base.stats.cycles, base.stats.cycles));
        assert!(
            energy(&base, &up) > 1.02 && energy(&base, &down) == 1.0,
            "{} {}",
            energy(&base, &up),
            energy(&base, &down)
        );
    }
}

#[test]
fn blocks_that_thrash_the_cache_are_paused() {
    let of = |change: &[(&str, &str)]| run(&hasty(&[&[("l1.mshrs", "16")], change].concat()), 48, reusing(250));
    let (base, on) = (of(&[OBSERVE]), of(&[ON]));
    let stats = on.stats.equalizer.unwrap();
    assert!(stats.fewer_blocks >= 8 && stats.pauses >= 8, "{stats:?}");
    let (rows, warps) = (on.tuning.clone().unwrap().rows, on.stats.warps.unwrap());
    assert!(warps.paused > 0 && rows.iter().any(|row| row.paused > 0));
    let least = rows.iter().map(|row| row.mean_running()).filter(|&n| n > 0.0).fold(f64::MAX, f64::min);
    assert!(least < 5.0 && rows[1].mean_running() > 5.5, "{least}");
    // Never fewer than one.
    assert!(rows.iter().all(|row| row.running + row.paused == 0 || row.running > 0));
    let hits = |result: &RunResult| result.stats.figures().l1_hit_rate;
    assert!(hits(&on) > hits(&base) + 0.1, "{} {}", hits(&on), hits(&base));
    assert!(on.stats.cycles < base.stats.cycles, "{}", speed(&base, &on));
}

/// Warps of a paused block wait for others: an owner among them gives way (mascar-H2), and who still runs has the LSU. With
/// Mascar the LSU is never full, so what Equalizer counts as memory's are all warps that could load (equalizer-A2).
#[test]
fn blocks_are_paused_under_mascar_and_none_is_stuck() {
    let mascar = [
        ("sm.policy", "mascar"),
        ("l1.mshrs", "16"),
        ("mascar.mshr_sat", "14"),
        ("mascar.mshr_clear", "4"),
        ("equalizer.xmem_rule", "any"),
    ];
    let of = |options, change: &[(&str, &str)]| {
        run_at(&hasty(&[&mascar, change].concat()), options, &[kernel(1, 48, 256, 7)], reusing(250), &[])
    };
    let (alone, both) = (of(RunOptions::default(), &[OBSERVE]), of(RunOptions::default(), &[ON]));
    let (orders, warps) = (both.stats.sm.mascar, both.stats.warps.unwrap());
    assert!(both.stats.equalizer.unwrap().pauses > 0 && warps.paused > 0, "{warps:?}");
    assert!(orders.owners() > 0 && orders.mp_cycles > 0, "{orders:?}");
    // Every block has ended, and every request that L1 refused was taken later.
    let work = |result: &RunResult| (result.stats.sm.tbs, result.stats.sm.all_instructions());
    assert_eq!((work(&both), orders.queued), (work(&alone), orders.popped));
    assert_eq!(both, of(RunOptions { step: true, ..RunOptions::default() }, &[ON]));
}

/// Observation, and the machinery with its hands tied: every SM, the memory and the front end run at 20 of 23 beats.
#[test]
fn what_decides_nothing_changes_nothing() {
    let kernels = [kernel(1, 60, 128, 0), kernel(1, 20, 64, 0)];
    let of = |config: &GpuConfig| run_at(config, with_verb(LaunchVerb::Group), &kernels, skip::body, &[]);
    let base = of(&machine(&[("dtbl.exclusive", "true")]));
    let observed = of(&machine(&[("dtbl.exclusive", "true"), OBSERVE, ("equalizer.sample_interval", "16")]));
    let mut tied = machine(&[ON, ("equalizer.min_blocks", "8"), ("equalizer.sample_interval", "16")]);
    tied.equalizer.sm.epoch_cycles = 64;
    let hold = VfSteps { comp: Votes::default(), mem: Votes::default() };
    tied.equalizer.sm.vf_map = VfMap { energy: hold, performance: hold };
    let tied = of(&tied);
    assert!(tied.stats.equalizer.unwrap().epochs > 50);
    for mut other in [observed, tied] {
        let warps = other.stats.warps.take().unwrap();
        assert!(warps.samples > 1000 && warps.waiting > 0 && warps.issued > 0, "{warps:?}");
        let classes = warps.waiting + warps.xalu + warps.xmem + warps.issued + warps.other;
        assert_eq!(classes, warps.active, "barriers are active");
        other.stats.equalizer = None;
        other.stats.kernels.iter_mut().for_each(|kernel| kernel.warps = None);
        assert_eq!(other.stats, base.stats);
        assert_eq!(other.timeline, base.timeline);
    }
}

fn parts_add_up(stats: &RunStats) {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs();
    assert!(near(stats.energy.as_ref().unwrap().parts_j.sum(), stats.energy.as_ref().unwrap().total_j));
    let sum = |of: fn(&crate::stats::KernelStats) -> u64| stats.kernels.iter().map(of).sum::<u64>();
    assert_eq!(sum(|k| k.cycles), stats.cycles);
    assert_eq!(sum(|k| k.instructions), stats.sm.all_instructions());
    assert_eq!(
        sum(|k| k.l1_hits + k.l1_merges + k.l1_misses),
        stats.sm.l1.hits + stats.sm.l1.merges + stats.sm.l1.misses
    );
    assert_eq!(sum(|k| k.vf_cycles.iter().flatten().sum()), stats.cycles);
    assert!(near(stats.kernels.iter().map(|k| k.energy_j.unwrap()).sum(), stats.energy.as_ref().unwrap().total_j));
    if let Some(warps) = stats.warps {
        assert_eq!(sum(|k| k.warps.map_or(0, |w| w.active)), warps.active);
    }
}

#[test]
fn kernels_add_up_to_the_run() {
    let kernels = [kernel(1, 60, 128, 3), kernel(2, 200, 64, 5)];
    for change in [&[][..], &[OBSERVE], &[ON], &[ON, ENERGY]] {
        let stats = run_at(&machine(change), RunOptions::default(), &kernels, skip::body, &[]).stats;
        assert_eq!(stats.kernels.iter().map(|k| (k.pc, k.tag)).collect::<Vec<_>>(), [(1, 3), (2, 5)]);
        assert_eq!(stats.kernels[1].start, stats.kernels[0].cycles);
        assert!(stats.kernels.iter().all(|k| k.mean_blocks > 0.5 && k.mean_blocks <= 8.0));
        parts_add_up(&stats);
    }
}

/// Bubbles begin and end while kernels do.
#[test]
fn short_kernels_add_up_beside_bubbles() {
    let kernels: Vec<_> = (0..60u32).map(|i| kernel(1, 1 + i * 7 % 40, 256, i.into())).collect();
    let stats = run_at(&machine(&[]), RunOptions::default(), &kernels, computing(60), &[]).stats;
    assert!(stats.smxs.iter().any(|smx| smx.power.bubble_samples > 3));
    parts_add_up(&stats);
}

#[test]
fn a_static_block_cap_holds() {
    for change in [&[("sm.block_cap", "2")][..], &[("sm.block_cap", "2"), ON]] {
        let result = run(&machine(change), 32, computing(100));
        let stats = &result.stats;
        assert_eq!(stats.sm.tbs, 32);
        let mean = stats.kernels[0].mean_blocks;
        assert!(mean > 1.5 && mean <= 2.0, "{mean}");
    }
    assert!(run(&machine(&[]), 32, computing(100)).stats.kernels[0].mean_blocks > 4.0);
}

/// A TB of so many threads for a slot of SM 0.
fn placed(slot: u8, threads: u32) -> Placed {
    Placed {
        sm: 0,
        slot,
        context: TbContext { tag: 0, blkid: slot.into(), threads },
        pc: 0,
        unit: 0,
        child: false,
        bypass: false,
        stage: None,
        restored: None,
        cluster: None,
    }
}

/// refgpu-W2 and refgpu-W6, on one SM: a warp alone has an empty instruction buffer behind a branch that leaves lanes behind, also if its
/// next instruction could not issue anyhow.
#[test]
fn behind_a_divergent_branch_a_warp_has_no_valid_head_for_a_cycle() {
    let config = machine(&[]);
    let (mut sm, mut memory) = (Sm::new(&config, 0), Memory::new(&config));
    let work = script(&[], |at: At| {
        let mut op = Op::new(Class::Int, 1, 1);
        op.inst.diverges = at.step == 0;
        op
    });
    let mut work = Erased::<_, Script<'_>>::new(work);
    let mut effects = Effects { addr: [0; 32], bytes: 4, rank: 0, launches: Vec::new() };
    let mut out = Outbox::default();
    sm.start_tb(0, &mut work, &placed(0, 32), 0, None, &mut Vec::new());
    // The branch issues in cycle 10.
    let mut at = 10;
    let states = |sm: &Sm, at| {
        let states = sm.warp_states(at, &config.equalizer.sm);
        (states.issued, states.unaccounted, states.waiting)
    };
    let mut seen = Vec::new();
    for _ in 0..3 {
        let next = sm.step(at, &mut work, &mut effects, &mut memory, &mut out);
        seen.push((at, states(&sm, at)));
        at = next;
    }
    // Then nothing happens until the branch's result is there.
    let result = 10 + u64::from(config.sm.sp_latency);
    assert_eq!(seen, [(10, (1, 0, 0)), (11, (0, 1, 0)), (result, (1, 0, 0))]);
}

/// refgpu-V3, on one SM.
#[test]
fn a_paused_block_issues_nothing_and_goes_on_when_it_is_woken() {
    let config = machine(&[]);
    let (mut sm, mut memory) = (Sm::new(&config, 0), Memory::new(&config));
    let work = script(&[], |at: At| Op::new(Class::Int, 1 << (at.step % 8), 1 << (at.step % 8)));
    let mut work = Erased::<_, Script<'_>>::new(work);
    let mut effects = Effects { addr: [0; 32], bytes: 4, rank: 0, launches: Vec::new() };
    let mut out = Outbox::default();
    for slot in 0..2u8 {
        sm.start_tb(0, &mut work, &placed(slot, 64), slot.into(), None, &mut Vec::new());
    }
    let mut steps = |sm: &mut Sm, beats: std::ops::Range<u64>| {
        let before = sm.issued();
        beats.for_each(|at| {
            sm.step(at, &mut work, &mut effects, &mut memory, &mut out);
        });
        sm.issued() - before
    };
    // The first issue is in cycle 10. Two warps keep a scheduler busy; alone, a warp issues 8 instructions in 10 cycles.
    assert_eq!(steps(&mut sm, 1..100), 2 * 90);
    sm.pause(99, 0, true);
    let (blocks, issued) = (sm.blocks(), steps(&mut sm, 100..200));
    assert!(blocks == (1, 2) && (156..=164).contains(&issued), "{issued}");
    assert_eq!(sm.warp_states(199, &config.equalizer.sm).paused, 2);
    sm.pause(199, 1, true);
    assert_eq!((sm.blocks(), steps(&mut sm, 200..300)), ((0, 2), 0));
    sm.pause(299, 0, false);
    sm.pause(299, 1, false);
    assert_eq!((sm.blocks(), steps(&mut sm, 300..400)), ((2, 2), 2 * 100));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]

    /// refgpu-T3 and frontend-E7: every TB that the front end sends is one that Equalizer asked for, else the run fails.
    #[test]
    fn skipping_is_exact_with_equalizer_on(
        (objective, relax, watchdog) in (any::<bool>(), any::<bool>(), 0..3u32),
        (interval, samples, transition, hysteresis) in (1..40u32, 1..5u32, 0..400u32, 1..3u32),
        scarce in any::<bool>(),
    ) {
        let mut change = vec![ON, ("l2.sets", "4"), ("equalizer.idle", if relax { "relax" } else { "hold" })];
        if scarce {
            change.extend([("l1.mshrs", "4"), ("l1.merges", "2"), ("l1.miss_queue", "2"), ("noc.input_queue", "1")]);
        }
        let mut config = machine(&change);
        let sm = &mut config.equalizer.sm;
        sm.objective = if objective { Objective::Energy } else { Objective::Performance };
        (sm.sample_interval, sm.epoch_cycles, sm.hysteresis) = (interval, interval * samples, hysteresis);
        sm.watchdog = watchdog;
        (config.equalizer.fm.sm_transition, config.equalizer.fm.mem_transition) = (transition, transition / 2);
        let kernels = [kernel(1, 60, 128, 0), kernel(1, 20, 64, 0)];
        let options = with_verb(LaunchVerb::Group);
        let skipped = run_at(&config, options, &kernels, skip::body, &[]);
        let stepped = run_at(&config, RunOptions { step: true, ..options }, &kernels, skip::body, &[]);
        prop_assert_eq!(&skipped, &stepped);
        parts_add_up(&skipped.stats);
        let changes = skipped.tuning.unwrap().levels.changes;
        prop_assert!(!changes.is_empty());
    }
}
