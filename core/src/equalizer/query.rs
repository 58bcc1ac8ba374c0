//! What can be seen of an SM.

use super::blocks::{Block, MAX_BLOCKS};
use super::classify::{Classified, Counts, Warp};
use super::config::SmConfig;
use super::sm::{Epoch, Kernel, Sm};
use super::vote::{Objective, Step};
use crate::base::cycle::Cycle;
use crate::base::id::SlotId;

/// What a machine holds, but for its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SmState {
    /// Sums of the epoch so far.
    pub sums: Counts,
    /// Samples of the epoch so far.
    pub samples: u32,
    /// Warps of a block; 0 before the first kernel.
    pub w_cta: u32,
    /// Blocks of the kernel that the SM's resources hold; 0 before the first kernel.
    pub limit: u32,
    /// Blocks that may run; 0 before the first kernel.
    pub target: u32,
    /// Decisions for a change so far, below `hysteresis`.
    pub run: u32,
    /// Direction of the last of them.
    pub dir: Step,
    /// Blocks that run.
    pub running: u32,
    /// Blocks that are paused.
    pub paused: u32,
    /// Requests that wait for their answer.
    pub outstanding: u32,
    /// A request was denied and no refill was reported.
    pub drained: bool,
    /// Epochs that the watchdog has counted.
    pub watchdog_epochs: u32,
    /// What the user wants.
    pub objective: Objective,
}

impl Sm {
    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &SmConfig {
        &self.config
    }

    /// The class of a warp, by the machine's configuration. It keeps nothing.
    #[must_use]
    pub fn classify(&self, warp: &Warp) -> Classified {
        self.config.classify(warp)
    }

    /// The time of the last event.
    #[must_use]
    pub fn now(&self) -> Cycle {
        self.now
    }

    /// When the next sample is due: the machine's next event.
    #[must_use]
    pub fn next_sample(&self) -> Cycle {
        self.next_sample
    }

    /// What it holds, but for its blocks.
    #[must_use]
    pub fn state(&self) -> SmState {
        let Epoch { samples, sums } = self.epoch;
        let Kernel { w_cta, limit, target } = self.kernel;
        SmState {
            sums,
            samples,
            w_cta,
            limit,
            target,
            run: self.hysteresis.run,
            dir: self.hysteresis.dir,
            running: self.blocks.running(),
            paused: self.blocks.paused(),
            outstanding: self.blocks.outstanding,
            drained: self.blocks.drained,
            watchdog_epochs: self.watchdog.epochs,
            objective: self.objective,
        }
    }

    /// The block in a slot; `None` if it is empty, or there is no such slot.
    #[must_use]
    pub fn block(&self, slot: SlotId) -> Option<Block> {
        self.blocks.block(slot)
    }

    /// The resident blocks, by slot.
    pub fn resident(&self) -> impl Iterator<Item = (SlotId, Block)> {
        (0..MAX_BLOCKS as u8).filter_map(|slot| Some((SlotId(slot), self.block(SlotId(slot))?)))
    }
}
