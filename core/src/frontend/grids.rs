//! Grids in the front end: when memory is flushed, what TBs say to those behind them, and what is seen of them (sheet `launch2`).

use crate::base::error::Fault;
use crate::base::id::{GridId, KernelSlot, SlotId, SmxId};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::grids::{GridStats, GridView};
use crate::probe::Probe;

#[cfg(feature = "image")]
mod image;

impl<T: Tables> FrontEnd<T> {
    /// launch2-T0: the flushes that are due, what they open, and the kernel graphs that begin to run (launch2-K3).
    #[inline(never)]
    pub(super) fn begin_grids(&mut self, probe: &mut impl Probe) {
        let Self { board, grids, .. } = self;
        if let Some(grids) = grids.as_mut() {
            grids.flush(board, probe);
            grids.sweep(board, probe);
            grids.start(board, probe);
        }
    }

    /// launch2-P3: every kernel that can be open is.
    #[inline(always)]
    pub(super) fn sweep(&mut self, probe: &mut impl Probe) {
        let Self { board, grids, .. } = self;
        if let Some(grids) = grids.as_mut() {
            grids.sweep(board, probe);
        }
    }

    /// Whether there are programmatic dependents.
    pub(super) fn check_pdl(&self) -> Result<(), Fault> {
        self.between()?;
        if self.board.config.pdl.is_some() { Ok(()) } else { Err(Fault::NoPdl) }
    }

    /// The kernel of the TB in a slot, which may trigger and wait.
    fn check_dependent(&self, smx: SmxId, slot: SlotId) -> Result<KernelSlot, Fault> {
        self.check_pdl()?;
        self.board.check_slot(smx, slot)?;
        let k = self.board.residency.tb(smx, slot).ok_or(Fault::NoTb)?.kde;
        self.check_saving(k)?;
        Ok(k)
    }

    /// launch2-P2: as far as the TB is concerned, the kernel behind its own may start. To say so again has no effect. That it is the TB as a
    /// whole that says so is for the host to see (launch2-A7).
    ///
    /// # Errors
    /// `NoPdl` if the machine has no programmatic dependents; `BadSmx`, `BadSlot`, `NoTb`, `Saving`.
    pub fn tb_trigger(&mut self, smx: SmxId, slot: SlotId, probe: &mut impl Probe) -> Result<(), Fault> {
        let k = self.check_dependent(smx, slot)?;
        self.lift();
        let Self { board, grids, .. } = self;
        if let Some(grids) = grids.as_mut() {
            grids.trigger(board, (smx, slot), k, probe);
        }
        Ok(())
    }

    /// launch2-P5: the TB waits until the kernel that its own follows is complete and its memory visible. It is told so, at once if that is
    /// so, by `Released`; until then it does not end.
    ///
    /// # Errors
    /// As [`FrontEnd::tb_trigger`], then `AlreadyWaiting`.
    pub fn tb_wait(&mut self, smx: SmxId, slot: SlotId, probe: &mut impl Probe) -> Result<(), Fault> {
        let k = self.check_dependent(smx, slot)?;
        if self.grids.as_ref().is_some_and(|grids| grids.is_waiting(smx, slot)) {
            return Err(Fault::AlreadyWaiting);
        }
        self.lift();
        let Self { board, grids, .. } = self;
        if let Some(grids) = grids.as_mut() {
            grids.wait(board, (smx, slot), k, probe);
        }
        Ok(())
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

    /// The grid of the kernel in an entry; `None` if there is no kernel, or no such entry, or grids are not told apart.
    #[must_use]
    pub fn grid_of(&self, kde: KernelSlot) -> Option<GridId> {
        let exists = u32::from(kde) < self.board.config.n_kde;
        self.grids.as_ref().filter(|_| exists)?.of(kde)
    }

    /// What grids have come to, where completion is told apart from the end of a kernel.
    #[must_use]
    pub fn grid_stats(&self) -> Option<GridStats> {
        Some(self.grids.as_ref()?.stats())
    }
}
