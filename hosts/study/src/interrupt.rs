//! Ends experiments before they are done: a flag of the process that simulations and readers look at, so that everything is put away.

use gpusched_refgpu::gpu::Monitor;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Ends every experiment of this process, now and from here on until that is [withdrawn](withdraw), with [`Failure::Interrupted`](crate::Failure::Interrupted).
pub fn request() {
    REQUESTED.store(true, Ordering::Relaxed);
}

/// Lets experiments begin again, once those that were to end have ended: for programs that live on.
pub fn withdraw() {
    REQUESTED.store(false, Ordering::Relaxed);
}

/// Ends a run when experiments are to end, or when this flag says that the run is of no more use.
#[derive(Debug)]
pub struct Watch<'a>(pub &'a AtomicBool);

impl Monitor for Watch<'_> {
    fn progress(&mut self, _: u64, _: u64, _: u64) -> ControlFlow<()> {
        if self.0.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { look() }
    }
}

/// What whoever looks does: goes on, or not.
pub(crate) fn look() -> ControlFlow<()> {
    if requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Whether experiments are to end.
#[must_use]
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
