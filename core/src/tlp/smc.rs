//! tlp-V4 (tlp-A15): SMC, a search by trial for the split of the SMs between two kernels, and for the TBs of each on its SMs.

use super::config::{MAX_SMS, TlpConfig};
use crate::base::error::Fault;
use crate::base::parameter::{ConfigError, Parameter, Provenance};

/// A configuration to be measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Proposal {
    /// SMs of kernel 0 and 1.
    pub sm: [u32; 2],
    /// TBs per SM of kernel 0 and 1.
    pub b: [u32; 2],
}

/// What follows a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Reported {
    /// What to measure next; at the end the best that was found.
    pub proposal: Proposal,
    /// Whether the search has ended.
    pub done: bool,
}

/// What the search tries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SmcPhase {
    /// Nothing: it has not started, or has ended.
    #[default]
    Idle,
    /// The configuration to start from.
    Base,
    /// A TB less of kernel 0.
    B0,
    /// A TB less of kernel 1.
    B1,
    /// The first SM more for kernel 0.
    More,
    /// Another SM more for kernel 0.
    EvenMore,
    /// An SM less for kernel 0.
    Less,
}

impl SmcPhase {
    /// What is tried when this has failed.
    const fn after(self) -> Self {
        match self {
            Self::Base => Self::B0,
            Self::B0 => Self::B1,
            Self::B1 => Self::More,
            Self::More => Self::Less,
            Self::EvenMore | Self::Less | Self::Idle => Self::Idle,
        }
    }
}

/// SMC on a GPU. One plain value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Smc {
    pub(super) config: TlpConfig,
    pub(super) phase: SmcPhase,
    /// What is measured.
    pub(super) current: Proposal,
    /// The best so far, and how good it is.
    pub(super) saved: Proposal,
    pub(super) best: u64,
}

/// Both kernels need an SM.
static SMS: Parameter =
    Parameter::number(c"sms", "SMs", 2, MAX_SMS as u32, Provenance::Ours, "each of two kernels has an SM");

impl Smc {
    /// A search that has not started.
    ///
    /// # Errors
    /// As [`TlpConfig::check`]; `TooFewSms` if there are not two SMs.
    pub fn new(config: &TlpConfig) -> Result<Self, ConfigError> {
        config.check()?;
        if config.sms < SMS.min {
            return Err(ConfigError::new(Fault::TooFewSms, &SMS, config.sms));
        }
        let none = Proposal::default();
        Ok(Self { config: *config, phase: SmcPhase::Idle, current: none, saved: none, best: 0 })
    }

    /// Starts a search for two kernels, of which an SM holds `max` TBs when they are alone. What to measure first.
    ///
    /// # Errors
    /// `Busy` while a search is on; `BadArg` for a kernel of which an SM holds no TB.
    pub fn start(&mut self, max: [u32; 2]) -> Result<Proposal, Fault> {
        if self.phase != SmcPhase::Idle {
            return Err(Fault::Busy);
        }
        if max.contains(&0) {
            return Err(Fault::BadArg);
        }
        let half = self.config.sms / 2;
        self.current = Proposal { sm: [self.config.sms - half, half], b: max };
        self.saved = self.current;
        self.best = 0;
        self.phase = SmcPhase::Base;
        Ok(self.current)
    }

    /// How good what was proposed last is: any measure, the more the better.
    ///
    /// # Errors
    /// `NoProposal` before the start and after the end.
    pub fn report(&mut self, perf: u64) -> Result<Reported, Fault> {
        if self.phase == SmcPhase::Idle {
            return Err(Fault::NoProposal);
        }
        let is_base = self.phase == SmcPhase::Base;
        if is_base || perf > self.best {
            (self.saved, self.best) = (self.current, perf);
        }
        let again = match self.phase {
            _ if self.current != self.saved => self.phase.after(),
            SmcPhase::Base => SmcPhase::B0,
            SmcPhase::More => SmcPhase::EvenMore,
            phase => phase,
        };
        self.propose(again);
        Ok(Reported { proposal: self.current, done: self.phase == SmcPhase::Idle })
    }

    /// Goes on with the first phase from here in which there is something to try.
    fn propose(&mut self, from: SmcPhase) {
        self.current = self.saved;
        self.phase = from;
        while self.phase != SmcPhase::Idle {
            if let Some(next) = self.step() {
                self.current = next;
                return;
            }
            self.phase = self.phase.after();
        }
    }

    /// One step of this phase on from the best so far, if there is room for it.
    pub(super) fn step(&self) -> Option<Proposal> {
        let Proposal { sm: [s0, s1], b: [b0, b1] } = self.saved;
        let sm = |s0, s1| Some(Proposal { sm: [s0, s1], ..self.saved });
        let b = |b0, b1| Some(Proposal { b: [b0, b1], ..self.saved });
        match self.phase {
            SmcPhase::B0 if b0 > 1 => b(b0 - 1, b1),
            SmcPhase::B1 if b1 > 1 => b(b0, b1 - 1),
            SmcPhase::More | SmcPhase::EvenMore if s1 > 1 => sm(s0 + 1, s1 - 1),
            SmcPhase::Less if s0 > 1 => sm(s0 - 1, s1 + 1),
            _ => None,
        }
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &TlpConfig {
        &self.config
    }

    /// What the search tries now.
    #[must_use]
    pub fn phase(&self) -> SmcPhase {
        self.phase
    }

    /// What waits for a report, or was found; nothing before the first start.
    #[must_use]
    pub fn proposal(&self) -> Proposal {
        self.current
    }

    /// The best so far.
    #[must_use]
    pub fn saved(&self) -> Proposal {
        self.saved
    }

    /// How good it is.
    #[must_use]
    pub fn best(&self) -> u64 {
        self.best
    }
}
