//! Instruction lists as sheet `workloads` writes them (workloads-W3). [`walk`] is how a warp goes through one.
//!
//! A kernel is a [`List`]. Its [`Item`]s bear the letters of the sheet; each names the method that says, for one thread,
//! which address it touches and what that does to the data. So a list such as
//!
//! ```text
//! I4 Lcolor[v] {Lprio[v] (I1 Lcol[e] I5)* S lose[v]}
//! ```
//!
//! becomes `&[If(4, Self::has_vertex, .., &[L(Self::color, ..), If(2, Self::uncoloured, .., &[ ... ])])]`, and the methods
//! read like the body of a CUDA kernel. The last operands are the registers that an instruction reads, then those it
//! writes: what waits for what.
//!
//! An [`Algorithm`] is a [`Workload`](gpusched_refgpu::program::Workload) whose kernels are such lists. The lanes inside an `if` or a loop go
//! first and rejoin the others at its end (workloads-W1); a side without lanes is not issued.

mod walk;

use super::device::{Child, Device};
use gpusched::Descriptor;
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::lanes::WARP;
use gpusched_refgpu::program::{Regs, TbContext, TbGraph};
use std::fmt::Debug;

/// Names registers, one after the other from this number on. Algorithms number theirs from 1 upward.
macro_rules! registers {
    (pub $first:literal: $($Name:ident)+) => { registers!(@ [pub] ($first) $($Name)+); };
    ($first:literal: $($Name:ident)+) => { registers!(@ [] ($first) $($Name)+); };
    (@ [$($visibility:tt)*] ($number:expr) $Name:ident $($More:ident)*) => {
        $($visibility)* const $Name: gpusched_refgpu::program::Regs = 1 << $number;
        registers!(@ [$($visibility)*] ($number + 1) $($More)*);
    };
    (@ [$($visibility:tt)*] ($number:expr)) => {};
}

/// In an [`Algorithm`]: what its parameters are, and that its field `device` has what the device holds.
macro_rules! on_device {
    ($Parameters:ty) => {
        type Parameters = $Parameters;

        fn device(&self) -> &crate::device::Device<$Parameters> {
            &self.device
        }

        fn device_mut(&mut self) -> &mut crate::device::Device<$Parameters> {
            &mut self.device
        }
    };
}

/// A workload whose kernels are instruction lists.
pub trait Algorithm: Sized + 'static {
    /// What a thread remembers.
    type Thread: Copy + Debug + Default;
    /// The words of a child's parameter block that differ from child to child; `()` where no list launches.
    type Parameters: Copy + Debug + Default;

    /// As the machine's [`starts_on`](gpusched_refgpu::program::Workload::starts_on).
    fn starts_on(&mut self, machine: &GpuConfig) {
        let _ = machine;
    }

    /// The next host kernel. Called when all earlier work has drained. `None`: the run is over.
    fn next_kernel(&mut self) -> Option<Descriptor>;

    /// The list of the host kernel that is running, or of its children.
    fn list(&self, child: bool) -> List<Self>;

    /// A thread that begins.
    fn thread(&self, place: Place) -> Self::Thread;

    /// The launching thread hands part of its items to a child. Only lists with [`Item::Launch`] need it.
    fn give(&self, thread: &mut Self::Thread) -> Child<Self::Parameters> {
        let _ = thread;
        Child::default()
    }

    /// The child's thread has its parameters. Only lists with [`Item::Receive`] need it.
    fn receive(&self, thread: &mut Self::Thread, child: Child<Self::Parameters>) {
        let _ = (thread, child);
    }

    /// Children in flight and shared memory.
    fn device(&self) -> &Device<Self::Parameters>;

    /// The same, to change.
    fn device_mut(&mut self) -> &mut Device<Self::Parameters>;

    /// As the machine's [`dependencies`](gpusched_refgpu::program::Workload::dependencies).
    fn dependencies(&self) -> Option<&TbGraph> {
        None
    }

    /// As the machine's [`kernel_name`](gpusched_refgpu::program::Workload::kernel_name), of the kernel that was given last.
    fn kernel_name(&self) -> Option<&str> {
        None
    }

    /// As the machine's [`level`](gpusched_refgpu::program::Workload::level).
    fn level(&self, tb: &TbContext) -> Option<u32> {
        let _ = tb;
        None
    }

    /// As the machine's [`progress`](gpusched_refgpu::program::Workload::progress).
    fn progress(&self) -> (u64, u64);
}

