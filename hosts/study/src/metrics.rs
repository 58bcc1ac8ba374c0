//! The figures by which runs are compared: lists for the tables and for JSON.

use crate::ask::Workload;
use crate::simulate::Run;
use crate::way::{Way, WaysOf};
use gpusched::power::BubbleStats;
use gpusched_refgpu::config::WarpPolicy;
use gpusched_refgpu::front::DecideStats;
use gpusched_refgpu::power::SmxState;
use gpusched_refgpu::stats::{DatsStats, Figures, RecordStats, RunStats};
use gpusched_refgpu::vf::VfLevel;
use gpusched_workloads::Wave;
use indicatif::HumanCount;
use serde_json::Value;

/// A figure of a run.
pub struct Metric {
    /// Name in JSON.
    pub key: &'static str,
    /// Name in the table, if it stands there.
    pub label: &'static str,
    unit: Unit,
    of: fn(&View<'_>) -> Option<f64>,
}

/// A run as metrics see it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    run: &'a Run,
    stats: &'a RunStats,
    figures: Figures,
    /// The run that all are compared with: flat, or global; of a kernel the first.
    base_way: Option<Compared>,
    /// Lines that its loads fetched, if it is another run.
    base_lines: Option<u64>,
    /// The run of the same way under the first of several schedulers.
    first: Option<Compared>,
    /// For a run with bubble DVFS: the same run without.
    base: Option<Compared>,
}

/// What a run is compared by.
#[derive(Clone, Copy, Debug)]
struct Compared {
    time_us: f64,
    thread_ipc: f64,
    energy_j: Option<f64>,
}

impl Compared {
    fn of(run: &Run) -> Self {
        let (figures, energy_j) = (run.result.stats.figures(), run.result.stats.joules());
        Self { time_us: figures.time_us, thread_ipc: figures.thread_ipc, energy_j }
    }
}

/// How a figure is printed.
#[derive(Clone, Copy, Debug)]
enum Unit {
    /// A whole number.
    Count,
    /// A mean that is large, printed without decimals.
    Mean,
    /// A number with so many decimals.
    Real(usize),
    /// A share of one, printed as percent.
    Share,
    /// A small share of one, printed as percent.
    Part,
    /// A share that may be negative, printed as percent with its sign.
    Change,
    /// A factor.
    Times,
    /// Bytes.
    Bytes,
}

impl<'a> View<'a> {
    /// `run` beside the other `runs`, among which may be those that it is compared with.
    pub fn of(run: &'a Run, runs: &[Run]) -> Self {
        let awake = |test: &dyn Fn(&&Run) -> bool| runs.iter().filter(|r| !r.variant.sleeps()).find(test);
        let (way, sched) = (run.variant.way, &run.variant.sched);
        let base_way = match way {
            Way::Sm(_) => runs.first(),
            _ => awake(&|r| r.variant.way.is_base() && r.variant.sched == *sched),
        };
        let first = awake(&|r| r.variant.way == way && sched.is_some());
        let base = awake(&|r| r.variant.way == way && r.variant.sched == *sched && run.variant.sleeps());
        Self {
            run,
            stats: &run.result.stats,
            figures: run.result.stats.figures(),
            base_way: base_way.map(Compared::of),
            base_lines: base_way.filter(|base| base.variant.way != way).map(|base| lines(&base.result.stats)),
            first: first.map(Compared::of),
            base: base.map(Compared::of),
        }
    }

    fn compared(&self) -> Compared {
        Compared::of(self.run)
    }

    /// `of` this run and of the one under the first scheduler.
    fn over_first(&self, of: fn(Compared, Compared) -> f64) -> Option<f64> {
        Some(of(self.compared(), self.first?))
    }

    /// `of` this run and of the one without bubble DVFS.
    fn over_base(&self, of: fn(Compared, Compared) -> Option<f64>) -> Option<f64> {
        of(self.compared(), self.base?)
    }

