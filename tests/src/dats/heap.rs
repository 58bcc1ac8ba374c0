//! Homes on the heap: the DGB's, and one for a graph that is built.

use gpusched::Dim3;
use gpusched::dats::{DepLinks, DepLinksError, DepLinksRow, Graph, GraphStorage, Node, NodeId};

pub use gpusched_heap::dats::{HeapTables, machine, tables};

use super::deplinks::{Built, Link};

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
