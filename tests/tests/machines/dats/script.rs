//! Random graphs, random buffers, and what a host that makes mistakes may do.

use gpusched::dats::{
    DgbConfig, GraphError, GraphHeader, GraphPolicy, LevelRef, Node, NodeId, Prefetch, Request, Selection,
};
use gpusched::{KernelSlot, SmxId, SmxSet};
use gpusched_tests::dats::memory::Memory;
use gpusched_tests::dats::{Answer, Answered, Event};
use proptest::prelude::*;
use proptest::sample::select;

/// Something that a host does; numbers are taken modulo what there is.
#[derive(Clone, Debug)]
pub enum Step {
    Poll,
    /// Answers one of the requests.
    Answer(u8),
    Select(u8),
    /// One of the TBs that run ends.
    Complete(u8),
    /// Several polls, answers and dispatches in a row.
    Work(u8),
    /// All that is left to do with a good graph.
    Drain,
    Abort,
    Launch(Graph),
    /// Answers with another tag, or as if another kind had been asked for.
    OtherTag(u8, u32),
    OtherKind(u8, u8),
    /// Answers with too little or too much.
    OtherLength(u8, bool),
    /// Answers with an entry that is not in memory.
    Junk(u8, u8, Node),
    CompleteAnywhere(u16),
    SelectAnywhere(u16),
    LaunchAnywhere(GraphHeader),
}

/// A graph, and what somebody has done to its arrays.
#[derive(Clone, Debug)]
pub struct Graph {
    pub memory: Memory,
    pub policy: GraphPolicy,
    pub damaged: bool,
    /// Chunks before the arrays.
    bases: (u64, u64),
}

/// Parents of each TB among those before it, at most so far away.
fn parents() -> impl Strategy<Value = Vec<Vec<u32>>> {
    let tbs = prop_oneof![1 => 1..=3u32, 3 => 4..=12u32, 2 => 13..=40u32];
    (tbs, 1..=40u32, 0..=4usize).prop_flat_map(|(tbs, far, most)| {
        let own = move |tb: u32| {
            let choice = prop::collection::vec(1..=far, 0..=most);
            choice.prop_map(move |back| back.into_iter().filter_map(|b| tb.checked_sub(b)).collect::<Vec<_>>())
        };
        (0..tbs).map(own).collect::<Vec<_>>()
    })
}

pub fn node() -> impl Strategy<Value = Node> {
    let small = || prop_oneof![8 => 0..=5u16, 1 => any::<u16>()];
    let start = prop_oneof![8 => 0..=60u32, 1 => any::<u32>()];
    (start, any::<bool>(), small(), small())
        .prop_map(|(start, is_childless, p, l)| Node::new(start, is_childless, p, l))
}

fn policy() -> impl Strategy<Value = GraphPolicy> {
    prop_oneof![2 => Just(GraphPolicy::Lrr), 3 => (0..=4u16).prop_map(|bound| GraphPolicy::Lvl { bound })]
}

pub fn memory() -> impl Strategy<Value = Memory> {
    parents().prop_map(|parents| Memory::of_parents(&parents))
}

/// Changes that no chunk shows by itself: another child, another number of parents.
fn damage() -> impl Strategy<Value = Vec<(bool, u16, u16)>> {
    prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec((any::<bool>(), any::<u16>(), 0..=40u16), 1..=3)]
}

prop_compose! {
    pub fn graphs()(
        mut memory in memory(),
        policy in policy(),
        damage in damage(),
        bases in (0..=3u64, prop_oneof![4 => 0..=3u64, 1 => Just(1 << 50)]),
    ) -> Graph {
        let whole = memory.clone();
        for (is_edge, at, value) in damage {
            let v = memory.nodes.len() as u16;
            if is_edge && !memory.edges.is_empty() {
                let at = usize::from(at) % memory.edges.len();
                memory.edges[at] = NodeId(1 + value % v.max(2));
            } else {
                let node = &mut memory.nodes[usize::from(at % v)];
                let parents = if node.level() == 0 { 0 } else { 1 + value % 3 };
                *node = Node::new(node.start(), node.is_childless(), parents, node.level());
            }
        }
        let damaged = memory != whole;
        Graph { memory, policy, damaged, bases }
    }
}

