//! Dynamic thread block launch: groups of TBs that the device coalesces with a running kernel (sheet
//! [`dtbl`](crate::sheets::dtbl); chapter IV of the source).
//!
//! [`agt`] is the aggregated group table; [`coalesce`] is the phase that joins groups to kernels. A group's TBs are sent by the
//! SMX scheduler ([`crate::dispatch`]) along the chain that its kernel's entry keeps; [`ahead`] fetches what of it is in memory.

pub mod agt;
pub mod ahead;
pub mod coalesce;
