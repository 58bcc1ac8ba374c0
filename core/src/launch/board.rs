//! The board: all that is launched and all that runs, as everybody sees it who acts on it.
//!
//! The KMU, the policies and the controllers are values of their own beside it. They look at the board and change it through its
//! verbs; it knows none of them. Each of its fields is a table with verbs of its own.

mod validate;

use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::id::{ClassId, HwqId, KernelSlot, RecordId, SlotId, SmxId};
use crate::base::presence::Presence;
use crate::base::set::SmxSet;
use crate::base::table::Rows;
use crate::config::Config;
use crate::launch::agt::{Age, Agt};
use crate::launch::cross::Cross;
use crate::launch::distributor::{Distributor, Kde, Kernel, Source};
use crate::launch::hwq::{HostKernel, Hwq, Hwqs, Key};
use crate::launch::record::{LaunchFifo, Record, Records, Waiting};
use crate::launch::stats::Stats;
use crate::launch::suspended::{Suspended, SuspendedList};
use crate::probe::{Decision, GroupRef, Probe, TbPlacement, TbRef};
use crate::smx::gates::{ClassCap, Gates};
use crate::smx::residency::{Residency, ResidentTb, Smx, Tbcr, Unit};

/// Where the rows of a board lie.
pub(crate) trait BoardTables {
    type Grids: Presence;
    type Smxs: Rows<Smx>;
    type Tbcrs: Rows<Tbcr>;
    type Hwqs: Rows<Hwq>;
    type HostKernels: Rows<HostKernel>;
    type Records: Rows<Record>;
    type FreeWords: Rows<u64>;
    type LaunchFifos: Rows<LaunchFifo>;
    type WaitingKernels: Rows<Waiting>;
    type Kdes: Rows<Kde>;
    type Crosses: Rows<Cross>;
    type SuspendedKernels: Rows<Suspended>;
    type Ages: Rows<Age>;
    type BlockCaps: Rows<u8>;
    type ClassCaps: Rows<ClassCap>;
}

/// What is launched, and what runs where.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Board<T: BoardTables> {
    pub(crate) config: Config,
    /// The cycle that comes next, or is being carried out.
    pub(crate) now: Cycle,
    /// The next place in the order of launches and resumptions.
    pub(crate) seq: u64,
    pub(crate) hwqs: Hwqs<T::Hwqs, T::HostKernels>,
    pub(crate) records: Records<T::Records, T::FreeWords, T::LaunchFifos, T::WaitingKernels>,
    pub(crate) suspended: SuspendedList<T::SuspendedKernels>,
    pub(crate) kd: Distributor<T::Kdes, T::Crosses>,
    pub(crate) agt: Agt<T::Ages>,
    pub(crate) residency: Residency<T::Smxs, T::Tbcrs>,
    pub(crate) gates: Gates<T::BlockCaps, T::ClassCaps>,
    pub(crate) stats: Stats,
}

impl<T: BoardTables> Board<T> {
    pub(crate) fn all_smxs(&self) -> SmxSet {
        SmxSet::first(self.config.n_smx)
    }

    /// The age of something that is ready at `ready`, behind all that came before.
    pub(crate) fn next_key(&mut self, ready: Cycle) -> Key {
        let seq = self.seq;
        self.seq = self.seq.wrapping_add(1);
        Key { ready, seq }
    }

    // ---- who exists

    pub(crate) fn check_active(&self, kde: KernelSlot) -> Result<(), Fault> {
        if u32::from(kde.0) >= self.config.n_kde {
            return Err(Fault::BadKde);
        }
        if self.kd.is_active(kde) { Ok(()) } else { Err(Fault::NoKernel) }
    }

    pub(crate) fn check_smx(&self, smx: SmxId) -> Result<(), Fault> {
        if u32::from(smx.0) < self.config.n_smx { Ok(()) } else { Err(Fault::BadSmx) }
    }

    pub(crate) fn check_slot(&self, smx: SmxId, slot: SlotId) -> Result<(), Fault> {
        self.check_smx(smx)?;
        if u32::from(slot.0) < self.config.tb_slots { Ok(()) } else { Err(Fault::BadSlot) }
    }

    pub(crate) fn check_class(&self, class: ClassId) -> Result<(), Fault> {
        if self.gates.has_class(class) { Ok(()) } else { Err(Fault::BadClass) }
    }

    /// The class of an entry's kernel.
    #[inline]
    pub(crate) fn class_of(&self, k: KernelSlot) -> Option<ClassId> {
        self.gates.class_of(self.kd.get(k).kernel.descriptor.pc)
    }

    /// Tag of a group, or of the kernel itself.
    pub(crate) fn tag_of(&self, k: KernelSlot, group: Option<RecordId>) -> u64 {
        match group {
            Some(r) => self.records.get(r).descriptor.tag,
            None => self.kd.get(k).kernel.descriptor.tag,
        }
    }

