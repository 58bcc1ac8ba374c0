//! Steps of a count or a clock, and what an action votes for (Table 3.1).

use crate::base::error::Fault;
use crate::base::parameter::choice;

/// One step of a block count, or of a domain's voltage and frequency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "i32", into = "i32"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(i8)]
pub enum Step {
    /// One less.
    Down = -1,
    /// As it is.
    #[default]
    Hold = 0,
    /// One more.
    Up = 1,
}

impl Step {
    /// -1, 0 or 1.
    #[must_use]
    pub const fn number(self) -> i8 {
        self as i8
    }

    /// `level`, one step on in this direction; `None` beyond the lowest and the highest.
    pub(super) fn from(self, level: Self) -> Option<Self> {
        Self::try_from(i32::from(level.number()) + i32::from(self.number())).ok()
    }
}

impl TryFrom<i32> for Step {
    type Error = Fault;

    fn try_from(number: i32) -> Result<Self, Fault> {
        match number {
            -1 => Ok(Self::Down),
            0 => Ok(Self::Hold),
            1 => Ok(Self::Up),
            _ => Err(Fault::BadVote),
        }
    }
}

impl From<Step> for i32 {
    fn from(step: Step) -> Self {
        step.number().into()
    }
}

/// The vote of one SM: a step for each clock domain.
///
/// ```
/// use gpusched::equalizer::{Step, Votes};
///
/// assert_eq!(Votes::try_from((0, -1)), Ok(Votes { sm: Step::Hold, mem: Step::Down }));
/// assert!(Votes::try_from((2, 0)).is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "(i32, i32)", into = "(i32, i32)")
)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Votes {
    /// For the SMs.
    pub sm: Step,
    /// For the memory: network, L2 and DRAM.
    pub mem: Step,
}

impl Votes {
    const fn of(sm: Step, mem: Step) -> Self {
        Self { sm, mem }
    }
}

impl TryFrom<(i32, i32)> for Votes {
    type Error = Fault;

    fn try_from((sm, mem): (i32, i32)) -> Result<Self, Fault> {
        Ok(Self { sm: sm.try_into()?, mem: mem.try_into()? })
    }
}

impl From<Votes> for (i32, i32) {
    fn from(votes: Votes) -> Self {
        (votes.sm.into(), votes.mem.into())
    }
}

choice! {
    /// What the user wants of the clocks (equalizer-A16).
    pub enum Objective {
        /// Lower the clock of what is not needed.
        Energy,
        /// Raise the clock of what is short.
        #[default]
        Performance,
    }
}

/// What the actions of one objective vote for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct VfSteps {
    /// Bound by computing.
    pub comp: Votes,
    /// Bound by memory.
    pub mem: Votes,
}

/// What each action votes for, per objective (Table 3.1, equalizer-A5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct VfMap {
    /// Of [`Objective::Energy`].
    pub energy: VfSteps,
    /// Of [`Objective::Performance`].
    pub performance: VfSteps,
}

impl VfMap {
    /// Table 3.1, with its line for memory-bound kernels as the source's text reads it.
    pub const TABLE: Self = Self {
        energy: VfSteps { comp: Votes::of(Step::Hold, Step::Down), mem: Votes::of(Step::Down, Step::Hold) },
        performance: VfSteps { comp: Votes::of(Step::Up, Step::Hold), mem: Votes::of(Step::Hold, Step::Up) },
    };
    /// Table 3.1 as it is printed: with the objective energy, memory-bound kernels lower both clocks.
    pub const PRINTED: Self = Self {
        energy: VfSteps { comp: Votes::of(Step::Hold, Step::Down), mem: Votes::of(Step::Down, Step::Down) },
        ..Self::TABLE
    };

    pub(super) const fn of(&self, objective: Objective) -> &VfSteps {
        match objective {
            Objective::Energy => &self.energy,
            Objective::Performance => &self.performance,
        }
    }
}

impl Default for VfMap {
    fn default() -> Self {
        Self::TABLE
    }
}
