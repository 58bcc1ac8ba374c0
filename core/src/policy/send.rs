//! What every policy does with the TB that it chose: counts it in its grid, gives it a slot, and says so.

use crate::base::id::{KernelSlot, RecordId, SmxId};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::probe::{Decision, Probe, TbPlacement};
use crate::smx::residency::{ResidentTb, Unit};

impl<T: Tables> FrontEnd<T> {
    /// Sends the next native TB of a kernel to `smx`, on which it fits. Also, whether it has more.
    #[inline(always)] // On the way of every TB, in each policy.
    pub(crate) fn send_native(&mut self, k: KernelSlot, smx: SmxId, probe: &mut impl Probe) -> (TbPlacement, bool) {
        let kde = self.kd.get_mut(k);
        if let Some(t0) = kde.t0 {
            kde.t0 = None;
            self.stats.count_wait(self.now.since(t0));
        }
        let (unit, blkid) = if kde.restored < kde.kernel.saved {
            kde.restored += 1;
            (Unit::Restored, kde.restored - 1)
        } else {
            kde.kernel.next_native += 1;
            (Unit::Native, kde.kernel.next_native - 1)
        };
        let (tag, prio, more) = (kde.kernel.descriptor.tag, kde.kernel.prio, kde.has_native_work());
        let tb = ResidentTb { kde: k, unit, blkid, prio, member: None };
        (self.place(smx, tb, tag, probe), more)
    }

    /// Sends TB `blkid` of a group to `smx`, on which it fits. Also, whether it has more.
    #[inline(always)]
    pub(crate) fn send_group(
        &mut self,
        k: KernelSlot,
        r: RecordId,
        blkid: u32,
        smx: SmxId,
        probe: &mut impl Probe,
    ) -> (TbPlacement, bool) {
        if let Some(group) = self.records.group_mut(r) {
            group.exe += 1;
        }
        let record = self.records.get(r);
        if blkid == 0 {
            self.stats.count_wait(self.now.since(record.t0));
        }
        let (tag, more) = (record.descriptor.tag, blkid + 1 < record.shape.total);
        let tb = ResidentTb { kde: k, unit: Unit::Group(r), blkid, prio: record.prio, member: None };
        (self.place(smx, tb, tag, probe), more)
    }

    /// Gives a TB its slot.
    #[inline(always)]
    pub(crate) fn place(&mut self, smx: SmxId, tb: ResidentTb, tag: u64, probe: &mut impl Probe) -> TbPlacement {
        let ResidentTb { kde: k, unit, blkid, .. } = tb;
        let kde = self.kd.get_mut(k);
        kde.exe += 1;
        let member = self.gates.admit(kde.kernel.descriptor.pc, smx);
        let slot = self.residency.place(smx, &kde.need, ResidentTb { member, ..tb });
        self.gates.recount(smx, &self.residency);
        // At most one in a cycle, so it cannot overflow.
        self.stats.tbs += 1;
        let tb = TbPlacement { smx, slot, kde: k, tb_ref: self.tb_ref(unit), blkid, tag };
        probe.decide(self.now, Decision::Tb(tb));
        if member.is_some_and(|m| m.bypass) {
            probe.decide(self.now, Decision::Bypass { smx, slot });
        }
        tb
    }
}
