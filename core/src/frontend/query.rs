//! Queries: the whole visible state, by value or by reference. None changes anything.

use crate::base::cycle::Cycle;
use crate::base::id::{ClassId, HwqId, Id, KernelSlot, RecordId, SlotId, SmxId, SuspId};
use crate::base::set::SmxSet;
use crate::config::Config;
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::frontend::view::LoadPlace;
use crate::launch::descriptor::Descriptor;
use crate::launch::distributor::{Kde, KernelKey, Phase};
use crate::launch::hwq::Owner;
use crate::launch::record::{Record, RecordState};
use crate::launch::stats::Stats;
use crate::launch::suspended::Suspended;
use crate::probe::{GroupRef, TbRef};
use crate::smx::gates::ClassCap;
use crate::smx::residency::{ResidentTb, Smx, Unit};

/// What the machine waits for; the first of these that applies (frontend-Q1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum State {
    /// Time, or the end of resident TBs, will bring it on.
    Running,
    /// The dependency graph that runs contradicts itself, or its window can never move again: the host must give it up.
    GraphStuck,
    /// The dependency-graph buffer waits for the host's answers.
    GraphWait,
    /// Work is there that only the host's gates keep.
    Gated,
    /// A kernel waits for an entry, and no entry will become free by itself.
    KdBlocked,
    /// A suspended kernel waits to be resumed.
    Suspended,
    /// A kernel waits in a queue that a retained kernel holds.
    HwqBlocked,
    /// Only retained entries are left.
    Retained,
    /// Nothing is owned anywhere: idle.
    Drained,
    /// Stands behind `GraphWait`, where no gate is at fault: every resident TB waits for a kernel that has children left, and these find no
    /// room for as long as it does (launch2-Q2, launch2-H1).
    WaitStuck,
}

/// A live group, as its AGE or its record in global memory shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GroupView {
    /// Its tag.
    pub tag: u64,
    /// Its launch record.
    pub record: RecordId,
    /// Where its information is.
    pub at: GroupRef,
    /// The kernel it joined.
    pub kde: KernelSlot,
    /// The group behind it.
    pub next: Option<GroupRef>,
    /// ExeBL: its resident TBs.
    pub exe: u32,
    /// Whether every TB of it was sent.
    pub dist: bool,
}

/// A resident TB, as its control register shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TbView {
    /// SMX.
    pub smx: SmxId,
    /// TB slot.
    pub slot: SlotId,
    /// Its kernel.
    pub kde: KernelSlot,
    /// Its grid.
    pub tb_ref: TbRef,
    /// Its number in that grid.
    pub blkid: u32,
    /// Its class at dispatch.
    pub class_id: Option<ClassId>,
    /// Whether it bypasses L1.
    pub bypass: bool,
    /// Its priority (LaPerm).
    pub prio: u8,
    /// The number of its cluster in the grid, if it is of one.
    pub cluster: Option<u32>,
    /// Its rank in the cluster.
    pub rank: u8,
    /// Whether it has triggered (launch2-P2).
    pub has_triggered: bool,
    /// Whether it waits for what its kernel follows (launch2-P5).
    pub is_waiting: bool,
}

/// A hardware work queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct HwqView {
    /// Whether a kernel of it is arriving, active, suspended or not complete, or a graph of kernels runs (dtbl-I9, launch2-I1).
    pub busy: bool,
    /// Kernels that wait in it.
    pub len: u32,
}

