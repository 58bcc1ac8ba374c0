//! From the launch call to the kernel distributor, along the way that a kernel travels (sheet [`dtbl`](crate::sheets::dtbl)).
//!
//! - [`descriptor`]: what is launched, and what makes it illegal;
//! - [`hwq`]: host kernels in hardware work queues;
//! - [`record`]: device-side launches in global memory;
//! - [`suspended`]: kernels that wait for their children;
//! - [`distributor`]: kernel distributor entries and the FCFS controller's FIFO;
//! - [`cursor`]: how far the TB scheduler got with one of them;
//! - [`agt`]: the aggregated group table (chapter IV of the source);
//! - [`coalesce`]: the phase that joins groups of TBs to running kernels, in whose chains they wait;
//! - [`ahead`]: the fetch of what of a chain is in memory.
//!
//! The kernel management unit (KMU), which takes kernels from the first to the last, is in [`crate::frontend`], where all of
//! these meet.

pub mod agt;
pub mod ahead;
pub mod coalesce;
pub mod cursor;
pub mod descriptor;
pub mod distributor;
pub mod hwq;
pub mod record;
pub mod suspended;
