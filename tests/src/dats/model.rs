//! The DGB a second time, in the plainest way: every node and edge that ever arrived is kept in a list, the window is a pair of
//! numbers into it, and whatever a rule asks is counted anew, rule by rule as the sheet has them. It shares the core's
//! vocabulary and none of its logic.

use std::ops::Range;

use gpusched::{KernelSlot, SmxId, SmxSet};

use super::event::{Answer, Answered, Event};
use super::view::{Resident, View};
use gpusched::dats::{
    Completion, DgbConfig, DgbStats, GraphError, GraphFaultKind, GraphHeader, GraphLaunch, GraphPolicy, LevelRef, Node,
    NodeFlaw, NodeId, NodeState, Pending, Phase, Prefetch, Report, Request, Selection, Stall,
};

/// A node that has landed; `state` is `None` while it is in the NIB.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Arrived {
    start: usize,
    childless: bool,
    parents: usize,
    level: usize,
    state: Option<NodeState>,
}

/// A request that was issued: tag, first entry, entries.
type InFlight = Option<(u32, usize, usize)>;

/// The graph that was launched last, and all that has become of it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Graph {
    launch: GraphLaunch,
    /// V and E.
    v: usize,
    e: usize,
    /// All nodes below `fetched`, all edges below `edge_head`.
    nodes: Vec<Arrived>,
    edges: Vec<usize>,
    tail: usize,
    head: usize,
    tail_edge: usize,
    updates: Vec<usize>,
    nodes_asked: InFlight,
    edges_asked: InFlight,
    /// The child whose count in memory must go down, and the tag once that was asked for.
    decrement: Option<(usize, Option<u32>)>,
    /// The node that spills, and its next edge.
    spill: Option<(usize, usize)>,
    deadlock: Option<usize>,
    fault: Option<(GraphFaultKind, usize)>,
    stats: DgbStats,
}

/// The machine of the sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    c: DgbConfig,
    next_tag: u32,
    next_smx: usize,
    graph: Option<Graph>,
}

type Settled = Result<(), (GraphFaultKind, usize)>;

fn id(node: usize) -> NodeId {
    NodeId(u16::try_from(node).expect("V fits 16 bits"))
}

impl Graph {
    fn new(launch: &GraphLaunch) -> Self {
        Self {
            launch: *launch,
            v: launch.graph.v as usize,
            e: launch.graph.e as usize,
            nodes: Vec::new(),
            edges: Vec::new(),
            tail: 0,
            head: 0,
            tail_edge: 0,
            updates: Vec::new(),
            nodes_asked: None,
            edges_asked: None,
            decrement: None,
            spill: None,
            deadlock: None,
            fault: None,
            stats: DgbStats::default(),
        }
    }

    fn fetched(&self) -> usize {
        self.nodes.len()
    }

    fn edge_head(&self) -> usize {
        self.edges.len()
    }

    fn finished(&self) -> bool {
        self.tail == self.v
    }

    fn is(&self, i: usize, state: NodeState) -> bool {
        self.nodes[i].state == Some(state)
    }

    fn resident(&self) -> Range<usize> {
        self.tail..self.head
    }

    /// Resident or landed.
    fn known(&self, i: usize) -> bool {
        (self.tail..self.fetched()).contains(&i)
    }

    fn start(&self, i: usize) -> Option<usize> {
        if i == self.v { Some(self.e) } else { self.known(i).then(|| self.nodes[i].start) }
    }

    fn end(&self, i: usize) -> Option<usize> {
        if self.nodes[i].childless { Some(self.nodes[i].start) } else { self.start(i + 1) }
    }

    /// The children of a node whose edges are resident.
    fn children(&self, i: usize) -> &[usize] {
        let end = self.end(i).expect("its end is known");
        if self.nodes[i].childless { &[] } else { &self.edges[self.nodes[i].start..end] }
    }

    fn edges_resident(&self, i: usize) -> bool {
        self.nodes[i].childless || self.end(i).is_some_and(|end| self.edge_head() >= end)
    }

    fn outside(&self, i: usize) -> usize {
        self.children(i).iter().filter(|child| **child >= self.head).count()
    }

    fn executing(&self) -> impl Iterator<Item = usize> {
        (0..self.fetched()).filter(|i| self.is(*i, NodeState::Executing))
    }

    fn underflow(i: usize) -> (GraphFaultKind, usize) {
        (GraphFaultKind::ParentUnderflow, i)
    }

