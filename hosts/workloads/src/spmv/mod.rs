//! Sparse matrix times vector (workloads-FK1, Parboil): a thread per row, the matrix stored by jagged diagonals.
//!
//! The values and columns of 32 rows lie side by side, so that a warp reads them from one line each; the elements of x that it
//! multiplies them with are anywhere. The matrix is that of a graph: an element for each arc, its weight or else a number drawn from
//! the seed.
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::gpu::{Gpu, RunOptions};
//! use gpusched_workloads::graph::GraphSource;
//! use gpusched_workloads::Spmv;
//! use std::sync::Arc;
//!
//! let matrix = "cage:500".parse::<GraphSource>()?.load(&mut |_| std::ops::ControlFlow::Continue(()))?;
//! let mut spmv = Spmv::new(Arc::new(matrix.csr), 1)?;
//! Gpu::new(&GpuConfig::preset("gtx480")?, RunOptions::default())?.run(&mut spmv, &mut ())?;
//! spmv.check()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod jds;
mod list;

pub use list::Thread;

use super::catalogue::{Request, Size};
use super::device::{Device, Resources, host_kernel};
use super::list::{Algorithm, List, Place};
use super::{Array, Layout, SetupError, Verified, WrongResult, graph, verify_f32};
use crate::graph::{Csr, SplitMix64};
use gpusched::Descriptor;
use jds::Jds;
use std::sync::Arc;

const TB_THREADS: u32 = 192;
const RESOURCES: Resources = Resources { regs: 16, smem: 0 };

/// A product in progress.
#[derive(Clone, Debug)]
pub struct Spmv {
    matrix: Arc<Csr>,
    /// Value of each arc.
    values: Vec<f32>,
    launched: bool,
    device: Device<()>,
    memory: Memory,
    jds: Jds,
    x: Vec<f32>,
    y: Vec<f32>,
    stored: u64,
}

/// Where the arrays lie, in the order of the sheet.
#[derive(Clone, Copy, Debug)]
struct Memory {
    data: Array,
    index: Array,
    start: Array,
    length: Array,
    row: Array,
    x: Array,
    y: Array,
}

impl Spmv {
    /// The matrix of a graph, times a vector drawn from the seed.
    ///
    /// # Errors
    /// [`SetupError`]: the padded matrix has 2^32 elements or more, or the arrays do not fit the address space.
    pub fn new(matrix: Arc<Csr>, seed: u64) -> Result<Self, SetupError> {
        let mut stream = SplitMix64::new(seed);
        let values = match matrix.weights() {
            Some(weights) => weights.iter().map(|&weight| weight as f32).collect(),
            None => (0..matrix.arc_count()).map(|_| stream.unit_f32()).collect::<Vec<_>>(),
        };
        let jds = Jds::new(&matrix, &values)?;
        let n = u64::from(matrix.vertices());
        let mut layout = Layout::default();
        let memory = Memory {
            data: layout.words(jds.data.len() as u64)?,
            index: layout.words(jds.index.len() as u64)?,
            start: layout.words(jds.start.len() as u64)?,
            length: layout.words(jds.length.len() as u64)?,
            row: layout.words(n)?,
            x: layout.words(n)?,
            y: layout.words(n)?,
        };
        Ok(Self {
            values,
            launched: false,
            device: Device::default(),
            memory,
            jds,
            x: (0..n).map(|_| stream.unit_f32()).collect(),
            y: vec![0.0; n as usize],
            stored: 0,
            matrix,
        })
    }

    /// As the catalogue's `request` says.
    pub(super) fn requested(request: Request) -> Result<Self, SetupError> {
        let Request { seed, size, memory, .. } = request.without_loop()?;
        let n = match size {
            Size::Test => 1000,
            Size::Times(n) => n.saturating_mul(1 << 15),
        };
        Self::new(graph(&format!("cage:{n},seed={seed}"), memory)?, seed)
    }

    /// Compares y with a product row by row, to the bit: the additions have the same order.
    ///
    /// # Errors
    /// [`WrongResult`] with the first row that differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let product = |row| {
            self.matrix.arcs(row).fold(0.0, |sum, arc| sum + self.values[arc] * self.x[self.matrix.col()[arc] as usize])
        };
        verify_f32("y", self.y.iter().copied(), (0..self.matrix.vertices()).map(product))
    }
}

impl Algorithm for Spmv {
    type Thread = Thread;
    on_device!(());

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let first = !std::mem::replace(&mut self.launched, true);
        first.then(|| host_kernel(0, self.matrix.vertices().div_ceil(TB_THREADS), TB_THREADS, RESOURCES))
    }

    fn list(&self, _: bool) -> List<Self> {
        list::LIST
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::at(place)
    }

    fn progress(&self) -> (u64, u64) {
        (self.stored, u64::from(self.matrix.vertices()))
    }
}

#[cfg(test)]
mod tests;
