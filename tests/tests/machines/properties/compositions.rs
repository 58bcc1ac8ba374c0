//! What a front end is composed of, and what a host does with it.

use gpusched::Config;
use proptest::prelude::*;

use crate::properties::configs::{
    bubble_configs, configs, graph_configs, grid_configs, laperm_configs, laperm_graph_configs, modern_configs,
};
use crate::properties::script::{Step, graph_script, grid_script, modern_script, plain_script, script};

/// A run: a machine, and what is done with it.
pub type Run = (Config, Vec<Step>);

/// The baseline policy.
pub fn plain() -> impl Strategy<Value = Run> {
    (configs(), script())
}

/// The same, whose gates stay as they are.
pub fn ungated() -> impl Strategy<Value = Run> {
    (configs(), plain_script())
}

/// LaPerm, some with an occupancy-bubble controller.
pub fn laperm() -> impl Strategy<Value = Run> {
    (laperm_configs(), script())
}

/// The same, whose gates stay as they are.
pub fn ungated_laperm() -> impl Strategy<Value = Run> {
    (laperm_configs(), plain_script())
}

/// An occupancy-bubble controller.
pub fn bubbles() -> impl Strategy<Value = Run> {
    (bubble_configs(), script())
}

/// Graphs among kernels, groups, gates and bubbles.
pub fn graphs() -> impl Strategy<Value = Run> {
    (graph_configs(), graph_script())
}

/// The same under LaPerm.
pub fn laperm_graphs() -> impl Strategy<Value = Run> {
    (laperm_graph_configs(), graph_script())
}

/// Clusters, priorities, contexts, draining and saving.
pub fn modern() -> impl Strategy<Value = Run> {
    (modern_configs(), modern_script())
}

/// Fire-and-forget and tail launches, beside graphs and what `modern` adds.
pub fn grids() -> impl Strategy<Value = Run> {
    (grid_configs(), grid_script())
}
