//! Kernel graphs (launch2-K1 to launch2-K6).

use std::collections::BTreeSet;

use gpusched::{Decision, Descriptor, Fault, HwqId, InstanceId, KernelEdge, KernelNode, KgraphId};

use super::Of;
use crate::events::Value;
use crate::model::{Key, Model, Origin, Owner, Waiting};
use crate::view::KgraphsView;

/// A graph as it was defined.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Graph {
    nodes: Vec<Descriptor>,
    /// From, to, whether programmatic.
    edges: BTreeSet<(usize, usize, bool)>,
    launched: u64,
    started: u64,
}

/// A graph that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Instance {
    graph: usize,
    queue: usize,
    owner: Owner,
    stream: u32,
    /// Edges that are satisfied.
    satisfied: BTreeSet<(usize, usize)>,
    /// The grid of each kernel that was queued.
    grids: Vec<Option<usize>>,
    complete: BTreeSet<usize>,
}

/// Graphs, what runs, and what waits for the KMU.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::model) struct KernelGraphs {
    graphs: Vec<Option<Graph>>,
    instances: Vec<Option<Instance>>,
    /// Key, instance, kernel, in the order in which they were queued.
    ready: Vec<(Key, usize, usize)>,
    host_free: u64,
}

impl KernelGraphs {
    pub(super) fn holds(&self, queue: usize) -> bool {
        self.instances.iter().flatten().any(|instance| instance.queue == queue)
    }
}

impl Model {
    fn graph(&self, g: usize) -> &Graph {
        self.grids.kernel_graphs.graphs[g].as_ref().expect("it is defined")
    }

    fn graph_mut(&mut self, g: usize) -> &mut Graph {
        self.grids.kernel_graphs.graphs[g].as_mut().expect("it is defined")
    }

    fn instance(&self, i: usize) -> &Instance {
        self.grids.kernel_graphs.instances[i].as_ref().expect("it runs")
    }

    fn instance_mut(&mut self, i: usize) -> &mut Instance {
        self.grids.kernel_graphs.instances[i].as_mut().expect("it runs")
    }

    fn defined(&self, g: u32) -> Result<usize, Fault> {
        self.config.kgraph.ok_or(Fault::NoKgraph)?;
        let graph = self.grids.kernel_graphs.graphs.get(g as usize).and_then(Option::as_ref);
        graph.map(|_| g as usize).ok_or(Fault::BadKgraph)
    }

    /// What runs a graph.
    fn runs(&self, g: usize) -> Option<usize> {
        self.grids.kernel_graphs.instances.iter().position(|of| of.as_ref().is_some_and(|of| of.graph == g))
    }

    /// launch2-K1.
    pub(in crate::model) fn kgraph_define(
        &mut self,
        nodes: &[KernelNode],
        edges: &[KernelEdge],
    ) -> Result<Value, Fault> {
        let part = self.config.kgraph.ok_or(Fault::NoKgraph)?;
        let all = &self.grids.kernel_graphs.graphs;
        let free = all.iter().position(Option::is_none).unwrap_or(all.len());
        if free == part.graphs as usize {
            return Err(Fault::KgraphFull);
        }
        if nodes.is_empty() {
            return Err(Fault::EmptyKgraph);
        }
        if nodes.len() > part.nodes as usize || edges.len() > part.edges as usize {
            return Err(Fault::KgraphSize);
        }
        for node in nodes {
            self.check_kernel(&node.kernel)?;
            if node.retain != 0 {
                return Err(Fault::GraphRetain);
            }
        }
        let mut known = BTreeSet::new();
        for &KernelEdge { from, to, kind } in edges {
            let (from, to) = (from as usize, to as usize);
            let is_out = from.max(to) >= nodes.len();
            if is_out || from == to || !known.insert((from, to)) || kind > KernelEdge::PDL {
                return Err(Fault::KgraphEdge);
            }
            if kind == KernelEdge::PDL && self.config.pdl.is_none() {
                return Err(Fault::BadPdlEdge);
            }
        }
        let mut left: BTreeSet<_> = (0..nodes.len()).collect();
        while let Some(&root) =
            left.iter().find(|&&to| !known.iter().any(|edge| edge.1 == to && left.contains(&edge.0)))
        {
            left.remove(&root);
        }
        if !left.is_empty() {
            return Err(Fault::KgraphCycle);
        }
        let edges = edges.iter().map(|edge| (edge.from as usize, edge.to as usize, edge.kind == KernelEdge::PDL));
        let (nodes, edges) = (nodes.iter().map(|node| node.kernel).collect(), edges.collect());
        let n = self.grids.kernel_graphs.graphs.len().max(free + 1);
        self.grids.kernel_graphs.graphs.resize(n, None);
        self.grids.kernel_graphs.graphs[free] = Some(Graph { nodes, edges, launched: 0, started: 0 });
        Ok(Value::Number(free as u32))
    }

