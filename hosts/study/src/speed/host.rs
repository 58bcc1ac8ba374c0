//! The computer that all is measured on.

use serde::Serialize;
use std::thread;
use sysinfo::{CpuRefreshKind, RefreshKind, System};

/// What must be known of it.
#[derive(Debug, Serialize)]
pub struct Host {
    /// What its processor calls itself.
    pub cpu: String,
    /// Threads that it runs at the same time, as far as this process may use them.
    pub threads: usize,
    pub os: String,
    /// Whether the simulator was built to be slow: with debug assertions.
    pub debug: bool,
}

impl Host {
    /// This one.
    pub fn this() -> Self {
        let system = System::new_with_specifics(RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing()));
        let brand = system.cpus().first().map(|cpu| cpu.brand().trim().to_owned());
        Self {
            cpu: brand.filter(|brand| !brand.is_empty()).unwrap_or_else(System::cpu_arch),
            threads: thread::available_parallelism().map_or(1, usize::from),
            os: System::kernel_long_version(),
            debug: cfg!(debug_assertions),
        }
    }

    /// What is to be said about it.
    pub fn remarks(&self) -> [(&'static str, String); 2] {
        let Self { cpu, threads, os, debug } = self;
        let build = match debug {
            false => "without debug assertions, as cargo builds it with --release",
            true => "WITH DEBUG ASSERTIONS: these times say nothing; build with --release",
        };
        let plural = if *threads == 1 { "" } else { "s" };
        [("host", format!("{cpu}, {threads} thread{plural}, {os}; one is used")), ("build", build.to_owned())]
    }
}
