//! Completion: a TB ends, and with it perhaps its group, its kernel, and the hold on a queue (dtbl-D1 to D5).

use crate::base::error::Fault;
use crate::base::id::{KernelSlot, RecordId, SlotId, SmxId};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::probe::Probe;
use crate::smx::residency::Unit;

impl<T: Tables> FrontEnd<T> {
    /// The TB at `smx`, `slot` has ended. Its room can be used by this cycle's `tick`.
    ///
    /// # Errors
    /// `BadSmx`, `BadSlot`, `NoTb`.
    pub fn tb_done(&mut self, smx: SmxId, slot: SlotId, probe: &mut impl Probe) -> Result<(), Fault> {
        if self.told.is_some() {
            return self.tb_done_told(smx, slot, probe);
        }
        self.end_tb(smx, slot, probe).map(drop)
    }

    /// The same, with a host that decides. Apart, since every TB pays for what is asked there.
    #[inline(never)]
    fn tb_done_told(&mut self, smx: SmxId, slot: SlotId, probe: &mut impl Probe) -> Result<(), Fault> {
        self.between()?;
        let done = self.end_tb(smx, slot, probe)?;
        if let Some(told) = self.told.as_mut() {
            told.left(smx, slot);
            told.lift();
            if let Some(r) = done {
                told.units.take(told.units.group(r));
            }
        }
        Ok(())
    }

    /// The TB has ended. The record of its group, if that is done.
    #[inline(always)] // On the way of every TB; its other caller is a host that decides.
    fn end_tb(&mut self, smx: SmxId, slot: SlotId, probe: &mut impl Probe) -> Result<Option<RecordId>, Fault> {
        self.board.check_slot(smx, slot)?;
        let (tb, mut over) = self.board.take_off(smx, slot).ok_or(Fault::NoTb)?;
        let mut done = None;
        if let Unit::Group(r) = tb.unit {
            let at = self.group_ref(r);
            done = self.board.leave_group((tb.kde, r, at), probe).then_some(r);
        } else if tb.unit == Unit::Node {
            if let Some(graphs) = self.graphs.as_mut() {
                graphs.node_done(&mut self.board, tb.kde, tb.blkid, probe);
            }
            over = self.board.kd.get(tb.kde).is_over();
        }
        if over {
            self.release(tb.kde, probe);
        }
        Ok(done)
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
        Ok(())
    }

    /// dtbl-D3: a kernel is over.
    pub(super) fn release(&mut self, k: KernelSlot, probe: &mut impl Probe) {
        if let Some(graphs) = self.graphs.as_mut() {
            graphs.release(&mut self.board, k);
        }
        self.board.release(k, probe);
        if let Some(told) = self.told.as_mut() {
            told.units.take(told.units.natives(k));
        }
    }
}
