//! What the machines say about SMXs in the same way: sets of them, and what a TB takes of one.

use gpusched::{SmxSet, laperm, power};

/// A set of SMXs: bit b of word w is SMX 64 w + b.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_smx_set {
    /// 256 bits.
    pub words: [u64; 4],
}

impl From<SmxSet> for gpusched_smx_set {
    fn from(set: SmxSet) -> Self {
        Self { words: set.words() }
    }
}

/// Resources of one TB, or what is free on one SMX.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_resources {
    /// Threads.
    pub threads: u32,
    /// Registers.
    pub regs: u32,
    /// Shared memory, bytes.
    pub smem: u32,
    /// TB slots.
    pub slots: u32,
}

macro_rules! resources {
    ($($Core:ty)*) => {
        $(impl From<$Core> for gpusched_resources {
            fn from(res: $Core) -> Self {
                Self { threads: res.threads, regs: res.regs, smem: res.smem, slots: res.slots }
            }
        }

        impl From<gpusched_resources> for $Core {
            fn from(res: gpusched_resources) -> Self {
                Self { threads: res.threads, regs: res.regs, smem: res.smem, slots: res.slots }
            }
        })*
    };
}

resources!(laperm::Resources power::Resources);