impl<T: Tables> FrontEnd<T> {
    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.board.config
    }

    /// The cycle that the next [`FrontEnd::tick`] carries out.
    #[must_use]
    pub fn now(&self) -> Cycle {
        self.board.now
    }

    /// Statistics since the machine was built.
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats { ticks: self.board.now.0, ..self.board.stats }
    }

    /// The SMX that the scheduler tries first.
    #[must_use]
    pub fn rr(&self) -> SmxId {
        self.fcfs_rr.rr()
    }

    /// What the machine waits for.
    #[must_use]
    pub fn status(&self) -> State {
        let (candidate, graphs) = (self.has_candidate(), self.graphs.as_ref());
        let matures = self.board.records.first_agg().is_some() || self.board.records.any_dev_maturing(self.board.now);
        let arrives = self.board.kd.next_arrival().is_some();
        // launch2-Q1.
        let flushes = self.grids.as_ref().is_some_and(|grids| grids.is_flushing());
        let starts = self.grids.as_ref().is_some_and(|grids| grids.next_start(&self.board).is_some());
        let launches = self.grids.as_ref().is_some_and(|grids| grids.is_ripening(self.board.now));
        let launches = launches || self.board.next_head(self.board.now.after(1)).is_some_and(|at| at > self.board.now);
        let issues = self.has_free_candidate() && self.board.kd.has_free();
        let loads = self.next_visible(self.board.now.after(1)).is_some_and(|ready| ready > self.board.now)
            || self.laperm.as_ref().is_some_and(|line| line.queues.any_loading());
        let runs = self.board.residency.warps() > 0 && !self.all_wait();
        if runs || arrives || matures || issues || loads || flushes || starts || launches || self.could_send() {
            State::Running
        } else if graphs.is_some_and(|graphs| graphs.is_stuck(&self.board)) {
            State::GraphStuck
        } else if graphs.is_some_and(|graphs| graphs.dgb.waits_for_memory()) {
            State::GraphWait
        } else if self.board.residency.warps() > 0 {
            if self.is_gated() { State::Gated } else { State::WaitStuck }
        } else if self.holds_work() {
            State::Gated
        } else if candidate {
            State::KdBlocked
        } else if !self.board.suspended.is_empty() {
            State::Suspended
        } else if self.board.hwqs.any_waiting() {
            State::HwqBlocked
        } else if self.board.kd.any_active() {
            State::Retained
        } else {
            State::Drained
        }
    }

    /// Whether the scheduler has anything that is to be sent.
    fn holds_work(&self) -> bool {
        let Self { board, graphs, .. } = self;
        board.kd.fifo_head().is_some()
            || board.kd.active().any(|k| board.kd.get(k).pend > 0)
            || graphs.as_ref().is_some_and(|graphs| graphs.unsent(board).is_some())
    }

    /// Whether every resident TB waits for what its kernel follows.
    fn all_wait(&self) -> bool {
        let resident = || self.board.kd.active().map(|k| self.board.kd.get(k).exe).sum::<u32>();
        self.grids.as_ref().is_some_and(|grids| grids.waiting() > 0 && grids.waiting() == resident())
    }

    /// Whether nothing is owned anywhere.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.status() == State::Drained
    }

    /// What is free on an SMX; `None` if there is no such SMX.
    #[must_use]
    pub fn smx(&self, smx: SmxId) -> Option<&Smx> {
        self.board.all_smxs().contains(smx).then(|| self.board.residency.smx(smx))
    }

    /// The TB in a slot of an SMX.
    #[must_use]
    pub fn tb(&self, smx: SmxId, slot: SlotId) -> Option<TbView> {
        let exists = self.board.all_smxs().contains(smx) && u32::from(slot.0) < self.board.config.tb_slots;
        let ResidentTb { kde, unit, blkid, member, prio } = *self.board.residency.tb(smx, slot).filter(|_| exists)?;
        let (class_id, bypass) = (member.map(|m| m.class), member.is_some_and(|m| m.bypass));
        let place = self.modern.as_ref().and_then(|modern| modern.cluster_at(smx, slot));
        let (cluster, rank) = (place.map(|place| place.cluster), place.map_or(0, |place| place.rank));
        let grids = self.grids.as_ref();
        let has_triggered = grids.is_some_and(|grids| grids.has_triggered(smx, slot));
        let is_waiting = grids.is_some_and(|grids| grids.is_waiting(smx, slot));
        let tb_ref = self.tb_ref(unit);
        Some(TbView { smx, slot, kde, tb_ref, blkid, class_id, bypass, prio, cluster, rank, has_triggered, is_waiting })
    }

    /// Resident TBs, by SMX and slot.
    pub fn resident_tbs(&self) -> impl Iterator<Item = TbView> {
        let slots = self.board.config.tb_slots as usize;
        let all = self.board.all_smxs().iter().flat_map(move |s| (0..slots).map(move |w| (s, SlotId::from_index(w))));
        all.filter_map(|(smx, slot)| self.tb(smx, slot))
    }

    /// Warps of all resident TBs.
    #[must_use]
    pub fn resident_warps(&self) -> u32 {
        self.board.residency.warps()
    }

    /// Entries that are not free, by number.
    pub fn kdes(&self) -> impl Iterator<Item = (KernelSlot, &Kde)> {
        let all = (0..self.board.config.n_kde).map(|k| KernelSlot(k as u8));
        all.filter_map(|k| Some((k, self.kde(k)?)))
    }

    /// An entry that is not free.
    #[must_use]
    pub fn kde(&self, kde: KernelSlot) -> Option<&Kde> {
        let exists = u32::from(kde.0) < self.board.config.n_kde;
        exists.then(|| self.board.kd.get(kde)).filter(|e| e.phase != Phase::Free)
    }

    /// Marked entries in the FCFS controller, head first. The head's cursor is SSCR.
    pub fn fcfs(&self) -> impl Iterator<Item = KernelSlot> {
        self.board.kd.fifo()
    }

    /// The lowest active entry that a group with this descriptor would join; `None` if it would become a device kernel (dtbl-T3 step 1). Of
    /// several contexts the first is meant: nothing joins across them (modern-P2).
    #[must_use]
    pub fn eligible_kernel(&self, descriptor: &Descriptor) -> Option<KernelSlot> {
        self.board.kd.eligible(&KernelKey::of(descriptor, Owner::default()))
    }

    /// A launch record in use.
    #[must_use]
    pub fn record(&self, record: RecordId) -> Option<&Record> {
        let exists = record.0 < self.board.config.pend_limit;
        exists.then(|| self.board.records.get(record)).filter(|r| r.state != RecordState::Free)
    }

    /// Launch records in use.
    #[must_use]
    pub fn records_in_use(&self) -> u32 {
        self.board.records.in_use()
    }

    /// Live groups on chip, by AGE.
    pub fn agt(&self) -> impl Iterator<Item = GroupView> {
        self.board.agt.iter().filter_map(|(_, record)| self.group(record))
    }

    /// Live groups in global memory, by record.
    pub fn spilled(&self) -> impl Iterator<Item = GroupView> {
        let spilled = self.board.records.iter().filter(|(_, r)| r.group().is_some_and(|g| g.age.is_none()));
        spilled.filter_map(|(r, _)| self.group(r))
    }

    /// The live group in a launch record.
    #[must_use]
    pub fn group(&self, record: RecordId) -> Option<GroupView> {
        let entry = self.record(record)?;
        let group = entry.group()?;
        let next = group.next.map(|(_, at)| at);
        let (tag, at) = (entry.descriptor.tag, self.group_ref(record));
        Some(GroupView { tag, record, at, kde: group.kernel, next, exe: group.exe, dist: group.dist })
    }

    /// Where the information of a coalesced group is; `None` if the record holds none.
    #[must_use]
    pub fn group_location(&self, record: RecordId) -> Option<GroupRef> {
        self.record(record)?.group().map(|_| self.group_ref(record))
    }

    /// A hardware work queue.
    #[must_use]
    pub fn hwq(&self, queue: HwqId) -> Option<HwqView> {
        let exists = u32::from(queue.0) < self.board.config.n_queue();
        exists.then(|| HwqView { busy: self.board.hwqs.is_busy(queue), len: self.board.hwqs.len(queue) })
    }

    /// A suspended kernel.
    #[must_use]
    pub fn suspended(&self, index: SuspId) -> Option<&Suspended> {
        self.board.suspended.get(index)
    }

    /// Spilled groups that were asked for before their turn (`load_ahead`), by their places in the load buffer. With `load_mode`
    /// fixed, one that waits is here from its cycle on: 8 at most.
    pub fn load_buffer(&self) -> impl Iterator<Item = LoadPlace> {
        self.fcfs_rr.load_buffer().iter().map(|(record, load)| LoadPlace { record, load: load.into() })
    }

    /// Gate E.
    #[must_use]
    pub fn eligible(&self) -> SmxSet {
        *self.board.gates.eligible()
    }

    /// Gate X of an SMX.
    #[must_use]
    pub fn block_cap(&self, smx: SmxId) -> Option<u32> {
        self.board.all_smxs().contains(smx).then(|| self.board.gates.block_cap(smx).into())
    }

    /// The pc of a class, if there is such a class and it has one.
    #[must_use]
    pub fn class_pc(&self, cls: ClassId) -> Option<u64> {
        self.board.gates.class(cls)
    }

    /// Gate K of a class on an SMX.
    #[must_use]
    pub fn class_cap(&self, cls: ClassId, smx: SmxId) -> Option<&ClassCap> {
        (self.board.gates.has_class(cls) && self.board.all_smxs().contains(smx)).then(|| self.board.gates.cap(cls, smx))
    }

    /// Whether groups wait by themselves, in LaPerm's queues or as a host is offered them, rather than in their kernels' chains.
    #[inline(always)]
    pub(super) fn has_free_units(&self) -> bool {
        self.laperm.is_some() || self.told.as_ref().is_some_and(|told| told.is_free())
    }

    /// Where the information of a coalesced group is.
    pub(super) fn group_ref(&self, r: RecordId) -> GroupRef {
        if self.has_free_units() { GroupRef::Unit(r) } else { self.board.chained_ref(r) }
    }

    pub(super) fn tb_ref(&self, unit: Unit) -> TbRef {
        match unit {
            Unit::Native => TbRef::Native,
            Unit::Restored => TbRef::Restored,
            Unit::Node => TbRef::Node,
            Unit::Group(r) => TbRef::Group(self.group_ref(r)),
        }
    }
}
