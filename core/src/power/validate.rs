//! What holds of an occupancy-bubble machine between two calls.

use super::BubbleDvfs;
use super::controller::BubbleController;
use super::ledger::Ledger;
use super::registers::{GpuLevel, PState, SmxLevel, SmxPower};
use super::tables::Tables;
use crate::base::invariant::{Violation, invariant};
use crate::base::table::Rows;

impl<T: Tables> BubbleDvfs<T> {
    /// What holds between any two calls: of the ledger and of the controller ([`BubbleController::validate`]).
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        let config = &self.controller.config;
        let all = config.capacity();
        let is_possible = config.smx_ids().all(|s| self.ledger.smx(s).free.fits(&all));
        invariant("an SMX has no more free than there is (bubble_dvfs-B2)", is_possible)?;
        invariant("only SMXs have a ledger", self.ledger.smxs.ends_by(config.smxs as usize))?;
        self.controller.validate(&self.ledger)
    }
}

impl<S: Rows<SmxPower>> BubbleController<S> {
    /// What holds between any two calls, over the ledger of whoever samples: bubble_dvfs-I1 to I3, bubble_dvfs-I6, bubble_dvfs-I9, and the bounds of times,
    /// counts and energy.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self, ledger: &impl Ledger) -> Result<(), Violation> {
        let Self { config, rates, now, sampled, accounted, gpu, smxs, energy_uncore, stats } = self;
        let until = accounted.unwrap_or_default();
        invariant("a sample closes the interval before it (bubble_dvfs-B3)", until <= *now && sampled <= accounted)?;
        invariant("samples are counted (bubble_dvfs-B5)", (stats.samples > 0) == sampled.is_some())?;
        invariant("the uncore takes what it does (bubble_dvfs-B4)", *energy_uncore <= rates.uncore(until.0))?;
        invariant(
            "nothing is diverted where nothing can be (bubble_dvfs-I9)",
            stats.divert == 0 || config.can_divert(),
        )?;
        let most = rates.smx(PState::High, until.0, 1000);
        for s in config.smx_ids() {
            let smx = &smxs[s];
            let bounded = smx.energy <= most && smx.energy_bubble <= smx.energy;
            invariant("an SMX takes at most what it does at work (bubble_dvfs-B4)", bounded)?;
            let counted = smx.bubble <= stats.samples && smx.low <= stats.samples;
            invariant("no SMX is seen more often than it is looked at (bubble_dvfs-B5)", counted)?;
            invariant("a level is not left unseen (bubble_dvfs-I2, bubble_dvfs-I6)", self.is_level(smx.level))?;
            let must_be_idle = gpu.is_in_force() || (config.draining && smx.level.has_level());
            invariant("who is not at high is empty (bubble_dvfs-I3)", ledger.is_idle(s) || !must_be_idle)?;
        }
        invariant("only SMXs have a level", smxs.ends_by(config.smxs as usize))?;
        self.validate_gpu_level()
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

    fn validate_gpu_level(&self) -> Result<(), Violation> {
        let timed = match self.gpu {
            GpuLevel::Normal { .. } => {
                let at_work = self.smxs_where(|smx| !smx.level.is_diverted());
                return invariant("not all SMXs are diverted (bubble_dvfs-I1)", !at_work.is_empty());
            }
            GpuLevel::GoingDown { left, low } => self.is_timer(left) && low.without(&self.all_smxs()).is_empty(),
            GpuLevel::GoingUp { left } => self.is_timer(left),
            GpuLevel::Low => true,
        };
        invariant("the GPU is on its way no longer than that takes (bubble_dvfs-I6)", timed)?;
        let normal = self.smxs_where(|smx| smx.level == SmxLevel::Normal) == self.all_smxs();
        let armed = self.smxs_where(|smx| smx.armed) == self.all_smxs();
        let only = self.config.gpu_level && normal && armed;
        invariant("the GPU level stands for those of all SMXs (bubble_dvfs-S3, bubble_dvfs-S4)", only)
    }
}
