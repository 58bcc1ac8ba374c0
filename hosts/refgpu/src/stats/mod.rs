//! What a run counted, and the figures that follow from it (section 5 of sheet `refgpu`).
//!
//! Counts are exact integers and compare equal between a skipped and a stepped run; [`Figures`] are ratios of them.

mod balance;
mod dats;
mod equalizer;
mod kernels;
mod levels;
mod records;
mod sharing;
mod streams;
mod warps;

use gpusched::power::BubbleStats;
use serde::{Deserialize, Serialize};

pub use balance::{Balance, SmxStats, Spread};
pub use dats::DatsStats;
pub use equalizer::{EqualizerStats, RoundStats};
pub use kernels::{KernelStats, Mark};
pub use levels::Levels;
pub use records::RecordStats;
pub use sharing::{SharingStats, Targets, TlpWalk};
pub use streams::{LsuShare, Pipelines, STREAMS, StreamCounts, StreamStats};
pub use warps::WarpStates;

use crate::dram::DramStats;
use crate::energy::Energy;
use crate::equalizer::VfCycles;
use crate::front::DecideStats;
use crate::l1::L1Stats;
use crate::l2::L2Stats;
use crate::lsu::LsuStats;
use crate::mascar::MascarStats;
use crate::memory::FlatStats;
use crate::noc::NocStats;
use crate::prefetch::{Distances, PrefetchStats};
use crate::program::Class;

counts! {
    /// Counts of one SM, or of all.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct SmStats {
        /// Cycles of its own clock.
        pub cycles: u64,
        /// TBs started.
        pub tbs: u64,
        /// Warp instructions issued: by TBs of host kernels, by TBs that device threads launched.
        pub instructions: [u64; 2],
        /// Active lanes of these.
        pub lanes: [u64; 2],
        /// Warp instructions by class, in the order of [`Class`].
        pub classes: [u64; Class::COUNT],
        /// Active lanes of these.
        pub class_lanes: [u64; Class::COUNT],
        /// Active lanes of instructions that write registers.
        pub written_lanes: u64,
        /// Global loads, stores and atomics, and their transactions.
        pub global_instructions: u64,
        /// Transactions of global accesses.
        pub transactions: u64,
        /// Loads through the texture unit.
        pub texture_instructions: u64,
        /// Shared loads and stores.
        pub shared_instructions: u64,
        /// Their bank-conflict degrees, summed.
        pub shared_cycles: u64,
        /// Accesses to shared memory of other TBs of a cluster.
        pub remote_instructions: u64,
        /// Launch instructions.
        pub launch_calls: u64,
        /// Kernels and groups that they launched.
        pub launches: u64,
        /// Threads of these.
        pub launched_threads: u64,
        /// Resident warps that have not exited, summed over core cycles.
        pub warp_cycles: u64,
        /// Core cycles with a TB resident.
        pub busy_cycles: u64,
        /// TBs that run, resident and not paused, summed over core cycles.
        pub tb_cycles: u64,
        /// Cycles in which something issued.
        pub issue_cycles: u64,
        /// Busy cycles of the SP units, summed over units.
        pub sp_busy: u64,
        /// Scheduler cycles without issue in which a warp waits for a load and none is ready.
        pub memory_stalls: u64,
        /// Scheduler cycles without issue in which a warp is ready but its unit, or the LSU, is taken.
        pub structural_stalls: u64,
        /// Cycles in which nothing issued, the LSU was stalled, and the line of a warp that could have loaded was in L1; counted if
        /// `run.blocked_hits` says so.
        pub blocked_hits: u64,
        /// Runs of instructions of a warp of which none needs what another one computes (refgpu-X5).
        #[serde(skip)]
        pub independent_runs: u64,
        /// Instructions that need what a load brings which none has needed before (refgpu-X5).
        #[serde(skip)]
        pub load_uses: u64,
        /// Different lines that loads asked for, counted if the run's options say so (refgpu-X5).
        #[serde(skip)]
        pub lines_read: u64,
        /// Load/store unit.
        pub lsu: LsuStats,
        /// L1 data cache.
        pub l1: L1Stats,
        /// Texture unit: only loads.
        pub texture_unit: LsuStats,
        /// Texture cache.
        pub texture: L1Stats,
        /// Mascar.
        pub mascar: MascarStats,
        /// Prefetcher.
        pub prefetch: PrefetchStats,
    }
}

