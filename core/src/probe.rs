//! Decisions, and who is told them.
//!
//! Every verb that can decide takes a [`Probe`] and tells it each decision, in order, with its cycle. `()` ignores them, a
//! [`DecisionList`] keeps them, a closure does what it likes, and a pair tells both of its halves. Nothing that a probe does can
//! reach back into the machine.
//!
//! ```
//! use gpusched::{Cycle, Decision, DecisionList, Probe};
//!
//! let mut list = DecisionList::<4>::new();
//! list.decide(Cycle(7), Decision::Load { record: gpusched::RecordId(3) });
//! assert_eq!(list.as_slice().len(), 1);
//! ```

use crate::base::cycle::Cycle;
use crate::base::id::{
    AgeId, DrainId, GpcId, HwqId, InstanceId, KernelSlot, KgraphId, RecordId, SlotId, SmxId, SuspId, UnitId,
};
use crate::dats::{GraphFaultKind, NodeId};
use crate::policy::laperm::Stage;
use crate::power::Sample;

/// Where a group's information is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum GroupRef {
    /// On chip, in this AGE.
    Age(AgeId),
    /// In global memory, in this launch record: spilled.
    Record(RecordId),
    /// Under LaPerm: in one of its queues, as the unit of this launch record.
    Unit(RecordId),
}

/// What a TB is part of, as its control register names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum TbRef {
    /// The kernel's own grid.
    Native,
    /// An aggregated group.
    Group(GroupRef),
    /// The kernel's own grid, after a suspension.
    Restored,
    /// The kernel's dependency graph.
    Node,
}

/// Where an issued kernel waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum IssueSource {
    /// A hardware work queue.
    Hwq(HwqId),
    /// The list of device kernels.
    Device,
    /// The list of suspended kernels.
    Suspended,
    /// A kernel graph that runs.
    Node(InstanceId),
}

/// Why a group became a device kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FallCause {
    /// No eligible kernel.
    Kde,
    /// Its AGE was taken, and `agt_miss` is `device`.
    Agt,
}

/// A TB and where to run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TbPlacement {
    /// SMX.
    pub smx: SmxId,
    /// TB slot.
    pub slot: SlotId,
    /// Its kernel's entry.
    pub kde: KernelSlot,
    /// Its grid.
    pub tb_ref: TbRef,
    /// Its number in that grid; for restored TBs the position in the list of saved ones, for nodes the VID.
    pub blkid: u32,
    /// Tag of the kernel or group that it belongs to.
    pub tag: u64,
}

/// Where LaPerm put a unit: the native TBs of a kernel, or a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum UnitPlace {
    /// Into the on-chip queue of a bind unit.
    OnChip,
    /// Into an overflow list in memory: that queue is full.
    Spilled,
    /// Into queue 0, as a host kernel.
    Queue0,
}

