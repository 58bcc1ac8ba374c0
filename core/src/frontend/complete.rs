//! Completion: a TB ends, and with it perhaps its group, its kernel, and the hold on a queue (dtbl-D1 to D5).

use crate::base::error::Fault;
use crate::base::id::{KernelSlot, RecordId, SlotId, SmxId};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::launch::distributor::{Kernel, Source};
use crate::probe::{Decision, Probe};
use crate::smx::residency::{ResidentTb, Unit};

impl<T: Tables> FrontEnd<T> {
    /// The TB at `smx`, `slot` has ended. Its room can be used by this cycle's `tick`.
    ///
    /// # Errors
    /// `BadSmx`, `BadSlot`, `NoTb`.
    pub fn tb_done(&mut self, smx: SmxId, slot: SlotId, probe: &mut impl Probe) -> Result<(), Fault> {
        self.check_slot(smx, slot)?;
        let (tb, mut over) = self.take_off(smx, slot).ok_or(Fault::NoTb)?;
        if let Unit::Group(r) = tb.unit {
            self.leave_group(tb.kde, r, probe);
        } else if tb.unit == Unit::Node {
            self.node_done(tb.kde, tb.blkid, probe);
            over = self.kd.get(tb.kde).is_over();
        }
        if over {
            self.release(tb.kde, probe);
        }
        Ok(())
    }

    /// Ends the hold on a kernel that was launched with `retain` (dtbl-D5).
    ///
    /// # Errors
    /// `BadKde`, `NoKernel`, `NotRetained`.
    pub fn unretain(&mut self, kde: KernelSlot, probe: &mut impl Probe) -> Result<(), Fault> {
        self.check_active(kde)?;
        if !self.kd.get(kde).retain {
            return Err(Fault::NotRetained);
        }
        self.kd.get_mut(kde).retain = false;
        if self.kd.get(kde).is_over() {
            self.release(kde, probe);
        }
        Ok(())
    }

    pub(crate) fn check_active(&self, kde: KernelSlot) -> Result<(), Fault> {
        if u32::from(kde.0) >= self.config.n_kde {
            return Err(Fault::BadKde);
        }
        if self.kd.is_active(kde) { Ok(()) } else { Err(Fault::NoKernel) }
    }

    /// dtbl-D1: takes the TB of a slot off its SMX, if there is one. Also, whether its kernel is over.
    #[inline(always)] // On the way of every TB; its other caller is rare.
    pub(crate) fn take_off(&mut self, smx: SmxId, slot: SlotId) -> Option<(ResidentTb, bool)> {
        let tb = self.residency.clear(smx, slot)?;
        let kde = self.kd.get_mut(tb.kde);
        kde.exe -= 1;
        self.residency.free(smx, slot, tb.kde, &kde.need);
        self.gates.leave(smx, &tb, &self.residency);
        Some((tb, kde.is_over()))
    }

    /// dtbl-D2: a group is done when every TB was sent and has ended. ExeBL alone cannot tell (dtbl-H12).
    fn leave_group(&mut self, k: KernelSlot, r: RecordId, probe: &mut impl Probe) {
        let Some(group) = self.records.group_mut(r) else { return };
        group.exe -= 1;
        let (done, age) = (group.dist && group.exe == 0, group.age);
        if !done {
            return;
        }
        let (tag, group) = (self.records.get(r).descriptor.tag, self.group_ref(r));
        probe.decide(self.now, Decision::GroupDone { tag, group });
        if let Some(age) = age {
            self.agt.release(age);
        }
        self.records.release(r);
        self.kd.get_mut(k).live -= 1;
    }

    /// dtbl-D3: a kernel is over; its entry goes, and its queue is inspected again.
    pub(crate) fn release(&mut self, k: KernelSlot, probe: &mut impl Probe) {
        let Kernel { descriptor, source, .. } = self.kd.get(k).kernel;
        self.kd.release(k);
        self.residency.forget(k);
        self.release_dgb(k);
        probe.decide(self.now, Decision::KernelDone { kde: k, tag: descriptor.tag });
        if let Source::Hwq(queue) = source {
            self.hwqs.release(queue);
            probe.decide(self.now, Decision::HwqFree { queue });
        }
    }
}
