//! Kernels with dependency graphs: the dependency-graph buffer as a part of the front end (frontend-F1, frontend-F3, frontend-F4,
//! frontend-F6, frontend-T1g, frontend-T2g, frontend-T4g).
//!
//! A host kernel that is launched with a graph goes through the buffer instead of the native TB counter: its TBs are the graph's
//! nodes, sent as soon as their parents are done and named by their VIDs. There is one buffer. The KMU takes it with the issue of
//! such a kernel, and the end of that kernel, or [`FrontEnd::abort_graph`], gives it back; so graphs run one after another, each
//! with its own policy, while plain kernels go ahead of those that wait.
//!
//! The host answers the buffer's memory requests:
//!
//! ```
//! use gpusched::dats::{GraphHeader, Node, NodeId, Request};
//! use gpusched::{Config, DatsPart, Descriptor, Dim3, FrontEnd, Sched, Status, TbRef, inline_tables};
//!
//! const GPU: Config = Config { n_smx: 2, pend_limit: 16, dats: Some(DatsPart::GTX480), ..Config::K20C };
//! inline_tables! {
//!     struct Two = GPU;
//! }
//! // 0 -> {1, 2} -> 3, in memory.
//! let nodes = [Node::new(0, false, 0, 0), Node::new(2, false, 1, 1), Node::new(3, false, 1, 1), Node::new(4, true, 2, 2)];
//! let edges = [1, 2, 3, 3].map(NodeId);
//! let mut gpu = FrontEnd::<Two>::new(&GPU.ideal())?;
//! let kernel = Descriptor { grid: Dim3::linear(4), tb: Dim3::linear(256), tag: 7, ..Descriptor::default() };
//! gpu.host_launch_graph(0, &kernel, false, &GraphHeader { v: 4, e: 4, ..GraphHeader::default() })?;
//!
//! let mut sent = Vec::new();
//! while gpu.status() != Status::Drained {
//!     while let Some(request) = gpu.graph_poll()? {
//!         match request {
//!             Request::Nodes { tag, first, count, .. } => {
//!                 gpu.graph_nodes(tag, &nodes[first as usize..][..count as usize], &mut ())?
//!             }
//!             Request::Edges { tag, first, count, .. } => {
//!                 gpu.graph_edges(tag, &edges[first as usize..][..count as usize], &mut ())?
//!             }
//!             Request::Decrement { .. } => unreachable!("nothing spills"),
//!         };
//!     }
//!     if let Sched::Tb(tb) = gpu.tick(&mut ())?.sched {
//!         assert_eq!((tb.tag, tb.tb_ref), (7, TbRef::Node));
//!         sent.push(tb.blkid);
//!         // It ends at once.
//!         gpu.tb_done(tb.smx, tb.slot, &mut ())?;
//!     }
//! }
//! assert_eq!(sent, [0, 1, 2, 3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "image")]
mod image;

use crate::base::error::Fault;
use crate::base::id::{HwqId, KernelSlot};
use crate::base::set::SmxSet;
use crate::base::table::{Rows, Table};
use crate::dats::{
    Buffer, DgbConfig, GraphError, GraphHeader, GraphLaunch, LocalNode, Node, NodeId, Phase, Report, Request,
    Selection, Stall,
};
use crate::frontend::tables::Tables;
use crate::frontend::{FrontEnd, Sched};
use crate::launch::descriptor::{Descriptor, Shape};
use crate::launch::distributor::GraphState;
use crate::launch::hwq::{CellId, HostKernel};
use crate::probe::{Decision, Probe, TbPlacement};
use crate::smx::residency::{ResidentTb, Unit};

/// The buffer, who has it, and the graphs that wait for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Graphs<H, N, E, P, I, W> {
    pub(crate) dgb: Buffer<N, E, P, I, W>,
    /// The kernel that has the buffer, and its graph: from the issue to the end or the abort.
    pub(crate) owner: Option<(KernelSlot, GraphHeader)>,
    /// Graphs of host kernels that wait in queues.
    pub(crate) headers: Table<CellId, GraphHeader, H>,
}

