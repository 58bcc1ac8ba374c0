//! Compressed sparse rows: the form in which every workload reads a graph.

use super::{EdgeList, GraphError, MAX_EDGES, hash};

/// Level of a vertex that no path reaches.
pub const UNREACHED: u32 = u32::MAX;

/// A simple graph: no loops, neighbours ascending. An undirected one has both directions of every edge.
///
/// Vertex v's arcs are `row[v]..row[v + 1]`; arc e leads to `col[e]` with weight `weights[e]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csr {
    row: Vec<u32>,
    col: Vec<u32>,
    weights: Option<Vec<u32>>,
    directed: bool,
}

impl Csr {
    /// Builds the graph of a list (workloads-G1): both directions of what is undirected, loops and duplicates dropped, of
    /// duplicates the least weight kept.
    ///
    /// Two stable counting sorts, linear in the arcs: by the vertex that an arc leads to, then by the one that it leaves. So each
    /// row is filled in ascending order.
    ///
    /// # Errors
    /// [`GraphError::TooManyArcs`]; [`GraphError::Empty`] if there is no vertex.
    pub fn from_edges(edges: EdgeList) -> Result<Self, GraphError> {
        let directed = edges.is_directed();
        let (vertices, ends, weights) = edges.into_parts();
        if ends.len() as u64 > MAX_EDGES {
            let edges = ends.len() as u64;
            return Err(GraphError::TooManyArcs { edges });
        }
        if vertices == 0 {
            return Err(GraphError::Empty);
        }
        let into = row_starts(vertices, &ends, if directed { &[1] } else { &[0, 1] });
        let arcs = into[vertices as usize] as usize;

        // By the vertex that arcs lead to: where each comes from.
        let mut next = into.clone();
        let mut from = vec![0; arcs];
        let mut weight = weights.as_ref().map(|_| vec![0; arcs]);
        for (e, &[u, v]) in ends.iter().enumerate() {
            if u != v {
                for (tail, head) in [(u, v), (v, u)].into_iter().take(if directed { 1 } else { 2 }) {
                    let slot = take_slot(&mut next, head);
                    from[slot] = tail;
                    if let (Some(out), Some(listed)) = (&mut weight, &weights) {
                        out[slot] = listed[e];
                    }
                }
            }
        }
        // As many arcs leave a vertex of an undirected graph as lead to it.
        let row = if directed { row_starts(vertices, &ends, &[0]) } else { into.clone() };
        drop((ends, weights));

        let mut sorted = Self::transpose(&into, &from, weight.as_deref(), row, next);
        sorted.directed = directed;
        drop((from, weight));
        sorted.merge_duplicates();
        Ok(sorted)
    }

    /// The arcs that lead to the vertices, `from[into[v]..into[v + 1]]` to v, as arcs that leave them; `row` says where those of
    /// each vertex start. `next` is room for as many numbers.
    fn transpose(into: &[u32], from: &[u32], weight: Option<&[u32]>, row: Vec<u32>, mut next: Vec<u32>) -> Self {
        next.copy_from_slice(&row);
        let mut sorted =
            Self { col: vec![0; from.len()], weights: weight.map(|_| vec![0; from.len()]), row, directed: true };
        for (v, ends) in (0..).zip(into.windows(2)) {
            for arc in ends[0] as usize..ends[1] as usize {
                let slot = take_slot(&mut next, from[arc]);
                sorted.col[slot] = v;
                if let (Some(out), Some(unsorted)) = (&mut sorted.weights, weight) {
                    out[slot] = unsorted[arc];
                }
            }
        }
        sorted
    }

