//! The image of an occupancy-bubble machine. The form is described in `image.rs`; rates follow from the configuration.

use super::BubbleDvfs;
use super::config::BubbleConfig;
use super::controller::BubbleController;
use super::ledger::Ledger;
use super::registers::{GpuLevel, PState, SmxLevel, SmxPower};
use super::tables::{TableSet, TableSizes, Tables};
use crate::base::image::{Form, ImageError, Reader, Writer, image_verbs, possible};
use crate::base::table::Rows;

const FORM: Form = Form { kind: 3, version: 1 };

image_verbs!(BubbleDvfs, BubbleConfig, bubble_image_config);

impl<T: Tables> BubbleDvfs<T> {
    fn write_image(&self, w: &mut Writer<'_>) {
        let Self { controller, ledger } = self;
        w.put(controller.config);
        ledger.save(w, &controller.config);
        controller.save(w);
    }

    /// Loads the state into a fresh machine.
    fn read_image(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        self.ledger.load(r, &self.controller.config)?;
        self.controller.load(r, &self.ledger)
    }
}

impl<S: Rows<SmxPower>> BubbleController<S> {
    pub(crate) fn save(&self, w: &mut Writer<'_>) {
        let Self { config, rates: _, now, sampled, accounted, gpu, smxs, energy_uncore, stats } = self;
        w.put((now, sampled, accounted, gpu, energy_uncore, stats));
        config.smx_ids().for_each(|s| w.put(smxs[s]));
    }

    /// Loads the state into a fresh controller whose ledger is there already.
    pub(crate) fn load(&mut self, r: &mut Reader<'_>, ledger: &impl Ledger) -> Result<(), ImageError> {
        (self.now, self.sampled, self.accounted, self.gpu, self.energy_uncore, self.stats) = r.get()?;
        // A sample closes the interval before it; neither is later than now.
        let until = self.accounted.unwrap_or_default();
        possible(until <= self.now && self.sampled <= self.accounted)?;
        possible((self.stats.samples > 0) == self.sampled.is_some())?;
        possible(self.energy_uncore <= self.rates.uncore(until.0))?;
        possible(self.stats.divert == 0 || self.config.can_divert())?;
        let most = self.rates.smx(PState::High, until.0, 1000);
        for s in self.config.smx_ids() {
            let smx: SmxPower = r.get()?;
            possible(smx.energy <= most && smx.energy_bubble <= smx.energy)?;
            possible(smx.bubble <= self.stats.samples && smx.low <= self.stats.samples)?;
            possible(self.is_level(smx.level))?;
            // bubble_dvfs-I3.
            let must_be_idle = self.gpu.is_in_force() || (self.config.draining && smx.level.has_level());
            possible(ledger.is_idle(s) || !must_be_idle)?;
            self.smxs[s] = smx;
        }
        self.check_gpu_level()
    }

    /// Whether an SMX of this controller can be at a level.
    fn is_level(&self, level: SmxLevel) -> bool {
        match level {
            SmxLevel::Normal | SmxLevel::Low => true,
            SmxLevel::Draining { samples } => self.config.draining && u32::from(samples) < self.config.drain_samples,
            SmxLevel::GoingDown { left } | SmxLevel::GoingUp { left } => self.is_timer(left),
        }
    }

    fn is_timer(&self, left: u16) -> bool {
        left > 0 && u32::from(left) <= self.config.transition_samples
    }

    /// bubble_dvfs-I1, and what the GPU level is to the SMX levels.
    fn check_gpu_level(&self) -> Result<(), ImageError> {
        let at_work = self.smxs_where(|smx| !smx.level.is_diverted());
        match self.gpu {
            GpuLevel::Normal { .. } => return possible(!at_work.is_empty()),
            GpuLevel::GoingDown { left, low } => {
                possible(self.is_timer(left) && low.without(&self.all_smxs()).is_empty())?;
            }
            GpuLevel::GoingUp { left } => possible(self.is_timer(left))?,
            GpuLevel::Low => {}
        }
        possible(self.config.gpu_level && self.smxs_where(|smx| smx.level == SmxLevel::Normal) == self.all_smxs())
    }
}
