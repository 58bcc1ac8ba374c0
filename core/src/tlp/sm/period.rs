//! P: the period that is measured, which is the life of the TBs that are resident at its start.

use super::{Mode, TlpSm};
use crate::base::cycle::Cycle;
use crate::tlp::kernel::{Pair, Which};

/// Where the machine is between two samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Period {
    /// No period runs.
    #[default]
    Waiting,
    /// One runs.
    Sampling {
        /// A bit for the slot of each TB that was there at the start and has not ended.
        cohort: u32,
        /// Its start.
        start: Cycle,
    },
    /// One has ended, and its sample is due.
    Await {
        /// Its start.
        start: Cycle,
        /// Its end.
        end: Cycle,
    },
}

/// Where the machine is between two samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Phase {
    /// No period runs.
    #[default]
    Waiting,
    /// One runs.
    Sampling,
    /// One has ended, and its sample is due.
    Await,
}

impl Period {
    /// Its name.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        match self {
            Self::Waiting => Phase::Waiting,
            Self::Sampling { .. } => Phase::Sampling,
            Self::Await { .. } => Phase::Await,
        }
    }
}

impl TlpSm {
    /// tlp-P1.
    #[inline]
    pub(super) fn samples(&self) -> bool {
        self.mode == Mode::Pair && self.config.dynamic || self.learning.is_on()
    }

    /// tlp-P2, at the end of every event.
    #[inline]
    pub(super) fn start_period(&mut self) {
        if self.period != Period::Waiting || !self.samples() || self.tb == Pair::default() {
            return;
        }
        let is_there = |k: Which| {
            let tagged = !self.config.wait_by || self.slots.bypassing(k) == self.by[k];
            self.slots.resident(k) == self.tb[k] && tagged
        };
        if is_there(Which::K0) && is_there(Which::K1) {
            self.period = Period::Sampling { cohort: self.slots.valid, start: self.now };
        }
    }

    /// tlp-P3: takes a slot out of the cohort. Whether the period ends with it (tlp-A2).
    #[inline]
    pub(super) fn leave_cohort(&mut self, slot: u32) -> bool {
        let Period::Sampling { cohort, start } = &mut self.period else { return false };
        *cohort &= !slot;
        let ends = *cohort == 0;
        if ends {
            self.period = Period::Await { start: *start, end: self.now };
        }
        ends
    }

    /// Whether there was one.
    pub(super) fn drop_period(&mut self) -> bool {
        core::mem::take(&mut self.period) != Period::Waiting
    }
}
