//! What holds of grids between two calls (launch2-I1 to launch2-I3).

use super::{Grid, GridMode, GridTables, Grids, Progress};
use crate::base::cycle::Cycle;
use crate::base::id::{GridId, HwqId, Id, KernelSlot, RecordId, SuspId};
use crate::base::invariant::{Violation, invariant};
use crate::launch::board::{Board, BoardTables};
use crate::launch::distributor::{Kernel, Phase, Source};
use crate::launch::record::RecordState;

impl<T: BoardTables + GridTables> Grids<T> {
    pub(crate) fn validate(&self, board: &Board<T>) -> Result<(), Violation> {
        let config = &board.config;
        let n = config.n_grid();
        let mut counts = [0_u32; 4];
        for (g, grid) in self.rows.iter() {
            let is_free = grid.mode.is_none();
            let agrees = is_free == (g.0 >= n || self.free.is_free(g));
            invariant("a grid is free or in use", agrees && (!is_free || *grid == Grid::default()))?;
            let Some(mode) = grid.mode else { continue };
            invariant("a grid was made (launch2-G1)", grid.made < self.made)?;
            let of_device = mode.parent().is_some();
            let waits = of_device && self.is_waiting(board, g);
            let is_flushing = matches!(grid.progress, Progress::Flushing(_));
            let is = [true, of_device, of_device && !waits, is_flushing];
            counts.iter_mut().zip(is).for_each(|(count, is)| *count += u32::from(is));
            self.validate_grid(board, g, grid, mode)?;
        }
        let [in_use, of_device, issued, flushing] = counts;
        let most = config.cdp2.map_or(0, |part| part.grids);
        let counted = (self.free.in_use(), self.of_device, self.issued) == (in_use, of_device, issued);
        invariant("grids are counted (launch2-C4)", counted && of_device <= most)?;
        self.validate_flushing(board, flushing)?;
        self.validate_places(board)
    }

    /// Whether a device launch was not issued.
    fn is_waiting(&self, board: &Board<T>, g: GridId) -> bool {
        (0..board.config.pend_limit).any(|r| self.of_record.get(RecordId(r)) == Some(&Some(g)))
    }

    fn validate_grid(&self, board: &Board<T>, g: GridId, grid: &Grid, mode: GridMode) -> Result<(), Violation> {
        let all = || self.rows.iter().filter(|(_, other)| other.mode.is_some());
        if let Some(parent) = mode.parent() {
            let waits = self.rows.get(parent).is_some_and(|parent| parent.mode.is_some() && parent.made < grid.made);
            invariant("a grid was made after the one that waits for it (launch2-G3)", waits)?;
        } else if let GridMode::Host { queue } = mode {
            invariant("a grid of the host holds its queue (launch2-G3)", self.of_queue.get(queue) == Some(&Some(g)))?;
        }
        let kids = all().filter(|(_, other)| other.mode == Some(GridMode::FireAndForget { parent: g })).count();
        invariant("incomplete children are counted (launch2-I3)", kids == grid.kids as usize)?;
        // The list of tails, no longer than there can be.
        let is_tail = |other: &Grid| other.mode == Some(GridMode::Tail { parent: g });
        let tails = all().filter(|(_, other)| is_tail(other)).count();
        let list = || {
            let next = |&at: &GridId| self.rows.get(at)?.next_tail;
            core::iter::successors(grid.tails.first, next).take(tails + 1).map(|at| (at, self.rows.get(at)))
        };
        let is_its = list().all(|(_, row)| row.is_some_and(is_tail)) && list().count() == tails;
        let in_order = list().map(|(_, row)| row.map_or(0, |row| row.made)).is_sorted_by(|a, b| a < b);
        let ends = list().last().map(|(at, _)| at) == grid.tails.last && tails == grid.n_tail as usize;
        invariant("the tail launches of a grid are its list (launch2-I3)", is_its && in_order && ends)?;
        let is_closed = |row: Option<&Grid>| row.is_some_and(|row| matches!(row.progress, Progress::Closed(_)));
        let wait = list().skip(1).all(|(_, row)| is_closed(row));
        invariant("at most one tail launch of a grid has its turn (launch2-I3)", wait)?;
        let has_turn = grid.progress == Progress::Flushed && grid.kids == 0;
        let first_waits = list().next().is_none_or(|(_, row)| is_closed(row));
        invariant(
            "tail launches have their turn when nothing else is left (launch2-C3)",
            has_turn != first_waits || tails == 0,
        )?;
        invariant("a grid that has nothing left is complete (launch2-G3)", !has_turn || tails > 0)?;
        let is_linked = grid.next_tail.is_none() || matches!(mode, GridMode::Tail { .. });
        invariant("only tail launches stand in a list of them", is_linked)?;
        let places = [
            (0..board.config.n_kde).filter(|&k| self.of_kernel.get(KernelSlot(k as u8)) == Some(&Some(g))).count(),
            (0..board.config.susp_cap).filter(|&i| self.of_suspended.get(SuspId(i as u8)) == Some(&Some(g))).count(),
            (0..board.config.pend_limit).filter(|&r| self.of_record.get(RecordId(r)) == Some(&Some(g))).count(),
        ];
        let has_place = usize::from(matches!(grid.progress, Progress::Closed(_) | Progress::Running));
        invariant("a kernel that has not ended is somewhere (launch2-G2)", places.iter().sum::<usize>() == has_place)?;
        match grid.progress {
            Progress::Closed(r) => {
                let record = self.of_record.get(r) == Some(&Some(g)) && board.records.get(r).state == RecordState::Tail;
                invariant(
                    "a tail launch waits in its record (launch2-C1)",
                    record && matches!(mode, GridMode::Tail { .. }),
                )
            }
            _ => Ok(()),
        }
    }

