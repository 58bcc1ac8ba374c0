//! Compressed sparse rows: the form in which every workload reads a graph.

use super::{EdgeList, GraphError, MAX_EDGES, hash};

/// Level of a vertex that no path reaches.
pub const UNREACHED: u32 = u32::MAX;

/// An undirected simple graph: both directions of every edge, no loops, neighbours ascending.
///
/// Vertex v's arcs are `row[v]..row[v + 1]`; arc e leads to `col[e]` with weight `weights[e]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csr {
    row: Vec<u32>,
    col: Vec<u32>,
    weights: Option<Vec<u32>>,
}

impl Csr {
    /// Builds the graph of a list (`workloads` 2.2): both directions, loops and duplicates dropped, of duplicates the
    /// least weight kept.
    ///
    /// Two stable counting sorts, linear in the arcs: by source, which forms the rows, then the transpose of that. As
    /// both directions are present the transpose is the same graph, but now each row was filled in ascending order.
    ///
    /// # Errors
    /// [`GraphError::TooManyArcs`], [`GraphError::Empty`].
    pub fn from_edges(edges: EdgeList) -> Result<Self, GraphError> {
        let (vertices, ends, weights) = edges.into_parts();
        if ends.len() as u64 > MAX_EDGES {
            let edges = ends.len() as u64;
            return Err(GraphError::TooManyArcs { edges });
        }
        let row = row_starts(vertices, &ends);
        let arcs = row[vertices as usize] as usize;
        if arcs == 0 {
            return Err(GraphError::Empty);
        }

        let mut next = row.clone();
        let mut col = vec![0; arcs];
        let mut weight = weights.as_ref().map(|_| vec![0; arcs]);
        for (e, &[u, v]) in ends.iter().enumerate() {
            if u != v {
                for (from, to) in [(u, v), (v, u)] {
                    let slot = take_slot(&mut next, from);
                    col[slot] = to;
                    if let (Some(out), Some(listed)) = (&mut weight, &weights) {
                        out[slot] = listed[e];
                    }
                }
            }
        }
        drop((ends, weights));

        next.copy_from_slice(&row);
        let mut sorted = Self { col: vec![0; arcs], weights: weight.as_ref().map(|_| vec![0; arcs]), row };
        for u in 0..vertices {
            for arc in sorted.arcs(u) {
                let slot = take_slot(&mut next, col[arc]);
                sorted.col[slot] = u;
                if let (Some(out), Some(unsorted)) = (&mut sorted.weights, &weight) {
                    out[slot] = unsorted[arc];
                }
            }
        }
        drop((col, weight));
        sorted.merge_duplicates();
        Ok(sorted)
    }

    /// Drops equal neighbours of ascending rows, in place. The least weight stays.
    fn merge_duplicates(&mut self) {
        let mut kept = 0;
        for v in 0..self.vertices() {
            let arcs = self.arcs(v);
            let start = kept;
            for arc in arcs {
                let to = self.col[arc];
                if kept > start && self.col[kept - 1] == to {
                    if let Some(weights) = &mut self.weights {
                        weights[kept - 1] = weights[kept - 1].min(weights[arc]);
                    }
                } else {
                    self.col[kept] = to;
                    if let Some(weights) = &mut self.weights {
                        weights[kept] = weights[arc];
                    }
                    kept += 1;
                }
            }
            self.row[v as usize] = start as u32;
        }
        let vertices = self.vertices() as usize;
        self.row[vertices] = kept as u32;
        self.col.truncate(kept);
        self.col.shrink_to_fit();
        if let Some(weights) = &mut self.weights {
            weights.truncate(kept);
            weights.shrink_to_fit();
        }
    }

    /// The same graph with the weights of an unweighted one: 1..=64, by a hash of the two ends (`workloads` 2.2).
    /// A graph that has weights keeps them.
    #[must_use]
    pub fn or_hashed_weights(mut self) -> Self {
        if self.weights.is_none() {
            let mut weights = Vec::with_capacity(self.col.len());
            for u in 0..self.vertices() {
                for &v in self.neighbours(u) {
                    let ends = u64::from(u.min(v)) << 32 | u64::from(u.max(v));
                    weights.push(1 + (hash(ends) >> 58) as u32);
                }
            }
            self.weights = Some(weights);
        }
        self
    }

    /// Number of vertices.
    #[must_use]
    pub fn vertices(&self) -> u32 {
        (self.row.len() - 1) as u32
    }

    /// Number of arcs: twice the undirected edges.
    #[must_use]
    pub fn arc_count(&self) -> u32 {
        self.col.len() as u32
    }

    /// Where each vertex's arcs start; one more entry than vertices.
    #[must_use]
    pub fn row(&self) -> &[u32] {
        &self.row
    }

