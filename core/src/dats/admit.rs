//! Admission: can this graph deadlock the buffer? (`dats`, section R)
//!
//! Without `spill`, updates to nodes outside the window wait in the PUB until the window moves; if the oldest node's own updates do
//! not fit, it never does (dats-H1). A host asks before it launches, and chooses `spill` or a larger window where the answer asks for
//! it.
//!
//! ```
//! use gpusched::dats::{Admission, DgbConfig, Node, NodeId, admit};
//!
//! // A node with three children, and room for two nodes, of which one is the parent.
//! let nodes = [Node::new(0, false, 0, 0), Node::new(3, true, 1, 1), Node::new(3, true, 1, 1), Node::new(3, true, 1, 1)];
//! let edges = [NodeId(1), NodeId(2), NodeId(3)];
//! let config = DgbConfig { lna: 2, chunk_bytes: 8, pub_entries: 2, ..DgbConfig::GTX480 };
//! let mut scratch = [0; 4];
//! assert_eq!(admit(&config, &nodes, &edges, &mut scratch)?, Admission::Safe);
//! let small = DgbConfig { pub_entries: 1, ..config };
//! assert_eq!(admit(&small, &nodes, &edges, &mut scratch)?, Admission::Deadlocks { node: NodeId(0) });
//! # Ok::<(), gpusched::TableTooSmall>(())
//! ```

use crate::base::home::TableTooSmall;
use crate::dats::config::{DgbConfig, Prefetch};
use crate::dats::graph::{Node, NodeId};

/// Whether a graph can deadlock the buffer. It is about `spill` off, whatever the setting; with it every graph completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Admission {
    /// No schedule deadlocks, at any number of SMXs, policy and latency.
    Safe,
    /// Some schedule may deadlock.
    MayDeadlock {
        /// The smallest node at which the window may stop.
        node: NodeId,
    },
    /// Every schedule deadlocks.
    Deadlocks {
        /// The smallest node at which the window stops.
        node: NodeId,
    },
    /// A node has more edges than the LEA, so it can never enter the window.
    Oversize {
        /// The smallest such.
        node: NodeId,
    },
}

/// Looks at a graph as [`DepLinks::build`](super::DepLinks::build) makes it, in O(V+E). Another one may get a wrong answer, nothing worse.
///
/// `scratch` needs a counter per node.
///
/// # Errors
/// `scratch` is shorter than `nodes`.
pub fn admit(
    config: &DgbConfig,
    nodes: &[Node],
    edges: &[NodeId],
    scratch: &mut [u32],
) -> Result<Admission, TableTooSmall> {
    let (have, need) = (scratch.len(), nodes.len());
    let incoming = scratch.get_mut(..need).ok_or(TableTooSmall { table: "scratch", have, need })?;
    incoming.fill(0);
    let graph = Csr { nodes, edges };
    let oversize = (0..need as u32).find(|&vid| graph.end(vid).saturating_sub(graph.start(vid)) > config.lea);
    if let Some(vid) = oversize {
        return Ok(Admission::Oversize { node: NodeId(vid as u16) });
    }
    let mut reach = Reach { config, graph, fetched: 0, head: 0 };
    // Parents of the nodes below the head; updates from the nodes so far to those from the head on.
    let (mut parents, mut waiting) = (0u64, 0u64);
    let mut may_deadlock = None;
    for tail in 0..need as u32 {
        let before = reach.head;
        reach.fill(tail);
        for vid in before..reach.head {
            parents += u64::from(graph.node(vid).parents());
            waiting = waiting.saturating_sub(incoming.get(vid as usize).copied().unwrap_or(0).into());
        }
        let mut own = 0;
        for child in graph.children(tail) {
            if let Some(count) = incoming.get_mut(child.0 as usize) {
                *count += 1;
            }
            own += u64::from(u32::from(child.0) >= reach.head);
        }
        waiting += own;
        if waiting > u64::from(config.pub_entries) {
            return Ok(Admission::Deadlocks { node: NodeId(tail as u16) });
        }
        let cut = u64::from(graph.start(reach.final_head(tail))).saturating_sub(parents);
        if own > 0 && cut > u64::from(config.pub_entries) {
            may_deadlock = may_deadlock.or(Some(NodeId(tail as u16)));
        }
    }
    Ok(may_deadlock.map_or(Admission::Safe, |node| Admission::MayDeadlock { node }))
}

/// The arrays of a graph.
#[derive(Clone, Copy)]
struct Csr<'a> {
    nodes: &'a [Node],
    edges: &'a [NodeId],
}

impl Csr<'_> {
    fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    fn node(&self, vid: u32) -> Node {
        self.nodes.get(vid as usize).copied().unwrap_or_default()
    }

    /// `start(i)`; behind the last node that is E.
    fn start(&self, vid: u32) -> u32 {
        self.nodes.get(vid as usize).map_or(self.edges.len() as u32, |node| node.start())
    }

    fn end(&self, vid: u32) -> u32 {
        self.start(vid + 1)
    }

    fn children(&self, vid: u32) -> &[NodeId] {
        self.edges.get(self.start(vid) as usize..self.end(vid) as usize).unwrap_or_default()
    }
}

/// How far the window reaches when every request has been answered and nothing more can be inserted: H(t).
struct Reach<'a> {
    config: &'a DgbConfig,
    graph: Csr<'a>,
    fetched: u32,
    head: u32,
}

impl Reach<'_> {
    /// Moves on to the tail `t`.
    fn fill(&mut self, t: u32) {
        let v = self.graph.len();
        loop {
            if self.head < self.fetched {
                if !self.is_insertable(t) {
                    break;
                }
                self.head += 1;
                continue;
            }
            let missing = v - self.fetched;
            let chunk = missing.min(self.config.chunk_nodes());
            let room = self.config.lna.saturating_sub(self.head.saturating_sub(t));
            if chunk == 0 || !(self.config.prefetch == Prefetch::Eager || room >= chunk) {
                break;
            }
            self.fetched += chunk;
        }
    }

    /// dats-I1 to I3 of dats-S2, with the tail `t`.
    fn is_insertable(&self, t: u32) -> bool {
        let (graph, lea, head) = (self.graph, self.config.lea, self.head);
        let from = graph.start(t);
        let end_is_known = head + 1 < self.fetched || self.fetched == graph.len();
        head.saturating_sub(t) < self.config.lna
            && graph.start(head).saturating_sub(from) <= lea
            && (graph.node(head).is_childless() || !end_is_known || graph.end(head).saturating_sub(from) <= lea)
    }

    /// K(t): the first node from the tail on that cannot be finalised at this tail.
    fn final_head(&self, t: u32) -> u32 {
        let (graph, head) = (self.graph, self.head);
        let Some(last) = head.checked_sub(1) else { return 0 };
        let end_is_unknown = head == self.fetched && self.fetched < graph.len();
        let has_no_room = graph.end(last).saturating_sub(graph.start(t)) > self.config.lea;
        if !graph.node(last).is_childless() && (end_is_unknown || has_no_room) { last } else { head }
    }
}
