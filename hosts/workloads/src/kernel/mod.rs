//! Parametric kernels (workloads-PK1 to PK6): a descriptor says how many instructions of which class a warp runs, where its
//! accesses go, and how they depend on each other.
//!
//! The kernels of the sources' tables are such descriptors, in `data/`, a file per application; [`built_in`] gives them. Users can
//! write their own:
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::gpu::{Gpu, RunOptions};
//! use gpusched_workloads::catalogue::{Request, Size};
//! use gpusched_workloads::kernel::{App, Parametric};
//!
//! let app = App::from_toml(
//!     r#"
//!     about = "streams through memory, with a table that fits the cache"
//!
//!     [[kernel]]
//!     name = "mine"
//!     grid = 60
//!     threads = 256
//!     regs = 20
//!
//!     [[kernel.phase]]
//!     iters = 10
//!     n = 40
//!     fp = 0.5
//!     loads = ["st(4) x2", "ga(8, 16 KB)"]
//!     stores = ["st(4)"]
//!     "#,
//! )?;
//! let mut work = Parametric::new(&app, Request::default())?;
//! let result = Gpu::new(&GpuConfig::preset("gtx480")?, RunOptions::default())?.run(&mut work, &mut ())?;
//! work.check()?;
//! // 8 warps in 60 TBs: 10 iterations of 40 instructions, and an exit.
//! assert_eq!(result.stats.sm.all_instructions(), 60 * 8 * (10 * 40 + 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `pattern.rs` has the patterns and their notation, `spec.rs` the descriptor, `program.rs` turns a phase into instructions,
//! `place.rs` gives addresses and words, `reference.rs` is the straight loop that results are checked against, `calibrate.rs` moves
//! a kernel's n to the source's instructions per L1 miss.
//!
//! # What is checked
//! Each thread folds all words that it loads, in the order of its program; and all words stored are summed with their addresses.
//! Both have to come out as in the straight loop. Shared accesses move a thread's own fold out and back, so they carry nothing from
//! thread to thread.

pub mod calibrate;
mod library;
mod pattern;
mod place;
mod program;
mod reference;
mod spec;

pub use library::{built_in, text_of};
pub use pattern::{Access, Pattern, PatternError};
pub use spec::{App, Calibrated, KernelSpec, Order, Phase, SpecError};

use super::catalogue::{Request, Size};
use super::{Layout, SetupError, Verified, WrongResult, verify};
use gpusched::{Descriptor, Dim3};
use gpusched_refgpu::lanes::{WARP, lanes};
use gpusched_refgpu::program::{Class, Effects, Inst, TbContext, Workload};
use place::{Extent, Site, Standing};
use program::{Act, Loop, Step};

/// Entry of the first kernel; the others follow.
const PC: u64 = 0x1000;
/// What a kernel is cut to for tests.
const TEST_TBS: u32 = 4;
const TEST_ITERATIONS: u32 = 4;
/// The most threads whose folds are kept.
const MOST_THREADS: u64 = 1 << 28;

/// The kernels of an application, run in turn.
#[derive(Clone, Debug)]
pub struct Parametric {
    kernels: Vec<Kernel>,
    /// The kernel to launch next.
    next: usize,
    seed: u64,
    /// Warp iterations done, and in all.
    done: u64,
    total: u64,
}

/// A kernel, ready to run, and what came out so far.
#[derive(Clone, Debug)]
struct Kernel {
    spec: KernelSpec,
    extent: Extent,
    loops: Vec<Loop>,
    /// For each loop, its loads and its stores.
    loads: Vec<Vec<Site>>,
    stores: Vec<Vec<Site>>,
    /// Each thread's fold of what it loaded, once it has exited.
    folds: Vec<u32>,
    /// The sum over all stores.
    stored: u64,
}

/// State of a warp of a parametric kernel.
#[derive(Clone, Debug, Default)]
pub struct Warp {
    kernel: usize,
    at: Standing,
    /// Integer instructions left before the first phase.
    stagger: u32,
    /// The phase, the step in it, and iterations left, this one included.
    phase: usize,
    step: usize,
    left: u64,
    /// Active lanes of the iteration.
    mask: u32,
    folds: [u32; WARP as usize],
    /// No instruction is left but the exit.
    over: bool,
}

