//! Every parameter of the machine itself: one list that gives the structure, the units and the allowed values.
//!
//! Values come from a preset (`presets/*.toml`), never from here, so that a parameter cannot be left without a provenance.

use super::GpuConfig;
use crate::vf::VfLevel;

/// What a parameter may be set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// An integer from the first to the second.
    Int(u64, u64),
    /// A power of two from the first to the second.
    PowerOfTwo(u64, u64),
    /// One of these words.
    Words(&'static [&'static str]),
}

impl std::fmt::Display for Allowed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(low, high) => write!(f, "an integer from {low} to {high}"),
            Self::PowerOfTwo(low, high) => write!(f, "a power of two from {low} to {high}"),
            Self::Words(words) => write!(f, "one of {}", words.join(", ")),
        }
    }
}

/// One parameter: name, unit, range, and how to reach it in a [`GpuConfig`].
#[derive(Debug)]
pub struct Param {
    /// Dotted name, `section.field`.
    pub key: &'static str,
    /// Unit of the value.
    pub unit: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// What it may be.
    pub allowed: Allowed,
    pub(super) get: fn(&GpuConfig) -> u64,
    pub(super) set: fn(&mut GpuConfig, u64),
}

/// A warp scheduler's order (refgpu-W3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WarpPolicy {
    /// Loose round robin: the first ready warp after the one that issued last.
    Lrr,
    /// Greedy then oldest: the warp that issued last if it is ready, else the oldest ready one.
    #[default]
    Gto,
    /// Round robin of the APOGEE study, which is taken as LRR.
    Rr,
    /// Mascar's, of section `mascar`; with `mascar.enable = false` a plain order of its own.
    Mascar,
}

/// How a line's number chooses its set (refgpu-M4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SetIndex {
    /// The number, folded twice.
    #[default]
    Hash,
    /// Its low bits.
    Modulo,
}

/// What prefetches into L1 (refgpu-M12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PrefetchScheme {
    /// APOGEE, of section `apogee`.
    #[default]
    Apogee,
    /// A baseline: strides of each warp's own loads.
    Stride,
    /// A baseline: strides from warp to warp, too (many-thread aware).
    Mta,
}

/// Whether each host stream has a context of its own, and which SMs that has (refgpu-G6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Contexts {
    /// All streams are of one context.
    #[default]
    None,
    /// Each has one with all SMs.
    All,
    /// Each has one with an even part of the SMs, by their numbers.
    Even,
    /// Each has one with whole GPCs.
    Gpcs,
}

/// Which of several host streams goes first (refgpu-G6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ranks {
    /// Streams have no priorities.
    #[default]
    None,
    /// Each stream goes before those with lower numbers.
    Rising,
    /// Each stream goes before those with higher numbers.
    Falling,
}

/// What becomes of a launch call that finds the launch pool full (refgpu-V4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PoolPolicy {
    /// It is an error, which ends the run.
    #[default]
    Fail,
    /// It waits until there is room.
    Wait,
}

/// A parameter as the plain number that the list works with; words by their position.
trait Raw: Copy {
    fn raw(self) -> u64;
    fn from_raw(raw: u64) -> Self;
}

impl Raw for u32 {
    fn raw(self) -> u64 {
        u64::from(self)
    }
    fn from_raw(raw: u64) -> Self {
        raw as Self // within the range of `allowed`, which fits
    }
}

impl Raw for u64 {
    fn raw(self) -> u64 {
        self
    }
    fn from_raw(raw: u64) -> Self {
        raw
    }
}

impl Raw for bool {
    fn raw(self) -> u64 {
        u64::from(self)
    }
    fn from_raw(raw: u64) -> Self {
        raw != 0
    }
}

const BOOL: Allowed = Allowed::Words(&["false", "true"]);

