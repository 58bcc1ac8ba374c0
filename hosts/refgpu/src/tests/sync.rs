//! refgpu-V1: parents that synchronise with their children are suspended, and come back.

use gpusched::{Descriptor, Fault};

use super::script::{At, Op, config, kernel, script, with_verb};
use crate::front::LaunchVerb;
use crate::gpu::{Gpu, RunError, RunOptions, RunResult};
use crate::program::Class;

fn try_run(
    kernels: &[Descriptor],
    options: RunOptions,
    change: &[(&str, &str)],
    body: impl Fn(At) -> Op,
) -> Result<RunResult, RunError> {
    Gpu::new(&config("k20c", change), options).unwrap().run(&mut script(kernels, body), &mut ())
}

fn sync() -> Op {
    Op::new(Class::Sync, 0, 0)
}

const KERNELS: LaunchVerb = LaunchVerb::DeviceKernel;
const FREE: [(&str, &str); 5] =
    [("dtbl.lat_stream", "0"), ("dtbl.gpb_a", "0"), ("dtbl.gpb_b", "0"), ("dtbl.ld_a", "0"), ("dtbl.ld_b", "0")];

#[test]
fn a_parent_leaves_its_sm_and_comes_back_after_its_child_through_the_kmu() {
    let body = |at: At| match (at.tag, at.step) {
        (0, 0) => Op::launch(1, 1, 7),
        (0, 1) => sync(),
        (7, s) if s < 100 => Op::new(Class::Int, 1, 1),
        _ => Op::exit(),
    };
    let options = RunOptions { log_tbs: 8, ..with_verb(KERNELS) };
    let result = try_run(&[kernel(1, 1, 32, 0)], options, &FREE, body).unwrap();
    let spans: Vec<_> = result.timeline.tbs.tbs().iter().map(|tb| (tb.launch, tb.start, tb.end.unwrap())).collect();
    // The launch at 293, the synchronisation in the cycle after; the child 283 after its call, 100 dependent instructions of 10
    // cycles; the parent 283 after that.
    let (child, end) = (293 + 283, 293 + 283 + 10 + 100 * 10);
    assert_eq!(spans, [(0, 283, 294), (1, child, end), (0, end + 283, end + 283 + 10)]);
    assert_eq!((result.stats.sm.tbs, result.stats.front.tbs, result.stats.sm.instructions), (3, 3, [3, 101]));
    // Whole warps of the parent before and behind, and of the child.
    assert_eq!(result.stats.sm.warp_cycles, (294 - 283) + (end - child) + 10);
}

#[test]
fn a_synchronisation_without_children_costs_a_cycle() {
    let run = |first: fn() -> Op| {
        let body = move |at: At| if at.step == 0 { first() } else { Op::exit() };
        try_run(&[kernel(1, 1, 64, 0)], with_verb(KERNELS), &[], body).unwrap().stats
    };
    let (synced, plain) = (run(sync), run(|| Op::new(Class::Int, 0, 0)));
    // The exit of the second warp waits for the first; the plain instruction has a result to wait for neither.
    assert_eq!((synced.cycles, synced.sm.tbs), (plain.cycles, 1));
}

#[test]
fn parents_of_parents_wait_too_and_keep_their_place() {
    // 0 launches 7, that launches 8; each waits, then goes on for 5 instructions.
    let body = |at: At| match (at.tag, at.step) {
        (0, 0) => Op::launch(1, 1, 7),
        (7, 0) => Op::launch(1, 1, 8),
        (0 | 7, 1) => sync(),
        (_, s) if s < 7 => Op::new(Class::Int, 1, 1),
        _ => Op::exit(),
    };
    let step = |step| {
        let options = RunOptions { step, log_tbs: 16, ..with_verb(KERNELS) };
        try_run(&[kernel(1, 1, 32, 0), kernel(1, 1, 32, 0)], options, &FREE, body).unwrap()
    };
    let result = step(false);
    assert_eq!(result.stats, step(true).stats);
    let log = &result.timeline.tbs;
    let tags: Vec<_> = log.tbs().iter().map(|tb| log.launches()[tb.launch as usize].kernel.tag).collect();
    assert_eq!(tags, [0, 7, 8, 7, 0, 0, 7, 8, 7, 0]);
    // Children are children, before and after their suspension.
    assert_eq!(result.stats.sm.instructions, [2 * 8, 2 * (8 + 8)]);
    assert_eq!(result.stats.pending.peak, 1);
}

#[test]
fn only_the_only_tb_of_a_kernel_may_wait_and_only_for_kernels() {
    let body = |at: At| match (at.tag, at.step) {
        (0, 0) => Op::launch(1, 1, 7 + u64::from(at.blkid)),
        // Time for a group to join.
        (0, 1) => Op::new(Class::Int, 0, 1),
        (0, 2) => sync(),
        (_, s) if s < 50 => Op::new(Class::Int, 1, 1),
        _ => Op::exit(),
    };
    let grid = try_run(&[kernel(1, 2, 32, 0)], with_verb(KERNELS), &[], body).unwrap_err();
    assert!(matches!(grid, RunError::Synchronise { tbs: 2, .. }), "{grid}");
    assert!(grid.to_string().ends_with("in a kernel of 2 TBs; only the only TB of a kernel may"), "{grid}");
    let groups = try_run(&[kernel(1, 1, 32, 0)], with_verb(LaunchVerb::Group), &[], body).unwrap_err();
    assert!(matches!(groups, RunError::Refused { fault: Fault::HasGroups, .. }), "{groups}");
}
