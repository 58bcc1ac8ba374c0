//! The reference GPU: a deterministic cycle-level SIMT machine that runs real algorithms and asks `gpusched` for every
//! scheduling decision.
//!
//! It is a model of shape, not of one card's cycle counts: its rules (see [`sheets`]) are as simple as
//! keeps each effect alive that hardware schedulers react to: back-pressure into the LSU, cache thrash, row locality, launch
//! latency, occupancy.
//!
//! # How to use it
//! Choose a [`config::GpuConfig`], give [`gpu::Gpu::run`] a [`program::Workload`], read [`stats::RunStats`].
//!
//! # Where to look, along the way of an instruction
//! - [`graph`], [`keys`], [`workload`]: inputs and algorithms.
//! - [`program`]: the contract between an algorithm and the machine.
//! - [`gpu`]: the cycle loop with its [`agenda`], and the coupling to the front end of `gpusched` ([`front`]).
//! - [`front`] also says who shares SMs when kernels of several host streams run at the same time.
//! - [`sm`]: warps, scoreboard, schedulers, functional units.
//! - [`lsu`] and [`l1`]: coalesced transactions ([`coalesce`]), back-pressure, the L1 data cache.
//! - [`mascar`]: the order of warps, and a way for what L1 refuses, when memory is saturated.
//! - [`prefetch`]: what fetches lines into L1 before they are asked for.
//! - [`memory`]: crossbars ([`noc`]), L2 banks ([`l2`]), DRAM channels ([`dram`]).
//! - [`clock`] and [`vf`]: the clocks of SMs, memory and front end, and their levels of voltage and frequency.
//! - [`power`] and [`energy`]: P-states of SMs, occupancy bubbles, and what everything costs.
//! - [`equalizer`]: samples of warp states, block counts and levels over time.
//! - [`stats`] and [`timeline`]: what a run tells.
//! - [`estimate`]: from the counts of a run to the inputs of the execution-time model.
//! - [`depgraph`]: dependency graphs of TBs from files and by name, for hosts that run them on the buffer alone.
//! - [`footprint`]: what TBs have in common with their parents and siblings, told without a machine.
//! - [`sheets`]: the rules, which code and tests cite.
pub mod agenda;
pub mod cache;
pub mod clock;
pub mod coalesce;
pub mod config;
pub mod depgraph;
pub mod dram;
pub mod energy;
pub mod equalizer;
pub mod estimate;
pub mod footprint;
pub mod front;
pub mod gpu;
pub mod graph;
pub mod keys;
pub mod l1;
pub mod l2;
pub mod lsu;
pub mod mascar;
pub mod memory;
pub mod noc;
pub mod power;
pub mod prefetch;
pub mod program;
pub mod ring;
#[cfg(doc)]
pub mod sheets;
pub mod sm;
pub mod stats;
pub mod timeline;
pub mod vf;
pub mod workload;

#[cfg(test)]
mod tests;