/// What the front end decided (`dtbl` and `frontend`, Interface).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Decision {
    /// The KMU sends a kernel to an entry. A host that counts memory traffic reads a device kernel's record here; its time is in
    /// `lat_dispatch` (dtbl-A24).
    Issue {
        /// Where it waited.
        source: IssueSource,
        /// Its tag.
        tag: u64,
        /// Its entry.
        kde: KernelSlot,
    },
    /// The kernel is in the distributor: active, marked, first.
    Arrive {
        /// Its entry.
        kde: KernelSlot,
        /// Its tag.
        tag: u64,
    },
    /// A group is coalesced with a kernel.
    Join {
        /// Tag of the group.
        tag: u64,
        /// The kernel.
        kde: KernelSlot,
        /// Where the group's information is.
        group: GroupRef,
    },
    /// A group became a device kernel.
    Fall {
        /// Tag of the group.
        tag: u64,
        /// Why.
        cause: FallCause,
    },
    /// The scheduler fetches a spilled group.
    Load {
        /// Its record.
        record: RecordId,
    },
    /// Run this TB.
    Tb(TbPlacement),
    /// LaPerm took a unit.
    Place {
        /// Tag of the kernel or group.
        tag: u64,
        /// Where to.
        place: UnitPlace,
        /// The bind unit; `None` for queue 0.
        unit: Option<UnitId>,
        /// Nesting level: the priority of its TBs.
        level: u8,
        /// Tag of the unit that went to memory instead.
        evicted: Option<u64>,
    },
    /// LaPerm sent the TB just placed.
    Lap {
        /// Where it waited.
        stage: Stage,
        /// Its priority.
        prio: u8,
    },
    /// LaPerm brings this unit from memory onto the chip. With `refill_mode` external the host answers with
    /// [`refilled`](crate::FrontEnd::refilled).
    Refill {
        /// Tag of the kernel or group.
        tag: u64,
    },
    /// The occupancy-bubble controller took a sample. [`Probe::sample`] follows with the record.
    Sample {
        /// Tag of the TB that was reported to it as waiting.
        waiting: Option<u64>,
    },
    /// The TB just placed bypasses the L1 cache.
    Bypass {
        /// SMX.
        smx: SmxId,
        /// TB slot.
        slot: SlotId,
    },
    /// Every TB of the kernel and its groups was sent.
    Unmark {
        /// The kernel.
        kde: KernelSlot,
    },
    /// The kernel had its turn (`turn_groups`) and goes on later.
    Rotate {
        /// The kernel.
        kde: KernelSlot,
    },
    /// The host has sent nothing for `stall_limit` cycles although something was open (policy-P11).
    Stalled,
    /// A group finished; its AGE and record are free.
    GroupDone {
        /// Tag of the group.
        tag: u64,
        /// Where its information was.
        group: GroupRef,
    },
    /// Every node of a kernel's dependency graph is done.
    GraphDone {
        /// The kernel.
        kde: KernelSlot,
    },
    /// The memory of a kernel's dependency graph contradicts itself. Nothing more of it is sent; it waits for `abort_graph`.
    GraphFault {
        /// The kernel.
        kde: KernelSlot,
        /// How.
        kind: GraphFaultKind,
        /// Where.
        node: NodeId,
    },
    /// A kernel's dependency graph was given up.
    GraphAbort {
        /// The kernel.
        kde: KernelSlot,
        /// Its TBs that still run.
        executing: u32,
    },
    /// A kernel finished; its entry is free.
    KernelDone {
        /// Its entry.
        kde: KernelSlot,
        /// Its tag.
        tag: u64,
    },
    /// The queue is inspected again.
    HwqFree {
        /// The queue.
        queue: HwqId,
    },
    /// A grid and all that it launched are complete (launch2-G3).
    Complete {
        /// Its tag.
        tag: u64,
    },
    /// The turn of a tail launch has come: the KMU may issue it (launch2-C3).
    Tail {
        /// Its tag.
        tag: u64,
    },
    /// Every TB of a kernel was sent, and has triggered or ended: the kernel behind it may be issued if it is a programmatic dependent
    /// (launch2-P3). Of a kernel that has ended this is not said.
    Opened {
        /// Its entry.
        kde: KernelSlot,
        /// Its tag.
        tag: u64,
    },
    /// A TB that waits goes on: all that its kernel follows is complete (launch2-P5).
    Released {
        /// SMX.
        smx: SmxId,
        /// TB slot.
        slot: SlotId,
    },
    /// A kernel graph begins to run (launch2-K3).
    KgraphStart {
        /// The instance that runs it.
        instance: InstanceId,
        /// The graph.
        graph: KgraphId,
        /// The queue that it holds.
        queue: HwqId,
    },
    /// Every kernel of a kernel graph that ran is complete (launch2-K6).
    KgraphDone {
        /// The instance that ran it.
        instance: InstanceId,
        /// The graph.
        graph: KgraphId,
    },
    /// A TB was taken off its SMX.
    Saved {
        /// SMX.
        smx: SmxId,
        /// TB slot.
        slot: SlotId,
        /// Its grid.
        tb_ref: TbRef,
        /// Its number there.
        blkid: u32,
    },
    /// The kernel is in the list of suspended kernels.
    Suspend {
        /// Its former entry.
        kde: KernelSlot,
        /// Its place in the list.
        index: SuspId,
    },
    /// The `tbs` TBs that follow at once are a cluster, in the order of their ranks.
    Cluster {
        /// The kernel.
        kde: KernelSlot,
        /// The number of the cluster in its grid.
        cluster: u32,
        /// The GPC.
        gpc: GpcId,
        /// TBs; of a cluster that was saved those that had not ended.
        tbs: u32,
    },
    /// No TB that is to go is left on the SMXs of a request.
    Drained {
        /// The request.
        drain: DrainId,
    },
    /// A request has ended with its kernel.
    DrainEnd {
        /// The request.
        drain: DrainId,
    },
    /// The TBs of a kernel are frozen; in the cycle `until` they are taken off their SMXs.
    Save {
        /// The kernel.
        kde: KernelSlot,
        /// The cycle.
        until: Cycle,
    },
    /// The TB just placed, which was saved, starts so many cycles later.
    Restore {
        /// SMX.
        smx: SmxId,
        /// TB slot.
        slot: SlotId,
        /// Cycles.
        cycles: u64,
    },
}

/// Something that is told decisions. All methods do nothing by default.
pub trait Probe {
    /// `decision` was taken in cycle `at`.
    fn decide(&mut self, at: Cycle, decision: Decision) {
        let _ = (at, decision);
    }

    /// What the sample of cycle `at` found and decided; it follows [`Decision::Sample`]. Large, so it is lent.
    fn sample(&mut self, at: Cycle, record: &Sample) {
        let _ = (at, record);
    }
}

impl Probe for () {}

impl<F: FnMut(Cycle, Decision)> Probe for F {
    fn decide(&mut self, at: Cycle, decision: Decision) {
        self(at, decision);
    }
}

impl<A: Probe, B: Probe> Probe for (A, B) {
    fn decide(&mut self, at: Cycle, decision: Decision) {
        self.0.decide(at, decision);
        self.1.decide(at, decision);
    }

    fn sample(&mut self, at: Cycle, record: &Sample) {
        self.0.sample(at, record);
        self.1.sample(at, record);
    }
}

/// The first `N` decisions since it was last cleared.
///
/// [`Config::decisions_per_tick`](crate::Config::decisions_per_tick) is enough for one tick. A list that is too short counts what
/// it could not keep.
#[derive(Clone, Debug, Default)]
pub struct DecisionList<const N: usize> {
    list: heapless::Vec<(Cycle, Decision), N>,
    missed: u64,
}

impl<const N: usize> DecisionList<N> {
    /// An empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self { list: heapless::Vec::new(), missed: 0 }
    }

    /// The decisions, oldest first.
    #[must_use]
    pub fn as_slice(&self) -> &[(Cycle, Decision)] {
        &self.list
    }

    /// Decisions that did not fit.
    #[must_use]
    pub const fn missed(&self) -> u64 {
        self.missed
    }

    /// Forgets all decisions.
    pub fn clear(&mut self) {
        self.list.clear();
        self.missed = 0;
    }
}

impl<const N: usize> Probe for DecisionList<N> {
    fn decide(&mut self, at: Cycle, decision: Decision) {
        if self.list.push((at, decision)).is_err() {
            self.missed = self.missed.saturating_add(1);
        }
    }
}
