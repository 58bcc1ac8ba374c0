//! Which TB ran where and when, and which TB launched it: what a Gantt chart shows.
//!
//! Off unless the log is given a limit: a log of no TBs takes no calls. A run that starts more TBs than the limit ends with an
//! error, before it has run for long; a chart of so many would show nothing.

use std::collections::BTreeMap;

use gpusched::laperm::Stage;
use gpusched::{Descriptor, GroupRef, KernelSlot};

use crate::front::{Arrival, Placed};
use crate::program::TbContext;
use crate::sm::Outbox;

/// Who launched a kernel or group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LaunchKind {
    /// The host.
    Host,
    /// A device thread: a device kernel, or a group.
    Device,
}

/// A kernel or group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// What was launched. Workloads use the tag of a child again when the child has ended.
    pub kernel: Descriptor,
    /// Who launched it.
    pub kind: LaunchKind,
    /// The stream of the host launch; 0 for what a device thread launched.
    pub stream: u32,
    /// Cycle of the launch call, before any latency.
    pub called: u64,
    /// The TB that called, by its place in [`TbLog::tbs`]; `None` for the host.
    pub parent: Option<u32>,
}

/// A kernel or group has become visible to the scheduler: its TBs can be sent from here on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visible {
    /// When.
    pub at: u64,
    /// The kernel or group, by its place in [`TbLog::launches`].
    pub launch: u32,
    /// The entry that holds the kernel.
    pub kde: KernelSlot,
    /// Where the group is; `None` for a kernel.
    pub group: Option<GroupRef>,
}

/// A TB that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tb {
    /// Its kernel or group, by its place in [`TbLog::launches`].
    pub launch: u32,
    /// Its number in that.
    pub blkid: u32,
    /// Threads.
    pub threads: u32,
    /// SM.
    pub sm: u16,
    /// TB slot.
    pub slot: u8,
    /// Whether LaPerm took it, in stage 3, from the queue of another SMX than its own.
    pub taken: bool,
    /// Cycle of its dispatch.
    pub start: u64,
    /// Cycle of its end; `None` while it runs.
    pub end: Option<u64>,
}

/// The TBs of a run, in the order of their dispatch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TbLog {
    limit: u32,
    launches: Vec<Launch>,
    visible: Vec<Visible>,
    tbs: Vec<Tb>,
    /// The TB in each slot, by SM and slot.
    running: BTreeMap<(u16, u8), u32>,
    /// The last launch with each tag.
    by_tag: BTreeMap<u64, u32>,
}

impl TbLog {
    /// A log of at most `limit` TBs; 0 = off.
    #[must_use]
    pub fn new(limit: u32) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Whether it takes calls.
    #[must_use]
    #[inline]
    pub fn is_on(&self) -> bool {
        self.limit > 0
    }

    /// Most TBs that it takes.
    #[must_use]
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// What SMs report of cycle `now`: launch calls, and TBs that ended.
    pub fn observe(&mut self, now: u64, out: &Outbox) {
        for call in &out.launches {
            call.lanes.iter().for_each(|lane| self.device_launch(now, call.sm, call.slot, &lane.descriptor));
        }
        out.ended.iter().for_each(|ended| self.end(now, ended.sm, ended.slot));
    }

    /// The host launches this kernel on this stream.
    pub fn host_launch(&mut self, now: u64, stream: u32, kernel: &Descriptor) {
        self.launch(Launch { kernel: *kernel, kind: LaunchKind::Host, stream, called: now, parent: None });
    }

    /// The TB in this slot launches this kernel or group. Tags of launches that have TBs to start are different.
    pub fn device_launch(&mut self, now: u64, sm: u16, slot: u8, kernel: &Descriptor) {
        let parent = self.running.get(&(sm, slot)).copied();
        self.launch(Launch { kernel: *kernel, kind: LaunchKind::Device, stream: 0, called: now, parent });
    }