prop_compose! {
    /// Buffers that are soon full, and some that are not.
    pub fn configs()(
        smxs in prop_oneof![6 => 1..=4u32, 1 => Just(70), 1 => Just(256)],
        chunk_bytes in select(vec![8, 16, 16, 24, 32, 128]),
        lna in prop_oneof![6 => 1..=8u32, 2 => 9..=24u32, 1 => Just(64), 1 => Just(65)],
        lea in prop_oneof![1 => 1..=3u32, 5 => 4..=12u32, 3 => 13..=80u32],
        pub_entries in prop_oneof![5 => 0..=5u32, 2 => 6..=40u32],
        (prefetch, level_ref) in (
            select(vec![Prefetch::ChunkFree, Prefetch::Eager]),
            select(vec![LevelRef::Incomplete, LevelRef::Active]),
        ),
        issue_needs_edges in prop::bool::weighted(0.3),
        spill in any::<bool>(),
    ) -> DgbConfig {
        let least = if prefetch == Prefetch::ChunkFree { chunk_bytes / 8 + 1 } else { 1 };
        let lna = lna.max(least);
        DgbConfig { smxs, lna, lea, pub_entries, chunk_bytes, prefetch, level_ref, issue_needs_edges, spill }
    }
}

fn launch_anywhere() -> impl Strategy<Value = GraphHeader> {
    let v = select(vec![0, 1, 2, 65535, 65536, u32::MAX]);
    let e = select(vec![0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX]);
    let base = || select(vec![0, 8, 1024, 1 << 63, u64::MAX - 15, u64::MAX - 1023, u64::MAX]);
    (v, e, base(), base(), policy()).prop_map(|(v, e, node_base, edge_base, policy)| GraphHeader {
        v,
        e,
        node_base,
        edge_base,
        policy,
    })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => Just(Step::Poll),
        16 => any::<u8>().prop_map(Step::Answer),
        12 => prop_oneof![3 => Just(u8::MAX), 1 => any::<u8>()].prop_map(Step::Select),
        12 => any::<u8>().prop_map(Step::Complete),
        8 => any::<u8>().prop_map(Step::Work),
        1 => Just(Step::Abort),
        2 => graphs().prop_map(Step::Launch),
        1 => (any::<u8>(), prop_oneof![Just(u32::MAX), 0..=9u32]).prop_map(|(i, tag)| Step::OtherTag(i, tag)),
        1 => (any::<u8>(), any::<u8>()).prop_map(|(i, kind)| Step::OtherKind(i, kind)),
        1 => (any::<u8>(), any::<bool>()).prop_map(|(i, more)| Step::OtherLength(i, more)),
        2 => (any::<u8>(), any::<u8>(), node()).prop_map(|(i, at, node)| Step::Junk(i, at, node)),
        1 => (0..=41u16).prop_map(Step::CompleteAnywhere),
        1 => (0..=300u16).prop_map(Step::SelectAnywhere),
        1 => launch_anywhere().prop_map(Step::LaunchAnywhere),
    ]
}

pub fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 0..most)
}

/// A graph, and then anything; at last, if the graph is a good one, all that is left to do with it.
pub fn story() -> impl Strategy<Value = Vec<Step>> {
    (graphs(), steps(150)).prop_map(|(graph, steps)| [vec![Step::Launch(graph)], steps, vec![Step::Drain]].concat())
}

/// What a call answers, unless a test has found something.
pub type Made = Result<Answered, TestCaseError>;

/// What a host knows.
#[derive(Clone, Debug)]
pub struct Host {
    config: DgbConfig,
    /// The graph as it was launched.
    pub graph: Option<Graph>,
    /// Its arrays as they are now.
    memory: Memory,
    /// Requests without answer.
    asked: Vec<Request>,
    executing: Vec<NodeId>,
    /// Whether no request for edges was shorter than its chunk (dats-Q13).
    pub whole_chunks: bool,
}

impl Host {
    pub fn new(config: &DgbConfig) -> Self {
        let memory = Memory { nodes: Vec::new(), edges: Vec::new() };
        Self { config: *config, graph: None, memory, asked: Vec::new(), executing: Vec::new(), whole_chunks: true }
    }

