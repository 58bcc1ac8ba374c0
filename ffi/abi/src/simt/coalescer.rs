//! The coalescer: its configuration, and its one function.

use core::mem::size_of;

use gpusched::simt::coalesce::{CoalesceMode, Coalescer, CoalescerConfig, Segment, Segments};

use crate::config::{self, Parameters, Wrong, choices, fields, gpusched_parameter, read_checked, write};
use crate::object::{array, put, put_list, put_unless_null, writable, writable_or_null};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// How accesses become transactions.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_coalesce_mode {
    /// One transaction per segment.
    Combine = 0,
    /// As before compute version 1.2: one per segment if lanes are in sequence, else one per lane.
    Legacy = 1,
}

/// Parameters of a coalescer. Fill it with gpusched_coalescer_config_init, then change what you like: a newer library adds fields at the end, and programs that were built
/// before keep working.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_coalescer_config {
    /// sizeof this struct in the caller's header.
    pub struct_size: u32,
    /// Lanes of the warp; lanes, 1 to 64.
    pub lanes: u32,
    /// Bytes of a transaction; bytes, 16 to 4096, a power of two.
    pub segment: u32,
    /// gpusched_coalesce_mode.
    pub mode: u32,
    /// A lane may ask for bytes that do not begin at a multiple of their number; 0 or 1.
    pub allow_misaligned: u32,
}

choices! {
    gpusched_coalesce_mode = CoalesceMode { Combine Legacy };
}

fields! {
    gpusched_coalescer_config: put, get = CoalescerConfig;
    numbers { lanes segment }
    choices { mode allow_misaligned }
}

impl gpusched_coalescer_config {
    /// The core's configuration as C has it.
    pub(crate) fn of(config: &CoalescerConfig) -> Self {
        let mut of = Self { struct_size: size_of::<Self>() as u32, ..Self::default() };
        of.put(config);
        of
    }
}

// SAFETY: it is such a struct.
unsafe impl Parameters for gpusched_coalescer_config {
    type Checked = CoalescerConfig;
    const FIRST_SIZE: usize = 20;

    fn preset() -> Self {
        Self::of(&CoalescerConfig::WARP_32)
    }

    fn checked(&self) -> Result<CoalescerConfig, Wrong> {
        let config = self.get()?;
        config.check()?;
        Ok(config)
    }
}

/// Fills a configuration: a warp of 32 lanes and lines of 128 bytes.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_coalescer_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_coalescer_config_init(
    config: *mut gpusched_coalescer_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_coalescer_config::preset()) })
}

/// Says whether every value is in its range.
///
/// @param config  An initialised configuration.
/// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
/// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_coalescer_config_check(
    config: *const gpusched_coalescer_config,
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
pub unsafe extern "C" fn gpusched_coalescer_parameter(
    index: u32,
    parameter: *mut gpusched_parameter,
) -> gpusched_status {
    let Some((about, value)) = CoalescerConfig::WARP_32.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}

/// A transaction.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_segment {
    /// Address of its first byte.
    pub base: u64,
    /// Lanes that it serves, a bit each.
    pub lanes: u64,
}

/// Tells the transactions of an access, in the order of first touch. A coalescer has no state: this is all there is of it.
///
/// @param config     An initialised configuration.
/// @param mask       Active lanes, a bit each.
/// @param addresses  An address per lane; those of lanes that are not active are not looked at.
/// @param lanes      Their number, that of the configuration.
/// @param size       Bytes per lane: 1, 2, 4, 8 or 16.
/// @param segments   Receives the transactions.
/// @param capacity   Elements of that array; twice the lanes always suffice, the lanes if no access is misaligned. If it is 0, segments
///                   may be null.
/// @param count      Receives their number, also if the result is Capacity.
/// @param coalesced  Receives 1 if the access is coalesced, else 0. May be null.
/// @return BadConfig, BadMask, BadSize, BadArg (number of addresses), AddressWrap, Misaligned; Null, BadStructSize, WrongVersion;
/// Capacity: there are more transactions than the array holds, which is full.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_coalesce(
    config: *const gpusched_coalescer_config,
    mask: u64,
    addresses: *const u64,
    lanes: usize,
    size: u32,
    segments: *mut gpusched_segment,
    capacity: usize,
    count: *mut usize,
    coalesced: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        read_checked(config).and_then(|config| {
            let coalescer = Coalescer::new(&config).map_err(|error| Status::from(error.fault))?;
            let addresses = array(addresses, lanes)?;
            let (count, coalesced) = (writable(count)?, writable_or_null(coalesced)?);
            if capacity > 0 {
                writable(segments)?;
            }
            let mut made = Segments::EMPTY;
            let is_coalesced = coalescer.access(mask, addresses, size, &mut made)?;
            put_unless_null(coalesced, is_coalesced.into());
            let list = made.as_slice().iter().map(|&Segment { base, lanes }| gpusched_segment { base, lanes });
            put_list(segments, capacity, count, list)
        })
    })
}
