//! Ctrl-C and SIGTERM: a flag that simulations and readers look at, so that everything is put away before the program ends. What does
//! not look at it in time, such as a read from a pipe into which nobody writes, is ended all the same, a little later.

use crate::failure::Failure;
use crate::output;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Between two looks at the flag here.
const LOOK: Duration = Duration::from_millis(50);
/// What those have who look at it themselves.
const GRACE: Duration = Duration::from_millis(400);

/// Listens for both.
pub fn listen() -> anyhow::Result<()> {
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&INTERRUPTED))?;
    }
    thread::spawn(|| {
        while !requested() {
            thread::sleep(LOOK);
        }
        thread::sleep(GRACE);
        let _held = output::put_away();
        let _ = Failure::Interrupted.report();
        std::process::exit(Failure::INTERRUPTED);
    });
    Ok(())
}

/// Whether the program is to end.
pub fn requested() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
