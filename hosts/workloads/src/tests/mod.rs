//! Tests of whole runs: workloads on the machine.

use gpusched_refgpu::config::GpuConfig;

mod bfs;
mod catalogue;
mod clusters;
mod limits;
mod sharing;
mod spread;
mod streams;
mod together;
mod verify;
mod wavefront;
mod workloads;

/// A preset with some parameters set.
fn config(preset: &str, change: &[(&str, &str)]) -> GpuConfig {
    let mut config = GpuConfig::preset(preset).expect("a preset");
    for (key, word) in change {
        config.set(key, word).expect("a parameter and its value");
    }
    config
}
