//! What happens in a run, told while it happens: whoever writes it down needs no more memory for a long run than for a short one.
//!
//! The machine tells of everything that its front end and its SMs do with kernels, groups and TBs, of every change of a queue's length and
//! of a clock, in the cycle in which it happens; what SMs count, and why the scheduler sent nothing, comes in samples of
//! `run.sample_cycles` cycles. What warps do inside a TB is not told.

use gpusched::{KernelSlot, Words};

use super::tbs::{Launch, Tb, Visible};
use crate::equalizer::VfPair;
use crate::front::Depths;
use crate::l1::Refusal;
use crate::power::SmxState;
use crate::stats::SmStats;

/// Something that is told what happens in a run.
pub trait Observer {
    /// `event` happens in core cycle `at`, or holds from there on. Cycles never fall, but that what changes in the next cycle may be told
    /// in this one. A run that fails ends without a word.
    fn event(&mut self, at: u64, event: Event<'_>);
}

/// Something that happens. Launches and TBs are numbered from 0, in the order of their launch calls and dispatches.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A kernel or group is launched: the call, before any latency.
    Launch {
        /// Its number.
        number: u32,
        /// What is launched, and by whom.
        launch: &'a Launch,
        /// Its name, or that of its stream, if it is a host kernel with one.
        name: Option<&'a str>,
    },
    /// The scheduler sees a kernel or group from here on.
    Visible(Visible),
    /// A kernel has left the kernel distributor.
    Left {
        /// Its entry.
        kde: KernelSlot,
        /// Whether it is suspended and comes back.
        suspended: bool,
    },
    /// A TB starts.
    Start {
        /// Its number.
        number: u32,
        /// The TB.
        tb: &'a Tb,
    },
    /// A TB ends, or leaves its SM.
    End {
        /// Its number.
        number: u32,
        /// The TB, with its end.
        tb: &'a Tb,
        /// Whether it was taken off its SM with a suspended kernel: it comes back under another number.
        saved: bool,
    },
    /// What the front end holds is not what it held.
    Depths(Depths),
    /// An SM is in another state, or a bubble was found in it, or no longer.
    State {
        /// The SM.
        smx: u16,
        /// Its state.
        state: SmxState,
        /// Whether the last sample of occupancy found a bubble.
        bubble: bool,
    },
    /// The levels of voltage and frequency have changed.
    Levels(VfPair),
    /// The counts of a stretch of time that ends before this cycle.
    Sample(&'a Sample<'a>),
}

/// What was counted in a stretch of time.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// Core cycles that it covers.
    pub cycles: u64,
    /// By SM.
    pub sms: &'a [SmSample],
    /// Cycles of the front end by what its scheduler and its KMU did or waited for, since the run began.
    pub words: Words,
}

counts! {
    /// What an SM counted in a stretch of time.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct SmSample {
        /// Resident warps that have not exited, summed over core cycles.
        pub warp_cycles: u64,
        /// Warp instructions.
        pub instructions: u64,
        /// Cycles of its schedulers, summed, without issue in which a warp waits for a load and none is ready.
        pub memory_stalls: u64,
        /// The same in which a warp is ready but its unit, or the LSU, is taken.
        pub structural_stalls: u64,
        /// Cycles of the LSU with a refused attempt, by reason.
        pub lsu_stalls: [u64; Refusal::COUNT],
    }
}

impl SmSample {
    /// What an SM has counted since the run began.
    pub(crate) fn of(stats: &SmStats) -> Self {
        Self {
            warp_cycles: stats.warp_cycles,
            instructions: stats.all_instructions(),
            memory_stalls: stats.memory_stalls,
            structural_stalls: stats.structural_stalls,
            lsu_stalls: stats.lsu.stalls,
        }
    }

    /// What came since an earlier account.
    pub(crate) fn since(&self, before: &Self) -> Self {
        let mut lsu_stalls = self.lsu_stalls;
        lsu_stalls.iter_mut().zip(before.lsu_stalls).for_each(|(now, before)| *now -= before);
        Self {
            warp_cycles: self.warp_cycles - before.warp_cycles,
            instructions: self.instructions - before.instructions,
            memory_stalls: self.memory_stalls - before.memory_stalls,
            structural_stalls: self.structural_stalls - before.structural_stalls,
            lsu_stalls,
        }
    }
}
