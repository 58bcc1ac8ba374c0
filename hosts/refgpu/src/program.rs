//! What runs on the machine: programs that produce warp instructions.
//!
//! A [`Workload`] is a real algorithm. The machine asks it for the head instruction of a warp ([`Workload::fetch`]: what
//! class, which lanes, which registers) as often as it likes, and calls [`Workload::execute`] exactly once, in the cycle in
//! which that instruction issues. Only then does the instruction take effect on the workload's own data, so every value is
//! real and the order of effects is the order of issue. Timing sees addresses, never values.

use crate::config::GpuConfig;
use gpusched::Descriptor;
use gpusched::dats::{GraphHeader, Node, NodeId};
use gpusched::tlp::{Category, KernelType, Pref};

/// Functional-unit class of a warp instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Integer and branch.
    Int,
    /// Single-precision floating point.
    Fp,
    /// Special function: division, square root and their kin.
    Sfu,
    /// Double precision.
    Dp,
    /// Load from global memory: one address per active lane.
    LoadGlobal,
    /// Store to global memory.
    StoreGlobal,
    /// Atomic on global memory. Answered with the old values, if it has a destination.
    AtomicGlobal,
    /// Load through the texture unit: a cache of its own beside L1, and no place in the LSU (refgpu-M10). One address per active lane.
    LoadTexture,
    /// Load from shared memory.
    LoadShared,
    /// Store to shared memory.
    StoreShared,
    /// Atomic on shared memory. Lanes of one bank take turns, be it for one word.
    AtomicShared,
    /// Waits for every warp of the TB that has not exited.
    Barrier,
    /// Device-side launch: one kernel or group per active lane.
    Launch,
    /// Waits until every kernel that threads of the TB launched has ended; meanwhile the TB's kernel is suspended (refgpu-V1). For the only
    /// TB of a kernel, and launches as kernels. The warp's operands have to be there, as for an exit.
    Sync,
    /// The warp ends.
    Exit,
    /// Load from the shared memory of a TB of the same cluster (refgpu-M16).
    LoadRemote,
    /// Store to it.
    StoreRemote,
}

impl Class {
    /// Number of classes.
    pub const COUNT: usize = Self::StoreRemote as usize + 1;
}

/// A set of a warp's registers, one bit each. Bit numbers are the program's own.
pub type Regs = u32;

/// The head instruction of a warp, before it issues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Inst {
    /// Functional unit.
    pub class: Class,
    /// Active lanes. Accesses to memory and launches have some.
    pub mask: u32,
    /// Registers that it reads.
    pub src: Regs,
    /// Registers that it writes; pending until its result is back. Loads write some.
    pub dst: Regs,
    /// A taken branch that leaves lanes behind: the instruction buffer is empty for one cycle.
    pub diverges: bool,
    /// Names the place in the program: any number that is the same whenever this instruction of the kernel is at the head, and, for
    /// loads, of no other one. What tells loads apart ([`prefetch`](crate::prefetch)) numbers them by first sight.
    pub pc: u32,
}

/// What an executed instruction asks of the machine. One buffer, used again for every instruction.
#[derive(Clone, Debug)]
pub struct Effects {
    /// Address of each active lane, for memory instructions. Shared memory: byte offset within the TB's allocation.
    pub addr: [u64; 32],
    /// Bytes that each lane touches: 1, 2, 4, 8 or 16.
    pub bytes: u32,
    /// Whose shared memory a remote access means, by its rank in the cluster.
    pub rank: u32,
    /// For [`Class::Launch`]: what each active lane launches, in lane order.
    pub launches: Vec<LaneLaunch>,
}

/// A device-side launch by one lane.
#[derive(Clone, Copy, Debug)]
pub struct LaneLaunch {
    /// The calling lane, 0..32.
    pub lane: u32,
    /// The kernel or aggregated group. Its `tag` comes back in [`Workload::begin`].
    pub descriptor: Descriptor,
    /// Address of the launch's block in memory: its parameters, and behind these its record (workloads-W6).
    pub block: u64,
}

