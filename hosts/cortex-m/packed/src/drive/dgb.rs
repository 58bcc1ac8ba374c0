//! The dependency-graph buffer alone, and what comes with it: the builder, the admission check, its storage.

use alloc::vec;
use alloc::vec::Vec;

use gpusched::dats::{
    Admission, DepLinks, DepLinksError, DepLinksRow, Dgb, DgbConfig, GraphLaunch, GraphPolicy, GraphStorage, Node,
    NodeId, Tables, admit, dgb_storage_bits,
};
use gpusched::{BuildError, Dim3};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::dats::admit::gpusched_admission;
use gpusched_abi::dats::verbs::{gpusched_dgb_selection, gpusched_graph_report};

use super::{Driven, Functions, Refused, graph, image};
use crate::{Bytes, Damaged, Op, Reader, Record};

impl<T: Tables> Driven for Dgb<T> {
    image!();

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
            Op::DgbLaunch => {
                let (kdei, graph) = (from.row()?, graph::header(from)?);
                let launched = self.launch(&GraphLaunch { kdei, graph });
                if let Err(error) = launched {
                    graph::told::<u32>(Err::<u32, _>(error), to)?;
                }
            }
            Op::DgbPoll => graph::request(self.poll(), to)?,
            Op::DgbNodes => {
                let (tag, entries) = (from.get()?, graph::nodes(from)?);
                graph::report(self.nodes(tag, &entries), to)?;
            }
            Op::DgbEdges => {
                let (tag, targets) = (from.get()?, graph::edges(from)?);
                graph::report(self.edges(tag, &targets), to)?;
            }
            Op::DgbSpilled => graph::report(self.spilled(from.get()?), to)?,
            Op::DgbSelect => graph::told::<gpusched_dgb_selection>(self.select(&graph::set(from)?), to)?,
            Op::DgbComplete => graph::told::<gpusched_graph_report>(self.complete(from.row()?), to)?,
            Op::DgbAbort => self.abort().put(to),
            // What comes with it.
            _ => Functions.event(op, from, to)?,
        }
        Ok(())
    }
}

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
    use gpusched_admission as Verdict;
    let (config, nodes, edges) = (config(from)?, graph::nodes(from)?, graph::edges(from)?);
    let mut scratch = vec![0; nodes.len()];
    let found = admit(&config, &nodes, &edges, &mut scratch).map_err(|_| Refused::Damaged)?;
    let (verdict, node) = match found {
        Admission::Safe => (Verdict::Safe, None),
        Admission::MayDeadlock { node } => (Verdict::MayDeadlock, Some(node)),
        Admission::Deadlocks { node } => (Verdict::Deadlocks, Some(node)),
        Admission::Oversize { node } => (Verdict::Oversize, Some(node)),
    };
    (verdict as u32).put(to);
    node.map_or(GPUSCHED_NONE, u32::from).put(to);
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
        1 => graph::policy(from).map(Link::Policy),
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
