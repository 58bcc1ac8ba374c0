//! Sheet `launch2` in the form of the vectors.

use anyhow::{Context, Result};
use gpusched::{Consumers, DeviceLaunch, KernelEdge, KernelNode};
use serde_json::{Map, Value, json};

use super::event::{descriptor, flag, optional, three, u32_field, u64_field};
use crate::view::{GridKind, GridView, GridsView, KgraphsView, RecordStateView, View};

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

/// The second of two kernels that share a dependency graph.
pub fn consumers(part: &Value) -> Result<Consumers> {
    Ok(Consumers {
        pc: u64_field(part, "pc")?,
        tb: three(part, "tb")?,
        regs: optional(part, "regs")?,
        smem: optional(part, "smem")?,
        first: u32_field(part, "first")?,
    })
}

/// A kernel of a kernel graph.
pub fn node(node: &Value) -> Result<KernelNode> {
    Ok(KernelNode { kernel: descriptor(node)?, retain: flag(node, "retain")?.into() })
}

/// An edge of a kernel graph: from, to, and perhaps its kind. Numbers out of range name what no graph has, and so do other kinds.
pub fn edge(edge: &Value) -> Result<KernelEdge> {
    let of = edge.as_array().context("an edge is not a list")?;
    let end = |i: usize| {
        let number = of.get(i).and_then(Value::as_i64).context("an edge without two numbers")?;
        Ok::<_, anyhow::Error>(u32::try_from(number).unwrap_or(u32::MAX))
    };
    let kind = match of.get(2).map(Value::as_str) {
        None | Some(Some("full")) => KernelEdge::FULL,
        Some(Some("pdl")) => KernelEdge::PDL,
        Some(_) => u32::MAX,
    };
    Ok(KernelEdge { from: end(0)?, to: end(1)?, kind })
}

/// The state key `l2`, with what each of the parts has.
pub fn state(view: &View, grids: &GridsView) -> Value {
    let closed = view.records.values().filter(|record| matches!(record.state, RecordStateView::Tail(_))).count();
    let mode = |grid: &GridView| match grid.kind {
        GridKind::Host(_) => "host",
        GridKind::FireAndForget => "ff",
        GridKind::Tail => "tail",
        GridKind::Device => "dev",
        GridKind::Node(_) => "node",
    };
    let grid =
        |grid: &GridView| json!([grid.tag, mode(grid), grid.parent, grid.kids, grid.tails, u8::from(grid.has_ended)]);
    let mut in_flight = Map::new();
    for grid in &grids.all {
        if let GridKind::Host(queue) = grid.kind {
            let list = in_flight.entry(queue.to_string()).or_insert(json!([]));
            let row = json!([grid.tag, u8::from(grid.has_ended), u8::from(grid.is_open)]);
            list.as_array_mut().expect("it is a list").push(row);
        }
    }
    let tbs = |is: fn(&gpusched::TbView) -> bool| -> Value {
        view.tbs.iter().filter(|tb| is(tb)).map(|tb| json!([tb.smx.0, tb.slot.0])).collect()
    };
    let mut state = json!({
        "grids": grids.all.iter().map(grid).collect::<Vec<_>>(),
        "inflight": in_flight,
        "tail_recs": closed,
        "trig": tbs(|tb| tb.has_triggered),
        "waiting": tbs(|tb| tb.is_waiting),
    });
    if let Some(kgraphs) = &grids.kgraphs {
        add_kgraphs(kgraphs, &mut state);
    }
    state
}

fn add_kgraphs(kgraphs: &KgraphsView, state: &mut Value) {
    let KgraphsView { graphs, instances, ready, host_free } = kgraphs;
    state["graphs"] = graphs.iter().map(|(g, of)| (g.to_string(), json!([of.0, of.1, of.2]))).collect();
    state["insts"] = instances.iter().map(|(i, of)| (i.to_string(), json!([of.0, of.1, of.2]))).collect();
    state["ready"] = ready.iter().map(|(_, (i, node, at))| json!([i, node, at])).collect();
    state["host_free"] = json!(host_free);
}

/// What the statistics count of them.
pub fn count(grids: &GridsView, stats: &mut Value) {
    let gpusched::GridStats { completes, tails, opens, waits, wait_slots, kernel_nodes } = grids.stats;
    let counts = [
        ("completes", completes),
        ("tails", tails),
        ("opens", opens),
        ("waits", waits),
        ("wait_slots", wait_slots),
        ("kg_nodes", kernel_nodes),
    ];
    counts.into_iter().for_each(|(name, count)| stats[name] = json!(count));
}
