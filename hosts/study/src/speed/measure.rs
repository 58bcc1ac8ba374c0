//! What a run costs its host: time, and memory.

use crate::failure::Failure;
use crate::interrupt;
use crate::stopwatch::Stopwatch;
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::{Gpu, Monitor, RunError, RunOptions};
use gpusched_refgpu::program::Workload;
use gpusched_refgpu::stats::RunStats;
use serde::Serialize;
use std::ops::ControlFlow;

/// Tells how many bytes of this process's heap are in use, as its allocator counts them.
pub type Heap = fn() -> usize;

/// How costs are measured.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// Who knows what is in use; without one, memory is not told.
    pub heap: Option<Heap>,
    /// Runs of each, of which the quickest counts.
    pub repeat: u32,
}

/// What something cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// SMs of the machine.
    pub sms: u64,
    /// Cycles of the machine; 0 of what simulates nothing.
    pub cycles: u64,
    /// Instructions of warps.
    pub instructions: u64,
    /// Seconds for which the thread had a processor, the least of all runs.
    pub seconds: f64,
    /// Bytes of the heap, the most that were seen in use beyond those before the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

impl Cost {
    /// Warp instructions a second.
    pub fn instruction_rate(&self) -> f64 {
        self.instructions as f64 / self.seconds
    }

    /// Cycles a second.
    pub fn cycle_rate(&self) -> f64 {
        self.cycles as f64 / self.seconds
    }

    /// Cycles of SMs a second.
    pub fn sm_cycle_rate(&self) -> f64 {
        self.sms as f64 * self.cycle_rate()
    }
}

/// Watches how much of the heap is in use while something runs: a simulation asks before its first cycle, and every few ten thousand.
#[derive(Debug)]
pub struct Meter {
    heap: Option<Heap>,
    before: usize,
    most: usize,
}

impl Meter {
    /// From now on.
    pub fn new(heap: Option<Heap>) -> Self {
        let before = heap.map_or(0, |heap| heap());
        Self { heap, before, most: before }
    }

    /// Looks now.
    pub fn look(&mut self) -> ControlFlow<()> {
        self.most = self.heap.map_or(0, |heap| heap()).max(self.most);
        interrupt::look()
    }

    fn bytes(&self) -> Option<u64> {
        self.heap.map(|_| (self.most - self.before) as u64)
    }
}

impl Monitor for Meter {
    fn progress(&mut self, _: u64, _: u64, _: u64) -> ControlFlow<()> {
        self.look()
    }
}

/// What came out of the quickest of several runs.
#[derive(Debug)]
pub struct Least<T> {
    pub what: T,
    pub seconds: f64,
    /// The most that any of the runs took.
    pub bytes: Option<u64>,
}

impl Bench {
    /// Does something as often as it is to be done, which gives what comes out and its seconds.
    pub fn least<T>(&self, run: impl Fn(&mut Meter) -> Result<(T, f64), Failure>) -> Result<Least<T>, Failure> {
        let once = || -> Result<Least<T>, Failure> {
            let mut meter = Meter::new(self.heap);
            let (what, seconds) = run(&mut meter)?;
            Ok(Least { what, seconds, bytes: meter.bytes() })
        };
        let mut least = once()?;
        for _ in 1..self.repeat {
            let next = once()?;
            let bytes = least.bytes.max(next.bytes);
            least = Least { bytes, ..if next.seconds < least.seconds { next } else { least } };
        }
        Ok(least)
    }

    /// What simulations cost, with what the machine counted.
    pub fn simulations(
        &self,
        run: impl Fn(&mut Meter) -> Result<(RunStats, f64), Failure>,
    ) -> Result<(RunStats, Cost), Failure> {
        let Least { what: stats, seconds, bytes } = self.least(run)?;
        let instructions = stats.sm.all_instructions();
        let cost = Cost { sms: stats.machine.sms, cycles: stats.cycles, instructions, seconds, bytes };
        Ok((stats, cost))
    }
}

/// Runs a workload on a machine, and tells for how long.
pub fn simulate<W: Workload>(
    gpu: &GpuConfig,
    options: RunOptions,
    work: &mut W,
    meter: &mut Meter,
) -> Result<(RunStats, f64), Failure> {
    let stopwatch = Stopwatch::start();
    let gpu = Gpu::new(gpu, options).map_err(|error| Failure::Usage(error.into()))?;
    if meter.look().is_break() {
        return Err(Failure::Interrupted);
    }
    match gpu.run(work, meter) {
        Ok(result) => Ok((result.stats, stopwatch.seconds())),
        Err(RunError::Cancelled { .. }) => Err(Failure::Interrupted),
        Err(error) => Err(Failure::Failed(error.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::sync::atomic::{AtomicUsize, Ordering};

    static IN_USE: AtomicUsize = AtomicUsize::new(100);

    /// The seconds are those of the quickest run, the bytes are the most that a run was seen with, beyond what there was before it.
    #[test]
    fn the_quickest_run_counts_and_the_most_memory() {
        let heap: Heap = || IN_USE.load(Ordering::Relaxed);
        let runs = Cell::new(0);
        let bench = Bench { heap: Some(heap), repeat: 3 };
        let Least { what, seconds, bytes } = bench
            .least(|meter| {
                let (seconds, takes) = [(3.0, 7), (1.0, 20), (2.0, 50)][runs.get()];
                runs.set(runs.get() + 1);
                IN_USE.fetch_add(takes, Ordering::Relaxed);
                assert!(meter.look().is_continue());
                IN_USE.fetch_sub(takes, Ordering::Relaxed);
                assert!(meter.look().is_continue());
                Ok((runs.get(), seconds))
            })
            .unwrap();
        assert_eq!((what, seconds, bytes), (2, 1.0, Some(50)));
        let without = Bench { heap: None, repeat: 1 }.least(|_| Ok(((), 1.0))).unwrap();
        assert_eq!(without.bytes, None);
    }
}