    /// F2.
    fn decrement(&mut self, child: usize, report: &mut Report) -> Settled {
        let node = &mut self.nodes[child];
        if node.state != Some(NodeState::Waiting) || node.parents == 0 {
            return Err(Self::underflow(child));
        }
        node.parents -= 1;
        if node.parents == 0 {
            node.state = Some(NodeState::Ready);
            report.readied += 1;
        }
        Ok(())
    }

    fn put_into_pub(&mut self, child: usize, report: &mut Report) {
        self.updates.push(child);
        report.pub_in += 1;
        self.stats.pub_max = self.stats.pub_max.max(self.updates.len() as u32);
    }
}

/// The rules of a running graph.
struct Running<'a> {
    c: &'a DgbConfig,
    g: &'a mut Graph,
    report: Report,
}

impl Running<'_> {
    fn chunk_nodes(&self) -> usize {
        self.c.chunk_bytes as usize / 8
    }

    fn chunk_edges(&self) -> usize {
        self.c.chunk_bytes as usize / 2
    }

    fn lea(&self) -> usize {
        self.c.lea as usize
    }

    fn free_updates(&self) -> usize {
        self.c.pub_entries as usize - self.g.updates.len()
    }

    fn oversize(&self, i: usize) -> bool {
        self.c.spill && self.g.end(i).is_some_and(|end| end - self.g.nodes[i].start > self.lea())
    }

    fn edge_need(&self) -> usize {
        let g = &self.g;
        g.start(g.head).unwrap_or_else(|| if g.tail < g.head { g.nodes[g.head - 1].start } else { g.tail_edge })
    }

    fn wants_nodes(&self) -> bool {
        let g = &self.g;
        let chunk = self.chunk_nodes().min(g.v - g.fetched());
        let room = self.c.lna as usize - (g.head - g.tail);
        let idle = g.nodes_asked.is_none() && g.decrement.is_none();
        g.fetched() < g.v && g.head == g.fetched() && idle && (self.c.prefetch == Prefetch::Eager || room >= chunk)
    }

    // ---- M

    fn poll(&mut self, tag: u32) -> Option<Request> {
        let edge_limit = self.g.tail_edge + self.lea();
        let edge_need = self.edge_need();
        let GraphHeader { node_base, edge_base, .. } = self.g.launch.graph;
        if let Some((node, asked @ None)) = &mut self.g.decrement {
            *asked = Some(tag);
            self.g.stats.spills += 1;
            return Some(Request::Decrement { tag, node: id(*node), addr: node_base + 8 * *node as u64 });
        }
        let first = self.g.edge_head();
        if self.g.edges_asked.is_none() && first < edge_need.min(edge_limit) {
            let next_chunk = (first / self.chunk_edges() + 1) * self.chunk_edges();
            let count = next_chunk.min(self.g.e).min(edge_limit) - first;
            self.g.edges_asked = Some((tag, first, count));
            self.g.stats.edge_requests += 1;
            let addr = edge_base + 2 * first as u64;
            return Some(Request::Edges { tag, first: first as u32, count: count as u32, addr });
        }
        if self.wants_nodes() {
            let first = self.g.fetched();
            let count = self.chunk_nodes().min(self.g.v - first);
            self.g.nodes_asked = Some((tag, first, count));
            self.g.stats.node_requests += 1;
            let addr = node_base + 8 * first as u64;
            return Some(Request::Nodes { tag, first: first as u32, count: count as u32, addr });
        }
        None
    }

    // ---- N

    fn check_nodes(&self, first: usize, entries: &[Node]) -> Result<(), GraphError> {
        let g = &self.g;
        let entry = |i: usize| -> (usize, bool, usize, usize) {
            if i < first {
                let n = &g.nodes[i];
                (n.start, n.childless, n.parents, n.level)
            } else {
                let n = entries[i - first];
                (n.start() as usize, n.is_childless(), n.parents().into(), n.level().into())
            }
        };
        for i in first..first + entries.len() {
            let (start, childless, parents, level) = entry(i);
            let before = i.checked_sub(1).map(entry);
            let last = i == g.v - 1;
            let bad = |node: usize, what| Err(GraphError::BadGraph { node: id(node), what });
            let least = before.map_or(0, |b| b.0);
            if start < least || start > g.e || (i == 0 && start != 0) || (last && start != g.e) {
                return bad(i, NodeFlaw::EdgeStart);
            }
            if before.is_some_and(|b| b.1 != (b.0 == start)) {
                return bad(i - 1, NodeFlaw::Childless);
            }
            if last && !childless {
                return bad(i, NodeFlaw::Childless);
            }
            if !self.c.spill && before.is_some_and(|b| start - b.0 > self.lea()) {
                return bad(i - 1, NodeFlaw::Oversize);
            }
            let levels = before.map_or(0..=0, |b| b.3..=b.3 + 1);
            if !levels.contains(&level) {
                return bad(i, NodeFlaw::Level);
            }
            if (level == 0 && parents > 0) || (!self.c.spill && level > 0 && parents == 0) {
                return bad(i, NodeFlaw::Parents);
            }
        }
        Ok(())
    }

    fn nodes(&mut self, tag: u32, entries: &[Node]) -> Result<(), GraphError> {
        let Some((_, first, count)) = self.g.nodes_asked.filter(|asked| asked.0 == tag) else {
            return Err(GraphError::StaleTag);
        };
        if entries.len() != count {
            return Err(GraphError::BadLength);
        }
        self.check_nodes(first, entries)?;
        self.g.nodes_asked = None;
        let arrived = |n: &Node| Arrived {
            start: n.start() as usize,
            childless: n.is_childless(),
            parents: n.parents().into(),
            level: n.level().into(),
            state: None,
        };
        self.g.nodes.extend(entries.iter().map(arrived));
        Ok(())
    }

    // ---- E

    fn edges(&mut self, tag: u32, targets: &[NodeId]) -> Result<(), GraphError> {
        let Some((_, first, count)) = self.g.edges_asked.filter(|asked| asked.0 == tag) else {
            return Err(GraphError::StaleTag);
        };
        if targets.len() != count {
            return Err(GraphError::BadLength);
        }
        let good = |t: &NodeId| (1..self.g.v).contains(&usize::from(t.0));
        if let Some(i) = targets.iter().position(|t| !good(t)) {
            return Err(GraphError::BadEdge { edge: (first + i) as u32 });
        }
        self.g.edges_asked = None;
        self.g.edges.extend(targets.iter().map(|t| usize::from(t.0)));
        Ok(())
    }

    // ---- P

    fn spilled(&mut self, tag: u32) -> Result<(), GraphError> {
        if !matches!(self.g.decrement, Some((_, Some(asked))) if asked == tag) {
            return Err(GraphError::StaleTag);
        }
        self.g.decrement = None;
        self.applied();
        Ok(())
    }

    /// An edge of the spilling node has been applied.
    fn applied(&mut self) {
        let (_, cursor) = self.g.spill.as_mut().expect("a node spills");
        *cursor += 1;
        self.g.tail_edge = *cursor;
        self.report.updates += 1;
    }

    // ---- S

    fn settle(&mut self) -> Settled {
        loop {
            loop {
                let before = self.g.clone();
                self.move_tail();
                self.insert()?;
                self.go_on_spilling()?;
                self.finalise_one()?;
                if *self.g == before {
                    break;
                }
            }
            if !self.begin_to_spill() {
                break;
            }
        }
        let g = &self.g;
        if g.tail < g.head && g.is(g.tail, NodeState::Waiting) {
            return Err((GraphFaultKind::ParentExcess, g.tail));
        }
        self.report.finished = g.finished();
        Ok(())
    }

    /// S1.
    fn move_tail(&mut self) {
        let g = &mut self.g;
        while g.tail < g.head && g.is(g.tail, NodeState::Done) {
            g.tail_edge = g.end(g.tail).expect("a finalised node has a known end");
            g.tail += 1;
        }
    }

    /// S2.
    fn insert(&mut self) -> Settled {
        while self.g.head < self.g.fetched() && self.insertable(self.g.head) {
            let i = self.g.head;
            let updates = self.g.updates.iter().filter(|child| **child == i).count();
            self.g.updates.retain(|child| *child != i);
            self.report.pub_out += updates as u32;
            let node = &mut self.g.nodes[i];
            node.parents = node.parents.checked_sub(updates).ok_or(Graph::underflow(i))?;
            node.state = Some(if node.parents == 0 { NodeState::Ready } else { NodeState::Waiting });
            self.report.inserted += 1;
            self.report.readied += u32::from(node.parents == 0);
            self.g.head += 1;
        }
        Ok(())
    }

    fn insertable(&self, i: usize) -> bool {
        let g = &self.g;
        let i1 = i - g.tail < self.c.lna as usize;
        let i2 = g.nodes[i].start - g.tail_edge <= self.lea();
        let i3 = g.end(i).is_none_or(|end| end - g.tail_edge <= self.lea()) || g.nodes[i].childless || self.oversize(i);
        i1 && i2 && i3
    }

    /// S3.
    fn go_on_spilling(&mut self) -> Settled {
        let Some((t, _)) = self.g.spill.filter(|_| self.g.decrement.is_none()) else { return Ok(()) };
        let end = self.g.end(t).expect("known before a node spills");
        while let Some((_, cursor)) = self.g.spill.filter(|s| s.1 < end && s.1 < self.g.edge_head()) {
            let child = self.g.edges[cursor];
            if child <= t {
                return Err((GraphFaultKind::EdgeOrder, t));
            } else if child < self.g.head {
                self.g.decrement(child, &mut self.report)?;
            } else if self.free_updates() > 0 {
                self.g.put_into_pub(child, &mut self.report);
            } else if child < self.g.fetched() {
                let parents = &mut self.g.nodes[child].parents;
                *parents = parents.checked_sub(1).ok_or(Graph::underflow(child))?;
            } else {
                if self.g.nodes_asked.is_none() {
                    self.g.decrement = Some((child, None));
                }
                return Ok(());
            }
            self.applied();
        }
        if self.g.spill == Some((t, end)) {
            self.g.spill = None;
            self.finalised(t);
        }
        Ok(())
    }

    /// S4 and F.
    fn finalise_one(&mut self) -> Settled {
        let g = &self.g;
        let may = |i: &usize| {
            g.is(*i, NodeState::Pending)
                && g.spill.is_none_or(|(t, _)| t != *i)
                && g.edges_resident(*i)
                && !self.oversize(*i)
                && g.outside(*i) <= self.free_updates()
        };
        let Some(x) = g.resident().find(may) else { return Ok(()) };
        for child in g.children(x).to_vec() {
            if child <= x {
                return Err((GraphFaultKind::EdgeOrder, x));
            } else if child < self.g.head {
                self.g.decrement(child, &mut self.report)?;
            } else {
                self.g.put_into_pub(child, &mut self.report);
            }
            self.report.updates += 1;
        }
        self.finalised(x);
        Ok(())
    }

    fn finalised(&mut self, x: usize) {
        self.g.nodes[x].state = Some(NodeState::Done);
        self.report.finalised += 1;
    }

    /// S5: whether a spill begins.
    fn begin_to_spill(&mut self) -> bool {
        let g = &self.g;
        let t = g.tail;
        if t >= g.head || !g.is(t, NodeState::Pending) || g.end(t).is_none() || g.spill.is_some() {
            return false;
        }
        let stuck = || {
            let full = g.edges_resident(t) && g.outside(t) > self.free_updates();
            full && g.nodes_asked.is_none() && !self.wants_nodes()
        };
        if self.oversize(t) || (self.c.spill && stuck()) {
            self.g.spill = Some((t, g.nodes[t].start));
            return true;
        }
        if stuck() {
            self.g.deadlock = Some(t);
        }
        false
    }

    // ---- C

    fn pending(&self, i: usize) -> Option<Pending> {
        let g = &self.g;
        if g.is(i, NodeState::Done) {
            None
        } else if g.spill.is_some_and(|(t, _)| t == i) {
            Some(Pending::Spill)
        } else if self.oversize(i) {
            Some(Pending::Tail)
        } else if !g.edges_resident(i) {
            Some(Pending::Edges)
        } else {
            Some(Pending::Pub)
        }
    }

    // ---- T

    /// The node that `select` looks at, or why there is none (T2, T3).
    fn candidate(&self) -> Result<usize, Stall> {
        let g = &self.g;
        let or_deadlock = |stall| if g.deadlock.is_some() { Stall::Deadlock } else { stall };
        let may = |i: &usize| {
            let edges = !self.c.issue_needs_edges || g.edges_resident(*i) || self.oversize(*i);
            g.is(*i, NodeState::Ready) && g.end(*i).is_some() && edges
        };
        let Some(n) = g.resident().find(may) else {
            let ready = g.resident().any(|i| g.is(i, NodeState::Ready));
            return Err(or_deadlock(if ready { Stall::Head } else { Stall::NoReady }));
        };
        let GraphPolicy::Lvl { bound } = g.launch.graph.policy else { return Ok(n) };
        let level = |i: usize| g.nodes[i].level;
        let range = match self.c.level_ref {
            LevelRef::Incomplete => level(n) - level(g.tail),
            LevelRef::Active if g.executing().next().is_none() => 0,
            LevelRef::Active => level_range(g.executing().chain([n]).map(level)),
        };
        if range > bound.into() { Err(or_deadlock(Stall::LevelBound)) } else { Ok(n) }
    }
}

