//! The reference GPU.
pub mod cache;
pub mod coalesce;
pub mod config;
pub mod dram;
pub mod l1;
pub mod l2;
pub mod lsu;
pub mod memory;
pub mod noc;
pub mod program;
pub mod ring;
