//! Whole programs: each lane of a warp comes through the PCs that it would come through alone, whatever the stack's choices.

use gpusched::Fault;
use gpusched::simt::stack::{FirstPath, StackConfig};
use gpusched_tests::simt::program::{Op, Run, alone, run};
use gpusched_tests::simt::stack::{Model, machine};
use proptest::prelude::*;

use crate::every::runs;

/// Every way to run a program on a stack that cannot overflow.
fn choices(lanes: u32) -> [StackConfig; 4] {
    let of = StackConfig::of_lanes(lanes);
    [(FirstPath::Fall, false), (FirstPath::Fall, true), (FirstPath::Taken, false), (FirstPath::Taken, true)]
        .map(|(first, compact)| StackConfig { first, compact, ..of })
}

/// Runs a program in every way, and holds what the sheet promises of all of them.
fn check(program: &[Op], lanes: u32) -> Vec<Run> {
    let paths: Vec<_> = (0..lanes).map(|lane| alone(program, lane).expect("the program ends")).collect();
    let mut all = Vec::new();
    for config in choices(lanes) {
        let told = |refused| panic!("{program:?} on {config:?}: {refused:?}");
        let done = run(&config, &mut machine(&config).unwrap(), program).unwrap_or_else(told);
        assert_eq!(done.paths, paths, "{program:?} on {config:?}");
        assert_eq!(done, run(&config, &mut Model::new(&config), program).expect("the model ends as well"));
        all.push(done);
    }
    // Compact and literal run the same (pc, mask) sequence.
    assert_eq!(all[0].steps, all[1].steps, "{program:?}");
    assert_eq!(all[2].steps, all[3].steps, "{program:?}");
    assert!(all[1].depth <= all[0].depth && all[3].depth <= all[2].depth);
    all
}

/// Where the paths of a branch meet again: the first PC that all ways from it lead to, its immediate post-dominator.
fn with_joins(mut program: Vec<Op>) -> Vec<Op> {
    let end = program.len();
    let next = |at: usize| -> Vec<usize> {
        match program.get(at) {
            None | Some(Op::Exit(u64::MAX)) => vec![],
            Some(Op::Jump(to)) => vec![*to as usize],
            Some(Op::Branch { to, .. }) => vec![at + 1, *to as usize],
            Some(Op::Exit(_)) => vec![at + 1],
        }
    };
    // Programs only lead on, so one pass from the end suffices.
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); end + 1];
    for at in (0..end).rev() {
        let ways: Vec<Vec<usize>> = next(at).iter().map(|&to| [&[to][..], &after[to.min(end)]].concat()).collect();
        let Some((first, others)) = ways.split_first() else { continue };
        after[at] = first.iter().copied().filter(|pc| others.iter().all(|way| way.contains(pc))).collect();
    }
    for at in 0..end {
        if let Op::Branch { reconv, .. } = &mut program[at] {
            *reconv = after[at].first().map(|&pc| pc as u32);
        }
    }
    program
}

/// Every program of four instructions that leads on, of three lanes: branches of every set of lanes to every later place, jumps, exits
/// of every set of lanes.
#[test]
fn every_small_program_runs_each_lane_on_its_own_path() {
    const LANES: u32 = 3;
    const LEN: u32 = 4;
    let ops = |at: u32| -> Vec<Op> {
        let mut ops = vec![Op::Exit(0), Op::Exit(1), Op::Exit(6)];
        ops.extend((at + 2..=LEN).map(Op::Jump));
        for to in at + 1..=LEN {
            ops.extend([1, 2, 5, 6].map(|taken| Op::Branch { taken, to, reconv: None }));
        }
        ops
    };
    let mut deepest = 0;
    let mut count = 0;
    for a in ops(0) {
        for b in ops(1) {
            for c in ops(2) {
                for d in ops(3) {
                    for run in check(&with_joins(vec![a, b, c, d]), LANES) {
                        deepest = deepest.max(run.depth);
                    }
                    count += 1;
                }
            }
        }
    }
    assert!(count > 10_000, "{count} programs");
    // Nested divergences of three lanes: the bound is met, and never passed (`check_state` in each run).
    assert_eq!(deepest, 2 * (LANES - 1));
}

/// A loop that one lane leaves per turn, for every number of lanes: 2 * (lanes - 1) entries, or one if compact.
#[test]
fn a_loop_left_lane_by_lane_needs_the_whole_stack() {
    for lanes in 2..=64 {
        let config = StackConfig::of_lanes(lanes);
        let mut program = Vec::new();
        // Each turn is written out, since conditions depend on the lane only; all leave to the same place.
        let end = 2 * (lanes - 1);
        for lane in 0..lanes - 1 {
            program.push(Op::Branch { taken: 1 << lane, to: end, reconv: Some(end) });
            program.push(Op::Jump(2 * lane + 2));
        }
        let all = check(&program, lanes);
        assert_eq!(all[0].depth, config.depth, "{lanes} lanes");
        assert_eq!(all[1].depth, 1, "{lanes} lanes, compact");
        let short = StackConfig { depth: config.depth - 1, ..config };
        let refused = run(&short, &mut machine(&short).unwrap(), &program);
        assert_eq!(refused, Err(Ok(Fault::StackOverflow)), "{lanes} lanes");
    }
}

prop_compose! {
    fn programs()(
        lanes in 1..=6u32,
        ops in prop::collection::vec((0..4u8, any::<u64>(), 1..=5u32), 1..14),
    ) -> (u32, Vec<Op>) {
        let len = ops.len() as u32;
        let ops = (0..).zip(ops).map(|(at, (kind, mask, far))| {
            let to = (at + far).min(len);
            match kind {
                0 => Op::Jump(to),
                1 => Op::Exit(mask & mask >> 7),
                _ => Op::Branch { taken: mask, to, reconv: None },
            }
        });
        (lanes, with_joins(ops.collect()))
    }
}

proptest! {
    #![proptest_config(runs(2000))]

    #[test]
    fn random_programs_run_each_lane_on_its_own_path((lanes, program) in programs()) {
        check(&program, lanes);
    }

    /// Without any join the lanes never meet again, and still come through their own PCs (models-S6).
    #[test]
    fn without_joins_lanes_keep_their_paths((lanes, program) in programs()) {
        let apart: Vec<_> = program.iter().map(|op| match *op {
            Op::Branch { taken, to, .. } => Op::Branch { taken, to, reconv: None },
            other => other,
        }).collect();
        check(&apart, lanes);
    }
}
