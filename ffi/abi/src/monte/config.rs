//! Configurations: the preset and checks.

use core::mem::size_of;

use gpusched::models::monte::{MonteConfig, Order};

use crate::config::{self, Parameters, Wrong, choices, fields, gpusched_parameter, write};
use crate::object::put;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Whose request is next.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_monte_order {
    /// Any stream that has requests left, with the same chance.
    UniformWarp = 0,
    /// Any request that is left, with the same chance: so every interleaving has the same.
    Weighted = 1,
}

/// Parameters of a stochastic memory hierarchy. Fill it with gpusched_monte_config_init, then change what you like: a newer library adds fields at the end, and programs that were built
/// before keep working.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_monte_config {
    /// sizeof this struct in the caller's header.
    pub struct_size: u32,
    /// SMs, each with an L1; SMs, 1 to 64.
    pub sms: u32,
    /// Sets of an L1; sets, 1 to 4096.
    pub l1_sets: u32,
    /// Ways of an L1; ways, 1 to 64.
    pub l1_ways: u32,
    /// Line of an L1; bytes, 1 to 4096, a power of two.
    pub l1_line: u32,
    /// Sets of the L2; sets, 1 to 4096.
    pub l2_sets: u32,
    /// Ways of the L2; ways, 1 to 64.
    pub l2_ways: u32,
    /// Line of the L2; bytes, 1 to 4096, a power of two.
    pub l2_line: u32,
    /// Bins of the histograms; bins, 1 to 128.
    pub bins: u32,
    /// How far ratios of reliable runs may be apart; thousandths, 0 to 1000.
    pub tol_permille: u32,
    /// Requests of all warps; requests.
    pub max_requests: u32,
    /// Sites that are told apart; sites, 1 to 256.
    pub sites: u32,
    /// gpusched_monte_order.
    pub pick: u32,
    /// A store brings its line into the L1; 0 or 1.
    pub l1_store_alloc: u32,
}

choices! {
    gpusched_monte_order = Order { UniformWarp Weighted };
}

fields! {
    gpusched_monte_config: put, get = MonteConfig;
    numbers { sms l1_sets l1_ways l1_line l2_sets l2_ways l2_line bins tol_permille max_requests sites }
    choices { pick l1_store_alloc }
}

impl gpusched_monte_config {
    /// The core's configuration as C has it.
    pub(crate) fn of(config: &MonteConfig) -> Self {
        let mut of = Self { struct_size: size_of::<Self>() as u32, ..Self::default() };
        of.put(config);
        of
    }
}

// SAFETY: it is such a struct.
unsafe impl Parameters for gpusched_monte_config {
    type Checked = MonteConfig;
    const FIRST_SIZE: usize = 56;

    fn preset() -> Self {
        Self::of(&MonteConfig::GTX480)
    }

    fn checked(&self) -> Result<MonteConfig, Wrong> {
        let config = self.get()?;
        config.check()?;
        Ok(config)
    }
}

/// Fills a configuration: one SM of a GTX 480 and its L2.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_monte_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_monte_config_init(
    config: *mut gpusched_monte_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_monte_config::preset()) })
}

/// Says whether every value is in its range.
///
/// @param config  An initialised configuration.
/// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
/// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_monte_config_check(
    config: *const gpusched_monte_config,
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
pub unsafe extern "C" fn gpusched_monte_parameter(index: u32, parameter: *mut gpusched_parameter) -> gpusched_status {
    let Some((about, value)) = MonteConfig::GTX480.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}