impl SmStats {
    /// Warp instructions.
    #[must_use]
    pub fn all_instructions(&self) -> u64 {
        self.instructions.iter().sum()
    }

    /// Cycles with a refused LSU attempt.
    #[must_use]
    pub fn lsu_stall_cycles(&self) -> u64 {
        self.lsu.stalls.iter().sum()
    }
}

/// Device-side launches that have no TB on an SMX yet (refgpu-S14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingStats {
    /// Most at once.
    pub peak: u64,
    /// Their number, summed over cycles.
    pub cycles: u64,
    /// Most bytes that they held: 8,300 per kernel beyond 32 (`dtbl`, memory figures), 84 per group (64 B of parameters and
    /// a 20 B AGE).
    pub peak_bytes: u64,
    /// Launch calls that were refused at first for want of launch records.
    pub refused_calls: u64,
    /// Cycles that these waited, summed.
    pub refused_cycles: u64,
}

/// What LaPerm did with its units: natives of a kernel, or a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaPermStats {
    /// Units that went into a queue on chip.
    pub on_chip: u64,
    /// Units that went into an overflow list in memory.
    pub spilled: u64,
    /// Units of host kernels, in queue 0.
    pub queue0: u64,
    /// Units that left the chip for another.
    pub evicted: u64,
    /// Units that came from memory onto the chip.
    pub refills: u64,
    /// TBs sent from the SMX's own unit, from queue 0, from a backup unit.
    pub tbs: [u64; 3],
}

/// What is needed to make figures of counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// SMs.
    pub sms: u64,
    /// Warp slots of an SM.
    pub warp_slots: u64,
    /// Schedulers of an SM.
    pub schedulers: u64,
    /// SP units of an SM.
    pub sp_units: u64,
    /// DRAM channels.
    pub channels: u64,
    /// Bytes of a DRAM burst.
    pub burst_bytes: u64,
    /// Command cycles of a DRAM burst.
    pub burst_cycles: u64,
    /// Core clock.
    pub clock_mhz: u64,
    /// Cycles of a timeline sample.
    pub sample_cycles: u64,
    /// Whether merges count as hits.
    pub pending_as_hit: bool,
    /// Bytes that a flat memory moves per core cycle; 0 without one.
    pub flat_bytes_per_cycle: u64,
}

impl Machine {
    /// How many of these merges count as hits (refgpu-S5).
    pub(crate) const fn hits_of(&self, merges: u64) -> u64 {
        if self.pending_as_hit { merges } else { 0 }
    }
}

/// Everything that a run counted. In another form than this, such as JSON, it lacks what only the model of a kernel's time asks for
/// (refgpu-X5).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunStats {
    /// Cycles until the last TB ended.
    pub cycles: u64,
    /// Cycle of the first dispatch of a TB.
    pub first_tb: u64,
    /// Host kernels.
    pub host_kernels: u64,
    /// Cycles that host launches took, before their kernels entered their queues. With one stream nothing runs meanwhile.
    pub host_launch_cycles: u64,
    /// All SMs together.
    pub sm: SmStats,
    /// Each SMX.
    pub smxs: Vec<SmxStats>,
    /// Warp cycles of an SMX in a whole timeline sample of `run.sample_cycles`, over SMXs and samples.
    pub occupancy: Spread,
    /// Samples that looked for bubbles.
    pub bubble_samples: u64,
    /// Energy, if its prices are known.
    pub energy: Option<Energy>,
    /// L2 banks together.
    pub l2: L2Stats,
    /// DRAM channels together.
    pub dram: DramStats,
    /// Memory without L2, if that is what there is.
    pub flat: Option<FlatStats>,
    /// How far ahead each SM's prefetcher fetched, over time.
    pub distances: Vec<Distances>,
    /// DRAM command cycles of the run.
    pub command_cycles: u64,
    /// Crossbar from SMs to L2.
    pub requests: NocStats,
    /// Crossbar from L2 to SMs.
    pub replies: NocStats,
    /// The front end's own statistics.
    pub front: gpusched::Stats,
    /// Waiting launches.
    pub pending: PendingStats,
    /// Who decided which TB goes where, if it was not the front end.
    pub decide: Option<DecideStats>,
    /// LaPerm, if that is the policy.
    pub laperm: Option<LaPermStats>,
    /// The bubble controller, if it was there.
    pub bubble: Option<BubbleStats>,
    /// The dependency-graph buffer, if it was there.
    pub dats: Option<DatsStats>,
    /// Launch records, if they lay in memory.
    pub records: Option<RecordStats>,
    /// Equalizer, if it was on.
    pub equalizer: Option<EqualizerStats>,
    /// Warps by class, if they were sampled.
    pub warps: Option<WarpStates>,
    /// Core cycles at each pair of levels of voltage and frequency: of the SMs, then of the memory, the lowest first.
    pub vf_cycles: VfCycles,
    /// Each host kernel.
    pub kernels: Vec<KernelStats>,
    /// Later ones, which there was no room for.
    pub kernels_dropped: u64,
    /// What was decided for kernels that share SMs, under a policy of section `tlp`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sharing: Option<SharingStats>,
    /// Each host stream, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub streams: Vec<StreamStats>,
    /// The greatest distance between levels of TBs that executed at the same time, if TBs have levels.
    pub level_range: Option<u32>,
    /// The machine.
    pub machine: Machine,
}

