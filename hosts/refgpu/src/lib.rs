//! The reference GPU.
pub mod graph;
pub mod program;
pub mod tables;
