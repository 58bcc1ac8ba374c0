//! Configurations: the preset, checks, and what the hardware would cost.

use core::mem::size_of;

use gpusched::tlp::{
    HistoryRule, Order, PuhpTie, SoloTlp, StallNorm, TlpConfig, TlpSmStorageBits, TlpStorageBits, UpUp,
    tlp_storage_bits,
};

use crate::config::{self, Parameters, Wrong, choices, fields, gpusched_parameter, read_checked, write};
use crate::object::put;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// What becomes of the targets when both kernels lean on the critical pipeline alike.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_tlp_puhp_tie {
    /// They stay.
    Hold = 0,
    /// Kernel 0 grows.
    Grow0 = 1,
}

/// How utilisations enter the history.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_tlp_history_rule {
    /// The new one weighs 2^-his_shift.
    Ewma = 0,
    /// The mean of all periods.
    Mean = 1,
}

/// Whether targets move while bypassing is learnt.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_tlp_order {
    /// They do.
    Concurrent = 0,
    /// Not before learning has ended.
    BypassFirst = 1,
}

/// What of the stalls of two periods is compared.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_tlp_stall_norm {
    /// Their counts.
    Raw = 0,
    /// Their counts per cycle of the period.
    PerCycle = 1,
}

/// The target of a kernel without a partner.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_tlp_solo {
    /// All that fit.
    Max = 0,
    /// As many as it runs best with.
    Opt = 1,
}

/// What two kernels of type up do.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_tlp_upup {
    /// The younger waits for the older to end.
    Leftover = 0,
    /// The older has half of what fits.
    Half = 1,
}

/// Parameters of all units of TLP modulation; each reads those that concern it. Fill it with gpusched_tlp_config_init, then change what
/// you like: a newer library adds fields at the end, and programs that were built before keep working.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_config {
    /// sizeof this struct in the caller's header.
    pub struct_size: u32,
    /// Threads of an SM; threads, 1 to 2^32 - 1.
    pub threads: u32,
    /// Registers of an SM; registers, 0 to 2^32 - 1.
    pub regs: u32,
    /// Shared memory of an SM; bytes, 0 to 2^32 - 1.
    pub smem: u32,
    /// TB slots of an SM; TBs, 1 to 32.
    pub slots: u32,
    /// SMs of the GPU; SMs, 1 to 256, for gpusched_tlp_smc from 2.
    pub sms: u32,
    /// The most TBs of a kernel on an SM; TBs, 1 to 32.
    pub tlp_cap: u32,
    /// How much worse than the best a profile's value may be to count as the best; thousandths, 0 to 1000.
    pub tol_permille: u32,
    /// TBs by which the kernel that is chosen grows; TBs, 1 to 32.
    pub grow_step: u32,
    /// TBs below which the other kernel does not shrink; TBs, 1 to 32.
    pub min_tlp: u32,
    /// A period weighs 2^-his_shift in the history; bits, 0 to 8.
    pub his_shift: u32,
    /// Pipelines of kind SP: busy cycles of a period may reach its length times this; 1 to 65535.
    pub sp_units: u32,
    /// Pipelines of kind LD/ST; 1 to 65535.
    pub ldst_units: u32,
    /// Time of a comparison or addition; cycles, 0 to 65535.
    pub op_cycles: u32,
    /// Kernels that the pool holds; kernels, 1 to 64.
    pub pool_cap: u32,
    /// Kernels that LeftOver holds; kernels, 1 to 32.
    pub qcap: u32,
    /// Whether a utilisation that stays equal counts as one that does not fall; 0 or 1.
    pub hold_on_equal: u32,
    /// gpusched_tlp_puhp_tie.
    pub puhp_tie: u32,
    /// gpusched_tlp_history_rule.
    pub his_rule: u32,
    /// Whether targets are modulated at run time; 0 or 1.
    pub dynamic: u32,
    /// Whether bypassing is learnt; 0 or 1.
    pub bypass: u32,
    /// Whether a period waits for as many tagged TBs as are wanted; 0 or 1.
    pub wait_by: u32,
    /// gpusched_tlp_order.
    pub order: u32,
    /// gpusched_tlp_stall_norm.
    pub stall_norm: u32,
    /// gpusched_tlp_solo.
    pub solo_tlp: u32,
    /// gpusched_tlp_upup.
    pub upup: u32,
    /// Whether the pool puts off a kernel of type up beside one of type up; 0 or 1.
    pub avoid_upup: u32,
    /// Whether LeftOver waits for an SM without TBs of other kernels; 0 or 1.
    pub idle_only: u32,
    /// Whether Smart-Even gives no kernel more SMs than it can fill; 0 or 1.
    pub smart: u32,
}