    pub(in crate::model) fn kgraph_destroy(&mut self, g: u32) -> Result<(), Fault> {
        let g = self.defined(g)?;
        let Graph { launched, started, .. } = *self.graph(g);
        if launched > started || self.runs(g).is_some() {
            return Err(Fault::KgraphBusy);
        }
        self.grids.kernel_graphs.graphs[g] = None;
        Ok(())
    }

    /// launch2-K2: when what the host launches now, at this cost, is there.
    fn host_launches(&mut self, cost: u64) -> u64 {
        let free = &mut self.grids.kernel_graphs.host_free;
        *free = self.now.max(*free).saturating_add(cost);
        *free
    }

    pub(in crate::model) fn host_ready(&mut self) -> u64 {
        match self.config.kgraph {
            Some(part) => self.host_launches(part.lat_kernel.into()),
            None => self.now,
        }
    }

    pub(in crate::model) fn kgraph_launch(&mut self, g: u32, stream: u32) -> Result<Value, Fault> {
        let g = self.defined(g)?;
        let owner = self.owner_of_stream(stream);
        for kernel in self.graph(g).nodes.clone() {
            self.check_of_context(&kernel, owner.context)?;
        }
        let q = self.queue_of_stream(stream);
        if self.queues[q].len() == self.config.hwq_depth as usize {
            return Err(Fault::HwqFull);
        }
        let part = self.config.kgraph.expect("a graph is defined");
        let nodes = self.graph(g).nodes.len() as u64;
        let cost = u64::from(part.lat_graph).saturating_add(u64::from(part.lat_node).saturating_mul(nodes));
        let key = (self.host_launches(cost), self.take_seq());
        let number = self.graph(g).launched;
        self.graph_mut(g).launched += 1;
        self.queues[q].push_back(Waiting {
            descriptor: Descriptor::default(),
            retain: false,
            is_dependent: false,
            kernel_graph: Some((g, number)),
            key,
            graph: None,
            consumers: None,
            origin: Origin { stream: q as u32, parent: None },
            stream,
            owner,
        });
        Ok(Value::Number(q as u32))
    }

    /// launch2-K3: queues whose heads are launches that only time keeps from starting.
    fn startable(&self) -> Vec<(usize, u64)> {
        let Some(part) = self.config.kgraph else { return Vec::new() };
        if self.grids.kernel_graphs.instances.iter().flatten().count() == part.insts as usize {
            return Vec::new();
        }
        let head = |q: usize| {
            let head = self.queues[q].front().filter(|_| !self.busy[q])?;
            let (g, number) = head.kernel_graph?;
            (self.runs(g).is_none() && self.graph(g).started == number).then_some((q, head.key.0))
        };
        (0..self.queues.len()).filter_map(head).collect()
    }

    pub(super) fn next_start(&self) -> Option<u64> {
        self.startable().into_iter().map(|(_, ready)| ready).min()
    }

    pub(super) fn k3_start(&mut self) {
        for q in 0..self.queues.len() {
            // Another start may have come in between.
            if !self.startable().iter().any(|&(queue, ready)| queue == q && ready <= self.now) {
                continue;
            }
            let launch = self.queues[q].pop_front().expect("it was looked at");
            let (graph, _) = launch.kernel_graph.expect("it was looked at");
            self.busy[q] = true;
            let insts = self.config.kgraph.map_or(0, |part| part.insts as usize);
            self.grids.kernel_graphs.instances.resize(insts, None);
            let i = self.grids.kernel_graphs.instances.iter().position(Option::is_none).expect("it may start");
            self.graph_mut(graph).started += 1;
            let n = self.graph(graph).nodes.len();
            self.grids.kernel_graphs.instances[i] = Some(Instance {
                graph,
                queue: q,
                owner: launch.owner,
                stream: launch.stream,
                satisfied: BTreeSet::new(),
                grids: vec![None; n],
                complete: BTreeSet::new(),
            });
            let (instance, queue) = (InstanceId(i as u8), HwqId(q as u8));
            self.emit(Decision::KgraphStart { instance, graph: KgraphId(graph as u8), queue });
            for node in 0..n {
                if !self.graph(graph).edges.iter().any(|edge| edge.1 == node) {
                    self.queue_node(i, node, self.now);
                }
            }
        }
    }

    /// launch2-K4.
    fn queue_node(&mut self, i: usize, node: usize, ready: u64) {
        let tag = self.graph(self.instance(i).graph).nodes[node].tag;
        let grid = self.make_grid(tag, Of::Node(i, node));
        self.instance_mut(i).grids[node] = grid;
        let key = (ready, self.take_seq());
        self.grids.kernel_graphs.ready.push((key, i, node));
        self.grids.stats.kernel_nodes += 1;
    }

