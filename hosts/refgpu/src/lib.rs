//! The reference GPU.
pub mod program;
