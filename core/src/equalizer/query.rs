//! What can be seen of an SM.

use super::blocks::{Block, MAX_BLOCKS};
use super::classify::{Classified, Counts, Warp};
use super::config::SmConfig;
use super::sm::Sm;
use super::vote::{Objective, Step};
use crate::base::cycle::Cycle;
use crate::base::id::SlotId;

impl Sm {
    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &SmConfig {
        &self.config
    }

    /// The class of a warp: [`SmConfig::classify`].
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

    /// Samples of the epoch so far.
    #[must_use]
    pub fn samples(&self) -> u32 {
        self.epoch.samples
    }

    /// Their sums.
    #[must_use]
    pub fn sums(&self) -> &Counts {
        &self.epoch.sums
    }

    /// Warps of a block; 0 before the first kernel.
    #[must_use]
    pub fn w_cta(&self) -> u32 {
        self.kernel.w_cta
    }

    /// Blocks of the kernel that the SM's resources hold; 0 before the first kernel.
    #[must_use]
    pub fn limit(&self) -> u32 {
        self.kernel.limit
    }

    /// Blocks that may run; 0 before the first kernel.
    #[must_use]
    pub fn target(&self) -> u32 {
        self.kernel.target
    }

    /// Decisions for a change so far, below `hysteresis`.
    #[must_use]
    pub fn run(&self) -> u32 {
        self.hysteresis.run
    }

    /// Direction of the last of them.
    #[must_use]
    pub fn dir(&self) -> Step {
        self.hysteresis.dir
    }

    /// Blocks that run.
    #[must_use]
    pub fn running(&self) -> u32 {
        self.blocks.running()
    }

    /// Blocks that are paused.
    #[must_use]
    pub fn paused(&self) -> u32 {
        self.blocks.paused()
    }

    /// Requests that wait for their answer.
    #[must_use]
    pub fn outstanding(&self) -> u32 {
        self.blocks.outstanding
    }

    /// Whether the GWDE has denied a request and no refill was reported.
    #[must_use]
    pub fn is_drained(&self) -> bool {
        self.blocks.drained
    }

    /// Epochs that the watchdog has counted.
    #[must_use]
    pub fn watchdog_epochs(&self) -> u32 {
        self.watchdog.epochs
    }

    /// What the user wants.
    #[must_use]
    pub fn objective(&self) -> Objective {
        self.objective
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
