//! refgpu-V1 and workloads-W6: launches, their latency, and how runs end.

use std::ops::ControlFlow;

use gpusched::{Dim3, Fault};

use super::script::{At, Op, config, kernel, run_with, script, with_verb};
use crate::front::LaunchVerb;
use crate::gpu::{Gpu, Monitor, RunError, RunOptions};
use crate::program::Class;
use crate::stats::RunStats;

/// One warp whose first `lanes` lanes launch a one-TB child each, which exits at once.
fn launch(lanes: u32, options: RunOptions, change: &[(&str, &str)]) -> RunStats {
    let mask = ((1u64 << lanes) - 1) as u32;
    run_with(&config("k20c", change), options, &[kernel(1, 1, 32, 0)], |at: At| match (at.tag, at.step) {
        (0, 0) => Op::launch(mask, 1, 7),
        // The parent must not end in the cycle in which its groups join, or they fall (dtbl-H4).
        (0, 1) => Op::new(Class::Int, 0, 1),
        _ => Op::exit(),
    })
}

#[test]
fn the_caller_is_held_for_the_latency_and_a_group_joins_its_kernel() {
    let stats = launch(3, with_verb(LaunchVerb::Group), &[]);
    // Launch at 283 + 10; ready, and joined, P(3) = 8023 + 129 * 3 later, when the caller goes on too.
    let ready = 293 + 8023 + 129 * 3;
    assert_eq!((stats.front.kde_hit, stats.front.agt_hit, stats.front.dyn_n), (3, 3, 3));
    assert_eq!(stats.front.dyn_wait, (0..3).map(|i| ready - 293 + i).sum::<u64>());
    assert_eq!(stats.cycles, ready + 2 + 10 + 1);
    assert_eq!((stats.sm.tbs, stats.sm.instructions), (4, [3, 3]));
    assert_eq!((stats.pending.peak, stats.pending.peak_bytes), (3, 3 * 84));
}

#[test]
fn device_kernels_pay_for_stream_and_launch_and_go_through_the_kmu() {
    let stats = launch(1, with_verb(LaunchVerb::DeviceKernel), &[]);
    assert_eq!(stats.front.dyn_wait, 29_096 + 283);
    assert_eq!(stats.cycles, 293 + 29_096 + 283 + 10 + 1);
    assert_eq!(stats.sm.instructions, [3, 1]);
    let many = launch(32, with_verb(LaunchVerb::DeviceKernel), &[]);
    assert_eq!((many.pending.peak, many.pending.peak_bytes), (32, 0));
}

#[test]
fn ideal_launches_cost_nothing_but_the_dispatch() {
    for launch_verb in [LaunchVerb::Group, LaunchVerb::DeviceKernel] {
        let options = RunOptions { ideal_launch: true, ..with_verb(launch_verb) };
        let stats = launch(2, options, &[]);
        // TB at 0, launch at 10, children sent at 10 and 11.
        assert_eq!((stats.front.dyn_wait, stats.cycles), (1, 11 + 10 + 1));
    }
}

#[test]
fn a_call_without_free_records_waits_and_goes_on_when_some_are_free() {
    let config = config("k20c", &[("dtbl.pend_limit", "4"), ("run.full_pool", "wait")]);
    let stats = run_with(&config, with_verb(LaunchVerb::Group), &[kernel(1, 3, 32, 0)], three_children);
    assert_eq!((stats.front.dyn_n, stats.pending.refused_calls), (9, 2));
    assert!(stats.pending.refused_cycles > 2 * 8000);
}

/// A warp of the host's kernel launches three one-TB children, and all exit.
fn three_children(at: At) -> Op {
    match (at.tag, at.step) {
        (0, 0) => Op::launch(0b111, 1, 7),
        _ => Op::exit(),
    }
}

/// How a run of such parents, so many TBs of so many threads, ends on a machine with this `change`.
fn failure(change: &[(&str, &str)], tbs: u32, threads: u32) -> RunError {
    let gpu = Gpu::new(&config("k20c", change), with_verb(LaunchVerb::DeviceKernel)).unwrap();
    gpu.run(&mut script(&[kernel(1, tbs, threads, 0)], three_children), &mut ()).unwrap_err()
}

#[test]
fn a_full_launch_pool_says_how_full_it_is_and_what_to_set() {
    let RunError::PoolFull { pool, .. } = failure(&[("dtbl.pend_limit", "4")], 3, 32) else {
        panic!("it was not full")
    };
    assert_eq!((pool.limit, pool.held, pool.pending, pool.asked), (4, 3, 3, 3));
    let error = failure(&[("dtbl.pend_limit", "4")], 3, 32).to_string();
    let wanted = "cycle 294: the launch pool is full: 3 of 4 launch records (dtbl.pend_limit) are in use, 3 by launches without a TB \
                  on an SM yet, and SM 1 asks for 3 more; set dtbl.pend_limit = 8, or run.full_pool = wait";
    assert_eq!(error, wanted);
    // However long it waits, a call of three never has room among two.
    let never = failure(&[("dtbl.pend_limit", "2"), ("run.full_pool", "wait")], 1, 32).to_string();
    assert!(never.ends_with("set dtbl.pend_limit = 4"), "{never}");
}

