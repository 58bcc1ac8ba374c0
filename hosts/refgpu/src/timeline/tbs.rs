//! Which TB ran where and when, and which TB launched it: what a Gantt chart shows.
//!
//! Off unless the log is given a limit: a log of no TBs takes no events. A run that starts more TBs than the limit ends with an
//! error, before it has run for long; a chart of so many would show nothing.

use gpusched::{Descriptor, GroupRef, KernelSlot};

use super::events::{Event, Observer};

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
}

impl TbLog {
    /// A log of at most `limit` TBs; 0 = off.
    #[must_use]
    pub fn new(limit: u32) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Whether it takes events.
    #[must_use]
    #[inline]
    pub fn is_on(&self) -> bool {
        self.limit > 0
    }

    /// Whether it has as many TBs as it takes.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.tbs.len() as u32 == self.limit
    }

    /// Most TBs that it takes.
    #[must_use]
    pub fn limit(&self) -> u32 {
        self.limit
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

impl Observer for TbLog {
    fn event(&mut self, _: u64, event: Event<'_>) {
        match event {
            Event::Launch { launch, .. } => self.launches.push(*launch),
            Event::Visible(visible) => self.visible.push(visible),
            Event::Start { tb, .. } => self.tbs.push(*tb),
            Event::End { number, tb, .. } => self.tbs[number as usize].end = tb.end,
            _ => {}
        }
    }
}
