//! The energy account (refgpu-E1): events at their price, and power over time, by component and by SMX.
//!
//! Counts are kept as integers per domain and voltage ([`SmxLedger`], filled by [`crate::power`], and [`MemoryLedger`]) and priced
//! once, at the end, in a fixed order. So energy is bit-reproducible, and the same however a run was cut into intervals.
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::energy::{Interval, MemoryLedger, Prices, SmxLedger, Supply};
//! use gpusched_refgpu::vf::VfLevel;
//!
//! let prices = Prices::of(&GpuConfig::preset("k20c")?).expect("a machine with prices");
//! // An SMX that idles for a millisecond, and one that sleeps.
//! let [idle, asleep] = [Supply::Normal, Supply::Asleep]
//!     .map(|supply| SmxLedger::at(supply, Interval { cycles: 706_000, ..Interval::default() }));
//! let memory = MemoryLedger::at(VfLevel::Normal, Interval { cycles: 706_000, ..Interval::default() });
//! let energy = prices.energy(&[idle, asleep], &memory);
//! assert!((energy.smxs[0].total_j * 1e3 - 6.323).abs() < 1e-3);
//! assert!((energy.smxs[1].total_j * 1e3 - 1.109).abs() < 1e-3);
//! # Ok::<(), gpusched_refgpu::config::ConfigError>(())
//! ```

mod events;
mod ledger;

use serde::{Deserialize, Serialize};

pub use events::{MemoryEvents, SmEvents};
pub use ledger::{Interval, MemoryLedger, SmxLedger, Supply};

use crate::config::{self, GpuConfig};
use crate::vf::VfLevel;

counts! {
    /// Energy by component, in joules.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct Parts {
        /// Fetch, decode, schedule.
        pub scheduling: f64,
        /// Register files.
        pub registers: f64,
        /// Functional units.
        pub execution: f64,
        /// Shared memory.
        pub shared_memory: f64,
        /// L1 data caches.
        pub l1: f64,
        /// Pipelines of SMs that issue.
        pub pipeline: f64,
        /// What every SM takes, idle or not (refgpu-E13).
        pub base: f64,
        /// Leakage of the chip, which its SMs share (refgpu-E14).
        pub leakage: f64,
        /// Crossbars.
        pub network: f64,
        /// L2 cache.
        pub l2: f64,
        /// DRAM commands.
        pub dram: f64,
        /// DRAM at rest (refgpu-E12).
        pub dram_standby: f64,
    }
}

impl Parts {
    /// The parts, in their order.
    #[must_use]
    pub fn values(&self) -> [f64; 12] {
        let Self { scheduling, registers, execution, shared_memory, l1, pipeline, base, leakage, .. } = *self;
        let Self { network, l2, dram, dram_standby, .. } = *self;
        [scheduling, registers, execution, shared_memory, l1, pipeline, base, leakage, network, l2, dram, dram_standby]
    }

    /// Their sum.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.values().iter().sum()
    }
}

/// Energy of one SMX, in joules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SmxEnergy {
    /// All of it.
    pub total_j: f64,
    /// Events.
    pub dynamic_j: f64,
    /// Base power and leakage.
    pub static_j: f64,
    /// The part of the total in sampling periods that ended in a bubble.
    pub bubble_j: f64,
}

/// Energy of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Energy {
    /// All of it: the SMXs and what is beyond them.
    pub total_j: f64,
    /// Over the time of the run; 0 for a run of no time.
    pub mean_w: f64,
    /// By component.
    pub parts_j: Parts,
    /// By SMX.
    pub smxs: Vec<SmxEnergy>,
    /// What would be saved if SMXs in bubbles took nothing, per total (refgpu-S16).
    pub ideal_saving: f64,
}

/// Voltage and clock, over nominal.
#[derive(Clone, Copy, Debug)]
struct Point {
    voltage: f64,
    clock: f64,
}

/// What things cost on one machine.
#[derive(Clone, Debug)]
pub struct Prices {
    energy: config::Energy,
    /// Leakage of an SM, in mW, at the nominal voltage.
    leakage: f64,
    /// Seconds of a core cycle.
    cycle: f64,
    /// By [`Supply`].
    supplies: [Point; Supply::COUNT],
    /// Of the memory domain, by [`VfLevel`].
    levels: [Point; VfLevel::COUNT],
    /// Change of the DRAM's standby current with a step of its level.
    standby_step: f64,
}

const PICO: f64 = 1e-12;
const FEMTO: f64 = 1e-15;
const MILLI: f64 = 1e-3;
/// Warp slots of an SM for which leakage is given (refgpu-E17).
const LEAKAGE_WARPS: u32 = 32;

impl Prices {
    /// Those of section `energy`, with the P-states of section `bubble` and the levels of section `vf`. `None`: they are not known.
    #[must_use]
    pub fn of(config: &GpuConfig) -> Option<Self> {
        config.energy.known.then(|| Self::known(config))
    }

