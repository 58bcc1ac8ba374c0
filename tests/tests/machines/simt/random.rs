//! Random runs: core and C answer and stand as the plain models do, and refused calls change nothing.

use gpusched::simt::scoreboard::{Issue, RegId, ScoreboardConfig, Stall, WarpId};
use gpusched::simt::stack::{Branch, FirstPath, NO_PC, StackConfig};
use gpusched_tests::simt::{scoreboard, stack};
use gpusched_tests::through_c;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

/// `cases` random runs, the same in every test run. `PROPTEST_RNG_SEED` chooses others.
pub fn runs(cases: u32) -> Config {
    let chosen = Config::default();
    let rng_seed = match chosen.rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        fixed => fixed,
    };
    Config { cases, rng_seed, ..chosen }
}

prop_compose! {
    pub fn stacks()(
        lanes in prop_oneof![1 => Just(1u32), 6 => 2..=5u32, 1 => Just(32u32), 1 => Just(64u32)],
        short in prop::option::weighted(0.3, 1..=5u32),
        taken_first: bool,
        compact: bool,
    ) -> StackConfig {
        let of = StackConfig::of_lanes(lanes);
        let first = if taken_first { FirstPath::Taken } else { FirstPath::Fall };
        StackConfig { depth: short.unwrap_or(of.depth), first, compact, ..of }
    }
}

/// PCs are few, so that joins are met; now and then one is none.
fn pcs() -> impl Strategy<Value = u32> {
    prop_oneof![30 => 0..8u32, 1 => Just(NO_PC)]
}

/// Lanes: mostly any of the few, now and then what no warp has.
fn masks() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0..32u64, 2 => any::<u64>(), 1 => Just(0u64)]
}

pub fn stack_events() -> impl Strategy<Value = Vec<(stack::Event, bool)>> {
    let reconv = prop_oneof![5 => (0..8u32).prop_map(Some), 1 => Just(None), 1 => Just(Some(NO_PC))];
    let branch = (masks(), pcs(), pcs(), reconv).prop_map(|(taken, taken_pc, fall_pc, reconv)| stack::Event::Branch {
        branch: Branch { taken, taken_pc, fall_pc, reconv },
    });
    let event = prop_oneof![
        1 => (pcs(), masks()).prop_map(|(pc, mask)| stack::Event::Init { pc, mask }),
        6 => pcs().prop_map(|pc| stack::Event::Advance { pc }),
        8 => branch,
        2 => masks().prop_map(|lanes| stack::Event::Exit { lanes }),
    ];
    // Most masks are cut to what runs, so that they are taken.
    prop::collection::vec((event, prop::bool::weighted(0.9)), 0..60)
}

/// The event as a host makes it that mostly knows what runs.
pub fn within(event: &stack::Event, running: u64) -> stack::Event {
    match *event {
        stack::Event::Branch { branch } => {
            stack::Event::Branch { branch: Branch { taken: branch.taken & running, ..branch } }
        }
        stack::Event::Exit { lanes } if lanes & running != 0 => stack::Event::Exit { lanes: lanes & running },
        other => other,
    }
}

prop_compose! {
    pub fn boards()(
        warps in prop_oneof![5 => 1..=3u32, 1 => Just(64u32)],
        regs in prop_oneof![5 => 1..=6u32, 1 => Just(256u32)],
        entries in prop_oneof![2 => Just(0u32), 2 => 1..=4u32, 1 => Just(256u32)],
    ) -> ScoreboardConfig {
        ScoreboardConfig { warps, regs, entries }
    }
}

pub fn board_events() -> impl Strategy<Value = Vec<scoreboard::Event>> {
    let warp = || prop_oneof![20 => 0..3u8, 1 => Just(64u8), 1 => Just(u8::MAX)].prop_map(WarpId);
    let reg = || prop_oneof![20 => 0..6u16, 1 => Just(255u16), 1 => Just(256u16), 1 => Just(u16::MAX)].prop_map(RegId);
    let event = prop_oneof![
        6 => (warp(), prop::collection::vec(reg(), 0..=5), prop::option::of(reg()), any::<bool>())
            .prop_map(|(warp, sources, destination, memory)| scoreboard::Event::Issue { warp, sources, destination, memory }),
        4 => (warp(), reg()).prop_map(|(warp, reg)| scoreboard::Event::Writeback { warp, reg }),
        1 => warp().prop_map(|warp| scoreboard::Event::Flush { warp }),
    ];
    prop::collection::vec(event, 0..60)
}

