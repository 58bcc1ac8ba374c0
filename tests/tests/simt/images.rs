//! Images: a restored machine cannot be told from the saved one; what is damaged or forged is refused or harmless.

use gpusched::ImageError;
use gpusched::simt::scoreboard::{Scoreboard, ScoreboardConfig, scoreboard_image_config};
use gpusched::simt::stack::{Branch, Stack, StackConfig, stack_image_config};
use gpusched_tests::images::{
    assert_damage_is_refused, assert_forgery_is_harmless, assert_is_stored, assert_kind, image,
};
use gpusched_tests::simt::{scoreboard, stack};

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
        board.take(&Event::Issue { w, src: vec![], dst: Some(reg), mem }).unwrap();
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
    assert_kind(&image(&busy_stack()), 19);
    assert_kind(&image(&busy_board()), 20);
}

#[test]
fn what_is_damaged_is_refused() {
    assert_damage_is_refused(&busy_stack(), restored_stack);
    assert_damage_is_refused(&busy_board(), restored_board);
}

#[test]
fn stored_images_are_still_good() {
    assert_is_stored(&busy_stack(), "stack-v1.bin", env!("CARGO_TARGET_TMPDIR"), restored_stack);
    assert_is_stored(&busy_board(), "scoreboard-v1.bin", env!("CARGO_TARGET_TMPDIR"), restored_board);
}

#[test]
fn every_forged_number_of_a_stack_is_refused_or_possible() {
    assert_forgery_is_harmless(&image(&busy_stack()), 0..=255, restored_stack, |mut warp| {
        for _ in 0..200 {
            let Some(lane) = (0..64).find(|lane| warp.mask() >> lane & 1 == 1) else { break };
            let _ = warp.branch(&Branch { taken: 1 << lane, taken_pc: 1, fall_pc: 2, reconv: Some(3) });
            let _ = warp.advance(3);
            let _ = warp.exit(1 << lane & warp.mask());
        }
        Ok(())
    });
}

#[test]
fn every_forged_number_of_a_scoreboard_is_refused_or_possible() {
    use scoreboard::{Event, Machine};
    assert_forgery_is_harmless(&image(&busy_board()), 0..=255, restored_board, |mut board| {
        for (w, pending) in (0..).zip(board.view().pending) {
            for reg in pending.into_keys() {
                board.take(&Event::Writeback { w, reg }).map_err(|fault| fault.to_string())?;
            }
        }
        if board.mem_in_flight() == 0 { Ok(()) } else { Err("loads in flight that nobody waits for".into()) }
    });
}
