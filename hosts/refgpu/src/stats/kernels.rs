//! What each host kernel did: the run's counts, kernel by kernel (section 5 of sheet `refgpu`).

use serde::{Deserialize, Serialize};

use super::{Machine, SmStats, WarpStates, ratio};
use crate::energy::{MemoryLedger, Parts, Prices, SmxLedger};
use crate::equalizer::VfCycles;
use crate::l1::Refusal;
use crate::vf::VfLevel;

/// One host kernel, with everything that it launched: from the end of the kernel before it to its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KernelStats {
    /// Its name, if its workload gives one.
    pub name: Option<String>,
    /// Its tag.
    pub tag: u64,
    /// Its program entry.
    pub pc: u64,
    /// First core cycle.
    pub start: u64,
    /// Core cycles, its launch among them.
    pub cycles: u64,
    /// Microseconds.
    pub time_us: f64,
    /// Warp instructions.
    pub instructions: u64,
    /// Active lanes of these.
    pub lanes: u64,
    /// Warp instructions per core cycle.
    pub ipc: f64,
    /// L1 load transactions that hit.
    pub l1_hits: u64,
    /// L1 load transactions that merged with a line in flight.
    pub l1_merges: u64,
    /// L1 load transactions that fetched a line.
    pub l1_misses: u64,
    /// L1 hits per load transaction.
    pub l1_hit_rate: f64,
    /// SM cycles with a refused LSU attempt, by reason: merge, set, MSHR, miss queue.
    pub lsu_stalls: [u64; Refusal::COUNT],
    /// These per SM cycle.
    pub lsu_stall_fraction: f64,
    /// Running TBs of an SM, in the mean over the core cycles in which it has any.
    pub mean_blocks: f64,
    /// Warps by class, if they were sampled.
    pub warps: Option<WarpStates>,
    /// Core cycles at each pair of levels: of the SMs, then of the memory.
    pub vf_cycles: VfCycles,
    /// Energy.
    pub energy_j: Option<f64>,
    /// Energy by component.
    pub parts_j: Option<Parts>,
}

/// All counts at some core cycle.
#[derive(Clone, Debug, Default)]
pub struct Mark {
    /// The core cycle; it is not counted.
    pub cycle: u64,
    /// All SMs.
    pub sm: SmStats,
    /// What energy follows from: SMs.
    pub ledgers: Vec<SmxLedger>,
    /// What energy follows from: memory.
    pub memory: MemoryLedger,
    /// Warps by class.
    pub warps: Option<WarpStates>,
    /// Core cycles at each pair of levels.
    pub vf_cycles: VfCycles,
}

impl Mark {
    /// What was counted from `start` to here, on this machine.
    #[must_use]
    pub fn since(&self, start: &Self, prices: Option<&Prices>, machine: &Machine) -> KernelStats {
        let of = |count: fn(&SmStats) -> u64| count(&self.sm) - count(&start.sm);
        let cycles = self.cycle - start.cycle;
        let instructions = of(SmStats::all_instructions);
        let (hits, merges, misses) = (of(|sm| sm.l1.hits), of(|sm| sm.l1.merges), of(|sm| sm.l1.misses));
        let before = |i: usize| start.ledgers.get(i).copied().unwrap_or_default();
        let ledgers: Vec<_> = self.ledgers.iter().enumerate().map(|(i, &ledger)| ledger - before(i)).collect();
        let energy = prices.map(|prices| prices.energy(&ledgers, &(self.memory - start.memory)));
        let pair = |sm: usize, mem: usize| self.vf_cycles[sm][mem] - start.vf_cycles[sm][mem];
        let vf_cycles: VfCycles =
            std::array::from_fn(|sm| std::array::from_fn::<_, { VfLevel::COUNT }, _>(|mem| pair(sm, mem)));
        KernelStats {
            start: start.cycle,
            cycles,
            time_us: ratio(cycles, machine.clock_mhz),
            instructions,
            lanes: of(|sm| sm.lanes.iter().sum()),
            ipc: ratio(instructions, cycles),
            l1_hits: hits,
            l1_merges: merges,
            l1_misses: misses,
            l1_hit_rate: ratio(hits + machine.hits_of(merges), hits + merges + misses),
            lsu_stalls: std::array::from_fn(|i| self.sm.lsu.stalls[i] - start.sm.lsu.stalls[i]),
            lsu_stall_fraction: ratio(of(SmStats::lsu_stall_cycles), of(|sm| sm.cycles)),
            mean_blocks: ratio(of(|sm| sm.tb_cycles), of(|sm| sm.busy_cycles)),
            warps: self.warps.map(|warps| warps - start.warps.unwrap_or_default()),
            vf_cycles,
            energy_j: energy.as_ref().map(|energy| energy.total_j),
            parts_j: energy.map(|energy| energy.parts_j),
            ..KernelStats::default()
        }
    }
}