    fn known(config: &GpuConfig) -> Self {
        let ratio = |low: u32, high: u32| f64::from(low) / f64::from(high);
        let b = &config.bubble;
        let low = Point { voltage: ratio(b.v_low_mv, b.v_high_mv), clock: ratio(b.f_low_mhz, b.f_high_mhz) };
        // Voltage follows frequency.
        let levels = VfLevel::ALL.map(|level| level.ratio(config.vf_step_permille()));
        let [lowered, normal, raised] = levels.map(|ratio| Point { voltage: ratio, clock: ratio });
        let e = &config.energy;
        let by_warps = ratio(e.warp_leakage_permille, 1000);
        let warps = ratio(config.sm.warps, LEAKAGE_WARPS);
        Self {
            energy: e.clone(),
            leakage: ratio(e.leakage_mw, config.sm.count) * (1.0 - by_warps + by_warps * warps),
            cycle: 1e-6 / f64::from(config.sm.clock_mhz),
            supplies: [normal, low, lowered, raised],
            levels: [lowered, normal, raised],
            standby_step: f64::from(config.vf.standby_permille) * MILLI,
        }
    }

    /// Energy of a run.
    #[must_use]
    pub fn energy(&self, smxs: &[SmxLedger], memory: &MemoryLedger) -> Energy {
        let time = memory.cycles() as f64 * self.cycle;
        let beyond = self.memory(memory);
        let (mut parts, mut total, mut bubbles) = (beyond, 0.0, 0.0);
        let mut each = Vec::with_capacity(smxs.len());
        for smx in smxs {
            let (own, bubble_j) = (self.smx(&smx.supplies), self.smx(&smx.bubble).sum());
            let (total_j, static_j) = (own.sum(), own.base + own.leakage);
            each.push(SmxEnergy { total_j, dynamic_j: total_j - static_j, static_j, bubble_j });
            parts.add(&own);
            total += total_j;
            bubbles += bubble_j;
        }
        total += beyond.sum();
        let per = |whole: f64, part: f64| if whole == 0.0 { 0.0 } else { part / whole };
        let (mean_w, ideal_saving) = (per(time, total), per(total, bubbles));
        Energy { total_j: total, mean_w, parts_j: parts, smxs: each, ideal_saving }
    }

    fn smx(&self, supplies: &[Interval; Supply::COUNT]) -> Parts {
        let parts = supplies.iter().zip(self.supplies).map(|(interval, point)| self.interval(interval, point));
        parts.sum()
    }

    fn interval(&self, interval: &Interval, point: Point) -> Parts {
        let (price, n) = (&self.energy, &interval.events);
        let v2 = point.voltage * point.voltage;
        let of = |count: u64, each: u32, unit: f64| count as f64 * f64::from(each) * unit * v2;
        let time = interval.cycles as f64 * self.cycle;
        let leakage = self.leakage * point.voltage.powi(price.leakage_exponent as i32);
        Parts {
            scheduling: of(n.instructions, price.instruction_pj, PICO),
            registers: of(n.register_reads, price.register_read_fj, FEMTO)
                + of(n.register_writes, price.register_write_fj, FEMTO),
            execution: of(n.sp_lanes, price.sp_lane_pj, PICO) + of(n.sfu_lanes, price.sfu_lane_pj, PICO),
            shared_memory: of(n.shared_cycles, price.shared_pj, PICO),
            l1: of(n.l1_hits, price.l1_hit_pj, PICO)
                + of(n.l1_misses, price.l1_miss_pj, PICO)
                + of(n.l1_stores, price.l1_store_pj, PICO)
                + of(n.queue_accesses, price.rexq_pj, PICO),
            pipeline: of(n.issue_cycles, price.pipeline_pj, PICO),
            base: time * f64::from(price.base_mw) * MILLI * v2 * point.clock,
            leakage: time * leakage * MILLI,
            ..Parts::default()
        }
    }

    fn memory(&self, ledger: &MemoryLedger) -> Parts {
        let levels = VfLevel::ALL.map(|level| self.memory_level(&ledger.levels[level as usize], level));
        levels.into_iter().sum()
    }

    fn memory_level(&self, interval: &Interval<MemoryEvents>, level: VfLevel) -> Parts {
        let (price, n) = (&self.energy, &interval.events);
        let voltage = self.levels[level as usize].voltage;
        let of = |count: u64, each: u32| count as f64 * f64::from(each) * PICO * voltage * voltage;
        let bytes = |count: u64, each: u32| of(count, each) / 64.0;
        let current = 1.0 + f64::from(level.steps()) * self.standby_step;
        let time = interval.cycles as f64 * self.cycle;
        Parts {
            network: of(n.packets + n.data_units, price.flit_pj),
            l2: of(n.l2_reads, price.l2_read_pj) + of(n.l2_writes, price.l2_write_pj),
            dram: bytes(n.dram_read_bytes, price.dram_read_pj)
                + bytes(n.dram_write_bytes, price.dram_write_pj)
                + of(n.activations, price.dram_activate_pj),
            dram_standby: time * f64::from(price.dram_standby_mw) * MILLI * voltage * current,
            ..Parts::default()
        }
    }
}

#[cfg(test)]
mod tests;
