//! Kernel graphs that run (launch2-K3 to launch2-K6), and what their launches cost the host (launch2-K2).
//!
//! An instance holds the queue of its launch. A kernel of it is queued for the KMU when nothing is left that it waits for: each instance
//! has a list of these, which is in the order of their keys by itself, for time only goes on.

use core::cmp::Reverse;

use super::kgraph::{KernelEdge, KernelNode, Kgraph, KgraphView};
use super::{GridMode, GridTables, Grids, Progress};
use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::id::{GridId, HwqId, Id, InstanceId, KernelNodeId, KgraphId, id};
use crate::config::Config;
use crate::launch::board::{Board, BoardTables};
use crate::launch::descriptor::Descriptor;
use crate::launch::distributor::{Kernel, Source};
use crate::launch::hwq::{Key, Owner};
use crate::launch::kmu::Ready;
use crate::probe::{Decision, Probe};

/// A row of the table of instances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Instance {
    /// What it runs; `None`: nothing.
    pub(super) graph: Option<KgraphId>,
    /// The queue that it holds.
    pub(super) queue: HwqId,
    pub(super) owner: Owner,
    pub(super) stream: u32,
    /// Kernels that are not complete.
    pub(super) left: u32,
    /// The first and the last kernel that are queued for the KMU.
    pub(super) first: Option<KernelNodeId>,
    pub(super) last: Option<KernelNodeId>,
}

/// An instance, as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct InstanceView {
    /// The graph that it runs.
    pub graph: KgraphId,
    /// The queue that it holds.
    pub queue: HwqId,
    /// Kernels that are not complete.
    pub left: u32,
}

/// A kernel that is queued for the KMU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ReadyNode {
    /// The kernel, by its number in the graph.
    pub node: KernelNodeId,
    /// From when on it may be issued.
    pub key: Key,
}

/// How far a kernel of an instance is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeState {
    /// Edges to it that are not satisfied.
    pub(super) unmet: u32,
    /// Programmatic edges to it whose origins are not complete.
    pub(super) incomplete: u32,
    /// Its grid, from its place in the list on until it is complete.
    pub(super) grid: Option<GridId>,
    /// Its age, and the one behind it, while it is queued.
    pub(super) key: Key,
    pub(super) next: Option<KernelNodeId>,
}

id! {
    /// A row of the table of kernels of instances.
    pub(crate) StateId(u32)
}

impl<T: GridTables> Grids<T> {
    pub(super) fn state_id(&self, instance: InstanceId, node: KernelNodeId) -> StateId {
        StateId(u32::from(instance) * self.n_node + u32::from(node))
    }

    pub(super) fn state(&self, instance: InstanceId, node: KernelNodeId) -> &NodeState {
        &self.states[self.state_id(instance, node)]
    }

    fn state_mut(&mut self, instance: InstanceId, node: KernelNodeId) -> &mut NodeState {
        let id = self.state_id(instance, node);
        &mut self.states[id]
    }

    // ---- what is seen

    /// A kernel graph; `None` if there is none of that number.
    pub(crate) fn kgraph(&self, g: KgraphId) -> Option<KgraphView> {
        self.kgraphs.view(g)
    }

    /// An instance; `None` if none of that number runs.
    pub(crate) fn instance(&self, i: InstanceId) -> Option<InstanceView> {
        let &Instance { graph, queue, left, .. } = self.instances.get(i)?;
        Some(InstanceView { graph: graph?, queue, left })
    }

    /// Kernels of an instance that are queued for the KMU, in order.
    pub(crate) fn ready(&self, i: InstanceId) -> impl Iterator<Item = ReadyNode> {
        let first = self.instances.get(i).and_then(|instance| instance.first);
        let nodes = core::iter::successors(first, move |&node| self.state(i, node).next);
        nodes.map(move |node| ReadyNode { node, key: self.state(i, node).key })
    }

    /// When the host's way of launching is free again.
    pub(crate) fn host_free(&self) -> Cycle {
        self.host_free
    }

    // ---- launch2-K1, launch2-K2: the host

    pub(crate) fn define(
        &mut self,
        config: &Config,
        nodes: &[KernelNode],
        edges: &[KernelEdge],
        check: impl Fn(&Descriptor) -> Result<(), Fault>,
    ) -> Result<KgraphId, Fault> {
        self.kgraphs.define(config, nodes, edges, check)
    }

    pub(crate) fn destroy(&mut self, g: KgraphId) -> Result<(), Fault> {
        self.kgraphs.destroy(g)
    }

    /// The kernels of a graph.
    pub(crate) fn kernels_of(&self, g: KgraphId) -> impl Iterator<Item = &Descriptor> {
        let n = self.kgraphs.graphs.get(g).map_or(0, |graph| graph.nodes) as usize;
        (0..n).map(move |node| &self.kgraphs.node(g, KernelNodeId::from_index(node)).kernel)
    }

    /// A graph is launched: which of its launches it is.
    pub(crate) fn launch(&mut self, g: KgraphId) -> u64 {
        let graph = &mut self.kgraphs.graphs[g];
        graph.launched += 1;
        graph.launched - 1
    }

