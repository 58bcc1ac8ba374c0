//! The dependency-graph buffer alone, and what comes with it: the builder, the admission check, its storage.

use alloc::vec::Vec;

use gpusched::dats::{
    Admission, DepLinks, DepLinksError, Dgb, DgbConfig, GraphLaunch, GraphPolicy, GraphStorage, NodeId, admit,
    dgb_image_config, dgb_storage_bits,
};
use gpusched::{Dim3, Fault, ImageError, KernelSlot, SliceTables};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::dats::admit::gpusched_admission;
use gpusched_abi::dats::verbs::{gpusched_dgb_selection, gpusched_graph_report};
use gpusched_packed::{Damaged, Op, Reader, Record};

use super::arena::Arena;
use super::{Records, Replayed, Stop, graph, machine};

/// A buffer, and memory for what comes with it.
pub(super) struct Machine<'a> {
    buffer: Buffer<'a>,
    memory: Arena<'a>,
}

type Buffer<'a> = Dgb<SliceTables<'a>>;

impl<'a> Replayed<'a> for Buffer<'a> {
    machine!(Dgb of DgbConfig, dgb_image_config, gpusched::dats);

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Records) -> Result<Result<(), Fault>, Stop> {
        Ok(match op {
            Op::DgbLaunch => {
                let kdei = KernelSlot(graph::narrow(from)?);
                let launched = self.launch(&GraphLaunch { kdei, graph: graph::header(from)? });
                launched.map_or_else(|error| graph::told(Err::<u32, _>(error), to), Ok)
            }
            Op::DgbPoll => graph::request(self.poll(), to),
            Op::DgbNodes => {
                let (tag, entries) = (from.get()?, graph::nodes(from)?);
                graph::report(self.nodes(tag, &entries), to)
            }
            Op::DgbEdges => {
                let (tag, targets) = (from.get()?, graph::edges(from)?);
                graph::report(self.edges(tag, &targets), to)
            }
            Op::DgbSpilled => graph::report(self.spilled(from.get()?), to),
            Op::DgbSelect => {
                let selection = self.select(&graph::set(from)?);
                graph::told(selection.map(gpusched_dgb_selection::from), to)
            }
            Op::DgbComplete => {
                let completion = self.complete(NodeId(graph::narrow(from)?));
                graph::told(completion.map(gpusched_graph_report::from), to)
            }
            Op::DgbAbort => {
                self.abort().put(to);
                Ok(())
            }
            _ => return Err(Stop::Damaged),
        })
    }
}

impl<'a> Replayed<'a> for Machine<'a> {
    fn build(config: &[u8], arena: &mut Arena<'a>) -> Result<Result<Self, Fault>, Stop> {
        let memory = arena.clone();
        Ok(Buffer::build(config, arena)?.map(|buffer| Self { buffer, memory }))
    }

    fn restore(image: &[u8], arena: &mut Arena<'a>) -> Result<Result<Self, ImageError>, Stop> {
        let memory = arena.clone();
        Ok(<Buffer<'a> as Replayed>::restore(image, arena)?.map(|buffer| Self { buffer, memory }))
    }

    fn image(&self) -> Vec<u8> {
        self.buffer.image()
    }

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Records) -> Result<Result<(), Fault>, Stop> {
        match op {
            Op::DgbNew => {
                let (config, _of_c) = (from.get()?, from.get::<&[u8]>()?);
                Ok(Buffer::build(config, &mut self.memory)?.map(drop))
            }
            Op::DgbStorage => {
                dgb_storage_bits(&config(from)?).total().put(to);
                Ok(Ok(()))
            }
            Op::Admit => admission(from, to),
            Op::Build => build(from, &self.memory, to),
            _ => self.buffer.event(op, from, to),
        }
    }
}

fn config(from: &mut Reader<'_>) -> Result<DgbConfig, Damaged> {
    let (config, _of_c) = (from.get()?, from.get::<&[u8]>()?);
    postcard::from_bytes(config).map_err(|_| Damaged)
}

fn admission(from: &mut Reader<'_>, to: &mut Records) -> Result<Result<(), Fault>, Stop> {
    use gpusched_admission as Verdict;
    let (config, nodes, edges) = (config(from)?, graph::nodes(from)?, graph::edges(from)?);
    let mut scratch = alloc::vec![0; nodes.len()];
    let found = admit(&config, &nodes, &edges, &mut scratch).map_err(|_| Stop::NoMemory)?;
    let (verdict, node) = match found {
        Admission::Safe => (Verdict::Safe, None),
        Admission::MayDeadlock { node } => (Verdict::MayDeadlock, Some(node)),
        Admission::Deadlocks { node } => (Verdict::Deadlocks, Some(node)),
        Admission::Oversize { node } => (Verdict::Oversize, Some(node)),
    };
    (verdict as u32).put(to);
    node.map_or(GPUSCHED_NONE, u32::from).put(to);
    Ok(Ok(()))
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

fn build(from: &mut Reader<'_>, memory: &Arena<'_>, to: &mut Records) -> Result<Result<(), Fault>, Stop> {
    let grid = Dim3 { x: from.get()?, y: from.get()?, z: from.get()? };
    let room = from.get::<u32>()? as usize;
    let asked: Vec<Vec<Link>> = from.list(|from| from.list(link))?;
    let refused = |error: DepLinksError, to: &mut Records| {
        error.put(to);
        Ok(Err(error.fault()))
    };
    let v = match DepLinks::nodes_of(grid) {
        Ok(v) => v as usize,
        Err(error) => return refused(error, to),
    };
    let storage = GraphStorage {
        nodes: memory.take(v).ok_or(Stop::NoMemory)?,
        edges: memory.take(room).ok_or(Stop::NoMemory)?,
        order: memory.take(v).ok_or(Stop::NoMemory)?,
        parents: memory.take(room).ok_or(Stop::NoMemory)?,
        rows: memory.take(v).ok_or(Stop::NoMemory)?,
    };
    let mut asked = asked.into_iter();
    let graph = DepLinks::build(grid, storage, |_, links| {
        asked.next().unwrap_or_default().into_iter().try_for_each(|link| match link {
            Link::Parent(x, y, z) => links.add_dependency(x, y, z),
            Link::Policy(policy) => links.set_policy(policy),
        })
    });
    match graph {
        Ok(graph) => {
            graph.put(to);
            Ok(Ok(()))
        }
        Err(error) => refused(error, to),
    }
}
