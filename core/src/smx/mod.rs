//! What an SMX has room for, and what keeps a TB off it.
//!
//! - [`residency`]: which TB holds which slot, and what is free;
//! - [`gates`]: what a host closes.

pub mod gates;
pub mod residency;
