//! Ctrl-C and SIGTERM end what runs. What does not look in time whether it is to end, such as a read from a pipe into which nobody
//! writes, is ended all the same, a little later.

use crate::{INTERRUPTED, report};
use gpusched_study::{Failure, interrupt, output};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::thread;
use std::time::Duration;

/// What those have who look themselves.
const GRACE: Duration = Duration::from_millis(400);

/// Listens for both.
pub fn listen() -> anyhow::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    thread::spawn(move || {
        signals.forever().next();
        interrupt::request();
        thread::sleep(GRACE);
        let _held = output::put_away();
        report(&Failure::Interrupted);
        std::process::exit(INTERRUPTED.into());
    });
    Ok(())
}
