//! Graphs in random runs: what a host has in memory, how it answers, and where it makes mistakes.

use std::collections::BTreeMap;

use gpusched::KernelSlot;
use gpusched::dats::{GraphHeader, GraphPolicy, Node, NodeId, Request};
use gpusched_tests::dats::memory::Memory;
use gpusched_tests::events::Event;
use proptest::prelude::*;

use crate::properties::configs::Machine;

/// A graph before it is launched.
#[derive(Clone, Debug)]
pub struct Graph {
    memory: Memory,
    policy: GraphPolicy,
    /// What is wrong with the launch, if anything.
    wrong: u8,
    /// The first node of the second kernel, if two share it.
    first: u32,
}

/// Graphs of a few nodes, some of whose arrays contradict themselves.
pub fn graphs() -> impl Strategy<Value = Graph> {
    let parents = (1..=9u32).prop_flat_map(|tbs| {
        let own = |tb: u32| {
            let back = prop::collection::vec(1..=4u32, 0..=2usize);
            back.prop_map(move |back| back.into_iter().filter_map(|b| tb.checked_sub(b)).collect::<Vec<_>>())
        };
        (0..tbs).map(own).collect::<Vec<_>>()
    });
    let policy = prop_oneof![2 => Just(GraphPolicy::Lrr), 1 => (0..=2u16).prop_map(|bound| GraphPolicy::Lvl { bound })];
    let damage = prop::option::weighted(0.15, (any::<u8>(), 1..=9u16));
    let wrong = prop_oneof![12 => Just(0u8), 1 => 1..=6u8];
    (parents, policy, damage, wrong).prop_map(|(parents, policy, damage, wrong)| {
        let mut memory = Memory::of_parents(&parents);
        let v = memory.nodes.len() as u16;
        if let Some((at, value)) = damage
            && !memory.edges.is_empty()
        {
            let at = usize::from(at) % memory.edges.len();
            memory.edges[at] = NodeId(1 + value % (v - 1));
        }
        Graph { memory, policy, wrong, first: 0 }
    })
}

/// Graphs that two kernels share; some are none of two levels, or are cut at the wrong node.
pub fn shared_graphs() -> impl Strategy<Value = Graph> {
    let parents = (1..=5u32, 1..=5u32).prop_flat_map(|(producers, consumers)| {
        let own = prop::collection::vec(prop::collection::btree_set(0..producers, 0..=2usize), consumers as usize);
        own.prop_map(move |own| (producers, own))
    });
    let cut = prop_oneof![8 => Just(None), 1 => (0..=10u32).prop_map(Some)];
    (parents, cut, prop::bool::weighted(0.1), graphs()).prop_map(|((producers, own), cut, is_any, any)| {
        if is_any {
            return Graph { first: producers, ..any };
        }
        let none = (0..producers).map(|_| Vec::new());
        let parents: Vec<_> = none.chain(own.into_iter().map(|own| own.into_iter().collect())).collect();
        let memory = Memory::of_parents(&parents);
        Graph { memory, first: cut.unwrap_or(producers), ..any }
    })
}

impl Graph {
    /// TBs of its grid.
    pub fn tbs(&self) -> u32 {
        self.memory.nodes.len() as u32
    }

    /// The first node of the second kernel, if two share it.
    pub fn first(&self) -> u32 {
        self.first
    }

    /// Whether a launch wants what no graph kernel may have.
    pub fn is_retained(&self) -> bool {
        self.wrong == 1
    }

    pub fn header(&self) -> GraphHeader {
        let right = self.memory.header(self.policy);
        match self.wrong {
            2 => GraphHeader { v: right.v + 1, ..right },
            3 => GraphHeader { e: u32::MAX, ..right },
            4 => GraphHeader { node_base: 4, ..right },
            5 => GraphHeader { edge_base: 0u64.wrapping_sub(1024), e: right.e + 1024, ..right },
            _ => right,
        }
    }
}

/// The arrays of every graph that was launched, and the requests for them.
#[derive(Clone, Default)]
pub struct Memories {
    by_tag: BTreeMap<u64, Memory>,
    /// The kernel's tag and the request.
    asked: Vec<(u64, Request)>,
}

impl Memories {
    pub fn launched(&mut self, tag: u64, graph: &Graph) {
        self.by_tag.insert(tag, graph.memory.clone());
    }

    /// A poll, and what it will answer.
    pub fn poll(&mut self, gpu: &Machine) -> Event {
        let owner = gpu.dgb_owner().and_then(|k| gpu.kde(k)).map(|e| e.kernel.descriptor.tag);
        if let (Some(tag), Ok(Some(request))) = (owner, gpu.clone().graph_poll()) {
            self.asked.push((tag, request));
        }
        Event::GraphPoll
    }

    /// The answer to one of the requests, also to one that nobody waits for any more.
    pub fn answer(&mut self, pick: u8) -> Option<Event> {
        let i = usize::from(pick).checked_rem(self.asked.len())?;
        let (tag, request) = self.asked.remove(i);
        let memory = self.by_tag.get_mut(&tag)?;
        if let Request::Decrement { tag, node, .. } = request {
            // A damaged graph may ask for a parent less than none.
            let node = &mut memory.nodes[usize::from(node.0)];
            *node = node.with_parent_done().unwrap_or(*node);
            return Some(Event::GraphSpilled(tag));
        }
        Some(Event::of_memory(memory.answer(&request)))
    }

    /// A wrong answer to one of the requests, which goes on waiting.
    pub fn junk(&self, pick: u8, kind: u8) -> Event {
        let i = usize::from(pick).checked_rem(self.asked.len());
        let (tag, count) = match i.map(|i| self.asked[i].1) {
            Some(Request::Nodes { tag, count, .. } | Request::Edges { tag, count, .. }) => (tag, count as usize),
            Some(Request::Decrement { tag, .. }) => (tag, 1),
            None => (u32::from(pick), 1),
        };
        match kind % 6 {
            0 => Event::GraphNodes(tag, vec![Node::new(9, true, 1, 9); count]),
            1 => Event::GraphNodes(tag, Vec::new()),
            2 => Event::GraphEdges(tag, vec![NodeId(0); count]),
            3 => Event::GraphEdges(tag, Vec::new()),
            4 => Event::GraphSpilled(tag.wrapping_add(7)),
            _ => Event::GraphNodes(tag.wrapping_add(7), vec![Node::default(); count]),
        }
    }

    /// The kernel that has the buffer, or any.
    pub fn abort(gpu: &Machine, pick: u8) -> Event {
        let any = KernelSlot(pick % gpu.config().n_kde as u8);
        Event::AbortGraph(gpu.dgb_owner().filter(|_| !pick.is_multiple_of(4)).unwrap_or(any).into())
    }
}

/// Memory answers all that the buffer asks for.
pub fn served(gpu: &mut Machine, memory: &mut Memory) {
    while let Ok(Some(request)) = gpu.graph_poll() {
        let answer = Event::of_memory(memory.answer(&request));
        assert!(answer.apply(gpu).value.is_ok(), "{answer:?} is right");
    }
}