/// Ratios of counts. A ratio of nothing is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Microseconds.
    pub time_us: f64,
    /// Warp instructions per cycle (refgpu-S2).
    pub ipc: f64,
    /// Active lanes per cycle.
    pub thread_ipc: f64,
    /// IPC over what all schedulers together could issue.
    pub peak_ipc_fraction: f64,
    /// Active lanes per 32 x warp instructions, in percent (refgpu-S1).
    pub warp_activity: f64,
    /// Mean further transactions, or bank conflicts, of a load or store (LSRP, refgpu-S3).
    pub lsrp: f64,
    /// L1 hits per load transaction (refgpu-S5).
    pub l1_hit_rate: f64,
    /// L1 load transactions that fetch a line, per load transaction: the D-cache's miss rate.
    pub l1_miss_rate: f64,
    /// Prefetched lines that a load wanted before they were evicted, per prefetched line (refgpu-S10).
    pub prefetch_accuracy: f64,
    /// Of these, those that it wanted while they were on their way.
    pub prefetch_late: f64,
    /// Prefetched lines that were evicted unused, per prefetched line.
    pub prefetch_early: f64,
    /// L2 hits per read.
    pub l2_hit_rate: f64,
    /// Warp instructions per L1 miss of a load (refgpu-S4).
    pub instructions_per_l1_miss: f64,
    /// Read and write commands per command cycle with a pending request; at most 0.5 (refgpu-S6).
    pub dram_efficiency: f64,
    /// Bytes moved over bytes that the DRAM could move in this time.
    pub bandwidth_use: f64,
    /// Gigabytes per second that DRAM moved.
    pub dram_gb_per_s: f64,
    /// Column commands without an activation of their own, per column command.
    pub row_hit_rate: f64,
    /// SM cycles with a refused LSU attempt, per SM cycle (refgpu-S8).
    pub lsu_stall_fraction: f64,
    /// SM cycles in which a stalled LSU kept a warp from its line in L1, per SM cycle (refgpu-S9).
    pub blocked_hit_fraction: f64,
    /// Busy cycles of the SP units, per SM cycle and unit.
    pub sp_utilisation: f64,
    /// SM cycles with an instruction in the LSU.
    pub ldst_utilisation: f64,
    /// The first over the second: PUHP, of the whole run as history; 0 if LD/ST was idle.
    pub puhp: f64,
    /// SM cycles in MP mode (Mascar; refgpu-S20).
    pub mp_share: f64,
    /// Mean requests in the re-execution queue.
    pub rexq_mean: f64,
    /// Scheduler cycles that waited for memory (refgpu-S12).
    pub memory_stall_fraction: f64,
    /// Scheduler cycles that waited for a unit.
    pub structural_stall_fraction: f64,
    /// Mean cycles of the SM's own clock from issue to ready of a load (refgpu-S10).
    pub load_latency: f64,
    /// Resident warps over warp slots, from the first TB on (refgpu-S13).
    pub occupancy: f64,
    /// Variance of the occupancy of an SMX over its samples.
    pub occupancy_variance: f64,
    /// Samples of an SMX that found a bubble, per sample (refgpu-S16).
    pub bubble_share: f64,
    /// TBs, over SMXs.
    pub tb_balance: Balance,
    /// Core cycles with a TB resident, over SMXs.
    pub busy_balance: Balance,
    /// Warp instructions, over SMXs.
    pub instruction_balance: Balance,
    /// Mean cycles from a launch call to the first TB (refgpu-S14).
    pub waiting_time: f64,
    /// Mean number of pending launches.
    pub pending_mean: f64,
    /// Groups that found an eligible kernel, per group (refgpu-S15).
    pub kde_hit_rate: f64,
    /// Groups that found their AGE free, per joined group.
    pub agt_hit_rate: f64,
    /// Time without host launches over their time (refgpu-S18).
    pub compute_to_launch: f64,
    /// Mean cycles from asking for a launch record to its arrival (refgpu-V5).
    pub record_latency: f64,
    /// Requests of the dependency-graph buffer per other request at L2 (refgpu-S11).
    pub added_requests: f64,
}

