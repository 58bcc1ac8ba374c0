//! Random runs of the stack and the scoreboard.

use gpusched::simt::scoreboard::{Issue, RegId, Scoreboard, ScoreboardConfig, Stall, WarpId};
use gpusched::simt::stack::{Branch, FirstPath, NO_PC, Stack, StackConfig};
use gpusched_tests::machine::Machine;
use gpusched_tests::simt::scoreboard::{self, Scoreboards};
use gpusched_tests::simt::stack::{self, Stacks};
use proptest::prelude::*;

use crate::every::{Answered, Runs, Script, reach, runs};

prop_compose! {
    fn stacks()(
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

fn stack_events() -> impl Strategy<Value = Vec<(stack::Event, bool)>> {
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
fn within(event: &stack::Event, running: u64) -> stack::Event {
    match *event {
        stack::Event::Branch { branch } => {
            stack::Event::Branch { branch: Branch { taken: branch.taken & running, ..branch } }
        }
        stack::Event::Exit { lanes } if lanes & running != 0 => stack::Event::Exit { lanes: lanes & running },
        other => other,
    }
}

impl Script for Stacks {
    type Step = (stack::Event, bool);
    type Host = ();

    const RUNS: Runs = Runs { model: 1500, c: 1500, image: 1000, forged: 1000 };
    const PRESETS: &'static [StackConfig] = &[StackConfig::WARP_32];
    const BAD: StackConfig = StackConfig { lanes: 65, ..StackConfig::WARP_32 };

    fn configs() -> BoxedStrategy<StackConfig> {
        stacks().boxed()
    }

    fn steps() -> BoxedStrategy<Vec<Self::Step>> {
        stack_events().boxed()
    }

    fn host(_: &StackConfig) {}

    fn events(core: &Self::Core, (): &mut (), (event, knows): &Self::Step) -> Vec<stack::Event> {
        vec![if *knows { within(event, core.mask()) } else { *event }]
    }

    fn some() -> Vec<(u8, &'static str, Self::Core)> {
        vec![(19, "stack-v2.bin", busy_stack())]
    }

    fn numbers() -> Vec<u8> {
        (0..=255).collect()
    }
}

fn busy_stack() -> Stack<stack::HeapTables> {
    let mut warp = stack::machine(&StackConfig::of_lanes(4)).unwrap();
    warp.init(10, 0xf).unwrap();
    warp.branch(&Branch { taken: 8, taken_pc: 30, fall_pc: 20, reconv: Some(40) }).unwrap();
    warp.branch(&Branch { taken: 4, taken_pc: 25, fall_pc: 22, reconv: None }).unwrap();
    warp.exit(1).unwrap();
    warp
}

prop_compose! {
    fn boards()(
        warps in prop_oneof![5 => 1..=3u32, 1 => Just(64u32)],
        regs in prop_oneof![5 => 1..=6u32, 1 => Just(256u32)],
        entries in prop_oneof![2 => Just(0u32), 2 => 1..=4u32, 1 => Just(256u32)],
    ) -> ScoreboardConfig {
        ScoreboardConfig { warps, regs, entries }
    }
}

fn board_events() -> impl Strategy<Value = Vec<scoreboard::Event>> {
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

impl Script for Scoreboards {
    type Step = scoreboard::Event;
    type Host = ();

    const RUNS: Runs = Runs { model: 1500, c: 1500, image: 1000, forged: 1000 };
    const PRESETS: &'static [ScoreboardConfig] = &[ScoreboardConfig::GTX480];
    const BAD: ScoreboardConfig = ScoreboardConfig { regs: 257, ..ScoreboardConfig::GTX480 };

    fn configs() -> BoxedStrategy<ScoreboardConfig> {
        boards().boxed()
    }

    fn steps() -> BoxedStrategy<Vec<Self::Step>> {
        board_events().boxed()
    }

    fn host(_: &ScoreboardConfig) {}

    fn events(_: &Self::Core, (): &mut (), event: &scoreboard::Event) -> Vec<scoreboard::Event> {
        vec![event.clone()]
    }

    /// models-B1, models-B2, models-I6.
    fn note(
        (): &mut (),
        _: &scoreboard::Event,
        answered: &Answered<Self>,
        before: &scoreboard::View,
        after: &scoreboard::View,
        board: &Self::Core,
    ) -> Result<(), String> {
        let entries = board.config().entries as usize;
        let stalls = matches!(answered, Ok(scoreboard::Answer::Issue(Issue::Stall(_))));
        let holds =
            (!stalls || before == after) && (entries == 0 || after.pending.iter().all(|of| of.len() <= entries));
        if holds { Ok(()) } else { Err(format!("{answered:?} from {before:?} to {after:?}")) }
    }

    fn some() -> Vec<(u8, &'static str, Self::Core)> {
        vec![(20, "scoreboard-v2.bin", busy_board())]
    }

    fn numbers() -> Vec<u8> {
        (0..=255).collect()
    }

    /// Whatever is pending is written back.
    fn bears(mut board: Self::Core) -> Result<(), String> {
        for (w, pending) in (0..).zip(board.view().pending) {
            for reg in pending.into_keys() {
                let event = scoreboard::Event::Writeback { warp: WarpId(w), reg: RegId(reg as u16) };
                board.take(&event).map_err(|fault| fault.to_string())?;
            }
        }
        if board.mem_in_flight() == 0 { Ok(()) } else { Err("loads in flight that nobody waits for".into()) }
    }
}

fn busy_board() -> Scoreboard<scoreboard::HeapTables> {
    use scoreboard::Event;
    let mut board = scoreboard::machine(&ScoreboardConfig { warps: 3, regs: 70, entries: 3 }).unwrap();
    for (w, reg, mem) in [(0, 1, true), (0, 69, false), (2, 0, true)] {
        let (warp, destination) = (WarpId(w), Some(RegId(reg)));
        board.take(&Event::Issue { warp, sources: vec![], destination, memory: mem }).unwrap();
    }
    board
}

proptest! {
    #![proptest_config(runs(1500))]

    /// Sets of registers are what lists of them are: one register at a time, the same waits and the same state.
    #[test]
    fn sets_of_registers_answer_as_lists(config in boards(), events in board_events()) {
        use gpusched::IdSet;
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
    let mut found = [false; 3];
    reach::<Scoreboards>(300, |_, answered, _| {
        if let Ok(scoreboard::Answer::Issue(Issue::Stall(Stall { hazard, .. }))) = answered {
            found[*hazard as usize] = true;
        }
    });
    assert_eq!(found, [true; 3]);
}