    fn launch(&mut self, launch: Launch) {
        self.by_tag.insert(launch.kernel.tag, self.launches.len() as u32);
        self.launches.push(launch);
    }

    /// The scheduler sees what it did not see before.
    pub fn arrive(&mut self, arrival: &Arrival) {
        let &Arrival { at, tag, kde, group } = arrival;
        // A log that is off knows no tags.
        self.visible.extend(self.by_tag.get(&tag).map(|&launch| Visible { at, launch, kde, group }));
    }

    /// A TB starts. `false` if that is one more than the limit.
    pub fn start(&mut self, now: u64, tb: &Placed) -> bool {
        if self.tbs.len() as u32 == self.limit {
            return false;
        }
        let Placed { sm, slot, context: TbContext { tag, blkid, threads }, stage, .. } = *tb;
        let launch = self.by_tag.get(&tag).copied().unwrap_or_default();
        let taken = stage == Some(Stage::Backup);
        self.running.insert((sm, slot), self.tbs.len() as u32);
        self.tbs.push(Tb { launch, blkid, threads, sm, slot, taken, start: now, end: None });
        true
    }

    /// The TB in this slot ends.
    pub fn end(&mut self, now: u64, sm: u16, slot: u8) {
        if let Some(tb) = self.running.remove(&(sm, slot)) {
            self.tbs[tb as usize].end = Some(now);
        }
    }

    /// Kernels and groups, in the order of their launch calls.
    #[must_use]
    pub fn launches(&self) -> &[Launch] {
        &self.launches
    }

    /// When kernels and groups became visible, in this order.
    #[must_use]
    pub fn visible(&self) -> &[Visible] {
        &self.visible
    }

    /// TBs, in the order of their dispatch.
    #[must_use]
    pub fn tbs(&self) -> &[Tb] {
        &self.tbs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched::RecordId;

    #[test]
    fn children_name_the_tb_that_launched_them_even_where_tags_are_used_again() {
        let tb = |sm, slot, tag, blkid| {
            let context = TbContext { tag, blkid, threads: 32 };
            Placed {
                sm,
                slot,
                context,
                pc: 0,
                unit: 0,
                child: tag > 0,
                bypass: false,
                stage: (tag > 0).then_some(Stage::Backup),
                cluster: None,
                restored: None,
            }
        };
        let kernel = |tag| Descriptor { tag, ..Descriptor::default() };
        let mut log = TbLog::new(3);
        log.host_launch(0, 0, &kernel(0));
        log.arrive(&Arrival { at: 9, tag: 0, kde: KernelSlot(3), group: None });
        assert!(log.start(10, &tb(0, 0, 0, 0)));
        log.device_launch(20, 0, 0, &kernel(5));
        assert!(log.start(30, &tb(1, 2, 5, 0)));
        log.end(40, 1, 2);
        log.device_launch(50, 0, 0, &kernel(5));
        let group = Some(GroupRef::Unit(RecordId(7)));
        log.arrive(&Arrival { at: 55, tag: 5, kde: KernelSlot(3), group });
        assert!(log.start(60, &tb(1, 2, 5, 0)));
        assert!(!log.start(61, &tb(1, 3, 5, 1)), "one too many");
        let ends: Vec<_> = log.tbs().iter().map(|tb| (tb.launch, tb.start, tb.end)).collect();
        assert_eq!(ends, [(0, 10, None), (1, 30, Some(40)), (2, 60, None)]);
        assert_eq!(log.tbs().iter().map(|tb| tb.taken).collect::<Vec<_>>(), [false, true, true]);
        let visible = |at, launch, group| Visible { at, launch, kde: KernelSlot(3), group };
        assert_eq!(log.visible(), [visible(9, 0, None), visible(55, 2, group)]);
        assert_eq!(log.launches().iter().map(|l| l.parent).collect::<Vec<_>>(), [None, Some(0), Some(0)]);
    }
}
