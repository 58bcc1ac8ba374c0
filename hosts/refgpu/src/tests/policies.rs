//! LaPerm and the bubble controller on the machine: what they decide is carried out, and skipping changes nothing.

use gpusched::Policy;

use super::script::{At, Op, config, kernel, run_at, with_verb};
use super::skip;
use crate::config::GpuConfig;
use crate::energy::Prices;
use crate::front::LaunchVerb;
use crate::gpu::{RunOptions, RunResult};
use crate::power::SmxState;
use crate::program::Class;

const LAPERM: (&str, &str) = ("dtbl.policy", "laperm");
const BUBBLE: (&str, &str) = ("bubble.enabled", "true");

fn run(config: &GpuConfig, options: RunOptions, body: impl Fn(At) -> Op) -> RunResult {
    run_at(config, options, &[kernel(1, 60, 128, 0), kernel(1, 20, 64, 0)], body, &[])
}

fn same(change: &[(&str, &str)], launch: LaunchVerb) -> RunResult {
    let config = config("k20c", change);
    let options = with_verb(launch);
    let skipped = run(&config, options, skip::body);
    assert_eq!(skipped, run(&config, RunOptions { step: true, ..options }, skip::body), "{change:?}");
    skipped
}

#[test]
fn every_laperm_policy_sends_every_tb_and_skips_exactly() {
    for policy in ["rr", "tb_pri", "smx_bind", "adaptive_bind"] {
        for launch in [LaunchVerb::Group, LaunchVerb::DeviceKernel] {
            let stats = same(&[LAPERM, ("laperm.policy", policy), ("laperm.queue_cap", "4")], launch).stats;
            let lap = stats.laperm.unwrap();
            assert_eq!(lap.tbs.iter().sum::<u64>(), stats.sm.tbs, "{policy}");
            assert_eq!(stats.sm.tbs, 80 + stats.sm.launches);
            assert!(lap.tbs[0] > 0 && (lap.tbs[2] == 0 || policy == "adaptive_bind"), "{policy} {lap:?}");
            assert!(lap.on_chip + lap.spilled + lap.queue0 >= 2, "{lap:?}");
        }
    }
}

#[test]
fn without_them_there_is_no_trace() {
    let plain = same(&[], LaunchVerb::Group);
    assert_eq!((plain.stats.laperm, plain.stats.bubble), (None, None));
    // Bubbles are seen, but nothing is done about them.
    assert!(plain.states.changes.iter().all(|change| change.state == SmxState::High));
    assert_eq!(config("k20c", &[]).front_end().policy, Policy::FcfsRr);
}

/// A long TB on one SM, and nothing else, then work for all.
fn lonely(at: At) -> Op {
    match (at.tag, at.step) {
        (0, s) if s < 1000 => Op::new(Class::Int, 1, 1),
        (1, s) if s < 100 => Op::new(Class::Int, 1, 1),
        _ => Op::exit(),
    }
}

fn sleepy(change: &[(&str, &str)]) -> RunResult {
    // 4 of 64 warps are no bubble, so the SM with the TB can take what comes.
    let kernels = [kernel(1, 1, 128, 0), kernel(1, 200, 256, 1)];
    let config = config("k20c", change);
    let skipped = run_at(&config, RunOptions::default(), &kernels, lonely, &[]);
    let stepped = run_at(&config, RunOptions { step: true, ..RunOptions::default() }, &kernels, lonely, &[]);
    assert_eq!(skipped, stepped);
    skipped
}

