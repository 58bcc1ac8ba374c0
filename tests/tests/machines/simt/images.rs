//! Images: a restored machine cannot be told from the saved one; what is damaged or forged is refused or harmless.

use gpusched::ImageError;
use gpusched::simt::scoreboard::{RegId, Scoreboard, ScoreboardConfig, WarpId, scoreboard_image_config};
use gpusched::simt::stack::{Branch, Stack, StackConfig, stack_image_config};
use gpusched_tests::images::{
    again, assert_damage_is_refused, assert_forgery_is_harmless, assert_is_stored, assert_kind, forge, image, on_both,
};
use gpusched_tests::simt::{scoreboard, stack};
use proptest::prelude::*;

use crate::simt::random::{board_events, boards, runs, stack_events, stacks, within};

fn busy_stack() -> Stack<stack::HeapTables> {
    let mut warp = stack::machine(&StackConfig::of_lanes(4)).unwrap();
    warp.init(10, 0xf).unwrap();
    warp.branch(&Branch { taken: 8, taken_pc: 30, fall_pc: 20, reconv: Some(40) }).unwrap();
    warp.branch(&Branch { taken: 4, taken_pc: 25, fall_pc: 22, reconv: None }).unwrap();
    warp.exit(1).unwrap();
    warp
}

fn busy_board() -> Scoreboard<scoreboard::HeapTables> {
    use scoreboard::{Event, Machine};
    let mut board = scoreboard::machine(&ScoreboardConfig { warps: 3, regs: 70, entries: 3 }).unwrap();
    for (w, reg, mem) in [(0, 1, true), (0, 69, false), (2, 0, true)] {
        let (warp, destination) = (WarpId(w), Some(RegId(reg)));
        board.take(&Event::Issue { warp, sources: vec![], destination, memory: mem }).unwrap();
    }
    board
}

fn restored_stack(image: &[u8]) -> Result<Stack<stack::HeapTables>, ImageError> {
    Stack::restore(image, stack::tables(&stack_image_config(image)?))
}

fn restored_board(image: &[u8]) -> Result<Scoreboard<scoreboard::HeapTables>, ImageError> {
    Scoreboard::restore(image, scoreboard::tables(&scoreboard_image_config(image)?))
}

#[test]
fn kinds_are_told_apart() {
    assert_kind(&image(&busy_stack()), 19, 2);
    assert_kind(&image(&busy_board()), 20, 2);
}

#[test]
fn what_is_damaged_is_refused() {
    assert_damage_is_refused(&busy_stack(), restored_stack);
    assert_damage_is_refused(&busy_board(), restored_board);
}

#[test]
fn stored_images_are_still_good() {
    assert_is_stored(&busy_stack(), "stack-v2.bin", env!("CARGO_TARGET_TMPDIR"), restored_stack);
    assert_is_stored(&busy_board(), "scoreboard-v2.bin", env!("CARGO_TARGET_TMPDIR"), restored_board);
}

#[test]
fn every_forged_number_of_a_stack_is_refused_or_possible() {
    assert_forgery_is_harmless(&busy_stack(), 0..=255, |_| Ok(()));
}

#[test]
fn every_forged_number_of_a_scoreboard_is_refused_or_possible() {
    use scoreboard::{Event, Machine};
    assert_forgery_is_harmless(&busy_board(), 0..=255, |mut board| {
        for (w, pending) in (0..).zip(board.view().pending) {
            for reg in pending.into_keys() {
                board
                    .take(&Event::Writeback { warp: WarpId(w), reg: RegId(reg as u16) })
                    .map_err(|fault| fault.to_string())?;
            }
        }
        if board.mem_in_flight() == 0 { Ok(()) } else { Err("loads in flight that nobody waits for".into()) }
    });
}

fn play_stack(warp: &mut Stack<stack::HeapTables>, events: &[(stack::Event, bool)]) -> Result<(), TestCaseError> {
    use stack::Machine;
    for (event, knows) in events {
        let event = if *knows { within(event, warp.mask()) } else { *event };
        let _ = on_both(warp, |warp| warp.take(&event)).map_err(TestCaseError::fail)?;
    }
    again(warp).map(drop).map_err(TestCaseError::fail)
}

fn play_board(
    board: &mut Scoreboard<scoreboard::HeapTables>,
    events: &[scoreboard::Event],
) -> Result<(), TestCaseError> {
    use scoreboard::Machine;
    for event in events {
        let _ = on_both(board, |board| board.take(event)).map_err(TestCaseError::fail)?;
    }
    again(board).map(drop).map_err(TestCaseError::fail)
}

/// Changes to a body, for several forged ones.
fn tries() -> impl Strategy<Value = Vec<Vec<u64>>> {
    prop::collection::vec(prop::collection::vec(any::<u64>(), 1..=4), 8)
}

proptest! {
    #![proptest_config(runs(1000))]

    /// A machine can be saved and restored anywhere in a random history, and goes on from its image as it would have; a forged body is
    /// refused, or makes a machine that keeps the invariants, bears every call, and can be saved and restored.
    #[test]
    fn a_stack_goes_on_from_its_image_even_if_forged(
        config in stacks(), events in stack_events(), tries in tries(), after in stack_events(),
    ) {
        let mut warp = stack::machine(&config).unwrap();
        play_stack(&mut warp, &events)?;
        for mut forged in tries.iter().filter_map(|edits| forge(&warp, edits)) {
            play_stack(&mut forged, &after)?;
        }
    }

    #[test]
    fn a_scoreboard_goes_on_from_its_image_even_if_forged(
        config in boards(), events in board_events(), tries in tries(), after in board_events(),
    ) {
        let mut board = scoreboard::machine(&config).unwrap();
        play_board(&mut board, &events)?;
        for mut forged in tries.iter().filter_map(|edits| forge(&board, edits)) {
            play_board(&mut forged, &after)?;
        }
    }
}