    fn validate_flushing(&self, board: &Board<T>, n: u32) -> Result<(), Violation> {
        let latest = board.now.after(board.config.flush_cycles.into());
        let next = |&at: &GridId| self.rows.get(at)?.next_flush;
        let list = || core::iter::successors(self.flushing.first, next).take(n as usize + 1);
        let at = |g: GridId| match self.rows.get(g).map(|row| row.progress) {
            Some(Progress::Flushing(at)) => Some(at),
            _ => None,
        };
        let in_order = list().map(at).is_sorted() && list().all(|g| at(g).is_some_and(|at: Cycle| at <= latest));
        let whole = list().count() == n as usize && list().last() == self.flushing.last;
        let linked = self.rows.iter().filter(|(_, grid)| grid.next_flush.is_some()).count();
        invariant(
            "grids are flushed in the order of their ends (launch2-T0)",
            in_order && whole && linked == (n as usize).saturating_sub(1),
        )
    }

    /// What queues, entries, records and suspended kernels say of their grids.
    fn validate_places(&self, board: &Board<T>) -> Result<(), Violation> {
        let config = &board.config;
        let mode = |g: &Option<GridId>| g.and_then(|g| self.rows.get(g)).and_then(|grid| grid.mode);
        for q in (0..config.n_queue() as usize).map(HwqId::from_index) {
            let grid = &self.of_queue[q];
            let is_its = grid.is_some() == board.hwqs.is_busy(q);
            let of_it = grid.is_none() || mode(grid) == Some(GridMode::Host { queue: q });
            invariant("a queue is held until its kernel is complete (launch2-G4)", is_its && of_it)?;
        }
        let has_source = |g: &Option<GridId>, kernel: &Kernel| match (mode(g), kernel.source) {
            (Some(GridMode::Host { queue }), Source::Hwq(q)) => queue == q,
            (Some(mode), Source::Device) => mode.parent().is_some(),
            _ => false,
        };
        for k in (0..config.n_kde as usize).map(KernelSlot::from_index) {
            let (kde, grid) = (board.kd.get(k), &self.of_kernel[k]);
            let agrees = if kde.phase == Phase::Free { grid.is_none() } else { has_source(grid, &kde.kernel) };
            invariant(
                "a kernel in an entry has a grid (launch2-G1)",
                agrees && self.has_tag(grid, kde.kernel.descriptor.tag),
            )?;
        }
        for i in (0..config.susp_cap as usize).map(SuspId::from_index) {
            let (kernel, grid) = (board.suspended.get(i).map(|entry| &entry.kernel), &self.of_suspended[i]);
            let agrees = kernel
                .map_or(grid.is_none(), |kernel| has_source(grid, kernel) && self.has_tag(grid, kernel.descriptor.tag));
            invariant("a suspended kernel has a grid (launch2-G1)", agrees)?;
        }
        for r in (0..config.pend_limit).map(RecordId) {
            let (record, grid) = (board.records.get(r), &self.of_record[r]);
            let is_launch = matches!(record.state, RecordState::Dev | RecordState::Tail);
            let is_closed =
                grid.and_then(|g| self.rows.get(g)).is_some_and(|grid| grid.progress == Progress::Closed(r));
            let agrees = grid.is_some() == is_launch && (record.state == RecordState::Tail) == is_closed;
            invariant(
                "a launch that waits has a grid (launch2-G1)",
                agrees && self.has_tag(grid, record.descriptor.tag),
            )?;
        }
        let sizes = [config.n_queue(), config.n_kde, config.pend_limit, config.susp_cap].map(|n| n as usize);
        let alone = self.of_queue.ends_by(sizes[0])
            && self.of_kernel.ends_by(sizes[1])
            && self.of_record.ends_by(sizes[2])
            && self.of_suspended.ends_by(sizes[3]);
        invariant("grids have their rows alone", alone)
    }

    fn has_tag(&self, grid: &Option<GridId>, tag: u64) -> bool {
        grid.and_then(|g| self.rows.get(g)).is_none_or(|grid| grid.tag == tag)
    }
}
