//! Accesses, whose transactions are a list and a flag.

use alloc::vec::Vec;

use gpusched::Fault;
use gpusched::simt::coalesce::{Coalescer, CoalescerConfig, Segments};
use gpusched_abi::convert::ToC;

use crate::drive::Refused;
use crate::{Bytes, Reader, Record};

/// An access: whether it is coalesced, and its transactions.
pub(super) fn access(config: &CoalescerConfig, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
    let (mask, size, addresses) = (from.get()?, from.get()?, from.get::<Vec<u64>>()?);
    let mut segments = Segments::EMPTY;
    let coalescer = Coalescer::new(config).map_err(Fault::from)?;
    coalescer.access(mask, &addresses, size, &mut segments)?.put(to);
    segments.as_slice().iter().map(ToC::to_c).collect::<Vec<_>>()[..].put(to);
    Ok(())
}
