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
//! - [`program`]: the contract between an algorithm and the machine; [`script`]: the smallest one, instructions from a function.
//!   Algorithms are in the crate `gpusched-workloads`.
//! - [`gpu`]: the cycle loop with its `agenda`, and the coupling to the front end of `gpusched` ([`front`]).
//! - [`front`] also says who shares SMs when kernels of several host streams run at the same time.
//! - `sm`: warps, scoreboard, schedulers, functional units.
//! - `lsu` and [`l1`]: coalesced transactions ([`coalesce`]), back-pressure, the L1 data cache.
//! - `mascar`: the order of warps, and a way for what L1 refuses, when memory is saturated.
//! - [`prefetch`]: what fetches lines into L1 before they are asked for.
//! - `memory`: crossbars (`noc`), L2 banks (`l2`), DRAM channels (`dram`).
//! - `clock` and [`vf`]: the clocks of SMs, memory and front end, and their levels of voltage and frequency.
//! - [`power`] and `energy`: P-states of SMs, occupancy bubbles, and what everything costs.
//! - [`equalizer`]: samples of warp states, block counts and levels over time.
//! - [`stats`] and [`timeline`]: what a run tells.
//! - [`estimate`]: from the counts of a run to the inputs of the execution-time model.
//! - [`sheets`]: the rules, which code and tests cite.
#[macro_use]
mod counts;

mod agenda;
mod cache;
pub mod changes;
mod clock;
pub mod coalesce;
pub mod config;
mod dram;
pub mod energy;
pub mod equalizer;
pub mod erased;
pub mod estimate;
pub mod front;
pub mod gpu;
pub mod l1;
mod l2;
pub mod lanes;
mod lsu;
mod mascar;
mod memory;
mod noc;
pub mod power;
pub mod prefetch;
pub mod program;
mod remote;
mod ring;
pub mod script;
#[cfg(doc)]
pub mod sheets;
mod sm;
pub mod stats;
pub mod timeline;
mod units;
pub mod vf;

#[cfg(test)]
mod tests;
