//! Vectors of the dependency-graph buffer alone, and of what comes with it: the builder, the admission check, its storage.

use std::cell::RefCell;

use gpusched::dats::{
    Admission, DepLinksError, Dgb, DgbConfig, Graph, GraphError, GraphHeader, GraphLaunch, Node, NodeId,
    dgb_storage_bits,
};
use gpusched::{Dim3, Fault};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::dats::admit::gpusched_admission;
use gpusched_abi::dats::graph::{gpusched_graph_error, gpusched_graph_header};
use gpusched_abi::dats::verbs::{gpusched_dgb_selection, gpusched_graph_report, gpusched_graph_request};
use gpusched_packed::{Op, Record, Sink};

use super::frontend::{header, set};
use super::tape::{self, Bytes};
use crate::dats::deplinks::{Built, Link};
use crate::dats::event::{Answer, Answered, Event};
use crate::dats::heap::{self, HeapTables};
use crate::dats::view::View;
use crate::dats::{Machine, OfCore, Parts};
use crate::through_c::dats::c_config;

/// The parts of the core; the machine writes down what it is asked and answers, and so does what stands alone.
pub struct Recorded(Dgb<HeapTables>);

fn state(machine: &Dgb<HeapTables>) -> u32 {
    let mut image = vec![0; machine.image_len()];
    machine.save(&mut image).expect("the image has its length");
    tape::state(&image)
}

impl Parts for Recorded {
    type Machine = Self;

    fn machine(config: &DgbConfig) -> Result<Self, &'static str> {
        let built = OfCore::machine(config);
        // A buffer has no other fault of its configuration.
        let known = built.as_ref().map_err(|_| Fault::BadConfig);
        if tape::has_started() {
            let arguments = |to: &mut Bytes| to.config(config, &c_config(config));
            tape::event(Op::DgbNew, arguments, known.map(drop), |_| {}, None);
        } else {
            tape::start(config, &c_config(config), known.map(state));
        }
        built.map(Self)
    }

    fn storage_bits(config: &DgbConfig) -> u64 {
        let bits = dgb_storage_bits(config).total();
        let arguments = |to: &mut Bytes| to.config(config, &c_config(config));
        tape::event(Op::DgbStorage, arguments, Ok(()), |to| bits.put(to), None);
        bits
    }

    fn admit(config: &DgbConfig, nodes: &[Node], edges: &[NodeId]) -> Admission {
        let admission = OfCore::admit(config, nodes, edges);
        let arguments = |to: &mut Bytes| {
            to.config(config, &c_config(config));
            nodes.put(to);
            edges.put(to);
        };
        use gpusched_admission as Verdict;
        let (verdict, node) = match admission {
            Admission::Safe => (Verdict::Safe, None),
            Admission::MayDeadlock { node } => (Verdict::MayDeadlock, Some(node)),
            Admission::Deadlocks { node } => (Verdict::Deadlocks, Some(node)),
            Admission::Oversize { node } => (Verdict::Oversize, Some(node)),
        };
        let answer = |to: &mut Bytes| {
            (verdict as u32).put(to);
            node.map_or(GPUSCHED_NONE, u32::from).put(to);
        };
        tape::event(Op::Admit, arguments, Ok(()), answer, None);
        admission
    }

    fn build(grid: Dim3, edge_cap: usize, links: &dyn Fn(Dim3) -> Vec<Link>) -> Result<Built, DepLinksError> {
        let asked = RefCell::new(Vec::new());
        let built = heap::build(grid, edge_cap, &|block| {
            let links = links(block);
            asked.borrow_mut().push(links.clone());
            links
        });
        let asked = asked.into_inner();
        let parents = asked.iter().flatten().filter(|link| matches!(link, Link::Parent(..))).count();
        let arguments = |to: &mut Bytes| {
            [grid.x, grid.y, grid.z].iter().for_each(|extent| extent.put(to));
            // Room for more edges than are named changes nothing.
            (edge_cap.min(parents) as u32).put(to);
            to.count(asked.len());
            for links in &asked {
                to.count(links.len());
                links.iter().for_each(|link| write_link(link, to));
            }
        };
        let result = built.as_ref().map(drop).map_err(|error| error.fault());
        let answer = |to: &mut Bytes| match &built {
            Ok(Built { nodes, edges, order, policy, levels }) => {
                Graph { nodes, edges, order, policy: *policy, levels: *levels }.put(to);
            }
            Err(error) => error.put(to),
        };
        tape::event(Op::Build, arguments, result, answer, None);
        built
    }
}

fn write_link(link: &Link, to: &mut Bytes) {
    match *link {
        Link::Parent(x, y, z) => {
            0_u8.put(to);
            [x, y, z].iter().for_each(|at| at.cast_unsigned().put(to));
        }
        Link::Policy(policy) => {
            1_u8.put(to);
            let header = gpusched_graph_header::from(&GraphHeader { policy, ..GraphHeader::default() });
            header.policy.put(to);
            header.bound.put(to);
        }
    }
}

impl Machine for Recorded {
    type Mark = Dgb<HeapTables>;

    fn take(&mut self, event: &Event) -> Answered {
        let answered = self.0.take(event);
        let mut arguments = Bytes::default();
        let op = write(event, &mut arguments);
        let (result, state) = (answered.map(drop).map_err(GraphError::fault), state(&self.0));
        tape::event(op, |to| to.put(&arguments.0), result, |to| records(&answered, to), Some(state));
        answered
    }

    fn view(&self) -> View {
        self.0.view()
    }

    fn mark(&self) -> Self::Mark {
        self.0.mark()
    }
}

fn write(event: &Event, to: &mut Bytes) -> Op {
    match event {
        Event::Launch(GraphLaunch { kdei, graph }) => {
            u32::from(*kdei).put(to);
            header(graph, to);
            Op::DgbLaunch
        }
        Event::Poll => Op::DgbPoll,
        Event::Nodes(tag, entries) => {
            tag.put(to);
            entries[..].put(to);
            Op::DgbNodes
        }
        Event::Edges(tag, targets) => {
            tag.put(to);
            targets[..].put(to);
            Op::DgbEdges
        }
        Event::Spilled(tag) => {
            tag.put(to);
            Op::DgbSpilled
        }
        Event::Select(fits) => {
            set(fits, to);
            Op::DgbSelect
        }
        Event::Complete(node) => {
            u32::from(*node).put(to);
            Op::DgbComplete
        }
        Event::Abort => Op::DgbAbort,
    }
}

fn records(answered: &Answered, to: &mut Bytes) {
    match *answered {
        Ok(Answer::Done) => {}
        Ok(Answer::Request(request)) => gpusched_graph_request::from(request).put(to),
        Ok(Answer::Report(report)) => gpusched_graph_report::from(report).put(to),
        Ok(Answer::Selection(selection)) => gpusched_dgb_selection::from(selection).put(to),
        Ok(Answer::Completion(completion)) => gpusched_graph_report::from(completion).put(to),
        Ok(Answer::Executing(executing)) => executing.put(to),
        Err(error) => gpusched_graph_error::from(error).put(to),
    }
}
