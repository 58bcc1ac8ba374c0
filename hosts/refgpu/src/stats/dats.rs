//! What the dependency-graph buffer did.

use gpusched::Words;
use gpusched::dats::{Admission, DgbStats};
use serde::{Deserialize, Serialize};

/// Counts of the dependency-graph buffer, over all graphs of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatsStats {
    /// Nodes of the graphs.
    pub nodes: u64,
    /// Their edges.
    pub edges: u64,
    /// Whether the last graph could have deadlocked the buffer.
    pub admission: Option<Admission>,
    /// Requests for chunks of nodes.
    pub node_requests: u64,
    /// Requests for edges.
    pub edge_requests: u64,
    /// Updates that went to parent counts in memory.
    pub decrements: u64,
    /// All of these in lines: what L2 saw of them.
    pub requests: u64,
    /// Cycles from a request to its answer, summed.
    pub request_cycles: u64,
    /// The most entries that the PUB held.
    pub pub_max: u32,
    /// The greatest distance between the levels of nodes that executed at the same time, as the buffer counts: with relay TBs.
    pub max_level_range: u32,
    /// Cycles in which no node was ready.
    pub no_ready: u64,
    /// Cycles in which the ready nodes waited for their successor's entry or for edges.
    pub head: u64,
    /// Cycles in which the ready node was too many levels ahead.
    pub level_bound: u64,
    /// Cycles in which a ready node found no SMX with room.
    pub no_room: u64,
}

impl DatsStats {
    /// Adds what the buffer counted for a graph.
    pub(crate) fn add(&mut self, of: DgbStats) {
        self.node_requests += u64::from(of.node_requests);
        self.edge_requests += u64::from(of.edge_requests);
        self.decrements += u64::from(of.spills);
        self.pub_max = self.pub_max.max(of.pub_max);
        self.max_level_range = self.max_level_range.max(of.max_level_range);
    }

    /// Takes the stalls from the scheduler's words.
    pub(crate) fn with_words(self, words: &Words) -> Self {
        Self {
            no_ready: words.g_no_ready,
            head: words.g_head,
            level_bound: words.g_level_bound,
            no_room: words.noroom,
            ..self
        }
    }
}