    /// The graph with every arc turned round. An undirected graph is its own.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut row = vec![0_u32; self.row.len()];
        self.col.iter().for_each(|&v| row[v as usize + 1] += 1);
        sum_up(&mut row);
        let next = row.clone();
        Self { directed: self.directed, ..Self::transpose(&self.row, &self.col, self.weights(), row, next) }
    }

    /// Whether arcs may go one way only.
    #[must_use]
    pub const fn is_directed(&self) -> bool {
        self.directed
    }

    /// The first arc that has no arc back, as the vertices that it leaves and leads to.
    #[must_use]
    pub fn one_way(&self) -> Option<(u32, u32)> {
        let arcs = || (0..self.vertices()).flat_map(|u| self.neighbours(u).iter().map(move |&v| (u, v)));
        arcs().filter(|_| self.directed).find(|&(u, v)| self.neighbours(v).binary_search(&u).is_err())
    }

    /// About the most bytes that are in use at a time while [`from_edges`](Self::from_edges) builds such a graph, its list included.
    #[must_use]
    pub const fn bytes_to_build(vertices: u64, edges: u64, weighted: bool, directed: bool) -> u64 {
        let (words, weight) = (if weighted { 2 } else { 1 }, if weighted { 4 } else { 0 });
        let arcs = 4 * words * edges * if directed { 1 } else { 2 };
        let listed = (8 + weight) * edges + arcs;
        12 * vertices + if listed > 2 * arcs { listed } else { 2 * arcs }
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

    /// The same graph with the weights of an unweighted one: 1..=64, by a hash of the two ends (workloads-G9).
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

    /// Number of arcs: of an undirected graph, twice its edges.
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

    /// Every edge once, ascending, as its ends and its weight (1 in a graph without weights): of an undirected graph the lower end
    /// first, of a directed one that which it leaves.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        (0..self.vertices()).flat_map(move |u| {
            self.arcs(u)
                .map(move |e| (u, self.col[e], self.weights.as_ref().map_or(1, |w| w[e])))
                .filter(move |&(u, v, _)| self.directed || u < v)
        })
    }

    /// How many edges there are: arcs of a directed graph, pairs of them of an undirected one.
    #[must_use]
    pub fn edge_count(&self) -> u32 {
        if self.directed { self.arc_count() } else { self.arc_count() / 2 }
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

/// Start of each row if `ends` are sorted by these ends of theirs; loops are left out.
fn row_starts(vertices: u32, ends: &[[u32; 2]], by: &[usize]) -> Vec<u32> {
    let mut row = vec![0_u32; vertices as usize + 1];
    for edge in ends.iter().filter(|[u, v]| u != v) {
        by.iter().for_each(|&end| row[edge[end] as usize + 1] += 1);
    }
    sum_up(&mut row);
    row
}

/// Makes starts of rows of their lengths.
fn sum_up(row: &mut [u32]) {
    for v in 1..row.len() {
        row[v] += row[v - 1];
    }
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
    fn a_list_of_loops_is_a_graph_without_edges() {
        let csr = Csr::from_edges(list(&[(3, 3, 1)])).unwrap();
        assert_eq!((csr.vertices(), csr.arc_count(), csr.source()), (4, 0, 0));
        assert_eq!(Csr::from_edges(EdgeList::unweighted(1)).unwrap().levels(0), [0]);
        assert!(matches!(Csr::from_edges(EdgeList::unweighted(0)), Err(GraphError::Empty)));
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
            edges in prop::collection::vec((0_u32..20, 0_u32..20, 1_u32..9), 1..80), directed in any::<bool>()
        ) {
            let (mut map, mut back) = (BTreeMap::new(), BTreeMap::new());
            for &(u, v, w) in edges.iter().filter(|(u, v, _)| u != v) {
                for (u, v) in [(u, v), (v, u)].into_iter().take(if directed { 1 } else { 2 }) {
                    for (map, pair) in [(&mut map, (u, v)), (&mut back, (v, u))] {
                        let least: &mut u32 = map.entry(pair).or_insert(w);
                        *least = w.min(*least);
                    }
                }
            }
            let csr = Csr::from_edges(list(&edges).directed(directed)).unwrap();
            let held = |csr: &Csr| -> BTreeMap<_, _> {
                let arcs = (0..csr.vertices()).flat_map(|v| csr.arcs(v).map(move |e| (v, e)));
                arcs.map(|(v, e)| ((v, csr.col()[e]), csr.weights().unwrap()[e])).collect()
            };
            prop_assert!((0..csr.vertices()).all(|v| csr.neighbours(v).is_sorted()));
            prop_assert_eq!(csr.arc_count() as usize, map.len());
            prop_assert_eq!(held(&csr), map.clone());
            prop_assert_eq!(held(&csr.reversed()), back);
            prop_assert_eq!(csr.edges().count(), csr.edge_count() as usize);
            prop_assert_eq!(csr.one_way(), map.keys().copied().find(|&(u, v)| !map.contains_key(&(v, u))));
        }
    }
}
