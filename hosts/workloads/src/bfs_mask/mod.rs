//! Breadth-first search by masks (workloads-FK5, Rodinia): a thread for each vertex in every level, most of which find that they
//! have nothing to do.
//!
//! The first kernel looks along the edges of the vertices in the mask and marks those that it finds, the second makes the marked
//! vertices the next mask, and tells the host whether there are any. [`Bfs`](super::Bfs) is the search with a queue.
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::gpu::{Gpu, RunOptions};
//! use gpusched_workloads::graph::GraphSource;
//! use gpusched_workloads::MaskBfs;
//! use std::sync::Arc;
//!
//! let graph = "uni:8,3".parse::<GraphSource>()?.load(&mut |_| std::ops::ControlFlow::Continue(()))?;
//! let mut bfs = MaskBfs::new(Arc::new(graph.csr))?;
//! Gpu::new(&GpuConfig::preset("gtx480")?, RunOptions::default())?.run(&mut bfs, &mut ())?;
//! bfs.check()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod list;

pub use list::Thread;

use super::catalogue::{Request, Size};
use super::device::{Device, Resources, host_kernel};
use super::list::{Algorithm, List, Place};
use super::{Array, Layout, SetupError, Verified, WrongResult, graph, verify};
use crate::graph::{Csr, UNREACHED};
use gpusched::Descriptor;
use std::sync::Arc;

const TB_THREADS: u32 = 512;
const RESOURCES: Resources = Resources { regs: 16, smem: 0 };

/// A search in progress.
#[derive(Clone, Debug)]
pub struct MaskBfs {
    graph: Arc<Csr>,
    source: u32,
    device: Device<()>,
    memory: Memory,
    /// The kernel that runs.
    kernel: Option<Kernel>,
    /// Vertices of the frontier, those found in this level, and those found so far.
    mask: Vec<bool>,
    updating: Vec<bool>,
    visited: Vec<bool>,
    cost: Vec<u32>,
    /// Whether the second kernel found a vertex: the search is not over.
    over: bool,
    expected: Vec<u32>,
    settled: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    /// Looks along edges.
    Expand,
    /// Makes the next mask.
    Advance,
}

/// Where the arrays lie, in the order of the sheet. A node is its first edge and their number, 8 bytes; masks are bytes.
#[derive(Clone, Copy, Debug)]
struct Memory {
    node: Array,
    edge: Array,
    mask: Array,
    updating: Array,
    visited: Array,
    cost: Array,
    over: Array,
}

impl MaskBfs {
    /// A search of `graph` from its [`source`](Csr::source).
    ///
    /// # Errors
    /// [`SetupError::TooBig`].
    pub fn new(graph: Arc<Csr>) -> Result<Self, SetupError> {
        let (source, vertices) = (graph.source(), graph.vertices());
        let n = u64::from(vertices);
        let mut layout = Layout::default();
        let memory = Memory {
            node: layout.array(n, 8)?,
            edge: layout.words(graph.arc_count().into())?,
            mask: layout.array(n, 1)?,
            updating: layout.array(n, 1)?,
            visited: layout.array(n, 1)?,
            cost: layout.words(n)?,
            over: layout.array(1, 1)?,
        };
        let none = vec![false; vertices as usize];
        Ok(Self {
            source,
            device: Device::default(),
            memory,
            kernel: None,
            mask: none.clone(),
            updating: none.clone(),
            visited: none,
            cost: vec![UNREACHED; vertices as usize],
            over: false,
            expected: graph.levels(source),
            settled: 0,
            graph,
        })
    }

    /// As the catalogue's `request` says; a number of vertices that is no power of two is made one.
    pub(super) fn requested(request: Request) -> Result<Self, SetupError> {
        let Request { seed, size, memory, .. } = request.without_loop()?;
        let lg = match size {
            Size::Test => 9,
            Size::Times(n) => 14 + n.checked_next_power_of_two().map_or(32, u32::ilog2),
        };
        Self::new(graph(&format!("uni:{lg},3,seed={seed}"), memory)?)
    }

    /// The level of every vertex so far, [`UNREACHED`] where there is none.
    #[must_use]
    pub fn costs(&self) -> &[u32] {
        &self.cost
    }

    /// Compares the levels with those of a sequential search.
    ///
    /// # Errors
    /// [`WrongResult`] with the first vertex whose level differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        verify("cost", self.cost.iter().copied(), self.expected.iter().copied())
    }
}

impl Algorithm for MaskBfs {
    type Thread = Thread;
    on_device!(());

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let kernel = match self.kernel {
            None => {
                let source = self.source as usize;
                (self.mask[source], self.visited[source], self.cost[source]) = (true, true, 0);
                self.settled = 1;
                Kernel::Expand
            }
            Some(Kernel::Expand) => Kernel::Advance,
            Some(Kernel::Advance) if std::mem::take(&mut self.over) => Kernel::Expand,
            Some(Kernel::Advance) => return None,
        };
        self.kernel = Some(kernel);
        let tbs = self.graph.vertices().div_ceil(TB_THREADS);
        Some(host_kernel(kernel as u8, tbs, TB_THREADS, RESOURCES))
    }

    fn list(&self, _: bool) -> List<Self> {
        match self.kernel {
            Some(Kernel::Advance) => list::ADVANCE,
            _ => list::EXPAND,
        }
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::at(place)
    }

    fn progress(&self) -> (u64, u64) {
        let reachable = self.expected.iter().filter(|&&level| level != UNREACHED).count();
        (self.settled, reachable as u64)
    }
}

#[cfg(test)]
mod tests;