/// The words for the values of an enumeration, in its order.
macro_rules! words {
    ($($WORDS:ident: $Type:ident $($Value:ident $word:literal)+;)+) => {$(
        const $WORDS: Allowed = Allowed::Words(&[$($word),+]);

        impl Raw for $Type {
            fn raw(self) -> u64 {
                self as u64
            }
            fn from_raw(raw: u64) -> Self {
                [$(Self::$Value),+].get(raw as usize).copied().unwrap_or_default()
            }
        }
    )+};
}
words! {
    WARP_POLICY: WarpPolicy Lrr "lrr" Gto "gto" Rr "rr" Mascar "mascar";
    SET_INDEX: SetIndex Hash "hash" Modulo "modulo";
    PREFETCH_SCHEME: PrefetchScheme Apogee "apogee" Stride "stride" Mta "mta";
    POOL_POLICY: PoolPolicy Fail "fail" Wait "wait";
    CONTEXTS: Contexts None "none" All "all" Even "even" Gpcs "gpcs";
    RANKS: Ranks None "none" Rising "rising" Falling "falling";
    VF_LEVEL: VfLevel Low "low" Normal "normal" High "high";
}

const fn int(low: u64, high: u64) -> Allowed {
    Allowed::Int(low, high)
}

const fn pow2(low: u64, high: u64) -> Allowed {
    Allowed::PowerOfTwo(low, high)
}

impl Param {
    /// Whether it is part of what things cost, which is not known of every machine.
    pub(super) fn is_price(&self) -> bool {
        self.key.starts_with("energy.") && self.key != "energy.known"
    }
}

