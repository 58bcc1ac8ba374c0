//! The parameters of both machines, with their ranges and provenance.
//!
//! ```
//! use gpusched::equalizer::{FmConfig, SmConfig};
//!
//! let narrow = SmConfig { counter_bits: 10, ..SmConfig::GTX480 };
//! let error = narrow.check().unwrap_err().to_string();
//! assert_eq!(error, "counter_bits = 10: expected as many as hold `max_warps` * `epoch_cycles` / `sample_interval`");
//! assert!(FmConfig { sms: 1, ..FmConfig::GTX480 }.check().is_ok());
//! ```

use super::blocks::MAX_BLOCKS;
use super::vote::{Objective, VfMap};
use crate::base::error::Fault;
use crate::base::parameter::{self, ConfigError, Parameter, Provenance, choice, parameters};

choice! {
    /// How means meet thresholds (equalizer-A3).
    pub enum Average {
        /// Sums are compared with multiples of the thresholds.
        #[default]
        Exact,
        /// Sums are divided by the number of samples first, and truncated.
        Floor,
    }
}

choice! {
    /// Which decisions add up to a change of the block count (equalizer-A4).
    pub enum HystMode {
        /// Those in one direction.
        #[default]
        Same,
        /// Any that are for a change; the last one's direction is taken.
        Any,
    }
}

choice! {
    /// Which block of several (equalizer-A7).
    pub enum Pick {
        /// The one that arrived last.
        Youngest,
        /// The one that arrived first.
        #[default]
        Oldest,
    }
}

choice! {
    /// Which ready memory warps count as X_mem (equalizer-A2).
    pub enum XmemRule {
        /// Those that the LD/ST pipe does not accept in this cycle.
        #[default]
        Accept,
        /// All that did not issue.
        Any,
    }
}

choice! {
    /// What moves a clock (equalizer-A8).
    pub enum Majority {
        /// More than half of the SMs that are enabled.
        #[default]
        Strict,
        /// More SMs than are for each of the other two.
        Plurality,
    }
}

choice! {
    /// What becomes of a clock that nobody moves (equalizer-A9).
    pub enum Idle {
        /// It stays.
        #[default]
        Hold,
        /// It goes one step towards normal.
        Relax,
    }
}

parameters! {
    /// Parameters of an [`Sm`](super::Sm). `Default` is the GTX 480.
    pub struct SmConfig;
    /// The GTX 480 of Table 3.3, with the values of the source.
    pub const GTX480;
    numbers {
        /// Warps of the SM.
        max_warps: "warps" = 48 in 1..=128, Paper "Table 3.3";
        /// Block slots of the SM.
        max_blocks: "TBs" = 8 in 1..=32, Paper "Table 3.3";
        /// Cycles from one sample to the next.
        sample_interval: "cycles" = 128 in 1..=65536, Paper "3.4";
        /// Cycles of an epoch, a multiple of `sample_interval`.
        epoch_cycles: "cycles" = 4096 in 1..=16777216, Paper "3.5.1.2";
        /// Width of the four counters, which hold what an epoch can add up to.
        counter_bits: "bits" = 11 in 1..=32, Paper "3.5.1.2";
        /// More warps than this wait for memory: it is saturated.
        bw_threshold: "warps" = 2 in 0..=128, Paper "Algorithm 1, line 12";
        /// Decisions for a change in a row that it takes.
        hysteresis: "epochs" = 3 in 1..=255, Paper "3.4.2";
        /// The least block count, at most `max_blocks`.
        min_blocks: "TBs" = 1 in 1..=32, Ours "not stated; a kernel must run (equalizer-A6)";
        /// Epochs with a paused block and no end of a block before one is woken; 0 is never.
        watchdog: "epochs" = 0 in 0..=65535, Ours "not in the source, which has no answer to a paused lock holder";
    }
    choices {
        /// Whether as many warps as a block has are enough for line 10 (equalizer-A1).
        alu_inclusive: bool = false;
        /// How means meet thresholds.
        average: Average = Average::Exact;
        /// Which decisions add up to a change.
        hyst_mode: HystMode = HystMode::Same;
        /// What the user wants, until [`Sm::set_objective`](super::Sm::set_objective).
        objective: Objective = Objective::Performance;
        /// What each action votes for.
        vf_map: VfMap = VfMap::TABLE;
        /// Which running block is paused.
        pause_pick: Pick = Pick::Youngest;
        /// Which paused block is woken.
        unpause_pick: Pick = Pick::Oldest;
        /// Which ready memory warps count as X_mem.
        xmem_rule: XmemRule = XmemRule::Accept;
        /// Whether warps at a barrier or fence are active (equalizer-A2).
        sync_active: bool = true;
    }
}

