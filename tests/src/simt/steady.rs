//! The operations of SIMT execution whose cost is measured, each in a steady state that can be repeated for ever.

use std::hint::black_box;

use gpusched::simt::coalesce::{Coalescer, CoalescerConfig, Segments};
use gpusched::simt::scoreboard::{Issue, RegId, Scoreboard, ScoreboardConfig, WarpId};
use gpusched::simt::stack::{Branch, Stack, StackConfig};
use gpusched::{inline_scoreboard_tables, inline_stack_tables};

const LANES: StackConfig = StackConfig::of_lanes(32);
inline_stack_tables! {
    /// A home for the stack of a warp of 32 lanes.
    pub struct Warp = LANES;
}
inline_scoreboard_tables! {
    /// A home of the default configuration.
    pub struct Gtx480 = ScoreboardConfig::GTX480;
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A full warp's access to words side by side: one transaction.
    CoalesceUnit,
    /// A full warp's access to a line per lane: 32 transactions.
    CoalesceScatter,
    /// A branch that divides a full warp in halves, the end of either path, and a uniform step back.
    StackDiverge,
    /// A load of two sources issues, its reader waits, its result is written, its reader issues and writes.
    ScoreboardUse,
}

/// Machines that repeat an operation.
pub struct Steady {
    operation: Operation,
    coalescer: Coalescer,
    addresses: [u64; 32],
    segments: Segments,
    stack: Stack<Warp>,
    board: Scoreboard<Gtx480>,
}

impl Steady {
    /// About to repeat `operation`.
    ///
    /// # Panics
    /// If a default configuration is refused.
    #[must_use]
    pub fn new(operation: Operation) -> Self {
        let bytes = if operation == Operation::CoalesceUnit { 4 } else { 128 };
        let mut stack = Stack::new(&LANES).expect("32 lanes");
        stack.init(10, u32::MAX.into()).expect("no lane beyond");
        Self {
            operation,
            coalescer: Coalescer::new(&CoalescerConfig::WARP_32).expect("the default"),
            addresses: std::array::from_fn(|lane| 4096 + bytes * lane as u64),
            segments: Segments::default(),
            stack,
            board: Scoreboard::new(&ScoreboardConfig::GTX480).expect("the default"),
        }
    }

    /// Does it once.
    ///
    /// # Panics
    /// If it is another operation.
    pub fn step(&mut self) {
        match self.operation {
            Operation::CoalesceUnit => self.coalesce(1),
            Operation::CoalesceScatter => self.coalesce(32),
            Operation::StackDiverge => diverge(&mut self.stack),
            Operation::ScoreboardUse => use_a_load(&mut self.board),
        }
    }

    fn coalesce(&mut self, transactions: usize) {
        let merged = self.coalescer.access(u32::MAX.into(), black_box(&self.addresses), 4, &mut self.segments);
        assert_eq!((merged, self.segments.as_slice().len()), (Ok(true), transactions));
    }
}

fn diverge(stack: &mut Stack<Warp>) {
    let branch = Branch { taken: 0xffff, taken_pc: 30, fall_pc: 20, reconv: Some(40) };
    stack.branch(black_box(&branch)).expect("both halves are there");
    for _ in 0..2 {
        stack.advance(40).expect("it is live");
    }
    let joined = stack.advance(10).expect("it is live");
    assert_eq!((joined.mask, joined.depth), (u32::MAX.into(), 0));
}

fn use_a_load(board: &mut Scoreboard<Gtx480>) {
    let [r0, r1, r2, r3] = [0, 1, 2, 3].map(RegId);
    let warp = WarpId(7);
    assert!(matches!(board.issue(warp, black_box(&[r0, r1]), black_box(Some(r2)), true), Ok(Issue::Issued(_))));
    assert!(matches!(board.issue(warp, black_box(&[r2, r0]), black_box(Some(r3)), false), Ok(Issue::Stall(_))));
    board.writeback(warp, r2).expect("it was pending");
    assert!(matches!(board.issue(warp, black_box(&[r2, r0]), black_box(Some(r3)), false), Ok(Issue::Issued(_))));
    let after = board.writeback(warp, r3).expect("it was pending");
    assert_eq!((after.pending, after.mem_in_flight), (0, 0));
}