/// Which TB a warp belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TbContext {
    /// Tag of the kernel or group.
    pub tag: u64,
    /// Number of the TB within its kernel or group.
    pub blkid: u32,
    /// Threads in the TB.
    pub threads: u32,
}

/// What is known of a host stream beforehand, for those who share the machine between streams (`tlp`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamProfile {
    /// TBs of all its kernels.
    pub tbs: u32,
    /// How the speed of its kernels follows their TLP.
    pub category: Category,
    /// What they lean on.
    pub pref: Pref,
}

impl Default for StreamProfile {
    /// Nothing is known: it takes what it is given.
    fn default() -> Self {
        Self { tbs: 0, category: Category { kind: KernelType::Up, opt: u8::MAX }, pref: Pref::Compute }
    }
}

/// The dependency graph of a host kernel, as it lies in the machine's memory (`dats`, Structures). TBs of such a kernel are numbered
/// by their VIDs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TbGraph {
    /// Sizes, addresses and policy.
    pub header: GraphHeader,
    /// The node array.
    pub nodes: Vec<Node>,
    /// The edge array.
    pub edges: Vec<NodeId>,
}

/// A real algorithm that produces the instruction and address stream of each warp.
pub trait Workload {
    /// State of one warp's program. Lives in the warp slot and is used again by the next TB there.
    type Warp: Default;

    /// It is about to run on this machine (refgpu-G8). Called once, before anything else: for hosts that launch as many TBs as the machine
    /// holds.
    fn starts_on(&mut self, machine: &GpuConfig) {
        let _ = machine;
    }

    /// The next host kernel. Called when all earlier work, device launches included, has drained. `None`: the run is over.
    fn next_kernel(&mut self) -> Option<Descriptor>;

    /// Streams of the host: kernels of different streams may run at the same time.
    fn streams(&self) -> usize {
        1
    }

    /// The next host kernel of a stream, when the last one of it has ended; where there are several, no kernel launches others.
    /// `None`: the stream is over. The tags of kernels that run at the same time differ.
    fn next_kernel_of(&mut self, stream: usize) -> Option<Descriptor> {
        if stream == 0 { self.next_kernel() } else { None }
    }

    /// The stream of a TB.
    fn stream(&self, tb: &TbContext) -> usize {
        let _ = tb;
        0
    }

    /// What is known of a stream.
    fn profile(&self, stream: usize) -> StreamProfile {
        let _ = stream;
        StreamProfile::default()
    }

    /// The name of a stream, where streams have names: for statistics.
    fn stream_name(&self, stream: usize) -> Option<&str> {
        let _ = stream;
        None
    }

    /// The dependency graph of the kernel that [`Workload::next_kernel`] gave last, if its TBs have one.
    fn dependencies(&self) -> Option<&TbGraph> {
        None
    }

    /// The name of a host kernel, where kernels have names: for statistics.
    fn kernel_name(&self, kernel: &Descriptor) -> Option<&str> {
        let _ = kernel;
        None
    }

    /// The level of a TB, where TBs have levels: for statistics.
    fn level(&self, tb: &TbContext) -> Option<u32> {
        let _ = tb;
        None
    }

    /// Prepares warp number `warp` of the TB to run from its first instruction. The warps of a TB begin one after the other,
    /// from number 0.
    fn begin(&mut self, tb: &TbContext, warp: u32, state: &mut Self::Warp);

    /// The head instruction. Pure and cheap.
    fn fetch(&self, warp: &Self::Warp) -> Inst;

    /// Carries out the head instruction, fills `effects` as its class needs, and moves to the next one.
    fn execute(&mut self, warp: &mut Self::Warp, effects: &mut Effects);

    /// Where the head, a load from global memory, will read, if that can be told without carrying it out: fills `effects.addr`. It is
    /// asked of warps whose operands are there, and only for statistics.
    fn preview(&self, warp: &Self::Warp, effects: &mut Effects) -> bool {
        let _ = (warp, effects);
        false
    }

    /// Work done so far and in all, in any unit that grows steadily.
    fn progress(&self) -> (u64, u64);
}