fn ratio(a: u64, b: u64) -> f64 {
    if b == 0 { 0.0 } else { a as f64 / b as f64 }
}

impl RunStats {
    /// Energy in joules, if its prices are known.
    #[must_use]
    pub fn joules(&self) -> Option<f64> {
        self.energy.as_ref().map(|energy| energy.total_j)
    }

    /// Cycles of the host's launches, if nothing runs meanwhile: with one stream.
    fn host_alone_cycles(&self) -> u64 {
        if self.streams.is_empty() { self.host_launch_cycles } else { 0 }
    }

    /// Cycles from the first TB to the end of the last, without those of the host's launches between kernels, in which nothing runs
    /// (refgpu-S19). Where there are several host streams, something may run.
    #[must_use]
    pub fn kernel_cycles(&self) -> u64 {
        // The first launch is over when the first TB starts.
        let all = self.host_alone_cycles();
        let between = all - all / self.host_kernels.max(1);
        (self.cycles - self.first_tb).saturating_sub(between)
    }

    /// What such busy cycles of the SP units, and of LD/ST, are of the run.
    fn pipelines(&self, sp: u64, ldst: u64) -> Pipelines {
        let units = self.machine.sp_units;
        Pipelines {
            sp_utilisation: ratio(sp, self.sm.cycles * units),
            ldst_utilisation: ratio(ldst, self.sm.cycles),
            puhp: ratio(sp, ldst * units),
        }
    }

    /// What each host stream had of the pipelines.
    pub fn pipelines_of_streams(&self) -> impl Iterator<Item = Pipelines> {
        self.streams.iter().map(|stream| self.pipelines(stream.counts.sp_busy, stream.counts.lsu.busy))
    }

