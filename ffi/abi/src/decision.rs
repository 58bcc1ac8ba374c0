//! Decisions as plain records: the queue in which they wait to be read, and the trace ring.

use core::mem;

use gpusched::power::Sample;
use gpusched::{Cycle, Decision, FallCause, GroupRef, IssueSource, Probe, TbPlacement, TbRef, UnitPlace};

use crate::GPUSCHED_NONE;
use crate::bubble::gpusched_bubble_record;
use crate::convert::ToC;
use crate::object::writable;
use crate::status::gpusched_status as Status;

/// What was decided: the `kind` of a gpusched_decision. Which other fields have a meaning is said here; the rest are 0.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_decision_kind {
    /// Run this TB: `smx`, `slot`, `kde`, `unit`, `group`, `blkid`, `tag`.
    Tb = 1,
    /// The TB just placed bypasses the L1 cache: `smx`, `slot`.
    Bypass = 2,
    /// The KMU sends a kernel to an entry: `kde`, `tag`, `detail` = gpusched_source, `queue` if it is a hardware work queue.
    Issue = 3,
    /// The kernel is in the distributor: `kde`, `tag`.
    Arrive = 4,
    /// A group is coalesced with a kernel: `kde`, `tag` of the group, `unit` and `group`: where its information is.
    Join = 5,
    /// A group became a device kernel: `tag` of the group, `detail` = gpusched_fall.
    Fall = 6,
    /// The scheduler fetches a spilled group: `group` = its launch record. With load_mode external the host answers with
    /// gpusched_frontend_spill_loaded.
    Load = 7,
    /// Every TB of the kernel and its groups was sent: `kde`.
    Unmark = 8,
    /// The kernel had its turn and goes on later: `kde`.
    Rotate = 9,
    /// A group finished; its AGE and record are free: `tag`, `unit` and `group`: where its information was.
    GroupDone = 10,
    /// A kernel finished; its entry is free: `kde`, `tag`.
    KernelDone = 11,
    /// A hardware work queue is inspected again: `queue`.
    HwqFree = 12,
    /// A TB was taken off its SMX; keep its context: `smx`, `slot`, `unit`, `group`, `blkid`.
    Saved = 13,
    /// A kernel is in the list of suspended kernels: `kde` = its former entry, `detail` = its place in the list.
    Suspend = 14,
    /// LaPerm took a unit, the native TBs of a kernel or a group: `tag`, `detail` = gpusched_place, `smx` = the bind unit (0 for
    /// queue 0), `slot` = its level. `queue` is 1 if another unit went to memory instead; its tag is then in `group` (upper half)
    /// and `blkid` (lower half).
    Place = 15,
    /// LaPerm sent the TB just placed: `detail` = the stage, 1 to 3, `slot` = its priority.
    Lap = 16,
    /// LaPerm brings a unit from memory onto the chip: `tag`. With laperm_refill_mode external the host answers with
    /// gpusched_frontend_refilled.
    Refill = 17,
    /// The occupancy-bubble controller took a sample, which gpusched_frontend_bubble_record
    /// tells: `detail` is 1 if a TB was reported to it as waiting, and `tag` is that TB's.
    Sample = 18,
    /// Every node of a kernel's dependency graph is done: `kde`.
    GraphDone = 19,
    /// The memory of a kernel's dependency graph contradicts itself: `kde`, `detail` = gpusched_dgb_graph_fault_kind, `blkid` = the node.
    GraphFault = 20,
    /// A kernel's dependency graph was given up: `kde`, `blkid` = its TBs that still run.
    GraphAbort = 21,
}

/// Where LaPerm put a unit: `detail` of GPUSCHED_DECISION_KIND_PLACE.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_place {
    /// Into the on-chip queue of its bind unit.
    OnChip = 0,
    /// Into an overflow list in memory: that queue is full.
    Spilled = 1,
    /// Into queue 0, as a host kernel.
    Queue0 = 2,
}

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

/// Where an issued kernel waited: `detail` of GPUSCHED_DECISION_KIND_ISSUE.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_source {
    /// A hardware work queue.
    Hwq = 0,
    /// The list of device kernels.
    Device = 1,
    /// The list of suspended kernels.
    Suspended = 2,
}

/// Why a group became a device kernel: `detail` of GPUSCHED_DECISION_KIND_FALL.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_fall {
    /// No eligible kernel.
    Kde = 0,
    /// Its AGE was taken, and agt_miss is device.
    Agt = 1,
}

/// A decision: one record of 32 bytes for every kind.
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
    pub const NONE: Self = Self { unit: gpusched_unit::None as u32, row: GPUSCHED_NONE };

    /// A group's entry of the aggregated group table, or its launch record.
    #[inline]
    pub(crate) fn of_group(at: GroupRef) -> Self {
        let (unit, row) = match at {
            GroupRef::Age(age) => (gpusched_unit::Age, age.0),
            GroupRef::Record(record) => (gpusched_unit::Record, record.0),
            GroupRef::Unit(record) => (gpusched_unit::Unit, record.0),
        };
        Self { unit: unit as u32, row }
    }

    /// What a TB is part of.
    #[inline]
    pub(crate) fn of_tb(tb: TbRef) -> Self {
        let unit = match tb {
            TbRef::Native => gpusched_unit::Native,
            TbRef::Restored => gpusched_unit::Restored,
            TbRef::Node => gpusched_unit::Node,
            TbRef::Group(at) => return Self::of_group(at),
        };
        Self { unit: unit as u32, row: 0 }
    }
}

