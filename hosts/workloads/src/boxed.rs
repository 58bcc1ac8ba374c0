//! A workload whose type is forgotten, so that a machine is compiled once for all kernels of the [`catalogue`](super::catalogue) and
//! not once for each. A call goes through a pointer; next to what a machine does with an instruction that is nothing.

use super::catalogue::Check;
use super::{Verified, WrongResult};
use gpusched::Descriptor;
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::program::{Effects, Inst, TbContext, TbGraph, Workload};
use std::fmt;

/// Any workload, with its check.
pub struct Boxed(Box<dyn Erased>);

/// Which of the states that the workload keeps is the warp's; none before its slot is first used.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place(Option<usize>);

/// A [`Workload`] whose warps' states are kept beside it.
trait Erased {
    fn starts_on(&mut self, machine: &GpuConfig);
    fn next_kernel(&mut self) -> Option<Descriptor>;
    fn dependencies(&self) -> Option<&TbGraph>;
    fn kernel_name(&self, kernel: &Descriptor) -> Option<&str>;
    fn level(&self, tb: &TbContext) -> Option<u32>;
    fn begin(&mut self, tb: &TbContext, warp: u32, place: Option<usize>) -> usize;
    fn fetch(&self, place: usize) -> Inst;
    fn execute(&mut self, place: usize, effects: &mut Effects);
    fn preview(&self, place: usize, effects: &mut Effects) -> bool;
    fn progress(&self) -> (u64, u64);
    fn check(&self) -> Result<Verified, WrongResult>;
}

struct Kept<W: Workload> {
    work: W,
    check: Check<W>,
    warps: Vec<W::Warp>,
}

impl<W: Workload> Erased for Kept<W> {
    fn starts_on(&mut self, machine: &GpuConfig) {
        self.work.starts_on(machine);
    }

    fn next_kernel(&mut self) -> Option<Descriptor> {
        self.work.next_kernel()
    }

    fn dependencies(&self) -> Option<&TbGraph> {
        self.work.dependencies()
    }

    fn kernel_name(&self, kernel: &Descriptor) -> Option<&str> {
        self.work.kernel_name(kernel)
    }

    fn level(&self, tb: &TbContext) -> Option<u32> {
        self.work.level(tb)
    }

    fn begin(&mut self, tb: &TbContext, warp: u32, place: Option<usize>) -> usize {
        let place = place.unwrap_or_else(|| {
            self.warps.push(W::Warp::default());
            self.warps.len() - 1
        });
        self.work.begin(tb, warp, &mut self.warps[place]);
        place
    }

    fn fetch(&self, place: usize) -> Inst {
        self.work.fetch(&self.warps[place])
    }

    fn execute(&mut self, place: usize, effects: &mut Effects) {
        self.work.execute(&mut self.warps[place], effects);
    }

    fn preview(&self, place: usize, effects: &mut Effects) -> bool {
        self.work.preview(&self.warps[place], effects)
    }

    fn progress(&self) -> (u64, u64) {
        self.work.progress()
    }

    fn check(&self) -> Result<Verified, WrongResult> {
        (self.check)(&self.work)
    }
}

impl Boxed {
    /// Forgets the type of `work`, whose result `check` verifies.
    #[must_use]
    pub fn new<W: Workload + 'static>(work: W, check: Check<W>) -> Self {
        Self(Box::new(Kept { work, check, warps: Vec::new() }))
    }

    /// Verifies the result when it has run.
    ///
    /// # Errors
    /// The first element that differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        self.0.check()
    }
}

/// A warp begins before it is asked for anything, so it has a place.
fn place(warp: &Place) -> usize {
    warp.0.unwrap_or_default()
}

impl Workload for Boxed {
    type Warp = Place;

    fn starts_on(&mut self, machine: &GpuConfig) {
        self.0.starts_on(machine);
    }

    fn next_kernel(&mut self) -> Option<Descriptor> {
        self.0.next_kernel()
    }

    fn dependencies(&self) -> Option<&TbGraph> {
        self.0.dependencies()
    }

    fn kernel_name(&self, kernel: &Descriptor) -> Option<&str> {
        self.0.kernel_name(kernel)
    }

    fn level(&self, tb: &TbContext) -> Option<u32> {
        self.0.level(tb)
    }

    fn begin(&mut self, tb: &TbContext, warp: u32, state: &mut Place) {
        state.0 = Some(self.0.begin(tb, warp, state.0));
    }

    fn fetch(&self, warp: &Place) -> Inst {
        self.0.fetch(place(warp))
    }

    fn execute(&mut self, warp: &mut Place, effects: &mut Effects) {
        self.0.execute(place(warp), effects);
    }

    fn preview(&self, warp: &Place, effects: &mut Effects) -> bool {
        self.0.preview(place(warp), effects)
    }

    fn progress(&self) -> (u64, u64) {
        self.0.progress()
    }
}

impl fmt::Debug for Boxed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Boxed")
    }
}
