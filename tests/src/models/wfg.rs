//! A second reading of work-flow graphs: every way that a warp can go, one by one.

use gpusched::models::wfg::{Node, WfgConfig};

use super::Graph;

/// A way from entry to exit: its share of the warps, and its nodes.
fn ways(graph: &Graph<'_>) -> Vec<(f64, Vec<usize>)> {
    let mut open = vec![(1.0, vec![0])];
    let mut done = Vec::new();
    while let Some((share, way)) = open.pop() {
        let last = *way.last().expect("a way begins at the entry");
        if last + 1 == graph.nodes.len() {
            done.push((share, way));
            continue;
        }
        for arc in graph.arcs.iter().filter(|arc| arc.from as usize == last) {
            open.push((share * arc.fraction, [&way[..], &[arc.to as usize]].concat()));
        }
    }
    done
}

/// Issuing, memory time and span of a graph without dependences: means over all ways. A way's share counts even if it is 0.
#[must_use]
pub fn without_dependences(config: &WfgConfig, graph: &Graph<'_>) -> (f64, f64, f64) {
    let issue = config.warp_size / config.simd_width;
    let cycles = |node: &Node| match *node {
        Node::Comp(n) | Node::Smem(n) => n * issue,
        Node::Gmem(_) => issue,
        _ => 0.0,
    };
    let memory = |node: &Node| if let Node::Gmem(x) = node { x * config.delta } else { 0.0 };
    let mean = |of: &dyn Fn(&Node) -> f64| {
        ways(graph).iter().map(|(share, way)| share * way.iter().map(|&at| of(&graph.nodes[at])).sum::<f64>()).sum()
    };
    let (comp, mem) = (mean(&cycles), mean(&memory));
    (comp, mem, comp)
}

/// Waiting and span of a graph with one way only: its warp, walked from node to node.
#[must_use]
pub fn of_one_way(config: &WfgConfig, graph: &Graph<'_>) -> (f64, f64) {
    let issue = config.warp_size / config.simd_width;
    let (mut now, mut waited) = (0.0, 0.0);
    let mut ready = vec![0.0; graph.nodes.len()];
    for (at, node) in graph.nodes.iter().enumerate() {
        for dep in graph.deps.iter().filter(|dep| dep.to as usize == at) {
            if ready[dep.from as usize] > now {
                waited += ready[dep.from as usize] - now;
                now = ready[dep.from as usize];
            }
        }
        match *node {
            Node::Gmem(x) => {
                ready[at] = now + config.dram_lat + (x - 1.0) * config.delta;
                now += issue;
            }
            Node::Comp(n) | Node::Smem(n) => now += n * issue,
            _ => {}
        }
    }
    (waited, now)
}
