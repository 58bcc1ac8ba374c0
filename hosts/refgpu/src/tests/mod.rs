//! Tests of the whole machine on small synthetic workloads.

mod bfs;
mod clocks;
mod latency;
mod launch;
mod policies;
pub(crate) mod script;
mod skip;
mod throughput;
mod workloads;
