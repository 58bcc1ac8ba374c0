//! Kernels with dependency graphs: random graphs, a memory that takes its time, and graphs that are given up.

use gpusched::dats::{Admission, DgbConfig, GraphError, GraphHeader, GraphPolicy, LevelRef, Prefetch, Request};
use gpusched::{Config, DatsPart, Descriptor, Dim3, Fault, HwqId, KernelSlot};

use super::journal::name;
use super::{Event, Random, Simulator};
use crate::dats::deplinks::Link;
use crate::dats::memory::Memory;
use crate::dats::{OfCore, Parts, heap};

/// A front end with a buffer that is soon full.
pub fn configure(random: &mut Random, front: &Config) -> Config {
    let chunk_bytes = 8 << random.below(4);
    let part = DatsPart {
        lna: chunk_bytes / 8 + 1 + random.below(20),
        lea: 4 + random.below(60),
        pub_entries: random.below(12),
        chunk_bytes,
        prefetch: random.either(Prefetch::ChunkFree, Prefetch::Eager),
        level_ref: random.either(LevelRef::Incomplete, LevelRef::Active),
        issue_needs_edges: random.below(2) != 0,
        spill: random.below(2) != 0,
    };
    Config { dats: Some(part), pass_graph: random.below(2) != 0, ..*front }
}

impl Simulator {
    /// A kernel whose TBs each need some of those before them.
    pub fn launch_graph(&mut self, stream: u32, kernel: &Descriptor, retain: bool) -> Result<HwqId, Fault> {
        let grid = Dim3 { x: kernel.grid.x, y: kernel.grid.y * 4, z: 1 };
        let bound = self.random.below(4) as u16;
        let policy = self.random.either(GraphPolicy::Lrr, GraphPolicy::Lvl { bound });
        let mut parents = Vec::new();
        for tb in 0..grid.x * grid.y {
            let n = if tb == 0 { 0 } else { self.random.below(4) };
            parents.push((0..n).map(|_| self.random.below(tb)).collect::<Vec<_>>());
        }
        let links = |block: Dim3| {
            let own = &parents[(block.x + grid.x * block.y) as usize];
            let link = |p: &u32| Link::Parent((p % grid.x).into(), (p / grid.x).into(), 0);
            own.iter().map(link).chain([Link::Policy(policy)]).collect()
        };
        let max_edges = 3 * parents.len();
        let built = match heap::build(grid, max_edges, &links) {
            Ok(built) => built,
            Err(refused) => {
                self.journal.line(format_args!("no graph {}", refused.fault().name()));
                return Err(refused.fault());
            }
        };
        let memory = Memory { nodes: built.nodes, edges: built.edges };
        let (verdict, node) = match OfCore::admit(&self.dgb_config(), &memory.nodes, &memory.edges) {
            Admission::Safe => (0, None),
            Admission::MayDeadlock { node } => (1, Some(node)),
            Admission::Deadlocks { node } => (2, Some(node)),
            Admission::Oversize { node } => (3, Some(node)),
        };
        let node = node.map_or_else(|| "-".to_owned(), |node| node.0.to_string());
        let tag = self.tag();
        let base = tag << 16;
        let graph = GraphHeader { node_base: base, edge_base: base + (1 << 15), ..memory.header(built.policy) };
        self.journal.line(format_args!("graph {} {} {} admit {verdict} {node}", graph.v, graph.e, built.levels));
        self.graphs.insert(tag, memory);
        self.gpu.host_launch_graph(stream, &Descriptor { grid, ..*kernel }, retain, &graph)
    }

    fn dgb_config(&self) -> DgbConfig {
        self.config.dats.unwrap_or_default().machine(&self.config)
    }

    /// Asks for what is due, and sees to it that it is answered.
    pub fn ask_memory(&mut self) {
        // A graph that contradicts itself would ask for nothing, and no graph of these does.
        while let Ok(Some(request)) = self.gpu.graph_poll() {
            let (kind, tag, first, count, addr) = match request {
                Request::Nodes { tag, first, count, addr } => ("nodes", tag, first, count, addr),
                Request::Edges { tag, first, count, addr } => ("edges", tag, first, count, addr),
                Request::Decrement { tag, node, addr } => ("decrement", tag, node.into(), 1, addr),
            };
            self.journal.line(format_args!("request {kind} {tag} {first} {count} {addr}"));
            let owner = self.gpu.dgb_owner().and_then(|kde| self.gpu.kde(kde)).map_or(0, |e| e.kernel.descriptor.tag);
            self.requests.insert(tag, (request, owner));
            let at = self.gpu.now().0 + u64::from(self.random.below(150));
            self.events.insert((at, Event::Answered(tag)));
        }
    }

    /// Memory answers.
    pub fn answer(&mut self, cycle: u64, tag: u32) {
        let Some((request, of)) = self.requests.remove(&tag) else { return };
        let memory = self.graphs.get_mut(&of).expect("the graph of a request");
        let answered = match request {
            Request::Nodes { first, count, .. } => {
                let entries = &memory.nodes[first as usize..(first + count) as usize];
                self.gpu.graph_nodes(tag, entries, &mut self.told)
            }
            Request::Edges { first, count, .. } => {
                let targets = &memory.edges[first as usize..(first + count) as usize];
                self.gpu.graph_edges(tag, targets, &mut self.told)
            }
            Request::Decrement { node, .. } => {
                let entry = &mut memory.nodes[usize::from(node.0)];
                *entry = entry.with_parent_done().expect("a parent of it is not done");
                self.gpu.graph_spilled(tag, &mut self.told)
            }
        };
        let fault = name(answered.map_err(|error| error.fault()));
        let r = answered.unwrap_or_default();
        let (finalised, updates, [pub_in, pub_out]) = (r.finalised, r.updates, [r.pub_in, r.pub_out]);
        let finished = u8::from(r.finished);
        self.journal.line(format_args!(
            "{cycle} > answer {tag} {fault} {finalised} {updates} {pub_in} {pub_out} {} {} {finished}",
            r.inserted, r.readied
        ));
        // A node that is too large for this buffer: no other answer would do.
        if matches!(answered, Err(GraphError::BadGraph { .. })) {
            self.abort_owner(cycle);
        }
    }

    /// A graph whose window can never move again is given up when its last TB has ended.
    pub fn give_up_stuck_graph(&mut self) {
        let is_stuck = self.gpu.dgb().is_some_and(|dgb| dgb.deadlock().is_some() && dgb.state().executing == 0);
        if is_stuck {
            self.abort_owner(self.gpu.now().0);
        }
    }

    fn abort_owner(&mut self, cycle: u64) {
        if let Some(kde) = self.gpu.dgb_owner() {
            self.abort(cycle, kde);
        }
    }

    /// Now and then so is another one.
    pub fn abort_now_and_then(&mut self, cycle: u64) {
        if self.config.dats.is_some() && self.random.below(4) == 0 {
            let kde = KernelSlot(self.random.below(4) as u8);
            self.abort(cycle, self.gpu.dgb_owner().unwrap_or(kde));
        }
    }

    fn abort(&mut self, cycle: u64, kde: KernelSlot) {
        let aborted = self.gpu.abort_graph(kde, &mut self.told);
        self.journal.line(format_args!("{cycle} > abort graph {} {}", kde.0, name(aborted)));
    }
}
