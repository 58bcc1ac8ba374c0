//! Every way of small SMs, to the end: all states that can be reached, each once; and from each of them a way on with the saturation
//! flag forced up.
//!
//! Times decide nothing without a time limit, so states are told apart by the rest.

use std::collections::VecDeque;

use gpusched::mascar::{Lookup, MascarConfig};
use gpusched_tests::images::valid;
use gpusched_tests::mascar::View;
use gpusched_tests::mascar::sm::{Op, Sm, is_empty};
use gpusched_tests::seen::Seen;

/// What may happen next.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// The values of a warp's accepted requests return.
    Return(usize),
    /// The flag goes up or down.
    Flag(bool),
    /// A cycle with this answer of the L1.
    Cycle(Lookup, bool),
}

const STEPS: [Step; 8] = [
    Step::Return(0),
    Step::Return(1),
    Step::Return(2),
    Step::Flag(true),
    Step::Flag(false),
    Step::Cycle(Lookup::Miss, true),
    Step::Cycle(Lookup::Miss, false),
    Step::Cycle(Lookup::Hit, false),
];

fn take(sm: &mut Sm, step: Step, now: u64) {
    match step {
        Step::Return(w) if w < sm.warps.len() => sm.returned(w),
        Step::Return(_) => {}
        Step::Flag(up) => sm.saturate(up),
        Step::Cycle(result, room) => drop(sm.cycle(now, |_| (result, room))),
    }
}

/// Cycles in which every small SM ends, once the L1 has room and values return.
const SOON: u64 = 120;

/// From here on the flag is up, the L1 has room, every access misses, values return: all warps end, and every owner gave up.
fn goes_on(sm: &Sm, now: u64) -> Result<(), String> {
    let mut sm = sm.clone();
    sm.saturate(true);
    for t in now..now + SOON {
        if sm.ended() {
            return if is_empty(&sm.machine) && sm.machine.owner().is_none() {
                Ok(())
            } else {
                Err("something is left".into())
            };
        }
        sm.cycle(t, |_| (Lookup::Miss, true));
        (0..sm.warps.len()).for_each(|w| sm.returned(w));
    }
    Err(format!("still at it after {SOON} cycles: {:?}", View::of(&sm.machine)))
}

/// Explores all states; how many there are, and how many of them have no way on.
fn explore(config: &MascarConfig, programs: &[Vec<Op>]) -> (usize, Vec<String>) {
    let start = Sm::new(config, programs);
    let mut seen = Seen::from_iter([start.key()]);
    let mut queue = VecDeque::from([(start, 0)]);
    let mut stuck = Vec::new();
    while let Some((sm, now)) = queue.pop_front() {
        for step in STEPS {
            let mut after = sm.clone();
            take(&mut after, step, now);
            if !seen.insert(after.key()) {
                continue;
            }
            if let Err(message) = valid(&after.machine, after.machine.validate()) {
                panic!("{message}\nafter {step:?} of {config:?}");
            }
            stuck.extend(goes_on(&after, now + 1).err());
            queue.push_back((after, now + 1));
        }
    }
    (seen.len(), stuck)
}

fn config(rexq: u32, schedulers: u32) -> MascarConfig {
    MascarConfig { warps: 3, schedulers, rexq, owner_timeout: 0, warp_size: 4, ..MascarConfig::GTX480 }
}

/// Loads of several requests against queues that hold none, some and all of them.
#[test]
fn no_state_is_a_livelock() {
    let programs = [vec![Op::Load(2), Op::Use], vec![Op::Load(1), Op::Load(2), Op::Use], vec![Op::Load(1), Op::Use]];
    for (rexq, schedulers) in [(0, 1), (1, 1), (2, 2), (4, 1)] {
        let (states, stuck) = explore(&config(rexq, schedulers), &programs);
        println!("{states} states with {rexq} entries");
        assert!(stuck.is_empty(), "{} of {states} states have no way on: {}", stuck.len(), stuck[0]);
        assert!(states > 1000, "{states} states");
    }
}

/// A barrier that all must reach, some of them through memory.
#[test]
fn no_barrier_is_a_deadlock() {
    let programs = [
        vec![Op::Load(1), Op::Barrier, Op::Use],
        vec![Op::Load(2), Op::Use, Op::Barrier],
        vec![Op::Barrier, Op::Load(1)],
    ];
    for rexq in [0, 1, 3] {
        let (states, stuck) = explore(&config(rexq, 1), &programs);
        println!("{states} states with {rexq} entries");
        assert!(stuck.is_empty(), "{} of {states} states have no way on: {}", stuck.len(), stuck[0]);
    }
}

/// The search finds what mascar-H2 to H4 are about.
#[test]
fn without_its_rules_there_are_livelocks() {
    let loads = [vec![Op::Load(2), Op::Use], vec![Op::Load(1), Op::Load(2), Op::Use], vec![Op::Load(1), Op::Use]];
    let barrier = [vec![Op::Load(1), Op::Barrier, Op::Use], vec![Op::Load(2), Op::Use, Op::Barrier], vec![Op::Barrier]];
    let wrong = [
        (MascarConfig { rescue: false, ..config(1, 1) }, &loads),
        (MascarConfig { retry_owner: false, ..config(1, 1) }, &loads),
        (MascarConfig { relinquish_sync: false, ..config(3, 1) }, &barrier),
    ];
    for (config, programs) in wrong {
        assert!(!explore(&config, programs).1.is_empty(), "{config:?}");
    }
}
