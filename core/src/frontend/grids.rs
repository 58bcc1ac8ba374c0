//! Grids in the front end: what a launch must find free, when memory is flushed, and what is seen of them (sheet `launch2`).

use crate::base::error::Fault;
use crate::base::id::{GridId, KernelSlot};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::grids::{GridStats, GridView};
use crate::probe::Probe;
use crate::smx::residency::ResidentTb;

#[cfg(feature = "image")]
mod image;

impl<T: Tables> FrontEnd<T> {
    /// launch2-C2, launch2-C4: whether so many launches of a TB are too deep, or too many.
    pub(super) fn check_grids(&self, parent: &ResidentTb, any_forgotten: bool, lanes: u32) -> Result<(), Fault> {
        let Some((grids, part)) = self.grids.as_ref().zip(self.board.config.cdp2) else { return Ok(()) };
        let depth = self.board.kd.get(parent.kde).kernel.depth;
        let is_deeper = any_forgotten || !self.board.config.has_level_tails();
        if u32::from(depth) + u32::from(is_deeper) > part.max_depth {
            return Err(Fault::DepthLimit);
        }
        if grids.is_full(&part, self.board.records.free(), lanes) { Err(Fault::PendingLimit) } else { Ok(()) }
    }

    /// launch2-T0: the flushes that are due.
    #[inline(never)]
    pub(super) fn flush(&mut self, probe: &mut impl Probe) {
        let Self { board, grids, .. } = self;
        if let Some(grids) = grids.as_mut() {
            grids.flush(board, probe);
        }
    }

    /// A grid that is not complete; `None` if there is none of that number.
    #[must_use]
    pub fn grid(&self, grid: GridId) -> Option<GridView> {
        self.grids.as_ref()?.view(grid)
    }

    /// Numbers of grids: those below this one.
    #[must_use]
    pub fn n_grid(&self) -> u32 {
        self.board.config.n_grid()
    }

    /// The grid of the kernel in an entry.
    #[must_use]
    pub fn grid_of(&self, kde: KernelSlot) -> Option<GridId> {
        let exists = u32::from(kde) < self.board.config.n_kde;
        self.grids.as_ref().filter(|_| exists)?.of(kde)
    }

    /// What grids have come to; `None` where completion is not told apart from the end of a kernel.
    #[must_use]
    pub fn grid_stats(&self) -> Option<GridStats> {
        Some(self.grids.as_ref()?.stats())
    }
}
