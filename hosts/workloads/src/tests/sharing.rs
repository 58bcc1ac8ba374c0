//! Policies that share SMs between kernels (`tlp`; frontend-C3): each keeps its promise on the whole machine, whatever is skipped.

use super::config;
use crate::Together;
use crate::catalogue::{Entry, Request, own};
use crate::kernel::App;
use gpusched::tlp::{Category, KernelType, Pref};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::{Gpu, RunOptions, RunResult};
use gpusched_refgpu::timeline::TbLog;

pub(super) const SMS: u16 = 3;

/// A kernel of so many TBs of 256 threads and 4096 registers, of which an SM holds six.
pub(super) fn kernel(grid: u32, loads: &str) -> &'static Entry {
    let text = format!(
        "about = \"x\"\n[[kernel]]\nname = \"k\"\ngrid = {grid}\nthreads = 256\nregs = 16\n[[kernel.phase]]\niters = 4\nn = 30\n{loads}"
    );
    own(App::from_toml(&text).unwrap())
}

const STREAM: &str = "loads = [\"st(4) x3\"]";
const REUSE: &str = "loads = [\"own(2) x2\"]";
pub(super) const COMPUTE: &str = "fp = 0.8";

const OPTIMAL: Category = Category { kind: KernelType::Optimal, opt: 2 };
pub(super) const UP: Category = Category { kind: KernelType::Up, opt: 6 };

fn machine(change: &[(&str, &str)]) -> GpuConfig {
    config("gtx480_liang", &[&[("sm.count", "3")], change].concat())
}

