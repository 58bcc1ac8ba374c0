//! The instruction lists of the search, per warp (`workloads` 3.1).
//!
//! ```text
//! thread   I4 Lq I1 Lrow[v] Lrow[v+1] VISIT
//! dynamic  I4 Lq I1 Lrow[v] Lrow[v+1] {S parameters, K} VISIT of what the child leaves
//! child    I3 Lparameters I1 Lcol Llevel {A cas I1 {A add tail, S q'}}
//! merrill  I4 Lq I1 Lrow[v] Lrow[v+1] ({s} B l VISIT by the TB)* (I2 VISIT by the warp)* VISIT by the thread
//! VISIT    (I1 Lcol[e] I1 Llevel[u] {A cas level[u] I1 {A add tail, S q'[p]}} I3)*
//! ```
//!
//! The lists are spread over two files: here what a warp does next, in `step.rs` what each step does to the data.
//!
//! `I4` ends in the branch that sets lanes without a vertex aside. They exit if the whole warp is such, except in Merrill's
//! form: there they take part in every visit but their own, and the rounds of the TB go on until one finds no candidate.

use super::{HOST_TAG, TB_THREADS, slot_of};
use crate::program::{Class, Inst, Regs, TbContext};
use crate::workload::lanes::{WARP, first_lanes, lanes, where_lane};
use crate::workload::warp::Head;

// Registers. Bit 0 belongs to runs of integer instructions.
pub(super) const THREAD: Regs = 1 << 1;
pub(super) const VERTEX: Regs = 1 << 2;
pub(super) const ROW_ADDRESS: Regs = 1 << 3;
pub(super) const FIRST: Regs = 1 << 4;
pub(super) const END: Regs = 1 << 5;
pub(super) const EDGE: Regs = 1 << 6;
pub(super) const NEIGHBOUR: Regs = 1 << 7;
pub(super) const LEVEL_ADDRESS: Regs = 1 << 8;
pub(super) const LEVEL: Regs = 1 << 9;
pub(super) const OLD_LEVEL: Regs = 1 << 10;
pub(super) const PLACE: Regs = 1 << 11;
pub(super) const PARAMETERS: Regs = 1 << 12;
pub(super) const CALL: Regs = 1 << 13;
pub(super) const ELECTED: Regs = 1 << 14;

/// Degree from which on Merrill's form visits by the TB, and by the warp.
const TB_WIDE: u32 = TB_THREADS;
const WARP_WIDE: u32 = WARP;
/// What the head instruction does, or the run of integer instructions that it stands in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Step {
    #[default]
    Exit,
    Index,
    LoadQueue,
    RowAddress,
    LoadFirst,
    LoadEnd,
    // Dynamic parents.
    LaunchTest,
    StoreParameters,
    CallCode,
    Launch,
    // Children.
    ChildIndex,
    LoadParameters,
    ChildEdge,
    // Merrill's rounds.
    RoundTest,
    StoreElection,
    Barrier,
    LoadElection,
    RoundEnd,
    WarpElect,
    WarpEnd,
    // A turn of a visit.
    EdgeAddress,
    LoadCol,
    LevelAddress,
    LoadLevel,
    FreshTest,
    Claim,
    WonTest,
    AddTail,
    StoreQueue,
    TurnEnd,
}

/// Where a visit leads.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum After {
    #[default]
    Exit,
    Round,
    WarpRound,
}

/// State of a warp's program.
#[derive(Clone, Debug, Default)]
pub struct BfsWarp {
    pub(super) head: Head,
    pub(super) step: Step,
    pub(super) after: After,
    /// Slot of the parameters, for a child.
    pub(super) slot: Option<u32>,
    /// The TB's number, and number within the TB of lane 0's thread.
    pub(super) tb: u32,
    pub(super) first_thread: u32,
    /// The TB's first thread, within the kernel or group.
    pub(super) tb_start: u32,
    /// Lanes that have a thread; that have a vertex (or, in a child, an edge).
    pub(super) threads: u32,
    pub(super) valid: u32,
    /// Lanes that launch; whose call is still to be made.
    pub(super) launching: u32,
    pub(super) callers: u32,
    /// Merrill's form: lanes with a vertex for the TB or the warp, and whether this round elected one.
    pub(super) candidates: u32,
    pub(super) elected: bool,
    /// Lanes in this turn of a visit; that found a fresh vertex; that claimed it.
    pub(super) active: u32,
    pub(super) fresh: u32,
    pub(super) won: u32,
    /// From one edge of a lane to its next in a visit.
    pub(super) stride: u32,
    pub(super) round: u32,
    pub(super) vertex: [u32; 32],
    /// The edges of the lane's vertex that are left.
    pub(super) first: [u32; 32],
    pub(super) end: [u32; 32],
    /// The lane's next edge in this visit, and where to stop.
    pub(super) edge: [u32; 32],
    pub(super) stop: [u32; 32],
    pub(super) neighbour: [u32; 32],
    pub(super) place: [u32; 32],
    pub(super) slots: [u32; 32],
}

impl BfsWarp {
    pub(super) const fn head(&self) -> Inst {
        self.head.inst()
    }

