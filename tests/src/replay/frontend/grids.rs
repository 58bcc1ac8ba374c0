//! Sheet `launch2` in the form of the vectors.

use anyhow::Result;
use gpusched::DeviceLaunch;
use serde_json::{Map, Value, json};

use super::event::descriptor;
use crate::view::{GridKind, GridView, GridsView, RecordStateView, View};

/// A lane's kernel and its stream. A name that no stream has is that of none.
pub fn launch(lane: &Value) -> Result<DeviceLaunch> {
    let stream = match lane["named"].as_str() {
        Some("ff") => DeviceLaunch::FIRE_AND_FORGET,
        Some("tail") => DeviceLaunch::TAIL,
        None if lane["named"].is_null() => DeviceLaunch::FIRE_AND_FORGET,
        _ => u32::MAX,
    };
    Ok(DeviceLaunch { kernel: descriptor(lane)?, stream })
}

/// The state key `l2`.
pub fn state(view: &View, grids: &GridsView) -> Value {
    let closed = view.records.values().filter(|record| matches!(record.state, RecordStateView::Tail(_))).count();
    let mode = |grid: &GridView| match grid.kind {
        GridKind::Host(_) => "host",
        GridKind::FireAndForget => "ff",
        GridKind::Tail => "tail",
    };
    let grid =
        |grid: &GridView| json!([grid.tag, mode(grid), grid.parent, grid.kids, grid.tails, u8::from(grid.has_ended)]);
    let mut in_flight = Map::new();
    for grid in &grids.all {
        if let GridKind::Host(queue) = grid.kind {
            in_flight.insert(queue.to_string(), json!([[grid.tag, u8::from(grid.has_ended), 0]]));
        }
    }
    json!({
        "grids": grids.all.iter().map(grid).collect::<Vec<_>>(),
        "inflight": in_flight,
        "tail_recs": closed,
    })
}

/// What the statistics count of them, with those of what this machine cannot have.
pub fn count(grids: &GridsView, stats: &mut Value) {
    let counts = [("completes", grids.completes), ("tails", grids.tails)];
    counts.into_iter().for_each(|(name, count)| stats[name] = json!(count));
    ["opens", "waits", "wait_slots", "kg_nodes"].into_iter().for_each(|name| stats[name] = json!(0));
}
