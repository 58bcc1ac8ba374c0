//! Kernels with dependency graphs: the dependency-graph buffer as a part of the front end (frontend-F1, frontend-F3, frontend-F4,
//! frontend-F6, frontend-T1g, frontend-T2g, frontend-T4g).
//!
//! A host kernel that is launched with a graph goes through the buffer instead of the native TB counter: its TBs are the graph's
//! nodes, sent as soon as their parents are done and named by their VIDs ([`crate::policy::graph`]).
//!
//! The host answers the buffer's memory requests:
//!
//! ```
//! use gpusched::dats::{GraphHeader, Node, NodeId, Request};
//! use gpusched::{Config, DatsPart, Descriptor, Dim3, FrontEnd, Sched, State, TbRef, inline_tables};
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
//! while gpu.status() != State::Drained {
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
use crate::dats::{Buffer, DgbConfig, GraphError, GraphHeader, Node, NodeId, Report, Request};
use crate::frontend::FrontEnd;
use crate::frontend::quiet::Noticing;
use crate::frontend::tables::Tables;
use crate::launch::board::Board;
use crate::launch::cross::Consumers;
use crate::launch::descriptor::{Descriptor, Shape};
use crate::launch::hwq::HostKernel;
use crate::policy::graph::Graphs;
use crate::probe::Probe;

/// A front end's buffer, on the rows of its home.
pub type DgbOf<T> = Buffer<
    <T as Tables>::DgbNodes,
    <T as Tables>::DgbEdges,
    <T as Tables>::DgbUpdates,
    <T as Tables>::DgbInsertions,
    <T as Tables>::DgbWords,
>;

impl<T: Tables> FrontEnd<T> {
    /// frontend-F1: a host kernel whose TBs are the nodes of a dependency graph, in stream `stream`. Its grid has as many TBs as the
    /// graph has nodes. The host answers the requests of [`FrontEnd::graph_poll`] from then on.
    ///
    /// # Errors
    /// `EmptyGrid`, `GridTooLarge`, `EmptyTb`, `TbTooBig`, `NoClusters`, `ClusterGraph`, `TbOverQuota`, `NoDgb`, `GraphRetain` if it is to be
    /// retained, `GraphSize`,
    /// `TooManyNodes`, `TooManyEdges`, `Misaligned`, `AddressOverflow`, `HwqFull`; `MidCycle` before all others.
    pub fn host_launch_graph(
        &mut self,
        stream: u32,
        descriptor: &Descriptor,
        retain: bool,
        graph: &GraphHeader,
    ) -> Result<HwqId, Fault> {
        self.launch_graph(stream, descriptor, retain, (graph, None), false)
    }

    /// launch2-P1: the same, as a programmatic dependent of the kernel in front of it in its queue.
    ///
    /// # Errors
    /// `NoPdl` if the machine has none; as [`FrontEnd::host_launch_graph`].
    pub fn host_launch_graph_dependent(
        &mut self,
        stream: u32,
        descriptor: &Descriptor,
        retain: bool,
        graph: &GraphHeader,
    ) -> Result<HwqId, Fault> {
        self.check_pdl()?;
        self.launch_graph(stream, descriptor, retain, (graph, None), true)
    }

    /// launch2-X1: two kernels that share a dependency graph, as one kernel of the host: `producers`, whose nodes come first and whose grid
    /// has as many TBs as the graph has nodes, and `consumers`, which wait for them TB by TB. Producers are at level 0, and consumers have
    /// no children.
    ///
    /// # Errors
    /// `NoCross` if the machine has none; after what is wrong with the shape of the producers' TBs that of the consumers' (`EmptyTb`,
    /// `TbTooBig`), then `BadParts`; as [`FrontEnd::host_launch_graph`].
    pub fn host_launch_cross(
        &mut self,
        stream: u32,
        producers: &Descriptor,
        retain: bool,
        graph: &GraphHeader,
        consumers: &Consumers,
    ) -> Result<HwqId, Fault> {
        self.launch_graph(stream, producers, retain, (graph, Some(consumers)), false)
    }

    /// launch2-P1: the same, as programmatic dependents of the kernel in front of them in their queue.
    ///
    /// # Errors
    /// `NoPdl` if the machine has none; as [`FrontEnd::host_launch_cross`].
    pub fn host_launch_cross_dependent(
        &mut self,
        stream: u32,
        producers: &Descriptor,
        retain: bool,
        graph: &GraphHeader,
        consumers: &Consumers,
    ) -> Result<HwqId, Fault> {
        self.check_pdl()?;
        self.launch_graph(stream, producers, retain, (graph, Some(consumers)), true)
    }

