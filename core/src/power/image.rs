//! The image of an occupancy-bubble machine. The form is described in `image.rs`; rates follow from the configuration.

use super::BubbleDvfs;
use super::config::BubbleConfig;
use super::controller::BubbleController;
use super::ledger::Ledger;
use super::registers::{GpuLevel, PState, SmxLevel, SmxPower};
use super::tables::{TableSet, TableSizes, Tables};
use crate::image::{Form, ImageError, Reader, Writer, possible};
use crate::table::Rows;

const FORM: Form = Form { kind: 3, version: 1 };

/// The configuration of the machine in an image, so that tables can be sized for it. Everything but the state itself has been
/// checked then: form, length, checksum and ranges.
///
/// # Errors
/// All but `TooSmall` and `Tables`.
pub fn bubble_image_config(image: &[u8]) -> Result<BubbleConfig, ImageError> {
    config_of(&mut FORM.open(image)?)
}

fn config_of(r: &mut Reader<'_>) -> Result<BubbleConfig, ImageError> {
    let config: BubbleConfig = r.get()?;
    possible(config.check().is_ok())?;
    Ok(config)
}

impl<T: Tables> BubbleDvfs<T> {
    /// Bytes that [`BubbleDvfs::save`] writes now. It takes as long as saving.
    #[must_use]
    pub fn image_len(&self) -> usize {
        FORM.write(&mut [], |w| self.write_image(w))
    }

    /// Writes an image of this machine into `out`, and says how many bytes it takes.
    ///
    /// # Errors
    /// `TooSmall`; what `out` holds then is no image.
    pub fn save(&self, out: &mut [u8]) -> Result<usize, ImageError> {
        FORM.save(out, |w| self.write_image(w))
    }

    /// A machine that goes on exactly where the saved one stood, on these tables. They may be of another home than that one's.
    ///
    /// # Errors
    /// All but `TooSmall`.
    pub fn restore(image: &[u8], tables: TableSet<T>) -> Result<Self, ImageError> {
        let mut r = FORM.open(image)?;
        let config = config_of(&mut r)?;
        if let Some(small) = tables.shortage(&TableSizes::of(&config)) {
            return Err(ImageError::Tables(small));
        }
        let mut machine = Self::empty(&config, tables);
        machine.ledger.load(&mut r, &config)?;
        machine.controller.load(&mut r, &machine.ledger)?;
        r.finish()?;
        Ok(machine)
    }

    fn write_image(&self, w: &mut Writer<'_>) {
        let Self { controller, ledger } = self;
        w.put(controller.config);
        ledger.save(w, &controller.config);
        controller.save(w);
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
            // Invariant 3.
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

    /// Invariant 1, and what the GPU level is to the SMX levels.
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
