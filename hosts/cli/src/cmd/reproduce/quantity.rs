//! What studies report of a kernel under a policy.

use crate::simulate::Run;
use gpusched_refgpu::stats::RunStats;

/// How the values of several kernels become one.
#[derive(Clone, Copy, Debug)]
pub enum Mean {
    /// Of factors.
    Geometric,
    /// Of shares.
    Arithmetic,
}

impl Mean {
    /// The mean of these values, of which there is at least one.
    pub fn of(self, values: &[f64]) -> f64 {
        let n = values.len() as f64;
        match self {
            Self::Arithmetic => values.iter().sum::<f64>() / n,
            Self::Geometric => (values.iter().map(|value| value.ln()).sum::<f64>() / n).exp(),
        }
    }
}

/// How a value is printed.
#[derive(Clone, Copy, Debug)]
enum Print {
    /// A factor.
    Times,
    /// A factor, as what it is more or less than one.
    Change,
    /// A share of one.
    Share,
    /// A number.
    Number,
}

/// One figure of a run, mostly against the same kernel under the first policy.
#[derive(Debug)]
pub struct Quantity {
    /// Name in JSON.
    pub key: &'static str,
    /// Name in tables.
    pub label: &'static str,
    /// Whether the first policy has it, too.
    pub of_base: bool,
    /// How it is averaged.
    pub mean: Mean,
    print: Print,
    figure: fn(&RunStats, &RunStats) -> Option<f64>,
}

impl Quantity {
    /// Every one.
    pub const ALL: &[&Self] =
        &[&SPEEDUP, &ENERGY, &PER_WATT, &LSU_STALLS, &L1_HITS, &PEAK_IPC, &ACCURACY, &MISSES, &EXTRA, &LATENCY];

    /// Of `run`; `base` is the same kernel under the first policy.
    pub fn of(&self, run: &Run, base: &Run) -> Option<f64> {
        (self.figure)(&run.result.stats, &base.result.stats)
    }

    /// As it is printed.
    pub fn text(&self, value: Option<&f64>) -> String {
        let Some(&value) = value else { return "-".to_owned() };
        match self.print {
            Print::Times => format!("{value:.2}x"),
            Print::Change => format!("{:+.1}%", 100.0 * (value - 1.0)),
            Print::Share => format!("{:.1}%", 100.0 * value),
            Print::Number => format!("{value:.1}"),
        }
    }
}

/// Time under the first policy over time.
pub const SPEEDUP: Quantity = Quantity {
    key: "speedup",
    label: "speedup",
    of_base: false,
    mean: Mean::Geometric,
    print: Print::Times,
    figure: |run, base| Some(base.figures().time_us / run.figures().time_us),
};

/// Energy over that under the first policy.
pub const ENERGY: Quantity = Quantity {
    key: "energy",
    label: "energy",
    of_base: false,
    mean: Mean::Geometric,
    print: Print::Change,
    figure: |run, base| Some(run.energy.total_j / base.energy.total_j),
};

/// SM cycles with a refused LSU attempt.
pub const LSU_STALLS: Quantity = Quantity {
    key: "lsu_stalls",
    label: "LSU stall cycles",
    of_base: true,
    mean: Mean::Arithmetic,
    print: Print::Share,
    figure: |run, _| Some(run.figures().lsu_stall_fraction),
};

/// L1 hits of loads.
pub const L1_HITS: Quantity = Quantity {
    key: "l1_hits",
    label: "L1 hit rate",
    of_base: true,
    mean: Mean::Arithmetic,
    print: Print::Share,
    figure: |run, _| {
        let l1 = run.sm.l1;
        (l1.hits + l1.merges + l1.misses > 0).then(|| run.figures().l1_hit_rate)
    },
};

/// Warp instructions over those that could have been issued.
pub const PEAK_IPC: Quantity = Quantity {
    key: "peak_ipc",
    label: "IPC of peak",
    of_base: true,
    mean: Mean::Arithmetic,
    print: Print::Share,
    figure: |run, _| Some(run.figures().peak_ipc_fraction),
};

/// Performance per watt, which is work per energy, over that under the first policy.
pub const PER_WATT: Quantity = Quantity {
    key: "performance_per_watt",
    label: "performance per watt",
    of_base: false,
    mean: Mean::Geometric,
    print: Print::Times,
    figure: |run, base| Some(base.energy.total_j / run.energy.total_j),
};

/// Prefetched lines that were used before they were evicted.
pub const ACCURACY: Quantity = Quantity {
    key: "accuracy",
    label: "prefetch accuracy",
    of_base: false,
    mean: Mean::Arithmetic,
    print: Print::Share,
    figure: |run, _| (run.sm.prefetch.sent > 0).then(|| run.figures().prefetch_accuracy),
};

/// Loads' misses in the D-cache over those under the first policy.
pub const MISSES: Quantity = Quantity {
    key: "misses",
    label: "D-cache misses",
    of_base: false,
    mean: Mean::Arithmetic,
    print: Print::Change,
    figure: |run, base| (base.sm.l1.misses > 0).then(|| run.sm.l1.misses as f64 / base.sm.l1.misses as f64),
};

/// Lines fetched over those under the first policy.
pub const EXTRA: Quantity = Quantity {
    key: "extra",
    label: "lines fetched",
    of_base: false,
    mean: Mean::Arithmetic,
    print: Print::Change,
    figure: |run, base| {
        let lines = |stats: &RunStats| (stats.sm.l1.misses + stats.sm.prefetch.sent) as f64;
        (base.sm.l1.misses > 0).then(|| lines(run) / lines(base))
    },
};

/// From issue to ready, of loads.
pub const LATENCY: Quantity = Quantity {
    key: "load_latency",
    label: "load latency (cycles)",
    of_base: true,
    mean: Mean::Arithmetic,
    print: Print::Number,
    figure: |run, _| (run.sm.lsu.loads_done > 0).then(|| run.figures().load_latency),
};
