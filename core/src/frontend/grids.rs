//! Grids in the front end: when memory is flushed, and what is seen of them (sheet `launch2`).

use crate::base::id::{GridId, KernelSlot};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::grids::{GridStats, GridView};
use crate::probe::Probe;

#[cfg(feature = "image")]
mod image;

impl<T: Tables> FrontEnd<T> {
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
