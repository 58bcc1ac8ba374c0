//! The parameters: their defaults and ranges, as the sheet's table has them; and what they cost in storage.

use gpusched::simt::coalesce::{CoalesceMode, CoalescerConfig};
use gpusched::simt::scoreboard::{Scoreboard, ScoreboardConfig, scoreboard_storage_bits};
use gpusched::simt::stack::{FirstPath, Stack, StackConfig, stack_storage_bits};
use gpusched::{BuildError, Fault, Parameter, inline_scoreboard_tables, inline_stack_tables};

use crate::every::Row;

fn check<'a>(values: impl Iterator<Item = (&'a Parameter, u32)>, table: &[Row]) {
    let listed: Vec<_> = values.map(|(p, value)| (p.name, value, p.min, p.max)).collect();
    assert_eq!(listed, table);
}

#[test]
fn defaults_and_ranges_are_those_of_the_sheet() {
    check(StackConfig::default().values(), &[("lanes", 32, 1, 64), ("depth", 62, 1, 126)]);
    check(CoalescerConfig::default().values(), &[("lanes", 32, 1, 64), ("segment", 128, 16, 4096)]);
    let board = [("warps", 48, 1, 64), ("regs", 64, 1, 256), ("entries", 0, 0, 256)];
    check(ScoreboardConfig::default().values(), &board);
    let stack = StackConfig::default();
    assert_eq!((stack.first, stack.compact), (FirstPath::Fall, false));
    let coalescer = CoalescerConfig::default();
    assert_eq!((coalescer.mode, coalescer.allow_misaligned), (CoalesceMode::Combine, false));
    // max(1, 2 * (lanes - 1)).
    let depths = [1, 2, 3, 32, 64].map(|lanes| StackConfig::of_lanes(lanes).depth);
    assert_eq!(depths, [1, 2, 4, 62, 126]);
}

#[test]
fn what_is_beyond_a_range_is_refused() {
    let error = StackConfig { lanes: 65, ..StackConfig::WARP_32 }.check().unwrap_err();
    assert_eq!((error.parameter.name, error.fault), ("lanes", Fault::BadConfig));
    for segment in [8, 48, 8192] {
        assert!(CoalescerConfig { segment, ..CoalescerConfig::WARP_32 }.check().is_err());
    }
    assert!(ScoreboardConfig { regs: 257, ..ScoreboardConfig::GTX480 }.check().is_err());
}

inline_stack_tables! {
    struct Shallow = StackConfig { depth: 3, ..StackConfig::WARP_32 };
}
inline_scoreboard_tables! {
    struct Few = ScoreboardConfig { warps: 3, ..ScoreboardConfig::GTX480 };
}

#[test]
fn a_home_that_is_too_small_is_refused() {
    let Err(BuildError::Tables(small)) = Stack::<Shallow>::new(&StackConfig::WARP_32) else { panic!("3 rows for 62") };
    assert_eq!((small.table, small.have, small.need), ("entries", 3, 62));
    let Err(BuildError::Tables(small)) = Scoreboard::<Few>::new(&ScoreboardConfig::GTX480) else { panic!("3 for 48") };
    assert_eq!((small.table, small.have, small.need), ("warps", 3, 48));
}

/// 62 entries of 96 bits: 5952 bits, 744 bytes; 48 warps 35.7 KB.
#[test]
fn storage_is_that_of_the_sheet() {
    let stack = stack_storage_bits(&StackConfig::WARP_32);
    assert_eq!((stack.registers, stack.entries, stack.pointer), (32 + 32 + 1, 5952, 6));
    assert_eq!(stack.entries / 8 * 48, 35712);
    assert_eq!(stack_storage_bits(&StackConfig::of_lanes(64)).entries, 126 * 128);
    let board = scoreboard_storage_bits(&ScoreboardConfig::GTX480);
    assert_eq!((board.marks, board.counts, board.total()), (6144, 48 * 7, 6480));
    // A limit of entries limits the count.
    assert_eq!(scoreboard_storage_bits(&ScoreboardConfig { entries: 3, ..ScoreboardConfig::GTX480 }).counts, 48 * 2);
}