choices! {
    gpusched_tlp_puhp_tie = PuhpTie { Hold Grow0 };
    gpusched_tlp_history_rule = HistoryRule { Ewma Mean };
    gpusched_tlp_order = Order { Concurrent BypassFirst };
    gpusched_tlp_stall_norm = StallNorm { Raw PerCycle };
    gpusched_tlp_solo = SoloTlp { Max Opt };
    gpusched_tlp_upup = UpUp { Leftover Half };
}

fields! {
    gpusched_tlp_config: put, get = TlpConfig;
    numbers {
        threads regs smem slots sms tlp_cap tol_permille grow_step min_tlp his_shift sp_units ldst_units op_cycles pool_cap qcap
    }
    choices {
        hold_on_equal puhp_tie his_rule dynamic bypass wait_by order stall_norm solo_tlp upup avoid_upup idle_only smart
    }
}

impl gpusched_tlp_config {
    /// The core's configuration as C has it.
    pub(crate) fn of(config: &TlpConfig) -> Self {
        let mut of = Self { struct_size: size_of::<Self>() as u32, ..Self::default() };
        of.put(config);
        of
    }
}

// SAFETY: it is such a struct.
unsafe impl Parameters for gpusched_tlp_config {
    type Checked = TlpConfig;
    const FIRST_SIZE: usize = 116;

    fn preset() -> Self {
        Self::of(&TlpConfig::GTX480)
    }

    fn checked(&self) -> Result<TlpConfig, Wrong> {
        let config = self.get()?;
        config.check()?;
        Ok(config)
    }
}

/// Fills a configuration with the values of the source, those of a GTX 480.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_tlp_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_config_init(config: *mut gpusched_tlp_config, size: usize) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_tlp_config::preset()) })
}

/// Says whether every value is in its range.
///
/// @param config  An initialised configuration.
/// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
/// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_config_check(
    config: *const gpusched_tlp_config,
    wrong: *mut gpusched_parameter,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { config::check(config, wrong) })
}

/// Tells a numeric parameter: name, default and range.
///
/// @param index      From 0.
/// @param parameter  Written.
/// @return Null, Misaligned; BadIndex: there are not so many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_parameter(index: u32, parameter: *mut gpusched_parameter) -> gpusched_status {
    let Some((about, value)) = TlpConfig::GTX480.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}

/// What the units would cost in hardware, in bits.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_storage {
    /// One SM: descriptors of both kernels, which came first, and the mode.
    pub kernels: u64,
    /// One SM: targets, bypass targets, bypassing and resident TBs of both kernels.
    pub targets: u64,
    /// One SM: the slot map with tags, and the cohort.
    pub slots: u64,
    /// One SM: phase, last event, start and end of the period.
    pub period: u64,
    /// One SM: the six utilisations, and the number of periods.
    pub history: u64,
    /// One SM: what is tried, and the stalls that it is compared with.
    pub learning: u64,
    /// One SM: everything.
    pub sm: u64,
    /// One SM: what the source counts, which does not hold the algorithm.
    pub of_source: u64,
    /// The pool.
    pub pool: u64,
    /// LeftOver.
    pub leftover: u64,
    /// Smart-Even.
    pub smart_even: u64,
    /// SMC.
    pub smc: u64,
}

impl From<TlpStorageBits> for gpusched_tlp_storage {
    fn from(bits: TlpStorageBits) -> Self {
        let TlpStorageBits { sm, pool, left_over, smart_even, smc } = bits;
        let TlpSmStorageBits { kernels, targets, slots, period, history, learning } = sm;
        let of_source = TlpSmStorageBits::OF_SOURCE;
        let (sm, leftover) = (sm.total(), left_over);
        Self { kernels, targets, slots, period, history, learning, sm, of_source, pool, leftover, smart_even, smc }
    }
}

/// Tells what the units would cost in hardware.
///
/// @param config   An initialised configuration.
/// @param storage  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_storage_bits(
    config: *const gpusched_tlp_config,
    storage: *mut gpusched_tlp_storage,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put(storage, tlp_storage_bits(&config).into())) })
}
