//! Decisions as plain records: the queue in which they wait to be read, and the trace ring.

use core::mem;

use gpusched::power::Sample;
use gpusched::{Cycle, Decision, GroupRef, IssueSource, Probe, TbPlacement, TbRef};

use crate::GPUSCHED_NONE;
use crate::bubble::gpusched_bubble_record;
use crate::convert::ToC;
use crate::pointer::writable;
use crate::status::gpusched_status as Status;

/// What a TB is part of, or where a group's information is.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_unit {
    /// The kernel's own grid.
    Native = 0,
    /// A group on chip: `group` is its entry in the aggregated group table (AGE).
    Age = 1,
    /// A group in global memory: `group` is its launch record.
    Record = 2,
    /// The kernel's own grid, sent again after a suspension.
    Restored = 3,
    /// Nothing.
    None = 4,
    /// Under LaPerm: a group in one of its queues; `group` is its launch record.
    Unit = 5,
    /// The kernel's dependency graph: the TB's number is a VID.
    Node = 6,
}

/// A decision: one record of 32 bytes for every kind. Fields that say nothing of its kind are 0.
///
/// | kind | fields |
/// |---|---|
/// | TB | `smx`, `slot`, `kde`, `unit`, `group`, `blkid`, `tag` |
/// | BYPASS | `smx`, `slot` |
/// | ISSUE | `kde`, `tag`, `detail`: gpusched_source, `queue` if it is a hardware work queue, or the instance if it is a kernel graph |
/// | ARRIVE, KERNEL_DONE | `kde`, `tag` |
/// | JOIN, GROUP_DONE | `tag` of the group, `unit` and `group`: where its information is or was; JOIN: `kde` |
/// | FALL | `tag` of the group, `detail`: gpusched_fall |
/// | LOAD | `group`: the launch record; with load_mode external the host answers with gpusched_frontend_spill_loaded |
/// | UNMARK, ROTATE, GRAPH_DONE | `kde` |
/// | HWQ_FREE | `queue` |
/// | STALLED | none: the host that decides has sent nothing for a while although it could |
/// | SAVED | `smx`, `slot`, `unit`, `group`, `blkid`: keep the TB's context |
/// | SUSPEND | `kde`: the former entry, `detail`: its place in the list of suspended kernels |
/// | PLACE | `tag`, `detail`: gpusched_place, `smx`: the bind unit (0 for queue 0), `slot`: the level; `queue` is 1 if another unit went to memory instead, whose tag is in `group` (upper half) and `blkid` (lower half) |
/// | LAP | `detail`: the stage, 1 to 3, `slot`: the priority |
/// | REFILL | `tag`; with laperm_refill_mode external the host answers with gpusched_frontend_refilled |
/// | SAMPLE | `detail` is 1 if a TB was reported as waiting, and `tag` is that TB's; gpusched_frontend_bubble_record tells the rest |
/// | GRAPH_FAULT | `kde`, `detail`: gpusched_dgb_graph_fault_kind, `blkid`: the node |
/// | CLUSTER | `kde`, `group`: the number of the cluster in its grid, `detail`: the GPC, `blkid`: TBs, which follow at once in the order of their ranks |
/// | DRAINED, DRAIN_END | `detail`: the request |
/// | COMPLETE, TAIL | `tag` |
/// | OPENED | `kde`, `tag` |
/// | RELEASED | `smx`, `slot` |
/// | KGRAPH_START | `detail`: the instance, `blkid`: the graph, `queue` |
/// | KGRAPH_DONE | `detail`: the instance, `blkid`: the graph |
/// | SAVE | `kde`, `tag`: the cycle in which its frozen TBs are taken off |
/// | RESTORE | `smx`, `slot`, `tag`: cycles until the TB starts |
/// | GRAPH_ABORT | `kde`, `blkid`: its TBs that still run |
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_decision {
    /// The cycle in which it was taken.
    pub cycle: u64,
    /// The host's name of the kernel or group.
    pub tag: u64,
    /// Number of the TB in its grid; for restored TBs the position in the list of saved ones, for nodes of
    /// dependency graphs the VID.
    pub blkid: u32,
    /// AGE or launch record, as `unit` says.
    pub group: u32,
    /// SMX.
    pub smx: u16,
    /// gpusched_decision_kind.
    pub kind: u8,
    /// TB slot of the SMX.
    pub slot: u8,
    /// Kernel distributor entry.
    pub kde: u8,
    /// gpusched_unit.
    pub unit: u8,
    /// Hardware work queue.
    pub queue: u8,
    /// As the kind says.
    pub detail: u8,
}

