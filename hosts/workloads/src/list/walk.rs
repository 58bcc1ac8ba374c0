//! How a warp walks through a list: any [`Algorithm`] is a [`Workload`].

use super::{Access, Algorithm, Item, List, Place, Test, Threads, WarpTest};
use crate::device::slot_of;
use crate::warp::Head;
use crate::{
    Amr, Bfs, Bht, Clr, Fft, Filter, Fmm, Histogram, Hotspot, Join, Kmeans, MaskBfs, Mergesort, Pathfinder, Pre, Regx,
    Sgemm, Spmv, Sssp, Stencil, Transpose, Wave,
};
use gpusched::simt::stack::{Branch, FirstPath, Running, Stack, StackConfig};
use gpusched::{Descriptor, Fault, inline_stack_tables};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::lanes::{WARP, first_lanes, lanes, where_lane};
use gpusched_refgpu::program::{Class, Effects, Inst, LaneLaunch, Regs, TbContext, TbGraph, Workload};

/// Written by the code of a launch call, read by the launch. Algorithms number their registers from bit 1 upward.
const CALL: Regs = 1 << 31;
/// Bytes of a parameter block that are used: four words.
const PARAMETER_BYTES: u32 = 16;
const WORD_BYTES: u32 = 4;
const TWO_WORDS: u32 = 2 * WORD_BYTES;
const FOUR_WORDS: u32 = 4 * WORD_BYTES;
/// Spreads the places of nested lists over all numbers, so that no two lists of a kernel are in reach of each other.
const PLACE_STRIDE: u32 = 0x9e37_79b1;

/// Lists are entered by the lanes that pass the test, the others wait: no path but one.
const LANES: StackConfig = StackConfig { first: FirstPath::Taken, compact: true, ..StackConfig::WARP_32 };
inline_stack_tables! {
    /// The entries of a warp's reconvergence stack.
    pub struct WarpLanes = LANES;
}

/// Structured code asks nothing of the stack that it could refuse.
#[inline]
fn took(answer: Result<Running, Fault>) {
    debug_assert!(answer.is_ok(), "{answer:?}");
}

/// State of a warp that walks through a list.
#[derive(Debug)]
pub struct Warp<A: Algorithm> {
    head: Head,
    /// What the head does when it is carried out.
    act: Act<A>,
    /// The lists that the warp is in, innermost last.
    frames: Vec<Frame<A>>,
    /// Which lanes are in the innermost list, and which wait for the end of lists around it. To the stack a list is a PC: its depth.
    lanes: Stack<WarpLanes>,
    threads: Threads<A>,
    /// Lanes that have a thread.
    exist: u32,
    /// Slot of the parameters, for a child.
    slot: Option<u32>,
    /// Number of the TB's shared memory.
    room: u32,
    /// Slots of the children that are being launched.
    given: [u32; WARP as usize],
}

/// What an instruction does beside passing time.
#[derive(Debug)]
enum Act<A: Algorithm> {
    Nothing,
    /// An access of so many bytes.
    Access(Access<A>, u32),
    /// Stores the parameters of children, launched after what is read by `Regs` is there.
    Give(Regs),
    /// The call code of the lanes in turn, those of the mask still to come, then the launch by all of the second mask.
    Call(u32, u32, Regs),
    Launch,
    Receive,
    Exit,
}

impl<A: Algorithm> Clone for Act<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Algorithm> Copy for Act<A> {}

/// A list that the warp is in.
#[derive(Debug)]
struct Frame<A: Algorithm> {
    list: List<A>,
    next: usize,
    /// Names the list's place in the lists around it.
    place: u32,
    /// For a loop: instructions at the end of a turn, condition, and what they read.
    again: Option<(u32, Stay<A>, Regs)>,
}

/// Who stays in a loop.
#[derive(Debug)]
enum Stay<A: Algorithm> {
    Each(Test<A>),
    Warp(WarpTest<A>),
}