impl KernelSpec {
    /// The kernel at the size that is asked for. As a grid-stride loop it has one TB, and iterations rounded up.
    ///
    /// # Errors
    /// A size out of range.
    fn sized(&self, request: Request) -> Result<Self, SetupError> {
        let mut spec = self.clone();
        match request.size {
            Size::Test => {
                spec.grid = spec.grid.min(TEST_TBS).next_multiple_of(spec.cluster);
                spec.tail = spec.tail.min(TEST_ITERATIONS);
                spec.phases.iter_mut().for_each(|phase| phase.iters = phase.iters.min(TEST_ITERATIONS));
            }
            Size::Times(times) => {
                let grid = u64::from(spec.grid) * u64::from(times);
                let wrong = SetupError::Option { option: "scale", expected: "at most 2^20 TBs", found: times.into() };
                spec.grid = u32::try_from(grid).ok().filter(|&grid| grid <= 1 << 20).ok_or(wrong)?;
            }
        }
        if let Some(warps) = request.loop_warps {
            if spec.cluster > 1 {
                let expected = "a kernel without clusters: a loop is one TB";
                return Err(SetupError::Option { option: "loop_warps", expected, found: warps.into() });
            }
            let threads = WARP * warps;
            let all = spec.tbs_of_work() * u64::from(self.threads);
            for phase in &mut spec.phases {
                let items = all * u64::from(phase.iters);
                phase.iters = items.div_ceil(threads.into()).try_into().unwrap_or(u32::MAX);
            }
            (spec.grid, spec.threads, spec.tail) = (1, threads, 1);
        }
        Ok(spec)
    }
}

impl Kernel {
    fn new(spec: KernelSpec) -> Result<Self, SetupError> {
        spec.check()?;
        let (extent, loops) = (Extent::of(&spec), program::loops(&spec));
        if extent.threads > MOST_THREADS {
            return Err(SetupError::Option { option: "grid", expected: "at most 2^28 threads", found: extent.threads });
        }
        let (mut layout, mut number) = (Layout::default(), 0);
        let mut sites = |list: &[Access]| {
            number += list.len() as u64;
            Site::of(list, number - list.len() as u64, &extent, &mut layout)
        };
        let loads = loops.iter().map(|of| sites(&of.loads)).collect::<Result<_, _>>()?;
        let stores = loops.iter().map(|of| sites(&of.stores)).collect::<Result<_, _>>()?;
        Ok(Self { folds: vec![0; extent.threads as usize], extent, loops, loads, stores, stored: 0, spec })
    }

    fn descriptor(&self, number: usize) -> Descriptor {
        let KernelSpec { grid, threads, regs, smem, .. } = self.spec;
        Descriptor {
            pc: PC + ((number as u64) << 4),
            grid: Dim3::linear(grid),
            tb: Dim3::linear(threads),
            regs: regs * threads,
            smem,
            cluster: self.spec.cluster(),
            tag: number as u64,
            ..Descriptor::default()
        }
    }

    /// Iterations of all warps.
    fn iterations(&self) -> u64 {
        let (first, other) = self.spec.iterations();
        self.extent.warps * (first + (self.extent.tbs - 1) * other)
    }

    /// Iterations of a phase, for a warp of this TB.
    fn iters(&self, phase: usize, tb: u64) -> u64 {
        let tail = if tb == 0 { self.spec.tail } else { 1 };
        u64::from(self.loops[phase].iters) * u64::from(tail)
    }

    /// Whether lanes load in two orders in this iteration.
    fn alternates(&self, warp: &Warp) -> bool {
        match self.spec.phases[warp.phase].order {
            Order::Given => false,
            Order::Alternate(every) => {
                let number = warp.at.number(&self.extent) + warp.at.i * self.extent.tbs * self.extent.warps;
                number % u64::from(every) == u64::from(every) - 1
            }
        }
    }