    /// Where the information of a coalesced group is, if the groups wait in the chains of their kernels.
    #[inline]
    pub(crate) fn chained_ref(&self, r: RecordId) -> GroupRef {
        match self.records.get(r).group().and_then(|g| g.age) {
            Some(age) => GroupRef::Age(age),
            None => GroupRef::Record(r),
        }
    }

    pub(crate) fn is_spilled(&self, r: RecordId) -> bool {
        self.records.get(r).group().is_some_and(|g| g.age.is_none())
    }

    // ---- dtbl-T2: the way in

    /// The next kernel whose time has come enters the distributor.
    #[inline]
    pub(crate) fn arrive(&mut self, probe: &mut impl Probe) -> Option<KernelSlot> {
        let kde = self.kd.arrive(self.now)?;
        let tag = self.kd.get(kde).kernel.descriptor.tag;
        probe.decide(self.now, Decision::Arrive { kde, tag });
        Some(kde)
    }

    // ---- what every policy does with the TB that it chose: counts it in its grid, gives it a slot, and says so

    /// Sends the next native TB of a kernel, or, fresh and unsent, the one at `at`, to `smx`, on which it fits. Also, whether it has more.
    #[inline(always)] // On the way of every TB, in each policy.
    pub(crate) fn send_native(
        &mut self,
        (k, at): (KernelSlot, Option<u32>),
        smx: SmxId,
        probe: &mut impl Probe,
    ) -> (TbPlacement, bool) {
        self.send_own((k, at, None), smx, probe)
    }

    /// Sends one TB of a cluster: the saved one at this place of their list, or the fresh one of this number. As [`Board::send_native`].
    pub(crate) fn send_numbered(
        &mut self,
        (k, number): (KernelSlot, u32),
        smx: SmxId,
        probe: &mut impl Probe,
    ) -> (TbPlacement, bool) {
        self.send_own((k, Some(number), Some(number)), smx, probe)
    }

    /// Sends a saved TB of a kernel, as long as there are any, or a fresh one: the next, or the one that is given.
    #[inline(always)]
    fn send_own(
        &mut self,
        (k, fresh, saved): (KernelSlot, Option<u32>, Option<u32>),
        smx: SmxId,
        probe: &mut impl Probe,
    ) -> (TbPlacement, bool) {
        let kde = self.kd.get_mut(k);
        if let Some(t0) = kde.t0 {
            kde.t0 = None;
            self.stats.count_wait(self.now.since(t0));
        }
        let (unit, tb_ref, blkid) = if kde.restored < kde.kernel.saved {
            kde.restored += 1;
            (Unit::Restored, TbRef::Restored, saved.unwrap_or(kde.restored - 1))
        } else {
            kde.kernel.next_native += 1;
            (Unit::Native, TbRef::Native, fresh.unwrap_or(kde.kernel.next_native - 1))
        };
        let (tag, prio, more) = (kde.kernel.descriptor.tag, kde.kernel.prio, kde.has_native_work());
        let tb = ResidentTb { kde: k, unit, blkid, prio, member: None };
        let tb = self.place(smx, tb, tb_ref, tag, probe);
        if tb_ref == TbRef::Restored {
            self.say_restored(k, (smx, tb.slot), probe);
        }
        (tb, more)
    }

    /// modern-S3: how long the TB that was restored here waits for its state, if it does.
    #[cold]
    #[inline(never)]
    fn say_restored(&self, k: KernelSlot, (smx, slot): (SmxId, SlotId), probe: &mut impl Probe) {
        let bytes = self.kd.get(k).need.context_bytes();
        let cycles = self.config.preempt.map_or(0, |part| part.restore_cycles(bytes));
        if cycles > 0 {
            probe.decide(self.now, Decision::Restore { smx, slot, cycles });
        }
    }

    /// Sends TB `blkid` of a group, whose information is at `at`, to `smx`, on which it fits; whether it is the first that is sent of it.
    /// Also, whether there is one behind it.
    #[inline(always)]
    pub(crate) fn send_group(
        &mut self,
        (k, r, at): (KernelSlot, RecordId, GroupRef),
        (blkid, is_first): (u32, bool),
        smx: SmxId,
        probe: &mut impl Probe,
    ) -> (TbPlacement, bool) {
        if let Some(group) = self.records.group_mut(r) {
            group.exe += 1;
        }
        let record = self.records.get(r);
        if is_first {
            self.stats.count_wait(self.now.since(record.t0));
        }
        let (tag, more) = (record.descriptor.tag, blkid + 1 < record.shape.total);
        let tb = ResidentTb { kde: k, unit: Unit::Group(r), blkid, prio: record.prio, member: None };
        (self.place(smx, tb, TbRef::Group(at), tag, probe), more)
    }