impl<A: Algorithm> Default for Warp<A> {
    fn default() -> Self {
        Self {
            head: Head::default(),
            act: Act::Exit,
            frames: Vec::new(),
            lanes: Stack::new(&LANES).expect("a warp of 32 lanes"),
            threads: Default::default(),
            exist: 0,
            slot: None,
            room: 0,
            given: [0; WARP as usize],
        }
    }
}

/// Says of algorithms that they are workloads: the machine's warps walk through their lists.
macro_rules! workloads {
    ($($Name:ty)*) => {$(
        impl Workload for $Name {
            type Warp = Warp<Self>;

            fn starts_on(&mut self, machine: &GpuConfig) {
                Algorithm::starts_on(self, machine);
            }

            fn next_kernel(&mut self) -> Option<Descriptor> {
                Algorithm::next_kernel(self)
            }

            fn dependencies(&self) -> Option<&TbGraph> {
                Algorithm::dependencies(self)
            }

            fn kernel_name(&self, _: &Descriptor) -> Option<&str> {
                Algorithm::kernel_name(self)
            }

            fn level(&self, tb: &TbContext) -> Option<u32> {
                Algorithm::level(self, tb)
            }

            fn begin(&mut self, tb: &TbContext, warp: u32, state: &mut Self::Warp) {
                state.begin(self, tb, warp);
            }

            fn fetch(&self, warp: &Self::Warp) -> Inst {
                warp.head.inst()
            }

            fn execute(&mut self, warp: &mut Self::Warp, effects: &mut Effects) {
                warp.execute(self, effects);
            }

            fn progress(&self) -> (u64, u64) {
                Algorithm::progress(self)
            }
        }
    )*};
}
workloads! {
    Bfs Sssp Clr Join Amr Bht Pre Regx Wave MaskBfs Spmv Kmeans Stencil Sgemm Histogram Transpose Fft Mergesort Pathfinder Filter Hotspot Fmm
}

impl<A: Algorithm> Warp<A> {
    /// Begins a TB's warp, with its threads at the head of their list.
    fn begin(&mut self, algorithm: &mut A, tb: &TbContext, warp: u32) {
        let first = warp * WARP;
        self.exist = first_lanes(tb.threads - first);
        self.slot = slot_of(tb.tag);
        self.room = algorithm.device_mut().warp_begins(warp, tb.threads.div_ceil(WARP));
        for (thread, in_tb) in self.threads.iter_mut().zip(first..tb.threads) {
            *thread = algorithm.thread(Place { tb: tb.blkid, in_tb, tb_threads: tb.threads, room: self.room });
        }
        self.frames.clear();
        let list = algorithm.list(self.slot.is_some());
        let place = if self.slot.is_some() { PLACE_STRIDE } else { 0 };
        self.frames.push(Frame { list, next: 0, place, again: None });
        took(self.lanes.init(0, self.exist.into()));
        self.walk(algorithm);
    }

    /// Carries out the head, and goes to the next item that issues.
    fn execute(&mut self, algorithm: &mut A, effects: &mut Effects) {
        // Arithmetic only passes time; at the end of a run the warp walks on.
        if self.head.advance() {
            return;
        }
        let mask = self.head.inst().mask;
        match self.act {
            Act::Nothing => {}
            Act::Access(access, bytes) => {
                effects.bytes = bytes;
                for lane in lanes(mask) {
                    effects.addr[lane] = access(algorithm, &mut self.threads[lane]);
                }
            }
            Act::Give(src) => {
                effects.bytes = PARAMETER_BYTES;
                for lane in lanes(mask) {
                    let child = algorithm.give(&mut self.threads[lane]);
                    self.given[lane] = algorithm.device_mut().take(child);
                    effects.addr[lane] = algorithm.device().address(self.given[lane]);
                }
                self.call(algorithm.device().launch_insts(), mask, mask, src);
                return;
            }
            Act::Call(callers, all, src) => {
                self.call(algorithm.device().launch_insts(), callers, all, src);
                return;
            }
            Act::Launch => {
                effects.launches.clear();
                for lane in lanes(mask) {
                    let (descriptor, block) =
                        (algorithm.device().descriptor(self.given[lane]), algorithm.device().address(self.given[lane]));
                    effects.launches.push(LaneLaunch { lane: lane as u32, descriptor, block });
                }
            }
            Act::Receive => {
                if let Some(slot) = self.slot {
                    effects.bytes = PARAMETER_BYTES;
                    let child = algorithm.device().parameters(slot);
                    for lane in lanes(mask) {
                        effects.addr[lane] = algorithm.device().address(slot);
                        algorithm.receive(&mut self.threads[lane], child);
                    }
                }
            }
            Act::Exit => {
                algorithm.device_mut().warp_exits(self.room, self.slot);
                return;
            }
        }
        self.walk(algorithm);
    }

