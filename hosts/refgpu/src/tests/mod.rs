//! Tests of the whole machine on small synthetic workloads.

mod latency;
mod launch;
mod script;
mod skip;
mod throughput;
