//! D: what an epoch's sums say (Algorithm 1).

use super::classify::Counts;
use super::config::{Average, SmConfig};
use super::vote::{Objective, Step, Votes};
use crate::base::error::Fault;

/// Which resource the kernel is short of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u32)]
pub enum Action {
    /// None.
    #[default]
    None,
    /// The SM.
    Comp,
    /// The memory.
    Mem,
}

/// What Algorithm 1 decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Decision {
    /// For the block count.
    pub delta: Step,
    /// For the clocks.
    pub action: Action,
}

impl SmConfig {
    /// Algorithm 1 on the sums of an epoch of `samples` samples, with blocks of `w_cta` warps. It keeps nothing.
    ///
    /// ```
    /// use gpusched::equalizer::{Action, Counts, SmConfig, Step};
    ///
    /// // In the mean 8.03 warps, more than a block has, wait for the memory pipe.
    /// let sums = Counts { active: 1536, waiting: 0, xalu: 0, xmem: 257 };
    /// let decision = SmConfig::GTX480.decide(&sums, 32, 8)?;
    /// assert_eq!((decision.delta, decision.action), (Step::Down, Action::Mem));
    /// # Ok::<(), gpusched::Fault>(())
    /// ```
    ///
    /// # Errors
    /// `BadSample` without a sample.
    #[inline]
    pub fn decide(&self, sums: &Counts, samples: u32, w_cta: u32) -> Result<Decision, Fault> {
        if samples == 0 {
            return Err(Fault::BadSample);
        }
        Ok(match self.average {
            Average::Exact => self.algorithm_1(sums, samples, w_cta),
            Average::Floor => self.algorithm_1(&sums.over(samples), 1, w_cta),
        })
    }

    /// The first of equalizer-D1 to D6 that holds. An SM without a kernel has only zeros: none of the first four holds, or, where
    /// thresholds are inclusive, one that answers as the fifth does. Their lines are nested as equalizer-A11 reads them.
    #[inline(always)]
    fn algorithm_1(&self, sums: &Counts, samples: u32, w_cta: u32) -> Decision {
        let [active, waiting, xalu, xmem] = sums.wide();
        let n = u64::from(samples);
        let block = u64::from(w_cta) * n;
        let saturated = u64::from(self.bw_threshold) * n;
        let (delta, action) = if xmem > block {
            (Step::Down, Action::Mem) // equalizer-D1, lines 7 to 9
        } else if xalu > block || (self.alu_inclusive && xalu == block) {
            (Step::Hold, Action::Comp) // equalizer-D2, lines 10 and 11
        } else if xmem > saturated {
            (Step::Hold, Action::Mem) // equalizer-D3, lines 12 and 13
        } else if 2 * waiting > active {
            (Step::Up, if xalu > xmem { Action::Comp } else { Action::Mem }) // equalizer-D4, lines 14 to 20
        } else if active == 0 {
            (Step::Hold, Action::Comp) // equalizer-D5, lines 21 and 22
        } else {
            (Step::Hold, Action::None) // equalizer-D6
        };
        Decision { delta, action }
    }

    /// The vote of an action, without hysteresis.
    #[inline]
    pub(super) const fn votes(&self, objective: Objective, action: Action) -> Votes {
        let steps = self.vf_map.of(objective);
        match action {
            Action::None => Votes { sm: Step::Hold, mem: Step::Hold },
            Action::Comp => steps.comp,
            Action::Mem => steps.mem,
        }
    }
}