    /// Goes to the next item that issues.
    fn walk(&mut self, algorithm: &mut A) {
        while let Some(frame) = self.frames.last_mut() {
            let mask = self.lanes.mask() as u32;
            let Some(item) = frame.list.get(frame.next) else {
                if self.end_turn(algorithm) {
                    return;
                }
                continue;
            };
            frame.next += 1;
            let pc = frame.place.wrapping_add(frame.next as u32);
            self.head.locate(pc);
            let place = pc.wrapping_mul(PLACE_STRIDE).rotate_right(16);
            let (act, class, src, dst) = match *item {
                Item::I(count, src, dst) => {
                    self.act = Act::Nothing;
                    self.head.integers(count, mask, src, dst);
                    return;
                }
                Item::F(count, src, dst) => {
                    self.act = Act::Nothing;
                    self.head.run(Class::Fp, count, mask, src, dst);
                    return;
                }
                Item::FF(count, src, dst) => {
                    self.act = Act::Nothing;
                    self.head.two_runs(Class::Fp, count, mask, src, dst);
                    return;
                }
                Item::X(count, src, dst) => {
                    self.act = Act::Nothing;
                    self.head.run(Class::Sfu, count, mask, src, dst);
                    return;
                }
                Item::L(access, src, dst) => (Act::Access(access, WORD_BYTES), Class::LoadGlobal, src, dst),
                Item::LoadByte(access, src, dst) => (Act::Access(access, 1), Class::LoadGlobal, src, dst),
                Item::L8(access, src, dst) => (Act::Access(access, TWO_WORDS), Class::LoadGlobal, src, dst),
                Item::L16(access, src, dst) => (Act::Access(access, FOUR_WORDS), Class::LoadGlobal, src, dst),
                Item::StoreByte(access, src) => (Act::Access(access, 1), Class::StoreGlobal, src, 0),
                Item::S(access, src) => (Act::Access(access, WORD_BYTES), Class::StoreGlobal, src, 0),
                Item::A(access, src, dst) => (Act::Access(access, WORD_BYTES), Class::AtomicGlobal, src, dst),
                Item::A8(access, src, dst) => (Act::Access(access, TWO_WORDS), Class::AtomicGlobal, src, dst),
                Item::LoadShared(access, src, dst) => (Act::Access(access, WORD_BYTES), Class::LoadShared, src, dst),
                Item::StoreShared(access, src) => (Act::Access(access, WORD_BYTES), Class::StoreShared, src, 0),
                Item::LoadShared16(access, src, dst) => (Act::Access(access, FOUR_WORDS), Class::LoadShared, src, dst),
                Item::StoreShared16(access, src) => (Act::Access(access, FOUR_WORDS), Class::StoreShared, src, 0),
                Item::AtomicShared(access, src, dst) => {
                    (Act::Access(access, WORD_BYTES), Class::AtomicShared, src, dst)
                }
                Item::B => (Act::Nothing, Class::Barrier, 0, 0),
                Item::Sync => (Act::Nothing, Class::Sync, 0, 0),
                Item::Launch(src) => (Act::Give(src), Class::StoreGlobal, src, 0),
                Item::Receive(src, dst) => (Act::Receive, Class::LoadGlobal, src, dst),
                Item::If(count, test, src, list) => {
                    let on = self.lanes_with(algorithm, mask, test);
                    self.enter(on, Frame { list, next: 0, place, again: None });
                    if self.branch(count, mask, on, src) {
                        return;
                    }
                    continue;
                }
                Item::While(count, test, src, list) => {
                    let mask = self.lanes_with(algorithm, mask, test);
                    self.enter(mask, Frame { list, next: 0, place, again: Some((count, Stay::Each(test), src)) });
                    continue;
                }
                Item::WarpWhile(count, test, src, list) => {
                    let mask = test(algorithm, &self.threads, mask);
                    self.enter(mask, Frame { list, next: 0, place, again: Some((count, Stay::Warp(test), src)) });
                    continue;
                }
                Item::Sub(list) => {
                    self.enter(mask, Frame { list, next: 0, place, again: None });
                    continue;
                }
                Item::Pick(list) => {
                    self.enter(mask, Frame { list: list(algorithm), next: 0, place, again: None });
                    continue;
                }
                Item::Let(change) => {
                    lanes(mask).for_each(|lane| change(algorithm, &mut self.threads[lane]));
                    continue;
                }
                Item::Vote(change) => {
                    change(algorithm, &mut self.threads, mask);
                    continue;
                }
            };
            self.act = act;
            self.head.set(class, mask, src, dst);
            return;
        }
        self.act = Act::Exit;
        self.head.set(Class::Exit, self.exist, 0, 0);
    }

