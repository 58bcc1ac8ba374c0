//! A trace ring as a C program attaches it.

use std::mem::{align_of, size_of};

use gpusched::{Cycle, Decision};
use gpusched_abi::decision::{gpusched_decision, gpusched_trace};
use gpusched_abi::frontend::gpusched_frontend_trace;
use gpusched_abi::object::gpusched_layout;
use gpusched_abi::status::gpusched_status as Status;

use super::{Block, ThroughC, decision};

/// A ring that is attached to an object.
pub struct Trace {
    header: Block,
    events: Block,
}

impl ThroughC {
    /// From now on the newest `capacity` decisions are traced, too.
    ///
    /// # Panics
    /// If the library does not take the ring.
    pub fn trace(&mut self, capacity: usize) {
        let block = |size, align| Block::new(gpusched_layout { size, align });
        let events = block(capacity * size_of::<gpusched_decision>(), align_of::<gpusched_decision>());
        let header = block(size_of::<gpusched_trace>(), align_of::<gpusched_trace>());
        let start = header.start().cast::<gpusched_trace>();
        // SAFETY: both blocks have these sizes, and are kept as long as the object.
        let status = unsafe {
            start.write(gpusched_trace { events: events.start().cast(), capacity, written: u64::MAX });
            gpusched_frontend_trace(self.frontend(), start)
        };
        assert_eq!(status, Status::Ok);
        self.trace = Some(Trace { header, events });
    }

    /// What the ring holds, oldest first, and how many decisions were written to it.
    ///
    /// # Panics
    /// Without a ring.
    #[must_use]
    pub fn traced(&self) -> (Vec<(Cycle, Decision)>, usize) {
        let Trace { header, events } = self.trace.as_ref().expect("a ring was attached");
        // SAFETY: the header was written.
        let gpusched_trace { capacity, written, .. } = unsafe { header.start().cast::<gpusched_trace>().read() };
        let (written, first) = (written as usize, (written as usize).saturating_sub(capacity));
        let events = events.start().cast::<gpusched_decision>();
        // SAFETY: the library wrote as many events as it says.
        let event = |i: usize| decision::decision(unsafe { &*events.add(i % capacity) });
        ((first..written).map(event).collect(), written)
    }
}