impl gpusched_decision {
    /// The record of a decision.
    #[inline]
    #[must_use]
    pub fn of(at: Cycle, decision: Decision) -> Self {
        use gpusched_decision_kind as Kind;
        let of_kind = |kind: Kind| Self { cycle: at.0, kind: kind as u8, ..Self::default() };
        match decision {
            Decision::Tb(TbPlacement { smx, slot, kde, tb_ref: r, blkid, tag }) => {
                let gpusched_part { unit, row: group } = gpusched_part::of_tb(r);
                let base = of_kind(Kind::Tb);
                Self { smx: smx.0, slot: slot.0, kde: kde.0, unit: unit as u8, group, blkid, tag, ..base }
            }
            Decision::Bypass { smx, slot } => Self { smx: smx.0, slot: slot.0, ..of_kind(Kind::Bypass) },
            Decision::Issue { source, tag, kde } => {
                let (source, queue) = match source {
                    IssueSource::Hwq(queue) => (gpusched_source::Hwq, queue.0),
                    IssueSource::Device => (gpusched_source::Device, 0),
                    IssueSource::Suspended => (gpusched_source::Suspended, 0),
                };
                Self { tag, kde: kde.0, queue, detail: source as u8, ..of_kind(Kind::Issue) }
            }
            Decision::Arrive { kde, tag } => Self { kde: kde.0, tag, ..of_kind(Kind::Arrive) },
            Decision::Join { tag, kde, group } => {
                let gpusched_part { unit, row: group } = gpusched_part::of_group(group);
                Self { tag, kde: kde.0, unit: unit as u8, group, ..of_kind(Kind::Join) }
            }
            Decision::Fall { tag, cause } => {
                let cause = match cause {
                    FallCause::Kde => gpusched_fall::Kde,
                    FallCause::Agt => gpusched_fall::Agt,
                };
                Self { tag, detail: cause as u8, ..of_kind(Kind::Fall) }
            }
            Decision::Load { record } => {
                Self { unit: gpusched_unit::Record as u8, group: record.0, ..of_kind(Kind::Load) }
            }
            Decision::Unmark { kde } => Self { kde: kde.0, ..of_kind(Kind::Unmark) },
            Decision::Rotate { kde } => Self { kde: kde.0, ..of_kind(Kind::Rotate) },
            Decision::GroupDone { tag, group } => {
                let gpusched_part { unit, row: group } = gpusched_part::of_group(group);
                Self { tag, unit: unit as u8, group, ..of_kind(Kind::GroupDone) }
            }
            Decision::KernelDone { kde, tag } => Self { kde: kde.0, tag, ..of_kind(Kind::KernelDone) },
            Decision::HwqFree { queue } => Self { queue: queue.0, ..of_kind(Kind::HwqFree) },
            Decision::Saved { smx, slot, tb_ref: r, blkid } => {
                let gpusched_part { unit, row: group } = gpusched_part::of_tb(r);
                Self { smx: smx.0, slot: slot.0, unit: unit as u8, group, blkid, ..of_kind(Kind::Saved) }
            }
            Decision::Place { tag, place, unit, level, evicted } => {
                let place = match place {
                    UnitPlace::OnChip => gpusched_place::OnChip,
                    UnitPlace::Spilled => gpusched_place::Spilled,
                    UnitPlace::Queue0 => gpusched_place::Queue0,
                };
                let (smx, queue, other) = (unit.map_or(0, |u| u.0), evicted.is_some().into(), evicted.unwrap_or(0));
                let (group, blkid) = ((other >> 32) as u32, other as u32);
                Self { tag, detail: place as u8, smx, slot: level, queue, group, blkid, ..of_kind(Kind::Place) }
            }
            Decision::Lap { stage, prio } => Self { detail: stage as u8, slot: prio, ..of_kind(Kind::Lap) },
            Decision::Refill { tag } => Self { tag, ..of_kind(Kind::Refill) },
            Decision::Sample { waiting } => {
                Self { tag: waiting.unwrap_or(0), detail: waiting.is_some().into(), ..of_kind(Kind::Sample) }
            }
            Decision::GraphDone { kde } => Self { kde: kde.0, ..of_kind(Kind::GraphDone) },
            Decision::GraphFault { kde, kind, node } => {
                Self { kde: kde.0, detail: kind as u8, blkid: node.0.into(), ..of_kind(Kind::GraphFault) }
            }
            Decision::GraphAbort { kde, executing } => {
                Self { kde: kde.0, blkid: executing, ..of_kind(Kind::GraphAbort) }
            }
            Decision::Suspend { kde, index } => Self { kde: kde.0, detail: index.0, ..of_kind(Kind::Suspend) },
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
    #[inline]
    fn decide(&mut self, at: Cycle, decision: Decision) {
        let record = gpusched_decision::of(at, decision);
        // There is room: every verb asks for it before it acts.
        if let Some(place) = self.queue.get_mut(self.unread) {
            *place = record;
            self.unread += 1;
        }
        if let Some(ring) = &mut self.trace {
            ring.write(record);
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
    fn write(&mut self, record: gpusched_decision) {
        // SAFETY: `at` is below the capacity, and the caller of `attach` vouches for the ring.
        unsafe {
            self.events.add(self.at).write(record);
            *self.written = (*self.written).wrapping_add(1);
        }
        self.at = if self.at + 1 >= self.capacity { 0 } else { self.at + 1 };
    }
}