/// Where a thread stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// Number of its TB in the kernel or group.
    pub tb: u32,
    /// Its number in the TB.
    pub in_tb: u32,
    /// Threads of the TB.
    pub tb_threads: u32,
    /// Number of its TB's shared memory.
    pub room: u32,
}

impl Place {
    /// Its number in the kernel or group.
    pub const fn index(self) -> u32 {
        self.tb * self.tb_threads + self.in_tb
    }
}

/// Items one after the other.
pub type List<A> = &'static [Item<A>];
/// What an access does for one thread, and the address that it touches: in global memory, or the offset in shared memory.
pub type Access<A> = fn(&mut A, &mut <A as Algorithm>::Thread) -> u64;
/// A condition of one thread.
pub type Test<A> = fn(&A, &<A as Algorithm>::Thread) -> bool;

/// The lanes of a mask for which a condition holds, found for the warp at once.
pub type WarpTest<A> = fn(&A, &Threads<A>, u32) -> u32;
/// The threads of a warp, by lane.
pub type Threads<A> = [<A as Algorithm>::Thread; WARP as usize];

/// A part of an instruction list, with the registers that it reads and writes, in this order, as its last operands.
#[derive(Debug)]
pub enum Item<A: Algorithm> {
    /// `I n`: a run of integer instructions, each waiting for the one before.
    I(u32, Regs, Regs),
    /// `F n`: the same in floating point.
    F(u32, Regs, Regs),
    /// `F n` whose arithmetic falls into two halves that do not wait for each other before the last instruction, as those for the
    /// real and the imaginary part: two runs side by side.
    FF(u32, Regs, Regs),
    /// `X n`: the same in the special function unit.
    X(u32, Regs, Regs),
    /// `L`: load of a word from global memory.
    L(Access<A>, Regs, Regs),
    /// `L` of a byte.
    LoadByte(Access<A>, Regs, Regs),
    /// `L` of two words in a row, on a boundary of as many bytes.
    L8(Access<A>, Regs, Regs),
    /// `L` of four words in a row, on a boundary of as many bytes.
    L16(Access<A>, Regs, Regs),
    /// `S`: store of a word.
    S(Access<A>, Regs),
    /// `S` of a byte.
    StoreByte(Access<A>, Regs),
    /// `A`: atomic on a word. Not waited for if it writes no register.
    A(Access<A>, Regs, Regs),
    /// `A` on two words in a row, on a boundary of as many bytes.
    A8(Access<A>, Regs, Regs),
    /// `l`: load from shared memory.
    LoadShared(Access<A>, Regs, Regs),
    /// `s`: store to shared memory.
    StoreShared(Access<A>, Regs),
    /// `l` of four words in a row.
    LoadShared16(Access<A>, Regs, Regs),
    /// `s` of four words in a row.
    StoreShared16(Access<A>, Regs),
    /// Atomic on a word of shared memory.
    AtomicShared(Access<A>, Regs, Regs),
    /// `B`: barrier.
    B,
    /// `{...}`: `I n` that ends in a branch, then the list for the lanes for which the test holds. n is 2 where the sheet says
    /// no more; an n of 0 is a predicate and costs nothing.
    If(u32, Test<A>, Regs, List<A>),
    /// `(...)*`: turns for the lanes for which the test holds, each with an `I n` at its end that counts and branches. n is 2
    /// where the sheet says no more, 0 in an unrolled loop. A loop that no lane enters costs nothing.
    While(u32, Test<A>, Regs, List<A>),
    /// The same, where the lanes can be told without a look at each: for loops that warps pass by in every step.
    WarpWhile(u32, WarpTest<A>, Regs, List<A>),
    /// A list within the list.
    Sub(List<A>),
    /// The same, of the algorithm's choice.
    Pick(fn(&A) -> List<A>),
    /// What a thread works out by the way, in instructions that stand elsewhere in the list.
    Let(fn(&mut A, &mut A::Thread)),
    /// The same for the warp at once: where it takes a look at the other lanes of the mask, a vote or a shuffle.
    Vote(fn(&mut A, &mut Threads<A>, u32)),
    /// `S parameters`, then `K`: a child for each lane, by [`Algorithm::give`] (workloads-W6).
    Launch(Regs),
    /// `L parameters`, by [`Algorithm::receive`].
    Receive(Regs, Regs),
    /// Waits for the kernels that the TB launched.
    Sync,
}
