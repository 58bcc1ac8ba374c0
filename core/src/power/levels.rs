//! P-state transitions and the GPU level (bubble_dvfs-S2 to S4).

use super::controller::BubbleController;
use super::registers::{GpuLevel, SmxLevel, SmxPower};
use super::sample::{GpuDone, GpuStart, Sample};
use super::stats::count;
use crate::base::id::SmxId;
use crate::base::table::Rows;

impl<S: Rows<SmxPower>> BubbleController<S> {
    /// P, for a timer.
    fn transition(&self) -> u16 {
        self.config.transition_samples as u16
    }

    /// bubble_dvfs-S2: one sample of every transition is over. Each takes exactly P samples and is never broken off.
    pub(super) fn end_transitions(&mut self, sample: &mut Sample) {
        match &mut self.gpu {
            GpuLevel::GoingDown { left, .. } | GpuLevel::GoingUp { left } if *left > 1 => *left -= 1,
            GpuLevel::GoingDown { .. } => {
                self.gpu = GpuLevel::Low;
                sample.gpu_done = Some(GpuDone::Low);
            }
            GpuLevel::GoingUp { .. } => {
                self.gpu = GpuLevel::default();
                sample.gpu_done = Some(GpuDone::High);
            }
            // While the GPU level is in force no SMX has a transition of its own.
            GpuLevel::Normal { .. } | GpuLevel::Low => {}
        }
        for s in self.config.smx_ids() {
            let smx = &mut self.smxs[s];
            match &mut smx.level {
                SmxLevel::GoingDown { left } | SmxLevel::GoingUp { left } if *left > 1 => *left -= 1,
                SmxLevel::GoingDown { .. } => {
                    smx.level = SmxLevel::Low;
                    sample.low_done.set(s, true);
                }
                SmxLevel::GoingUp { .. } => {
                    smx.level = SmxLevel::Normal;
                    smx.armed = false;
                    sample.high_done.set(s, true);
                }
                SmxLevel::Normal | SmxLevel::Draining { .. } | SmxLevel::Low => {}
            }
        }
    }

    /// bubble_dvfs-S3: a TB waits, and the GPU is low.
    pub(super) fn wake_gpu(&mut self, sample: &mut Sample) {
        self.gpu = GpuLevel::GoingUp { left: self.transition() };
        sample.gpu_start = Some(GpuStart::Up);
        count(&mut self.stats.gpu_up);
    }

    /// bubble_dvfs-S4: `idle` says that nothing waits and all SMXs are idle. Whether the GPU level is entered; it absorbs the SMX
    /// levels, and waits for their transitions (bubble_dvfs-A9).
    pub(super) fn enter_gpu_level(&mut self, idle: bool, sample: &mut Sample) -> bool {
        let GpuLevel::Normal { idle_samples } = &mut self.gpu else { return false };
        *idle_samples = if idle { idle_samples.saturating_add(1) } else { 0 };
        let long_enough = *idle_samples >= u64::from(self.config.gpu_idle_samples);
        if !(self.config.gpu_level && long_enough && self.smxs_where(|smx| smx.level.is_moving()).is_empty()) {
            return false;
        }
        let low = self.smxs_where(|smx| smx.level == SmxLevel::Low);
        for s in self.config.smx_ids() {
            let smx = &mut self.smxs[s];
            (smx.level, smx.armed) = (SmxLevel::Normal, true);
        }
        self.gpu = GpuLevel::GoingDown { left: self.transition(), low };
        sample.gpu_start = Some(GpuStart::Down);
        count(&mut self.stats.gpu_down);
        true
    }

    /// *Go down* of bubble_dvfs-S6.
    pub(super) fn go_down(&mut self, s: SmxId, sample: &mut Sample) {
        self.smxs[s].level = SmxLevel::GoingDown { left: self.transition() };
        sample.down.set(s, true);
        count(&mut self.stats.down);
    }

    /// *Go up* of bubble_dvfs-S5 (b).
    pub(super) fn go_up(&mut self, s: SmxId) {
        self.smxs[s].level = SmxLevel::GoingUp { left: self.transition() };
        count(&mut self.stats.up);
    }
}
