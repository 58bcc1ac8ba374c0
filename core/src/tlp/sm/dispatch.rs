//! tlp-D2 to D4: TBs come and go.

use super::TlpSm;
use super::slots::bit;
use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::id::SlotId;
use crate::tlp::fit::Used;
use crate::tlp::kernel::{KernelId, Which};
use crate::tlp::sm::Mode;

/// Why no TB is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Stall {
    /// There is no kernel.
    Idle,
    /// Every kernel has as many TBs as it is to have.
    AtTarget,
    /// A kernel may have more, but has none to send.
    NoWork,
    /// A kernel may have more, but TBs of the other one still take the room.
    NoRoom,
}

impl Stall {
    /// The name, as the sheet spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "Idle",
            Self::AtTarget => "AtTarget",
            Self::NoWork => "NoWork",
            Self::NoRoom => "NoRoom",
        }
    }
}

/// A TB that comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Placed {
    /// Its slot.
    pub slot: SlotId,
    /// Its kernel.
    pub k: KernelId,
    /// Whether it bypasses L1, as long as it runs.
    pub bypass: bool,
}

/// What the SM takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Dispatch {
    /// A TB.
    Placed(Placed),
    /// Nothing.
    Stall(Stall),
}

/// A TB that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Finished {
    /// Its kernel.
    pub k: KernelId,
    /// Whether it bypassed L1.
    pub bypass: bool,
    /// A period ends with it: the host takes its counters to [`TlpSm::sample`].
    pub period_end: bool,
}

impl TlpSm {
    /// tlp-D2, tlp-D3: which TB the SM takes next, one per call. `avail` says which of the kernels have TBs to be sent.
    ///
    /// # Errors
    /// `TimeBackwards`.
    #[inline]
    pub fn dispatch(&mut self, now: Cycle, avail: [bool; 2]) -> Result<Dispatch, Fault> {
        self.check_time(now)?;
        self.now = now;
        let placed = self.next_tb(avail).map(|k| self.place(k));
        self.start_period();
        Ok(match placed {
            Ok(placed) => Dispatch::Placed(placed),
            Err(stall) => Dispatch::Stall(stall),
        })
    }

    /// tlp-D2: whose turn it is.
    #[inline]
    fn next_tb(&self, avail: [bool; 2]) -> Result<Which, Stall> {
        if self.mode == Mode::Idle {
            return Err(Stall::Idle);
        }
        let mut stall = Stall::AtTarget;
        for (k, avail) in Which::BOTH.into_iter().zip(avail) {
            let Some(kernel) = &self.kernels[k] else { continue };
            if self.slots.resident(k) >= self.tb[k] {
                continue;
            }
            if !avail {
                stall = if stall == Stall::AtTarget { Stall::NoWork } else { stall };
            } else if self.config.room(&kernel.needs, &self.used()) == 0 {
                stall = Stall::NoRoom;
            } else {
                return Ok(k);
            }
        }
        Err(stall)
    }

    /// What the residents take.
    fn used(&self) -> Used {
        let of = |k: Which| {
            let kernel = self.kernels[k].unwrap_or_default();
            Used::of(self.slots.resident(k), &kernel.needs)
        };
        of(Which::K0).and(of(Which::K1))
    }

    /// tlp-D3.
    #[inline]
    fn place(&mut self, k: Which) -> Placed {
        let bypass = self.slots.bypassing(k) < self.by[k];
        let slot = self.slots.place(k, bypass);
        Placed { slot, k: k.id(), bypass }
    }

    /// tlp-D4: the TB in a slot has ended. Its successor comes with the next [`TlpSm::dispatch`].
    ///
    /// # Errors
    /// `TimeBackwards`; `BadSlot` if the slot is empty, or there is no such slot.
    #[inline]
    pub fn finish(&mut self, now: Cycle, slot: SlotId) -> Result<Finished, Fault> {
        self.check_time(now)?;
        let (k, bypass) = self.slots.get(slot).ok_or(Fault::BadSlot)?;
        self.now = now;
        self.slots.free(slot);
        let period_end = self.leave_cohort(bit(slot));
        self.start_period();
        Ok(Finished { k: k.id(), bypass, period_end })
    }
}