    /// The warp is at the start of an iteration, or at a step that may not be there for it: goes to the next that is.
    fn settle(&self, warp: &mut Warp, seed: u64, done: &mut u64) {
        loop {
            let steps = &self.loops[warp.phase].steps;
            if warp.step == 0 {
                warp.mask = warp.at.mask(&self.extent, self.spec.phases[warp.phase].lanes, seed);
            }
            while let Some(step) = steps.get(warp.step) {
                if warp.at.has(step.every, step.warps) {
                    return;
                }
                warp.step += 1;
            }
            warp.step = 0;
            warp.at.i += 1;
            warp.left -= 1;
            *done += 1;
            if warp.left == 0 {
                warp.phase += 1;
                if warp.phase == self.loops.len() {
                    warp.over = true;
                    return;
                }
                warp.left = self.iters(warp.phase, warp.at.tb);
            }
        }
    }

    fn load(&self, warp: &mut Warp, number: usize, seed: u64, effects: &mut Effects) {
        let sites = &self.loads[warp.phase];
        let site = &sites[number];
        warp.at.addresses(site, &self.extent, seed, warp.folds[0], &mut effects.addr);
        effects.bytes = site.access.moved();
        let mut bytes = [site.access.bytes; WARP as usize];
        if self.alternates(warp) {
            let other = &sites[sites.len() - 1 - number];
            let mut there = [0; WARP as usize];
            warp.at.addresses(other, &self.extent, seed, 0, &mut there);
            for lane in (1..WARP as usize).step_by(2) {
                (effects.addr[lane], bytes[lane]) = (there[lane], other.access.bytes);
            }
            effects.bytes = effects.bytes.min(other.access.moved());
        }
        for lane in lanes(warp.mask) {
            warp.folds[lane] = place::fold(seed, warp.folds[lane], effects.addr[lane], bytes[lane]);
        }
    }

    fn store(&mut self, warp: &Warp, number: usize, seed: u64, effects: &mut Effects) {
        let mut site = &self.stores[warp.phase][number];
        let back = if let Pattern::Back(load) = site.access.pattern { Some(load as usize - 1) } else { None };
        if let Some(load) = back {
            site = &self.loads[warp.phase][load];
        }
        warp.at.addresses(site, &self.extent, seed, 0, &mut effects.addr);
        effects.bytes = site.access.moved();
        for lane in lanes(warp.mask) {
            let address = effects.addr[lane];
            let value = if back.is_some() { place::word(seed, address) } else { warp.folds[lane] };
            self.stored = self.stored.wrapping_add(place::stored(address, value));
        }
    }

    /// A bank holds every `conflict`-th word of a warp's room; rooms follow each other, from the start again where they do not fit.
    fn shared(&self, warp: &Warp, effects: &mut Effects) {
        let conflict = u64::from(self.spec.phases[warp.phase].conflict);
        let room = u64::from(WARP) * 4 * conflict;
        let start = warp.at.warp % (u64::from(self.spec.smem) / room).max(1) * room;
        for (lane, address) in effects.addr.iter_mut().enumerate() {
            *address = start + lane as u64 * 4 * conflict;
        }
        effects.bytes = 4;
    }
}

impl Parametric {
    /// The kernels of `app`, in turn.
    ///
    /// # Errors
    /// [`SetupError`]: a descriptor or a size out of range, or arrays too big for the address space.
    pub fn new(app: &App, request: Request) -> Result<Self, SetupError> {
        Self::of(&app.kernels, request)
    }

