//! Tests of the whole machine on small synthetic workloads.

mod bfs;
mod catalogue;
mod clocks;
mod equalizer;
mod graphs;
mod latency;
mod launch;
mod levels;
mod limits;
mod mascar;
mod policies;
mod prefetch;
mod records;
pub(crate) mod script;
mod sharing;
mod skip;
mod spread;
mod sync;
mod texture;
mod throughput;
mod together;
mod wavefront;
mod workloads;