    /// The innermost list has ended: back to its start for the lanes that stay in the loop, or out of it. Whether
    /// instructions that count and branch come first.
    fn end_turn(&mut self, algorithm: &A) -> bool {
        let Some(mut frame) = self.frames.pop() else { return false };
        let mask = self.lanes.mask() as u32;
        let Some((count, stay, src)) = &frame.again else {
            self.leave();
            return false;
        };
        let (count, src) = (*count, *src);
        let stay = match *stay {
            Stay::Each(test) => self.lanes_with(algorithm, mask, test),
            Stay::Warp(test) => test(algorithm, &self.threads, mask),
        };
        frame.next = 0;
        if stay == 0 {
            self.leave();
        } else {
            self.enter(stay, frame);
        }
        self.branch(count, mask, stay, src)
    }

    /// Lanes go into a list inside of the innermost one, if there are any; or stay in a list that was left. The others wait for its end.
    fn enter(&mut self, on: u32, frame: Frame<A>) {
        if on == 0 {
            return;
        }
        let inner = self.frames.len() as u32;
        let outer = inner.wrapping_sub(1);
        let branch = Branch { taken: on.into(), taken_pc: inner, fall_pc: outer, reconv: Some(outer) };
        took(self.lanes.branch(&branch));
        self.frames.push(frame);
    }

    /// All lanes have left the innermost list, which is not there any more.
    fn leave(&mut self) {
        if let Some(outer) = self.frames.len().checked_sub(1) {
            took(self.lanes.advance(outer as u32));
        }
    }

    /// `I count`, which ends in a branch to where the lanes in `on` go on. Whether there is any.
    fn branch(&mut self, count: u32, mask: u32, on: u32, src: Regs) -> bool {
        if count > 0 {
            self.act = Act::Nothing;
            self.head.branch(count, mask, on, src);
        }
        count > 0
    }

    fn lanes_with(&self, algorithm: &A, mask: u32, test: Test<A>) -> u32 {
        where_lane(mask, |lane| test(algorithm, &self.threads[lane]))
    }

    /// The call code of the first of `callers`, `insts` long, or, after the last, the launch by `all`.
    const fn call(&mut self, insts: u32, callers: u32, all: u32, src: Regs) {
        if insts == 0 || callers == 0 {
            self.act = Act::Launch;
            self.head.set(Class::Launch, all, src | CALL, 0);
        } else {
            let caller = callers & callers.wrapping_neg();
            self.act = Act::Call(callers & !caller, all, src);
            self.head.integers(insts, caller, 0, CALL);
        }
    }
}
