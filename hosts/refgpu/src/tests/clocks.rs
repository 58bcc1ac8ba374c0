//! refgpu-V2: SMs with clocks of their own.

use proptest::prelude::*;

use super::script::{At, Op, config, kernel, run_at, run_with, with_verb};
use super::skip;
use crate::front::LaunchVerb;
use crate::gpu::{RunOptions, RunResult};
use crate::power::SmxState::{self, Draining, GoingDown, GoingUp, High, Low};
use crate::program::Class;

/// One TB of one warp on SM 0, which is in these states.
fn one_warp(states: &[(u64, SmxState)], ops: &[Op]) -> RunResult {
    let states: Vec<_> = states.iter().map(|&(at, state)| (at, 0, state)).collect();
    let options = RunOptions::default();
    run_at(&config("k20c", &[]), options, &[kernel(1, 1, 32, 0)], |at: At| nth(ops, at), &states)
}

fn nth(ops: &[Op], at: At) -> Op {
    ops.get(at.step as usize).cloned().unwrap_or_else(Op::exit)
}

fn chain(n: usize) -> Vec<Op> {
    vec![Op::new(Class::Int, 1, 1); n]
}

/// The TB is dispatched in cycle 283 and issues first in 293.
const FIRST: u64 = 293;

#[test]
fn at_the_low_p_state_an_sm_runs_at_a_seventh_of_the_pace() {
    let (high, low) = (one_warp(&[], &chain(20)), one_warp(&[(FIRST - 1, Low)], &chain(20)));
    // The first instruction issues in cycle 293, the exit 200 own cycles later.
    assert_eq!((high.stats.cycles, low.stats.cycles), (FIRST + 200 + 1, FIRST + 7 * 200 + 1));
    assert_eq!(low.stats.sm.instructions, high.stats.sm.instructions);
    // Own cycles of the other SMs are core cycles; those of SM 0 before it went low are, too.
    assert_eq!(low.stats.sm.cycles, 12 * low.stats.cycles + FIRST + 201);
    assert_eq!(low.stats.sm.warp_cycles, low.stats.cycles - FIRST + 9);
    let of = |state| low.stats.smxs[0].power.state_cycles[state as usize];
    assert_eq!((of(High), of(Low)), (FIRST, 1401));
}

#[test]
fn the_old_clock_runs_during_a_transition() {
    let cycles = |states: &[_]| one_warp(states, &chain(20)).stats.cycles;
    let high = cycles(&[]);
    assert_eq!(cycles(&[(FIRST - 1, Draining), (FIRST + 20, GoingDown)]), high);
    let low = cycles(&[(FIRST - 1, Low)]);
    assert_eq!(cycles(&[(FIRST - 1, Low), (FIRST + 69, GoingUp)]), low);
    // Ten instructions at each clock.
    assert_eq!(cycles(&[(FIRST - 1, Low), (FIRST + 69, GoingUp), (FIRST + 699, High)]), FIRST + 700 + 100 + 1);
}

#[test]
fn a_slow_sm_waits_no_longer_for_what_others_do() {
    let load = [Op::access(Class::LoadGlobal, 1, |l| 4 * l), Op::new(Class::Int, 1, 0)];
    let (high, low) = (one_warp(&[], &load).stats.cycles, one_warp(&[(FIRST - 1, Low)], &load).stats.cycles);
    // 440 cycles, of which only the few inside the SM are slow: the LSU, the answer, the exit.
    assert!(low > high && low < high + 7 * 7, "{high} {low}");
}

#[test]
fn launch_latency_is_the_front_ends() {
    let body = |at: At| match (at.tag, at.step) {
        (0, 0) => Op::launch(1, 1, 7),
        _ => Op::exit(),
    };
    let run = |states: &[_]| {
        let options = with_verb(LaunchVerb::DeviceKernel);
        run_at(&config("k20c", &[]), options, &[kernel(1, 1, 32, 0)], body, states).stats
    };
    let (high, low) = (run(&[]), run(&[(FIRST - 1, 0, Low)]));
    assert_eq!((low.cycles, low.front.dyn_wait), (high.cycles, high.front.dyn_wait));
}

#[test]
fn a_change_to_the_same_clock_changes_nothing() {
    let kernels = [kernel(1, 60, 128, 0)];
    let config = config("k20c", &[]);
    let options = with_verb(LaunchVerb::Group);
    let plain = run_with(&config, options, &kernels, skip::body);
    let states: Vec<_> =
        (0..200).map(|i| (i * 37, (i % 13) as u16, if i % 2 == 0 { Draining } else { High })).collect();
    let mut cut = run_at(&config, options, &kernels, skip::body, &states).stats;
    assert!((cut.energy.as_ref().unwrap().total_j / plain.energy.as_ref().unwrap().total_j - 1.0).abs() < 1e-12);
    cut.smxs.iter_mut().zip(&plain.smxs).for_each(|(cut, plain)| cut.power = plain.power);
    cut.energy = plain.energy.clone();
    assert_eq!(cut, plain);
}

fn states() -> impl Strategy<Value = Vec<(u64, u16, SmxState)>> {
    let state = prop::sample::select(vec![High, Low, GoingUp, GoingDown, Draining]);
    prop::collection::vec((0..9000u64, 0..13u16, state), 0..60).prop_map(|mut states| {
        states.sort_by_key(|&(at, ..)| at);
        states
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// refgpu-T3.
    #[test]
    fn a_skipped_run_equals_a_stepped_one_at_any_clocks(
        states in states(),
        (low, scarce) in (prop::sample::select(vec!["100", "300", "699", "700"]), any::<bool>()),
    ) {
        let mut change = vec![("bubble.f_low_mhz", low), ("l2.sets", "4"), ("bubble.sample_cycles", "77")];
        if scarce {
            change.extend([("l1.mshrs", "4"), ("l1.merges", "2"), ("l1.miss_queue", "2"), ("noc.input_queue", "1")]);
        }
        let config = config("k20c", &change);
        let kernels = [kernel(1, 20, 128, 0), kernel(1, 10, 64, 0)];
        let options = with_verb(LaunchVerb::Group);
        let skipped = run_at(&config, options, &kernels, skip::body, &states);
        let stepped = run_at(&config, RunOptions { step: true, ..options }, &kernels, skip::body, &states);
        prop_assert_eq!(&skipped, &stepped);
        let parts = skipped.stats.energy.as_ref().unwrap().parts_j.sum();
        prop_assert!((parts / skipped.stats.energy.as_ref().unwrap().total_j - 1.0).abs() < 1e-12);
    }
}