    /// When the host has launched what costs it so much.
    pub(crate) fn host_launches(&mut self, now: Cycle, cost: u64) -> Cycle {
        self.host_free = self.host_free.max(now).after(cost);
        self.host_free
    }

    // ---- launch2-K4: the KMU

    /// The first kernel of each instance that is queued.
    fn heads(&self) -> impl Iterator<Item = Ready> {
        let running = self.instances.iter().filter(|(_, instance)| instance.graph.is_some());
        running.filter_map(|(i, instance)| Some((instance.owner, self.state(i, instance.first?).key, i)))
    }

    /// Whether the KMU may issue a kernel of a graph.
    #[inline]
    pub(crate) fn has_ready(&self, now: Cycle) -> bool {
        self.next_ready <= now && self.is_head_ready(now)
    }

    #[inline(never)]
    fn is_head_ready(&self, now: Cycle) -> bool {
        self.heads().any(|(_, key, _)| key.ready <= now)
    }

    /// Whether a kernel of a graph may be issued only later.
    pub(crate) fn is_ripening(&self, now: Cycle) -> bool {
        self.heads().any(|(_, key, _)| key.ready > now)
    }

    /// Whose turn it is; of the contexts in `held` none may go.
    #[inline]
    pub(crate) fn choose(&self, now: Cycle, held: u64) -> Option<Ready> {
        if self.next_ready <= now { self.choose_of_ready(now, held) } else { None }
    }

    #[inline(never)]
    fn choose_of_ready(&self, now: Cycle, held: u64) -> Option<Ready> {
        let may_go = |(owner, key, _): &Ready| key.ready <= now && held >> owner.context.0 & 1 == 0;
        self.heads().filter(may_go).min_by_key(|(owner, key, _)| (Reverse(owner.priority), *key))
    }

    /// When the next kernel of a graph may be issued; of the contexts in `held` none may go.
    pub(crate) fn next_candidate(&self, held: u64) -> Option<Cycle> {
        let heads = self.heads().filter(|(owner, ..)| held >> owner.context.0 & 1 == 0);
        heads.map(|(_, key, _)| key.ready).min()
    }

    /// Takes the first kernel that may be issued from the list of what runs its graph: its grid, the queue that the graph holds, and itself.
    #[inline(never)]
    pub(crate) fn take_ready(&mut self, i: InstanceId) -> Option<(GridId, HwqId, Kernel)> {
        let Instance { graph, first, stream, queue, owner, .. } = self.instances[i];
        let (graph, node) = (graph?, first?);
        let state = self.state_mut(i, node);
        state.key = Key::default();
        let (next, grid) = (state.next.take(), state.grid?);
        let instance = &mut self.instances[i];
        instance.first = next;
        instance.last = next.and(instance.last);
        self.look_at_ready();
        let descriptor = self.kgraphs.node(graph, node).kernel;
        Some((grid, queue, Kernel { descriptor, source: Source::Node(i), owner, stream, ..Kernel::default() }))
    }

    pub(super) fn look_at_ready(&mut self) {
        self.next_ready = self.next_candidate(0).unwrap_or(Cycle::MAX);
    }
}

impl<T: BoardTables + GridTables> Grids<T> {
    /// launch2-K3: when the launch at the head of queue `q` may begin to run, and as what; `None` if something else has to happen before,
    /// as an older launch of the same graph in another queue (launch2-H6).
    fn start_of(&self, board: &Board<T>, q: HwqId) -> Option<(Cycle, KgraphId)> {
        let (g, number, ready) = board.hwqs.kgraph_at_head(q)?;
        let Kgraph { started, instance, .. } = self.kgraphs.graphs[g];
        (started == number && instance.is_none()).then_some((ready, g))
    }

    /// An instance that runs nothing.
    fn free_instance(&self, config: &Config) -> Option<InstanceId> {
        let n = config.kgraph.as_ref().map_or(0, |part| part.insts as usize);
        (0..n).map(InstanceId::from_index).find(|&i| self.instances[i].graph.is_none())
    }

    /// When the next launch of a graph begins to run.
    pub(crate) fn next_start(&self, board: &Board<T>) -> Option<Cycle> {
        let mut heads = board.hwqs.kgraph_heads().iter().peekable();
        heads.peek()?;
        self.free_instance(&board.config)?;
        heads.filter_map(|q| self.start_of(board, q)).map(|(ready, _)| ready.max(board.now)).min()
    }

