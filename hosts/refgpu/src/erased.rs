//! Workloads whose type is forgotten. The machine runs them all as such, so that it is compiled once and not once for each type. A call
//! goes through a pointer; next to what the machine does with an instruction that is little.
//!
//! Whoever runs one workload need not know of this: [`Gpu::run`](crate::gpu::Gpu::run) takes any. It serves those who keep several types
//! in one list:
//!
//! ```
//! use gpusched_refgpu::erased::{AnyWorkload, Erased};
//! use gpusched_refgpu::script::{Op, Script, kernel, script};
//!
//! let kernels = [kernel(0x100, 8, 64, 0)];
//! let list: Vec<Box<AnyWorkload<'_>>> = vec![Box::new(Erased::<_, Script<'_>>::new(script(&kernels, |_| Op::exit())))];
//! assert_eq!(list[0].streams(), 1);
//! ```

use std::borrow::BorrowMut;

use gpusched::Descriptor;

use crate::config::GpuConfig;
use crate::program::{Effects, Inst, StreamProfile, TbContext, TbGraph, Workload};

/// Any workload, as the machine runs it.
pub type AnyWorkload<'a> = dyn Workload<Warp = StateId> + 'a;

/// Which of the states that are kept beside the workload is the warp's; none before a warp first begins in its slot.
#[derive(Clone, Copy, Debug, Default)]
pub struct StateId(Option<u32>);

impl StateId {
    /// A warp begins before it is asked for anything, so it has a state.
    #[inline]
    fn index(self) -> usize {
        self.0.unwrap_or_default() as usize
    }
}

/// A workload, owned or borrowed, with the states of its warps.
#[derive(Debug)]
pub struct Erased<B, W: Workload> {
    work: B,
    warps: Vec<W::Warp>,
}

impl<B: BorrowMut<W>, W: Workload> Erased<B, W> {
    /// No warp has begun.
    pub const fn new(work: B) -> Self {
        Self { work, warps: Vec::new() }
    }

    /// The workload.
    pub fn work(&self) -> &W {
        self.work.borrow()
    }
}

impl<B: BorrowMut<W>, W: Workload> Workload for Erased<B, W> {
    type Warp = StateId;

    fn starts_on(&mut self, machine: &GpuConfig) {
        self.work.borrow_mut().starts_on(machine);
    }

    fn next_kernel(&mut self) -> Option<Descriptor> {
        self.work.borrow_mut().next_kernel()
    }

    fn streams(&self) -> usize {
        self.work().streams()
    }

    fn next_kernel_of(&mut self, stream: usize) -> Option<Descriptor> {
        self.work.borrow_mut().next_kernel_of(stream)
    }

    fn stream(&self, tb: &TbContext) -> usize {
        self.work().stream(tb)
    }

    fn profile(&self, stream: usize) -> StreamProfile {
        self.work().profile(stream)
    }

    fn stream_name(&self, stream: usize) -> Option<&str> {
        self.work().stream_name(stream)
    }

    fn dependencies(&self) -> Option<&TbGraph> {
        self.work().dependencies()
    }

    fn kernel_name(&self, kernel: &Descriptor) -> Option<&str> {
        self.work().kernel_name(kernel)
    }

    fn level(&self, tb: &TbContext) -> Option<u32> {
        self.work().level(tb)
    }

    fn begin(&mut self, tb: &TbContext, warp: u32, id: &mut StateId) {
        let index = *id.0.get_or_insert_with(|| {
            self.warps.push(W::Warp::default());
            self.warps.len() as u32 - 1
        });
        self.work.borrow_mut().begin(tb, warp, &mut self.warps[index as usize]);
    }

    fn fetch(&self, id: &StateId) -> Inst {
        self.work().fetch(&self.warps[id.index()])
    }

    fn execute(&mut self, id: &mut StateId, effects: &mut Effects) {
        self.work.borrow_mut().execute(&mut self.warps[id.index()], effects);
    }

    fn preview(&self, id: &StateId, effects: &mut Effects) -> bool {
        self.work().preview(&self.warps[id.index()], effects)
    }

    fn progress(&self) -> (u64, u64) {
        self.work().progress()
    }
}
