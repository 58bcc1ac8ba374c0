//! Breadth-first search (workloads-BF1 to BF6): one kernel per level over the frontier of that level; or one for all, of TBs that stay.
//!
//! [`options`](BfsOptions) says how a vertex's neighbours are visited: by its own thread, by warps and TBs (Merrill), or
//! by a child that is launched for them. `list.rs` holds the instruction lists, `persistent.rs` that of the TBs that stay; this file
//! the data they work on.
//!
//! ```
//! use gpusched_workloads::graph::GraphSource;
//! use gpusched_refgpu::program::Workload;
//! use gpusched_workloads::{Bfs, BfsOptions, Mode};
//! use std::sync::Arc;
//!
//! let graph = "cit:2000".parse::<GraphSource>()?.load(&mut |_| std::ops::ControlFlow::Continue(()))?;
//! let mut bfs = Bfs::new(Arc::new(graph.csr), Mode::Dtbl, BfsOptions::default())?;
//! let first_level = Workload::next_kernel(&mut bfs).expect("the source is a frontier");
//! assert_eq!(first_level.grid.x, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod list;
mod options;
mod persistent;

pub use list::Thread;
pub use options::{BfsOptions, FlatForm};

use super::device::{Child, Device, Resources, host_kernel};
use super::list::{Algorithm, List, Place};
use super::vertex::{ArcParameters, GraphArrays, check_source};
use super::{Array, Layout, Mode, SetupError, Verified, WrongResult, verify};
use crate::graph::{Csr, UNREACHED};
use gpusched::Descriptor;
use gpusched_refgpu::config::GpuConfig;
use persistent::Control;
use std::sync::Arc;

/// Threads of a TB of a level's kernel.
const TB_THREADS: u32 = 256;
const PARENT: Resources = Resources { regs: 24, smem: 0 };
const MERRILL: Resources = Resources { regs: 32, smem: 2304 };
const CHILD: Resources = Resources { regs: 16, smem: 0 };

/// A breadth-first search in progress.
#[derive(Clone, Debug)]
pub struct Bfs {
    graph: GraphArrays,
    source: u32,
    form: Form,
    memory: Memory,
    device: Device<ArcParameters>,
    control: Control,
    level: Vec<u32>,
    /// The frontier of this level, and the one being collected. For TBs that stay, the second is the whole queue.
    queue: Vec<u32>,
    next_queue: Vec<u32>,
    /// Whether `queue` lies in the second of the two arrays.
    swapped: bool,
    /// Level of the vertices that the running kernel finds; 0 before the first kernel.
    depth: u32,
    expected: Vec<u32>,
    reachable: u64,
    settled: u64,
}

/// The programs of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Thread,
    Merrill,
    Dynamic,
    Persistent,
}

/// Where the arrays lie, after the graph's, in the order of the sheet.
#[derive(Clone, Debug)]
struct Memory {
    level: Array,
    queues: [Array; 2],
    tail: Array,
}

impl Bfs {
    /// A search of `graph` from its [`source`](Csr::source).
    ///
    /// # Errors
    /// [`SetupError`]: an option out of range, or a graph too big for the address space.
    pub fn new(graph: Arc<Csr>, mode: Mode, options: BfsOptions) -> Result<Self, SetupError> {
        let source = graph.source();
        Self::from_vertex(graph, source, mode, options)
    }

    /// A search of `graph` from `source`.
    ///
    /// # Errors
    /// As [`new`](Self::new); also a source that is no vertex.
    pub fn from_vertex(graph: Arc<Csr>, source: u32, mode: Mode, options: BfsOptions) -> Result<Self, SetupError> {
        check_source(&graph, source)?;
        let vertices = graph.vertices();
        let mut layout = Layout::default();
        let graph = GraphArrays::new(graph, &mut layout)?;
        let mut words = |len: u32| layout.words(u64::from(len));
        let memory = Memory { level: words(vertices)?, queues: [words(vertices)?, words(vertices)?], tail: words(1)? };
        let form = match (mode, options.flat) {
            (Mode::Persistent, _) => Form::Persistent,
            (Mode::Flat, FlatForm::Thread) => Form::Thread,
            (Mode::Flat, FlatForm::Merrill) => Form::Merrill,
            _ => Form::Dynamic,
        };
        let control = match form {
            Form::Persistent => Control::new(&mut layout)?,
            _ => Control::default(),
        };
        // At most one child for each vertex of a level is in flight.
        let device = Device::new(options.launch(), CHILD, &mut layout, vertices)?;
        let expected = graph.csr.levels(source);
        let reachable = expected.iter().filter(|&&l| l != UNREACHED).count() as u64;
        Ok(Self {
            level: vec![UNREACHED; vertices as usize],
            graph,
            source,
            form,
            memory,
            device,
            control,
            queue: Vec::new(),
            next_queue: Vec::new(),
            // The source goes to the first of the two.
            swapped: true,
            depth: 0,
            expected,
            reachable,
            settled: 0,
        })
    }

    /// The level of every vertex so far, [`UNREACHED`] where there is none.
    #[must_use]
    pub fn levels(&self) -> &[u32] {
        &self.level
    }

    /// Compares the levels with those of a sequential search.
    ///
    /// # Errors
    /// [`WrongResult`] with the first vertex whose level differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        verify("level", self.level.iter().copied(), self.expected.iter().copied())
    }

    /// Array that holds the frontier, and the one that the next is stored to.
    const fn queue_arrays(&self) -> (Array, Array) {
        let [first, second] = self.memory.queues;
        if self.swapped { (second, first) } else { (first, second) }
    }
}

impl Algorithm for Bfs {
    type Thread = Thread;
    on_device!(ArcParameters);

    fn starts_on(&mut self, machine: &GpuConfig) {
        self.control.stay(machine.wave(&self.control.kernel()));
    }

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let starts = self.depth == 0;
        if starts {
            let source = self.source;
            self.level[source as usize] = 0;
            self.settled = 1;
            self.next_queue.push(source);
        }
        if self.form == Form::Persistent {
            self.depth = 1;
            return starts.then(|| self.control.kernel());
        }
        std::mem::swap(&mut self.queue, &mut self.next_queue);
        self.next_queue.clear();
        self.swapped = !self.swapped;
        if self.queue.is_empty() {
            return None;
        }
        self.depth += 1;
        let tbs = (self.queue.len() as u32).div_ceil(TB_THREADS);
        let resources = if self.form == Form::Merrill { MERRILL } else { PARENT };
        Some(host_kernel(0, tbs, TB_THREADS, resources))
    }

    fn list(&self, child: bool) -> List<Self> {
        match self.form {
            _ if child => list::CHILD,
            Form::Thread => list::THREAD_FORM,
            Form::Merrill => list::MERRILL,
            Form::Dynamic => list::DYNAMIC,
            Form::Persistent => persistent::LIST,
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
        (self.settled, self.reachable)
    }
}

#[cfg(test)]
mod tests;