    /// Where each arc leads.
    #[must_use]
    pub fn col(&self) -> &[u32] {
        &self.col
    }

    /// Weight of each arc.
    #[must_use]
    pub fn weights(&self) -> Option<&[u32]> {
        self.weights.as_deref()
    }

    /// The arcs of `v`, as indices into [`col`](Self::col).
    #[must_use]
    pub fn arcs(&self, v: u32) -> std::ops::Range<usize> {
        self.row[v as usize] as usize..self.row[v as usize + 1] as usize
    }

    /// The neighbours of `v`, ascending.
    #[must_use]
    pub fn neighbours(&self, v: u32) -> &[u32] {
        &self.col[self.arcs(v)]
    }

    /// Every undirected edge once, as lower end, higher end and weight (1 in a graph without weights), ascending.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        (0..self.vertices()).flat_map(move |u| {
            self.arcs(u)
                .map(move |e| (u, self.col[e], self.weights.as_ref().map_or(1, |w| w[e])))
                .filter(|&(u, v, _)| u < v)
        })
    }

    /// How many neighbours `v` has.
    #[must_use]
    pub fn degree(&self, v: u32) -> u32 {
        self.row[v as usize + 1] - self.row[v as usize]
    }

    /// Where searches start: the vertex with most neighbours, the lowest number among equals.
    #[must_use]
    pub fn source(&self) -> u32 {
        (0..self.vertices()).rev().max_by_key(|&v| self.degree(v)).unwrap_or(0)
    }

    /// Breadth-first level of every vertex from `source`, [`UNREACHED`] where no path leads. Sequential and plain: what
    /// parallel searches are checked against.
    #[must_use]
    pub fn levels(&self, source: u32) -> Vec<u32> {
        let mut level = vec![UNREACHED; self.vertices() as usize];
        level[source as usize] = 0;
        let mut queue = vec![source];
        let mut head = 0;
        while let Some(&v) = queue.get(head) {
            head += 1;
            for &u in self.neighbours(v) {
                if level[u as usize] == UNREACHED {
                    level[u as usize] = level[v as usize] + 1;
                    queue.push(u);
                }
            }
        }
        level
    }
}

/// Start of each row once both directions of `ends` are in, loops left out.
fn row_starts(vertices: u32, ends: &[[u32; 2]]) -> Vec<u32> {
    let mut row = vec![0_u32; vertices as usize + 1];
    for &[u, v] in ends {
        if u != v {
            row[u as usize + 1] += 1;
            row[v as usize + 1] += 1;
        }
    }
    for v in 0..vertices as usize {
        row[v + 1] += row[v];
    }
    row
}

fn take_slot(next: &mut [u32], vertex: u32) -> usize {
    let slot = next[vertex as usize];
    next[vertex as usize] += 1;
    slot as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn list(edges: &[(u32, u32, u32)]) -> EdgeList {
        let mut list = EdgeList::weighted(0);
        for &(u, v, w) in edges {
            list.push(u, v, w);
        }
        list
    }

    #[test]
    fn a_list_of_loops_is_an_empty_graph() {
        assert!(matches!(Csr::from_edges(list(&[(3, 3, 1)])), Err(GraphError::Empty)));
        assert!(matches!(Csr::from_edges(EdgeList::unweighted(7)), Err(GraphError::Empty)));
    }

    #[test]
    fn the_source_is_the_lowest_of_the_widest() {
        let csr = Csr::from_edges(list(&[(5, 1, 1), (1, 2, 1), (4, 3, 1), (3, 0, 1)])).unwrap();
        assert_eq!(csr.source(), 1);
    }

    proptest! {
        #![proptest_config(crate::graph::same_cases())]

        /// The counting sorts give what a map of ordered pairs gives.
        #[test]
        fn rows_are_what_an_ordered_map_holds(
            edges in prop::collection::vec((0_u32..20, 0_u32..20, 1_u32..9), 1..80)
        ) {
            let mut map = BTreeMap::new();
            for &(u, v, w) in edges.iter().filter(|(u, v, _)| u != v) {
                for pair in [(u, v), (v, u)] {
                    let least: &mut u32 = map.entry(pair).or_insert(w);
                    *least = w.min(*least);
                }
            }
            match Csr::from_edges(list(&edges)) {
                Err(error) => prop_assert!(map.is_empty(), "{error}"),
                Ok(csr) => {
                    let held: Vec<_> = (0..csr.vertices())
                        .flat_map(|v| csr.arcs(v).map(move |e| (v, e)))
                        .map(|(v, e)| ((v, csr.col()[e]), csr.weights().unwrap()[e]))
                        .collect();
                    prop_assert_eq!(held, map.into_iter().collect::<Vec<_>>());
                }
            }
        }
    }
}