fn level_range(levels: impl Iterator<Item = usize>) -> usize {
    let levels = levels.collect::<Vec<_>>();
    levels.iter().max().unwrap_or(&0) - levels.iter().min().unwrap_or(&0)
}

impl Model {
    /// A machine without a graph, of a configuration that is within its ranges.
    #[must_use]
    pub fn new(c: &DgbConfig) -> Self {
        Self { c: *c, next_tag: 0, next_smx: 0, graph: None }
    }

    /// Carries out an event.
    ///
    /// # Errors
    /// The sheet's named errors.
    pub fn take(&mut self, event: &Event) -> Answered {
        if *event == Event::Abort {
            let executing = self.graph.take().map_or(0, |g| g.executing().count());
            return Ok(Answer::Executing(executing as u32));
        }
        if let Some((kind, node)) = self.graph.as_ref().and_then(|g| g.fault) {
            return Err(GraphError::GraphFault { kind, node: id(node) });
        }
        match event {
            Event::Launch(launch) => self.launch(launch),
            Event::Poll => Ok(Answer::Request(self.poll())),
            Event::Nodes(tag, entries) => self.settled(|running| running.nodes(*tag, entries)),
            Event::Edges(tag, targets) => self.settled(|running| running.edges(*tag, targets)),
            Event::Spilled(tag) => self.settled(|running| running.spilled(*tag)),
            Event::Select(fits) => self.select(fits).map(Answer::Selection),
            Event::Complete(node) => self.complete(*node),
            Event::Abort => unreachable!("taken above"),
        }
    }

