//! Completion: a TB ends, and with it perhaps its group, its kernel, and the hold on a queue (dtbl-D1 to D5).

use crate::base::error::Fault;
use crate::base::id::{KernelSlot, SlotId, SmxId};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::launch::distributor::Source;
use crate::probe::Probe;
use crate::smx::residency::Unit;

impl<T: Tables> FrontEnd<T> {
    /// The TB at `smx`, `slot` has ended. Its room can be used by this cycle's `tick`.
    ///
    /// # Errors
    /// `BadSmx`, `BadSlot`, `NoTb`, `Saving`; `TbWaiting` (launch2-P5).
    pub fn tb_done(&mut self, smx: SmxId, slot: SlotId, probe: &mut impl Probe) -> Result<(), Fault> {
        self.between()?;
        self.board.check_slot(smx, slot)?;
        if self.modern.is_some()
            && let Some(tb) = self.board.residency.tb(smx, slot)
        {
            self.check_saving(tb.kde)?;
        }
        if self.grids.as_ref().is_some_and(|grids| grids.is_waiting(smx, slot)) {
            return Err(Fault::TbWaiting);
        }
        let (tb, mut over) = self.board.take_off(smx, slot).ok_or(Fault::NoTb)?;
        self.quiet.end_word();
        if let Unit::Group(r) = tb.unit {
            let at = self.group_ref(r);
            self.board.leave_group((tb.kde, r, at), probe);
        } else if tb.unit == Unit::Node {
            if let Some(graphs) = self.graphs.as_mut() {
                graphs.node_done(&mut self.board, tb.kde, tb.blkid, probe);
            }
            over = self.board.kd.get(tb.kde).is_over();
            // The buffer may be free for another graph now.
            self.quiet.end();
        }
        if let Some(told) = self.told.as_mut() {
            told.ended(&self.board, &tb, (smx, slot));
        }
        if let Some(modern) = self.modern.as_mut() {
            modern.left((smx, slot), tb.kde, self.board.kd.get(tb.kde).kernel.owner.context);
        }
        if let Some(grids) = self.grids.as_mut() {
            grids.left((smx, slot), tb.kde);
        }
        if over {
            self.quiet.end();
            self.release(tb.kde, probe);
        }
        self.sweep(probe);
        self.settle(probe);
        Ok(())
    }

    /// Ends the hold on a kernel that was launched with `retain` (dtbl-D5).
    ///
    /// # Errors
    /// `BadKde`, `NoKernel`, `NotRetained`.
    pub fn unretain(&mut self, kde: KernelSlot, probe: &mut impl Probe) -> Result<(), Fault> {
        self.between()?;
        self.board.check_active(kde)?;
        if !self.board.kd.get(kde).retain {
            return Err(Fault::NotRetained);
        }
        self.lift();
        self.board.kd.get_mut(kde).retain = false;
        if self.board.kd.get(kde).is_over() {
            self.release(kde, probe);
        }
        self.sweep(probe);
        self.settle(probe);
        Ok(())
    }

    /// dtbl-D3: a kernel is over.
    pub(super) fn release(&mut self, k: KernelSlot, probe: &mut impl Probe) {
        if let Some(graphs) = self.graphs.as_mut() {
            graphs.release(&mut self.board, k);
        }
        let source = self.board.release(k, probe);
        // Also of a kernel with a graph, which has a grid as any other (launch2-W3).
        match (self.grids.as_mut(), source) {
            (Some(grids), _) => grids.ended(&mut self.board, k, probe),
            (None, Source::Hwq(queue)) => self.board.free_queue(queue, probe),
            (None, Source::Device | Source::Node(_)) => {}
        }
        if let Some(told) = self.told.as_mut() {
            told.units.take(told.units.natives(k));
        }
    }
}
