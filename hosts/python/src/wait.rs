//! Work that takes long: other threads of Python run meanwhile, and Ctrl-C ends it.

use crate::errors::raised;
use gpusched_study::{Failure, interrupt};
use pyo3::{PyErr, PyResult, Python};
use std::panic;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How long a signal waits until Python is asked for it.
const LOOK: Duration = Duration::from_millis(50);

/// Does `work` on a thread of its own while Python looks for signals. One whose handler raises, as that of Ctrl-C does, ends the work,
/// and what it raised is raised here.
///
/// # Errors
/// That, or the failure of the work.
pub fn for_work<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Failure> + Send) -> PyResult<T> {
    let (outcome, signal) = py.detach(|| {
        thread::scope(|scope| {
            let (running, ended) = mpsc::channel::<()>();
            let worker = scope.spawn(move || {
                let _running = running; // The other end hears when this one is let go, whatever happens.
                work()
            });
            let mut signal: Option<PyErr> = None;
            while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if signal.is_none()
                    && let Err(raised) = Python::attach(|py| py.check_signals())
                {
                    interrupt::request();
                    signal = Some(raised);
                }
            }
            (worker.join(), signal)
        })
    });
    if let Some(signal) = signal {
        interrupt::withdraw();
        return Err(signal);
    }
    outcome.unwrap_or_else(|panicked| panic::resume_unwind(panicked)).map_err(|failure| raised(&failure))
}
