//! The dependency-graph buffer alone, through C and in Rust.

#![no_main]

use arbitrary::{Result, Unstructured};
use gpusched::dats::{
    Dgb, DgbConfig, GraphError, GraphHeader, GraphLaunch, GraphPolicy, Node, NodeId, NodeState, Request,
    dgb_image_config,
};
use gpusched::{KernelSlot, SmxSet};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_fuzz::bytes::{Bytes, number};
use gpusched_fuzz::choose;
use gpusched_fuzz::twins::{Twins, run, status};
use gpusched_tests::dats::Machine;
use gpusched_tests::dats::event::{Answer, Answered, Event};
use gpusched_tests::dats::heap::{HeapTables, machine, tables};
use gpusched_tests::dats::memory::Memory;
use gpusched_tests::dats::view::View;
use gpusched_tests::through_c::dats::{self, ThroughC};
use libfuzzer_sys::fuzz_target;

/// Both, and what their host knows.
struct Pair {
    c: ThroughC,
    rust: Dgb<HeapTables>,
    memory: Memory,
    /// Requests without answer.
    asked: Vec<Request>,
}

/// A call, and the graph that it launches.
#[derive(Debug)]
struct Call {
    event: Event,
    memory: Option<Memory>,
}

/// A graph of a few nodes, each of which needs some of those before it; now and then something else stands in memory.
fn memory(u: Bytes) -> Result<Memory> {
    let parents = |tb: u32, u: Bytes| {
        let n = u.int_in_range(0..=3u32)?;
        (0..n.min(tb)).map(|_| u.int_in_range(0..=tb - 1)).collect::<Result<Vec<u32>>>()
    };
    let tbs = u.int_in_range(1..=12u32)?;
    let mut memory = Memory::of_parents(&(0..tbs).map(|tb| parents(tb, u)).collect::<Result<Vec<_>>>()?);
    if u.ratio(1, 4)? {
        let at = u.choose_index(memory.nodes.len())?;
        memory.nodes[at] = node(u, memory.nodes[at])?;
    }
    if u.ratio(1, 4)? && !memory.edges.is_empty() {
        let at = u.choose_index(memory.edges.len())?;
        memory.edges[at] = NodeId(u.int_in_range(0..=12)?);
    }
    Ok(memory)
}

/// A node that is not this one.
fn node(u: Bytes, node: Node) -> Result<Node> {
    if u.ratio(1, 4)? {
        return Ok(Node::from_bits(u.arbitrary()?));
    }
    Ok(Node::new(node.start(), node.is_childless(), u.int_in_range(0..=3)?, node.level()))
}

impl Pair {
    fn launch(&self, u: Bytes) -> Result<Call> {
        let policy = if u.arbitrary()? { GraphPolicy::Lrr } else { GraphPolicy::Lvl { bound: u.int_in_range(0..=4)? } };
        let kdei = KernelSlot(u.int_in_range(0..=3)?);
        if u.ratio(1, 8)? {
            let [v, e] = [number(u)?, number(u)?];
            let graph = GraphHeader { v, e, node_base: u.arbitrary()?, edge_base: u.arbitrary()?, policy };
            return Ok(Call { event: Event::Launch(GraphLaunch { kdei, graph }), memory: None });
        }
        let memory = memory(u)?;
        let graph = memory.header(policy);
        Ok(Call { event: Event::Launch(GraphLaunch { kdei, graph }), memory: Some(memory) })
    }

    /// What memory says to a request, or something like it.
    fn answer(&self, u: Bytes) -> Result<Event> {
        if self.asked.is_empty() {
            return Ok(Event::Poll);
        }
        let request = self.asked[u.choose_index(self.asked.len())?];
        let reaches = match request {
            Request::Nodes { first, count, .. } => (first + count) as usize <= self.memory.nodes.len(),
            Request::Edges { first, count, .. } => (first + count) as usize <= self.memory.edges.len(),
            Request::Decrement { .. } => true,
        };
        let (tag, truth) = match request {
            Request::Nodes { tag, .. } | Request::Edges { tag, .. } if !reaches => (tag, Event::Nodes(tag, Vec::new())),
            Request::Decrement { tag, .. } => (tag, Event::Spilled(tag)),
            Request::Nodes { tag, .. } | Request::Edges { tag, .. } => (tag, self.memory.clone().answer(&request)),
        };
        let tag = if u.ratio(1, 16)? { number(u)? } else { tag };
        Ok(match truth {
            Event::Nodes(_, mut entries) => {
                if u.ratio(1, 16)? && !entries.is_empty() {
                    let at = u.choose_index(entries.len())?;
                    entries[at] = node(u, entries[at])?;
                }
                entries.truncate(if u.ratio(1, 16)? { u.int_in_range(0..=2)? } else { entries.len() });
                Event::Nodes(tag, entries)
            }
            Event::Edges(_, mut targets) => {
                if u.ratio(1, 16)? && !targets.is_empty() {
                    let at = u.choose_index(targets.len())?;
                    targets[at] = NodeId(u.arbitrary()?);
                }
                targets.truncate(if u.ratio(1, 16)? { u.int_in_range(0..=2)? } else { targets.len() });
                Event::Edges(tag, targets)
            }
            _ => Event::Spilled(tag),
        })
    }

