//! How long a simulation takes, as little disturbed by what else the computer does as can be.

/// Counts from when it is started, on the thread that started it.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    start: f64,
}

impl Stopwatch {
    /// From now on.
    pub fn start() -> Self {
        Self { start: now() }
    }

    /// Seconds since then for which the thread had a processor; where the system does not tell them, all seconds since then.
    pub fn seconds(self) -> f64 {
        now() - self.start
    }
}

#[cfg(unix)]
fn now() -> f64 {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

#[cfg(not(unix))]
fn now() -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    FIRST.elapsed().as_secs_f64()
}
