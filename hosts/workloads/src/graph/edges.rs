//! A list of edges, as a generator draws it or a file gives it: the one way into a [`Csr`](super::Csr).

use super::fnv1a;

/// Most edges of a list, so that both directions of each stay within 2^31 arcs (workloads-W11).
pub const MAX_EDGES: u64 = 1 << 30;

/// Edges in the order in which they were listed, loops and duplicates included.
///
/// Either every edge has a weight or none has: the list is made as one or the other. Likewise, either all edges go both ways, or
/// all go from the first end to the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeList {
    vertices: u32,
    ends: Vec<[u32; 2]>,
    weights: Option<Vec<u32>>,
    directed: bool,
}

impl EdgeList {
    /// An empty list over `vertices` vertices, whose edges have no weights.
    #[must_use]
    pub const fn unweighted(vertices: u32) -> Self {
        Self { vertices, ends: Vec::new(), weights: None, directed: false }
    }

    /// An empty list over `vertices` vertices, whose edges have weights.
    #[must_use]
    pub const fn weighted(vertices: u32) -> Self {
        Self { vertices, ends: Vec::new(), weights: Some(Vec::new()), directed: false }
    }

    /// The same list, whose edges go one way if `directed` says so, from the first end to the second.
    #[must_use]
    pub fn directed(self, directed: bool) -> Self {
        Self { directed, ..self }
    }

    /// Appends the edge `u`-`v`. A vertex number beyond the graph enlarges it. `weight` is kept by a weighted list and
    /// ignored by one without weights.
    ///
    /// # Panics
    /// If an end is `u32::MAX`, which numbers no vertex.
    pub fn push(&mut self, u: u32, v: u32, weight: u32) {
        assert!(u.max(v) < u32::MAX, "vertex number out of range");
        self.vertices = self.vertices.max(u.max(v) + 1);
        self.ends.push([u, v]);
        if let Some(weights) = &mut self.weights {
            weights.push(weight);
        }
    }

    /// Whether edges go one way.
    #[must_use]
    pub const fn is_directed(&self) -> bool {
        self.directed
    }

    /// Vertices of the graph.
    #[must_use]
    pub const fn vertices(&self) -> u32 {
        self.vertices
    }

    /// The two ends of each edge.
    #[must_use]
    pub fn ends(&self) -> &[[u32; 2]] {
        &self.ends
    }

    /// The weight of each edge.
    #[must_use]
    pub fn weights(&self) -> Option<&[u32]> {
        self.weights.as_deref()
    }

    /// FNV-1a 64 over the ends, in listed order.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        fnv1a(self.ends.iter().flatten().copied())
    }

    /// Asks for room for `edges` more at once.
    pub(crate) fn reserve(&mut self, edges: usize) {
        self.ends.reserve_exact(edges);
        if let Some(weights) = &mut self.weights {
            weights.reserve_exact(edges);
        }
    }

    /// Gives every edge the next weight that `draw` returns.
    pub(crate) fn draw_weights(&mut self, draw: impl FnMut() -> u32) {
        self.weights = Some(std::iter::repeat_with(draw).take(self.ends.len()).collect());
    }

    /// The parts: vertices, ends, weights.
    pub(crate) fn into_parts(self) -> (u32, Vec<[u32; 2]>, Option<Vec<u32>>) {
        (self.vertices, self.ends, self.weights)
    }
}