proptest! {
    #![proptest_config(runs(1500))]

    #[test]
    fn a_stack_answers_as_its_model(config in stacks(), events in stack_events()) {
        use stack::Machine;
        let mut core = stack::machine(&config).unwrap();
        let mut c = through_c::stack::ThroughC::new(&config).unwrap();
        let mut model = stack::Model::new(&config);
        for (event, knows) in &events {
            let event = if *knows { within(event, core.mask()) } else { *event };
            let (before, c_before) = (core.clone(), c.mark());
            let answer = core.take(&event);
            prop_assert_eq!(&answer, &model.take(&event), "{:?}", event);
            prop_assert_eq!(&answer, &Machine::take(&mut c, &event), "through C, {:?}", event);
            if answer.is_err() {
                prop_assert!(core == before && c.mark() == c_before, "{:?} was refused and changed the state", event);
            }
            prop_assert_eq!(core.view(), model.view(), "after {:?}", event);
            prop_assert_eq!(core.view(), c.view(), "through C, after {:?}", event);
        }
    }

    /// models-B1, models-B2, models-I6.
    #[test]
    fn a_scoreboard_answers_as_its_model(config in boards(), events in board_events()) {
        use scoreboard::Machine;
        let mut core = scoreboard::machine(&config).unwrap();
        let mut c = through_c::scoreboard::ThroughC::new(&config).unwrap();
        let mut model = scoreboard::Model::new(&config);
        for event in &events {
            let (before, c_before) = (core.clone(), c.mark());
            let answer = core.take(event);
            prop_assert_eq!(&answer, &model.take(event), "{:?}", event);
            prop_assert_eq!(&answer, &Machine::take(&mut c, event), "through C, {:?}", event);
            if matches!(answer, Err(_) | Ok(scoreboard::Answer::Issue(Issue::Stall(_)))) {
                prop_assert!(core == before && c.mark() == c_before, "{:?} changed the state", event);
            }
            let view = core.view();
            prop_assert_eq!(&view, &model.view(), "after {:?}", event);
            prop_assert_eq!(&view, &c.view(), "through C, after {:?}", event);
            let entries = config.entries as usize;
            prop_assert!(entries == 0 || view.pending.iter().all(|warp| warp.len() <= entries));
        }
    }

    /// Sets of registers are what lists of them are: one register at a time, the same waits and the same state.
    #[test]
    fn sets_of_registers_answer_as_lists(config in boards(), events in board_events()) {
        use gpusched::IdSet;
        use scoreboard::Machine;
        let (mut lists, mut sets) = (scoreboard::machine(&config).unwrap(), scoreboard::machine(&config).unwrap());
        let set = |regs: &mut dyn Iterator<Item = RegId>| {
            let mut set = IdSet::EMPTY;
            regs.for_each(|reg| set.set(reg, true));
            set
        };
        for event in &events {
            // What a set cannot tell: the order of sources, more than four of them, registers beyond 255.
            match event {
                scoreboard::Event::Issue { warp, sources, destination, memory } if warp.0 < 64 && sources.len() <= 1 => {
                    if sources.iter().chain(destination).any(|reg| reg.0 > 255) { continue }
                    let destinations = set(&mut destination.iter().copied());
                    let sources = set(&mut sources.iter().copied());
                    let expected = lists.take(event);
                    let got = sets.issue_sets(*warp, &sources, &destinations, *memory);
                    prop_assert_eq!(got.map(scoreboard::Answer::Issue), expected);
                }
                scoreboard::Event::Writeback { warp, reg } if warp.0 < 64 && reg.0 < 256 => {
                    let got = sets.writeback_set(*warp, &set(&mut [*reg].into_iter()));
                    prop_assert_eq!(got.map(scoreboard::Answer::Issued), lists.take(event));
                }
                _ => continue,
            }
            prop_assert_eq!(&lists, &sets);
        }
    }
}

/// Each kind of answer is among the random ones.
#[test]
fn random_runs_reach_every_stall() {
    use proptest::strategy::ValueTree;
    use scoreboard::Machine;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut found = [false; 3];
    for _ in 0..300 {
        let (config, events) = (boards(), board_events()).new_tree(&mut runner).expect("a value").current();
        let mut core = scoreboard::machine(&config).unwrap();
        for event in &events {
            if let Ok(scoreboard::Answer::Issue(Issue::Stall(Stall { hazard, .. }))) = core.take(event) {
                found[hazard as usize] = true;
            }
        }
    }
    assert_eq!(found, [true; 3]);
}
