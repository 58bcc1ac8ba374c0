//! Where each SMX and the GPU stand, and the control registers that say so: DVR, DRN and DVFS (6.2.4).
//!
//! The registers are views of the states, so that no combination of bits can be without a meaning.

use crate::base::set::SmxSet;

/// What is under way on one SMX. While the GPU level is in force it is `Normal`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SmxLevel {
    /// High P-state, not diverted: eligible.
    #[default]
    Normal,
    /// Diverted, high P-state: its TBs run to their ends.
    Draining {
        /// Samples spent draining, below W.
        samples: u16,
    },
    /// Diverted, on its way to the low P-state.
    GoingDown {
        /// Samples until it is there, 1..=P.
        left: u16,
    },
    /// Diverted, at the low P-state.
    Low,
    /// On its way to the high P-state; not eligible before it is there (bubble_dvfs-A8).
    GoingUp {
        /// Samples until it is there, 1..=P.
        left: u16,
    },
}

impl SmxLevel {
    /// Its bit of DVR.
    #[must_use]
    pub const fn is_diverted(self) -> bool {
        matches!(self, Self::Draining { .. } | Self::GoingDown { .. } | Self::Low)
    }

    /// Its bit of DRN.
    #[must_use]
    pub const fn is_draining(self) -> bool {
        matches!(self, Self::Draining { .. })
    }

    /// Its bit of DVFS: the SMX level is in force.
    #[must_use]
    pub const fn has_level(self) -> bool {
        matches!(self, Self::GoingDown { .. } | Self::Low | Self::GoingUp { .. })
    }

    /// Whether a transition is under way.
    #[must_use]
    pub const fn is_moving(self) -> bool {
        matches!(self, Self::GoingDown { .. } | Self::GoingUp { .. })
    }
}

/// The GPU level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum GpuLevel {
    /// Not in force: each SMX has its own level.
    Normal {
        /// Samples in a row in which nothing waited and all SMXs were idle.
        idle_samples: u64,
    },
    /// All SMXs are on their way to the low P-state.
    GoingDown {
        /// Samples until they are there, 1..=P.
        left: u16,
        /// Those that were low before, and stay so.
        low: SmxSet,
    },
    /// All SMXs are at the low P-state.
    Low,
    /// All SMXs are on their way to the high P-state.
    GoingUp {
        /// Samples until they are there, 1..=P.
        left: u16,
    },
}

impl Default for GpuLevel {
    fn default() -> Self {
        Self::Normal { idle_samples: 0 }
    }
}

impl GpuLevel {
    /// Bit 0 of DVFS: the GPU level is in force.
    #[must_use]
    pub const fn is_in_force(self) -> bool {
        !matches!(self, Self::Normal { .. })
    }
}

/// The P-state of an SMX.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum PState {
    /// High voltage and clock.
    High,
    /// From high to low; charged as high (bubble_dvfs-A11).
    Down,
    /// Low voltage and clock.
    Low,
    /// From low to high; charged as high (bubble_dvfs-A11).
    Up,
}

/// The control registers (6.2.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Registers {
    /// DVR: diverted SMXs.
    pub dvr: SmxSet,
    /// DRN: draining SMXs.
    pub drn: SmxSet,
    /// DVFS without its bit 0: SMXs whose SMX level is in force.
    pub dvfs: SmxSet,
    /// Bit 0 of DVFS: the GPU level is in force.
    pub gpu: bool,
}

/// One SMX as the controller keeps it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SmxPower {
    /// What is under way.
    pub level: SmxLevel,
    /// Whether a bubble may activate diversion.
    pub armed: bool,
    /// Samples that found a bubble.
    pub bubble: u64,
    /// Samples that found it low.
    pub low: u64,
    /// Energy, mW x cycles.
    pub energy: u128,
    /// The part of it in intervals that ended in a bubble.
    pub energy_bubble: u128,
}
