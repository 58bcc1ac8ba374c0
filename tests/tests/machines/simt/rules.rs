//! Rules that no vector shows.

use gpusched::simt::scoreboard::{Hazard, Issue, RegId, ScoreboardConfig, Stall, WarpId};
use gpusched::simt::stack::{Branch, Stack, StackConfig};
use gpusched_tests::simt::{scoreboard, stack};

fn warp(lanes: u32) -> Stack<stack::HeapTables> {
    let mut warp = stack::machine(&StackConfig::of_lanes(lanes)).unwrap();
    warp.init(10, u64::MAX >> (64 - lanes)).unwrap();
    warp
}

/// models-S1: a warp that begins anew has forgotten everything.
#[test]
fn s1_a_warp_that_begins_is_a_new_one() {
    let mut used = warp(4);
    used.branch(&Branch { taken: 1, taken_pc: 30, fall_pc: 20, reconv: Some(40) }).unwrap();
    used.exit(4).unwrap();
    used.init(10, 0xf).unwrap();
    assert_eq!(used, warp(4));
}

/// models-S5: lanes that end while others go on leave the PC as it is, also if it is where an entry joins by then.
#[test]
fn s5_an_exit_that_leaves_lanes_settles_nothing() {
    let mut one = warp(4);
    one.branch(&Branch { taken: 0xc, taken_pc: 30, fall_pc: 20, reconv: Some(40) }).unwrap();
    let after = one.exit(2).unwrap();
    assert_eq!((after.pc, after.mask, after.depth, after.pops), (20, 1, 2, 0));
    // Its own lanes are gone from the join as well.
    assert_eq!(one.entries().map(|entry| entry.mask).collect::<Vec<_>>(), [0xd, 0xc]);
}

/// models-S6: paths without a join run one after the other, when those above have exited; and a PC never matches none.
#[test]
fn s6_paths_without_a_join_wait_for_exits() {
    let mut one = warp(4);
    let split = |taken| Branch { taken, taken_pc: 30, fall_pc: 20, reconv: None };
    assert_eq!(one.branch(&split(8)).unwrap().depth, 1);
    assert_eq!(one.branch(&split(4)).unwrap().depth, 2);
    assert_eq!(one.advance(u32::MAX - 1).unwrap().pops, 0);
    let mut ran = Vec::new();
    while one.is_live() {
        ran.push(one.mask());
        one.exit(one.mask()).unwrap();
    }
    assert_eq!(ran, [3, 4, 8]);
}

/// models-B1: sources are tested in their order, before the destination; a store's `mem` marks nothing.
#[test]
fn b1_sources_first_and_in_order() {
    let mut board = scoreboard::machine(&ScoreboardConfig { warps: 1, regs: 8, entries: 0 }).unwrap();
    let (w, [a, b, c]) = (WarpId(0), [RegId(1), RegId(2), RegId(3)]);
    for register in [a, b] {
        board.issue(w, &[], Some(register), false).unwrap();
    }
    let try_it = |sources: &[RegId], destination| {
        let stall = board.would_stall(w, sources, Some(destination)).unwrap();
        stall.map(|Stall { hazard, reg }| (hazard, reg))
    };
    assert_eq!(try_it(&[c, b, a], a), Some((Hazard::Raw, Some(b))));
    assert_eq!(try_it(&[a, b], a), Some((Hazard::Raw, Some(a))));
    assert_eq!(try_it(&[c], a), Some((Hazard::Waw, Some(a))));
    assert_eq!(try_it(&[c], c), None);
    assert!(
        matches!(board.issue(w, &[c], None, true), Ok(Issue::Issued(issued)) if issued.mem_in_flight == 0 && issued.pending == 2)
    );
}

/// A writeback that is lost keeps its warp for ever, until it is flushed.
#[test]
fn a_lost_writeback_stalls_until_a_flush() {
    let mut board = scoreboard::machine(&ScoreboardConfig { warps: 2, regs: 4, entries: 0 }).unwrap();
    board.issue(WarpId(0), &[], Some(RegId(0)), true).unwrap();
    board.issue(WarpId(1), &[], Some(RegId(0)), true).unwrap();
    for _ in 0..100 {
        let stall = Stall { hazard: Hazard::Raw, reg: Some(RegId(0)) };
        assert_eq!(board.issue(WarpId(0), &[RegId(0)], None, false), Ok(Issue::Stall(stall)));
    }
    assert_eq!((board.flush(WarpId(0)), board.mem_in_flight()), (Ok(1), 1));
    assert!(matches!(board.issue(WarpId(0), &[RegId(0)], None, false), Ok(Issue::Issued(_))));
}
