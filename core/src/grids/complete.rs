//! How grids are complete: launch2-G2 to launch2-G4, launch2-C3.

use super::{Grid, GridMode, GridTables, Grids, Progress};
use crate::base::cycle::Cycle;
use crate::base::id::{GridId, KernelSlot};
use crate::launch::board::{Board, BoardTables};
use crate::probe::{Decision, Probe};

impl<T: BoardTables + GridTables> Grids<T> {
    /// The kernel in entry `k` has ended.
    pub(crate) fn ended(&mut self, board: &mut Board<T>, k: KernelSlot, probe: &mut impl Probe) {
        let Some(g) = self.of_kernel[k].grid.take() else { return };
        self.forget_groups(board, g);
        let cycles = board.config.flush_cycles;
        if cycles == 0 {
            self.rows[g].progress = Progress::Flushed;
            return self.complete(board, g, probe);
        }
        self.rows[g].progress = Progress::Flushing(board.now.after(cycles.into()));
        match self.flushing.last.replace(g) {
            Some(last) => self.rows[last].next_flush = Some(g),
            None => self.flushing.first = Some(g),
        }
        self.flushing.len += 1;
        self.open_if_ended(board, g);
    }

    /// launch2-T0: the flushes that are due, in the order of the ends.
    #[inline(never)]
    pub(crate) fn flush(&mut self, board: &mut Board<T>, probe: &mut impl Probe) {
        while let Some(g) = self.flushing.first.filter(|_| self.next_flush().is_some_and(|at| at <= board.now)) {
            self.flushed(g);
            self.complete(board, g, probe);
        }
    }

    /// Cycles before `now` have gone by at once, in which no flush has decided anything.
    pub(crate) fn pass_flushes(&mut self, now: Cycle) {
        while let Some(g) = self.flushing.first.filter(|_| self.next_flush().is_some_and(|at| at < now)) {
            self.flushed(g);
        }
    }

    /// What the first of those that are being flushed wrote is visible.
    fn flushed(&mut self, g: GridId) {
        let next = self.rows[g].next_flush.take();
        self.flushing = Self::without_first(self.flushing, next);
        self.rows[g].progress = Progress::Flushed;
    }

    /// Grid `at` may be complete, or the next of its tail launches have its turn; then the same is asked of the grid that waits for it: the
    /// one behind it in its queue, or its parent.
    fn complete(&mut self, board: &mut Board<T>, mut at: GridId, probe: &mut impl Probe) {
        // Kernels of kernel graphs that may be complete, too, by what was: a list through their rows.
        let mut behind = None;
        // In each queue, graph and line of descent this goes one way.
        loop {
            let waits = self.complete_one(board, at, &mut behind, probe);
            match waits.or(behind) {
                Some(next) => at = next,
                None => return,
            }
            if waits.is_none() {
                behind = self.rows[at].next.take();
            }
        }
    }

    /// A grid that may be complete; if it is, the one that waits for it: in a queue in the order of launches, also where one ends early
    /// (launch2-H3). To `behind` come the kernels of its graph that follow it.
    fn complete_one(
        &mut self,
        board: &mut Board<T>,
        at: GridId,
        behind: &mut Option<GridId>,
        probe: &mut impl Probe,
    ) -> Option<GridId> {
        let Grid { progress, kids, tails, .. } = self.rows[at];
        if progress != Progress::Flushed || kids > 0 || self.follows(at) {
            self.open_if_ended(board, at);
            return None;
        }
        if let Some(tail) = tails.first {
            self.turn(board, tail, probe);
            return None;
        }
        let Grid { mode, tag, next, is_open, .. } = core::mem::take(&mut self.rows[at]);
        self.free.give(at);
        self.stats.completes = self.stats.completes.saturating_add(1);
        probe.decide(board.now, Decision::Complete { tag });
        let waits = match mode? {
            GridMode::Host { queue } => {
                self.of_queue[queue] = Self::without_first(self.of_queue[queue], next);
                self.look_at_queue(board, queue);
                match next {
                    Some(next) => self.release(board, next, probe),
                    None => board.free_queue(queue, probe),
                }
                return next;
            }
            GridMode::Node { instance, node } => {
                *behind = self.node_complete(board, (instance, node), is_open, *behind, probe);
                return None;
            }
            GridMode::FireAndForget { parent } => {
                self.rows[parent].kids -= 1;
                Some(parent)
            }
            GridMode::Tail { parent } => {
                self.rows[parent].tails = Self::without_first(self.rows[parent].tails, next);
                Some(parent)
            }
            GridMode::Device => None,
        };
        self.issued -= 1;
        waits
    }

    /// launch2-C3: the turn of a tail launch has come, unless it came before.
    fn turn(&mut self, board: &mut Board<T>, tail: GridId, probe: &mut impl Probe) {
        let Progress::Closed(r) = self.rows[tail].progress else { return };
        self.rows[tail].progress = Progress::Running;
        let lat_tail = board.config.cdp2.map_or(0, |part| part.lat_tail);
        board.records.open(r, board.now.after(lat_tail.into()));
        self.stats.tails = self.stats.tails.saturating_add(1);
        probe.decide(board.now, Decision::Tail { tag: self.rows[tail].tag });
    }
}
