//! The coalescer as a C program has it.

use std::ptr;

use gpusched::Fault;
use gpusched::simt::coalesce::{CoalesceMode, CoalescerConfig, Segment};
use gpusched_abi::simt::coalescer::*;
use gpusched_abi::status::gpusched_status as Status;

use super::config::{code, field, fields};
use super::object::{done, fault};
use super::records::{flag, one_of};
use crate::simt::coalesce::{Access, Coalesced};

const MODE: [(u32, CoalesceMode); 2] = [
    (gpusched_coalesce_mode::Combine as u32, CoalesceMode::Combine),
    (gpusched_coalesce_mode::Legacy as u32, CoalesceMode::Legacy),
];

fields! {
    gpusched_coalescer_config: put_coalescer, _get_coalescer = CoalescerConfig;
    numbers lanes segment;
    choices mode MODE;
    flags allow_misaligned
}

/// A configuration as a C program writes it.
#[must_use]
pub fn c_coalescer_config(config: &CoalescerConfig) -> gpusched_coalescer_config {
    let struct_size = size_of::<gpusched_coalescer_config>() as u32;
    let mut c = gpusched_coalescer_config { struct_size, ..Default::default() };
    put_coalescer(&mut c, config);
    c
}

/// The answer of C to an access.
///
/// # Errors
/// The sheet's named errors.
///
/// # Panics
/// If the list is not as long as is told.
pub fn coalesce(config: &CoalescerConfig, access: &Access) -> Result<Coalesced, Fault> {
    let Access { mask, addrs, size } = access;
    let config = c_coalescer_config(config);
    let mut list = [gpusched_segment::default(); 128];
    let (mut count, mut coalesced) = (9999, 9);
    let addresses = if addrs.is_empty() { ptr::null() } else { addrs.as_ptr() };
    // SAFETY: all pointers are of living values.
    let mut call = |list: &mut [gpusched_segment]| unsafe {
        let (to, capacity) = (list.as_mut_ptr(), list.len());
        gpusched_coalesce(&config, *mask, addresses, addrs.len(), *size, to, capacity, &mut count, &mut coalesced)
    };
    done(call(&mut list)).map_err(fault)?;
    let n = count;
    if n > 0 {
        let mut short = vec![gpusched_segment::default(); n - 1];
        let mut call = |list: &mut [gpusched_segment]| unsafe {
            let (to, capacity) = (list.as_mut_ptr(), list.len());
            gpusched_coalesce(&config, *mask, addresses, addrs.len(), *size, to, capacity, &mut count, ptr::null_mut())
        };
        assert_eq!(call(&mut short), Status::Capacity);
        assert_eq!((count, &short[..]), (n, &list[..n - 1]));
    }
    let segs = list[..n].iter().map(|&gpusched_segment { base, lanes }| Segment { base, lanes }).collect();
    Ok(Coalesced { segs, coalesced: flag(coalesced) })
}
