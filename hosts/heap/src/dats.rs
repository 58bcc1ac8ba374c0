//! The dependency-graph buffer.

use alloc::vec;
use alloc::vec::Vec;

use gpusched::BuildError;
use gpusched::dats::{Dgb, DgbConfig, LocalNode, Node, NodeId, TableSet, TableSizes, Tables};

/// Tables as vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeapTables;

impl Tables for HeapTables {
    type LocalNodes = Vec<LocalNode>;
    type LocalEdges = Vec<NodeId>;
    type PendingUpdates = Vec<NodeId>;
    type Insertions = Vec<Node>;
    type StateWords = Vec<u64>;
}

/// A machine with exactly the rows that `config` needs.
///
/// # Errors
/// A value out of its range; nothing is allocated then.
pub fn machine(config: &DgbConfig) -> Result<Dgb<HeapTables>, BuildError> {
    config.check().map_err(BuildError::Config)?;
    Dgb::with_tables(config, tables(config))
}

/// Tables with exactly the rows that `config`, within its ranges, needs.
#[must_use]
pub fn tables(config: &DgbConfig) -> TableSet<HeapTables> {
    let TableSizes { local_nodes, local_edges, pending_updates, insertions, state_words } = TableSizes::of(config);
    TableSet {
        local_nodes: vec![LocalNode::default(); local_nodes],
        local_edges: vec![NodeId::default(); local_edges],
        pending_updates: vec![NodeId::default(); pending_updates],
        insertions: vec![Node::default(); insertions],
        state_words: vec![0; state_words],
    }
}