macro_rules! sections {
    ($($(#[doc = $sdoc:literal])+ $Section:ident $section:ident {
        $($(#[doc = $doc:literal])+ $field:ident: $ty:ty, $unit:literal, $allowed:expr;)+
    })+) => {
        $(
            $(#[doc = $sdoc])+
            #[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
            pub struct $Section {
                $($(#[doc = $doc])+ pub $field: $ty,)+
            }
        )+

        /// Every parameter of the machine itself, in the order of sheet `refgpu`.
        pub static PARAMS: &[Param] = &[$($(Param {
            key: concat!(stringify!($section), ".", stringify!($field)),
            unit: $unit,
            doc: concat!($($doc),+),
            allowed: $allowed,
            get: |c| Raw::raw(c.$section.$field),
            set: |c, v| c.$section.$field = Raw::from_raw(v),
        },)+)+];
    };
}

sections! {
    /// Streaming multiprocessors: resources, schedulers and functional units.
    Sm sm {
        /// SMs of the GPU; the front end has a port beside theirs.
        count: u32, "SMs", int(1, 256);
        /// Core clock: SMs, network and L2.
        clock_mhz: u32, "MHz", int(50, 5000);
        /// Threads of an SM.
        threads: u32, "threads", int(32, 2048);
        /// TB slots of an SM.
        tb_slots: u32, "TBs", int(1, 64);
        /// Warp slots of an SM.
        warps: u32, "warps", int(1, 64);
        /// Registers of an SM.
        registers: u32, "registers", int(0, 0x7fff_ffff);
        /// Shared memory of an SM.
        shared_bytes: u32, "bytes", int(0, 0x7fff_ffff);
        /// Warp schedulers of an SM; each issues one instruction per cycle (refgpu-W1).
        schedulers: u32, "schedulers", pow2(1, 8);
        /// Order in which a scheduler looks at its warps (refgpu-W3).
        policy: WarpPolicy, "", WARP_POLICY;
        /// SP units of 32 lanes: integer, branch and single precision.
        sp_units: u32, "units", int(1, 8);
        /// Cycles between two instructions of one SP unit.
        sp_interval: u32, "cycles", int(1, 64);
        /// From issue to result, integer and branch.
        sp_latency: u32, "cycles", int(1, 63);
        /// From issue to result, single precision.
        fp_latency: u32, "cycles", int(1, 63);
        /// SFU units.
        sfu_units: u32, "units", int(1, 8);
        /// Cycles between two instructions of one SFU.
        sfu_interval: u32, "cycles", int(1, 64);
        /// From issue to result, SFU.
        sfu_latency: u32, "cycles", int(1, 63);
        /// Double-precision units; 0 = the SFUs do it.
        dp_units: u32, "units", int(0, 8);
        /// Cycles between two double-precision instructions of one unit.
        dp_interval: u32, "cycles", int(1, 64);
        /// From issue to result, double precision.
        dp_latency: u32, "cycles", int(1, 63);
        /// Cycles between two instructions of the LSU, or of the texture unit.
        lsu_interval: u32, "cycles", int(1, 64);
        /// From issue to result of a conflict-free shared-memory load (refgpu-M2).
        shared_latency: u32, "cycles", int(2, 63);
        /// TBs that an SM may hold, whatever fits; 0 = no such limit (refgpu-P8).
        block_cap: u32, "TBs", int(0, 64);
        /// From the dispatch of a TB to its first issue (refgpu-W1).
        tb_start: u32, "cycles", int(1, 1_000_000);
        /// Added to `tb_start` if the SM's last TB was of another kernel (refgpu-W1).
        tb_switch: u32, "cycles", int(0, 1_000_000);
    }
    /// L1 data cache of an SM.
    L1 l1 {
        /// Whether loads are kept in it; if not, all pass it by, as those of refgpu-M9.
        enabled: bool, "", BOOL;
        /// L1 and shared memory are one store: L1 has of these ways what the TBs of a kernel leave (refgpu-M15).
        unified: bool, "", BOOL;
        /// Sets.
        sets: u32, "sets", pow2(1, 4096);
        /// Ways of a set.
        ways: u32, "ways", int(1, 64);
        /// Bytes of a line; also the unit of coalescing (refgpu-M3).
        line: u32, "bytes", pow2(32, 128);
        /// Set of a line (refgpu-M4).
        index: SetIndex, "", SET_INDEX;
        /// From issue to result of a single-line hit (refgpu-M4).
        hit_latency: u32, "cycles", int(2, 1000);
        /// Miss status holding registers: lines in flight.
        mshrs: u32, "lines", int(1, 1024);
        /// Stores and atomics on their way to memory; 0 = any number (refgpu-M7).
        write_mshrs: u32, "requests", int(0, 1024);
        /// Requests that one MSHR answers.
        merges: u32, "requests", int(1, 64);
        /// Places for requests on their way to the network.
        miss_queue: u32, "requests", int(1, 1024);
        /// A request that merges with a line in flight counts as a hit (refgpu-S5).
        pending_as_hit: bool, "", BOOL;
    }
    /// The two crossbars between SMs and L2 banks.
    Noc noc {
        /// Packets waiting at one input port (refgpu-N1).
        input_queue: u32, "packets", int(1, 256);
        /// Bytes that a port moves per cycle.
        flit_bytes: u32, "bytes", pow2(8, 128);
        /// Cycles of flight after the last flit left.
        flight: u32, "cycles", int(0, 1000);
    }
    /// L2 cache, by banks.
    L2 l2 {
        /// Banks in all; a multiple of the DRAM channels.
        banks: u32, "banks", int(1, 128);
        /// Sets of a bank.
        sets: u32, "sets", pow2(1, 65536);
        /// Ways of a set.
        ways: u32, "ways", int(1, 64);
        /// Requests waiting at a bank behind the ROP delay (refgpu-N3).
        queue: u32, "requests", int(1, 1024);
        /// Fixed delay before a bank sees a request (refgpu-N3).
        rop_latency: u32, "cycles", int(0, 10_000);
        /// From the access, or the fill, to the reply (refgpu-N3).
        hit_latency: u32, "cycles", int(1, 10_000);
        /// MSHRs of a bank.
        mshrs: u32, "lines", int(1, 1024);
        /// Requests that one MSHR answers.
        merges: u32, "requests", int(1, 64);
        /// Places for requests of a bank on their way to DRAM.
        miss_queue: u32, "requests", int(2, 1024);
    }
    /// DRAM: channels, their queue, and bank timing in command cycles (refgpu-P2).
    Dram dram {
        /// Channels.
        channels: u32, "channels", int(1, 64);
        /// Bytes of the address space that go to one channel before the next (refgpu-N2).
        interleave: u32, "bytes", pow2(128, 65536);
        /// Command clock.
        clock_mhz: u32, "MHz", int(50, 10_000);
        /// Line requests waiting at a channel.
        queue: u32, "requests", int(1, 64);
        /// Banks of a channel.
        banks: u32, "banks", pow2(2, 32);
        /// Bank groups of a channel.
        groups: u32, "groups", pow2(1, 32);
        /// Bytes of a row.
        row: u32, "bytes", pow2(1024, 65536);
        /// Bytes of a burst.
        burst: u32, "bytes", pow2(32, 128);
        /// Data-bus occupation of a burst.
        burst_cycles: u32, "command cycles", int(1, 64);
        /// Column command to column command.
        ccd: u32, "command cycles", int(1, 255);
        /// Column command to column command of one bank group.
        ccdl: u32, "command cycles", int(1, 255);
        /// Activation to activation.
        rrd: u32, "command cycles", int(1, 255);
        /// Activation to column command.
        rcd: u32, "command cycles", int(1, 255);
        /// Activation to precharge.
        ras: u32, "command cycles", int(1, 255);
        /// Precharge to activation.
        rp: u32, "command cycles", int(1, 255);
        /// Activation to activation of one bank.
        rc: u32, "command cycles", int(1, 255);
        /// Read command to data.
        cl: u32, "command cycles", int(1, 255);
        /// Write command to data.
        wl: u32, "command cycles", int(1, 255);
        /// End of write data to read command.
        cdlr: u32, "command cycles", int(1, 255);
        /// End of write data to precharge.
        wr: u32, "command cycles", int(1, 255);
        /// Read command to precharge.
        rtpl: u32, "command cycles", int(1, 255);
        /// Fixed part of the way back (refgpu-N4).
        latency: u32, "cycles", int(0, 10_000);
        /// Further fixed part, which makes the unloaded total the preset's (refgpu-N4).
        extra: u32, "cycles", int(0, 10_000);
    }
    /// Clusters of TBs, which read each other's shared memory (refgpu-M16). How they are placed are further parameters: section `cluster`.
    Dsm dsm {
        /// Whether the machine has them.
        enabled: bool, "", BOOL;
        /// From the cycle in which an SM's port takes an access to its answer.
        latency: u32, "cycles", int(1, 100_000);
        /// Bytes that an SM's port moves per cycle for others.
        bytes_per_cycle: u32, "bytes", int(1, 4096);
    }
    /// Memory of fixed latency and bandwidth in the place of L2 and DRAM (refgpu-N5).
    Flat flat {
        /// Whether it is there; then sections `noc`, `l2` and `dram` are not in use.
        enabled: bool, "", BOOL;
        /// From issue to result of a load that misses L1.
        latency: u32, "cycles", int(4, 100_000);
        /// Bytes moved per cycle, reads and writes together.
        bytes_per_cycle: u32, "bytes", int(1, 4096);
    }
    /// Prefetching into L1 (refgpu-M12). What the prefetch table holds are further parameters of this section.
    Prefetch apogee {
        /// Whether there is a prefetcher.
        enabled: bool, "", BOOL;
        /// What it is: APOGEE, or a scheme to compare it with.
        scheme: PrefetchScheme, "", PREFETCH_SCHEME;
    }
    /// Levels of voltage and frequency that hold for a whole run (refgpu-V2).
    Vf vf {
        /// Level of the SMs.
        sm: VfLevel, "", VF_LEVEL;
        /// Level of network, L2 and DRAM.
        mem: VfLevel, "", VF_LEVEL;
        /// Change of the DRAM's standby current with a step of the memory's level (refgpu-E16).
        standby_permille: u32, "thousandths", int(0, 999);
    }
    /// Energy per event, and power (refgpu-E1), at the high P-state.
    Energy energy {
        /// Whether prices are known: all of them, each with a source. If not, no energy is told, and levels of voltage and frequency, which
        /// would be the other half of it, are refused (refgpu-P10).
        known: bool, "", BOOL;
        /// Fetch, decode and schedule a warp instruction.
        instruction_pj: u32, "pJ", int(0, 1_000_000);
        /// Read a register operand, per active lane.
        register_read_fj: u32, "fJ", int(0, 1_000_000_000);
        /// Write a register operand, per active lane.
        register_write_fj: u32, "fJ", int(0, 1_000_000_000);
        /// SP unit, per active lane.
        sp_lane_pj: u32, "pJ", int(0, 1_000_000);
        /// SFU or double precision, per active lane.
        sfu_lane_pj: u32, "pJ", int(0, 1_000_000);
        /// Shared memory, per access cycle.
        shared_pj: u32, "pJ", int(0, 1_000_000);
        /// L1 load transaction that hits.
        l1_hit_pj: u32, "pJ", int(0, 1_000_000);
        /// L1 load transaction that misses or merges.
        l1_miss_pj: u32, "pJ", int(0, 1_000_000);
        /// L1 store or atomic transaction.
        l1_store_pj: u32, "pJ", int(0, 1_000_000);
        /// Re-execution queue of Mascar, per access (refgpu-E7).
        rexq_pj: u32, "pJ", int(0, 1_000_000);
        /// Pipeline, per SM cycle with an issue.
        pipeline_pj: u32, "pJ", int(0, 1_000_000);
        /// Network, per 32-byte flit.
        flit_pj: u32, "pJ", int(0, 1_000_000);
        /// L2 access that reads.
        l2_read_pj: u32, "pJ", int(0, 1_000_000);
        /// L2 access that writes.
        l2_write_pj: u32, "pJ", int(0, 1_000_000);
        /// DRAM read, per 64 bytes.
        dram_read_pj: u32, "pJ", int(0, 1_000_000);
        /// DRAM write, per 64 bytes.
        dram_write_pj: u32, "pJ", int(0, 1_000_000);
        /// DRAM activation with its precharge.
        dram_activate_pj: u32, "pJ", int(0, 1_000_000);
        /// DRAM at rest, all channels.
        dram_standby_mw: u32, "mW", int(0, 1_000_000);
        /// Every SM, idle or not, beside leakage.
        base_mw: u32, "mW", int(0, 1_000_000);
        /// Leakage of the chip, which its SMs share equally.
        leakage_mw: u32, "mW", int(0, 1_000_000);
        /// Part of the leakage, at 32 warps per SM, that grows with the number of warp slots.
        warp_leakage_permille: u32, "thousandths", int(0, 1000);
        /// Leakage follows this power of an SM's voltage.
        leakage_exponent: u32, "exponent", int(0, 3);
    }
    /// Kernels of several host streams, as GPUs of today let them share the machine (refgpu-G6).
    Streams streams {
        /// From one stream's first launch to the next one's.
        stagger: u32, "cycles", int(0, 100_000_000);
        /// Contexts of the streams: one for all, or one each with all SMs, with an even part of them, or with whole GPCs (modern-P1).
        contexts: Contexts, "", CONTEXTS;
        /// The share of its SMs' threads that a context may have; 0 = all of them (modern-P4).
        quota: u32, "percent", int(0, 100);
        /// Priorities of the streams, each another one (modern-R2).
        ranks: Ranks, "", RANKS;
        /// While a stream has TBs to send, so many SMs are drained of kernels of lower streams that were there before (modern-D1).
        drain: u32, "SMs", int(0, 256);
    }
    /// The run.
    Run run {
        /// From the host's launch call to the kernel's place in its queue (refgpu-V1).
        host_launch_cycles: u32, "cycles", int(0, 100_000_000);
        /// What becomes of a launch call that finds too few free launch records (`dtbl.pend_limit`): the run fails, or the call
        /// waits (refgpu-V4).
        full_pool: PoolPolicy, "", POOL_POLICY;
        /// A run without progress for so long is stopped (refgpu-F4).
        hang_cycles: u64, "cycles", int(1000, 1_000_000_000_000);
        /// Count cycles in which a warp cannot reach its line in L1 for a stalled LSU (refgpu-S9); takes time, and a kernel that can tell
        /// where it will read.
        blocked_hits: bool, "", BOOL;
        /// Length of a timeline sample.
        sample_cycles: u32, "cycles", int(1, 1_000_000);
    }
}
