//! The C ABI over [`gpusched`]: machines in memory that the caller provides.
//!
//! What C programs link is the crate `gpusched-ffi` around this one; what they read are the headers in `include`, generated from the
//! documentation here. Names are those that C sees.
//!
//! # How it is made
//! - [`object`]: a machine in a caller's block, found and checked again on every call. One more machine is one more
//!   [`object::Machine`].
//! - [`status`]: every fault of the sheets and every mistake of a caller, as one number.
//! - [`decision`]: decisions as plain records, the queue in which they wait to be read, and the trace ring.
//! - [`config`]: what the configurations of all machines have in common. [`convert`]: how values travel.
//! - [`frontend`]: the composed front end, one function per verb and query.
//! - [`laperm`]: the LaPerm scheduler alone. [`bubble`]: the occupancy-bubble controller alone.
//! - [`apogee`]: the prefetcher of one SM.
//! - [`catalogue`]: published policies of the thread-block scheduler.
//! - [`dgb`]: dependency graphs: the builder, the admission check, and the dependency-graph buffer alone.
//! - [`equalizer_sm`], [`equalizer_fm`]: Equalizer, the machine of one SM and the frequency manager.
//! - [`mascar`]: warp scheduling under memory saturation, one machine per SM.
//! - [`tlp`]: TBs of concurrent kernels on each SM, L1 bypassing, and which kernels run together.
//! - [`stack`], [`coalescer`], [`scoreboard`]: what SIMT execution does per instruction.
//! - [`models`]: estimates: execution time, roofline and theory, work-flow graphs; [`monte`]: a memory hierarchy at random.
//!
//! ```
//! use gpusched_abi::{decision::*, frontend::*, object::*, status::*};
//! use std::mem::{MaybeUninit, size_of};
//!
//! # fn main() { unsafe {
//! let mut config = MaybeUninit::<gpusched_frontend_config>::uninit();
//! gpusched_frontend_config_init(config.as_mut_ptr(), size_of::<gpusched_frontend_config>(), gpusched_gpu::K20c as u32);
//! let mut layout = gpusched_layout { size: 0, align: 0 };
//! gpusched_frontend_layout(config.as_ptr(), &mut layout);
//! let mut storage = vec![0u64; layout.size / 8 + 1];
//! let mut fe = std::ptr::null_mut();
//! let status = gpusched_frontend_init(storage.as_mut_ptr().cast(), layout.size, config.as_ptr(), &mut fe);
//! assert_eq!(status, gpusched_status::Ok);
//! let (mut now, mut tick) = (0, gpusched_tick::default());
//! assert_eq!(gpusched_frontend_tick(fe, &mut tick), gpusched_status::Ok);
//! assert_eq!(gpusched_frontend_now(fe, &mut now), gpusched_status::Ok);
//! assert_eq!((tick.sched, now), (gpusched_sched::Idle as u32, 1));
//! # } }
//! ```
//!
//! # Unsafe
//! All functions trust the caller in what no check can prove: that a pointer which is not null and is aligned leads to memory of
//! the size that the function's documentation says, which nobody else writes meanwhile. Everything else is checked.
#![no_std]
#![allow(non_camel_case_types, reason = "the names are those that C sees")]
#![allow(
    clippy::missing_safety_doc,
    reason = "the contract is the same for every function: see the crate's documentation"
)]
#![warn(missing_docs)]

pub mod config;
pub mod convert;
pub mod decision;
pub mod object;
pub mod offer;
pub mod smx;
pub mod status;
pub mod statuses;

// In the order of the header.
pub mod frontend;

pub mod laperm;

pub mod bubble;

pub mod apogee;

pub mod dgb;

pub mod equalizer_sm;

pub mod equalizer_fm;

pub mod mascar;

pub mod stack;

pub mod scoreboard;

pub mod coalescer;

pub mod tlp;

pub mod tlp_sm;

pub mod tlp_pool;

pub mod tlp_leftover;

pub mod tlp_smart_even;

pub mod tlp_smc;

pub mod models;

pub mod monte;

pub mod catalogue;

pub mod plugin;

mod blame;
mod image;
mod pointer;

/// Version of the binary interface. It grows when a program that was built against an older header would no longer work.
pub const GPUSCHED_ABI_VERSION: u32 = 9;

/// No cycle: what a query of a time answers when that time will not come.
pub const GPUSCHED_NEVER: u64 = u64::MAX;

/// No such thing: what a field holds that names a row, when there is none.
pub const GPUSCHED_NONE: u32 = u32::MAX;

/// The version of the binary interface that this library has. Programs compare it with the GPUSCHED_ABI_VERSION of their header.
#[unsafe(no_mangle)] // The exported names are ours alone: they carry the library's prefix.
pub extern "C" fn gpusched_abi_version() -> u32 {
    GPUSCHED_ABI_VERSION
}
