//! Images: a restored machine cannot be told from the saved one; what is damaged or forged is refused or harmless.

use gpusched::ImageError;
use gpusched::simt::scoreboard::{Scoreboard, ScoreboardConfig, scoreboard_image_config};
use gpusched::simt::stack::{Branch, Stack, StackConfig, stack_image_config};
use gpusched_tests::images::{CHECKSUM, HEADER, forged};
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

fn image<M>(
    machine: &M,
    len: impl Fn(&M) -> usize,
    save: impl Fn(&M, &mut [u8]) -> Result<usize, ImageError>,
) -> Vec<u8> {
    let mut image = vec![0xa5; len(machine)];
    assert_eq!(save(machine, &mut image), Ok(image.len()));
    image
}

/// What is true of both machines: stability, refusals of damage, forged numbers that are refused or harmless.
fn check<M: PartialEq + std::fmt::Debug>(
    kind: u8,
    machine: M,
    image: impl Fn(&M) -> Vec<u8>,
    restored: impl Fn(&[u8]) -> Result<M, ImageError>,
    bears: impl Fn(M),
) {
    let good = image(&machine);
    assert_eq!(good[..12], [&b"gpusched"[..], &[kind, 0, 1, 0]].concat());
    assert_eq!(restored(&good).as_ref(), Ok(&machine));
    for len in 0..good.len() {
        assert_eq!(restored(&good[..len]), Err(ImageError::Truncated));
    }
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        assert!(restored(&bad).is_err(), "byte {at}");
    }
    let body = &good[HEADER..good.len() - CHECKSUM];
    let mut refused = 0;
    for (at, byte) in (0..body.len()).flat_map(|at| (0..=255).map(move |byte| (at, byte))) {
        let mut changed = body.to_vec();
        changed[at] = byte;
        match restored(&forged(&good, &changed)) {
            Err(error) => {
                assert_eq!(error, ImageError::Content);
                refused += 1;
            }
            Ok(machine) => {
                assert_eq!(restored(&image(&machine)).as_ref(), Ok(&machine), "byte {at} = {byte}");
                bears(machine);
            }
        }
    }
    assert!(refused > body.len(), "{refused} of the forged images are refused");
}

#[test]
fn a_stacks_image_is_the_stack() {
    check(
        19,
        busy_stack(),
        |warp| image(warp, Stack::image_len, Stack::save),
        |image| Stack::restore(image, stack::tables(&stack_image_config(image)?)),
        |mut warp| {
            for _ in 0..200 {
                let Some(lane) = (0..64).find(|lane| warp.mask() >> lane & 1 == 1) else { break };
                let _ = warp.branch(&Branch { taken: 1 << lane, taken_pc: 1, fall_pc: 2, reconv: Some(3) });
                let _ = warp.advance(3);
                let _ = warp.exit(1 << lane & warp.mask());
            }
        },
    );
}

#[test]
fn a_scoreboards_image_is_the_scoreboard() {
    use scoreboard::{Event, Machine};
    check(
        20,
        busy_board(),
        |board| image(board, Scoreboard::image_len, Scoreboard::save),
        |image| Scoreboard::restore(image, scoreboard::tables(&scoreboard_image_config(image)?)),
        |mut board| {
            for (w, pending) in (0..).zip(board.view().pending) {
                for reg in pending.into_keys() {
                    assert!(board.take(&Event::Writeback { w, reg }).is_ok());
                }
            }
            assert_eq!(board.mem_in_flight(), 0);
        },
    );
}

/// Images of yesterday. If one fails, its form has changed: count up the version in its `image.rs`, and check in the image of the new
/// version beside the old one.
#[test]
fn stored_images_are_still_good() {
    let stack = image(&busy_stack(), Stack::image_len, Stack::save);
    let board = image(&busy_board(), Scoreboard::image_len, Scoreboard::save);
    let stored = [&include_bytes!("../images/stack-v1.bin")[..], &include_bytes!("../images/scoreboard-v1.bin")[..]];
    for (name, now, stored) in [("stack", stack, stored[0]), ("scoreboard", board, stored[1])] {
        if now != stored {
            std::fs::write(format!("{}/{name}.bin", env!("CARGO_TARGET_TMPDIR")), &now).unwrap();
        }
        assert!(now == stored, "the form has changed; today's image is {}/{name}.bin", env!("CARGO_TARGET_TMPDIR"));
    }
}
