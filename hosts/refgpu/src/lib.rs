//! The reference GPU.
pub mod config;
pub mod program;