    fn complete(&self, u: Bytes) -> Result<Event> {
        let executing = self.rust.resident().filter(|(_, node)| node.state == NodeState::Executing);
        let executing = executing.map(|(node, _)| node).collect::<Vec<_>>();
        let anything = executing.is_empty() || u.ratio(1, 16)?;
        Ok(Event::Complete(if anything { NodeId(number(u)? as u16) } else { *u.choose(&executing)? }))
    }

    /// Learns from an answer.
    fn learn(&mut self, call: &Call, answer: &Answered) {
        match (&call.event, answer) {
            (_, Ok(Answer::Request(Some(request)))) => self.asked.push(*request),
            (Event::Nodes(tag, _) | Event::Edges(tag, _) | Event::Spilled(tag), Ok(_)) => {
                let tag_of = |request: &Request| match *request {
                    Request::Nodes { tag, .. } | Request::Edges { tag, .. } | Request::Decrement { tag, .. } => tag,
                };
                self.asked.retain(|request| tag_of(request) != *tag);
            }
            (Event::Launch(_), Ok(_)) => {
                self.asked.clear();
                let none = Memory { nodes: Vec::new(), edges: Vec::new() };
                self.memory = call.memory.clone().unwrap_or(none);
            }
            _ => {}
        }
    }
}

impl Twins for Pair {
    type Event = Call;
    type Answer = Answered;
    type Mark = (View, Vec<u8>);
    type Config = DgbConfig;

    fn config(u: Bytes) -> Result<DgbConfig> {
        choose::dgb(u)
    }

    fn new(config: &DgbConfig) -> Self {
        let memory = Memory { nodes: Vec::new(), edges: Vec::new() };
        let (c, rust) = (ThroughC::new(config).expect("it is valid"), machine(config).expect("it is valid"));
        Self { c, rust, memory, asked: Vec::new() }
    }

    fn event(&self, u: Bytes) -> Result<Call> {
        let event = match u.int_in_range(0..=15u8)? {
            0..=3 => Event::Poll,
            4..=7 => self.answer(u)?,
            8..=10 if u.ratio(1, 8)? => {
                Event::Select(SmxSet::from_words([u.arbitrary()?, 0, 0, if u.ratio(1, 8)? { u.arbitrary()? } else { 0 }]))
            }
            8..=10 => Event::Select(SmxSet::first(self.rust.config().smxs)),
            11..=13 => self.complete(u)?,
            14 => return self.launch(u),
            _ if u.ratio(1, 4)? => Event::Abort,
            _ => Event::Spilled(number(u)?),
        };
        Ok(Call { event, memory: None })
    }

    fn call(&mut self, call: &Call) -> [Answered; 2] {
        let answers = [self.c.take(&call.event), self.rust.take(&call.event)];
        self.learn(call, &answers[1]);
        answers
    }

    fn is_refusal(answer: &Answered) -> bool {
        !matches!(answer, Ok(_) | Err(GraphError::GraphFault { .. }))
    }

    fn check(&self) -> Self::Mark {
        let mark = self.c.mark();
        assert_eq!(mark.0, self.rust.view());
        assert_eq!(self.c.graph(), self.rust.graph().copied());
        let state = self.c.state();
        assert_eq!(state.executing, self.rust.window().executing);
        assert_eq!(state.waits_for_memory != 0, self.rust.waits_for_memory());
        mark
    }

    fn image(&self) -> Vec<u8> {
        let mut image = vec![0; self.rust.image_len()];
        assert_eq!(self.rust.save(&mut image), Ok(image.len()));
        assert_eq!(self.c.image(), image);
        image
    }

    fn image_config(image: &[u8]) -> [std::result::Result<DgbConfig, Status>; 2] {
        [dats::image_config(image), status(dgb_image_config(image))]
    }

    fn restore(&mut self, config: &DgbConfig, image: &[u8]) -> [std::result::Result<(), Status>; 2] {
        let restored = status(Dgb::restore(image, tables(config)));
        let result = restored.as_ref().map(|_| ()).map_err(|&status| status);
        self.rust = restored.unwrap_or_else(|_| machine(config).expect("it is valid"));
        [self.c.restore(image), result]
    }
}

fuzz_target!(|data: &[u8]| {
    // Bytes that end early end the run early.
    let _ = run::<Pair>(&mut Unstructured::new(data));
});
