//! B: which kernel's TBs bypass L1, and how many, learnt by trial.

use super::{Mode, TlpSm};
use crate::tlp::config::StallNorm;
use crate::tlp::kernel::{Pair, Which};

/// How often warps stalled in a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct PeriodStall {
    pub(super) count: u64,
    pub(super) cycles: u64,
}

impl PeriodStall {
    /// tlp-B7.
    fn is_less(&self, than: &Self, norm: StallNorm) -> bool {
        let times = |count: u64, cycles: u64| u128::from(count) * u128::from(cycles);
        match norm {
            StallNorm::Raw => self.count < than.count,
            StallNorm::PerCycle => times(self.count, than.cycles) < times(than.count, self.cycles),
        }
    }
}

/// What is known, and what is tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Learning {
    #[default]
    Off,
    /// Nobody bypasses.
    S1,
    /// One TB of kernel 0 does.
    S2 {
        none: PeriodStall,
    },
    /// One TB of kernel 1 does.
    S3 {
        none: PeriodStall,
        k0: Option<PeriodStall>,
    },
    /// One more TB of `chosen` than `kept` does.
    S4 {
        chosen: Which,
        kept: u32,
        best: PeriodStall,
    },
    Done,
}

/// What is learnt of bypassing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Learn {
    /// Nothing is learnt.
    #[default]
    Off,
    /// Nobody bypasses.
    S1,
    /// One TB of kernel 0 does.
    S2,
    /// One TB of kernel 1 does.
    S3,
    /// One TB more does than was found good.
    S4,
    /// It is known how many bypass.
    Done,
}

impl Learning {
    /// Whether a trial is on.
    pub(super) const fn is_on(&self) -> bool {
        !matches!(self, Self::Off | Self::Done)
    }

    pub(super) const fn name(&self) -> Learn {
        match self {
            Self::Off => Learn::Off,
            Self::S1 => Learn::S1,
            Self::S2 { .. } => Learn::S2,
            Self::S3 { .. } => Learn::S3,
            Self::S4 { .. } => Learn::S4,
            Self::Done => Learn::Done,
        }
    }
}

impl TlpSm {
    /// tlp-D1, tlp-D6.
    pub(super) fn start_learning(&mut self) {
        let learns = self.mode == Mode::Pair && self.config.bypass;
        self.learning = if learns { Learning::S1 } else { Learning::Off };
    }

    /// tlp-B1 to B6: what a period with the trial of now leads to (tlp-A3).
    pub(super) fn learn_from(&mut self, stall: PeriodStall) {
        match self.learning {
            Learning::Off | Learning::Done => {}
            Learning::S1 => {
                if self.tb[Which::K0] > 0 {
                    self.by = Pair::only(Which::K0, 1);
                    self.learning = Learning::S2 { none: stall };
                } else {
                    self.try_k1(stall, None);
                }
            }
            Learning::S2 { none } => self.try_k1(none, Some(stall)),
            Learning::S3 { none, k0 } => self.choose(none, Pair([k0, Some(stall)])),
            Learning::S4 { chosen, best, .. } if stall.is_less(&best, self.config.stall_norm) => {
                self.keep(chosen, self.by[chosen], stall);
            }
            Learning::S4 { chosen, kept, .. } => {
                self.by[chosen] = kept;
                self.learning = Learning::Done;
            }
        }
    }

    /// tlp-B1, tlp-B2: one TB of kernel 1 is next, if it has any.
    fn try_k1(&mut self, none: PeriodStall, k0: Option<PeriodStall>) {
        if self.tb[Which::K1] > 0 {
            self.by = Pair::only(Which::K1, 1);
            self.learning = Learning::S3 { none, k0 };
        } else {
            self.choose(none, Pair([k0, None]));
        }
    }

    /// tlp-B4: the kernel with the least stall, if that is less than without bypassing.
    fn choose(&mut self, none: PeriodStall, stall: Pair<Option<PeriodStall>>) {
        let norm = self.config.stall_norm;
        self.by = Pair::default();
        self.learning = Learning::Done;
        let better = |k: Which| stall[k].filter(|stall| stall.is_less(&none, norm)).map(|stall| (k, stall));
        let least = match (better(Which::K0), better(Which::K1)) {
            (Some(k0), Some(k1)) => Some(if k1.1.is_less(&k0.1, norm) { k1 } else { k0 }),
            (k0, k1) => k0.or(k1),
        };
        if let Some((chosen, best)) = least {
            self.keep(chosen, 1, best);
        }
    }

    /// tlp-B6: `kept` TBs bypass; one more is tried if there is one (tlp-H8).
    fn keep(&mut self, chosen: Which, kept: u32, best: PeriodStall) {
        if kept >= self.tb[chosen] {
            self.by[chosen] = kept;
            self.learning = Learning::Done;
        } else {
            self.by[chosen] = kept + 1;
            self.learning = Learning::S4 { chosen, kept, best };
        }
    }

    /// tlp-L6: no more TBs bypass than there are to be. A trial with more of them than that is over.
    pub(super) fn clamp_bypass(&mut self) {
        for k in Which::BOTH {
            let most = self.tb[k];
            if self.by[k] <= most {
                continue;
            }
            self.by[k] = most;
            if let Learning::S4 { chosen, kept, .. } = self.learning
                && chosen == k
            {
                self.by[k] = kept.min(most);
                self.learning = Learning::Done;
            }
        }
    }
}
