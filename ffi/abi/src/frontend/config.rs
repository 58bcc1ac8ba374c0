//! Configurations: presets and checks.

use core::mem::size_of;

use gpusched::{
    AgtMiss, BubblePart, Config, DatsPart, Fallback, GpuSpec, HashScope, KmuArb, LaPermPart, LoadMode, Policy,
};

use super::Setup;
use crate::config::{self, Choice, Parameters, Wrong, choices, chosen, fields, gpusched_parameter, read, write};
use crate::object::put;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Presets of gpusched_frontend_config_init.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_gpu {
    /// GeForce GTX 480 (Fermi).
    Gtx480 = 0,
    /// GeForce GTX 680 (Kepler GK104).
    Gtx680 = 1,
    /// Tesla K20c (Kepler GK110).
    K20c = 2,
    /// GeForce GTX Titan (Kepler GK110).
    Titan = 3,
    /// Tesla K40 (Kepler GK110B).
    K40 = 4,
    /// GeForce GTX 980 (Maxwell).
    Gtx980 = 5,
    /// Tesla V100 (Volta).
    V100 = 6,
    /// A100 (Ampere).
    A100 = 7,
    /// H100 SXM (Hopper).
    H100 = 8,
}

/// How the KMU chooses between waiting kernels.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_kmu_arb {
    /// The oldest of all.
    Fcfs = 0,
    /// Turns: the queues, then the device list, then the suspended list.
    Rr = 1,
}

/// Which threads share an index of the aggregated group table.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_hash_scope {
    /// The thread's number within its SMX is hashed.
    Smx = 0,
    /// The thread's number within the GPU is hashed.
    Global = 1,
}

/// What becomes of a group that finds its entry of the aggregated group table taken.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_agt_miss {
    /// Its information stays in global memory and is loaded when its turn comes.
    Spill = 0,
    /// It becomes a device kernel.
    Device = 1,
}

/// What a group pays that becomes a device kernel.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_fallback {
    /// Only the KMU and the dispatch.
    Direct = 0,
    /// The launch call for all lanes that fell, too.
    Full = 1,
}

/// Who times the load of a spilled group.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_load_mode {
    /// It takes load_cycles.
    Fixed = 0,
    /// The host answers with gpusched_frontend_spill_loaded.
    External = 1,
}

/// Which scheduler sends TBs to SMXs.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_policy {
    /// First-come-first-served kernels, round-robin SMXs: the baseline.
    FcfsRr = 0,
    /// LaPerm's queues, by level and by SMX; `laperm_policy` says which of its policies.
    LaPerm = 1,
}

