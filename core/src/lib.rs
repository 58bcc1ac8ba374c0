//! GPU hardware-scheduler models as fixed-size state machines.
#![no_std]
#![forbid(unsafe_code)]

mod cycle;
mod launch;

pub use cycle::Cycle;
pub use launch::descriptor::{Descriptor, Dim3};