pub(super) fn run(change: &[(&str, &str)], kernels: &[(&'static Entry, Category, Pref)], step: bool) -> RunResult {
    let requests: Vec<_> = kernels.iter().map(|&(entry, ..)| (entry, Request::default())).collect();
    let known: Vec<_> = kernels.iter().map(|&(_, category, pref)| (category, pref)).collect();
    let mut work = Together::new(&requests).unwrap().knowing(&known);
    let options = RunOptions { step, log_tbs: 10_000, ..RunOptions::default() };
    let result = Gpu::new(&machine(change), options).unwrap().run(&mut work, &mut ()).unwrap();
    work.check().unwrap();
    result
}

fn pair(first: Category, second: Category) -> Vec<(&'static Entry, Category, Pref)> {
    vec![(kernel(120, COMPUTE), first, Pref::Compute), (kernel(90, STREAM), second, Pref::Memory)]
}

/// Resident TBs of each stream on an SM whenever one starts there.
pub(super) fn residents(log: &TbLog, streams: usize) -> Vec<(u16, u64, Vec<usize>)> {
    let stream = |tb: &gpusched_refgpu::timeline::Tb| (log.launches()[tb.launch as usize].kernel.tag >> 56) as usize;
    let at = |cycle: u64, sm: u16| {
        let mut n = vec![0; streams];
        let there =
            log.tbs().iter().filter(|tb| tb.sm == sm && tb.start <= cycle && tb.end.is_none_or(|end| cycle < end));
        there.for_each(|tb| n[stream(tb)] += 1);
        n
    };
    log.tbs().iter().map(|tb| (tb.sm, tb.start, at(tb.start, tb.sm))).collect()
}

const POLICIES: [&[(&str, &str)]; 6] = [
    &[("tlp.policy", "leftover")],
    &[("tlp.policy", "leftover"), ("tlp.idle_only", "false")],
    &[("tlp.policy", "smart_even")],
    &[("tlp.policy", "smc"), ("tlp.split", "1"), ("tlp.b1", "3")],
    &[("tlp.policy", "tlp"), ("tlp.dyn", "false"), ("tlp.bypass", "false")],
    &[("tlp.policy", "tlp")],
];

#[test]
fn every_sm_of_a_large_machine_has_work_under_every_policy() {
    let kernels = [(kernel(600, COMPUTE), OPTIMAL, Pref::Compute), (kernel(600, STREAM), UP, Pref::Memory)];
    for policy in POLICIES {
        let stats = run(&[&[("sm.count", "132")], policy].concat(), &kernels, false).stats;
        assert_eq!((stats.smxs.len(), stats.sm.tbs), (132, 1200), "{policy:?}");
        assert!(stats.smxs.iter().all(|smx| smx.tbs > 0 && smx.instructions > 0), "{policy:?}");
    }
}

#[test]
fn every_policy_runs_all_and_no_count_depends_on_skipping() {
    for policy in POLICIES {
        let skipped = run(policy, &pair(OPTIMAL, UP), false);
        assert_eq!(skipped, run(policy, &pair(OPTIMAL, UP), true), "{policy:?}: skipped and stepped");
        assert_eq!(skipped.stats.sm.tbs, 210, "{policy:?}");
        assert!(skipped.stats.sharing.is_some());
    }
}

#[test]
fn leftover_never_mixes_kernels_on_an_sm_and_fill_does() {
    let mixed = |idle: &str| {
        let result = run(&[("tlp.policy", "leftover"), ("tlp.idle_only", idle)], &pair(UP, UP), false);
        residents(&result.timeline.tbs, 2).iter().any(|(_, _, n)| n[0] > 0 && n[1] > 0)
    };
    assert_eq!((mixed("true"), mixed("false")), (false, true));
}

#[test]
fn smart_even_gives_each_kernel_sms_of_its_own_till_one_ends() {
    let result = run(&[("tlp.policy", "smart_even")], &pair(UP, UP), false);
    let first_end = result.stats.streams.iter().map(|stream| stream.end).min().unwrap();
    let all = residents(&result.timeline.tbs, 2);
    for (sm, start, n) in &all {
        let owner = usize::from(*sm >= 2);
        assert!(*start >= first_end || n[1 - owner] == 0, "SM {sm} at {start}: {n:?}");
    }
    assert!(all.iter().any(|(sm, start, n)| *start > first_end && *sm < 2 && n[1] + n[0] > 0), "SMs change hands");
}

#[test]
fn smc_keeps_to_its_split_and_block_counts() {
    let result =
        run(&[("tlp.policy", "smc"), ("tlp.split", "1"), ("tlp.b0", "4"), ("tlp.b1", "2")], &pair(UP, UP), false);
    let first_end = result.stats.streams.iter().map(|stream| stream.end).min().unwrap();
    for (sm, start, n) in residents(&result.timeline.tbs, 2).iter().filter(|(_, start, _)| *start < first_end) {
        let most = if *sm == 0 { [4, 0] } else { [0, 2] };
        assert!(n[0] <= most[0] && n[1] <= most[1], "SM {sm} at {start}: {n:?}");
    }
}

#[test]
fn targets_of_algorithm_1_are_met_and_the_one_who_is_left_has_the_sm() {
    let fixed = [("tlp.policy", "tlp"), ("tlp.dyn", "false"), ("tlp.bypass", "false")];
    let result = run(&fixed, &pair(OPTIMAL, UP), false);
    // Two of the first, and the four that fit beside them.
    let all = residents(&result.timeline.tbs, 2);
    let first_end = result.stats.streams.iter().map(|stream| stream.end).min().unwrap();
    assert!(all.iter().filter(|(_, start, _)| *start < first_end / 2).all(|(_, _, n)| n[0] <= 2 && n[1] <= 4));
    for sm in 0..SMS {
        assert!(all.iter().any(|(of, _, n)| *of == sm && *n == [2, 4]), "SM {sm}");
    }
    assert!(all.iter().any(|(_, _, n)| n.iter().max() == Some(&6)), "alone, as many as fit");
    assert_eq!((result.stats.sharing.unwrap().samples, result.stats.sm.l1.bypassed), (0, 0));
    // The head of the line fits nowhere for most of the time; the other goes on all the same.
    let half = result.stats.streams[0].end.min(result.stats.streams[1].end) / 2;
    assert!(result.timeline.tbs.tbs().iter().filter(|tb| tb.start > 0 && tb.start < half).count() > 20);
}

#[test]
fn two_of_type_up_run_in_turn() {
    let result = run(&[("tlp.policy", "tlp")], &pair(UP, UP), false);
    let all = residents(&result.timeline.tbs, 2);
    assert!(all.iter().all(|(_, _, n)| n[0] == 0 || n[1] == 0));
}

#[test]
fn modulation_samples_periods_moves_targets_and_learns_to_bypass() {
    let kernels = vec![(kernel(240, REUSE), OPTIMAL, Pref::Compute), (kernel(240, STREAM), OPTIMAL, Pref::Memory)];
    let result = run(&[("tlp.policy", "tlp")], &kernels, false);
    let sharing = result.stats.sharing.unwrap();
    assert!(sharing.samples > 10 && sharing.moved > 0 && sharing.first >= u64::from(SMS), "{sharing:?}");
    assert!(sharing.decision_cycles >= 8 * (sharing.samples - sharing.first), "two operations of 4 cycles at least");
    let sharing = result.stats.sharing.unwrap();
    // Every decision has a critical pipeline: targets move, or cannot, or the kernels lean on it alike.
    let decided = sharing.moved + sharing.tied + sharing.no_work + sharing.blocked;
    assert_eq!(sharing.critical.iter().sum::<u64>(), decided);
    assert!(decided > 0, "{sharing:?}");
    // What streams had of the pipelines is what the machine had.
    let (all, figures) = (result.stats.pipelines_of_streams().collect::<Vec<_>>(), result.stats.figures());
    let sum = |of: fn(&gpusched_refgpu::stats::Pipelines) -> f64| all.iter().map(of).sum::<f64>();
    assert!((sum(|p| p.sp_utilisation) - figures.sp_utilisation).abs() < 1e-12);
    assert!((sum(|p| p.ldst_utilisation) - figures.ldst_utilisation).abs() < 1e-12);
    assert!(all.iter().all(|p| p.puhp > 0.0 && p.sp_utilisation < 1.0 && p.ldst_utilisation < 1.0));
    let bypassing: Vec<u64> = result.stats.streams.iter().map(|stream| stream.counts.bypassing_tbs).collect();
    assert!(bypassing.iter().all(|&n| n > 0), "both are tried: {bypassing:?}");
    let walk = result.walk.unwrap();
    assert_eq!(walk.dropped, 0);
    assert!(walk.changes.iter().all(|targets| targets.by[0] <= targets.tb[0] && targets.by[1] <= targets.tb[1]));
    assert!(walk.changes.iter().all(|targets| targets.by[0] == 0 || targets.by[1] == 0));
    // A decision takes time.
    let slow = run(&[("tlp.policy", "tlp"), ("tlp.op_cycles", "2000")], &kernels, false);
    assert!(slow.stats.cycles > result.stats.cycles, "{} {}", slow.stats.cycles, result.stats.cycles);
}

#[test]
fn a_pool_runs_two_at_a_time_and_those_that_complement_each_other() {
    let four = vec![
        (kernel(60, COMPUTE), OPTIMAL, Pref::Compute),
        (kernel(60, COMPUTE), OPTIMAL, Pref::Compute),
        (kernel(60, STREAM), OPTIMAL, Pref::Memory),
        (kernel(60, STREAM), OPTIMAL, Pref::Memory),
    ];
    let result = run(&[("tlp.policy", "tlp")], &four, false);
    let all = residents(&result.timeline.tbs, 4);
    assert!(all.iter().all(|(_, _, n)| n.iter().filter(|&&n| n > 0).count() <= 2));
    let starts: Vec<u64> = result.stats.streams.iter().map(|stream| stream.start).collect();
    assert_eq!((starts[0], starts[2]), (0, 0), "a compute kernel begins beside a memory kernel");
    assert!(starts[1] > 0 && starts[3] > 0, "{starts:?}");
    assert_eq!(result.stats.sm.tbs, 240);
}

#[test]
fn without_a_profile_a_kernel_takes_what_there_is() {
    let kernels = [(kernel(60, COMPUTE), Request::default()), (kernel(60, STREAM), Request::default())];
    let mut work = Together::new(&kernels).unwrap();
    let result = Gpu::new(&machine(&[("tlp.policy", "tlp")]), RunOptions::default()).unwrap().run(&mut work, &mut ());
    work.check().unwrap();
    assert_eq!(result.unwrap().stats.sm.tbs, 120);
}