    /// `value`, if the run launches from the device.
    fn dynamic<T>(&self, value: T) -> Option<T> {
        self.run.variant.way.is_dynamic().then_some(value)
    }

    /// The time of the run that all are compared with, over that of this run.
    fn speedup(&self) -> Option<f64> {
        self.base_way.map(|base| base.time_us / self.figures.time_us)
    }

    /// `of` what the dependency-graph buffer counted, if there was one.
    fn buffer(&self, of: fn(&DatsStats) -> u64) -> Option<f64> {
        self.stats.dats.as_ref().map(|dats| of(dats) as f64)
    }

    /// `of` what became of the answers of a policy that decides from outside, if there was one.
    fn decided(&self, of: fn(&DecideStats) -> u64) -> Option<f64> {
        self.stats.decide.as_ref().map(|decide| of(decide) as f64)
    }

    /// The wrong answers of a policy that decides from outside, by name, if there were any.
    pub fn wrong_answers(&self) -> Option<String> {
        let wrong = &self.stats.decide.as_ref()?.wrong;
        let words: Vec<String> = wrong.iter().map(|(name, &count)| format!("{name} {}", HumanCount(count))).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// `of` what launch records cost, if the run launches from the device and they lie in memory.
    fn of_records(&self, of: fn(&RecordStats) -> u64) -> Option<f64> {
        self.dynamic(of(self.stats.records.as_ref()?) as f64)
    }

    /// `value`, if Mascar orders the warps.
    fn under_mascar(&self, value: f64) -> Option<f64> {
        (self.run.variant.gpu.sm.policy == WarpPolicy::Mascar).then_some(value)
    }

    /// `value`, if lines are prefetched.
    fn prefetching(&self, value: f64) -> Option<f64> {
        (self.stats.sm.prefetch.sent > 0).then_some(value)
    }

    /// The share of the time at some levels of voltage and frequency, of the SMs and of the memory; if there are other levels than
    /// the nominal one.
    fn at_level(&self, is: fn(VfLevel, VfLevel) -> bool) -> Option<f64> {
        let mut sums = [0, 0, 0];
        for kernel in &self.stats.kernels {
            for (sm, row) in VfLevel::ALL.into_iter().zip(kernel.vf_cycles) {
                for (mem, cycles) in VfLevel::ALL.into_iter().zip(row) {
                    sums[0] += cycles;
                    sums[1] += if is(sm, mem) { cycles } else { 0 };
                    sums[2] += if (sm, mem) == (VfLevel::Normal, VfLevel::Normal) { 0 } else { cycles };
                }
            }
        }
        let [all, those, tuned] = sums;
        (tuned > 0).then(|| those as f64 / all as f64)
    }

    fn lines(&self) -> u64 {
        lines(self.stats)
    }

    /// If anything was looked for in L1.
    fn l1_hit_rate(&self) -> Option<f64> {
        let l1 = self.stats.sm.l1;
        Self::some(l1.hits + l1.merges + l1.misses, self.figures.l1_hit_rate)
    }

    /// If anything was looked for in L2.
    fn l2_hit_rate(&self) -> Option<f64> {
        let l2 = self.stats.l2;
        Self::some(l2.hits + l2.merges + l2.misses, self.figures.l2_hit_rate)
    }

    /// `value`, if there was something that it is a share of.
    fn some(whole: u64, value: f64) -> Option<f64> {
        (whole > 0).then_some(value)
    }
}

/// Lines that loads and prefetches fetched.
fn lines(stats: &RunStats) -> u64 {
    stats.sm.l1.misses + stats.sm.prefetch.sent
}

impl Metric {
    /// Whether there is a figure other than zero.
    pub fn says_something(&self, view: &View<'_>) -> bool {
        (self.of)(view).is_some_and(|value| value != 0.0)
    }

