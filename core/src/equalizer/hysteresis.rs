//! H: how many decisions for a change it takes until the block count changes, and the watchdog over paused blocks.

use super::config::{HystMode, SmConfig};
use super::vote::Step;

/// Decisions for a change so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Hysteresis {
    /// How many in a row, below `hysteresis`.
    pub(super) run: u32,
    /// The last one's direction; `Hold` while `run` is 0.
    pub(super) dir: Step,
}

impl Hysteresis {
    /// A proposal for the block count (equalizer-H2 to H4): the change that is due now.
    #[inline]
    pub(super) fn propose(&mut self, d: Step, config: &SmConfig) -> Step {
        if d == Step::Hold {
            *self = Self::default();
            return Step::Hold;
        }
        let goes_on = d == self.dir || config.hyst_mode == HystMode::Any;
        let run = if goes_on { self.run + 1 } else { 1 };
        if run < config.hysteresis {
            *self = Self { run, dir: d };
            return Step::Hold;
        }
        *self = Self::default();
        d
    }
}

/// The watchdog of a host whose running blocks may spin on what a paused one holds (equalizer-H5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Watchdog {
    /// Epochs in a row with a paused block and no end of a block.
    pub(super) epochs: u32,
    /// A block ended since the last epoch end, or the start of the kernel.
    pub(super) ended: bool,
}

impl Watchdog {
    /// An epoch ends; whether a block is to be woken.
    #[inline]
    pub(super) fn barks(&mut self, any_paused: bool, config: &SmConfig) -> bool {
        let ended = core::mem::take(&mut self.ended);
        if config.watchdog == 0 {
            return false;
        }
        self.epochs = if any_paused && !ended { self.epochs + 1 } else { 0 };
        self.epochs >= config.watchdog
    }
}
