//! No lost progress: every request that was begun is accepted in the end, though the saturation flag stays up.

use gpusched::mascar::{Lookup, MascarConfig};
use gpusched_tests::mascar::sm::{Op, Sm, is_empty};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// A small SM and what runs on it.
#[derive(Clone, Debug)]
struct Case {
    warps: u32,
    schedulers: u32,
    rexq: u32,
    mshrs: usize,
    latency: u64,
    programs: Vec<Vec<Op>>,
}

fn case() -> impl Strategy<Value = Case> {
    let op = prop_oneof![3 => (1..=4u32).prop_map(Op::Load), 2 => Just(Op::Use), 1 => Just(Op::Alu)];
    let program = prop::collection::vec(op, 2..12);
    let programs = prop::collection::vec(program, 2..=8);
    (programs, 1..=2u32, 0..=4u32, 1..=4usize, 2..=30u64, prop::bool::weighted(0.3)).prop_map(
        |(mut programs, schedulers, rexq, mshrs, latency, barrier)| {
            if barrier {
                // All wait for each other once, in the middle.
                programs.iter_mut().for_each(|program| program.insert(program.len() / 2, Op::Barrier));
            }
            Case { warps: programs.len() as u32, schedulers, rexq, mshrs, latency, programs }
        },
    )
}

/// When the flag is up.
#[derive(Clone, Copy, PartialEq)]
enum Flag {
    /// From cycle 13 on, whatever the L1 does; this is the sheet's case.
    Forced,
    /// While all MSHRs are taken.
    Follows,
}

/// Runs a case; whether it ends. Every access is a miss, and no owner is timed out.
fn ends(case: &Case, base: &MascarConfig, flag: Flag) -> bool {
    let &Case { warps, schedulers, rexq, mshrs, latency, .. } = case;
    let config = MascarConfig { warps, schedulers, rexq, owner_timeout: 0, ..*base };
    let mut sm = Sm::new(&config, &case.programs);
    let mut flying: Vec<(usize, u64)> = Vec::new();
    for t in 1..6000 {
        flying.retain(|&(_, back)| back > t);
        for w in 0..sm.warps.len() {
            if flying.iter().all(|&(of, _)| of != w) {
                sm.returned(w);
            }
        }
        let room = flying.len() < mshrs;
        sm.saturate(match flag {
            Flag::Forced => t >= 13,
            Flag::Follows => !room,
        });
        let done = sm.cycle(t, |_| (Lookup::Miss, room));
        if let Some((w, _)) = done.reply.filter(|(_, reply)| reply.ack) {
            flying.push((usize::from(w.0), t + latency));
        }
        if sm.ended() {
            assert!(is_empty(&sm.machine));
            return true;
        }
    }
    false
}

/// 400 random small SMs.
fn stuck(base: &MascarConfig, flag: Flag) -> usize {
    let mut runner = TestRunner::deterministic();
    let mut cases = || case().new_tree(&mut runner).expect("a value").current();
    (0..400).filter(|_| !ends(&cases(), base, flag)).count()
}

#[test]
fn nobody_is_stuck_with_the_flag_forced_up() {
    assert_eq!(stuck(&MascarConfig::GTX480, Flag::Forced), 0);
}

/// mascar-I7 the other way round: the same SMs, without what mascar-H2 to H4 call for.
#[test]
fn without_each_rule_some_are_stuck() {
    let without = [
        ("rescue", MascarConfig { rescue: false, ..MascarConfig::GTX480 }),
        ("retry_owner", MascarConfig { retry_owner: false, ..MascarConfig::GTX480 }),
        ("relinquish_sync", MascarConfig { relinquish_sync: false, ..MascarConfig::GTX480 }),
    ];
    for (rule, config) in without {
        let stuck = stuck(&config, Flag::Forced);
        println!("{stuck} of 400 are stuck without {rule}");
        assert!(stuck > 0, "none is stuck without {rule}");
    }
}

/// Back pressure that follows the L1 falls, and everything drains.
#[test]
fn nobody_is_stuck_with_a_flag_that_follows_the_occupancy() {
    for (rescue, retry_owner) in [(true, true), (false, true), (true, false), (false, false)] {
        assert_eq!(stuck(&MascarConfig { rescue, retry_owner, ..MascarConfig::GTX480 }, Flag::Follows), 0);
    }
}
