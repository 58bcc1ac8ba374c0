//! Queries: what the runs came to. None changes anything, and several threads may ask at once as long as none changes the object.

use gpusched::models::monte::{Extreme, SiteTally, Tally};

use super::config::gpusched_monte_config;
use super::{Object, gpusched_monte};
use crate::config::write;
use crate::object::{inspect, put, put_list};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// The configuration.
///
/// @param size  sizeof(gpusched_monte_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_monte_get_config(
    monte: *const gpusched_monte,
    config: *mut gpusched_monte_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(monte).and_then(|m| write(config, size, &gpusched_monte_config::of(m.config())))
    })
}

/// What the runs have in common.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_monte_summary {
    /// Their seed.
    pub seed: u64,
    /// Stores of all runs.
    pub stores: u64,
    /// Their number.
    pub runs: u32,
    /// 0.
    pub reserved: u32,
}

/// What the runs have in common.
///
/// @return Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_monte_get_summary(
    monte: *const gpusched_monte,
    summary: *mut gpusched_monte_summary,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(monte).and_then(|m| {
            put(summary, gpusched_monte_summary { seed: m.seed(), stores: m.stores(), runs: m.runs(), reserved: 0 })
        })
    })
}

/// One level of the hierarchy over all runs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_monte_tally {
    /// Loads.
    pub loads: u64,
    /// Loads that hit.
    pub hits: u64,
    /// Hits of the first run of the least ratio; 0 if all runs are empty.
    pub min_hits: u64,
    /// Loads of that run; 0 if all runs are empty.
    pub min_loads: u64,
    /// Hits of the first run of the greatest ratio; 0 if all runs are empty.
    pub max_hits: u64,
    /// Loads of that run; 0 if all runs are empty.
    pub max_loads: u64,
    /// Runs without loads.
    pub empty: u32,
    /// The fullest bin of the histogram, the lowest of several; 0 if all are empty.
    pub mode: u32,
    /// 1 if some run had loads, and ratios are no further apart than tol_permille; else 0.
    pub reliable: u32,
    /// 0.
    pub reserved: u32,
}

impl gpusched_monte_tally {
    /// What a level came to, as C has it.
    #[must_use]
    pub fn of(tally: &Tally, tol_permille: u32) -> Self {
        let none = Extreme { hits: 0, loads: 0 };
        let (min, max) = (tally.min.unwrap_or(none), tally.max.unwrap_or(none));
        Self {
            loads: tally.loads,
            hits: tally.hits,
            min_hits: min.hits,
            min_loads: min.loads,
            max_hits: max.hits,
            max_loads: max.loads,
            empty: tally.empty,
            mode: tally.mode(),
            reliable: tally.reliable(tol_permille).into(),
            reserved: 0,
        }
    }
}

/// A level by its number.
fn level(machine: &Object, level: u32) -> Result<&Tally, Status> {
    match level {
        1 => Ok(machine.l1()),
        2 => Ok(machine.l2()),
        _ => Err(Status::BadIndex),
    }
}

/// What the runs came to in a level.
///
/// @param monte  The object.
/// @param level  1: the L1s together; 2: the L2.
/// @param tally  Written.
/// @return BadIndex: no such level; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_monte_level(
    monte: *const gpusched_monte,
    level: u32,
    tally: *mut gpusched_monte_tally,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(monte).and_then(|m| {
            let of = self::level(m, level)?;
            put(tally, gpusched_monte_tally::of(of, m.config().tol_permille))
        })
    })
}

/// Runs by their ratio of hits: bin i of b holds ratios from i/b to below (i+1)/b, the last one also a ratio of 1.
///
/// @param monte     The object.
/// @param level     1: the L1s together; 2: the L2.
/// @param bins      Written as far as it reaches.
/// @param capacity  Elements of that array; if it is 0, bins may be null.
/// @param count     Receives the number of bins, also if it is more than that.
/// @return BadIndex: no such level; Capacity; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_monte_histogram(
    monte: *const gpusched_monte,
    level: u32,
    bins: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(monte).and_then(|m| {
            let of = self::level(m, level)?;
            put_list(bins, capacity, count, of.histogram().iter().copied())
        })
    })
}

/// One site over all runs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_monte_site {
    /// Loads.
    pub l1_loads: u64,
    /// Loads that hit an L1.
    pub l1_hits: u64,
    /// Loads that came to the L2.
    pub l2_loads: u64,
    /// Loads that hit the L2.
    pub l2_hits: u64,
}

impl From<&SiteTally> for gpusched_monte_site {
    fn from(&SiteTally { l1_loads, l1_hits, l2_loads, l2_hits }: &SiteTally) -> Self {
        Self { l1_loads, l1_hits, l2_loads, l2_hits }
    }
}

/// Loads and hits of a site over all runs.
///
/// @return BadSite; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_monte_get_site(
    monte: *const gpusched_monte,
    site: u32,
    tally: *mut gpusched_monte_site,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>(monte).and_then(|m| {
            let (_, of) = m.sites().nth(site as usize).ok_or(Status::BadSite)?;
            put(tally, of.into())
        })
    })
}
