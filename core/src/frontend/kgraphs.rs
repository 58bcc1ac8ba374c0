//! Graphs of kernels in the front end: they are defined once and launched many times (launch2-K1 to launch2-K6).

use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::id::{HwqId, InstanceId, KgraphId};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::grids::instances::{InstanceView, ReadyNode};
use crate::grids::kgraph::{KernelEdge, KernelNode, KgraphView};
use crate::launch::descriptor::Descriptor;
use crate::launch::hwq::{HostKernel, Key};

impl<T: Tables> FrontEnd<T> {
    /// launch2-K1: a graph of kernels, each of which waits for those from which an edge leads to it. Nothing is launched.
    ///
    /// # Errors
    /// `NoKgraph` if the machine has none, `KgraphFull`, `EmptyKgraph`, `KgraphSize`; per kernel what [`FrontEnd::host_launch`] refuses of
    /// its shape and cluster, and `GraphRetain`; per edge `KgraphEdge`, `BadPdlEdge`; `KgraphCycle`.
    pub fn kgraph_define(&mut self, nodes: &[KernelNode], edges: &[KernelEdge]) -> Result<KgraphId, Fault> {
        self.verb(|gpu| {
            let Self { board, grids, .. } = gpu;
            let config = board.config;
            let check = |kernel: &Descriptor| {
                kernel.shape(&config)?;
                kernel.cluster.check(kernel.grid, config.cluster.as_ref())
            };
            grids.as_mut().ok_or(Fault::NoKgraph)?.define(&config, nodes, edges, check)
        })
    }

    /// launch2-K2, launch2-K3: launches a graph into a stream. It begins to run when it is the oldest launch of the graph that waits, no
    /// other one of it runs, and what is in front of it in its queue is complete.
    ///
    /// # Errors
    /// `NoKgraph`, `BadKgraph`; what is refused of a kernel because of the stream's context (modern-V6, modern-V7); `HwqFull`.
    pub fn kgraph_launch(&mut self, graph: KgraphId, stream: u32) -> Result<HwqId, Fault> {
        self.between()?;
        let view = self.check_kgraph(graph)?;
        let owner = self.owner_of(stream);
        if self.modern.is_some()
            && let Some(grids) = self.grids.as_ref()
        {
            for kernel in grids.kernels_of(graph) {
                self.check_modern(kernel, kernel.shape(&self.board.config)?.need.threads, owner)?;
            }
        }
        let queue = self.free_queue(stream, owner)?;
        self.lift();
        let cost = self.board.config.kgraph.map_or(0, |part| {
            u64::from(part.lat_graph).saturating_add(u64::from(part.lat_node).saturating_mul(view.nodes.into()))
        });
        let key = self.key_after(cost);
        let number = self.grids.as_mut().map_or(0, |grids| grids.launch(graph));
        let descriptor = Descriptor { tag: number, ..Descriptor::default() };
        let launch = HostKernel { descriptor, kgraph: Some(graph), key, stream, owner, ..HostKernel::default() };
        self.board.hwqs.push(queue, launch);
        Ok(queue)
    }

    /// launch2-K1: forgets a graph.
    ///
    /// # Errors
    /// `NoKgraph`, `BadKgraph`, `KgraphBusy` while a launch of it waits or runs.
    pub fn kgraph_destroy(&mut self, graph: KgraphId) -> Result<(), Fault> {
        self.verb(|gpu| {
            gpu.check_kgraph(graph)?;
            gpu.grids.as_mut().ok_or(Fault::NoKgraph)?.destroy(graph)
        })
    }

    fn check_kgraph(&self, graph: KgraphId) -> Result<KgraphView, Fault> {
        self.board.config.kgraph.ok_or(Fault::NoKgraph)?;
        self.kernel_graph(graph).ok_or(Fault::BadKgraph)
    }

    /// A kernel graph; `None` if there is none of that number.
    #[must_use]
    pub fn kernel_graph(&self, graph: KgraphId) -> Option<KgraphView> {
        let exists = self.board.config.kgraph.is_some_and(|part| u32::from(graph) < part.graphs);
        self.grids.as_ref().filter(|_| exists)?.kgraph(graph)
    }

    /// What runs a kernel graph; `None` if nothing of that number runs.
    #[must_use]
    pub fn instance(&self, instance: InstanceId) -> Option<InstanceView> {
        let exists = self.board.config.kgraph.is_some_and(|part| u32::from(instance) < part.insts);
        self.grids.as_ref().filter(|_| exists)?.instance(instance)
    }

    /// Kernels of an instance that wait for the KMU, in order.
    pub fn ready_nodes(&self, instance: InstanceId) -> impl Iterator<Item = ReadyNode> {
        let runs = self.instance(instance).is_some();
        self.grids.as_ref().filter(|_| runs).into_iter().flat_map(move |grids| grids.ready(instance))
    }

    /// launch2-K2: the cycle in which the host's way of launching is free again; `None` if there are no kernel graphs.
    #[must_use]
    pub fn host_free(&self) -> Option<Cycle> {
        self.board.config.kgraph?;
        Some(self.grids.as_ref()?.host_free())
    }

    /// The age of a kernel that the host launches: one after the other (launch2-K2, launch2-A6).
    #[inline]
    pub(super) fn host_key(&mut self) -> Key {
        match self.board.config.kgraph {
            Some(part) => self.key_after(part.lat_kernel.into()),
            None => self.board.next_key(self.board.now),
        }
    }

    /// The age of what costs the host so much.
    fn key_after(&mut self, cost: u64) -> Key {
        let now = self.board.now;
        let ready = self.grids.as_mut().map_or(now, |grids| grids.host_launches(now, cost));
        self.board.next_key(ready)
    }
}
