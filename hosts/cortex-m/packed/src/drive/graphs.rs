//! What comes with the dependency-graph buffer: the builder, the admission check, its storage.

use alloc::vec;
use alloc::vec::Vec;

use gpusched::dats::{
    DepLinks, DepLinksError, DepLinksRow, DgbConfig, GraphPolicy, GraphStorage, Node, NodeId, admit, dgb_storage_bits,
};
use gpusched::{BuildError, Dim3};
use gpusched_abi::convert::{ToC, from_c};

use super::Refused;
use crate::{Bytes, Damaged, Op, Reader, Record};

/// What comes with the buffer, and needs none.
pub(super) fn function(op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
    match op {
        Op::DgbNew => {
            let built = gpusched_heap::dats::machine(&config(from)?);
            built.map(drop).map_err(|error| match error {
                BuildError::Config(error) => Refused::Fault(error.fault),
                BuildError::Tables(_) => Refused::Damaged,
            })
        }
        Op::DgbStorage => {
            dgb_storage_bits(&config(from)?).total().put(to);
            Ok(())
        }
        Op::Admit => admission(from, to),
        Op::Build => build(from, to),
        _ => Err(Refused::Damaged),
    }
}

fn config(from: &mut Reader<'_>) -> Result<DgbConfig, Damaged> {
    let (config, _of_c) = (from.get()?, from.get::<&[u8]>()?);
    postcard::from_bytes(config).map_err(|_| Damaged)
}

fn admission(from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
    let (config, nodes, edges) = (config(from)?, from.get::<Vec<Node>>()?, from.get::<Vec<NodeId>>()?);
    let mut scratch = vec![0; nodes.len()];
    admit(&config, &nodes, &edges, &mut scratch).map_err(|_| Refused::Damaged)?.to_c().put(to);
    Ok(())
}

/// What a mapping function asks for.
enum Link {
    Parent(i64, i64, i64),
    Policy(GraphPolicy),
}

fn link(from: &mut Reader<'_>) -> Result<Link, Damaged> {
    let at = |from: &mut Reader<'_>| from.get().map(u64::cast_signed);
    match from.get::<u8>()? {
        0 => Ok(Link::Parent(at(from)?, at(from)?, at(from)?)),
        1 => from.get().map(from_c).map(Link::Policy),
        _ => Err(Damaged),
    }
}

fn build(from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
    let grid = Dim3 { x: from.get()?, y: from.get()?, z: from.get()? };
    let room = from.get::<u32>()? as usize;
    let asked: Vec<Vec<Link>> = from.list(|from| from.list(link))?;
    graph_of(grid, room, asked, to).map_err(|error| {
        error.put(to);
        Refused::Fault(error.fault())
    })
}

/// Writes the graph that mapping functions ask for, with room for so many edges.
fn graph_of(grid: Dim3, room: usize, asked: Vec<Vec<Link>>, to: &mut Bytes) -> Result<(), DepLinksError> {
    let tbs = DepLinks::nodes_of(grid)? as usize;
    let (mut nodes, mut order) = (vec![Node::default(); tbs], vec![0; tbs]);
    let (mut edges, mut parents) = (vec![NodeId(0); room], vec![0; room]);
    let mut rows = vec![DepLinksRow::default(); tbs];
    let storage = GraphStorage {
        nodes: &mut nodes,
        edges: &mut edges,
        order: &mut order,
        parents: &mut parents,
        rows: &mut rows,
    };
    let mut asked = asked.into_iter();
    let graph = DepLinks::build(grid, storage, |_, links| {
        asked.next().unwrap_or_default().into_iter().try_for_each(|link| match link {
            Link::Parent(x, y, z) => links.add_dependency(x, y, z),
            Link::Policy(policy) => links.set_policy(policy),
        })
    })?;
    graph.put(to);
    Ok(())
}