    // ---- L

    fn launch(&mut self, launch: &GraphLaunch) -> Answered {
        let GraphHeader { v, e, node_base, edge_base, .. } = launch.graph;
        let misaligned = |base: u64| !base.is_multiple_of(u64::from(self.c.chunk_bytes));
        let overflows = |base: u64, bytes: u64| u128::from(base) + u128::from(bytes) > 1 << 64;
        if self.graph.as_ref().is_some_and(|g| !g.finished()) {
            return Err(GraphError::Busy);
        } else if v == 0 {
            return Err(GraphError::EmptyGraph);
        } else if v > 65535 {
            return Err(GraphError::TooManyNodes);
        } else if e > (1 << 31) - 1 {
            return Err(GraphError::TooManyEdges);
        } else if misaligned(node_base) || misaligned(edge_base) {
            return Err(GraphError::Misaligned);
        } else if overflows(node_base, 8 * u64::from(v)) || overflows(edge_base, 2 * u64::from(e)) {
            return Err(GraphError::AddressOverflow);
        }
        self.graph = Some(Graph::new(launch));
        Ok(Answer::Done)
    }

    fn running(&mut self) -> Option<Running<'_>> {
        self.graph.as_mut().map(|g| Running { c: &self.c, g, report: Report::default() })
    }

    fn poll(&mut self) -> Option<Request> {
        let tag = self.next_tag;
        let request = self.running()?.poll(tag)?;
        self.next_tag = tag.wrapping_add(1);
        Some(request)
    }

    /// Takes an answer from memory, and settles.
    fn settled(&mut self, take: impl FnOnce(&mut Running<'_>) -> Result<(), GraphError>) -> Answered {
        let mut running = self.running().ok_or(GraphError::StaleTag)?;
        take(&mut running)?;
        if let Err((kind, node)) = running.settle() {
            running.g.fault = Some((kind, node));
            return Err(GraphError::GraphFault { kind, node: id(node) });
        }
        Ok(Answer::Report(running.report))
    }

    fn complete(&mut self, node: NodeId) -> Answered {
        if self.graph.as_ref().is_none_or(Graph::finished) {
            return Err(GraphError::NotLaunched);
        }
        let i = usize::from(node.0);
        let settled = self.settled(|running| {
            if !running.g.executing().any(|executing| executing == i) {
                return Err(GraphError::NotRunning { node });
            }
            running.g.nodes[i].state = Some(NodeState::Pending);
            Ok(())
        })?;
        let Answer::Report(report) = settled else { unreachable!("settling reports") };
        let pending = self.running().and_then(|running| running.pending(i));
        Ok(Answer::Completion(Completion { report, pending }))
    }

    fn select(&mut self, fits: &SmxSet) -> Result<Selection, GraphError> {
        let smxs = self.c.smxs as usize;
        let mut next_smx = self.next_smx;
        let Some(running) = self.running() else { return Err(GraphError::NotLaunched) };
        if let Some(smx) = fits.iter().find(|s| usize::from(s.0) >= smxs) {
            return Err(GraphError::BadSmx { smx });
        }
        if running.g.finished() {
            return Ok(Selection::Finished);
        }
        let n = match running.candidate() {
            Ok(n) => n,
            Err(stall) => return Ok(Selection::Stall(stall)),
        };
        let mut turn = (0..smxs).map(|i| SmxId(((next_smx + i) % smxs) as u16));
        let Some(smx) = turn.find(|s| fits.contains(*s)) else { return Ok(Selection::Stall(Stall::NoSmx)) };
        next_smx = (usize::from(smx.0) + 1) % smxs;
        let g = running.g;
        g.nodes[n].state = Some(NodeState::Executing);
        g.stats.dispatched += 1;
        let range = level_range(g.executing().map(|i| g.nodes[i].level)) as u32;
        g.stats.max_level_range = g.stats.max_level_range.max(range);
        let kdei = g.launch.kdei;
        self.next_smx = next_smx;
        Ok(Selection::Dispatch { kdei, node: id(n), smx })
    }

    fn unless_faulted(&self) -> Option<Self> {
        self.graph.as_ref().filter(|g| g.fault.is_none() && !g.finished()).map(|_| self.clone())
    }

    /// The node that would be dispatched if an SMX had room.
    #[must_use]
    pub fn next_node(&self) -> Option<NodeId> {
        self.unless_faulted()?.running()?.candidate().ok().map(id)
    }

    /// Whether a poll would issue a request.
    #[must_use]
    pub fn is_request_due(&self) -> bool {
        self.unless_faulted().is_some_and(|mut copy| copy.poll().is_some())
    }

    /// Whether memory owes an answer, or would after a poll.
    #[must_use]
    pub fn waits_for_memory(&self) -> bool {
        let owes = |g: &Graph| g.nodes_asked.is_some() || g.edges_asked.is_some() || g.decrement.is_some();
        let running = self.unless_faulted().and_then(|m| m.graph);
        running.as_ref().is_some_and(owes) || self.is_request_due()
    }

    /// Everything that can be seen.
    #[must_use]
    pub fn view(&self) -> View {
        let nothing = GraphHeader { v: 0, e: 0, node_base: 0, edge_base: 0, policy: GraphPolicy::Lrr };
        let nothing = Graph::new(&GraphLaunch { kdei: KernelSlot(0), graph: nothing });
        let g = self.graph.as_ref().unwrap_or(&nothing);
        let lea = self.c.lea as usize;
        let resident = |i: usize| {
            let node = &g.nodes[i];
            Resident {
                node: id(i),
                state: node.state.expect("a resident node has a state"),
                parents: node.parents as u16,
                level: node.level as u16,
                les: (!node.childless).then_some((node.start % lea) as u32),
            }
        };
        let mut slots = vec![None; lea];
        for e in g.tail_edge..g.edge_head() {
            slots[e % lea] = Some(id(g.edges[e]));
        }
        let mut pending_updates = g.updates.iter().map(|child| id(*child)).collect::<Vec<_>>();
        pending_updates.sort();
        View {
            phase: match (&self.graph, g.fault) {
                (None, _) => Phase::Idle,
                (_, Some((kind, node))) => Phase::Faulted { kind, node: id(node) },
                (Some(g), None) if g.finished() => Phase::Finished,
                _ => Phase::Running,
            },
            window: (g.tail as u32, g.head as u32),
            fetched: g.fetched() as u32,
            edges: (g.tail_edge as u32, g.edge_head() as u32),
            resident: g.resident().map(resident).collect(),
            lea: slots,
            pending_updates,
            nib: (g.head..g.fetched()).map(|i| (id(i), g.nodes[i].parents as u16)).collect(),
            spilling: g.spill.map(|(t, _)| id(t)),
            deadlock: g.deadlock.map(id),
            next_smx: SmxId(self.next_smx as u16),
            stats: g.stats,
        }
    }
}
