//! Accesses as a C program makes them.

use std::ptr;

use gpusched_abi::coalescer::*;
use gpusched_abi::status::gpusched_status as Status;

use crate::calls::coalescer::hand::Access;
use crate::simt::coalesce::Coalesced;
use crate::through_c::object::done;
use crate::through_c::records::flag;
use crate::through_c::told::told;

impl Access {
    /// Makes the call.
    ///
    /// # Errors
    /// The status of a refused call.
    ///
    /// # Panics
    /// If the list is not as long as is told.
    ///
    /// # Safety
    /// `config` is one.
    pub(super) unsafe fn through_c(&self, config: *const gpusched_coalescer_config) -> Result<Coalesced, Status> {
        let Self { mask, addrs, size } = self;
        let mut list = [gpusched_coalescer_segment::default(); 128];
        let (mut count, mut coalesced) = (9999, 9);
        let addresses = if addrs.is_empty() { ptr::null() } else { addrs.as_ptr() };
        // SAFETY: all pointers are of living values.
        let mut call = |list: &mut [gpusched_coalescer_segment]| unsafe {
            let (to, capacity) = (list.as_mut_ptr(), list.len());
            gpusched_coalescer_access(
                config,
                *mask,
                addresses,
                addrs.len(),
                *size,
                to,
                capacity,
                &mut count,
                &mut coalesced,
            )
        };
        done(call(&mut list))?;
        let n = count;
        if n > 0 {
            let mut short = vec![gpusched_coalescer_segment::default(); n - 1];
            let mut call = |list: &mut [gpusched_coalescer_segment]| unsafe {
                let (to, capacity) = (list.as_mut_ptr(), list.len());
                gpusched_coalescer_access(
                    config,
                    *mask,
                    addresses,
                    addrs.len(),
                    *size,
                    to,
                    capacity,
                    &mut count,
                    ptr::null_mut(),
                )
            };
            assert_eq!(call(&mut short), Status::Capacity);
            assert_eq!((count, &short[..]), (n, &list[..n - 1]));
        }
        let segs = list[..n].iter().map(told).collect();
        Ok(Coalesced { segs, coalesced: flag(coalesced) })
    }
}
