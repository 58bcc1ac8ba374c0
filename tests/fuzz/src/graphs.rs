//! Graphs out of a fuzzer's bytes, and a memory that answers what it is asked, mostly.

use std::collections::BTreeMap;

use arbitrary::Result;
use gpusched::dats::{GraphHeader, GraphPolicy, Node, NodeId, Request};
use gpusched_tests::dats::Event;
use gpusched_tests::dats::memory::Memory;

use crate::bytes::{Bytes, number};

/// A graph of a few nodes, each of which needs some of those before it; now and then something else stands in memory.
pub fn memory(u: Bytes) -> Result<Memory> {
    let parents = |tb: u32, u: Bytes| {
        let n = u.int_in_range(0..=3u32)?;
        (0..n.min(tb)).map(|_| u.int_in_range(0..=tb - 1)).collect::<Result<Vec<u32>>>()
    };
    let tbs = u.int_in_range(1..=12u32)?;
    let mut memory = Memory::of_parents(&(0..tbs).map(|tb| parents(tb, u)).collect::<Result<Vec<_>>>()?);
    if u.ratio(1, 4)? {
        let at = u.choose_index(memory.nodes.len())?;
        memory.nodes[at] = other(u, memory.nodes[at])?;
    }
    if u.ratio(1, 4)? && !memory.edges.is_empty() {
        let at = u.choose_index(memory.edges.len())?;
        memory.edges[at] = NodeId(u.int_in_range(0..=12)?);
    }
    Ok(memory)
}

/// A node that need not be this one.
fn other(u: Bytes, node: Node) -> Result<Node> {
    if u.ratio(1, 4)? {
        return Ok(Node::from_bits(u.arbitrary()?));
    }
    Ok(Node::new(node.start(), node.is_childless(), u.int_in_range(0..=3)?, node.level()))
}

/// An order of dispatch.
pub fn policy(u: Bytes) -> Result<GraphPolicy> {
    Ok(if u.arbitrary()? { GraphPolicy::Lrr } else { GraphPolicy::Lvl { bound: u.int_in_range(0..=4)? } })
}

/// What no graph says of itself, mostly.
pub fn wild_header(u: Bytes) -> Result<GraphHeader> {
    let [v, e] = [number(u)?, number(u)?];
    Ok(GraphHeader { v, e, node_base: u.arbitrary()?, edge_base: u.arbitrary()?, policy: policy(u)? })
}

/// The graphs of a host by the tags of their kernels, and the requests that it has not answered.
#[derive(Default)]
pub struct Graphs {
    memories: BTreeMap<u64, Memory>,
    asked: Vec<(Request, u64)>,
}

impl Graphs {
    /// A graph lies in memory.
    pub fn keep(&mut self, tag: u64, memory: Memory) {
        self.memories.insert(tag, memory);
    }

    /// A request about the graph of a kernel.
    pub fn asked(&mut self, request: Request, tag: u64) {
        self.asked.push((request, tag));
    }

    /// A request was answered.
    pub fn answered(&mut self, tag: u32) {
        self.asked.retain(|(request, _)| tag_of(request) != tag);
    }

    /// What memory says to a request, or something like it.
    pub fn answer(&self, u: Bytes) -> Result<Event> {
        if self.asked.is_empty() {
            return Ok(Event::Poll);
        }
        let (request, of) = self.asked[u.choose_index(self.asked.len())?];
        let tag = if u.ratio(1, 16)? { number(u)? } else { tag_of(&request) };
        let (first, count) = match request {
            Request::Decrement { .. } => return Ok(Event::Spilled { tag }),
            Request::Nodes { first, count, .. } | Request::Edges { first, count, .. } => (first, count),
        };
        // Nobody keeps what a wild header is about.
        let range = first as usize..first.saturating_add(count) as usize;
        let memory = self.memories.get(&of);
        Ok(if matches!(request, Request::Nodes { .. }) {
            let mut entries = memory.and_then(|m| m.nodes.get(range)).unwrap_or_default().to_vec();
            if u.ratio(1, 16)? && !entries.is_empty() {
                let at = u.choose_index(entries.len())?;
                entries[at] = other(u, entries[at])?;
            }
            entries.truncate(length(u, entries.len())?);
            Event::Nodes { tag, entries }
        } else {
            let mut targets = memory.and_then(|m| m.edges.get(range)).unwrap_or_default().to_vec();
            if u.ratio(1, 16)? && !targets.is_empty() {
                let at = u.choose_index(targets.len())?;
                targets[at] = NodeId(u.arbitrary()?);
            }
            targets.truncate(length(u, targets.len())?);
            Event::Edges { tag, targets }
        })
    }
}

/// How much of an answer comes: mostly all of it.
fn length(u: Bytes, whole: usize) -> Result<usize> {
    if u.ratio(1, 16)? { u.int_in_range(0..=2) } else { Ok(whole) }
}

fn tag_of(request: &Request) -> u32 {
    match *request {
        Request::Nodes { tag, .. } | Request::Edges { tag, .. } | Request::Decrement { tag, .. } => tag,
    }
}
