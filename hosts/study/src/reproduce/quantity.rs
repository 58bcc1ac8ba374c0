//! What studies report of a kernel under a policy.

use super::published::Unit;
use gpusched_refgpu::stats::RunStats;
use gpusched_refgpu::vf::VfLevel;

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
    pub const ALL: &[&Self] = &[
        &SPEEDUP,
        &ENERGY,
        &MEMORY_ENERGY,
        &POWER,
        &PER_WATT,
        &LSU_STALLS,
        &L1_HITS,
        &PEAK_IPC,
        &BANDWIDTH,
        &REPLIES,
        &ROW_HITS,
        &OCCUPANCY,
        &MP_SHARE,
        &SM_HIGH,
        &MEM_HIGH,
        &SM_LOW,
        &MEM_LOW,
        &ACCURACY,
        &LATE,
        &MISSES,
        &EXTRA,
        &LATENCY,
    ];

    /// Of `run`; `base` is the same kernel under the first policy.
    pub fn of(&self, run: &RunStats, base: &RunStats) -> Option<f64> {
        (self.figure)(run, base)
    }

    /// Whether it is a factor beside one.
    pub const fn is_factor(&self) -> bool {
        matches!(self.print, Print::Times | Print::Change)
    }

    /// Whether two values are on the same side of no effect, if it is an effect.
    pub fn agree(&self, one: f64, other: f64) -> Option<bool> {
        self.is_factor().then(|| Unit::Times.side(one) == Unit::Times.side(other))
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

/// A share of one, which the first policy has, too.
const fn share(key: &'static str, label: &'static str, figure: fn(&RunStats, &RunStats) -> Option<f64>) -> Quantity {
    Quantity { key, label, of_base: true, mean: Mean::Arithmetic, print: Print::Share, figure }
}

/// Time under the first policy over time.
pub const SPEEDUP: Quantity = Quantity {
    of_base: false,
    mean: Mean::Geometric,
    print: Print::Times,
    ..share("speedup", "speedup", |run, base| Some(base.figures().time_us / run.figures().time_us))
};

/// Energy over that under the first policy.
pub const ENERGY: Quantity = Quantity {
    of_base: false,
    mean: Mean::Geometric,
    print: Print::Change,
    ..share("energy", "energy", |run, base| Some(run.joules()? / base.joules()?))
};

/// SM cycles with a refused LSU attempt.
pub const LSU_STALLS: Quantity =
    share("lsu_stalls", "LSU stall cycles", |run, _| Some(run.figures().lsu_stall_fraction));

/// L1 hits of loads.
pub const L1_HITS: Quantity = share("l1_hits", "L1 hit rate", |run, _| {
    let l1 = run.sm.l1;
    (l1.hits + l1.merges + l1.misses > 0).then(|| run.figures().l1_hit_rate)
});

/// Warp instructions over those that could have been issued.
pub const PEAK_IPC: Quantity = share("peak_ipc", "IPC of peak", |run, _| Some(run.figures().peak_ipc_fraction));

/// Energy of network, L2 and DRAM, of all.
pub const MEMORY_ENERGY: Quantity = share("memory_energy", "memory's energy", |run, _| {
    let energy = run.energy.as_ref()?;
    let parts = energy.parts_j;
    Some((parts.network + parts.l2 + parts.dram + parts.dram_standby) / energy.total_j)
});

/// Power over that under the first policy.
pub const POWER: Quantity = Quantity {
    of_base: false,
    mean: Mean::Geometric,
    print: Print::Change,
    ..share("power", "power", |run, base| Some(run.energy.as_ref()?.mean_w / base.energy.as_ref()?.mean_w))
};

/// Bytes that memory moved over those that it could have moved.
pub const BANDWIDTH: Quantity = share("bandwidth", "DRAM bandwidth", |run, _| Some(run.figures().bandwidth_use));

/// Flits that came back from L2 over those that could have: one in each cycle for each SM (refgpu-N1).
pub const REPLIES: Quantity =
    share("replies", "reply ports", |run, _| Some(run.replies.flits as f64 / (run.machine.sms * run.cycles) as f64));

/// Column commands to DRAM without an activation of their own.
pub const ROW_HITS: Quantity =
    share("row_hits", "row hits", |run, _| (run.dram.reads + run.dram.writes > 0).then(|| run.figures().row_hit_rate));

/// Resident warps over warp slots.
pub const OCCUPANCY: Quantity = share("occupancy", "occupancy", |run, _| Some(run.figures().occupancy));

/// SM cycles in which Mascar was in MP mode.
pub const MP_SHARE: Quantity =
    share("mp_share", "MP mode", |run, _| (run.sm.mascar.owners() > 0).then(|| run.figures().mp_share));

/// The share of time at levels for which `is` holds: of the SMs, and of the memory.
fn at_levels(run: &RunStats, is: fn(usize, usize) -> bool) -> Option<f64> {
    let cells = || {
        run.vf_cycles.iter().enumerate().flat_map(|(sm, row)| row.iter().enumerate().map(move |(mem, n)| (sm, mem, *n)))
    };
    let all: u64 = cells().map(|cell| cell.2).sum();
    let there: u64 = cells().filter(|&(sm, mem, _)| is(sm, mem)).map(|cell| cell.2).sum();
    (all > 0).then(|| there as f64 / all as f64)
}

const LOW: usize = VfLevel::Low as usize;
const HIGH: usize = VfLevel::High as usize;

/// Time at these levels of voltage and frequency.
pub const SM_HIGH: Quantity = share("sm_high", "SMs +15 %", |run, _| at_levels(run, |sm, _| sm == HIGH));
/// The same, of the memory.
pub const MEM_HIGH: Quantity = share("mem_high", "memory +15 %", |run, _| at_levels(run, |_, mem| mem == HIGH));
/// The same, of the SMs.
pub const SM_LOW: Quantity = share("sm_low", "SMs -15 %", |run, _| at_levels(run, |sm, _| sm == LOW));
/// The same, of the memory.
pub const MEM_LOW: Quantity = share("mem_low", "memory -15 %", |run, _| at_levels(run, |_, mem| mem == LOW));

/// Prefetched lines that a load wanted while they were on their way, of those that were used.
pub const LATE: Quantity = Quantity {
    of_base: false,
    ..share("late", "used late", |run, _| (run.sm.prefetch.lines.used > 0).then(|| run.figures().prefetch_late))
};

/// Performance per watt, which is work per energy, over that under the first policy.
pub const PER_WATT: Quantity = Quantity {
    of_base: false,
    mean: Mean::Geometric,
    print: Print::Times,
    ..share("performance_per_watt", "performance per watt", |run, base| Some(base.joules()? / run.joules()?))
};

/// Prefetched lines that were used before they were evicted.
pub const ACCURACY: Quantity = Quantity {
    of_base: false,
    ..share("accuracy", "prefetch accuracy", |run, _| {
        (run.sm.prefetch.sent > 0).then(|| run.figures().prefetch_accuracy)
    })
};

/// Loads' misses in the D-cache over those under the first policy.
pub const MISSES: Quantity = Quantity {
    of_base: false,
    print: Print::Change,
    ..share("misses", "D-cache misses", |run, base| {
        (base.sm.l1.misses > 0).then(|| run.sm.l1.misses as f64 / base.sm.l1.misses as f64)
    })
};

/// Lines fetched over those under the first policy.
pub const EXTRA: Quantity = Quantity {
    of_base: false,
    print: Print::Change,
    ..share("extra", "lines fetched", |run, base| {
        let lines = |stats: &RunStats| (stats.sm.l1.misses + stats.sm.prefetch.sent) as f64;
        (base.sm.l1.misses > 0).then(|| lines(run) / lines(base))
    })
};

/// From issue to ready, of loads.
pub const LATENCY: Quantity = Quantity {
    print: Print::Number,
    ..share("load_latency", "load latency (cycles)", |run, _| {
        (run.sm.lsu.loads_done > 0).then(|| run.figures().load_latency)
    })
};