/// What a TB is part of, or where a group's information is.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_part {
    /// gpusched_unit.
    pub unit: u32,
    /// AGE or launch record, as `unit` says.
    pub row: u32,
}

impl gpusched_part {
    /// Nothing.
    pub(crate) const NONE: Self = Self { unit: gpusched_unit::None as u32, row: GPUSCHED_NONE };
}

/// A group's entry of the aggregated group table, or its launch record.
impl ToC for GroupRef {
    type C = gpusched_part;

    #[inline]
    fn to_c(&self) -> gpusched_part {
        let (unit, row) = match *self {
            Self::Age(age) => (gpusched_unit::Age, age.0),
            Self::Record(record) => (gpusched_unit::Record, record.0),
            Self::Unit(record) => (gpusched_unit::Unit, record.0),
        };
        gpusched_part { unit: unit as u32, row }
    }
}

impl ToC for Option<GroupRef> {
    type C = gpusched_part;

    fn to_c(&self) -> gpusched_part {
        self.map_or(gpusched_part::NONE, |at| at.to_c())
    }
}

/// What a TB is part of.
impl ToC for TbRef {
    type C = gpusched_part;

    #[inline]
    fn to_c(&self) -> gpusched_part {
        let unit = match self {
            Self::Native => gpusched_unit::Native,
            Self::Restored => gpusched_unit::Restored,
            Self::Node => gpusched_unit::Node,
            Self::Group(at) => return at.to_c(),
        };
        gpusched_part { unit: unit as u32, row: 0 }
    }
}

