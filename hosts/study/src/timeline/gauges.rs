//! What has a value at any time, by name: how full the front end's queues and tables are, what its scheduler and its KMU waited for,
//! clocks and voltages. All forms of a timeline have these, by these names.

use gpusched::Words;
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::equalizer::VfPair;
use gpusched_refgpu::front::Depths;
use gpusched_refgpu::power::SmxState;
use gpusched_refgpu::timeline::SmSample;
use gpusched_refgpu::vf::VfLevel;

/// Values with one heading.
pub struct Group<const N: usize> {
    pub name: &'static str,
    pub values: [(&'static str, u64); N],
}

/// A value with its heading and its name.
pub type Depth = (&'static str, &'static str, u64);

/// The front end's queues and tables, along the way of a launch.
pub fn depths(depths: &Depths) -> [Depth; 9] {
    let &Depths { queued, device, suspended, entries, joining, ages, spilled, pending, units } = depths;
    [
        ("hardware_queues", "kernels", queued),
        ("kmu", "device_kernels", device),
        ("kmu", "suspended", suspended),
        ("distributor", "entries", entries),
        ("groups", "joining", joining),
        ("groups", "in_agt", ages),
        ("groups", "in_memory", spilled),
        ("groups", "in_queues", units),
        ("launches", "without_tb", pending),
    ]
    .map(|(group, name, value)| (group, name, value.into()))
}

/// Cycles since the run began, by what the TB scheduler did or waited for.
pub fn scheduler(words: &Words) -> Group<17> {
    let values = [
        ("sent", words.tb),
        ("idle", words.idle),
        ("load", words.load),
        ("no_room", words.noroom),
        ("gated", words.gated),
        ("capped", words.capped),
        ("no_fit", words.no_fit),
        ("no_candidate", words.no_candidate),
        ("masked", words.masked),
        ("graph_no_ready", words.g_no_ready),
        ("graph_head", words.g_head),
        ("graph_level_bound", words.g_level_bound),
        ("graph_deadlock", words.g_deadlock),
        ("graph_fault", words.g_fault),
        ("told", words.told),
        ("fragmented", words.frag),
        ("quota", words.quota),
    ];
    Group { name: "scheduler_cycles", values }
}

/// The same of the KMU.
pub fn kmu(words: &Words) -> Group<5> {
    let values = [
        ("issue", words.issue),
        ("empty", words.empty),
        ("busy", words.busy),
        ("distributor_full", words.kdfull),
        ("graph_buffer_busy", words.dgbusy),
    ];
    Group { name: "kmu_cycles", values }
}

/// What keeps SMs from issuing, in cycles: of schedulers that wait for memory or a unit, and of LSUs that L1 refuses.
pub fn stalls(sample: &SmSample) -> [(&'static str, u64); 7] {
    let [merge, set, mshr, miss_queue, not_owner] = sample.lsu_stalls;
    [
        ("waits_for_memory", sample.memory_stalls),
        ("waits_for_unit", sample.structural_stalls),
        ("lsu_merge", merge),
        ("lsu_set", set),
        ("lsu_mshr", mshr),
        ("lsu_miss_queue", miss_queue),
        ("lsu_not_owner", not_owner),
    ]
}

/// Clocks and voltages that a machine can have.
pub struct Supplies {
    khz: f64,
    low: (f64, f64),
    step_permille: u32,
}

impl Supplies {
    pub fn of(gpu: &GpuConfig) -> Self {
        let ratio = |low: u32, high: u32| f64::from(low) / f64::from(high.max(1));
        let bubble = &gpu.bubble;
        Self {
            khz: f64::from(gpu.sm.clock_mhz) * 1e3,
            low: (ratio(bubble.f_low_mhz, bubble.f_high_mhz), ratio(bubble.v_low_mv, bubble.v_high_mv)),
            step_permille: gpu.vf_step_permille(),
        }
    }

    /// Clock, in kHz, and voltage, in thousandths of nominal, of an SM in this state: during a transition the clock is the old one,
    /// and the voltage the higher one.
    pub fn of_state(&self, state: SmxState) -> [(&'static str, u64); 2] {
        let (clock, _) = if matches!(state, SmxState::Low | SmxState::GoingUp) { self.low } else { (1.0, 1.0) };
        let voltage = if state == SmxState::Low { self.low.1 } else { 1.0 };
        [("khz", (self.khz * clock).round() as u64), ("voltage_permille", (voltage * 1e3).round() as u64)]
    }

    /// Clock of the SMs, in kHz, and clock of network, L2 and DRAM, in thousandths of nominal. Voltage follows frequency.
    pub fn of_levels(&self, levels: VfPair) -> [(&'static str, u64); 2] {
        let ratio = |level: VfLevel| level.ratio(self.step_permille);
        let (sm, memory) = (self.khz * ratio(levels.sm), 1e3 * ratio(levels.mem));
        [("sm_khz", sm.round() as u64), ("memory_permille", memory.round() as u64)]
    }
}

/// The word for what an SM does besides taking TBs at the high P-state.
pub const fn state(state: SmxState) -> &'static str {
    match state {
        SmxState::High => "high",
        SmxState::Draining => "draining",
        SmxState::GoingDown => "going down",
        SmxState::Low => "low",
        SmxState::GoingUp => "going up",
    }
}

/// When a core cycle begins, at the nominal clock.
#[derive(Clone, Copy)]
pub struct Clock {
    mhz: u64,
}

impl Clock {
    pub fn of(gpu: &GpuConfig) -> Self {
        Self { mhz: gpu.sm.clock_mhz.max(1).into() }
    }

    /// In so many parts of a second as there are in a millionth times `parts`, rounded down.
    fn at(self, cycle: u64, parts: u64) -> u64 {
        (u128::from(cycle) * u128::from(parts) / u128::from(self.mhz)) as u64
    }

    /// In nanoseconds.
    pub fn ns(self, cycle: u64) -> u64 {
        self.at(cycle, 1_000)
    }

    /// In picoseconds.
    pub fn ps(self, cycle: u64) -> u64 {
        self.at(cycle, 1_000_000)
    }
}
