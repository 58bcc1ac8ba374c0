//! Images of both machines. The form is described in `image.rs` of the crate.

use super::LAST;
use super::blocks::{Block, Blocks};
use super::config::{FmConfig, SmConfig};
use super::fm::{Domain, Fm, Tally};
use super::sm::{Kernel, Sm};
use super::vote::Step;
use crate::base::cycle::Cycle;
use crate::base::id::SlotId;
use crate::base::image::{Form, ImageError, Reader, Writer, possible};

const SM: Form = Form { kind: 10, version: 1 };
const FM: Form = Form { kind: 11, version: 1 };

/// The verbs of images, for a machine that is one plain value.
macro_rules! value_image_verbs {
    ($Machine:ident, $Config:ident, $FORM:ident, $image_config:ident) => {
        /// The configuration of the machine in an image. Everything but the state itself has been checked then.
        ///
        /// # Errors
        /// All but `TooSmall` and `Tables`.
        pub fn $image_config(image: &[u8]) -> Result<$Config, ImageError> {
            $FORM.open(image)?.config($Config::check)
        }

        impl $Machine {
            /// Bytes that `save` writes now. It takes as long as saving.
            #[must_use]
            pub fn image_len(&self) -> usize {
                $FORM.write(&mut [], |w| self.write_image(w))
            }

            /// Writes an image of this machine into `out`, and says how many bytes it takes.
            ///
            /// # Errors
            /// `TooSmall`; what `out` holds then is no image.
            pub fn save(&self, out: &mut [u8]) -> Result<usize, ImageError> {
                $FORM.save(out, |w| self.write_image(w))
            }

            /// A machine that goes on exactly where the saved one stood.
            ///
            /// # Errors
            /// All but `TooSmall` and `Tables`.
            pub fn restore(image: &[u8]) -> Result<Self, ImageError> {
                let mut r = $FORM.open(image)?;
                let config = r.config($Config::check)?;
                let mut machine = Self::new(&config).map_err(|_| ImageError::Content)?;
                machine.read_image(&mut r)?;
                r.finish()?;
                Ok(machine)
            }
        }
    };
}

value_image_verbs!(Sm, SmConfig, SM, sm_image_config);
value_image_verbs!(Fm, FmConfig, FM, fm_image_config);

impl Sm {
    fn write_image(&self, w: &mut Writer<'_>) {
        let Self { config, now, next_sample, epoch_end: _, epoch, kernel, hysteresis, watchdog, objective, blocks } =
            self;
        w.put((config, now, next_sample, epoch, kernel));
        w.put((hysteresis, watchdog, objective));
        w.put((blocks.outstanding, blocks.drained));
        w.list(blocks.by_age());
    }

    /// Loads the state into a fresh machine.
    fn read_image(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        (self.now, self.next_sample, self.epoch, self.kernel) = r.get()?;
        (self.hysteresis, self.watchdog, self.objective) = r.get()?;
        (self.blocks.outstanding, self.blocks.drained) = r.get()?;
        self.check_times()?;
        self.find_epoch_end();
        self.check_epoch()?;
        if !self.kernel.is_some() {
            let fresh = Self {
                now: self.now,
                next_sample: self.next_sample,
                epoch_end: self.epoch_end,
                epoch: self.epoch,
                objective: self.objective,
                ..Self::new(&self.config).map_err(|_| ImageError::Content)?
            };
            possible(*self == fresh && r.next::<(SlotId, Block)>()?.is_none())?;
            return Ok(());
        }
        self.check_kernel()?;
        while let Some((slot, block)) = r.next::<(SlotId, Block)>()? {
            possible(u32::from(slot.0) < self.config.max_blocks && self.blocks.block(slot).is_none())?;
            possible(!self.blocks.holds(block.id))?;
            self.blocks.put(slot, block);
        }
        self.check_blocks()
    }