    /// The figure as it is printed; `-` where there is none.
    pub fn text(&self, view: &View<'_>) -> String {
        let Some(value) = (self.of)(view) else { return "-".to_owned() };
        match self.unit {
            Unit::Count | Unit::Mean => HumanCount(value.round() as u64).to_string(),
            Unit::Real(decimals) => format!("{value:.decimals$}"),
            Unit::Share => format!("{:.1}%", 100.0 * value),
            Unit::Part => format!("{:.3}%", 100.0 * value),
            Unit::Change => format!("{:+.1}%", 100.0 * value),
            Unit::Times => format!("{value:.2}x"),
            Unit::Bytes if value < 1e4 => format!("{value} B"),
            Unit::Bytes if value < 1e7 => format!("{:.1} kB", value / 1e3),
            Unit::Bytes => format!("{:.1} MB", value / 1e6),
        }
    }

    /// The figure in JSON; null where there is none.
    pub fn json(&self, view: &View<'_>) -> Value {
        match ((self.of)(view), self.unit) {
            (None, _) => Value::Null,
            // Counts are far below 2^53.
            (Some(value), Unit::Count | Unit::Bytes) => (value as u64).into(),
            (Some(value), _) => value.into(),
        }
    }
}

const fn metric(key: &'static str, label: &'static str, unit: Unit, of: fn(&View<'_>) -> Option<f64>) -> Metric {
    Metric { key, label, unit, of }
}

/// Those of the table of an irregular workload, in its order (section 5 of sheet `refgpu`). JSON keys say the unit where it is not plain.
pub static METRICS: &[Metric] = &[
    metric("cycles", "cycles", Unit::Count, |v| Some(v.stats.cycles as f64)),
    metric("time_us", "time at SMX clock (us)", Unit::Real(1), |v| Some(v.figures.time_us)),
    metric("speedup_over_flat", "speedup over flat", Unit::Times, |v| v.speedup()),
    metric("ipc_warp", "IPC (warp instructions)", Unit::Real(3), |v| Some(v.figures.ipc)),
    metric("ipc_thread", "IPC (thread instructions)", Unit::Real(2), |v| Some(v.figures.thread_ipc)),
    metric("warp_activity", "warp activity", Unit::Share, |v| Some(v.figures.warp_activity / 100.0)),
    metric("smx_occupancy", "SMX occupancy", Unit::Share, |v| Some(v.figures.occupancy)),
    metric("l1_hit_rate", "L1 hit rate", Unit::Share, |v| v.l1_hit_rate()),
    metric("l2_hit_rate", "L2 hit rate", Unit::Share, |v| v.l2_hit_rate()),
    metric("dram_efficiency", "DRAM efficiency (of 0.5)", Unit::Real(3), |v| {
        View::some(v.stats.dram.pending_cycles, v.figures.dram_efficiency)
    }),
    metric("launches", "device launches", Unit::Count, |v| v.dynamic(v.stats.sm.launches as f64)),
    metric("threads_per_launch", "mean threads per launch", Unit::Real(1), |v| {
        View::some(v.stats.sm.launches, v.stats.sm.launched_threads as f64 / v.stats.sm.launches as f64)
    }),
    metric("waiting_cycles", "mean waiting time (cycles)", Unit::Mean, |v| {
        View::some(v.stats.front.dyn_n, v.figures.waiting_time)
    }),
    metric("pending_peak", "peak pending launches", Unit::Count, |v| v.dynamic(v.stats.pending.peak as f64)),
    metric("pending_peak_bytes", "peak pending memory", Unit::Bytes, |v| v.dynamic(v.stats.pending.peak_bytes as f64)),
    metric("kde_hit_rate", "KDE hit rate", Unit::Share, |v| {
        View::some(v.stats.front.kde_hit + v.stats.front.kde_miss, v.figures.kde_hit_rate)
    }),
    metric("agt_hit_rate", "AGT hit rate", Unit::Share, |v| {
        View::some(v.stats.front.agt_hit + v.stats.front.agt_spill, v.figures.agt_hit_rate)
    }),
    metric("record_requests", "launch records at L2", Unit::Count, |v| v.of_records(|records| records.requests())),
    metric("record_latency_cycles", "load of a record (cycles)", Unit::Mean, |v| {
        View::some(v.stats.records?.loads, v.figures.record_latency)
    }),
    metric("record_wait_cycles", "cycles waiting for records", Unit::Count, |v| {
        v.of_records(|records| records.wait_cycles)
    }),
    metric("warp_instructions", "warp instructions", Unit::Count, |v| Some(v.stats.sm.all_instructions() as f64)),
];

/// Those of the table of a wavefront.
pub static WAVE_METRICS: &[Metric] = &[
    metric("cycles", "cycles", Unit::Count, |v| Some(v.stats.cycles as f64)),
    metric("time_us", "time at SMX clock (us)", Unit::Real(1), |v| Some(v.figures.time_us)),
    metric("speedup_over_global", "speedup over global", Unit::Times, |v| v.speedup()),
    metric("launch_cycles", "launches (cycles)", Unit::Count, |v| Some(Wave::launch_cycles(v.stats) as f64)),
    metric("cycles_without_launches", "cycles without them", Unit::Count, |v| {
        Some((v.stats.cycles - Wave::launch_cycles(v.stats)) as f64)
    }),
    metric("max_level_range", "level range, at most", Unit::Count, |v| v.stats.level_range.map(f64::from)),
    metric("pub_max", "PUB entries, at most", Unit::Count, |v| v.buffer(|dats| dats.pub_max.into())),
    metric("added_requests", "requests added at L2", Unit::Part, |v| v.stats.dats.map(|_| v.figures.added_requests)),
    metric("decrements", "updates of memory (spills)", Unit::Count, |v| v.buffer(|dats| dats.decrements)),
    metric("l1_hit_rate", "L1 hit rate", Unit::Share, |v| v.l1_hit_rate()),
    metric("l2_miss_rate", "L2 miss rate", Unit::Share, |v| Some(1.0 - v.l2_hit_rate()?)),
    metric("smx_occupancy", "SMX occupancy", Unit::Share, |v| Some(v.figures.occupancy)),
    metric("ipc_warp", "IPC (warp instructions)", Unit::Real(3), |v| Some(v.figures.ipc)),
    metric("no_ready_cycles", "cycles without a ready tile", Unit::Count, |v| v.buffer(|dats| dats.no_ready)),
    metric("head_cycles", "cycles at the head of the window", Unit::Count, |v| v.buffer(|dats| dats.head)),
    metric("level_bound_cycles", "cycles at the level bound", Unit::Count, |v| v.buffer(|dats| dats.level_bound)),
    metric("no_room_cycles", "cycles without room for a tile", Unit::Count, |v| v.buffer(|dats| dats.no_room)),
    metric("warp_instructions", "warp instructions", Unit::Count, |v| Some(v.stats.sm.all_instructions() as f64)),
];

/// Those of the table of a kernel.
pub static KERNEL_METRICS: &[Metric] = &[
    metric("cycles", "cycles", Unit::Count, |v| Some(v.stats.cycles as f64)),
    metric("time_us", "time (us)", Unit::Real(1), |v| Some(v.figures.time_us)),
    metric("speedup", "speedup", Unit::Times, |v| v.speedup()),
    metric("energy_mj", "energy (mJ)", Unit::Real(3), |v| v.stats.joules().map(|j| 1e3 * j)),
    metric("energy_efficiency", "energy efficiency", Unit::Times, |v| Some(v.base_way?.energy_j? / v.stats.joules()?)),
    metric("ipc_warp", "IPC (warp instructions)", Unit::Real(3), |v| Some(v.figures.ipc)),
    metric("peak_ipc_fraction", "of peak", Unit::Share, |v| Some(v.figures.peak_ipc_fraction)),
    metric("smx_occupancy", "SM occupancy", Unit::Share, |v| Some(v.figures.occupancy)),
    metric("l1_hit_rate", "L1 hit rate", Unit::Share, |v| v.l1_hit_rate()),
    metric("instructions_per_l1_miss", "instructions per L1 miss", Unit::Real(1), |v| {
        View::some(v.stats.sm.l1.misses, v.figures.instructions_per_l1_miss)
    }),
    metric("lsu_stall_fraction", "LSU stalls", Unit::Share, |v| Some(v.figures.lsu_stall_fraction)),
    metric("sp_utilisation", "SP use", Unit::Share, |v| Some(v.figures.sp_utilisation)),
    metric("ldst_utilisation", "LD/ST use", Unit::Share, |v| Some(v.figures.ldst_utilisation)),
    metric("puhp", "SP use over LD/ST use (PUHP)", Unit::Real(2), |v| View::some(v.stats.sm.lsu.busy, v.figures.puhp)),
    metric("load_latency_cycles", "load latency (SM cycles)", Unit::Mean, |v| {
        View::some(v.stats.sm.lsu.loads_done, v.figures.load_latency)
    }),
    metric("dram_bandwidth_use", "DRAM bandwidth use", Unit::Share, |v| Some(v.figures.bandwidth_use)),
    metric("mean_blocks", "running blocks of an SM", Unit::Real(2), |v| {
        let cycles: u64 = v.stats.kernels.iter().map(|kernel| kernel.cycles).sum();
        let blocks: f64 = v.stats.kernels.iter().map(|kernel| kernel.mean_blocks * kernel.cycles as f64).sum();
        View::some(cycles, blocks / cycles as f64)
    }),
    metric("sm_high_share", "SMs at +15 %", Unit::Share, |v| v.at_level(|sm, _| sm == VfLevel::High)),
    metric("sm_low_share", "SMs at -15 %", Unit::Share, |v| v.at_level(|sm, _| sm == VfLevel::Low)),
    metric("mem_high_share", "memory at +15 %", Unit::Share, |v| v.at_level(|_, mem| mem == VfLevel::High)),
    metric("mem_low_share", "memory at -15 %", Unit::Share, |v| v.at_level(|_, mem| mem == VfLevel::Low)),
    metric("mp_share", "time in MP mode", Unit::Share, |v| v.under_mascar(v.figures.mp_share)),
    metric("rexq_mean", "re-execution queue, mean", Unit::Real(1), |v| v.under_mascar(v.figures.rexq_mean)),
    metric("prefetched_lines", "prefetched lines", Unit::Count, |v| v.prefetching(v.stats.sm.prefetch.sent as f64)),
    metric("prefetch_accuracy", "used before eviction", Unit::Share, |v| v.prefetching(v.figures.prefetch_accuracy)),
    metric("prefetch_late", "of these late", Unit::Share, |v| v.prefetching(v.figures.prefetch_late)),
    metric("extra_lines", "extra lines fetched", Unit::Change, |v| {
        let base = v.base_lines.filter(|&lines| lines > 0)?;
        v.prefetching(v.lines() as f64 / base as f64 - 1.0)
    }),
    metric("warp_instructions", "warp instructions", Unit::Count, |v| Some(v.stats.sm.all_instructions() as f64)),
];

/// Those of the table of a product.
pub static PRODUCT_METRICS: &[Metric] = &[
    metric("cycles", "cycles", Unit::Count, |v| Some(v.stats.cycles as f64)),
    metric("time_us", "time at SMX clock (us)", Unit::Real(1), |v| Some(v.figures.time_us)),
    metric("speedup_over_hardware", "speedup over hardware", Unit::Times, |v| v.speedup()),
    metric("ipc_warp", "IPC (warp instructions)", Unit::Real(3), |v| Some(v.figures.ipc)),
    metric("peak_ipc_fraction", "of peak", Unit::Share, |v| Some(v.figures.peak_ipc_fraction)),
    metric("smx_occupancy", "SMX occupancy", Unit::Share, |v| Some(v.figures.occupancy)),
    metric("tbs", "TBs", Unit::Count, |v| Some(v.stats.sm.tbs as f64)),
    metric("l1_hit_rate", "L1 hit rate", Unit::Share, |v| v.l1_hit_rate()),
    metric("l2_hit_rate", "L2 hit rate", Unit::Share, |v| v.l2_hit_rate()),
    metric("l2_atomics", "atomics at L2", Unit::Count, |v| Some(v.stats.l2.atomics as f64)),
    metric("dram_bandwidth_use", "DRAM bandwidth use", Unit::Share, |v| Some(v.figures.bandwidth_use)),
    metric("energy_mj", "energy (mJ)", Unit::Real(3), |v| v.stats.joules().map(|j| 1e3 * j)),
    metric("warp_instructions", "warp instructions", Unit::Count, |v| Some(v.stats.sm.all_instructions() as f64)),
];

/// The metrics of a workload's table.
pub fn of_table(workload: Workload) -> &'static [Metric] {
    match workload.ways() {
        WaysOf::Modes => METRICS,
        WaysOf::Versions => WAVE_METRICS,
        WaysOf::Dispatches => PRODUCT_METRICS,
        WaysOf::Policies => KERNEL_METRICS,
    }
}

/// Every figure of a run of `workload` that JSON has.
pub fn all(workload: Workload) -> impl Iterator<Item = &'static Metric> {
    [of_table(workload), SCHEDULER_METRICS, POWER_METRICS, DETAILS].into_iter().flatten()
}