impl gpusched_decision {
    /// The record of a decision. Whoever takes one knows its kind, so where this is inlined little is left of it.
    #[inline(always)]
    #[must_use]
    pub fn of(at: Cycle, decision: Decision) -> Self {
        let base = Self { cycle: at.0, kind: decision.to_c() as u8, ..Self::default() };
        let of_group = |at: GroupRef| {
            let gpusched_part { unit, row: group } = at.to_c();
            Self { unit: unit as u8, group, ..base }
        };
        let of_tb = |tb: TbRef, blkid: u32| {
            let gpusched_part { unit, row: group } = tb.to_c();
            Self { unit: unit as u8, group, blkid, ..base }
        };
        match decision {
            Decision::Tb(TbPlacement { smx, slot, kde, tb_ref, blkid, tag }) => {
                Self { smx: smx.0, slot: slot.0, kde: kde.0, tag, ..of_tb(tb_ref, blkid) }
            }
            Decision::Bypass { smx, slot } => Self { smx: smx.0, slot: slot.0, ..base },
            Decision::Issue { source, tag, kde } => {
                let queue = match source {
                    IssueSource::Hwq(queue) => queue.0,
                    IssueSource::Node(instance) => instance.0,
                    IssueSource::Device | IssueSource::Suspended => 0,
                };
                Self { tag, kde: kde.0, queue, detail: source.to_c() as u8, ..base }
            }
            Decision::Arrive { kde, tag } | Decision::KernelDone { kde, tag } => Self { kde: kde.0, tag, ..base },
            Decision::Join { tag, kde, group } => Self { tag, kde: kde.0, ..of_group(group) },
            Decision::Fall { tag, cause } => Self { tag, detail: cause.to_c() as u8, ..base },
            Decision::Load { record } => of_group(GroupRef::Record(record)),
            Decision::Unmark { kde } | Decision::Rotate { kde } | Decision::GraphDone { kde } => {
                Self { kde: kde.0, ..base }
            }
            Decision::GroupDone { tag, group } => Self { tag, ..of_group(group) },
            Decision::Stalled => base,
            Decision::HwqFree { queue } => Self { queue: queue.0, ..base },
            Decision::Saved { smx, slot, tb_ref, blkid } => Self { smx: smx.0, slot: slot.0, ..of_tb(tb_ref, blkid) },
            Decision::Place { tag, place, unit, level, evicted } => {
                let (smx, queue, other) = (unit.map_or(0, |u| u.0), evicted.is_some().into(), evicted.unwrap_or(0));
                let (group, blkid) = ((other >> 32) as u32, other as u32);
                Self { tag, detail: place.to_c() as u8, smx, slot: level, queue, group, blkid, ..base }
            }
            Decision::Lap { stage, prio } => Self { detail: stage as u8, slot: prio, ..base },
            Decision::Refill { tag } => Self { tag, ..base },
            Decision::Sample { waiting } => {
                Self { tag: waiting.unwrap_or(0), detail: waiting.is_some().into(), ..base }
            }
            Decision::GraphFault { kde, kind, node } => {
                Self { kde: kde.0, detail: kind as u8, blkid: node.0.into(), ..base }
            }
            Decision::GraphAbort { kde, executing } => Self { kde: kde.0, blkid: executing, ..base },
            Decision::Suspend { kde, index } => Self { kde: kde.0, detail: index.0, ..base },
            Decision::Cluster { kde, cluster, gpc, tbs } => {
                Self { kde: kde.0, group: cluster, detail: gpc.0, blkid: tbs, ..base }
            }
            Decision::KgraphStart { instance, graph, queue } => {
                Self { detail: instance.0, blkid: graph.0.into(), queue: queue.0, ..base }
            }
            Decision::KgraphDone { instance, graph } => Self { detail: instance.0, blkid: graph.0.into(), ..base },
            Decision::Opened { kde, tag } => Self { kde: kde.0, tag, ..base },
            Decision::Released { smx, slot } => Self { smx: smx.0, slot: slot.0, ..base },
            Decision::Complete { tag } | Decision::Tail { tag } => Self { tag, ..base },
            Decision::Drained { drain } | Decision::DrainEnd { drain } => Self { detail: drain.0, ..base },
            Decision::Save { kde, until } => Self { kde: kde.0, tag: until.0, ..base },
            Decision::Restore { smx, slot, cycles } => Self { smx: smx.0, slot: slot.0, tag: cycles, ..base },
        }
    }
}

/// A ring of the caller that every decision is also written to, for traces: the newest `capacity` decisions are in it, decision
/// number i (from 0) at `events[i % capacity]`. The library only ever writes `written` and the events. Reading it needs no call.
#[repr(C)]
#[derive(Debug)]
pub struct gpusched_trace {
    /// The ring.
    pub events: *mut gpusched_decision,
    /// Its length, at least 1.
    pub capacity: usize,
    /// Decisions written since the ring was attached.
    pub written: u64,
}

/// Where decisions go: into the queue until they are read, and into the trace ring if there is one.
pub struct Sink {
    queue: &'static mut [gpusched_decision],
    /// How many at its beginning wait to be read.
    unread: usize,
    trace: Option<Ring>,
    /// What the last sample of the occupancy-bubble controller found and decided: one record, or none if there is no controller.
    record: &'static mut [gpusched_bubble_record],
    /// Whether there was a sample.
    sampled: bool,
}

/// A trace ring whose parts were checked.
pub(crate) struct Ring {
    events: *mut gpusched_decision,
    capacity: usize,
    at: usize,
    written: *mut u64,
}

