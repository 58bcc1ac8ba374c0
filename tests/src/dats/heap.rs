//! A home for the DGB's tables on the heap, and for a graph that is built.

use gpusched::dats::{
    DepLinks, DepLinksError, DepLinksRow, Dgb, DgbConfig, Graph, GraphStorage, LocalNode, Node, NodeId, TableSet,
    TableSizes, Tables,
};
use gpusched::{BuildError, Dim3};

use super::deplinks::{Built, Link};

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

/// The graph of a mapping, with room for `edge_cap` edges.
///
/// # Errors
/// Those of the builder.
pub fn build(grid: Dim3, edge_cap: usize, links: &dyn Fn(Dim3) -> Vec<Link>) -> Result<Built, DepLinksError> {
    let tbs = DepLinks::nodes_of(grid)? as usize;
    // What stands in the arrays does not matter.
    let (mut nodes, mut order) = (vec![Node::new(9, true, 9, 9); tbs], vec![9; tbs]);
    let (mut edges, mut parents) = (vec![NodeId(9); edge_cap], vec![9; edge_cap]);
    let mut rows = vec![DepLinksRow::default(); tbs];
    let storage = GraphStorage {
        nodes: &mut nodes,
        edges: &mut edges,
        order: &mut order,
        parents: &mut parents,
        rows: &mut rows,
    };
    let graph = DepLinks::build(grid, storage, |block, dep_links| {
        links(block).into_iter().try_for_each(|link| match link {
            Link::Parent(x, y, z) => dep_links.add_dependency(x, y, z),
            Link::Policy(policy) => dep_links.set_policy(policy),
        })
    })?;
    let Graph { nodes, edges, order, policy, levels } = graph;
    Ok(Built { nodes: nodes.to_vec(), edges: edges.to_vec(), order: order.to_vec(), policy, levels })
}