/// Parameters of a front end. Fill it with gpusched_frontend_config_init, then change what you like: a newer library adds fields
/// at the end, and programs that were built before keep working.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_frontend_config {
    /// sizeof this struct in the caller's header.
    pub struct_size: u32,
    /// SMXs; SMXs, 1 to 256.
    pub n_smx: u32,
    /// TB slots of an SMX; TBs, 1 to 64.
    pub tb_slots: u32,
    /// Threads of an SMX; threads, 1 to 65536.
    pub threads: u32,
    /// Registers of an SMX; registers, 0 to 2^31-1.
    pub regs: u32,
    /// Shared memory of an SMX; bytes, 0 to 2^31-1.
    pub smem: u32,
    /// Threads of a warp; also the most launches in one command; threads, 1 to 64.
    pub warp: u32,
    /// Hardware work queues; queues, 1 to 64.
    pub n_hwq: u32,
    /// Kernel distributor entries; entries, 1 to 64.
    pub n_kde: u32,
    /// Kernels that a hardware work queue holds; kernels, 1 to 65536.
    pub hwq_depth: u32,
    /// Launch records: the pending launch count limit; launches, 1 to 2^20.
    pub pend_limit: u32,
    /// Suspended kernels that the KMU holds; kernels, 0 to 64.
    pub susp_cap: u32,
    /// Nesting depth from which a kernel cannot synchronise; levels, 0 to 255.
    pub sync_depth: u32,
    /// Entries of the aggregated group table; AGEs, 1 to 65536, a power of two.
    pub agt_size: u32,
    /// CDP: stream creation, once per warp call; cycles, 0 to 2^32-1.
    pub lat_stream: u32,
    /// Parameter buffer: fixed part; cycles, 0 to 2^32-1.
    pub gpb_b: u32,
    /// Parameter buffer: per calling thread; cycles, 0 to 2^32-1.
    pub gpb_a: u32,
    /// Device launch call: fixed part; cycles, 0 to 2^32-1.
    pub ld_b: u32,
    /// Device launch call: per calling thread; cycles, 0 to 2^32-1.
    pub ld_a: u32,
    /// From the KMU to the kernel distributor; cycles, 0 to 2^32-1.
    pub lat_dispatch: u32,
    /// From one KMU dispatch to the next; 1 = pipelined; cycles, 1 to 2^32-1.
    pub kmu_interval: u32,
    /// Eligible-kernel search, per entry; cycles, 0 to 65536.
    pub kde_scan: u32,
    /// AGT probe, per group; cycles, 0 to 65536.
    pub agt_probe: u32,
    /// Load of a spilled group, with `load_mode` fixed; cycles, 0 to 2^32-1.
    pub load_cycles: u32,
    /// Groups after which a kernel lets the next one have a turn; 0 = never; groups, 0 to 2^32-1.
    pub turn_groups: u32,
    /// Classes of gate K; classes, 0 to 8.
    pub n_class: u32,
    /// gpusched_kmu_arb.
    pub kmu_arb: u32,
    /// gpusched_hash_scope.
    pub hash_scope: u32,
    /// gpusched_agt_miss.
    pub agt_miss: u32,
    /// gpusched_fallback.
    pub fallback: u32,
    /// gpusched_load_mode.
    pub load_mode: u32,
    /// gpusched_policy.
    pub policy: u32,
    /// Work behind a kernel may go ahead on SMXs of which its class has its share (class cap); 0 or 1.
    pub pass_capped: u32,
    /// An SMX holds TBs of one (pc, TB shape, registers, shared memory) at a time; 0 or 1.
    pub exclusive: u32,
    /// Decisions that can wait to be read, 0 to 2^20. 0 is enough if they are read once in each cycle; more lets many cycles pass
    /// between two reads; 1 takes the least memory, and is enough if they are read after each call.
    pub decisions: u32,
    /// LaPerm: SMXs that share an L1 cache, and so a queue: a unit; SMXs, 1 to n_smx.
    pub laperm_cluster: u32,
    /// LaPerm: The deepest nesting level that has a priority of its own; levels, 1 to 24.
    pub laperm_levels: u32,
    /// LaPerm: On-chip entries of a unit's queue; n_kde in CDP; entries, 1 to 4096.
    pub laperm_queue_cap: u32,
    /// LaPerm: Entries of queue 0, in DTBL at least n_kde; n_kde in CDP; entries, 1 to 256.
    pub laperm_q0_cap: u32,
    /// LaPerm: Entries in memory of all units together, in DTBL at least pend_limit + n_kde; entries, 0 to 1048640.
    pub laperm_pool_cap: u32,
    /// LaPerm: Stage-3 dispatches before a backup is given up and backups take turns; 0 = never; TBs, 0 to 65535.
    pub laperm_backup_limit: u32,
    /// LaPerm: From an overflow list to the chip, with laperm_refill_mode fixed; cycles, 0 to 65535.
    pub laperm_refill_cycles: u32,
    /// LaPerm: gpusched_laperm_policy.
    pub laperm_policy: u32,
    /// LaPerm: gpusched_laperm_model.
    pub laperm_model: u32,
    /// LaPerm: gpusched_laperm_visit.
    pub laperm_visit: u32,
    /// LaPerm: gpusched_laperm_no_fit.
    pub laperm_no_fit: u32,
    /// LaPerm: gpusched_laperm_spill.
    pub laperm_spill: u32,
    /// LaPerm: gpusched_laperm_backup_select.
    pub laperm_backup_select: u32,
    /// LaPerm: The search for an entry's place in its queue takes time that can be seen; 0 or 1.
    pub laperm_charge_insert: u32,
    /// There is an occupancy-bubble controller, which owns the set of eligible SMXs; 0 or 1.
    pub bubble: u32,
    /// Bubbles: Threshold T, numerator; of bubble_t_den, 0 to bubble_t_den.
    pub bubble_t_num: u32,
    /// Bubbles: Threshold T, denominator; parts, 1 to 65535.
    pub bubble_t_den: u32,
    /// Bubbles: Sampling period; cycles, 1 to 2^20.
    pub bubble_sample_cycles: u32,
    /// Bubbles: W: samples in which a draining SMX must become empty; samples, 1 to 65535.
    pub bubble_drain_samples: u32,
    /// Bubbles: P: samples that a transition of the P-state takes; samples, 1 to 65535.
    pub bubble_transition_samples: u32,
    /// Bubbles: Samples in a row with all SMXs idle before the GPU level; samples, 1 to 65535.
    pub bubble_gpu_idle_samples: u32,
    /// Bubbles: Voltage of the high P-state; mV, 1 to 5000.
    pub bubble_v_high_mv: u32,
    /// Bubbles: Voltage of the low P-state; mV, 1 to bubble_v_high_mv.
    pub bubble_v_low_mv: u32,
    /// Bubbles: Clock of the high P-state; MHz, 1 to 5000.
    pub bubble_f_high_mhz: u32,
    /// Bubbles: Clock of the low P-state; MHz, 1 to bubble_f_high_mhz.
    pub bubble_f_low_mhz: u32,
    /// Bubbles: Leakage follows this power of the voltage; exponent, 0 to 3.
    pub bubble_leak_exp: u32,
    /// Bubbles: Leakage of an SMX at the high P-state; mW, 0 to 10^6.
    pub bubble_p_leak_mw: u32,
    /// Bubbles: Other power of an idle SMX at the high P-state; mW, 0 to 10^6.
    pub bubble_p_idle_mw: u32,
    /// Bubbles: What full activity adds at the high P-state; mW, 0 to 10^6.
    pub bubble_p_dyn_mw: u32,
    /// Bubbles: Everything but the SMXs, at any P-state; mW, 0 to 10^6.
    pub bubble_p_uncore_mw: u32,
    /// Bubbles: gpusched_bubble_retrigger.
    pub bubble_retrigger: u32,
    /// Bubbles: Whether anything is decided; if not, bubbles and energy are counted for the base run; 0 or 1.
    pub bubble_enabled: u32,
    /// Bubbles: A bubble is an occupancy of at most T, rather than below T; 0 or 1.
    pub bubble_inclusive: u32,
    /// Bubbles: A diverted SMX runs empty before it goes down, rather than going down with its TBs; 0 or 1.
    pub bubble_draining: u32,
    /// Bubbles: The whole GPU goes down when all SMXs are idle; 0 or 1.
    pub bubble_gpu_level: u32,
    /// Bubbles: A draining SMX may be taken back; 0 or 1.
    pub bubble_resume_draining: u32,
    /// Bubbles: No SMX is resumed while another one is going up; 0 or 1.
    pub bubble_resume_hold: u32,
    /// Work behind a kernel whose dependency graph has no node to send may go ahead; 0 or 1.
    pub pass_graph: u32,
    /// There is a dependency-graph buffer; 0 or 1.
    pub dats: u32,
    /// Graphs: Entries of the local node array (LNA); nodes, 1 to 65535, and more than a chunk has unless `dats_prefetch` is eager.
    pub dats_lna: u32,
    /// Graphs: Entries of the local edge array (LEA); edges, 1 to 65535.
    pub dats_lea: u32,
    /// Graphs: Entries of the pending update buffer (PUB); updates, 0 to 65535.
    pub dats_pub_entries: u32,
    /// Graphs: Bytes of a memory request, and of the node insertion buffer (NIB); bytes, 8 to 1024, a multiple of 8.
    pub dats_chunk_bytes: u32,
    /// Graphs: gpusched_dgb_prefetch.
    pub dats_prefetch: u32,
    /// Graphs: gpusched_dgb_level_ref.
    pub dats_level_ref: u32,
    /// Graphs: A node is dispatched only when its edges are on chip; 0 or 1.
    pub dats_issue_needs_edges: u32,
    /// Graphs: Updates that fit nowhere go to the parent counts in memory, so that no graph can deadlock the buffer; 0 or 1.
    pub dats_spill: u32,
    /// Groups next in line that may be fetched from memory before they are sent; groups, 0 to 8.
    pub load_ahead: u32,
    /// LaPerm: gpusched_laperm_refill_mode; ignored in CDP.
    pub laperm_refill_mode: u32,
}

