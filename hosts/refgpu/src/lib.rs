//! The reference GPU.
pub mod cache;
pub mod config;
pub mod dram;
pub mod graph;
pub mod l1;
pub mod noc;
pub mod program;
pub mod ring;
pub mod tables;
pub mod workload;