/// The columns of a comparison of schedulers. Balances are those of the SMX with most, over the mean.
pub static SCHEDULER_METRICS: &[Metric] = &[
    metric("cycles", "cycles", Unit::Count, |v| Some(v.stats.cycles as f64)),
    metric("speedup_over_first", "speedup", Unit::Times, |v| v.over_first(|run, first| first.time_us / run.time_us)),
    metric("ipc_over_first", "IPC", Unit::Times, |v| v.over_first(|run, first| run.thread_ipc / first.thread_ipc)),
    metric("l1_hit_rate", "L1 hits", Unit::Share, |v| v.l1_hit_rate()),
    metric("l2_hit_rate", "L2 hits", Unit::Share, |v| v.l2_hit_rate()),
    metric("instruction_balance", "busiest SMX", Unit::Times, |v| Some(v.figures.instruction_balance.max_over_mean)),
    metric("bubble_share", "bubbles", Unit::Share, |v| Some(v.figures.bubble_share)),
];

/// What became of the answers of a policy that decides from outside, each with what it means. Those that are zero everywhere are not told.
pub static DECIDE_METRICS: &[(Metric, &str)] = &[
    (metric("decide_sent", "sent", Unit::Count, |v| v.decided(|d| d.sent)), "TBs that the policy sent"),
    (
        metric("decide_declined", "declined", Unit::Count, |v| v.decided(|d| d.declined)),
        "cycles in which the policy sent nothing although it could",
    ),
    (
        metric("decide_stalled", "stalled", Unit::Count, |v| v.decided(|d| d.stalled)),
        "times that it did so for told.stall_limit cycles in a row",
    ),
    (
        metric("decide_rescued", "rescued", Unit::Count, |v| v.decided(|d| d.rescued)),
        "TBs that round robin sent in the policy's place (told.rescue)",
    ),
];