    /// Launches a graph, if the machine takes it.
    pub fn launch(
        &mut self,
        graph: &Graph,
        make: &mut impl FnMut(&mut Self, &Event) -> Made,
    ) -> Result<(), TestCaseError> {
        let chunk = u64::from(self.config.chunk_bytes);
        let (node_base, edge_base) = (graph.bases.0 * chunk, graph.bases.1 * chunk);
        let header = GraphHeader { node_base, edge_base, ..graph.memory.header(graph.policy) };
        let launch = Event::Launch { kde: KernelSlot(graph.bases.0 as u8), graph: header };
        if self.call(&launch, make)?.is_ok() {
            self.memory = graph.memory.clone();
            self.graph = Some(graph.clone());
            self.whole_chunks = true;
        }
        Ok(())
    }

    /// The answer to the i-th request.
    fn answer(&self, i: u8) -> Option<Event> {
        let i = usize::from(i).checked_rem(self.asked.len())?;
        Some(match self.asked[i] {
            Request::Decrement { tag, .. } => Event::Spilled { tag },
            request => self.memory.clone().answer(&request),
        })
    }

    /// Whether an event does not say what is not so in memory.
    pub fn is_faithful(&self, event: &Event) -> bool {
        let truth = (0..self.asked.len()).filter_map(|i| self.answer(i as u8)).find(|truth| match (truth, event) {
            (Event::Nodes { tag, .. }, Event::Nodes { tag: of, .. })
            | (Event::Edges { tag, .. }, Event::Edges { tag: of, .. }) => tag == of,
            _ => false,
        });
        truth.is_none_or(|truth| truth == *event)
    }

    /// Makes a call and learns from the answer.
    ///
    /// # Errors
    /// What a test has found.
    pub fn call(&mut self, event: &Event, make: &mut impl FnMut(&mut Self, &Event) -> Made) -> Made {
        let answered = make(self, event)?;
        let came = matches!(answered, Ok(_) | Err(GraphError::GraphFault { .. }));
        match event {
            Event::Nodes { tag, .. } | Event::Edges { tag, .. } | Event::Spilled { tag } if came => {
                let damaged = !self.is_faithful(event);
                if let (Some(graph), true) = (&mut self.graph, damaged) {
                    graph.damaged = true;
                }
                self.came(*tag);
            }
            Event::Complete { node } if came => self.executing.retain(|n| n != node),
            Event::Launch { .. } | Event::Abort if answered.is_ok() => {
                self.asked.clear();
                self.executing.clear();
                self.graph = None;
            }
            _ => {}
        }
        match answered {
            Ok(Answer::Request(Some(request))) => {
                if let Request::Edges { first, count, .. } = request {
                    let end = first + count;
                    let whole =
                        end.is_multiple_of(self.config.chunk_edges()) || end as usize == self.memory.edges.len();
                    self.whole_chunks &= whole;
                }
                self.asked.push(request);
            }
            Ok(Answer::Selection(Selection::Dispatch { node, .. })) => self.executing.push(node),
            _ => {}
        }
        Ok(answered)
    }

    /// A request is no longer in flight.
    fn came(&mut self, tag: u32) {
        let tag_of = |request: &Request| match *request {
            Request::Nodes { tag, .. } | Request::Edges { tag, .. } | Request::Decrement { tag, .. } => tag,
        };
        let Some(i) = self.asked.iter().position(|request| tag_of(request) == tag) else { return };
        if let Request::Decrement { node, .. } = self.asked.remove(i) {
            // A damaged graph may ask for a parent less than none, a forged machine for any node.
            if let Some(node) = self.memory.nodes.get_mut(usize::from(node.0)) {
                *node = node.with_parent_done().unwrap_or(*node);
            }
        }
    }

    fn running(&self, i: u8) -> Option<Event> {
        let i = usize::from(i).checked_rem(self.executing.len())?;
        Some(Event::Complete { node: self.executing[i] })
    }

    fn all_smxs(&self) -> SmxSet {
        SmxSet::first(self.config.smxs)
    }

    /// Polls, dispatches, answers, completes: whether an answer or a completion was taken.
    pub fn work(&mut self, i: u8, make: &mut impl FnMut(&mut Self, &Event) -> Made) -> Result<bool, TestCaseError> {
        for event in
            [Event::Poll, Event::Poll, Event::Select { fits: self.all_smxs() }, Event::Select { fits: self.all_smxs() }]
        {
            self.call(&event, make)?.ok();
        }
        let mut taken = false;
        for event in [self.answer(i), self.running(i)].iter().flatten() {
            taken |= self.call(event, make)?.is_ok();
        }
        Ok(taken)
    }