    /// The figures of section 5.
    #[must_use]
    pub fn figures(&self) -> Figures {
        let Self { cycles, sm, l2, dram, machine: m, front, ref smxs, .. } = *self;
        let (instructions, lanes) = (sm.all_instructions(), sm.lanes.iter().sum());
        // A slow SM has fewer cycles; what it could have issued counts all the same.
        let (sm_cycles, nominal_cycles) = (sm.cycles, cycles * m.sms);
        let accesses = sm.l1.hits + sm.l1.merges + sm.l1.misses;
        let pending_hits = |merges| m.hits_of(merges);
        let columns = dram.reads + dram.writes;
        // Of a flat memory, what its bus moved, and could have moved (refgpu-N5).
        let (requests, bytes, moved, most) = match &self.flat {
            Some(flat) => (flat.reads + flat.writes, flat.bytes, flat.bytes, cycles * m.flat_bytes_per_cycle),
            None => (l2.all(), columns * m.burst_bytes, columns * m.burst_cycles, self.command_cycles * m.channels),
        };
        let time_us = ratio(cycles, m.clock_mhz);
        let all = self.pipelines(sm.sp_busy, sm.lsu.busy);
        let added = self.dats.map_or(0, |dats| dats.requests);
        let extra = sm.transactions - sm.global_instructions + sm.shared_cycles - sm.shared_instructions;
        Figures {
            time_us,
            ipc: ratio(instructions, cycles),
            thread_ipc: ratio(lanes, cycles),
            peak_ipc_fraction: ratio(instructions, nominal_cycles * m.schedulers),
            warp_activity: 100.0 * ratio(lanes, 32 * instructions),
            lsrp: ratio(extra, sm.global_instructions + sm.shared_instructions),
            l1_hit_rate: ratio(sm.l1.hits + pending_hits(sm.l1.merges), accesses),
            l1_miss_rate: ratio(sm.l1.misses, accesses),
            prefetch_accuracy: ratio(sm.prefetch.lines.used, sm.prefetch.sent),
            prefetch_late: ratio(sm.prefetch.lines.late, sm.prefetch.lines.used),
            prefetch_early: ratio(sm.prefetch.lines.evicted, sm.prefetch.sent),
            l2_hit_rate: ratio(l2.hits + pending_hits(l2.merges), l2.hits + l2.merges + l2.misses),
            instructions_per_l1_miss: ratio(instructions, sm.l1.misses),
            dram_efficiency: ratio(columns, dram.pending_cycles),
            bandwidth_use: ratio(moved, most),
            dram_gb_per_s: if time_us == 0.0 { 0.0 } else { bytes as f64 / (time_us * 1e3) },
            row_hit_rate: ratio(columns.saturating_sub(dram.activations), columns),
            lsu_stall_fraction: ratio(sm.lsu_stall_cycles(), sm_cycles),
            blocked_hit_fraction: ratio(sm.blocked_hits, sm_cycles),
            sp_utilisation: all.sp_utilisation,
            ldst_utilisation: all.ldst_utilisation,
            puhp: all.puhp,
            mp_share: ratio(sm.mascar.mp_cycles, sm_cycles),
            rexq_mean: ratio(sm.mascar.queue_cycles, sm_cycles),
            memory_stall_fraction: ratio(sm.memory_stalls, sm_cycles * m.schedulers),
            structural_stall_fraction: ratio(sm.structural_stalls, sm_cycles * m.schedulers),
            load_latency: ratio(sm.lsu.load_latency, sm.lsu.loads_done),
            occupancy: ratio(sm.warp_cycles, (cycles - self.first_tb) * m.sms * m.warp_slots),
            occupancy_variance: match m.warp_slots * m.sample_cycles {
                0 => 0.0,
                full => self.occupancy.variance() / (full as f64).powi(2),
            },
            bubble_share: ratio(smxs.iter().map(|s| s.power.bubble_samples).sum(), self.bubble_samples * m.sms),
            tb_balance: Balance::of(smxs.iter().map(|s| s.tbs)),
            busy_balance: Balance::of(smxs.iter().map(|s| s.busy_cycles)),
            instruction_balance: Balance::of(smxs.iter().map(|s| s.instructions)),
            waiting_time: ratio(front.dyn_wait, front.dyn_n),
            pending_mean: ratio(self.pending.cycles, cycles),
            kde_hit_rate: ratio(front.kde_hit, front.kde_hit + front.kde_miss),
            agt_hit_rate: ratio(front.agt_hit, front.agt_hit + front.agt_spill),
            compute_to_launch: ratio(cycles - self.host_alone_cycles(), self.host_alone_cycles()),
            record_latency: self.records.map_or(0.0, |records| ratio(records.load_cycles, records.loads)),
            added_requests: ratio(added, requests - added),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::power::SmxPowerStats;
    use crate::program::Class;
    use crate::tests::script::{At, Op, kernel, run};

    #[test]
    fn figures_follow_their_definitions() {
        let stats = RunStats {
            cycles: 1100,
            first_tb: 100,
            sm: SmStats {
                cycles: 1100 * 13,
                instructions: [400, 100],
                lanes: [400 * 32, 100 * 16],
                global_instructions: 10,
                transactions: 40,
                warp_cycles: 500 * 13 * 64,
                sp_busy: 1100 * 13 * 3,
                lsu: LsuStats { busy: 1100 * 13 / 4, ..LsuStats::default() },
                l1: L1Stats { hits: 6, merges: 2, misses: 2, stores: 9, atomics: 9, bypassed: 0 },
                ..SmStats::default()
            },
            dram: DramStats { reads: 30, writes: 10, activations: 10, precharges: 0, pending_cycles: 100 },
            command_cycles: 2000,
            machine: Machine {
                sms: 13,
                warp_slots: 64,
                schedulers: 4,
                sp_units: 6,
                channels: 5,
                burst_bytes: 64,
                burst_cycles: 2,
                clock_mhz: 1000,
                sample_cycles: 500,
                ..Machine::default()
            },
            ..RunStats::default()
        };
        let f = stats.figures();
        assert_eq!(f.warp_activity, 90.0);
        assert_eq!(f.lsrp, 3.0);
        assert_eq!((f.l1_hit_rate, f.l2_hit_rate), (0.6, 0.0));
        assert_eq!((f.sp_utilisation, f.ldst_utilisation, f.puhp), (0.5, 0.25, 2.0));
        assert_eq!((f.dram_efficiency, f.row_hit_rate), (0.4, 0.75));
        assert_eq!(f.bandwidth_use, 80.0 / 10_000.0);
        assert_eq!((f.occupancy, f.time_us), (0.5, 1.1));
    }

    /// refgpu-S6 and refgpu-S11 where there is neither L2 nor DRAM (refgpu-N5).
    #[test]
    fn a_flat_memory_has_requests_and_a_bandwidth() {
        let stats = RunStats {
            cycles: 100,
            flat: Some(FlatStats { reads: 10, writes: 2, bytes: 600, queued: 0 }),
            dats: Some(DatsStats { requests: 4, ..DatsStats::default() }),
            machine: Machine { clock_mhz: 1000, flat_bytes_per_cycle: 12, ..Machine::default() },
            ..RunStats::default()
        };
        let f = stats.figures();
        assert_eq!((f.bandwidth_use, f.dram_gb_per_s, f.added_requests), (0.5, 6.0, 0.5));
    }

    /// refgpu-S18: launches of several streams overlap each other and what runs.
    #[test]
    fn launches_of_several_streams_are_no_part_of_the_time() {
        let stats = RunStats { cycles: 100, host_launch_cycles: 60, ..RunStats::default() };
        assert_eq!(stats.figures().compute_to_launch, 40.0 / 60.0);
        let streams = vec![StreamStats::default(); 8];
        let stats = RunStats { host_launch_cycles: 480, streams, ..stats };
        assert_eq!(stats.figures().compute_to_launch, 0.0);
    }

    /// refgpu-S5: a kernel's rate is that of the run.
    #[test]
    fn merges_are_hits_of_kernels_too_if_they_are_hits() {
        let machine = crate::tests::script::config("gtx480", &[("l1.pending_as_hit", "true")]);
        let body = |at: At| match at.step {
            0..3 => Op::access(Class::LoadGlobal, 1 << at.step, |l| 4 * l),
            _ => Op::exit(),
        };
        let stats = run(&machine, &[kernel(1, 1, 32, 0)], body);
        let rate = stats.kernels[0].l1_hit_rate;
        assert!(stats.sm.l1.merges > 0 && rate > 0.5, "{:?}", stats.sm.l1);
        assert_eq!(rate, stats.figures().l1_hit_rate);
    }

    #[test]
    fn occupancy_variance_and_bubble_share_are_shares() {
        let machine = Machine { sms: 2, warp_slots: 64, sample_cycles: 500, ..Machine::default() };
        let bubbles = |bubble_samples| SmxStats {
            power: SmxPowerStats { bubble_samples, ..SmxPowerStats::default() },
            ..SmxStats::default()
        };
        let stats = RunStats {
            machine,
            // Empty and full in turn.
            occupancy: [0, 32_000, 0, 32_000].into_iter().collect(),
            smxs: vec![bubbles(1), bubbles(4)],
            bubble_samples: 10,
            ..RunStats::default()
        };
        let f = stats.figures();
        assert_eq!((f.occupancy_variance, f.bubble_share), (0.25, 0.25));
    }
}