impl<H, N, E, P, I, W> Graphs<H, N, E, P, I, W>
where
    H: Rows<GraphHeader>,
    N: Rows<LocalNode>,
    E: Rows<NodeId>,
    P: Rows<NodeId>,
    I: Rows<Node>,
    W: Rows<u64>,
{
    pub(crate) fn new(headers: H, rows: (N, E, P, I, W), config: &DgbConfig) -> Self {
        Self { dgb: Buffer::empty(config, rows), owner: None, headers: Table::new(headers) }
    }

    /// Whether the window can never move again.
    fn is_deadlocked(&self) -> bool {
        self.dgb.phase() == Phase::Running && self.dgb.window().deadlock.is_some()
    }
}

/// A front end's buffer, on the rows of its home.
pub type DgbOf<T> = Buffer<
    <T as Tables>::DgbNodes,
    <T as Tables>::DgbEdges,
    <T as Tables>::DgbUpdates,
    <T as Tables>::DgbInsertions,
    <T as Tables>::DgbWords,
>;

impl<T: Tables> FrontEnd<T> {
    // ---- verbs

    /// frontend-F1: a host kernel whose TBs are the nodes of a dependency graph, in stream `stream`. Its grid has as many TBs as the
    /// graph has nodes. The host answers the requests of [`FrontEnd::graph_poll`] from then on.
    ///
    /// # Errors
    /// `EmptyGrid`, `GridTooLarge`, `EmptyTb`, `TbTooBig`, `NoDgb`, `GraphRetain` if it is to be retained, `GraphSize`,
    /// `TooManyNodes`, `TooManyEdges`, `Misaligned`, `AddressOverflow`, `HwqFull`.
    pub fn host_launch_graph(
        &mut self,
        stream: u32,
        descriptor: &Descriptor,
        retain: bool,
        graph: &GraphHeader,
    ) -> Result<HwqId, Fault> {
        let dgb = self.check_graph_shape(descriptor, retain, graph.v)?;
        graph.check(&dgb)?;
        let queue = self.free_queue(stream)?;
        let key = self.next_key(self.now);
        let cell = self.hwqs.push(queue, HostKernel { descriptor: *descriptor, retain, is_graph: true, key });
        if let Some(graphs) = self.graphs.as_mut() {
            graphs.headers[cell] = *graph;
        }
        Ok(queue)
    }

    /// What [`FrontEnd::host_launch_graph`] checks before it looks into the graph: the kernel, that there is a buffer, that
    /// nothing is retained, and that the grid has `v` TBs. The buffer's configuration.
    ///
    /// # Errors
    /// `EmptyGrid`, `GridTooLarge`, `EmptyTb`, `TbTooBig`, `NoDgb`, `GraphRetain`, `GraphSize`.
    pub fn check_graph_shape(&self, descriptor: &Descriptor, retain: bool, v: u32) -> Result<DgbConfig, Fault> {
        let Shape { total, .. } = descriptor.shape(&self.config)?;
        let graphs = self.graphs.as_ref().ok_or(Fault::NoDgb)?;
        if retain {
            return Err(Fault::GraphRetain);
        }
        if total != v { Err(Fault::GraphSize) } else { Ok(*graphs.dgb.config()) }
    }

    /// The buffer's next memory request, if one is due ([`Buffer::poll`]).
    ///
    /// # Errors
    /// `NoDgb`; as there.
    pub fn graph_poll(&mut self) -> Result<Option<Request>, GraphError> {
        self.graphs.as_mut().ok_or(GraphError::NoDgb)?.dgb.poll()
    }

    /// A chunk of nodes lands ([`Buffer::nodes`]).
    ///
    /// # Errors
    /// `NoDgb`; as there.
    pub fn graph_nodes(&mut self, tag: u32, entries: &[Node], probe: &mut impl Probe) -> Result<Report, GraphError> {
        let graphs = self.graphs.as_mut().ok_or(GraphError::NoDgb)?;
        let answer = graphs.dgb.nodes(tag, entries);
        self.graph_moved(answer, probe)
    }

    /// Edges arrive ([`Buffer::edges`]).
    ///
    /// # Errors
    /// `NoDgb`; as there.
    pub fn graph_edges(&mut self, tag: u32, targets: &[NodeId], probe: &mut impl Probe) -> Result<Report, GraphError> {
        let graphs = self.graphs.as_mut().ok_or(GraphError::NoDgb)?;
        let answer = graphs.dgb.edges(tag, targets);
        self.graph_moved(answer, probe)
    }

