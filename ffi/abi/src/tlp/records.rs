//! Records of several units, and the words of the core in numbers.

use gpusched::Fault;
use gpusched::tlp::{
    Action, Category, Kernel, KernelCode, KernelType, Learn, Mode, Phase, Pipe, Pref, Sent, SmcPhase, Stall, TbNeeds,
};

use crate::GPUSCHED_NONE;
use crate::config::{Choice, choices};
use crate::status::gpusched_status as Status;

/// How a kernel's speed follows the number of its TBs.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_tlp_type {
    /// One TB is best.
    Down = 0,
    /// It is best somewhere between.
    Optimal = 1,
    /// The more the better.
    Up = 2,
}

/// What a kernel leans on.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_tlp_pref {
    /// The SP pipelines.
    Compute = 0,
    /// The LD/ST pipelines.
    Memory = 1,
}

/// Who shares an SM.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_tlp_mode {
    /// Nobody.
    Idle = 0,
    /// One kernel.
    Solo = 1,
    /// Two kernels.
    Pair = 2,
    /// Two kernels, one of which waits until the other has ended.
    Leftover = 3,
}

/// Where a machine is between two samples.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_tlp_phase {
    /// No period runs.
    Waiting = 0,
    /// One runs.
    Sampling = 1,
    /// One has ended, and its sample is due.
    Await = 2,
}

/// What is learnt of bypassing.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_tlp_learn {
    /// Nothing.
    Off = 0,
    /// Nobody bypasses.
    S1 = 1,
    /// One TB of kernel 0 does.
    S2 = 2,
    /// One TB of kernel 1 does.
    S3 = 3,
    /// One TB more does than was found good.
    S4 = 4,
    /// It is known how many bypass.
    Done = 5,
}

/// A pipeline.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_tlp_pipe {
    /// The arithmetic one.
    Sp = 0,
    /// That of loads and stores.
    Ldst = 1,
}

/// What became of the targets.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_tlp_action {
    /// The period took no time: nothing.
    Void = 0,
    /// They are not modulated.
    Off = 1,
    /// They wait until learning has ended.
    Frozen = 2,
    /// There was nothing to compare with.
    First = 3,
    /// Both utilisations rise: nothing.
    Hold = 4,
    /// Both kernels lean on the critical pipeline alike: nothing.
    Tie = 5,
    /// The kernel that is to grow has no TBs to send: nothing.
    NoWork = 6,
    /// The other kernel cannot shrink enough: nothing.
    Blocked = 7,
    /// They have moved.
    Moved = 8,
}

/// Whether a TB is sent, and why not.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_tlp_stall {
    /// One is.
    None = 0,
    /// There is no kernel.
    Idle = 1,
    /// Every kernel has as many TBs as it is to have.
    AtTarget = 2,
    /// A kernel may have more, but has none to send.
    NoWork = 3,
    /// There is no room for one.
    NoRoom = 4,
    /// No kernel has TBs to be sent.
    Empty = 5,
}

/// What SMC tries.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_tlp_smc_phase {
    /// Nothing: it has not started, or has ended.
    Idle = 0,
    /// The configuration to start from.
    Base = 1,
    /// A TB less of kernel 0.
    B0 = 2,
    /// A TB less of kernel 1.
    B1 = 3,
    /// The first SM more for kernel 0.
    More = 4,
    /// Another SM more for kernel 0.
    EvenMore = 5,
    /// An SM less for kernel 0.
    Less = 6,
}

choices! {
    gpusched_tlp_type = KernelType { Down Optimal Up };
    gpusched_tlp_pref = Pref { Compute Memory };
    gpusched_tlp_mode = Mode { Idle Solo Pair Leftover };
    gpusched_tlp_phase = Phase { Waiting Sampling Await };
    gpusched_tlp_learn = Learn { Off S1 S2 S3 S4 Done };
    gpusched_tlp_pipe = Pipe { Sp Ldst };
    gpusched_tlp_action = Action { Void Off Frozen First Hold Tie NoWork Blocked Moved };
    gpusched_tlp_smc_phase = SmcPhase { Idle Base B0 B1 More EvenMore Less };
}

/// C's number of a stall.
#[inline]
pub(crate) fn stall(stall: Stall) -> u32 {
    (match stall {
        Stall::Idle => gpusched_tlp_stall::Idle,
        Stall::AtTarget => gpusched_tlp_stall::AtTarget,
        Stall::NoWork => gpusched_tlp_stall::NoWork,
        Stall::NoRoom => gpusched_tlp_stall::NoRoom,
    }) as u32
}

/// A value that C hands over by its number.
pub(crate) fn chosen<V: Choice>(number: u32) -> Result<V, Status> {
    V::ALL.get(number as usize).copied().ok_or(Status::BadEnum)
}

/// What one TB takes of an SM, besides a slot.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_needs {
    /// Threads, at least 1.
    pub threads: u32,
    /// Registers.
    pub regs: u32,
    /// Shared memory, bytes.
    pub smem: u32,
}

impl From<gpusched_tlp_needs> for TbNeeds {
    fn from(gpusched_tlp_needs { threads, regs, smem }: gpusched_tlp_needs) -> Self {
        Self { threads, regs, smem }
    }
}

impl From<TbNeeds> for gpusched_tlp_needs {
    fn from(TbNeeds { threads, regs, smem }: TbNeeds) -> Self {
        Self { threads, regs, smem }
    }
}

/// Type of a kernel, and with how many TBs it runs best.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_category {
    /// gpusched_tlp_type.
    pub kind: u32,
    /// TBs per SM, 1 to 255.
    pub opt: u32,
}

impl From<Category> for gpusched_tlp_category {
    fn from(Category { kind, opt }: Category) -> Self {
        Self { kind: kind.code(), opt: opt.into() }
    }
}

/// A kernel that is modulated.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_kernel {
    /// What one TB takes.
    pub needs: gpusched_tlp_needs,
    /// How its speed follows the number of its TBs.
    pub category: gpusched_tlp_category,
}

impl TryFrom<gpusched_tlp_kernel> for Kernel {
    type Error = Fault;

    fn try_from(kernel: gpusched_tlp_kernel) -> Result<Self, Fault> {
        let gpusched_tlp_category { kind, opt } = kernel.category;
        KernelCode { needs: kernel.needs.into(), kind, opt }.try_into()
    }
}

impl From<Kernel> for gpusched_tlp_kernel {
    fn from(Kernel { needs, category }: Kernel) -> Self {
        Self { needs: needs.into(), category: category.into() }
    }
}

/// What a work distributor does in one call.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_sent {
    /// gpusched_tlp_stall: None, Empty or NoRoom.
    pub stall: u32,
    /// The SM that gets a TB; GPUSCHED_NONE if none does.
    pub sm: u32,
    /// Its kernel; GPUSCHED_NONE if there is none.
    pub k: u32,
    /// Its number in the kernel; GPUSCHED_NONE if there is none.
    pub tb: u32,
}

impl From<Sent> for gpusched_tlp_sent {
    fn from(sent: Sent) -> Self {
        let none = |stall: gpusched_tlp_stall| Self {
            stall: stall as u32,
            sm: GPUSCHED_NONE,
            k: GPUSCHED_NONE,
            tb: GPUSCHED_NONE,
        };
        match sent {
            Sent::Tb(sent) => {
                Self { stall: gpusched_tlp_stall::None as u32, sm: sent.sm.into(), k: sent.k.into(), tb: sent.tb }
            }
            Sent::Empty => none(gpusched_tlp_stall::Empty),
            Sent::NoRoom => none(gpusched_tlp_stall::NoRoom),
        }
    }
}
