//! The parameters of the scoreboard, with their ranges and provenance.

use crate::base::parameter::{self, ConfigError, parameters};

parameters! {
    /// Parameters of a [`Scoreboard`](super::Scoreboard). `Default` is an SM of a GTX 480.
    pub struct ScoreboardConfig;
    /// An SM of a GTX 480.
    pub const GTX480;
    numbers {
        /// Warps of the SM.
        warps: "warps" = 48 in 1..=64, Public "Fermi: 1536 threads of an SM";
        /// Registers of a warp.
        regs: "registers" = 64 in 1..=256, Public "Fermi: 63 registers of a thread";
        /// Registers of a warp that may be pending at the same time; 0: all.
        entries: "registers" = 0 in 0..=256, Ours "the source states no limit";
    }
    choices {}
}

impl ScoreboardConfig {
    /// Checks every range.
    ///
    /// # Errors
    /// The first parameter that is out of its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        parameter::check(self.values())
    }
}
