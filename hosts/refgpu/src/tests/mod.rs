//! Tests of the whole machine on small synthetic workloads.

mod bfs;
mod latency;
mod launch;
mod script;
mod skip;
mod throughput;
mod workloads;
