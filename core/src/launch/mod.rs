//! From the launch call to the kernel distributor, along the way that a kernel travels (sheet [`dtbl`](crate::sheets::dtbl)).
//!
//! - [`descriptor`]: what is launched, and what makes it illegal;
//! - [`hwq`]: host kernels in hardware work queues;
//! - [`record`]: device-side launches in global memory;
//! - [`suspended`]: kernels that wait for their children;
//! - [`cross`]: two kernels in one entry, whose TBs wait for each other;
//! - [`distributor`]: kernel distributor entries and the FCFS controller's FIFO;
//! - [`cursor`]: how far the TB scheduler got with one of them;
//! - [`agt`]: the aggregated group table (chapter IV of the source);
//! - `board`: all of these, and what runs where, as everybody sees it who acts on it;
//! - [`kmu`]: the kernel management unit, which takes kernels from the queues and lists to the distributor;
//! - [`coalesce`]: the phase that joins groups of TBs to running kernels, in whose chains they wait;
//! - [`ahead`]: what of a chain is fetched from memory;
//! - [`stats`]: what is counted.

pub mod agt;
pub mod ahead;
pub(crate) mod board;
pub mod coalesce;
pub mod cross;
pub mod cursor;
pub mod descriptor;
pub mod distributor;
pub mod hwq;
pub mod kmu;
pub mod record;
pub mod stats;
pub mod suspended;