/// The columns of a comparison with and without bubble DVFS.
pub static POWER_METRICS: &[Metric] = &[
    metric("time_us", "time us", Unit::Real(1), |v| Some(v.figures.time_us)),
    metric("energy_mj", "mJ", Unit::Real(3), |v| v.stats.joules().map(|j| 1e3 * j)),
    metric("mean_power_w", "W", Unit::Real(1), |v| v.stats.energy.as_ref().map(|energy| energy.mean_w)),
    metric("bubble_share", "bubbles", Unit::Share, |v| Some(v.figures.bubble_share)),
    metric("low_share", "low", Unit::Share, |v| {
        let low: u64 = v.stats.smxs.iter().map(|smx| smx.power.state_cycles[SmxState::Low as usize]).sum();
        Some(low as f64 / (v.stats.cycles * v.stats.machine.sms).max(1) as f64)
    }),
    metric("ideal_saving", "ideal", Unit::Share, |v| v.stats.energy.as_ref().map(|energy| energy.ideal_saving)),
    metric("energy_saving", "saving", Unit::Change, |v| {
        v.over_base(|run, base| Some(1.0 - run.energy_j? / base.energy_j?))
    }),
    metric("performance_loss", "loss", Unit::Change, |v| {
        v.over_base(|run, base| Some(run.time_us / base.time_us - 1.0))
    }),
];

