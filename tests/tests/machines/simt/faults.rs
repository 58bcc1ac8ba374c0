//! Every fault, in the order of the tests that the sheet names: a call that provokes it, and the state, which is then as before.

use gpusched::Fault;
use gpusched::simt::scoreboard::{RegId, Scoreboard, ScoreboardConfig, WarpId};
use gpusched::simt::stack::{Branch, NO_PC, Stack, StackConfig};
use gpusched_tests::simt::{scoreboard, stack};

/// A warp of four lanes, of which two run and two wait.
fn warp(depth: u32) -> Stack<stack::HeapTables> {
    let mut warp = stack::machine(&StackConfig { depth, ..StackConfig::of_lanes(4) }).unwrap();
    warp.init(10, 0xf).unwrap();
    warp.branch(&Branch { taken: 0xc, taken_pc: 30, fall_pc: 20, reconv: Some(40) }).unwrap();
    warp
}

#[test]
fn a_stack_names_what_it_refuses() {
    use stack::{Event, Machine};
    let branch =
        |taken, taken_pc, fall_pc| Event::Branch { branch: Branch { taken, taken_pc, fall_pc, reconv: Some(39) } };
    let cases = [
        (Fault::BadPc, Event::Init { pc: NO_PC, mask: 0 }),
        (Fault::BadMask, Event::Init { pc: 1, mask: 0 }),
        (Fault::BadMask, Event::Init { pc: 1, mask: 0x10 }),
        (Fault::BadPc, Event::Advance { pc: NO_PC }),
        (Fault::BadPc, branch(4, NO_PC, 1)),
        (Fault::BadPc, branch(4, 1, NO_PC)),
        (Fault::BadMask, branch(4, 1, 2)),
        (Fault::StackOverflow, branch(1, 1, 2)),
        (Fault::BadMask, Event::Exit { lanes: 0 }),
        (Fault::BadMask, Event::Exit { lanes: 7 }),
    ];
    for (fault, event) in cases {
        let mut one = warp(3);
        assert_eq!(one.take(&event), Err(fault), "{event:?}");
        assert_eq!(one, warp(3), "{event:?}");
    }
    let fresh = || stack::machine(&StackConfig::of_lanes(4)).unwrap();
    let mut done = warp(3);
    done.exit(3).unwrap();
    assert!(done.exit(0xc).unwrap().done);
    for mut dead in [fresh(), done] {
        let before = dead.clone();
        // A warp that is not live says so before anything else.
        for event in [Event::Advance { pc: NO_PC }, branch(0xf0, NO_PC, NO_PC), Event::Exit { lanes: 0 }] {
            assert_eq!(dead.take(&event), Err(Fault::WarpDone), "{event:?}");
        }
        assert_eq!(dead, before);
        assert!(dead.take(&Event::Init { pc: 0, mask: 1 }).is_ok());
    }
}

/// The hazard of a short stack: it can branch uniformly and exit, and nothing else; a compact one goes on.
#[test]
fn a_full_stack_can_branch_uniformly_and_exit() {
    let mut full = warp(2);
    let split = Branch { taken: 1, taken_pc: 25, fall_pc: 22, reconv: Some(40) };
    assert_eq!(full.branch(&split), Err(Fault::StackOverflow));
    assert_eq!(full.branch(&Branch { taken: 3, ..split }).map(|at| at.pc), Ok(25));
    assert_eq!(full.exit(1).map(|at| (at.mask, at.depth)), Ok((2, 2)));

    let config = StackConfig { depth: 3, compact: true, ..StackConfig::of_lanes(4) };
    let mut compact = stack::machine(&config).unwrap();
    compact.init(10, 0xf).unwrap();
    compact.branch(&Branch { taken: 8, taken_pc: 30, fall_pc: 20, reconv: Some(40) }).unwrap();
    assert_eq!(compact.branch(&split).map(|at| (at.mask, at.depth)), Ok((6, 3)));
}

#[test]
fn a_scoreboard_names_what_it_refuses() {
    use scoreboard::{Event, Machine};
    let config = ScoreboardConfig { warps: 2, regs: 8, entries: 0 };
    let board = || -> Scoreboard<scoreboard::HeapTables> {
        let mut board = scoreboard::machine(&config).unwrap();
        board.issue(WarpId(1), &[], Some(RegId(3)), true).unwrap();
        board
    };
    let issue = |w, src: &[u16], dst: Option<u16>| {
        let sources = src.iter().copied().map(RegId).collect();
        Event::Issue { warp: WarpId(w), sources, destination: dst.map(RegId), memory: false }
    };
    let writeback = |w, reg| Event::Writeback { warp: WarpId(w), reg: RegId(reg) };
    let cases = [
        (Fault::BadWarp, issue(2, &[0, 1, 2, 3, 9], Some(9))),
        (Fault::BadArg, issue(1, &[0, 1, 2, 3, 9], Some(9))),
        (Fault::BadReg, issue(1, &[3, 8], None)),
        (Fault::BadReg, issue(1, &[3], Some(8))),
        (Fault::BadWarp, writeback(2, 8)),
        (Fault::BadReg, writeback(1, 8)),
        (Fault::NotPending, writeback(1, 4)),
        (Fault::NotPending, writeback(0, 3)),
        (Fault::BadWarp, Event::Flush { warp: WarpId(2) }),
    ];
    for (fault, event) in cases {
        let mut one = board();
        assert_eq!(one.take(&event), Err(fault), "{event:?}");
        assert_eq!(one, board(), "{event:?}");
    }
}