    /// The next sample is the first one due after the last that was taken, or given up.
    fn check_times(&self) -> Result<(), ImageError> {
        let interval = u64::from(self.config.sample_interval);
        let Some(since) = self.next_sample.0.checked_sub(interval) else { return Err(ImageError::Content) };
        possible(self.now <= LAST && self.now <= self.next_sample && since <= self.now.0)?;
        possible(since.checked_rem(interval) == Some(0))
    }

    /// No more samples than there were points for, and no more warps in them than there can be.
    fn check_epoch(&self) -> Result<(), ImageError> {
        let SmConfig { sample_interval, epoch_cycles, max_warps, .. } = self.config;
        let since = self.next_sample.0.saturating_sub(sample_interval.into());
        let points = since.checked_rem(epoch_cycles.into()).and_then(|t| t.checked_div(sample_interval.into()));
        let samples = u64::from(self.epoch.samples);
        possible(points.is_some_and(|points| samples <= points))?;
        possible(self.epoch.sums.are_of(u64::from(max_warps) * samples))?;
        possible(self.kernel.is_some() || self.epoch.sums.active == 0)
    }

    fn check_kernel(&self) -> Result<(), ImageError> {
        let Self { config, kernel: Kernel { w_cta, limit, target }, hysteresis, watchdog, .. } = self;
        let warps = u64::from(*w_cta) * u64::from(*limit);
        possible(warps > 0 && *limit <= config.max_blocks && warps <= config.max_warps.into())?;
        possible(config.least(*limit) <= *target && target <= limit)?;
        possible(hysteresis.run < config.hysteresis && (hysteresis.run == 0) == (hysteresis.dir == Step::Hold))?;
        possible(watchdog.epochs <= config.watchdog)
    }

    /// The blocks are reconciled with the target.
    fn check_blocks(&self) -> Result<(), ImageError> {
        let Kernel { limit, target, .. } = self.kernel;
        let Blocks { outstanding, drained, .. } = self.blocks;
        let (running, paused) = (self.blocks.running(), self.blocks.paused());
        // Every resident block has a slot, so the sum cannot wrap once the requests are in their range.
        possible(outstanding <= limit && running + paused + outstanding <= limit)?;
        possible(running <= target && (paused == 0 || running == target))?;
        possible(drained || running + outstanding >= target || running + paused + outstanding == limit)
    }
}

impl Fm {
    fn write_image(&self, w: &mut Writer<'_>) {
        let Self { config, now, sm, mem, voted, sm_tally, mem_tally, enabled } = self;
        w.put((config, now, sm, mem));
        w.put((voted, sm_tally, mem_tally, enabled));
    }

    /// Loads the state into a fresh machine.
    fn read_image(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let all = self.enabled;
        (self.now, self.sm, self.mem) = r.get()?;
        (self.voted, self.sm_tally, self.mem_tally, self.enabled) = r.get()?;
        possible(self.now <= LAST)?;
        self.check_domain(&self.sm, self.config.sm_transition)?;
        self.check_domain(&self.mem, self.config.mem_transition)?;
        possible(self.enabled.without(&all).is_empty() && self.voted.without(&self.enabled).is_empty())?;
        // The last vote would have resolved the round.
        possible(self.voted.is_empty() || self.voted != self.enabled)?;
        let voters = u64::from(self.voted.len());
        let is_of_voters = |tally: &Tally| u64::from(tally.up) + u64::from(tally.down) <= voters;
        possible(is_of_voters(&self.sm_tally) && is_of_voters(&self.mem_tally))
    }

    /// A step under way leads to the next level, in the time that it takes.
    fn check_domain(&self, domain: &Domain, time: u32) -> Result<(), ImageError> {
        let Some(transition) = domain.transition else { return Ok(()) };
        let levels = (domain.level.number() - transition.target.number()).abs();
        let left = transition.done_at.since(self.now);
        possible(levels == 1 && left > 0 && left <= time.into() && transition.done_at != Cycle::MAX)
    }
}