const PARTIAL_SAMPLE: Parameter = Parameter::rule(
    c"epoch_cycles",
    Provenance::Paper,
    c"expected a multiple of `sample_interval`: an epoch is a whole number of samples",
);
const EPOCH_SUM: Parameter = Parameter::rule(
    c"counter_bits",
    Provenance::Paper,
    c"expected as many as hold `max_warps` * `epoch_cycles` / `sample_interval`",
);

impl SmConfig {
    /// Checks every range, then what numbers must be to each other.
    ///
    /// # Errors
    /// The first parameter that is out of its range; `min_blocks` above `max_blocks`; `epoch_cycles` that are not whole samples;
    /// `counter_bits` that do not hold the sum of an epoch.
    pub fn check(&self) -> Result<(), ConfigError> {
        parameter::check(self.values())?;
        parameter::check_limits(self.values(), &[("min_blocks", self.max_blocks)])?;
        let fault = Fault::BadConfig;
        if !self.epoch_cycles.is_multiple_of(self.sample_interval) {
            return Err(ConfigError::new(fault, &PARTIAL_SAMPLE, self.epoch_cycles));
        }
        // At most 128 * 2^24.
        let sum = self.max_warps * self.samples_per_epoch();
        let holds = u32::MAX >> (32 - self.counter_bits);
        if sum > holds {
            return Err(ConfigError::new(fault, &EPOCH_SUM, self.counter_bits));
        }
        Ok(())
    }

    /// Samples of a whole epoch.
    #[must_use]
    pub const fn samples_per_epoch(&self) -> u32 {
        match self.epoch_cycles.checked_div(self.sample_interval) {
            Some(samples) => samples,
            None => 0,
        }
    }

    /// The least block count of a kernel of which the SM holds `limit` blocks (equalizer-H1).
    pub(super) fn least(&self, limit: u32) -> u32 {
        self.min_blocks.min(limit)
    }
}

const _: () = assert!(MAX_BLOCKS == 32, "the range of max_blocks");

parameters! {
    /// Parameters of an [`Fm`](super::Fm). `Default` is the GTX 480.
    pub struct FmConfig;
    /// The GTX 480 of Table 3.3, with the values of the source.
    pub const GTX480;
    numbers {
        /// SMs that vote.
        sms: "SMs" = 15 in 1..=256, Paper "Table 3.3";
        /// Time that a step of the SM domain takes.
        sm_transition: "SM cycles" = 512 in 0..=16777216, Paper "3.5.1";
        /// Time that a step of the memory domain takes.
        mem_transition: "SM cycles" = 512 in 0..=16777216, Inferred "that of the SM domain (equalizer-A10)";
        /// SMs that must be for a step at least, beside the majority.
        quorum: "SMs" = 0 in 0..=256, Ours "the source lets any majority step";
        /// A step of frequency and voltage.
        step_permille: "thousandths" = 150 in 1..=999, Paper "3.5.1.1";
    }
    choices {
        /// What moves a clock.
        majority: Majority = Majority::Strict;
        /// What becomes of a clock that nobody moves.
        idle: Idle = Idle::Hold;
    }
}

impl FmConfig {
    /// Checks every range.
    ///
    /// # Errors
    /// The first parameter that is out of its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        parameter::check(self.values())
    }
}