impl Sink {
    /// An empty queue in this memory, and no trace.
    #[must_use]
    pub fn new(queue: &'static mut [gpusched_decision]) -> Self {
        Self { queue, unread: 0, trace: None, record: &mut [], sampled: false }
    }

    /// Samples are kept here.
    #[must_use]
    pub fn keeping(self, record: &'static mut [gpusched_bubble_record]) -> Self {
        Self { record, ..self }
    }

    /// The decisions that were not read, oldest first.
    #[inline]
    #[must_use]
    pub fn unread(&self) -> &[gpusched_decision] {
        self.queue.get(..self.unread).unwrap_or_default()
    }

    /// Whether `n` more find room.
    #[inline]
    #[must_use]
    pub fn has_room(&self, n: usize) -> bool {
        // There are never more than the queue holds.
        self.queue.len().wrapping_sub(self.unread) >= n
    }

    /// The oldest `n` were read. What is left moves up, so it is best to read all.
    pub fn take(&mut self, n: usize) {
        let left = self.unread.saturating_sub(n);
        for to in 0..left {
            if let Some(&decision) = self.queue.get(to + n)
                && let Some(place) = self.queue.get_mut(to)
            {
                *place = decision;
            }
        }
        self.unread = left;
    }

    /// All are read: where they lie until the next one comes, and how many they are.
    #[inline]
    pub fn take_all(&mut self) -> (*const gpusched_decision, usize) {
        (self.queue.as_ptr(), mem::take(&mut self.unread))
    }

    /// The last sample since this queue was made.
    #[must_use]
    pub fn sample(&self) -> Option<&gpusched_bubble_record> {
        self.record.first().filter(|_| self.sampled)
    }

    /// Takes the trace ring off.
    pub(crate) fn detach(&mut self) -> Option<Ring> {
        self.trace.take()
    }

    /// Goes on with a trace ring that was taken off.
    pub(crate) fn reattach(&mut self, trace: Option<Ring>) {
        self.trace = trace;
    }

    /// Attaches a trace ring, or none.
    ///
    /// # Errors
    /// `Null`, `Misaligned` for its parts; `Capacity` if it has no room at all.
    ///
    /// # Safety
    /// The ring and its events stay where they are, writable, until another one or none is attached.
    pub unsafe fn attach(&mut self, trace: *mut gpusched_trace) -> Result<(), Status> {
        if trace.is_null() {
            self.trace = None;
            return Ok(());
        }
        let trace = writable(trace)?;
        // SAFETY: the caller's contract.
        let (events, capacity, written) = unsafe { ((*trace).events, (*trace).capacity, &raw mut (*trace).written) };
        writable(events)?;
        if capacity == 0 {
            return Err(Status::Capacity);
        }
        // SAFETY: as above.
        unsafe { written.write(0) };
        self.trace = Some(Ring { events, capacity, at: 0, written });
        Ok(())
    }
}

impl Probe for Sink {
    #[inline(always)]
    fn decide(&mut self, at: Cycle, decision: Decision) {
        // There is room: every verb asks for it before it acts.
        if let Some(place) = self.queue.get_mut(self.unread) {
            // Made where it lies: a copy made field by field and then moved as a whole would have to wait for its fields.
            *place = gpusched_decision::of(at, decision);
            self.unread += 1;
            if let Some(ring) = &mut self.trace {
                ring.write(place);
            }
        }
    }

    fn sample(&mut self, _: Cycle, sample: &Sample) {
        if let Some(record) = self.record.first_mut() {
            *record = sample.to_c();
            self.sampled = true;
        }
    }
}

impl Ring {
    #[inline(never)]
    fn write(&mut self, record: &gpusched_decision) {
        // SAFETY: `at` is below the capacity, and the caller of `attach` vouches for the ring.
        unsafe {
            self.events.add(self.at).write(*record);
            *self.written = (*self.written).wrapping_add(1);
        }
        self.at = if self.at + 1 >= self.capacity { 0 } else { self.at + 1 };
    }
}