    /// launch2-K3: launches that are ready begin to run, by the numbers of their queues.
    pub(crate) fn start(&mut self, board: &mut Board<T>, probe: &mut impl Probe) {
        for q in board.hwqs.kgraph_heads().iter() {
            let Some((ready, graph)) = self.start_of(board, q) else { continue };
            let Some(i) = self.free_instance(&board.config) else { return };
            if ready > board.now {
                continue;
            }
            let host = board.hwqs.pop(q);
            let Kgraph { nodes, .. } = self.kgraphs.graphs[graph];
            self.kgraphs.graphs[graph].started += 1;
            self.kgraphs.graphs[graph].instance = Some(i);
            let (owner, stream) = (host.owner, host.stream);
            self.instances[i] =
                Instance { graph: Some(graph), queue: q, owner, stream, left: nodes, ..Instance::default() };
            probe.decide(board.now, Decision::KgraphStart { instance: i, graph, queue: q });
            for node in (0..nodes as usize).map(KernelNodeId::from_index) {
                let row = self.kgraphs.node(graph, node);
                let (unmet, incomplete) = (row.waits, row.pdl_waits);
                *self.state_mut(i, node) = NodeState { unmet, incomplete, ..NodeState::default() };
            }
            let now = board.now;
            for node in (0..nodes as usize).map(KernelNodeId::from_index) {
                if self.state(i, node).unmet == 0 {
                    self.queue(board, (i, node), now);
                }
            }
        }
    }

    /// launch2-K4: a kernel of an instance waits for nothing but the KMU.
    fn queue(&mut self, board: &mut Board<T>, (i, node): (InstanceId, KernelNodeId), ready: Cycle) {
        let Some(graph) = self.instances[i].graph else { return };
        let tag = self.kgraphs.node(graph, node).kernel.tag;
        let grid = self.make(GridMode::Node { instance: i, node }, Progress::Running, tag);
        let key = board.next_key(ready);
        let state = self.state_mut(i, node);
        (state.grid, state.key) = (Some(grid), key);
        let last = self.instances[i].last.replace(node);
        match last {
            Some(last) => self.state_mut(i, last).next = Some(node),
            None => self.instances[i].first = Some(node),
        }
        self.stats.kernel_nodes = self.stats.kernel_nodes.saturating_add(1);
        self.next_ready = self.next_ready.min(ready);
    }

    /// launch2-K5: an edge to this kernel is satisfied.
    fn satisfy(&mut self, board: &mut Board<T>, i: InstanceId, node: KernelNodeId) {
        let state = self.state_mut(i, node);
        state.unmet -= 1;
        if state.unmet == 0 {
            let lat_edge = board.config.kgraph.map_or(0, |part| part.lat_edge);
            let ready = board.now.after(lat_edge.into());
            self.queue(board, (i, node), ready);
        }
    }

    /// launch2-K5: a kernel of an instance is open: its programmatic dependents need not wait for it any more.
    pub(super) fn node_open(&mut self, board: &mut Board<T>, (i, node): (InstanceId, KernelNodeId)) {
        let Some(graph) = self.instances[i].graph else { return };
        let mut at = self.kgraphs.first_edge(graph, node);
        while let Some(place) = at {
            let (edge, next) = self.kgraphs.edge_at(graph, place);
            if edge.is_pdl {
                self.satisfy(board, i, KernelNodeId(edge.to));
            }
            at = next;
        }
    }

    /// launch2-K5, launch2-K6, launch2-G4: a kernel of an instance is complete, and was open or is not until now. The programmatic
    /// dependents that follow nothing else any more come in front of `behind`, in order.
    pub(super) fn node_complete(
        &mut self,
        board: &mut Board<T>,
        (i, node): (InstanceId, KernelNodeId),
        was_open: bool,
        mut behind: Option<GridId>,
        probe: &mut impl Probe,
    ) -> Option<GridId> {
        let graph = self.instances[i].graph?;
        *self.state_mut(i, node) = NodeState::default();
        let mut at = self.kgraphs.first_edge(graph, node);
        while let Some(place) = at {
            let (edge, next) = self.kgraphs.edge_at(graph, place);
            let to = KernelNodeId(edge.to);
            self.state_mut(i, to).incomplete -= u32::from(edge.is_pdl);
            if !(edge.is_pdl && was_open) {
                self.satisfy(board, i, to);
            }
            at = next;
        }
        self.instances[i].left -= 1;
        if self.instances[i].left == 0 {
            let queue = self.instances[i].queue;
            self.instances[i] = Instance::default();
            self.kgraphs.graphs[graph].instance = None;
            probe.decide(board.now, Decision::KgraphDone { instance: i, graph });
            board.free_queue(queue, probe);
            return behind;
        }
        // The dependents that may be complete come in front of what is behind, in the order of their numbers.
        let mut last: Option<GridId> = None;
        let mut at = self.kgraphs.first_edge(graph, node);
        while let Some(place) = at {
            let (edge, next) = self.kgraphs.edge_at(graph, place);
            let state = self.state(i, KernelNodeId(edge.to));
            if let Some(g) = state.grid.filter(|_| edge.is_pdl && state.incomplete == 0) {
                self.release(board, g, probe);
                match last.replace(g) {
                    Some(last) => {
                        self.rows[g].next = self.rows[last].next;
                        self.rows[last].next = Some(g);
                    }
                    None => {
                        self.rows[g].next = behind;
                        behind = Some(g);
                    }
                }
            }
            at = next;
        }
        behind
    }
}
