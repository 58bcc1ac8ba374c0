//! The caches of a configuration, of which there may be several, and the state, which C has in one struct.

use gpusched::mascar::{CacheConfig, MAX_SCHEDULERS, MAX_SOURCES, MascarConfig, OFFSET_WORDS, Offsets, Sources};

use super::gpusched_mascar_config;
use crate::config::{Wrong, fields, gpusched_parameter};
use crate::convert::{FromC, ToC};
use crate::pointer::put;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Caches that a machine may watch.
pub const GPUSCHED_MASCAR_CACHES: usize = 3;
const _: () = assert!(GPUSCHED_MASCAR_CACHES == MAX_SOURCES);

/// Schedulers that a machine may have.
pub const GPUSCHED_MASCAR_SCHEDULERS: usize = 8;
const _: () = assert!(GPUSCHED_MASCAR_SCHEDULERS == MAX_SCHEDULERS);

/// Every scheduler may issue to a compute pipe: gpusched_mascar_pick.
pub const GPUSCHED_MASCAR_ALL: u32 = u32::MAX;
const _: () = assert!(GPUSCHED_MASCAR_ALL == crate::GPUSCHED_NONE);

/// Destination of a store: gpusched_mascar_lsu_begin.
pub const GPUSCHED_MASCAR_STORE: u32 = 127;

/// Issues that a cycle has at most.
pub const GPUSCHED_MASCAR_ISSUES: usize = 9;
const _: () = assert!(GPUSCHED_MASCAR_ISSUES == MAX_SCHEDULERS + 1);

/// Words of the offsets of a request: 64 times 7 bits.
pub const GPUSCHED_MASCAR_OFFSET_WORDS: usize = 7;
const _: () = assert!(GPUSCHED_MASCAR_OFFSET_WORDS == OFFSET_WORDS);

impl ToC for Offsets {
    type C = [u64; GPUSCHED_MASCAR_OFFSET_WORDS];

    #[inline]
    fn to_c(&self) -> Self::C {
        self.0
    }
}

impl FromC for Offsets {
    type C = [u64; GPUSCHED_MASCAR_OFFSET_WORDS];

    #[inline]
    fn from_c(c: Self::C) -> Self {
        Self(c)
    }
}

/// One cache whose back pressure sets the mode. 1 <= clear <= sat <= size, of both structures.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_mascar_cache {
    /// Miss status holding registers; MSHRs, 1 to 65535.
    pub mshr: u32,
    /// Places of the miss queue; places, 1 to 65535.
    pub missq: u32,
    /// Taken MSHRs that set the flag; MSHRs, 1 to mshr.
    pub mshr_sat: u32,
    /// Taken places that set the flag; places, 1 to missq.
    pub missq_sat: u32,
    /// The flag clears below this many taken MSHRs; MSHRs, 1 to mshr_sat.
    pub mshr_clear: u32,
    /// The flag clears below this many taken places; places, 1 to missq_sat.
    pub missq_clear: u32,
}

fields! {
    gpusched_mascar_cache: put, get = CacheConfig;
    numbers { mshr missq mshr_sat missq_sat mshr_clear missq_clear }
    choices {}
}

impl gpusched_mascar_config {
    /// The caches; those behind the last one are of an SM of the source.
    pub(super) fn put_by_hand(&mut self, config: &MascarConfig) {
        let caches = config.sources.caches();
        self.sources = caches.len() as u32;
        let rest = core::iter::repeat(&CacheConfig::FERMI);
        self.caches.iter_mut().zip(caches.iter().chain(rest)).for_each(|(to, from)| to.put(from));
    }

    /// The caches, unchecked but for their number.
    pub(super) fn get_by_hand(&self, config: &mut MascarConfig) -> Result<(), Wrong> {
        let mut caches = [CacheConfig::FERMI; MAX_SOURCES + 1];
        for (to, from) in caches.iter_mut().zip(&self.caches) {
            *to = from.get()?;
        }
        // One more than there may be stands for any number beyond.
        let n = (self.sources as usize).min(caches.len());
        config.sources = Sources::new(caches.get(..n).unwrap_or_default())
            .map_err(|error| Wrong::from(gpusched::ConfigError { value: self.sources, ..error }))?;
        Ok(())
    }
}

/// Tells a numeric parameter of a cache: name, default and range.
///
/// @param index      From 0.
/// @param parameter  Written.
/// @return Null, Misaligned; BadIndex: there are not so many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_cache_parameter(
    index: u32,
    parameter: *mut gpusched_parameter,
) -> gpusched_status {
    let Some((about, value)) = CacheConfig::FERMI.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}
