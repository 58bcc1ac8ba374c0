//! Accesses, whose transactions are a list and a flag.

use gpusched::simt::coalesce::{Coalescer, Segments};

use super::{gpusched_coalescer_config, gpusched_coalescer_segment};
use crate::config::read_checked;
use crate::convert::ToC;
use crate::pointer::{array, put_list, put_unless_null, writable, writable_or_null};
use crate::status::{gpusched_status, gpusched_status as Status, status};

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
pub unsafe extern "C" fn gpusched_coalescer_access(
    config: *const gpusched_coalescer_config,
    mask: u64,
    addresses: *const u64,
    lanes: usize,
    size: u32,
    segments: *mut gpusched_coalescer_segment,
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
            let list = made.as_slice().iter().map(ToC::to_c);
            put_list(segments, capacity, count, list)
        })
    })
}
