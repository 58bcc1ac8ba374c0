//! What holds of both machines between two calls.

use super::LAST;
use super::blocks::{Blocks, below, bit};
use super::config::SmConfig;
use super::fm::{Clock, Fm, Tally};
use super::sm::{Kernel, Sm};
use super::vote::Step;
use crate::base::cycle::Cycle;
use crate::base::invariant::{Violation, invariant};
use crate::base::set::SmxSet;

impl Sm {
    /// What holds between any two calls: equalizer-I1 to I3, equalizer-I5, equalizer-I6, and that sample points are kept.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        self.validate_times()?;
        self.validate_epoch()?;
        self.blocks.validate(&self.config)?;
        if self.kernel.is_some() {
            self.validate_kernel()?;
            return self.validate_blocks();
        }
        let Self { now, next_sample, epoch_end, epoch, objective, .. } = *self;
        let fresh = Self::new(&self.config).map(|sm| Self { now, next_sample, epoch_end, epoch, objective, ..sm });
        invariant("without a kernel there is nothing but time (equalizer-B4)", fresh.as_ref() == Ok(self))
    }

    /// The next sample is the first one due after the last that was taken, or given up.
    fn validate_times(&self) -> Result<(), Violation> {
        let interval = u64::from(self.config.sample_interval);
        let is_due = self.next_sample.0.checked_sub(interval).is_some_and(|since| {
            self.now <= LAST
                && self.now <= self.next_sample
                && since <= self.now.0
                && since.checked_rem(interval) == Some(0)
        });
        invariant("the next sample is due at the next sample point (equalizer-S1)", is_due)?;
        let epoch_end = self.epoch_end_from(self.next_sample);
        invariant("an epoch ends at a multiple of its cycles (equalizer-A12)", self.epoch_end == epoch_end)
    }

    fn validate_epoch(&self) -> Result<(), Violation> {
        let SmConfig { sample_interval, epoch_cycles, max_warps, .. } = self.config;
        let since = self.next_sample.0.saturating_sub(sample_interval.into());
        let points = since.checked_rem(epoch_cycles.into()).and_then(|t| t.checked_div(sample_interval.into()));
        let samples = u64::from(self.epoch.samples);
        let had_points = points.is_some_and(|points| samples <= points);
        invariant("an epoch has no more samples than there were points for (equalizer-I5)", had_points)?;
        let fits = self.epoch.sums.are_of(u64::from(max_warps) * samples);
        invariant("no more warps are counted than there can be (equalizer-I5)", fits)?;
        let holds = u64::from(self.epoch.sums.active) >> self.config.counter_bits == 0;
        invariant("counters hold their sums (equalizer-I5)", holds)?;
        let active = self.kernel.is_some() || self.epoch.sums.active == 0;
        invariant("without a kernel no warp is active (equalizer-S1)", active)
    }

    fn validate_kernel(&self) -> Result<(), Violation> {
        let Self { config, kernel: Kernel { w_cta, limit, target }, hysteresis, watchdog, .. } = self;
        let warps = u64::from(*w_cta) * u64::from(*limit);
        let fits = warps > 0 && *limit <= config.max_blocks && warps <= config.max_warps.into();
        invariant("a kernel's blocks fit the SM (equalizer-B4)", fits)?;
        let is_bounded = config.least(*limit) <= *target && target <= limit;
        invariant("the target stays within its bounds (equalizer-I3)", is_bounded)?;
        let counts = hysteresis.run < config.hysteresis && (hysteresis.run == 0) == (hysteresis.dir == Step::Hold);
        invariant("decisions for a change are in a row, and not enough (equalizer-I6)", counts)?;
        // It barks when its epochs are over, and stands still only where the same epoch has ended with all blocks called.
        let is_awake = watchdog.epochs < config.watchdog.max(1);
        let has_called = watchdog.epochs == config.watchdog && target == limit;
        invariant("the watchdog has not slept in (equalizer-H5)", is_awake || has_called)
    }

    /// The blocks are reconciled with the target.
    fn validate_blocks(&self) -> Result<(), Violation> {
        let Kernel { limit, target, .. } = self.kernel;
        let Blocks { outstanding, drained, .. } = self.blocks;
        let (running, paused) = (self.blocks.running(), self.blocks.paused());
        // Every resident block has a slot, so the sum cannot wrap once the requests are in their range.
        let fit = outstanding <= limit && running + paused + outstanding <= limit;
        invariant("what is resident and asked for fits (equalizer-I1)", fit)?;
        let in_bounds = running <= target && (paused == 0 || running == target);
        invariant("blocks are paused only at the target (equalizer-I1)", in_bounds)?;
        let asked = drained || running + outstanding >= target || running + paused + outstanding == limit;
        invariant("nothing is left unasked (equalizer-I2)", asked)
    }
}

impl Blocks {
    fn validate(&self, config: &SmConfig) -> Result<(), Violation> {
        let &Self { ref rows, resident, run, running, taken, outstanding: _, drained: _ } = self;
        invariant("blocks have slots (equalizer-I1)", resident <= config.max_blocks)?;
        let runs = run & !below(resident) == 0 && running == run.count_ones();
        invariant("who runs is resident, and counted (equalizer-I1)", runs)?;
        invariant("only resident blocks have a row", rows.ends_by(resident as usize))?;
        let mut slots = 0;
        for row in self.by_age() {
            let is_free = u32::from(row.slot.0) < config.max_blocks && slots & bit(row.slot.0.into()) == 0;
            invariant("each block has a slot of its own (equalizer-B5)", is_free)?;
            let is_other = self.by_age().filter(|other| other.id == row.id).count() == 1;
            invariant("no two blocks are the same (equalizer-B5)", is_other)?;
            slots |= bit(row.slot.0.into());
        }
        invariant("a slot that holds no block is free (equalizer-B7)", taken == slots)
    }
}

impl Fm {
    /// What holds between any two calls: who votes is enabled and counted, and a step under way is one step (equalizer-F1 to F7).
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        let Self { config, now, sm, mem, voted, sm_tally, mem_tally, enabled } = self;
        invariant("time has not run out", *now <= LAST)?;
        for (clock, time) in [(sm, config.sm_transition), (mem, config.mem_transition)] {
            let steps = self.is_step(clock, time);
            invariant("a step under way leads to the next level, in its time (equalizer-F6)", steps)?;
        }
        let all = SmxSet::first(config.sms);
        let may = enabled.without(&all).is_empty() && voted.without(enabled).is_empty();
        invariant("only SMs that are enabled vote (equalizer-F2)", may)?;
        invariant("the last vote resolves the round (equalizer-F3)", voted.is_empty() || voted != enabled)?;
        let voters = u64::from(voted.len());
        let is_of_voters = |tally: &Tally| u64::from(tally.up) + u64::from(tally.down) <= voters;
        invariant("each vote counts once (equalizer-F2)", is_of_voters(sm_tally) && is_of_voters(mem_tally))
    }

    fn is_step(&self, clock: &Clock, time: u32) -> bool {
        clock.transition.is_none_or(|transition| {
            let levels = (clock.level.number() - transition.target.number()).abs();
            let left = transition.done_at.since(self.now);
            levels == 1 && left > 0 && left <= time.into() && transition.done_at != Cycle::MAX
        })
    }
}