/// Most decisions that a queue can be asked to hold.
const MAX_DECISIONS: u32 = 1 << 20;

choices! {
    gpusched_kmu_arb = KmuArb { Fcfs Rr };
    gpusched_hash_scope = HashScope { Smx Global };
    gpusched_agt_miss = AgtMiss { Spill Device };
    gpusched_fallback = Fallback { Direct Full };
    gpusched_load_mode = LoadMode { Fixed External };
    gpusched_policy = PolicyName { FcfsRr LaPerm };
}

/// A policy, without its parameters.
#[derive(Clone, Copy)]
enum PolicyName {
    FcfsRr,
    LaPerm,
}

fields! {
    gpusched_frontend_config: put, get = Config;
    numbers {
        n_smx tb_slots threads regs smem warp n_hwq n_kde hwq_depth pend_limit susp_cap sync_depth agt_size
        lat_stream gpb_b gpb_a ld_b ld_a lat_dispatch kmu_interval kde_scan agt_probe load_cycles turn_groups
        n_class load_ahead
    }
    choices { kmu_arb hash_scope agt_miss fallback load_mode pass_capped exclusive pass_graph }
}

fields! {
    gpusched_frontend_config: put_laperm, get_laperm = LaPermPart;
    numbers {
        laperm_cluster = cluster
        laperm_levels = levels
        laperm_queue_cap = queue_cap
        laperm_q0_cap = q0_cap
        laperm_pool_cap = pool_cap
        laperm_backup_limit = backup_limit
        laperm_refill_cycles = refill_cycles
    }
    choices {
        laperm_policy = policy
        laperm_model = model
        laperm_visit = visit
        laperm_no_fit = no_fit
        laperm_spill = spill
        laperm_backup_select = backup_select
        laperm_charge_insert = charge_insert
        laperm_refill_mode = refill_mode
    }
}

