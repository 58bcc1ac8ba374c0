//! What a sample is told, and what it answers.

use super::registers::Registers;
use crate::base::id::SmxId;
use crate::base::resources::Resources;
use crate::base::set::SmxSet;

/// The TB that the scheduler would dispatch next. With several candidates, one that no eligible SMX can take, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Waiting {
    /// What it takes.
    pub res: Resources,
    /// SMXs that it may run on; `None` is all of them.
    pub allowed: Option<SmxSet>,
}

/// A transition of the GPU that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum GpuDone {
    /// All SMXs are low.
    Low,
    /// All SMXs are high.
    High,
}

/// A transition of the GPU that starts: an order for the regulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum GpuStart {
    /// To low.
    Down,
    /// To high.
    Up,
}

/// How an SMX that is wanted again becomes eligible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ResumeKind {
    /// Its transition to high starts: an order for the regulator.
    Up,
    /// It was draining, and is eligible at once.
    Cancel,
}

/// An SMX that is wanted again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Resume {
    /// How.
    pub kind: ResumeKind,
    /// Which one it is.
    pub smx: SmxId,
}

impl Resume {
    /// Its transition to high starts.
    #[must_use]
    pub const fn up(smx: SmxId) -> Self {
        Self { kind: ResumeKind::Up, smx }
    }

    /// It was draining.
    #[must_use]
    pub const fn cancel(smx: SmxId) -> Self {
        Self { kind: ResumeKind::Cancel, smx }
    }
}

/// What a sample found and decided. Sets are of SMXs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Sample {
    /// The GPU's transition that ended.
    pub gpu_done: Option<GpuDone>,
    /// The GPU's transition that starts.
    pub gpu_start: Option<GpuStart>,
    /// Transitions to low that ended.
    pub low_done: SmxSet,
    /// Transitions to high that ended.
    pub high_done: SmxSet,
    /// Diverted now.
    pub divert: SmxSet,
    /// In a bubble, but no other SMX could take the work.
    pub refused: SmxSet,
    /// Drained.
    pub drain_done: SmxSet,
    /// Not drained in time: eligible again.
    pub drain_abort: SmxSet,
    /// Transitions to low that start: orders for the regulator.
    pub down: SmxSet,
    /// The SMX that is wanted again.
    pub resume: Option<Resume>,
    /// A TB waits, and nothing eligible can take it.
    pub starved: bool,
    /// SMXs that may receive TBs from now on.
    pub eligible: SmxSet,
    /// The control registers after the sample.
    pub registers: Registers,
}