    /// Sends the node `vid` of a kernel's dependency graph to `smx`, on which it fits. Also, whether there are more.
    #[inline]
    pub(crate) fn send_node(
        &mut self,
        k: KernelSlot,
        vid: u32,
        smx: SmxId,
        probe: &mut impl Probe,
    ) -> (TbPlacement, bool) {
        let kde = self.kd.get_mut(k);
        kde.kernel.next_native += 1;
        let (tag, prio, more) = (kde.kernel.descriptor.tag, kde.kernel.prio, kde.has_native_work());
        let tb = ResidentTb { kde: k, unit: Unit::Node, blkid: vid, prio, member: None };
        self.kd.count_sent(k, vid);
        let tb = self.place(smx, tb, TbRef::Node, tag, probe);
        self.stats.graph_tbs = self.stats.graph_tbs.saturating_add(1);
        (tb, more)
    }

    /// launch2-X3: the entry of a kernel with a graph is that of its candidate, if it is of two kernels.
    #[inline]
    pub(crate) fn turn_to(&mut self, k: KernelSlot, candidate: Option<u32>) {
        if self.kd.turn_to(k, candidate) {
            self.residency.forget(k);
        }
    }

    /// Gives a TB its slot.
    #[inline(always)]
    fn place(&mut self, smx: SmxId, tb: ResidentTb, tb_ref: TbRef, tag: u64, probe: &mut impl Probe) -> TbPlacement {
        let ResidentTb { kde: k, blkid, .. } = tb;
        let kde = self.kd.get_mut(k);
        kde.exe += 1;
        let member = self.gates.admit(kde.kernel.descriptor.pc, smx);
        let slot = self.residency.place(smx, &kde.need, ResidentTb { member, ..tb });
        self.gates.recount(smx, &self.residency);
        // Below 2^63 in an image, so that no machine comes to the end of it.
        self.stats.tbs += 1;
        let tb = TbPlacement { smx, slot, kde: k, tb_ref, blkid, tag };
        probe.decide(self.now, Decision::Tb(tb));
        if member.is_some_and(|m| m.bypass) {
            probe.decide(self.now, Decision::Bypass { smx, slot });
        }
        tb
    }

    // ---- the way out

    /// dtbl-D1: takes the TB of a slot off its SMX, if there is one. Also, whether its kernel is over.
    #[inline(always)] // On the way of every TB; its other caller is rare.
    pub(crate) fn take_off(&mut self, smx: SmxId, slot: SlotId) -> Option<(ResidentTb, bool)> {
        let tb = self.residency.clear(smx, slot)?;
        let kde = self.kd.get_mut(tb.kde);
        kde.exe -= 1;
        if tb.unit == Unit::Node {
            self.free_node(smx, slot, &tb);
        } else {
            self.residency.free(smx, slot, Some(tb.kde), &kde.need);
        }
        let kde = self.kd.get(tb.kde);
        self.gates.leave(smx, &tb, &self.residency);
        Some((tb, kde.is_over()))
    }

    /// launch2-X4: gives back what the TB of a node needed, which is of two kernels perhaps.
    #[inline(never)]
    fn free_node(&mut self, smx: SmxId, slot: SlotId, tb: &ResidentTb) {
        match self.kd.count_end(tb) {
            None => self.residency.free(smx, slot, Some(tb.kde), &self.kd.get(tb.kde).need),
            Some(need) => self.residency.free(smx, slot, None, &need),
        }
    }

    /// dtbl-D2: a TB of the group, whose information is at `at`, has ended. The group is done when every TB was sent and has ended.
    /// ExeBL alone cannot tell (dtbl-H12).
    pub(crate) fn leave_group(&mut self, (k, r, at): (KernelSlot, RecordId, GroupRef), probe: &mut impl Probe) {
        let Some(group) = self.records.group_mut(r) else { return };
        group.exe -= 1;
        let (done, age) = (group.dist && group.exe == 0, group.age);
        if !done {
            return;
        }
        let tag = self.records.get(r).descriptor.tag;
        probe.decide(self.now, Decision::GroupDone { tag, group: at });
        if let Some(age) = age {
            self.agt.release(age);
        }
        self.records.release(r);
        self.kd.get_mut(k).live -= 1;
    }

    /// dtbl-D3: a kernel is over; its entry goes. Where it came from.
    pub(crate) fn release(&mut self, k: KernelSlot, probe: &mut impl Probe) -> Source {
        let Kernel { descriptor, source, .. } = self.kd.get(k).kernel;
        self.leave_entry(k);
        probe.decide(self.now, Decision::KernelDone { kde: k, tag: descriptor.tag });
        source
    }

    /// A queue is inspected again.
    pub(crate) fn free_queue(&mut self, queue: HwqId, probe: &mut impl Probe) {
        self.hwqs.release(queue);
        probe.decide(self.now, Decision::HwqFree { queue });
    }

    /// Frees an unmarked entry.
    pub(crate) fn leave_entry(&mut self, k: KernelSlot) {
        self.kd.release(k);
        self.residency.forget(k);
    }
}
