//! Graph colouring in the manner of Jones and Plassmann (workloads-CL1 to CL5): in iteration c, a vertex without a colour gets
//! colour c if no neighbour without a colour has a greater priority.
//!
//! Each iteration is two kernels over all vertices, *examine* and *resolve*; children of the first need no
//! synchronisation then. The work falls with c: late iterations are nearly all threads that end at once. `list.rs` holds the
//! instruction lists; this file the data they work on.
//!
//! ```
//! use gpusched_workloads::graph::GraphSource;
//! use gpusched_refgpu::program::Workload;
//! use gpusched_workloads::{Clr, LaunchOptions, Mode};
//! use std::sync::Arc;
//!
//! let graph = "cit:2000".parse::<GraphSource>()?.load(&mut |_| std::ops::ControlFlow::Continue(()))?;
//! let mut clr = Clr::new(Arc::new(graph.csr), Mode::Dtbl, LaunchOptions::default())?;
//! let examine = Workload::next_kernel(&mut clr).expect("an iteration begins");
//! assert_eq!(examine.grid.x, 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod list;

pub use list::Thread;

use super::device::{Child, Device, Resources, host_kernel};
use super::list::{Algorithm, List, Place};
use super::vertex::{ArcParameters, GraphArrays};
use super::{Array, LaunchOptions, Layout, Mode, SetupError, Verified, WrongResult, verify};
use crate::graph::{Csr, hash};
use gpusched::Descriptor;
use std::cmp::Reverse;
use std::sync::Arc;

/// Mark of a vertex without a colour; colours count from 1.
const NONE: u32 = 0;

const TB_THREADS: u32 = 256;
const PARENT: Resources = Resources { regs: 24, smem: 0 };
const CHILD: Resources = Resources { regs: 16, smem: 0 };

/// A colouring in progress.
#[derive(Clone, Debug)]
pub struct Clr {
    graph: GraphArrays,
    dynamic: bool,
    memory: Memory,
    device: Device<ArcParameters>,
    kernel: Kernel,
    priority: Vec<u32>,
    color: Vec<u32>,
    /// The last iteration in which each vertex had to wait for a neighbour.
    lose: Vec<u32>,
    /// Vertices without a colour.
    left: u32,
    /// The iteration, c of the sheet; 0 before the first.
    iteration: u32,
    expected: Vec<u32>,
}

/// The kernels of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    Examine,
    Resolve,
}

/// Where the arrays lie, after the graph's, in the order of the sheet.
#[derive(Clone, Debug)]
struct Memory {
    priority: Array,
    color: Array,
    lose: Array,
    left: Array,
}

impl Clr {
    /// A colouring of `graph`.
    ///
    /// # Errors
    /// [`SetupError`]: a mode that only others have, an option out of range, an arc that has none back (workloads-CL1), or a graph too big for the address space.
    pub fn new(graph: Arc<Csr>, mode: Mode, options: LaunchOptions) -> Result<Self, SetupError> {
        let dynamic = mode.common()?.is_dynamic();
        if let Some((from, to)) = graph.one_way() {
            return Err(SetupError::OneWay { from, to });
        }
        let vertices = graph.vertices();
        let mut layout = Layout::default();
        let graph = GraphArrays::new(graph, &mut layout)?;
        let memory = Memory {
            priority: layout.words(u64::from(vertices))?,
            color: layout.words(u64::from(vertices))?,
            lose: layout.words(u64::from(vertices))?,
            left: layout.words(1)?,
        };
        let device = Device::new(options, CHILD, &mut layout, vertices)?;
        let priority: Vec<u32> = (0..vertices).map(|v| (hash(u64::from(v)) >> 32) as u32).collect();
        Ok(Self {
            expected: greedy(&graph.csr, &priority),
            graph,
            dynamic,
            memory,
            device,
            kernel: Kernel::Resolve,
            priority,
            color: vec![NONE; vertices as usize],
            lose: vec![0; vertices as usize],
            left: vertices,
            iteration: 0,
        })
    }

    /// The colour of every vertex so far, from 1; 0 where there is none.
    #[must_use]
    pub fn colors(&self) -> &[u32] {
        &self.color
    }

    /// Iterations begun. In the end this is the number of colours.
    #[must_use]
    pub const fn iterations(&self) -> u32 {
        self.iteration
    }

    /// Checks that neighbours differ, and compares the colours with those of a sequential colouring.
    ///
    /// # Errors
    /// [`WrongResult`] with the first vertex whose colour differs or is that of a neighbour.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        for (u, v, _) in self.graph.csr.edges() {
            let color = self.color[u as usize];
            if color == self.color[v as usize] {
                let place = format!("color[{v}]");
                let want = format!("another than that of its neighbour {u}");
                return Err(WrongResult { place, got: color.to_string(), want });
            }
        }
        verify("color", self.color.iter().copied(), self.expected.iter().copied())
    }
}

/// One vertex after the other, the greatest priority first: the colour after the greatest of the neighbours that have one.
fn greedy(graph: &Csr, priority: &[u32]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..graph.vertices()).collect();
    order.sort_unstable_by_key(|&v| Reverse((priority[v as usize], v)));
    let mut color = vec![NONE; order.len()];
    for v in order {
        color[v as usize] = graph.neighbours(v).iter().map(|&u| color[u as usize]).max().unwrap_or(NONE) + 1;
    }
    color
}

impl Algorithm for Clr {
    type Thread = Thread;
    on_device!(ArcParameters);

    fn next_kernel(&mut self) -> Option<Descriptor> {
        self.kernel = match self.kernel {
            Kernel::Examine => Kernel::Resolve,
            Kernel::Resolve if self.left == 0 => return None,
            Kernel::Resolve => {
                self.iteration += 1;
                Kernel::Examine
            }
        };
        let tbs = self.graph.csr.vertices().div_ceil(TB_THREADS);
        Some(host_kernel(self.kernel as u8, tbs, TB_THREADS, PARENT))
    }

    fn list(&self, child: bool) -> List<Self> {
        match (self.kernel, child, self.dynamic) {
            (Kernel::Resolve, ..) => list::RESOLVE,
            (Kernel::Examine, true, _) => list::CHILD,
            (Kernel::Examine, false, true) => list::PARENT,
            (Kernel::Examine, false, false) => list::FLAT,
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
        let all = u64::from(self.graph.csr.vertices());
        (all - u64::from(self.left), all)
    }
}

#[cfg(test)]
mod tests;
