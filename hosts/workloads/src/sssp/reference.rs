//! Dijkstra's algorithm: what the parallel search is checked against.

use super::INFINITY;
use crate::SetupError;
use crate::graph::Csr;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is known of the shortest paths from a vertex.
pub struct Paths {
    /// Length of the shortest path to each vertex, [`INFINITY`] where none leads.
    pub distance: Vec<u32>,
    /// Jacobi rounds that find them: a path of k edges is known after k, and one more sees that nothing changes.
    pub rounds: u32,
}

/// The shortest paths of a graph with weights; of equally short ones those of fewest edges.
pub fn shortest_paths(graph: &Csr, source: u32) -> Result<Paths, SetupError> {
    let weights = graph.weights().unwrap_or_default();
    let mut best = vec![(u64::MAX, 0); graph.vertices() as usize];
    best[source as usize] = (0, 0);
    let mut heap = BinaryHeap::from([Reverse(((0_u64, 0_u32), source))]);
    while let Some(Reverse((path, v))) = heap.pop() {
        if path > best[v as usize] {
            continue;
        }
        for arc in graph.arcs(v) {
            let (length, edges) = path;
            let longer = (length + u64::from(weights[arc]), edges + 1);
            let known = &mut best[graph.col()[arc] as usize];
            if longer < *known {
                *known = longer;
                heap.push(Reverse((longer, graph.col()[arc])));
            }
        }
    }
    let reached = || best.iter().filter(|path| path.0 != u64::MAX);
    let longest = reached().map(|path| path.0).max().unwrap_or(0);
    if longest >= u64::from(INFINITY) {
        return Err(SetupError::PathTooLong { length: longest });
    }
    let distance = best.iter().map(|path| u32::try_from(path.0).unwrap_or(INFINITY)).collect();
    Ok(Paths { distance, rounds: reached().map(|path| path.1).max().unwrap_or(0) + 1 })
}
