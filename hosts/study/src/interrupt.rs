//! Ends experiments before they are done: a flag of the process that simulations and readers look at, so that everything is put away.

use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Ends every experiment of this process, now and from here on, with [`Failure::Interrupted`](crate::Failure::Interrupted).
pub fn request() {
    REQUESTED.store(true, Ordering::Relaxed);
}

/// Whether experiments are to end.
#[must_use]
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
