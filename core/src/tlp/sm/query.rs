//! Queries: the whole visible state.

use super::{History, Learn, Mode, Period, Phase, ResidentTb, TlpSm};
use crate::base::cycle::Cycle;
use crate::base::id::SlotId;
use crate::tlp::config::{MAX_SLOTS, TlpConfig};
use crate::tlp::kernel::{Kernel, KernelId, Which};

/// What a machine holds, beside its kernels and TBs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SmState {
    /// Start of the period, if there is one.
    pub start: Option<Cycle>,
    /// Its end, if it has ended.
    pub end: Option<Cycle>,
    /// Who shares the SM.
    pub mode: Mode,
    /// The kernel that was attached earlier.
    pub first: KernelId,
    /// TBs that kernel 0 and 1 are to have.
    pub tb: [u32; 2],
    /// How many of them are to bypass the L1.
    pub by: [u32; 2],
    /// Resident TBs of kernel 0 and 1.
    pub resident: [u32; 2],
    /// Those of them that bypass.
    pub bypassing: [u32; 2],
    /// Where it is between two samples.
    pub phase: Phase,
    /// A bit for the slot of each TB that the period waits for.
    pub cohort: u32,
    /// What is learnt of bypassing.
    pub learn: Learn,
    /// The utilisations of periods so far.
    pub history: History,
}

impl TlpSm {
    /// What it holds, beside its kernels and TBs.
    #[must_use]
    pub fn state(&self) -> SmState {
        let (start, end) = match self.period {
            Period::Waiting => (None, None),
            Period::Sampling { start, .. } => (Some(start), None),
            Period::Await { start, end } => (Some(start), Some(end)),
        };
        SmState {
            start,
            end,
            mode: self.mode,
            first: self.first(),
            tb: self.tb(),
            by: self.by(),
            resident: self.resident(),
            bypassing: self.bypassing(),
            phase: self.period.phase(),
            cohort: self.cohort(),
            learn: self.learn(),
            history: self.history,
        }
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &TlpConfig {
        &self.config
    }

    /// The time of the last event.
    #[must_use]
    pub fn now(&self) -> Cycle {
        self.now
    }

    /// Who shares the SM.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Kernel 0 or 1; `None` if it is not attached.
    #[must_use]
    pub fn kernel(&self, k: KernelId) -> Option<Kernel> {
        self.kernels[Which::try_from(k).ok()?]
    }

    /// The kernel that was attached earlier; the last such one while there is none.
    #[must_use]
    pub fn first(&self) -> KernelId {
        self.first.id()
    }

    /// Tb: TBs that kernel 0 and 1 are to have.
    #[must_use]
    pub fn tb(&self) -> [u32; 2] {
        self.tb.0
    }

    /// By: how many of them are to bypass L1.
    #[must_use]
    pub fn by(&self) -> [u32; 2] {
        self.by.0
    }

    /// res: resident TBs of kernel 0 and 1.
    #[must_use]
    pub fn resident(&self) -> [u32; 2] {
        Which::BOTH.map(|k| self.slots.resident(k))
    }

    /// By_cur: those of them that bypass.
    #[must_use]
    pub fn bypassing(&self) -> [u32; 2] {
        Which::BOTH.map(|k| self.slots.bypassing(k))
    }

    /// The TB in a slot; `None` if it is empty, or there is no such slot.
    #[must_use]
    pub fn slot(&self, slot: SlotId) -> Option<ResidentTb> {
        self.slots.get(slot).map(|(k, bypass)| ResidentTb { k: k.id(), bypass })
    }

    /// The resident TBs, by slot.
    pub fn slots(&self) -> impl Iterator<Item = (SlotId, ResidentTb)> {
        (0..MAX_SLOTS as u8).filter_map(|slot| Some((SlotId(slot), self.slot(SlotId(slot))?)))
    }

    /// The period.
    #[must_use]
    pub fn period(&self) -> Period {
        self.period
    }

    /// A bit for the slot of each TB that the running period waits for.
    #[must_use]
    pub fn cohort(&self) -> u32 {
        match self.period {
            Period::Sampling { cohort, .. } => cohort,
            Period::Waiting | Period::Await { .. } => 0,
        }
    }

    /// The utilisations of periods so far.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// What is learnt of bypassing.
    #[must_use]
    pub fn learn(&self) -> Learn {
        self.learning.name()
    }
}