/// refgpu-G7: what a kernel wrote is flushed before the next one begins, and launches that are not complete are counted.
#[test]
fn forgotten_kernels_are_flushed_and_counted() {
    let two = [kernel(1, 3, 32, 0), kernel(1, 3, 32, 0)];
    let cycles = |flush: &str| {
        let gpu = Gpu::new(&config("k20c", &[("dtbl.flush_cycles", flush)]), with_verb(LaunchVerb::ForgottenKernel));
        gpu.unwrap().run(&mut script(&two, three_children), &mut ()).unwrap().stats.cycles
    };
    assert!(cycles("1000") >= cycles("0") + 2000);
    let change = [("dtbl.grids", "4")];
    let gpu = Gpu::new(&config("k20c", &change), with_verb(LaunchVerb::ForgottenKernel)).unwrap();
    let few = gpu.run(&mut script(&[kernel(1, 3, 32, 0)], three_children), &mut ()).unwrap_err().to_string();
    assert!(few.contains("3 of 4 grids (dtbl.grids) are in use") && few.ends_with("or run.full_pool = wait"), "{few}");
}

/// The parents fill the SMs, those whose calls wait never end, and no child finds room.
#[test]
fn parents_that_wait_for_their_own_children_are_found_out() {
    let change =
        [("sm.count", "1"), ("dtbl.pend_limit", "8"), ("run.full_pool", "wait"), ("run.hang_cycles", "200000")];
    let error = failure(&change, 2, 1024).to_string();
    assert!(
        error.contains("launch calls wait for the launch pool") && error.ends_with("set dtbl.pend_limit = 256"),
        "{error}"
    );
}

fn error(descriptor: gpusched::Descriptor, body: impl Fn(At) -> Op) -> RunError {
    let gpu = Gpu::new(&config("k20c", &[("run.hang_cycles", "20000")]), RunOptions::default()).unwrap();
    gpu.run(&mut script(&[descriptor], body), &mut ()).unwrap_err()
}

#[test]
fn runs_that_cannot_go_on_say_why() {
    let too_big = error(kernel(1, 1, 4096, 0), |_| Op::exit());
    assert_eq!(too_big, RunError::Refused { cycle: 0, fault: Fault::TbTooBig });
    let far = error(kernel(1, 1, 32, 0), |at| match at.step {
        0 => Op::access(Class::LoadGlobal, 1, |_| 1 << 39),
        _ => Op::exit(),
    });
    assert_eq!(far, RunError::Address { cycle: 283 + 10 });
    // Warp 1 waits at a barrier that warp 0 never reaches: it spins.
    let hang = |at: At| match at.warp {
        0 => Op::new(Class::Int, 0, 0),
        _ => Op::new(Class::Barrier, 0, 0),
    };
    let stopped = Gpu::new(&config("k20c", &[]), RunOptions::default())
        .unwrap()
        .run(&mut script(&[kernel(1, 1, 64, 0)], hang), &mut Impatient)
        .unwrap_err();
    assert!(matches!(stopped, RunError::Cancelled { .. }), "{stopped}");
    let shape = kernel(1, 13 * 13, 129, 0);
    assert!(matches!(error(shape, |at| Op::new(Class::Int, at.step & 1, 1)), RunError::WarpSlots { free: 4, .. }));
}

struct Impatient;

impl Monitor for Impatient {
    fn progress(&mut self, _: u64, _: u64, cycle: u64) -> ControlFlow<()> {
        if cycle > 100_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn a_run_without_progress_is_stopped_with_what_it_waits_for() {
    let config = config("k20c", &[("run.hang_cycles", "20000")]);
    let mut gpu = Gpu::new(&config, RunOptions::default()).unwrap();
    gpu.scheduler().set_eligible(gpusched::SmxSet::first(0)).unwrap();
    let error = gpu.run(&mut script(&[kernel(1, 1, 32, 0)], |_| Op::exit()), &mut ()).unwrap_err();
    assert!(
        error.to_string().ends_with("no warp is resident, and caps or diverted SMs keep back every TB that waits"),
        "{error}"
    );
}

#[test]
fn a_launch_that_takes_longer_than_a_hang_is_none() {
    let patient = [("run.hang_cycles", "20000"), ("run.host_launch_cycles", "90000"), ("dtbl.ld_b", "90000")];
    let stats = launch(1, with_verb(LaunchVerb::DeviceKernel), &patient);
    assert_eq!(stats.sm.tbs, 2);
    assert!(stats.cycles > 180_000);
}

#[test]
fn host_kernels_follow_each_other_and_each_pays_the_host_launch() {
    let run = |cycles: &str| {
        let config = config("k20c", &[("run.host_launch_cycles", cycles)]);
        let gpu = Gpu::new(&config, RunOptions::default()).unwrap();
        let kernel = gpusched::Descriptor { grid: Dim3::linear(2), ..kernel(1, 1, 32, 0) };
        gpu.run(&mut script(&[kernel, kernel], |_| Op::exit()), &mut ()).unwrap()
    };
    let (free, paid) = (run("0"), run("21000"));
    assert_eq!(paid.stats.cycles, free.stats.cycles + 2 * 21_000);
    // The second kernel is launched in the cycle in which the first has ended.
    assert_eq!(free.stats.cycles, 2 * (283 + 1 + 10) + 1);
    assert_eq!(free.timeline.warp_cycles.iter().sum::<u64>(), free.stats.sm.warp_cycles);
}