    /// These kernels, in turn.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of(specs: &[KernelSpec], request: Request) -> Result<Self, SetupError> {
        let kernels: Vec<Kernel> =
            specs.iter().map(|spec| Kernel::new(spec.sized(request)?)).collect::<Result<_, _>>()?;
        let total = kernels.iter().map(Kernel::iterations).sum();
        Ok(Self { kernels, next: 0, seed: request.seed, done: 0, total })
    }

    /// The descriptors, as they are run.
    pub fn specs(&self) -> impl Iterator<Item = &KernelSpec> {
        self.kernels.iter().map(|kernel| &kernel.spec)
    }

    /// Compares what was loaded and stored with a straight loop.
    ///
    /// # Errors
    /// [`WrongResult`] with the first thread whose fold differs, or the stores of a kernel.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let mut sums = Vec::new();
        for kernel in &self.kernels {
            let want = reference::expected(&kernel.spec, &kernel.loads, &kernel.stores, self.seed);
            let name = &kernel.spec.name;
            verify(&format!("{name}: fold"), kernel.folds.iter().copied(), want.folds.iter().copied())?;
            if kernel.stored != want.stored {
                let (got, want) = (format!("{:016x}", kernel.stored), format!("{:016x}", want.stored));
                return Err(WrongResult { place: format!("{name}: sum of stores"), got, want });
            }
            sums.extend(kernel.folds.iter().copied().chain([kernel.stored as u32, (kernel.stored >> 32) as u32]));
        }
        Ok(Verified { checksum: crate::graph::fnv1a(sums) })
    }
}

impl Workload for Parametric {
    type Warp = Warp;

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let number = self.next;
        self.next += 1;
        self.kernels.get(number).map(|kernel| kernel.descriptor(number))
    }

    fn kernel_name(&self, kernel: &Descriptor) -> Option<&str> {
        self.kernels.get(kernel.tag as usize).map(|kernel| kernel.spec.name.as_str())
    }

    fn begin(&mut self, tb: &TbContext, warp: u32, state: &mut Warp) {
        let number = tb.tag as usize;
        let kernel = &self.kernels[number];
        *state = Warp {
            kernel: number,
            at: Standing { tb: tb.blkid.into(), warp: warp.into(), i: 0 },
            stagger: kernel.spec.stagger * warp,
            left: kernel.iters(0, tb.blkid.into()),
            ..Warp::default()
        };
        kernel.settle(state, self.seed, &mut self.done);
    }

    fn fetch(&self, warp: &Warp) -> Inst {
        let nothing = |class| Inst { class, mask: u32::MAX, src: 0, dst: 0, diverges: false, pc: 0 };
        if warp.stagger > 0 {
            return nothing(Class::Int);
        }
        if warp.over {
            return nothing(Class::Exit);
        }
        let of = &self.kernels[warp.kernel].loops[warp.phase];
        let Step { class, src, dst, .. } = of.steps[warp.step];
        Inst { class, mask: warp.mask, src, dst, diverges: false, pc: of.first + warp.step as u32 }
    }

    fn execute(&mut self, warp: &mut Warp, effects: &mut Effects) {
        let (seed, kernel) = (self.seed, &mut self.kernels[warp.kernel]);
        if warp.stagger > 0 {
            warp.stagger -= 1;
            return;
        }
        if warp.over {
            let first = (warp.at.number(&kernel.extent) * u64::from(WARP)) as usize;
            kernel.folds[first..first + WARP as usize].copy_from_slice(&warp.folds);
            return;
        }
        match kernel.loops[warp.phase].steps[warp.step].act {
            Act::Nothing => {}
            Act::Load(number) => kernel.load(warp, number.into(), seed, effects),
            Act::Store(number) => kernel.store(warp, number.into(), seed, effects),
            Act::Shared => kernel.shared(warp, effects),
            Act::Remote => {
                kernel.shared(warp, effects);
                let (tb, size) = (warp.at.tb as u32, kernel.spec.cluster);
                effects.rank = (tb % size + 1) % size;
            }
        }
        warp.step += 1;
        kernel.settle(warp, seed, &mut self.done);
    }

    fn preview(&self, warp: &Warp, effects: &mut Effects) -> bool {
        let kernel = &self.kernels[warp.kernel];
        let Act::Load(number) = kernel.loops[warp.phase].steps[warp.step].act else { return false };
        kernel.load(&mut warp.clone(), number.into(), self.seed, effects);
        true
    }

    fn progress(&self) -> (u64, u64) {
        (self.done, self.total)
    }
}

#[cfg(test)]
mod tests;
