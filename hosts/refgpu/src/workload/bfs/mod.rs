//! Breadth-first search (`workloads` 3.1): one kernel per level over the frontier of that level.
//!
//! [`options`](BfsOptions) says how a vertex's neighbours are visited: by its own thread, by warps and TBs (Merrill), or
//! by a child that is launched for them. `warp.rs` holds the instruction lists; this file the data they work on.
//!
//! ```
//! use gpusched_refgpu::graph::GraphSource;
//! use gpusched_refgpu::program::Workload;
//! use gpusched_refgpu::workload::{Bfs, BfsOptions, Mode};
//! use std::sync::Arc;
//!
//! let graph = "cit:2000".parse::<GraphSource>()?.load(&mut |_| std::ops::ControlFlow::Continue(()))?;
//! let mut bfs = Bfs::new(Arc::new(graph.csr), Mode::Dtbl, BfsOptions::default())?;
//! let first_level = bfs.next_kernel().expect("the source is a frontier");
//! assert_eq!(first_level.grid.x, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod options;
mod step;
mod warp;

pub use options::{BfsOptions, Cover, FlatForm, Shape};
pub use warp::BfsWarp;

use super::slots::Slots;
const SLOT_BYTES: u64 = 256;
use super::{Array, Layout, Mode, SetupError, Verified, WrongResult};
use crate::graph::{Csr, UNREACHED, fnv1a};
use crate::program::{Effects, Inst, TbContext, Workload};
use gpusched::{Descriptor, Dim3};
use std::sync::Arc;

/// Threads of a TB of a level's kernel.
const TB_THREADS: u32 = 256;
/// Program entries. They only need to differ.
const PARENT_PC: u64 = 0x1000;
const CHILD_PC: u64 = 0x2000;
/// Tag of the host's kernels. A child's tag is its slot plus one.
const HOST_TAG: u64 = 0;

/// Tag of the child with its parameters in `slot`.
const fn child_tag(slot: u32) -> u64 {
    slot as u64 + 1
}

/// Slot of the child with this tag.
const fn slot_of(tag: u64) -> u32 {
    (tag - 1) as u32
}

/// A breadth-first search in progress.
#[derive(Clone, Debug)]
pub struct Bfs {
    graph: Arc<Csr>,
    source: u32,
    options: BfsOptions,
    dynamic: bool,
    memory: Memory,
    level: Vec<u32>,
    /// The frontier of this level, and the one being collected.
    queue: Vec<u32>,
    next_queue: Vec<u32>,
    /// Whether `queue` lies in the second of the two arrays.
    swapped: bool,
    /// Level of the vertices that the running kernel finds; 0 before the first kernel.
    depth: u32,
    slots: Slots<Child>,
    elections: Vec<[Election; 2]>,
    expected: Vec<u32>,
    reachable: u64,
    settled: u64,
}

/// Where the arrays lie, in the order of the sheet, then the parameter slots.
#[derive(Clone, Debug)]
struct Memory {
    row: Array,
    col: Array,
    level: Array,
    queues: [Array; 2],
    tail: Array,
    slots: Array,
}

/// The parameter block of a child: which arcs it visits. (Next level and tail are the same for all.)
#[derive(Clone, Copy, Debug)]
struct Child {
    first: u32,
    count: u32,
    /// Threads of its TBs.
    tb: u32,
}

/// Shared memory of a TB in Merrill's form: whose list the TB strides in a round. Written by every candidate; the last one
/// stays. Two of them in turn, so that one barrier a round is enough.
#[derive(Clone, Copy, Debug, Default)]
struct Election {
    round: u32,
    thread: u32,
    first: u32,
    end: u32,
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
        options.check()?;
        if source >= graph.vertices() {
            let found = u64::from(source);
            return Err(SetupError::Option { option: "source", expected: "a vertex of the graph", found });
        }
        let vertices = u64::from(graph.vertices());
        let mut layout = Layout::default();
        let memory = Memory {
            row: layout.words(vertices + 1)?,
            col: layout.words(u64::from(graph.arc_count()))?,
            level: layout.words(vertices)?,
            queues: [layout.words(vertices)?, layout.words(vertices)?],
            tail: layout.words(1)?,
            // At most one child for each vertex of a level is in flight.
            slots: layout.array(vertices, SLOT_BYTES)?,
        };
        let expected = graph.levels(source);
        let reachable = expected.iter().filter(|&&l| l != UNREACHED).count() as u64;
        Ok(Self {
            level: vec![UNREACHED; graph.vertices() as usize],
            graph,
            source,
            options,
            dynamic: mode.is_dynamic(),
            memory,
            queue: Vec::new(),
            next_queue: Vec::new(),
            swapped: false,
            depth: 0,
            slots: Slots::new(),
            elections: Vec::new(),
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
        let both = self.level.iter().zip(&self.expected);
        match both.enumerate().find(|(_, (got, want))| got != want) {
            None => Ok(Verified { checksum: fnv1a(self.level.iter().copied()) }),
            Some((v, (got, want))) => {
                Err(WrongResult { place: format!("level[{v}]"), got: got.to_string(), want: want.to_string() })
            }
        }
    }

    const fn is_merrill(&self) -> bool {
        !self.dynamic && matches!(self.options.flat, FlatForm::Merrill)
    }

    /// Array that holds the frontier, and the one that the next is stored to.
    const fn queue_arrays(&self) -> (Array, Array) {
        let [first, second] = self.memory.queues;
        if self.swapped { (second, first) } else { (first, second) }
    }
}

impl Workload for Bfs {
    type Warp = BfsWarp;

    fn next_kernel(&mut self) -> Option<Descriptor> {
        if self.depth == 0 {
            let source = self.source;
            self.level[source as usize] = 0;
            self.settled = 1;
            self.queue.push(source);
        } else {
            std::mem::swap(&mut self.queue, &mut self.next_queue);
            self.next_queue.clear();
            self.swapped = !self.swapped;
        }
        if self.queue.is_empty() {
            return None;
        }
        self.depth += 1;
        let tbs = (self.queue.len() as u32).div_ceil(TB_THREADS);
        let (regs, smem) = if self.is_merrill() {
            self.elections.clear();
            self.elections.resize(tbs as usize, Default::default());
            (32, 2304)
        } else {
            (24, 0)
        };
        Some(Descriptor {
            pc: PARENT_PC,
            grid: Dim3::linear(tbs),
            tb: Dim3::linear(TB_THREADS),
            regs: regs * TB_THREADS,
            smem,
            param: 0,
            tag: HOST_TAG,
        })
    }

    fn begin(&mut self, tb: &TbContext, warp: u32, state: &mut BfsWarp) {
        let items = if tb.tag == HOST_TAG { self.queue.len() as u32 } else { self.slots.get(slot_of(tb.tag)).count };
        state.begin(tb, warp, items);
    }

    fn fetch(&self, warp: &BfsWarp) -> Inst {
        warp.head()
    }

    fn execute(&mut self, warp: &mut BfsWarp, effects: &mut Effects) {
        self.step(warp, effects);
    }

    fn progress(&self) -> (u64, u64) {
        (self.settled, self.reachable)
    }
}

#[cfg(test)]
mod tests;