/// What only JSON has beyond these.
pub static DETAILS: &[Metric] = &[
    metric("peak_ipc_fraction", "IPC (of the most)", Unit::Share, |v| Some(v.figures.peak_ipc_fraction)),
    metric("lsrp", "LD/ST passes beyond the first, per access", Unit::Real(3), |v| Some(v.figures.lsrp)),
    metric("load_latency_cycles", "load latency (SM cycles)", Unit::Mean, |v| {
        View::some(v.stats.sm.lsu.loads_done, v.figures.load_latency)
    }),
    metric("instructions_per_l1_miss", "instructions per L1 miss", Unit::Real(1), |v| {
        View::some(v.stats.sm.l1.misses, v.figures.instructions_per_l1_miss)
    }),
    metric("lsu_stall_fraction", "LSU stalls (of cycles)", Unit::Share, |v| Some(v.figures.lsu_stall_fraction)),
    metric("memory_stall_fraction", "schedulers that wait for memory", Unit::Share, |v| {
        Some(v.figures.memory_stall_fraction)
    }),
    metric("structural_stall_fraction", "schedulers that wait for a unit", Unit::Share, |v| {
        Some(v.figures.structural_stall_fraction)
    }),
    metric("dram_bandwidth_use", "DRAM bandwidth (of the peak)", Unit::Share, |v| Some(v.figures.bandwidth_use)),
    metric("dram_gb_per_s", "DRAM bandwidth (GB/s)", Unit::Real(1), |v| Some(v.figures.dram_gb_per_s)),
    metric("dram_row_hit_rate", "DRAM row hit rate", Unit::Share, |v| {
        View::some(v.stats.dram.reads + v.stats.dram.writes, v.figures.row_hit_rate)
    }),
    metric("tb_balance", "TBs, the most over the mean of SMXs", Unit::Real(3), |v| {
        Some(v.figures.tb_balance.max_over_mean)
    }),
    metric("busy_balance", "busy cycles, the most over the mean of SMXs", Unit::Real(3), |v| {
        Some(v.figures.busy_balance.max_over_mean)
    }),
    metric("occupancy_variance", "variance of occupancy", Unit::Real(4), |v| Some(v.figures.occupancy_variance)),
    metric("pending_mean", "mean pending launches", Unit::Real(1), |v| v.dynamic(v.figures.pending_mean)),
    metric("drained_share", "drainings that end (of all)", Unit::Share, |v| {
        let BubbleStats { drain_done, drain_abort, .. } = v.stats.bubble?;
        View::some(drain_done + drain_abort, drain_done as f64 / (drain_done + drain_abort) as f64)
    }),
];

/// What only people are shown, because it differs from run to run.
pub static HOST_METRICS: &[Metric] = &[
    metric("seconds", "simulation (s)", Unit::Real(1), |v| Some(v.run.seconds)),
    metric("minstr_per_s", "simulation speed (Minstr/s)", Unit::Real(2), |v| {
        Some(v.stats.sm.all_instructions() as f64 / v.run.seconds / 1e6)
    }),
];