fields! {
    gpusched_frontend_config: put_bubble, get_bubble = BubblePart;
    numbers {
        bubble_t_num = t_num
        bubble_t_den = t_den
        bubble_sample_cycles = sample_cycles
        bubble_drain_samples = drain_samples
        bubble_transition_samples = transition_samples
        bubble_gpu_idle_samples = gpu_idle_samples
        bubble_v_high_mv = v_high_mv
        bubble_v_low_mv = v_low_mv
        bubble_f_high_mhz = f_high_mhz
        bubble_f_low_mhz = f_low_mhz
        bubble_leak_exp = leak_exp
        bubble_p_leak_mw = p_leak_mw
        bubble_p_idle_mw = p_idle_mw
        bubble_p_dyn_mw = p_dyn_mw
        bubble_p_uncore_mw = p_uncore_mw
    }
    choices {
        bubble_retrigger = retrigger
        bubble_enabled = enabled
        bubble_inclusive = inclusive
        bubble_draining = draining
        bubble_gpu_level = gpu_level
        bubble_resume_draining = resume_draining
        bubble_resume_hold = resume_hold
    }
}

fields! {
    gpusched_frontend_config: put_dats, get_dats = DatsPart;
    numbers {
        dats_lna = lna
        dats_lea = lea
        dats_pub_entries = pub_entries
        dats_chunk_bytes = chunk_bytes
    }
    choices {
        dats_prefetch = prefetch
        dats_level_ref = level_ref
        dats_issue_needs_edges = issue_needs_edges
        dats_spill = spill
    }
}