    /// Works until there is nothing left to do.
    pub fn drain(&mut self, make: &mut impl FnMut(&mut Self, &Event) -> Made) -> Result<(), TestCaseError> {
        let (mut i, mut idle) = (0u8, 0);
        while idle < 4 {
            idle = if self.work(i, make)? { 0 } else { idle + 1 };
            i = i.wrapping_add(1);
        }
        Ok(())
    }

    /// Does a step, each call through `make`.
    pub fn step(&mut self, step: &Step, make: &mut impl FnMut(&mut Self, &Event) -> Made) -> Result<(), TestCaseError> {
        let event = match step {
            Step::Poll => Some(Event::Poll),
            Step::Answer(i) => self.answer(*i),
            Step::Select(mask) => {
                let mask = SmxSet::from_words([if *mask == u8::MAX { u64::MAX } else { (*mask).into() }; 4]);
                Some(Event::Select { fits: self.all_smxs().and(&mask) })
            }
            Step::Complete(i) => self.running(*i),
            Step::Work(i) => return self.work(*i, make).map(drop),
            Step::Drain => {
                let is_good = self.graph.as_ref().is_some_and(|graph| !graph.damaged);
                return if is_good { self.drain(make) } else { Ok(()) };
            }
            Step::Abort => Some(Event::Abort),
            Step::Launch(graph) => {
                // Often enough the graph before is given up for it.
                if graph.bases.1 % 2 == 0 {
                    self.call(&Event::Abort, make)?.ok();
                }
                return self.launch(graph, make);
            }
            Step::LaunchAnywhere(graph) => {
                if self.call(&Event::Launch { kde: KernelSlot(3), graph: *graph }, make)?.is_err() {
                    return Ok(());
                }
                Some(Event::Abort)
            }
            Step::OtherTag(i, tag) => match self.answer(*i) {
                Some(Event::Nodes { entries, .. }) => Some(Event::Nodes { tag: *tag, entries }),
                Some(Event::Edges { targets, .. }) => Some(Event::Edges { tag: *tag, targets }),
                _ => Some(Event::Spilled { tag: *tag }),
            },
            Step::OtherKind(i, kind) => match (self.answer(*i), kind % 3) {
                (Some(Event::Edges { tag, .. } | Event::Spilled { tag }), 0) => {
                    Some(Event::Nodes { tag, entries: Vec::new() })
                }
                (Some(Event::Nodes { tag, .. } | Event::Spilled { tag }), 1) => {
                    Some(Event::Edges { tag, targets: Vec::new() })
                }
                (Some(Event::Nodes { tag, .. } | Event::Edges { tag, .. }), 2) => Some(Event::Spilled { tag }),
                _ => None,
            },
            Step::OtherLength(i, more) => {
                let other = |len: usize| if *more { len + 1 } else { len - 1 };
                match self.answer(*i) {
                    Some(Event::Nodes { tag, mut entries }) => {
                        entries.resize(other(entries.len()), Node::default());
                        Some(Event::Nodes { tag, entries })
                    }
                    Some(Event::Edges { tag, mut targets }) => {
                        targets.resize(other(targets.len()), NodeId(1));
                        Some(Event::Edges { tag, targets })
                    }
                    _ => None,
                }
            }
            Step::Junk(i, at, node) => match self.answer(*i) {
                Some(Event::Nodes { tag, mut entries }) => {
                    let at = usize::from(*at) % entries.len();
                    entries[at] = *node;
                    Some(Event::Nodes { tag, entries })
                }
                Some(Event::Edges { tag, mut targets }) => {
                    let at = usize::from(*at) % targets.len();
                    targets[at] = NodeId(node.start() as u16);
                    Some(Event::Edges { tag, targets })
                }
                _ => None,
            },
            Step::CompleteAnywhere(node) => Some(Event::Complete { node: NodeId(*node) }),
            Step::SelectAnywhere(smx) => {
                let mut fits = SmxSet::EMPTY;
                fits.set(SmxId(smx % 256), true);
                Some(Event::Select { fits })
            }
        };
        event.map_or(Ok(()), |event| self.call(&event, make).map(drop))
    }
}