    pub(super) fn pdl_predecessors(&self, i: usize, node: usize) -> Vec<usize> {
        let instance = self.instance(i);
        let into = self.graph(instance.graph).edges.iter().filter(|(_, to, is_pdl)| *to == node && *is_pdl);
        let incomplete = into.filter(|(from, ..)| !instance.complete.contains(from));
        incomplete.map(|&(from, ..)| instance.grids[from].expect("what is open was queued")).collect()
    }

    /// launch2-K5.
    fn satisfy(&mut self, i: usize, (from, to): (usize, usize)) {
        if !self.instance_mut(i).satisfied.insert((from, to)) {
            return;
        }
        let instance = self.instance(i);
        let mut into = self.graph(instance.graph).edges.iter().filter(|edge| edge.1 == to);
        if into.all(|&(from, to, _)| instance.satisfied.contains(&(from, to))) {
            let lat_edge = self.config.kgraph.map_or(0, |part| part.lat_edge);
            self.queue_node(i, to, self.now.saturating_add(lat_edge.into()));
        }
    }

    fn edges_from(&self, i: usize, node: usize) -> Vec<(usize, usize, bool)> {
        self.graph(self.instance(i).graph).edges.iter().filter(|edge| edge.0 == node).copied().collect()
    }

    pub(super) fn node_is_open(&mut self, i: usize, node: usize) {
        for (from, to, is_pdl) in self.edges_from(i, node) {
            if is_pdl {
                self.satisfy(i, (from, to));
            }
        }
    }

    /// launch2-K5, launch2-K6.
    pub(super) fn node_is_complete(&mut self, i: usize, node: usize) {
        self.instance_mut(i).complete.insert(node);
        for (from, to, _) in self.edges_from(i, node) {
            self.satisfy(i, (from, to));
        }
        let Instance { graph, queue, ref grids, ref complete, .. } = *self.instance(i);
        if complete.len() == grids.len() {
            self.grids.kernel_graphs.instances[i] = None;
            self.busy[queue] = false;
            self.emit(Decision::KgraphDone { instance: InstanceId(i as u8), graph: KgraphId(graph as u8) });
            self.emit(Decision::HwqFree { queue: HwqId(queue as u8) });
        }
    }

    /// Kernels that the KMU may take: key, place in the list, whose it is.
    pub(in crate::model) fn ready_nodes(&self) -> Vec<(Key, usize, Owner)> {
        let all = self.grids.kernel_graphs.ready.iter().enumerate();
        let ripe = all.filter(|(_, (key, ..))| key.0 <= self.now);
        ripe.map(|(at, &(key, i, _))| (key, at, self.instance(i).owner)).collect()
    }

    /// Takes one from the list: instance, grid, kernel, stream, queue, owner.
    pub(in crate::model) fn take_node(&mut self, at: usize) -> (usize, Option<usize>, Descriptor, u32, usize, Owner) {
        let (_, i, node) = self.grids.kernel_graphs.ready.remove(at);
        let Instance { graph, queue, owner, stream, ref grids, .. } = *self.instance(i);
        (i, grids[node], self.graph(graph).nodes[node], stream, queue, owner)
    }

    /// launch2-Q1: whether time alone brings a launch or a kernel on.
    pub(in crate::model) fn is_launching(&self) -> bool {
        let late = |q: usize| self.may_go(q) && self.queues[q].front().is_some_and(|head| head.key.0 > self.now);
        let ripens = self.grids.kernel_graphs.ready.iter().any(|(key, ..)| key.0 > self.now);
        !self.startable().is_empty() || ripens || (0..self.queues.len()).any(late)
    }

    /// When kernels of graphs are ready.
    pub(in crate::model) fn node_times(&self) -> Vec<u64> {
        self.grids.kernel_graphs.ready.iter().map(|(key, ..)| key.0).collect()
    }

    pub(super) fn kgraphs_view(&self) -> Option<KgraphsView> {
        self.config.kgraph?;
        let KernelGraphs { graphs, instances, ready, host_free } = &self.grids.kernel_graphs;
        let graph = |(g, of): (usize, &Option<Graph>)| {
            let Graph { nodes, launched, started, .. } = of.as_ref()?;
            Some((g as u8, (nodes.len() as u32, launched - started, self.runs(g).map(|i| i as u8))))
        };
        let instance = |(i, of): (usize, &Option<Instance>)| {
            let Instance { graph, queue, grids, complete, .. } = of.as_ref()?;
            Some((i as u8, (*graph as u8, *queue as u8, (grids.len() - complete.len()) as u32)))
        };
        Some(KgraphsView {
            graphs: graphs.iter().enumerate().filter_map(graph).collect(),
            instances: instances.iter().enumerate().filter_map(instance).collect(),
            ready: ready.iter().map(|&((at, seq), i, node)| (seq, (i as u8, node as u16, at))).collect(),
            host_free: *host_free,
        })
    }
}
