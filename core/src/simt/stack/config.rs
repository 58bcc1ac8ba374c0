//! The parameters of the reconvergence stack, with their ranges and provenance.

use crate::base::parameter::{self, ConfigError, choice, parameters};

choice! {
    /// Which path of a divergent branch runs first (models-A7).
    pub enum FirstPath {
        /// That of the lanes that do not take the branch: the next instructions in memory.
        #[default]
        Fall,
        /// That of the lanes that take it.
        Taken,
    }
}

parameters! {
    /// Parameters of a [`Stack`](super::Stack). `Default` is a warp of 32 lanes.
    pub struct StackConfig;
    /// A warp of 32 lanes, with a stack that cannot overflow.
    pub const WARP_32;
    numbers {
        /// Lanes of the warp.
        lanes: "lanes" = 32 in 1..=64, Public "CUDA: a warp has 32 threads";
        /// Entries of the stack.
        depth: "entries" = 62 in 1..=126, Inferred "2 x (lanes - 1) never overflow";
    }
    choices {
        /// Which path runs first.
        first: FirstPath = FirstPath::Fall;
        /// Whether entries that change nothing are left out (models-A9).
        compact: bool = false;
    }
}

impl StackConfig {
    /// A warp of so many lanes, with a stack that cannot overflow.
    #[must_use]
    pub const fn of_lanes(lanes: u32) -> Self {
        let depth = if lanes < 2 { 1 } else { 2 * lanes.saturating_sub(1) };
        Self { lanes, depth, ..Self::WARP_32 }
    }

    /// Checks every range.
    ///
    /// # Errors
    /// The first parameter that is out of its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        parameter::check(self.values())
    }

    /// A mask of all lanes.
    pub(super) fn all_lanes(&self) -> u64 {
        u64::MAX >> 64_u32.saturating_sub(self.lanes).min(63)
    }
}
