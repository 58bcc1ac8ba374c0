//! A workload of any type with its check: what the [`catalogue`](super::catalogue) makes of each kernel.

use super::catalogue::Check;
use super::{Verified, WrongResult};
use gpusched::Descriptor;
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::erased::{AnyWorkload, Erased, StateId};
use gpusched_refgpu::program::{Effects, Inst, StreamProfile, TbContext, TbGraph, Workload};
use std::fmt;

/// Any workload, with its check.
pub struct Boxed(Box<dyn Checked>);

trait Checked {
    fn work(&self) -> &AnyWorkload<'_>;
    fn work_mut(&mut self) -> &mut AnyWorkload<'_>;
    fn check(&self) -> Result<Verified, WrongResult>;
    fn by_vertex(&self) -> Option<&[u32]>;
}

struct With<W: Workload> {
    work: Erased<W, W>,
    check: Check<W>,
    by_vertex: Option<fn(&W) -> &[u32]>,
}

impl<W: Workload> Checked for With<W> {
    fn work(&self) -> &AnyWorkload<'_> {
        &self.work
    }

    fn work_mut(&mut self) -> &mut AnyWorkload<'_> {
        &mut self.work
    }

    fn check(&self) -> Result<Verified, WrongResult> {
        (self.check)(self.work.work())
    }

    fn by_vertex(&self) -> Option<&[u32]> {
        self.by_vertex.map(|of| of(self.work.work()))
    }
}

impl Boxed {
    /// Forgets the type of `work`, whose result `check` verifies.
    #[must_use]
    pub fn new<W: Workload + 'static>(work: W, check: Check<W>) -> Self {
        Self(Box::new(With { work: Erased::new(work), check, by_vertex: None }))
    }

    /// The same of one whose result is a number for each vertex of a graph.
    #[must_use]
    pub fn on_graph<W: Workload + 'static>(work: W, check: Check<W>, by_vertex: fn(&W) -> &[u32]) -> Self {
        Self(Box::new(With { work: Erased::new(work), check, by_vertex: Some(by_vertex) }))
    }

    /// The workload, for [`Gpu::run_erased`](gpusched_refgpu::gpu::Gpu::run_erased).
    pub fn erased(&mut self) -> &mut AnyWorkload<'_> {
        self.0.work_mut()
    }

    /// The result, if it is a number for each vertex of a graph.
    #[must_use]
    pub fn by_vertex(&self) -> Option<&[u32]> {
        self.0.by_vertex()
    }

    /// Verifies the result when it has run.
    ///
    /// # Errors
    /// The first element that differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        self.0.check()
    }
}

impl Workload for Boxed {
    type Warp = StateId;

    fn starts_on(&mut self, machine: &GpuConfig) {
        self.0.work_mut().starts_on(machine);
    }

    fn next_kernel(&mut self) -> Option<Descriptor> {
        self.0.work_mut().next_kernel()
    }

    fn streams(&self) -> usize {
        self.0.work().streams()
    }

    fn next_kernel_of(&mut self, stream: usize) -> Option<Descriptor> {
        self.0.work_mut().next_kernel_of(stream)
    }

    fn stream(&self, tb: &TbContext) -> usize {
        self.0.work().stream(tb)
    }

    fn profile(&self, stream: usize) -> StreamProfile {
        self.0.work().profile(stream)
    }

    fn stream_name(&self, stream: usize) -> Option<&str> {
        self.0.work().stream_name(stream)
    }

    fn dependencies(&self) -> Option<&TbGraph> {
        self.0.work().dependencies()
    }

    fn kernel_name(&self, kernel: &Descriptor) -> Option<&str> {
        self.0.work().kernel_name(kernel)
    }

    fn level(&self, tb: &TbContext) -> Option<u32> {
        self.0.work().level(tb)
    }

    fn begin(&mut self, tb: &TbContext, warp: u32, state: &mut StateId) {
        self.0.work_mut().begin(tb, warp, state);
    }

    fn fetch(&self, warp: &StateId) -> Inst {
        self.0.work().fetch(warp)
    }

    fn execute(&mut self, warp: &mut StateId, effects: &mut Effects) {
        self.0.work_mut().execute(warp, effects);
    }

    fn preview(&self, warp: &StateId, effects: &mut Effects) -> bool {
        self.0.work().preview(warp, effects)
    }

    fn progress(&self) -> (u64, u64) {
        self.0.work().progress()
    }
}

impl fmt::Debug for Boxed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Boxed")
    }
}
