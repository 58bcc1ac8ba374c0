//! Resumption, draining and diversion (bubble_dvfs-S5, bubble_dvfs-S6).

use super::config::Retrigger;
use super::controller::BubbleController;
use super::ledger::Ledger;
use super::registers::{SmxLevel, SmxPower};
use super::sample::{Resume, Sample, Waiting};
use super::stats::count;
use crate::base::id::SmxId;
use crate::base::table::Rows;

impl<S: Rows<SmxPower>> BubbleController<S> {
    /// bubble_dvfs-S5: if nothing eligible can take the waiting TB, takes back one SMX, and says which.
    pub(super) fn resume(&mut self, tb: &Waiting, ledger: &impl Ledger, sample: &mut Sample) -> Option<SmxId> {
        let takes = |s: SmxId| self.is_eligible(s) && !self.is_full(s, ledger) && Self::may_take(s, tb, ledger);
        if self.config.smx_ids().any(takes) {
            return None;
        }
        sample.starved = true;
        let going_up = |s: SmxId| matches!(self.smxs[s].level, SmxLevel::GoingUp { .. });
        if self.config.resume_hold && self.config.smx_ids().any(going_up) {
            return None;
        }
        let lowest = |wanted: fn(SmxLevel) -> bool| {
            self.config.smx_ids().find(|&s| wanted(self.smxs[s].level) && Self::may_take(s, tb, ledger))
        };
        // A draining SMX is preferred: it can be used at once (bubble_dvfs-A6).
        if let Some(s) = lowest(SmxLevel::is_draining).filter(|_| self.config.resume_draining) {
            self.take_back(s);
            sample.resume = Some(Resume::cancel(s));
            count(&mut self.stats.cancel);
            return Some(s);
        }
        let s = lowest(|level| level == SmxLevel::Low)?;
        self.go_up(s);
        sample.resume = Some(Resume::up(s));
        Some(s)
    }

    /// bubble_dvfs-S6 for every SMX but the one that was resumed.
    pub(super) fn divert(
        &mut self,
        waiting: Option<&Waiting>,
        resumed: Option<SmxId>,
        ledger: &impl Ledger,
        sample: &mut Sample,
    ) {
        let has_destination = self.has_destination(waiting, ledger);
        for s in self.config.smx_ids().filter(|&s| Some(s) != resumed) {
            match self.smxs[s].level {
                SmxLevel::Draining { samples } => self.drain(s, samples, ledger.is_idle(s), sample),
                SmxLevel::Normal if self.is_bubble(s, ledger) && self.may_activate(s) => {
                    if self.config.retrigger == Retrigger::Once {
                        self.smxs[s].armed = false;
                    }
                    if has_destination {
                        self.start_diversion(s, ledger.is_idle(s), sample);
                    } else {
                        sample.refused.set(s, true);
                        count(&mut self.stats.refused);
                    }
                }
                SmxLevel::Normal | SmxLevel::GoingDown { .. } | SmxLevel::Low | SmxLevel::GoingUp { .. } => {}
            }
        }
    }

    /// The three requirements: some SMX is eligible and in no bubble, not full, and has room for the waiting TB. One answer does
    /// for all SMXs of a sample: an SMX in a bubble is no destination, and a destination does not change.
    fn has_destination(&self, waiting: Option<&Waiting>, ledger: &impl Ledger) -> bool {
        self.config.smx_ids().any(|d| {
            self.is_eligible(d)
                && !self.is_bubble(d, ledger)
                && !self.is_full(d, ledger)
                && waiting.is_none_or(|tb| Self::may_take(d, tb, ledger))
        })
    }

    fn may_activate(&self, s: SmxId) -> bool {
        self.smxs[s].armed || self.config.retrigger == Retrigger::Level
    }

    fn start_diversion(&mut self, s: SmxId, idle: bool, sample: &mut Sample) {
        sample.divert.set(s, true);
        count(&mut self.stats.divert);
        if idle || !self.config.draining {
            self.go_down(s, sample);
        } else {
            self.smxs[s].level = SmxLevel::Draining { samples: 0 };
        }
    }

    /// One more sample of draining. Idle is tested before the count.
    fn drain(&mut self, s: SmxId, samples: u16, idle: bool, sample: &mut Sample) {
        if idle {
            sample.drain_done.set(s, true);
            count(&mut self.stats.drain_done);
            self.go_down(s, sample);
        } else if u32::from(samples) + 1 < self.config.drain_samples {
            self.smxs[s].level = SmxLevel::Draining { samples: samples + 1 };
        } else {
            sample.drain_abort.set(s, true);
            count(&mut self.stats.drain_abort);
            self.take_back(s);
        }
    }

    /// Eligible again, and not to be diverted before it was in no bubble.
    fn take_back(&mut self, s: SmxId) {
        let smx = &mut self.smxs[s];
        (smx.level, smx.armed) = (SmxLevel::Normal, false);
    }
}