    /// Memory has subtracted ([`Buffer::spilled`]).
    ///
    /// # Errors
    /// `NoDgb`; as there.
    pub fn graph_spilled(&mut self, tag: u32, probe: &mut impl Probe) -> Result<Report, GraphError> {
        let graphs = self.graphs.as_mut().ok_or(GraphError::NoDgb)?;
        let answer = graphs.dgb.spilled(tag);
        self.graph_moved(answer, probe)
    }

    /// frontend-F6: gives a kernel's graph up. Nodes that were not sent never are; those that run stay until `tb_done`, and the kernel
    /// ends with the last of them. The buffer is free at once.
    ///
    /// # Errors
    /// `BadKde`, `NoKernel`, `NotGraph`, `NotRunning` if the graph is finished or was given up.
    pub fn abort_graph(&mut self, kde: KernelSlot, probe: &mut impl Probe) -> Result<(), Fault> {
        self.check_active(kde)?;
        let entry = self.kd.get(kde);
        if entry.graph.is_none() {
            return Err(Fault::NotGraph);
        }
        let Some(graphs) = self.graphs.as_mut().filter(|_| entry.is_graph_open()) else {
            return Err(Fault::NotRunning);
        };
        let executing = graphs.dgb.abort();
        graphs.owner = None;
        self.hwqs.hold_graphs(false);
        self.kd.get_mut(kde).graph = Some(GraphState::Aborted);
        self.kd.unmark(kde);
        probe.decide(self.now, Decision::GraphAbort { kde, executing });
        if self.kd.get(kde).is_over() {
            self.release(kde, probe);
        }
        Ok(())
    }

    // ---- the way of a graph kernel

    /// The graph of the kernel at the head of a queue, if it has one.
    pub(crate) fn head_graph(&mut self, q: HwqId) -> Option<GraphHeader> {
        let cell = self.hwqs.head_cell(q);
        let graphs = self.graphs.as_mut().filter(|_| self.hwqs.is_head_graph(q))?;
        Some(core::mem::take(&mut graphs.headers[cell]))
    }

    /// frontend-T1g: a kernel that is issued takes the buffer for its graph.
    pub(crate) fn take_dgb(&mut self, k: KernelSlot, header: GraphHeader) {
        if let Some(graphs) = self.graphs.as_mut() {
            graphs.owner = Some((k, header));
            self.hwqs.hold_graphs(true);
        }
    }

    /// frontend-T2g: a graph kernel has arrived.
    pub(crate) fn start_graph(&mut self, kdei: KernelSlot) {
        let Some(graphs) = self.graphs.as_mut() else { return };
        let Some((_, graph)) = graphs.owner.filter(|&(owner, _)| owner == kdei) else { return };
        // What could be refused was checked at the launch; the buffer is free.
        if graphs.dgb.launch(&GraphLaunch { kdei, graph }).is_ok() {
            self.kd.get_mut(kdei).graph = Some(GraphState::Running);
        }
    }

    /// frontend-T4g: sends the next node of a graph kernel to one of the SMXs that are left to it, or says why not.
    #[inline(never)]
    pub(crate) fn try_graph(
        &mut self,
        k: KernelSlot,
        left: &SmxSet,
        probe: &mut impl Probe,
    ) -> Result<TbPlacement, Sched> {
        self.graph_candidate()?;
        let fits = self.takers(k, left);
        let graphs = self.graphs.as_mut().ok_or(Sched::Idle)?;
        match graphs.dgb.select(&fits) {
            Ok(Selection::Dispatch { node, smx, .. }) => {
                let kde = self.kd.get_mut(k);
                kde.kernel.next_native += 1;
                let (tag, prio, more) = (kde.kernel.descriptor.tag, kde.kernel.prio, kde.has_native_work());
                let tb = ResidentTb { kde: k, unit: Unit::Node, blkid: node.0.into(), prio, member: None };
                let tb = self.place(smx, tb, tag, probe);
                self.stats.graph_tbs = self.stats.graph_tbs.saturating_add(1);
                if !more && self.kd.get(k).mark.is_some() {
                    self.kd.unmark(k);
                    probe.decide(self.now, Decision::Unmark { kde: k });
                }
                Ok(tb)
            }
            Ok(Selection::Stall(Stall::NoSmx)) => Err(self.doors().verdict(k, left)),
            Ok(Selection::Stall(stall)) => Err(Sched::of_graph(stall)),
            Ok(Selection::Finished) | Err(_) => Err(Sched::GraphFault),
        }
    }

