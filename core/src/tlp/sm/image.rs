//! The image of a [`TlpSm`]. The form is described in `image.rs` of the crate.

use super::learn::{Learning, PeriodStall};
use super::modulate::{History, Load};
use super::{Mode, Period, TlpSm};
use crate::base::image::{Form, ImageError, Reader, Writer, possible, value_image_verbs};
use crate::tlp::config::TlpConfig;
use crate::tlp::kernel::{Pair, TbNeeds, Which};

const FORM: Form = Form { kind: 14, version: 1 };

value_image_verbs!(TlpSm, TlpConfig, FORM, tlp_sm_image_config);

impl TlpSm {
    fn write_image(&self, w: &mut Writer<'_>) {
        let Self { config, now, kernels, first, mode, tb, by, slots, period, history, learning } = self;
        w.put((config, now, kernels, first, mode));
        w.put((tb, by, slots));
        w.put((period, history, learning));
    }

    /// Loads the state into a fresh machine.
    fn read_image(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        (self.now, self.kernels, self.first, self.mode) = r.get()?;
        (self.tb, self.by, self.slots) = r.get()?;
        (self.period, self.history, self.learning) = r.get()?;
        self.check_kernels()?;
        self.check_slots()?;
        self.check_learning()?;
        self.check_history()?;
        self.check_period()
    }

    fn needs(&self) -> Pair<TbNeeds> {
        Pair(Which::BOTH.map(|k| self.kernels[k].unwrap_or_default().needs))
    }

    /// Kernels that could be attached, and targets that could be set.
    fn check_kernels(&self) -> Result<(), ImageError> {
        for kernel in self.kernels.0.iter().flatten() {
            possible(kernel.check().is_ok() && self.config.at_least_one(&kernel.needs).is_ok())?;
        }
        possible(match (self.mode, self.kernels) {
            (Mode::Idle, Pair([None, None])) => self.tb == Pair::default(),
            (Mode::Solo, Pair([Some(kernel), None])) => self.is_solo(Which::K0, self.config.solo(&kernel)),
            (Mode::Solo, Pair([None, Some(kernel)])) => self.is_solo(Which::K1, self.config.solo(&kernel)),
            (Mode::Pair, Pair([Some(_), Some(_)])) => {
                self.tb != Pair::default() && self.config.fits(&self.needs(), self.tb)
            }
            (Mode::Leftover, Pair([Some(k0), Some(k1)])) => {
                let targets = self.config.targets(&Pair([k0, k1]), self.first);
                targets.mode == Mode::Leftover && targets.tb == self.tb
            }
            _ => false,
        })
    }

    fn is_solo(&self, k: Which, tb: u32) -> bool {
        self.first == k && self.tb == Pair::only(k, tb)
    }

    /// TBs in slots that there are, of kernels that there are, which fit together.
    fn check_slots(&self) -> Result<(), ImageError> {
        let slots = &self.slots;
        possible(u64::from(slots.valid) >> self.config.slots == 0)?;
        possible(slots.kernel & !slots.valid == 0 && slots.tag & !slots.valid == 0)?;
        possible(slots.tag == 0 || self.config.bypass)?;
        let resident = Pair(self.resident());
        possible(Which::BOTH.iter().all(|&k| resident[k] == 0 || self.kernels[k].is_some()))?;
        possible(self.config.fits(&self.needs(), resident))
    }

    /// As many TBs are wanted to bypass as the trial says (tlp-I12); none if the kernel that is tried lost its target (tlp-L6), even
    /// if it has one again.
    fn check_learning(&self) -> Result<(), ImageError> {
        let learns = self.mode == Mode::Pair && self.config.bypass;
        possible(learns == (self.learning != Learning::Off))?;
        let was = |stall: &PeriodStall| stall.cycles > 0 && stall.cycles <= self.now.0;
        let Pair(by) = self.by;
        possible(Which::BOTH.iter().all(|&k| self.by[k] <= self.tb[k]) && by.contains(&0))?;
        possible(match &self.learning {
            Learning::Off | Learning::S1 => by == [0, 0],
            Learning::S2 { none } => was(none) && by[0] <= 1 && by[1] == 0,
            Learning::S3 { none, k0 } => {
                let known = was(none) && k0.as_ref().is_none_or(was);
                known && by[0] == 0 && by[1] <= 1
            }
            Learning::S4 { chosen, kept, best } => {
                *kept > 0 && kept.checked_add(1) == Some(self.by[*chosen]) && was(best)
            }
            Learning::Done => true,
        })
    }

    /// Utilisations of periods that were modulated.
    fn check_history(&self) -> Result<(), ImageError> {
        let History { load, periods } = self.history;
        let Load { sp, ldst, sp_of: [sp0, sp1], ldst_of: [ldst0, ldst1] } = load;
        possible([sp, ldst, sp0, sp1, ldst0, ldst1].into_iter().all(|share| share <= Load::FULL))?;
        possible((self.mode == Mode::Pair && self.config.dynamic && periods > 0) || self.history == History::default())
    }

    /// A period that was wanted, or none that could have started.
    fn check_period(&self) -> Result<(), ImageError> {
        let now = self.now;
        possible(match self.period {
            Period::Waiting => {
                let mut again = self.clone();
                again.start_period();
                again == *self
            }
            Period::Sampling { cohort, start } => {
                self.samples() && cohort != 0 && cohort & !self.slots.valid == 0 && start <= now
            }
            Period::Await { start, end } => self.samples() && start <= end && end <= now,
        })
    }
}
