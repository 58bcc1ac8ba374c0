//! Ctrl-C: a flag that simulations and readers look at, so that everything is put away before the program ends.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Listens for Ctrl-C. The second one ends the program on the spot.
pub fn listen() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    Ok(())
}

/// Whether it was pressed.
pub fn requested() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
