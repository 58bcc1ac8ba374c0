//! Tests of the whole machine on small synthetic workloads.

mod clocks;
mod decide;
mod equalizer;
mod graphs;
mod latency;
mod launch;
mod levels;
mod many;
mod mascar;
mod observe;
mod policies;
mod prefetch;
mod records;
pub(crate) mod script;
mod skip;
mod sync;
mod texture;
mod throughput;
