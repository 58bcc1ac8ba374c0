//! Single-source shortest paths (workloads-SP1 to SP4): rounds over all vertices, each of which pulls the least distance over the arcs
//! that lead to it, until a round changes nothing. So its arrays hold the arcs of the graph turned round; those of an undirected
//! graph are the same.
//!
//! The rounds are Jacobi's: they read one array of distances and write the other, so all modes do the same work. A vertex
//! with many neighbours gives them to a child, whose TBs each find their least in shared memory. `list.rs` holds the
//! instruction lists; this file the data they work on.
//!
//! ```
//! use gpusched_workloads::graph::GraphSource;
//! use gpusched_refgpu::program::Workload;
//! use gpusched_workloads::{LaunchOptions, Mode, Sssp};
//! use std::sync::Arc;
//!
//! let graph = "cit:2000".parse::<GraphSource>()?.load(&mut |_| std::ops::ControlFlow::Continue(()))?;
//! let mut sssp = Sssp::new(Arc::new(graph.csr), Mode::Dtbl, LaunchOptions::default())?;
//! let clear = Workload::next_kernel(&mut sssp).expect("a round begins");
//! assert_eq!(clear.grid.x, 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod list;
mod reference;

pub use list::Thread;

use super::device::{Child, Device, Resources, host_kernel};
use super::list::{Algorithm, List, Place};
use super::vertex::{ArcParameters, GraphArrays, check_source};
use super::{Array, LaunchOptions, Layout, Mode, SetupError, Verified, WrongResult, verify};
use crate::graph::Csr;
use gpusched::Descriptor;
use std::sync::Arc;

/// Distance of a vertex that no path reaches, or none so far.
pub const INFINITY: u32 = u32::MAX;

const TB_THREADS: u32 = 256;
const PARENT: Resources = Resources { regs: 26, smem: 0 };
const CHILD: Resources = Resources { regs: 20, smem: 4 };

/// A search for shortest paths in progress.
#[derive(Clone, Debug)]
pub struct Sssp {
    /// The arcs that lead to each vertex.
    graph: GraphArrays,
    dynamic: bool,
    memory: Memory,
    device: Device<ArcParameters>,
    kernel: Kernel,
    /// What this round reads, and what it writes.
    dist: Vec<u32>,
    dist2: Vec<u32>,
    /// Whether `dist` lies in the second of the two arrays.
    swapped: bool,
    changed: bool,
    rounds: u32,
    expected: Vec<u32>,
    /// Vertices pulled so far, and in all rounds.
    pulled: u64,
    to_pull: u64,
}

/// The kernels of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    Clear,
    Pull,
}

/// Where the arrays lie, after the graph's, in the order of the sheet.
#[derive(Clone, Debug)]
struct Memory {
    weight: Array,
    dist: [Array; 2],
    changed: Array,
}

impl Sssp {
    /// Shortest paths of `graph` from its [`source`](Csr::source). A graph without weights gets those of
    /// [`or_hashed_weights`](Csr::or_hashed_weights).
    ///
    /// # Errors
    /// [`SetupError`]: a mode that only others have, an option out of range, a path as long as [`INFINITY`], or a graph too big for the address space.
    pub fn new(graph: Arc<Csr>, mode: Mode, options: LaunchOptions) -> Result<Self, SetupError> {
        let source = graph.source();
        Self::from_vertex(graph, source, mode, options)
    }

    /// Shortest paths of `graph` from `source`.
    ///
    /// # Errors
    /// As [`new`](Self::new); also a source that is no vertex.
    pub fn from_vertex(
        mut graph: Arc<Csr>,
        source: u32,
        mode: Mode,
        options: LaunchOptions,
    ) -> Result<Self, SetupError> {
        let dynamic = mode.common()?.is_dynamic();
        check_source(&graph, source)?;
        if graph.weights().is_none() {
            graph = Arc::new(Csr::clone(&graph).or_hashed_weights());
        }
        let vertices = graph.vertices();
        let paths = reference::shortest_paths(&graph, source)?;
        let pulled = if graph.is_directed() { Arc::new(graph.reversed()) } else { graph };
        let mut layout = Layout::default();
        let graph = GraphArrays::new(pulled, &mut layout)?;
        let memory = Memory {
            weight: layout.words(u64::from(graph.csr.arc_count()))?,
            dist: [layout.words(u64::from(vertices))?, layout.words(u64::from(vertices))?],
            changed: layout.words(1)?,
        };
        let device = Device::new(options, CHILD, &mut layout, vertices)?;
        let mut dist = vec![INFINITY; vertices as usize];
        dist[source as usize] = 0;
        Ok(Self {
            graph,
            dynamic,
            memory,
            device,
            kernel: Kernel::Pull,
            dist2: vec![INFINITY; vertices as usize],
            dist,
            swapped: false,
            changed: true,
            rounds: 0,
            expected: paths.distance,
            pulled: 0,
            to_pull: u64::from(vertices) * u64::from(paths.rounds),
        })
    }

    /// The distance of every vertex so far, [`INFINITY`] where there is none.
    #[must_use]
    pub fn distances(&self) -> &[u32] {
        &self.dist
    }

    /// Rounds begun, the last, idle one included.
    #[must_use]
    pub const fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Compares the distances with those of Dijkstra's algorithm.
    ///
    /// # Errors
    /// [`WrongResult`] with the first vertex whose distance differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        verify("dist", self.dist.iter().copied(), self.expected.iter().copied())
    }

    /// Where the distances that this round reads and writes lie.
    const fn dist_arrays(&self) -> (Array, Array) {
        let [first, second] = self.memory.dist;
        if self.swapped { (second, first) } else { (first, second) }
    }
}

impl Algorithm for Sssp {
    type Thread = Thread;
    on_device!(ArcParameters);

    fn next_kernel(&mut self) -> Option<Descriptor> {
        self.kernel = match self.kernel {
            Kernel::Clear => Kernel::Pull,
            Kernel::Pull => {
                if self.rounds > 0 {
                    std::mem::swap(&mut self.dist, &mut self.dist2);
                    self.swapped = !self.swapped;
                }
                if !std::mem::take(&mut self.changed) {
                    return None;
                }
                self.rounds += 1;
                Kernel::Clear
            }
        };
        let tbs = self.graph.csr.vertices().div_ceil(TB_THREADS);
        Some(host_kernel(self.kernel as u8, tbs, TB_THREADS, PARENT))
    }

    fn list(&self, child: bool) -> List<Self> {
        match (self.kernel, child, self.dynamic) {
            (Kernel::Clear, ..) => list::CLEAR,
            (Kernel::Pull, true, _) => list::CHILD,
            (Kernel::Pull, false, true) => list::PARENT,
            (Kernel::Pull, false, false) => list::FLAT,
        }
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::at(place)
    }

    fn give(&self, thread: &mut Thread) -> Child<ArcParameters> {
        thread.walk.give(&self.device)
    }

    fn receive(&self, thread: &mut Thread, child: Child<ArcParameters>) {
        thread.walk.receive(child);
    }

    fn progress(&self) -> (u64, u64) {
        (self.pulled, self.to_pull)
    }
}

#[cfg(test)]
mod tests;