impl gpusched_frontend_config {
    /// The core's configuration as C has it. What is off has its defaults, so that switching it on is enough.
    pub(crate) fn of(config: &Config) -> Self {
        let (bubble, dats) = (config.bubble.is_some().into(), config.dats.is_some().into());
        let mut of = Self { struct_size: size_of::<Self>() as u32, bubble, dats, ..Self::default() };
        of.put(config);
        of.policy = config.laperm().map_or(PolicyName::FcfsRr, |_| PolicyName::LaPerm).code();
        of.put_laperm(&config.laperm().copied().unwrap_or_default());
        of.put_bubble(&config.bubble.unwrap_or_default());
        of.put_dats(&config.dats.unwrap_or_default());
        of
    }

    /// The core's configuration, unchecked but for what it could not hold.
    fn to_core(self) -> Result<Config, Wrong> {
        let config = self.get()?;
        let policy = match chosen(c"policy", self.policy)? {
            PolicyName::FcfsRr => Policy::FcfsRr,
            PolicyName::LaPerm => Policy::LaPerm(self.get_laperm()?),
        };
        let bubble = if chosen(c"bubble", self.bubble)? { Some(self.get_bubble()?) } else { None };
        let dats = if chosen(c"dats", self.dats)? { Some(self.get_dats()?) } else { None };
        Ok(Config { policy, bubble, dats, ..config })
    }
}

// SAFETY: it is such a struct.
unsafe impl Parameters for gpusched_frontend_config {
    type Checked = Setup;
    const FIRST_SIZE: usize = 140;

    fn preset() -> Self {
        Self::of(&Config::K20C)
    }

    fn checked(&self) -> Result<Setup, Wrong> {
        let machine = self.to_core()?;
        machine.check()?;
        if self.decisions > MAX_DECISIONS {
            let (name, value) = (c"decisions".as_ptr(), self.decisions);
            let parameter = gpusched_parameter { name, value, min: 0, max: MAX_DECISIONS, power_of_two: 0 };
            return Err(Wrong { status: Status::BadConfig, parameter });
        }
        let decisions = match self.decisions {
            0 => machine.decisions_per_cycle(),
            n => machine.decisions_per_call().max(n as usize),
        };
        Ok(Setup { machine, decisions })
    }
}

/// Fills a configuration with a preset.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_frontend_config) in the caller's header.
/// @param gpu     A gpusched_gpu.
/// @return Null, Misaligned, BadStructSize; BadEnum: no such preset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_config_init(
    config: *mut gpusched_frontend_config,
    size: usize,
    gpu: u32,
) -> gpusched_status {
    let Some(spec) = GpuSpec::ALL.get(gpu as usize) else { return Status::BadEnum };
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_frontend_config::of(&spec.config)) })
}

/// Switches every launch latency off: the ideal modes CDPI and DTBLI of the source (4.6.2.2).
///
/// @param config  An initialised configuration; changed.
/// @return Null, Misaligned, BadStructSize, WrongVersion; BadConfig: a value is out of its range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_config_ideal(config: *mut gpusched_frontend_config) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        read(config).and_then(|old| {
            let machine = old.to_core().map_err(|wrong| wrong.status)?;
            let mut ideal = old;
            ideal.put(&machine.ideal());
            write(config, old.struct_size as usize, &ideal)
        })
    })
}

/// Says whether every value is in its range, and right beside the others.
///
/// @param config  An initialised configuration.
/// @param wrong   Receives the first parameter that is wrong, if the result is BadConfig or one of the six behind it; one of a part's
/// own under the name it has in the configuration of that machine alone. May be null.
/// @return BadConfig; TurnWithLaperm, LoadWithLaperm, AgtWithLaperm, AheadWithLaperm, Queue0TooSmall, PoolTooSmall; Null, Misaligned,
/// BadStructSize; WrongVersion: fields that this library does not know are not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_config_check(
    config: *const gpusched_frontend_config,
    wrong: *mut gpusched_parameter,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { config::check(config, wrong) })
}

/// Tells a numeric parameter: name, default (that of the K20c) and range.
///
/// @param index      From 0.
/// @param parameter  Written.
/// @return Null, Misaligned; BadIndex: there are not so many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_parameter(
    index: u32,
    parameter: *mut gpusched_parameter,
) -> gpusched_status {
    let Some((about, value)) = Config::K20C.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}
