//! What holds of a [`TlpSm`] between two calls.

use super::learn::{Learning, PeriodStall};
use super::modulate::{History, Load};
use super::{Mode, Period, TlpSm};
use crate::base::invariant::{Violation, invariant};
use crate::tlp::kernel::{Pair, TbNeeds, Which};

impl TlpSm {
    /// What holds between any two calls: tlp-I1 to I4, tlp-I12, and what a trial and a period know.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        self.validate_kernels()?;
        self.validate_slots()?;
        self.validate_learning()?;
        self.validate_history()?;
        self.validate_period()
    }

    fn needs(&self) -> Pair<TbNeeds> {
        Pair(Which::BOTH.map(|k| self.kernels[k].unwrap_or_default().needs))
    }

    /// Kernels that could be attached, and targets that could be set.
    fn validate_kernels(&self) -> Result<(), Violation> {
        let mut kernels = self.kernels.0.iter().flatten();
        let fit = kernels.all(|kernel| kernel.check().is_ok() && self.config.at_least_one(&kernel.needs).is_ok());
        invariant("a TB of a kernel fits an SM (tlp-R2)", fit)?;
        let is_solo = |k: Which, tb: u32| self.first == k && self.tb == Pair::only(k, tb);
        let targets = match (self.mode, self.kernels) {
            (Mode::Idle, Pair([None, None])) => self.tb == Pair::default(),
            (Mode::Solo, Pair([Some(kernel), None])) => is_solo(Which::K0, self.config.solo(&kernel)),
            (Mode::Solo, Pair([None, Some(kernel)])) => is_solo(Which::K1, self.config.solo(&kernel)),
            (Mode::Pair, Pair([Some(_), Some(_)])) => {
                self.tb != Pair::default() && self.config.fits(&self.needs(), self.tb)
            }
            (Mode::Leftover, Pair([Some(k0), Some(k1)])) => {
                let targets = self.config.targets(&Pair([k0, k1]), self.first);
                targets.mode == Mode::Leftover && targets.tb == self.tb
            }
            _ => false,
        };
        invariant("targets are those of the mode, and fit (tlp-I1)", targets)
    }

    fn validate_slots(&self) -> Result<(), Violation> {
        let slots = &self.slots;
        invariant("slots are those of the SM", u64::from(slots.valid) >> self.config.slots == 0)?;
        let counted = slots.kernel & !slots.valid == 0 && slots.tag & !slots.valid == 0;
        invariant("a slot that is free says nothing (tlp-I3)", counted)?;
        invariant("a TB bypasses only where that is done", slots.tag == 0 || self.config.bypass)?;
        let resident = Pair(self.resident());
        let known = Which::BOTH.iter().all(|&k| resident[k] == 0 || self.kernels[k].is_some());
        invariant("TBs are of kernels that there are", known)?;
        invariant("no more TBs are resident than fit (tlp-I1)", self.config.fits(&self.needs(), resident))
    }

    /// As many TBs are wanted to bypass as the trial says (tlp-I12); none if the kernel that is tried lost its target (tlp-L6), even
    /// if it has one again.
    fn validate_learning(&self) -> Result<(), Violation> {
        let learns = self.mode == Mode::Pair && self.config.bypass;
        invariant("a pair whose TBs may bypass learns (tlp-B1)", learns == (self.learning != Learning::Off))?;
        let was = |stall: &PeriodStall| stall.cycles > 0 && stall.cycles <= self.now.0;
        let Pair(by) = self.by;
        let within = Which::BOTH.iter().all(|&k| self.by[k] <= self.tb[k]) && by.contains(&0);
        invariant("TBs of one kernel bypass, at most all that it may have (tlp-I2)", within)?;
        let tried = match &self.learning {
            Learning::Off | Learning::S1 => by == [0, 0],
            Learning::S2 { none } => was(none) && by[0] <= 1 && by[1] == 0,
            Learning::S3 { none, k0 } => was(none) && k0.as_ref().is_none_or(was) && by[0] == 0 && by[1] <= 1,
            Learning::S4 { chosen, kept, best } => {
                *kept > 0 && kept.checked_add(1) == Some(self.by[*chosen]) && was(best)
            }
            Learning::Done => true,
        };
        invariant("as many TBs bypass as the trial says (tlp-I12)", tried)
    }

    /// Utilisations of periods that were modulated.
    fn validate_history(&self) -> Result<(), Violation> {
        let History { load, periods } = self.history;
        let Load { sp, ldst, sp_of: [sp0, sp1], ldst_of: [ldst0, ldst1] } = load;
        let shares = [sp, ldst, sp0, sp1, ldst0, ldst1].into_iter().all(|share| share <= Load::FULL);
        invariant("a pipe is used at most all the time", shares)?;
        let was = (self.mode == Mode::Pair && self.config.dynamic && periods > 0) || self.history == History::default();
        invariant("only a pair that is modulated has a history", was)
    }

    /// A period that was wanted, or none that could have started.
    fn validate_period(&self) -> Result<(), Violation> {
        let now = self.now;
        let follows = match self.period {
            Period::Waiting => {
                let mut again = self.clone();
                again.start_period();
                again == *self
            }
            Period::Sampling { cohort, start } => {
                self.samples() && cohort != 0 && cohort & !self.slots.valid == 0 && start <= now
            }
            Period::Await { start, end } => self.samples() && start <= end && end <= now,
        };
        invariant("a period is that of a cohort that resides, and starts when it can (tlp-I4, tlp-P2)", follows)
    }
}
