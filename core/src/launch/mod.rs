//! From the launch call to the kernel distributor, along the way that a kernel travels (sheet [`dtbl`](crate::sheets::dtbl)).
//!
//! - [`descriptor`]: what is launched, and what makes it illegal;
//! - [`latency`]: what a device-side launch costs;
//! - [`hwq`]: host kernels in hardware work queues;
//! - [`record`]: device-side launches in global memory;
//! - [`suspended`]: kernels that wait for their children;
//! - [`distributor`]: kernel distributor entries and the FCFS controller's FIFO.
//!
//! The kernel management unit (KMU), which takes kernels from the first to the last, is in [`crate::frontend`], where all of
//! these meet.

pub mod descriptor;
pub mod distributor;
pub mod hwq;
pub mod latency;
pub mod record;
pub mod suspended;
