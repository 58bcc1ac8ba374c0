//! What is told of a run of kernels that share the machine (refgpu-S2, refgpu-S12, refgpu-S13).

use gpusched_refgpu::stats::RunStats;

/// How a value is printed.
#[derive(Clone, Copy, Debug)]
enum Print {
    Count,
    Times,
    /// A factor, as what it is more or less than one.
    Change,
    Share,
    Millijoules,
}

/// One figure of a run, mostly against the run under the first policy.
#[derive(Debug)]
pub struct Figure {
    /// Name in JSON.
    pub key: &'static str,
    /// Name in tables.
    pub label: &'static str,
    print: Print,
    of: fn(&RunStats, &RunStats) -> Option<f64>,
}

impl Figure {
    /// Those that the table of a comparison shows.
    pub const ALL: &[&Self] = &[
        &CYCLES,
        &SPEEDUP,
        &ENERGY,
        &EFFICIENCY,
        &MEMORY_STALLS,
        &STRUCTURAL_STALLS,
        &STALLS,
        &L1_MISSES,
        &OCCUPANCY,
        &BANDWIDTH,
        &SP_USE,
        &LDST_USE,
        &SAMPLES,
        &SP_CRITICAL,
        &LDST_CRITICAL,
        &MOVED,
        &BYPASSED,
        &DECISIONS,
    ];

    /// Of `run`; `base` is the run under the first policy.
    pub fn of(&self, run: &RunStats, base: &RunStats) -> Option<f64> {
        (self.of)(run, base)
    }

    /// As it is printed.
    pub fn text(&self, value: Option<f64>) -> String {
        let Some(value) = value else { return "-".to_owned() };
        match self.print {
            Print::Count => indicatif::HumanCount(value as u64).to_string(),
            Print::Times => format!("{value:.2}x"),
            Print::Change => format!("{:+.1}%", 100.0 * (value - 1.0)),
            Print::Share => format!("{:.1}%", 100.0 * value),
            Print::Millijoules => format!("{:.3}", 1e3 * value),
        }
    }
}

fn ratio(a: u64, b: u64) -> Option<f64> {
    (b > 0).then(|| a as f64 / b as f64)
}

macro_rules! figure {
    ($name:ident, $key:literal, $label:literal, $print:ident, $of:expr) => {
        #[doc = concat!("In tables: ", $label, ".")]
        pub const $name: Figure = Figure { key: $key, label: $label, print: Print::$print, of: $of };
    };
}

figure!(CYCLES, "cycles", "cycles", Count, |run, _| Some(run.cycles as f64));
figure!(SPEEDUP, "speedup", "system throughput", Times, |run, base| ratio(base.cycles, run.cycles));
figure!(ENERGY, "energy_j", "energy (mJ)", Millijoules, |run, _| run.joules());
figure!(EFFICIENCY, "energy_efficiency", "energy efficiency", Times, |run, base| {
    Some(base.joules()? / run.joules()?)
});
figure!(MEMORY_STALLS, "memory_stalls", "memory stalls", Change, |run, base| {
    ratio(run.sm.memory_stalls, base.sm.memory_stalls)
});
figure!(STRUCTURAL_STALLS, "structural_stalls", "structural stalls", Change, |run, base| {
    ratio(run.sm.structural_stalls, base.sm.structural_stalls)
});
figure!(STALLS, "stalls", "stalls together", Change, |run, base| {
    let both = |stats: &RunStats| stats.sm.memory_stalls + stats.sm.structural_stalls;
    ratio(both(run), both(base))
});
figure!(L1_MISSES, "l1_miss_rate", "L1 miss rate", Share, |run, _| {
    let l1 = run.sm.l1;
    // A line on its way is not there, whether or not it has to be asked for.
    ratio(l1.misses + l1.merges, l1.hits + l1.merges + l1.misses)
});
figure!(OCCUPANCY, "occupancy", "SM occupancy", Share, |run, _| Some(run.figures().occupancy));
figure!(BANDWIDTH, "bandwidth_use", "bandwidth use", Share, |run, _| Some(run.figures().bandwidth_use));
figure!(SP_USE, "sp_utilisation", "SP use", Share, |run, _| Some(run.figures().sp_utilisation));
figure!(LDST_USE, "ldst_utilisation", "LD/ST use", Share, |run, _| Some(run.figures().ldst_utilisation));
figure!(SAMPLES, "samples", "periods sampled", Count, |run, _| {
    run.sharing.filter(|sharing| sharing.samples > 0).map(|sharing| sharing.samples as f64)
});
figure!(SP_CRITICAL, "sp_critical", "SP critical, by PUCT", Count, |run, _| {
    run.sharing.filter(|sharing| sharing.samples > 0).map(|sharing| sharing.critical[0] as f64)
});
figure!(LDST_CRITICAL, "ldst_critical", "LD/ST critical, by PUCT", Count, |run, _| {
    run.sharing.filter(|sharing| sharing.samples > 0).map(|sharing| sharing.critical[1] as f64)
});
figure!(MOVED, "moved", "targets moved", Count, |run, _| {
    run.sharing.filter(|sharing| sharing.samples > 0).map(|sharing| sharing.moved as f64)
});
figure!(BYPASSED, "bypassed", "loads past L1", Share, |run, _| {
    let l1 = run.sm.l1;
    (l1.bypassed > 0).then(|| l1.bypassed as f64 / (l1.bypassed + l1.hits + l1.merges + l1.misses) as f64)
});
figure!(DECISIONS, "decision_share", "deciding (of SM cycles)", Share, |run, _| {
    run.sharing.filter(|sharing| sharing.samples > 0).and_then(|sharing| ratio(sharing.decision_cycles, run.sm.cycles))
});
