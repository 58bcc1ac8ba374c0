//! Requests, and their answers (`dats`, sections M, N, E and P).

use gpusched::dats::{GraphError, GraphHeader, Node, NodeFlaw, NodeId, Request};

use super::graph::{Arrived, Running, id};

impl Running<'_> {
    // ---- M

    pub(super) fn poll(&mut self, tag: u32) -> Option<Request> {
        let edge_limit = self.g.tail_edge + self.lea();
        let edge_need = self.edge_need();
        let GraphHeader { node_base, edge_base, .. } = self.g.header;
        if let Some((node, asked @ None)) = &mut self.g.decrement {
            *asked = Some(tag);
            self.g.stats.spills += 1;
            return Some(Request::Decrement { tag, node: id(*node), addr: node_base + 8 * *node as u64 });
        }
        let first = self.g.edge_head();
        if self.g.edges_asked.is_none() && first < edge_need.min(edge_limit) {
            let next_chunk = (first / self.chunk_edges() + 1) * self.chunk_edges();
            let count = next_chunk.min(self.g.e).min(edge_limit) - first;
            self.g.edges_asked = Some((tag, first, count));
            self.g.stats.edge_requests += 1;
            let addr = edge_base + 2 * first as u64;
            return Some(Request::Edges { tag, first: first as u32, count: count as u32, addr });
        }
        if self.wants_nodes() {
            let first = self.g.fetched();
            let count = self.chunk_nodes().min(self.g.v - first);
            self.g.nodes_asked = Some((tag, first, count));
            self.g.stats.node_requests += 1;
            let addr = node_base + 8 * first as u64;
            return Some(Request::Nodes { tag, first: first as u32, count: count as u32, addr });
        }
        None
    }

    // ---- N

    pub(super) fn check_nodes(&self, first: usize, entries: &[Node]) -> Result<(), GraphError> {
        let g = &self.g;
        let entry = |i: usize| -> (usize, bool, usize, usize) {
            if i < first {
                let n = &g.nodes[i];
                (n.start, n.childless, n.parents, n.level)
            } else {
                let n = entries[i - first];
                (n.start() as usize, n.is_childless(), n.parents().into(), n.level().into())
            }
        };
        for i in first..first + entries.len() {
            let (start, childless, parents, level) = entry(i);
            let before = i.checked_sub(1).map(entry);
            let last = i == g.v - 1;
            let bad = |node: usize, what| Err(GraphError::BadGraph { node: id(node), what });
            let least = before.map_or(0, |b| b.0);
            if start < least || start > g.e || (i == 0 && start != 0) || (last && start != g.e) {
                return bad(i, NodeFlaw::EdgeStart);
            }
            if before.is_some_and(|b| b.1 != (b.0 == start)) {
                return bad(i - 1, NodeFlaw::Childless);
            }
            if last && !childless {
                return bad(i, NodeFlaw::Childless);
            }
            if !self.c.spill && before.is_some_and(|b| start - b.0 > self.lea()) {
                return bad(i - 1, NodeFlaw::Oversize);
            }
            let levels = before.map_or(0..=0, |b| b.3..=b.3 + 1);
            if !levels.contains(&level) {
                return bad(i, NodeFlaw::Level);
            }
            if (level == 0 && parents > 0) || (!self.c.spill && level > 0 && parents == 0) {
                return bad(i, NodeFlaw::Parents);
            }
        }
        Ok(())
    }

    pub(super) fn nodes(&mut self, tag: u32, entries: &[Node]) -> Result<(), GraphError> {
        let Some((_, first, count)) = self.g.nodes_asked.filter(|asked| asked.0 == tag) else {
            return Err(GraphError::StaleTag);
        };
        if entries.len() != count {
            return Err(GraphError::BadLength);
        }
        self.check_nodes(first, entries)?;
        self.g.nodes_asked = None;
        let arrived = |n: &Node| Arrived {
            start: n.start() as usize,
            childless: n.is_childless(),
            parents: n.parents().into(),
            level: n.level().into(),
            state: None,
        };
        self.g.nodes.extend(entries.iter().map(arrived));
        Ok(())
    }

    // ---- E

    pub(super) fn edges(&mut self, tag: u32, targets: &[NodeId]) -> Result<(), GraphError> {
        let Some((_, first, count)) = self.g.edges_asked.filter(|asked| asked.0 == tag) else {
            return Err(GraphError::StaleTag);
        };
        if targets.len() != count {
            return Err(GraphError::BadLength);
        }
        let good = |t: &NodeId| (1..self.g.v).contains(&usize::from(t.0));
        if let Some(i) = targets.iter().position(|t| !good(t)) {
            return Err(GraphError::BadEdge { edge: (first + i) as u32 });
        }
        self.g.edges_asked = None;
        self.g.edges.extend(targets.iter().map(|t| usize::from(t.0)));
        Ok(())
    }

    // ---- P

    pub(super) fn spilled(&mut self, tag: u32) -> Result<(), GraphError> {
        if !matches!(self.g.decrement, Some((_, Some(asked))) if asked == tag) {
            return Err(GraphError::StaleTag);
        }
        self.g.decrement = None;
        self.applied();
        Ok(())
    }

    /// An edge of the spilling node has been applied.
    pub(super) fn applied(&mut self) {
        let (_, cursor) = self.g.spill.as_mut().expect("a node spills");
        *cursor += 1;
        self.g.tail_edge = *cursor;
        self.report.updates += 1;
    }
}
