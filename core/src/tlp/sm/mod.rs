//! The machine of one SM: its events, and what it answers.

mod dispatch;
mod learn;
mod modulate;
mod period;
mod query;
mod slots;
mod validate;

#[cfg(feature = "image")]
mod image;

pub use dispatch::{Dispatch, Finished, Placed, Stall};
#[cfg(feature = "image")]
pub use image::tlp_sm_image_config;
pub use learn::Learn;
pub use modulate::{Action, History, Load, Metrics, Pipe, Sampled};
pub use period::{Period, Phase};
pub use query::SmState;
pub use slots::ResidentTb;

use learn::Learning;
use slots::Slots;

use super::config::TlpConfig;
use super::kernel::{Kernel, KernelId, Pair, Which};
use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::parameter::ConfigError;

/// Who shares an SM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Mode {
    /// Nobody.
    #[default]
    Idle,
    /// One kernel.
    Solo,
    /// Two kernels.
    Pair,
    /// Two kernels, one of which waits until the other has ended.
    Leftover,
}

/// Who shares the SM once a kernel has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Attached {
    /// Who shares the SM now.
    pub mode: Mode,
    /// Targets of kernel 0 and 1.
    pub tb: [u32; 2],
}

/// Who has the SM once a kernel has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Detached {
    /// Who has the SM now.
    pub mode: Mode,
    /// Targets of kernel 0 and 1.
    pub tb: [u32; 2],
    /// Whether a period was under way, or its sample due: it is dropped.
    pub aborted: bool,
}

/// What becomes of the period when the host sets the targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Overridden {
    /// Whether a period was under way, or its sample due: it is dropped.
    pub aborted: bool,
    /// Bypassing TBs wanted of kernel 0 and 1.
    pub by: [u32; 2],
}

/// TLP modulation and cache bypassing on one SM. One plain value.
///
/// Every event says what cycle it is; cycles never go back, and events of one cycle act in their order. `TimeBackwards` is tested
/// before a verb's own errors, except that `attach` and `done` first look at the kernel's number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TlpSm {
    config: TlpConfig,
    /// The last event.
    now: Cycle,
    kernels: Pair<Option<Kernel>>,
    /// The kernel that came earlier.
    first: Which,
    mode: Mode,
    /// Targets.
    tb: Pair<u32>,
    /// Bypassing TBs that are wanted.
    by: Pair<u32>,
    slots: Slots,
    period: Period,
    history: History,
    learning: Learning,
}

impl TlpSm {
    /// An SM without kernels, at cycle 0.
    ///
    /// # Errors
    /// As [`TlpConfig::check`].
    pub fn new(config: &TlpConfig) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self {
            config: *config,
            now: Cycle::ZERO,
            kernels: Pair::default(),
            first: Which::K0,
            mode: Mode::Idle,
            tb: Pair::default(),
            by: Pair::default(),
            slots: Slots::default(),
            period: Period::Waiting,
            history: History::default(),
            learning: Learning::Off,
        })
    }

    /// tlp-D1: kernel 0 or 1 comes to the SM. TBs that are resident stay; those above their target drain.
    ///
    /// # Errors
    /// In this order: `BadArg`, `TimeBackwards`, `SlotBusy`, `BadKernel`, `TbTooBig`.
    pub fn attach(&mut self, now: Cycle, k: KernelId, kernel: impl Into<Option<Kernel>>) -> Result<Attached, Fault> {
        let k = Which::try_from(k)?;
        self.check_time(now)?;
        if self.kernels[k].is_some() {
            return Err(Fault::SlotBusy);
        }
        let kernel = Kernel::checked(kernel)?;
        self.config.at_least_one(&kernel.needs)?;
        self.now = now;
        self.kernels[k] = Some(kernel);
        let other = k.other();
        match self.kernels[other] {
            None => self.go_solo(k, &kernel),
            Some(partner) => {
                self.first = other;
                let kernels = if k == Which::K0 { [kernel, partner] } else { [partner, kernel] };
                let targets = self.config.targets(&Pair(kernels), other);
                (self.mode, self.tb) = (targets.mode, targets.tb);
            }
        }
        self.forget();
        self.start_learning();
        self.start_period();
        Ok(Attached { mode: self.mode, tb: self.tb.0 })
    }

    /// tlp-D5: kernel 0 or 1 will send no more TBs here, and none is resident. The other one has the SM for itself.
    ///
    /// # Errors
    /// In this order: `BadArg`, `TimeBackwards`, `NotLive`, `KernelStillResident`.
    pub fn done(&mut self, now: Cycle, k: KernelId) -> Result<Detached, Fault> {
        let k = Which::try_from(k)?;
        self.check_time(now)?;
        if self.kernels[k].is_none() {
            return Err(Fault::NotLive);
        }
        if self.slots.resident(k) > 0 {
            return Err(Fault::KernelStillResident);
        }
        self.now = now;
        self.kernels[k] = None;
        let aborted = self.forget();
        match self.kernels[k.other()] {
            Some(kernel) => self.go_solo(k.other(), &kernel),
            None => (self.mode, self.tb) = (Mode::Idle, Pair::default()),
        }
        Ok(Detached { mode: self.mode, tb: self.tb.0, aborted })
    }

    /// tlp-D6: the host sets the targets of two kernels, which are modulated from here on.
    ///
    /// # Errors
    /// In this order: `TimeBackwards`; `NotPaired` unless there are two kernels; `BadArg` if both targets are 0; `DoesNotFit`.
    pub fn override_tlp(&mut self, now: Cycle, tb: [u32; 2]) -> Result<Overridden, Fault> {
        self.check_time(now)?;
        let Pair([Some(k0), Some(k1)]) = self.kernels else { return Err(Fault::NotPaired) };
        if tb == [0, 0] {
            return Err(Fault::BadArg);
        }
        if !self.config.fits(&Pair([k0.needs, k1.needs]), Pair(tb)) {
            return Err(Fault::DoesNotFit);
        }
        self.now = now;
        let aborted = self.drop_period();
        self.tb = Pair(tb);
        if self.mode == Mode::Leftover {
            self.mode = Mode::Pair;
            self.start_learning();
        }
        self.clamp_bypass();
        self.start_period();
        Ok(Overridden { aborted, by: self.by.0 })
    }

    fn check_time(&self, now: Cycle) -> Result<(), Fault> {
        if now < self.now { Err(Fault::TimeBackwards) } else { Ok(()) }
    }

    /// tlp-D1, tlp-D5: a kernel has the SM for itself, and bypasses nothing (tlp-A11).
    fn go_solo(&mut self, k: Which, kernel: &Kernel) {
        self.first = k;
        self.mode = Mode::Solo;
        self.tb = Pair::only(k, self.config.solo(kernel));
    }

    /// Drops the period, the history and what was learnt. Whether there was a period.
    fn forget(&mut self) -> bool {
        self.history = History::default();
        self.learning = Learning::Off;
        self.by = Pair::default();
        self.drop_period()
    }
}
