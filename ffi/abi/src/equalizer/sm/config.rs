//! Configurations: the preset and checks.

use core::mem::size_of;

use gpusched::equalizer::{Average, HystMode, Pick, SmConfig, Step, XmemRule};

use crate::config::{self, Choice, Parameters, Wrong, c_name, choices, chosen, fields, gpusched_parameter, write};
use crate::object::put;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// How means meet thresholds.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_equalizer_average {
    /// Sums are compared with multiples of the thresholds.
    Exact = 0,
    /// Sums are divided by the number of samples first, and truncated.
    Floor = 1,
}

/// Which decisions add up to a change of the block count.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_equalizer_hyst_mode {
    /// Those in one direction.
    Same = 0,
    /// Any that are for a change; the last one's direction is taken.
    Any = 1,
}

/// Which block of several.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_equalizer_pick {
    /// The one that arrived last.
    Youngest = 0,
    /// The one that arrived first.
    Oldest = 1,
}

/// Which ready memory warps count as X_mem.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_equalizer_xmem_rule {
    /// Those that the LD/ST pipe does not accept in this cycle.
    Accept = 0,
    /// All that did not issue.
    Any = 1,
}

/// A step of a clock, as configurations have it.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_equalizer_step {
    /// None.
    Hold = 0,
    /// One up.
    Up = 1,
    /// One down.
    Down = 2,
}

/// Parameters of Equalizer on one SM. Fill it with gpusched_equalizer_sm_config_init, then change what you like: a newer library adds
/// fields at the end, and programs that were built before keep working.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_equalizer_sm_config {
    /// sizeof this struct in the caller's header.
    pub struct_size: u32,
    /// Warps of the SM; warps, 1 to 128.
    pub max_warps: u32,
    /// Block slots of the SM; TBs, 1 to 32.
    pub max_blocks: u32,
    /// From one sample to the next; cycles, 1 to 2^16.
    pub sample_interval: u32,
    /// An epoch, a multiple of sample_interval; cycles, 1 to 2^24.
    pub epoch_cycles: u32,
    /// Width of the counters, which hold max_warps * epoch_cycles / sample_interval; bits, 1 to 32.
    pub counter_bits: u32,
    /// More warps than this wait for memory: it is saturated; warps, 0 to 128.
    pub bw_threshold: u32,
    /// Decisions for a change in a row that it takes; epochs, 1 to 255.
    pub hysteresis: u32,
    /// The least block count; TBs, 1 to max_blocks.
    pub min_blocks: u32,
    /// Epochs with a paused block and no end of a block before one is woken, or 0 for never; epochs, 0 to 65535.
    pub watchdog: u32,
    /// gpusched_equalizer_average.
    pub average: u32,
    /// gpusched_equalizer_hyst_mode.
    pub hyst_mode: u32,
    /// gpusched_equalizer_objective, until gpusched_equalizer_sm_set_objective.
    pub objective: u32,
    /// Which running block is paused: gpusched_equalizer_pick.
    pub pause_pick: u32,
    /// Which paused block is woken: gpusched_equalizer_pick.
    pub unpause_pick: u32,
    /// gpusched_equalizer_xmem_rule.
    pub xmem_rule: u32,
    /// Whether as many warps as a block has are enough for line 10 of Algorithm 1; 0 or 1.
    pub alu_inclusive: u32,
    /// Whether warps at a barrier or fence are active; 0 or 1.
    pub sync_active: u32,
    /// Energy, bound by computing: what is voted for the SMs; gpusched_equalizer_step.
    pub energy_comp_sm: u32,
    /// Energy, bound by computing: what is voted for the memory; gpusched_equalizer_step.
    pub energy_comp_mem: u32,
    /// Energy, bound by memory: what is voted for the SMs; gpusched_equalizer_step.
    pub energy_mem_sm: u32,
    /// Energy, bound by memory: what is voted for the memory; gpusched_equalizer_step.
    pub energy_mem_mem: u32,
    /// Performance, bound by computing: what is voted for the SMs; gpusched_equalizer_step.
    pub performance_comp_sm: u32,
    /// Performance, bound by computing: what is voted for the memory; gpusched_equalizer_step.
    pub performance_comp_mem: u32,
    /// Performance, bound by memory: what is voted for the SMs; gpusched_equalizer_step.
    pub performance_mem_sm: u32,
    /// Performance, bound by memory: what is voted for the memory; gpusched_equalizer_step.
    pub performance_mem_mem: u32,
}

choices! {
    gpusched_equalizer_average = Average { Exact Floor };
    gpusched_equalizer_hyst_mode = HystMode { Same Any };
    gpusched_equalizer_pick = Pick { Youngest Oldest };
    gpusched_equalizer_xmem_rule = XmemRule { Accept Any };
    gpusched_equalizer_step = Step { Hold Up Down };
}

fields! {
    gpusched_equalizer_sm_config: put, get = SmConfig;
    numbers {
        max_warps max_blocks sample_interval epoch_cycles counter_bits bw_threshold hysteresis min_blocks watchdog
    }
    choices { average hyst_mode objective pause_pick unpause_pick xmem_rule alu_inclusive sync_active }
}

/// Ties fields to the steps of the core's map.
macro_rules! vf_map {
    ($($field:ident = $objective:ident . $action:ident . $domain:ident;)*) => {
        impl gpusched_equalizer_sm_config {
            /// Takes over the core's steps.
            fn put_vf_map(&mut self, core: &SmConfig) {
                $(self.$field = core.vf_map.$objective.$action.$domain.code();)*
            }

            /// The core's steps.
            fn get_vf_map(&self, core: &mut SmConfig) -> Result<(), Wrong> {
                $(core.vf_map.$objective.$action.$domain = chosen(c_name!($field), self.$field)?;)*
                Ok(())
            }
        }
    };
}

vf_map! {
    energy_comp_sm = energy.comp.sm;
    energy_comp_mem = energy.comp.mem;
    energy_mem_sm = energy.mem.sm;
    energy_mem_mem = energy.mem.mem;
    performance_comp_sm = performance.comp.sm;
    performance_comp_mem = performance.comp.mem;
    performance_mem_sm = performance.mem.sm;
    performance_mem_mem = performance.mem.mem;
}

impl gpusched_equalizer_sm_config {
    /// The core's configuration as C has it.
    pub(crate) fn of(config: &SmConfig) -> Self {
        let mut of = Self { struct_size: size_of::<Self>() as u32, ..Self::default() };
        of.put(config);
        of.put_vf_map(config);
        of
    }
}

// SAFETY: it is such a struct.
unsafe impl Parameters for gpusched_equalizer_sm_config {
    type Checked = SmConfig;
    const FIRST_SIZE: usize = 104;

    fn preset() -> Self {
        Self::of(&SmConfig::GTX480)
    }

    fn checked(&self) -> Result<SmConfig, Wrong> {
        let mut config = self.get()?;
        self.get_vf_map(&mut config)?;
        config.check()?;
        Ok(config)
    }
}

/// Fills a configuration with the values of the source, those of a GTX 480.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_equalizer_sm_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_config_init(
    config: *mut gpusched_equalizer_sm_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_equalizer_sm_config::preset()) })
}

/// Says whether every value is in its range, and right beside the others.
///
/// @param config  An initialised configuration.
/// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
/// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_equalizer_sm_config_check(
    config: *const gpusched_equalizer_sm_config,
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
pub unsafe extern "C" fn gpusched_equalizer_sm_parameter(
    index: u32,
    parameter: *mut gpusched_parameter,
) -> gpusched_status {
    let Some((about, value)) = SmConfig::GTX480.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}