#[test]
fn empty_smxs_sleep_and_are_woken_for_work() {
    let (base, on) = (sleepy(&[]), sleepy(&[BUBBLE]));
    let (base, states, on) = (base.stats, on.states, on.stats);
    let counts = on.bubble.unwrap();
    assert!(counts.down > 0 && counts.drain_abort == 0, "{counts:?}");
    assert!(states.changes.iter().any(|c| c.state == SmxState::Low));
    assert!(states.changes.iter().any(|c| c.state == SmxState::GoingUp), "{counts:?}");
    let low: u64 = on.smxs.iter().map(|smx| smx.power.state_cycles[SmxState::Low as usize]).sum();
    assert!(low > 10 * 5000, "{low}");
    assert!(on.energy.as_ref().unwrap().total_j < base.energy.as_ref().unwrap().total_j && on.cycles >= base.cycles);
    // The base run knows what could have been had.
    let share = base.figures().bubble_share;
    assert!(share > 0.5 && base.energy.as_ref().unwrap().ideal_saving > 0.2, "{share}");
    assert!(
        1.0 - on.energy.as_ref().unwrap().total_j / base.energy.as_ref().unwrap().total_j
            < base.energy.as_ref().unwrap().ideal_saving
    );
    assert_eq!((base.bubble, on.bubble_samples >= base.bubble_samples), (None, true));
}

#[test]
fn samples_and_bubbles_are_those_of_the_controller() {
    // Nothing is diverted with T = 0, but the controller samples.
    let watched = sleepy(&[BUBBLE, ("bubble.t_num", "0"), ("bubble.gpu_level", "false")]).stats;
    assert_eq!(watched.bubble.unwrap().samples, watched.bubble_samples);
    let refused = sleepy(&[BUBBLE, ("bubble.draining", "false"), ("bubble.transition_samples", "3")]).stats;
    assert_eq!(refused.bubble.unwrap().samples, refused.bubble_samples);
    let states = refused.smxs.iter().map(|smx| smx.power.state_cycles.iter().sum::<u64>());
    assert!(states.eq(std::iter::repeat_n(refused.cycles, 13)));
}

#[test]
fn skipping_is_exact_with_everything_on() {
    for retrigger in ["level", "rearm"] {
        // 60 TBs of 4 warps on 13 SMs: some hold 20 warps, others 16.
        let change = [
            LAPERM,
            BUBBLE,
            ("laperm.queue_cap", "2"),
            ("bubble.retrigger", retrigger),
            ("bubble.draining", "false"),
            ("bubble.t_num", "5"),
        ];
        let result = same(&change, LaunchVerb::Group);
        assert!(result.stats.bubble.unwrap().down > 0);
    }
}

#[test]
fn an_idle_gpu_costs_what_the_sheet_says() {
    let config = config("k20c", &[("run.host_launch_cycles", "500000")]);
    let stats = run_at(&config, RunOptions::default(), &[kernel(1, 1, 32, 0)], |_| Op::exit(), &[]).stats;
    let idle = stats.cycles as f64 / 706e6 * (41.9 + 13.0 * 3.1 + 4.0);
    let one_exit = stats.energy.as_ref().unwrap().smxs.iter().map(|smx| smx.dynamic_j).sum::<f64>();
    assert!((stats.energy.as_ref().unwrap().total_j - one_exit - idle).abs() < 1e-12 * idle);
    let prices = Prices::of(&config).unwrap();
    assert_eq!(prices.energy(&[], &Default::default()).total_j, 0.0);
}

#[test]
fn a_hang_is_found_although_samples_go_on() {
    let wait = [BUBBLE, ("dtbl.pend_limit", "2"), ("run.full_pool", "wait"), ("run.hang_cycles", "20000")];
    // Both parents fill their SMs; the child of one has no room, and the other's waits for its launch record.
    let config = config("k20c", &[wait.as_slice(), &[("sm.count", "1")]].concat());
    let body = |at: At| match (at.tag, at.step) {
        (0, 0) => Op::launch(0b11, 1, 7),
        _ => Op::exit(),
    };
    let gpu = crate::gpu::Gpu::new(&config, with_verb(LaunchVerb::Group)).unwrap();
    let error = gpu.run(&mut super::script::script(&[kernel(1, 2, 1024, 0)], body), &mut ()).unwrap_err();
    assert!(matches!(error, crate::gpu::RunError::Hang { .. }), "{error}");
}