    /// Whether the running graph has a node to send, were there room; else the word for why not.
    pub(crate) fn graph_candidate(&self) -> Result<(), Sched> {
        let look = self.graphs.as_ref().and_then(|graphs| graphs.dgb.look());
        look.map_or(Err(Sched::GraphFault), |look| look.map(drop).map_err(Sched::of_graph))
    }

    /// LaPerm: the active kernel whose graph has nodes that were not sent.
    pub(crate) fn unsent_graph(&self) -> Option<KernelSlot> {
        let (k, _) = self.graphs.as_ref()?.owner?;
        let kde = self.kd.get(k);
        let is_here = matches!(kde.graph, Some(GraphState::Running | GraphState::Faulted));
        (is_here && kde.has_native_work()).then_some(k)
    }

    /// frontend-F3: the TB of a node has ended.
    #[inline(never)]
    pub(crate) fn node_done(&mut self, k: KernelSlot, vid: u32, probe: &mut impl Probe) {
        if self.kd.get(k).graph != Some(GraphState::Running) {
            return;
        }
        let Some(graphs) = self.graphs.as_mut() else { return };
        let answer = graphs.dgb.complete(NodeId(vid as u16)).map(|completion| completion.report);
        // A fault is told as a decision.
        let _ = self.graph_moved(answer, probe);
    }

    /// What an event did to the graph: it may have finished, or met a contradiction, which is told once.
    fn graph_moved(
        &mut self,
        answer: Result<Report, GraphError>,
        probe: &mut impl Probe,
    ) -> Result<Report, GraphError> {
        let Some((kde, _)) = self.graphs.as_ref().and_then(|graphs| graphs.owner) else { return answer };
        if self.kd.get(kde).graph != Some(GraphState::Running) {
            return answer;
        }
        match answer {
            Ok(Report { finished: true, .. }) => {
                self.kd.get_mut(kde).graph = Some(GraphState::Finished);
                probe.decide(self.now, Decision::GraphDone { kde });
            }
            Err(GraphError::GraphFault { kind, node }) => {
                self.kd.get_mut(kde).graph = Some(GraphState::Faulted);
                probe.decide(self.now, Decision::GraphFault { kde, kind, node });
            }
            _ => {}
        }
        answer
    }

    /// frontend-F4: a kernel is over, and with it its hold on the buffer.
    pub(crate) fn release_dgb(&mut self, k: KernelSlot) {
        if let Some(graphs) = self.graphs.as_mut()
            && graphs.owner.is_some_and(|(owner, _)| owner == k)
        {
            graphs.owner = None;
            self.hwqs.hold_graphs(false);
        }
    }

    // ---- queries

    /// Whether the graph that runs can never go on by itself (frontend-Q1).
    pub(crate) fn is_graph_stuck(&self) -> bool {
        let faulted = |(k, _)| self.kd.get(k).graph == Some(GraphState::Faulted);
        self.graphs.as_ref().is_some_and(|graphs| graphs.owner.is_some_and(faulted) || graphs.is_deadlocked())
    }

    /// Whether the buffer waits for answers (frontend-Q1).
    pub(crate) fn is_graph_waiting(&self) -> bool {
        self.graphs.as_ref().is_some_and(|graphs| graphs.dgb.waits_for_memory())
    }

    /// The dependency-graph buffer, if there is one.
    #[must_use]
    pub fn dgb(&self) -> Option<&DgbOf<T>> {
        Some(&self.graphs.as_ref()?.dgb)
    }

    /// The kernel that has the dependency-graph buffer: its graph is arriving, running, or in a fault.
    #[must_use]
    pub fn dgb_owner(&self) -> Option<KernelSlot> {
        Some(self.graphs.as_ref()?.owner?.0)
    }

    /// The SMXs among those left to a kernel that have no obstacle for it.
    fn takers(&mut self, k: KernelSlot, left: &SmxSet) -> SmxSet {
        self.residency.follow(k, &self.kd.get(k).need);
        let doors = self.doors();
        doors.allowed(k, left).and(doors.eligible).and(self.residency.room())
    }
}