    fn launch_graph(
        &mut self,
        stream: u32,
        descriptor: &Descriptor,
        retain: bool,
        (graph, consumers): (&GraphHeader, Option<&Consumers>),
        is_dependent: bool,
    ) -> Result<HwqId, Fault> {
        self.between()?;
        if consumers.is_some() && !self.board.config.cross {
            return Err(Fault::NoCross);
        }
        let shape = descriptor.shape(&self.board.config)?;
        let second = consumers.map(|second| second.need(descriptor, &self.board.config)).transpose()?;
        if consumers.is_some_and(|second| !second.splits(graph.v)) {
            return Err(Fault::BadParts);
        }
        if self.board.config.cluster.is_some() && descriptor.cluster.is_given() {
            return Err(Fault::ClusterGraph);
        }
        let threads = shape.need.threads.max(second.map_or(0, |need| need.threads));
        let owner = self.check_owner(stream, descriptor, threads)?;
        let dgb = self.check_graph_shape(shape, retain, graph.v)?;
        graph.check(&dgb)?;
        let queue = self.free_queue(stream, owner)?;
        self.lift();
        let key = self.host_key();
        let kernel = HostKernel {
            descriptor: *descriptor,
            retain,
            is_graph: true,
            is_dependent,
            kgraph: None,
            key,
            stream,
            owner,
        };
        let cell = self.board.hwqs.push(queue, kernel);
        if let Some(graphs) = self.graphs.as_mut() {
            graphs.wait(cell, graph, consumers);
        }
        Ok(queue)
    }

    /// What [`FrontEnd::host_launch_graph`] checks of a kernel before it looks into the graph: that there is a buffer, that
    /// nothing is retained, and that the grid has `v` TBs. The buffer's configuration.
    ///
    /// # Errors
    /// `NoDgb`, `GraphRetain`, `GraphSize`.
    fn check_graph_shape(&self, Shape { total, .. }: Shape, retain: bool, v: u32) -> Result<DgbConfig, Fault> {
        let graphs = self.graphs.as_ref().ok_or(Fault::NoDgb)?;
        if retain {
            return Err(Fault::GraphRetain);
        }
        if total != v { Err(Fault::GraphSize) } else { Ok(*graphs.dgb.config()) }
    }

    /// The buffer's next memory request, if one is due ([`Buffer::poll`]).
    ///
    /// # Errors
    /// `NoDgb`; those of [`Buffer::poll`].
    pub fn graph_poll(&mut self) -> Result<Option<Request>, GraphError> {
        self.verb(|gpu| gpu.graphs.as_mut().ok_or(GraphError::NoDgb)?.dgb.poll())
    }

    /// A chunk of nodes lands ([`Buffer::nodes`]).
    ///
    /// # Errors
    /// `NoDgb`; those of [`Buffer::nodes`].
    pub fn graph_nodes(&mut self, tag: u32, entries: &[Node], probe: &mut impl Probe) -> Result<Report, GraphError> {
        self.answer(
            |graphs, board| {
                graphs.check_parts(board, tag, entries)?;
                graphs.dgb.nodes(tag, entries)
            },
            probe,
        )
    }

    /// Edges arrive ([`Buffer::edges`]).
    ///
    /// # Errors
    /// `NoDgb`; those of [`Buffer::edges`].
    pub fn graph_edges(&mut self, tag: u32, targets: &[NodeId], probe: &mut impl Probe) -> Result<Report, GraphError> {
        self.answer(|graphs, _| graphs.dgb.edges(tag, targets), probe)
    }

    /// Memory has subtracted ([`Buffer::spilled`]).
    ///
    /// # Errors
    /// `NoDgb`; those of [`Buffer::spilled`].
    pub fn graph_spilled(&mut self, tag: u32, probe: &mut impl Probe) -> Result<Report, GraphError> {
        self.answer(|graphs, _| graphs.dgb.spilled(tag), probe)
    }

    /// An answer of memory reaches the buffer. One that shows a contradiction is an error, and something happened all the same.
    fn answer(
        &mut self,
        give: impl FnOnce(&mut Graphs<T>, &Board<T>) -> Result<Report, GraphError>,
        probe: &mut impl Probe,
    ) -> Result<Report, GraphError> {
        self.between()?;
        let graphs = self.graphs.as_mut().ok_or(GraphError::NoDgb)?;
        let mut probe = Noticing::of(probe);
        let answer = give(graphs, &self.board);
        let answer = graphs.moved(&mut self.board, answer, &mut probe);
        if answer.is_ok() || probe.any {
            self.lift();
        }
        answer
    }

    /// frontend-F6: gives a kernel's graph up. Nodes that were not sent never are; those that run stay until `tb_done`, and the kernel
    /// ends with the last of them. The buffer is free at once.
    ///
    /// # Errors
    /// `BadKde`, `NoKernel`, `NotGraph`, `NotRunning` if the graph is finished or was given up.
    pub fn abort_graph(&mut self, kde: KernelSlot, probe: &mut impl Probe) -> Result<(), Fault> {
        self.between()?;
        self.board.check_active(kde)?;
        let entry = self.board.kd.get(kde);
        if entry.graph.is_none() {
            return Err(Fault::NotGraph);
        }
        let Some(graphs) = self.graphs.as_mut().filter(|_| entry.is_graph_open()) else {
            return Err(Fault::NotRunning);
        };
        graphs.abort(&mut self.board, kde, probe);
        self.lift();
        if self.board.kd.get(kde).is_over() {
            self.release(kde, probe);
        }
        self.sweep(probe);
        self.settle(probe);
        Ok(())
    }

    /// The dependency-graph buffer, if there is one.
    #[must_use]
    pub fn dgb(&self) -> Option<&DgbOf<T>> {
        Some(&self.graphs.as_ref()?.dgb)
    }

    /// The kernel that has the dependency-graph buffer: its graph is arriving, running, or in a fault. `None`: it is free.
    #[must_use]
    pub fn dgb_owner(&self) -> Option<KernelSlot> {
        Some(self.graphs.as_ref()?.owner?.0)
    }
}
