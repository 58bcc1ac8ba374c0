//! The core as firmware: what its programs share.
//!
//! - [`gpus`]: the machines, four of one size, each with its mechanism.
//! - [`toy`]: a host that stands in for SMXs: it launches kernels, lets TBs run for seeded times, and reports their ends.
//! - [`replay`]: golden vectors in their packed form.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod gpus;
pub mod replay;
pub mod toy;