    /// Starts warp number `warp` of a TB whose kernel or group has `items` vertices or edges for its threads.
    pub(super) fn begin(&mut self, tb: &TbContext, warp: u32, items: u32) {
        self.tb = tb.blkid;
        self.first_thread = warp * WARP;
        self.tb_start = tb.blkid * tb.threads;
        self.threads = first_lanes(tb.threads - self.first_thread);
        self.valid = first_lanes(items.saturating_sub(self.thread(0))) & self.threads;
        self.round = 0;
        if tb.tag == HOST_TAG {
            self.slot = None;
            self.branch(Step::Index, 4, self.threads, self.valid, 0);
        } else {
            self.slot = Some(slot_of(tb.tag));
            self.integers(Step::ChildIndex, 3, self.threads, 0, THREAD);
        }
    }

    /// Number of a lane's thread within the kernel or group.
    pub(super) const fn thread(&self, lane: usize) -> u32 {
        self.tb_start + self.first_thread + lane as u32
    }

    pub(super) const fn degree_left(&self, lane: usize) -> u32 {
        self.end[lane] - self.first[lane]
    }

    pub(super) const fn integers(&mut self, step: Step, count: u32, mask: u32, src: Regs, dst: Regs) {
        self.step = step;
        self.head.integers(count, mask, src, dst);
    }

    pub(super) const fn branch(&mut self, step: Step, count: u32, mask: u32, on: u32, src: Regs) {
        self.step = step;
        self.head.branch(count, mask, on, src);
    }

    pub(super) const fn single(&mut self, step: Step, class: Class, mask: u32, src: Regs, dst: Regs) {
        self.step = step;
        self.head.set(class, mask, src, dst);
    }

    pub(super) const fn exit(&mut self) {
        self.single(Step::Exit, Class::Exit, self.threads, 0, 0);
    }

    /// Visits the edges left of each lane's own vertex.
    pub(super) fn visit_own(&mut self) {
        self.edge = self.first;
        self.stop = self.end;
        self.stride = 1;
        self.visit(self.valid, FIRST | END, After::Exit);
    }

    /// Visits the edges `first..end` by all lanes, of which lane 0 is the `start`th of `stride` threads.
    pub(super) fn visit_together(&mut self, (first, end): (u32, u32), start: u32, stride: u32, after: After) {
        for (lane, edge) in (0..).zip(&mut self.edge) {
            *edge = first + start + lane;
        }
        self.stop = [end; 32];
        self.stride = stride;
        self.visit(self.threads, ELECTED, after);
    }

    pub(super) fn visit(&mut self, mask: u32, src: Regs, after: After) {
        self.after = after;
        self.active = where_lane(mask, |lane| self.edge[lane] < self.stop[lane]);
        self.turn(src);
    }

    /// The next turn of a visit, or what follows it.
    pub(super) const fn turn(&mut self, src: Regs) {
        if self.active != 0 {
            self.integers(Step::EdgeAddress, 1, self.active, src, EDGE);
            return;
        }
        match self.after {
            After::Exit => self.exit(),
            After::Round => self.branch(Step::RoundEnd, 2, self.threads, 0, ELECTED),
            After::WarpRound => self.branch(Step::WarpEnd, 2, self.threads, 0, FIRST | END),
        }
    }

    /// The end of a turn: `I3`, then count and branch. A child has one turn only and ends.
    pub(super) fn end_turn(&mut self) {
        if self.slot.is_some() {
            self.exit();
            return;
        }
        for lane in lanes(self.active) {
            self.edge[lane] += self.stride;
        }
        let stay = where_lane(self.active, |lane| self.edge[lane] < self.stop[lane]);
        self.branch(Step::TurnEnd, 5, self.active, stay, EDGE);
        self.active = stay;
    }

    /// A round of Merrill's form: who has a vertex for the whole TB?
    pub(super) fn start_round(&mut self) {
        self.round += 1;
        self.candidates = self.at_least(TB_WIDE);
        self.branch(Step::RoundTest, 2, self.threads, self.candidates, FIRST | END);
    }

    /// A turn of the loop over vertices that the warp visits together; the lowest lane's comes first.
    pub(super) fn start_warp_round(&mut self) {
        self.candidates = self.at_least(WARP_WIDE);
        if self.candidates != 0 {
            self.integers(Step::WarpElect, 2, self.threads, FIRST | END, ELECTED);
        } else {
            self.visit_own();
        }
    }

    pub(super) fn at_least(&self, degree: u32) -> u32 {
        where_lane(self.valid, |lane| self.degree_left(lane) >= degree)
    }

    /// The lowest lane's vertex, visited by the warp.
    pub(super) fn visit_lowest(&mut self) {
        let lane = self.candidates.trailing_zeros() as usize;
        let edges = (self.first[lane], self.end[lane]);
        self.first[lane] = self.end[lane];
        self.visit_together(edges, 0, WARP, After::WarpRound);
    }

    pub(super) const fn barrier(&mut self) {
        self.single(Step::Barrier, Class::Barrier, self.threads, 0, 0);
    }

    /// The call code of the next lane, `insts` long, or, after the last, the launch of all.
    pub(super) const fn next_call(&mut self, insts: u32) {
        if insts == 0 || self.callers == 0 {
            let src = FIRST | END | CALL;
            self.single(Step::Launch, Class::Launch, self.launching, src, 0);
        } else {
            let caller = self.callers & self.callers.wrapping_neg();
            self.callers &= !caller;
            self.integers(Step::CallCode, insts, caller, 0, CALL);
        }
    }
}
