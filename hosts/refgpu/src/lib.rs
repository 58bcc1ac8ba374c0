//! The reference GPU.
pub mod program;
pub mod tables;
