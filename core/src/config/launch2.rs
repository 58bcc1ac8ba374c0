//! How device kernels are launched on GPUs of today: into a stream that nobody waits for, or behind the kernel that launches them
//! (sheet `launch2`).
//!
//! ```
//! use gpusched::{Cdp2Part, Config, Fault, LaPermPart, Policy};
//!
//! let config = Config { cdp2: Some(Cdp2Part::CUDA), ..Config::K20C };
//! assert!(config.check().is_ok());
//! // LaPerm's queues have no place for a kernel that waits for another one's end.
//! let under_laperm = Config { policy: Policy::LaPerm(LaPermPart::K20C), ..config };
//! assert_eq!(under_laperm.check().unwrap_err().fault, Fault::Launch2WithLaperm);
//! ```

use crate::base::error::Fault;
use crate::base::parameter::{self, ConfigError, choice, parameters};
use crate::config::Config;
use crate::config::parts::rule;

choice! {
    /// How deep a tail launch is nested (launch2-A3).
    pub enum TailDepth {
        /// One level deeper than the kernel that launched it.
        #[default]
        Child,
        /// As deep: it stands where the next kernel of the stream would.
        Same,
    }
}
choice! {
    /// Until when a device launch counts as pending (launch2-C4).
    pub enum PendHold {
        /// Until its kernel is issued.
        #[default]
        Issue,
        /// Until its kernel is complete.
        Complete,
    }
}

parameters! {
    /// CUDA Dynamic Parallelism without synchronisation on the device (sheet `launch2`, cdp2).
    pub struct Cdp2Part;
    /// What the programming guide says.
    pub const CUDA;
    numbers {
        /// The deepest kernel; those of the host have depth 0.
        max_depth: "levels" = 24 in 1..=255, Vendor "CUDA programming guide, CDP1: overall nesting depth 24";
        /// From a tail launch's turn to the KMU.
        lat_tail: "cycles" = 0 in 0..=0xffff_ffff, Ours "no source names one";
        /// Device launches whose kernels are not complete.
        grids: "grids" = 4096 in 1..=1048576, Ours "a table of grids has an end";
    }
    choices {
        /// Whether a tail launch is one level deeper.
        tail_depth: TailDepth = TailDepth::Child;
        /// Until when a launch is pending.
        pend_hold: PendHold = PendHold::Issue;
    }
}

rule!(WITH_LAPERM, "cdp2", "LaPerm's queues have no place for kernels that wait for another one's end");
rule!(
    FLUSH,
    "flush_cycles",
    "only where completion is told apart from the end of a kernel is there something to flush"
);

/// What the parts of this sheet ask (launch2-A9).
pub(crate) fn check(front: &Config) -> Result<(), ConfigError> {
    let refused = |fault, parameter, value| Err(ConfigError { fault, parameter, value, max: 0 });
    let Some(part) = &front.cdp2 else {
        return if front.flush_cycles > 0 { refused(Fault::BadConfig, &FLUSH, front.flush_cycles) } else { Ok(()) };
    };
    parameter::check(part.values())?;
    if front.laperm().is_some() { refused(Fault::Launch2WithLaperm, &WITH_LAPERM, 1) } else { Ok(()) }
}

impl Config {
    /// Whether a kernel of the device may be no deeper than its parent.
    pub(crate) fn has_level_tails(&self) -> bool {
        self.cdp2.is_some_and(|part| part.tail_depth == TailDepth::Same)
    }

    /// launch2-C2: how deep a kernel is that one of this depth launches.
    pub(crate) fn child_depth(&self, parent: u8, is_tail: bool) -> u32 {
        u32::from(parent) + u32::from(!is_tail || !self.has_level_tails())
    }

    /// The most grids that can be incomplete: one of the host per queue, and those of the device.
    pub(crate) const fn n_grid(&self) -> u32 {
        match &self.cdp2 {
            Some(part) => self.n_queue() + part.grids,
            None => 0,
        }
    }

    /// The most decisions of one event, or of the flushes of one cycle, about grids: as many kernels as there are entries may end, and
    /// with each all that it descends from be complete (launch2-H4); each grid is complete once, and then its queue is free or the next
    /// tail has its turn.
    #[must_use]
    pub const fn decisions_of_grids(&self) -> usize {
        match &self.cdp2 {
            Some(part) => {
                let all = self.n_grid() as usize;
                let chains = self.n_kde as usize * (part.max_depth as usize + 1);
                let completes = match part.tail_depth {
                    TailDepth::Child if chains < all => chains,
                    TailDepth::Child | TailDepth::Same => all,
                };
                2 * completes
            }
            None => 0,
        }
    }
}
