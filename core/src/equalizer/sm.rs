//! The machine of one SM: its events, and what it answers.

use super::blocks::{Blocks, Change};
use super::classify::Counts;
use super::config::SmConfig;
use super::decide::{Action, Decision};
use super::hysteresis::{Hysteresis, Watchdog};
use super::vote::{Objective, Step, Votes};
use super::{LAST, check_time};
use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::id::SlotId;
use crate::base::parameter::ConfigError;

/// The kernel of an SM. Before the first one everything is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Kernel {
    /// Warps of a block.
    pub(super) w_cta: u32,
    /// Blocks that the SM's resources hold.
    pub(super) limit: u32,
    /// Blocks that may run.
    pub(super) target: u32,
}

impl Kernel {
    pub(super) const fn is_some(&self) -> bool {
        self.limit > 0
    }
}

/// The samples of the epoch so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Epoch {
    pub(super) samples: u32,
    pub(super) sums: Counts,
}

/// A kernel has started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Started {
    /// Blocks that may run.
    pub target: u32,
    /// Blocks to be asked of the work distributor.
    pub requests: u32,
}

/// A block has come.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Granted {
    /// Where it is.
    pub slot: SlotId,
    /// What follows. The block itself may be paused at once.
    pub change: Change,
}

/// A block has ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Ended {
    /// The number under which it was granted.
    pub block: u64,
    /// What follows.
    pub change: Change,
}

/// The end of an epoch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct EpochEnd {
    /// What Algorithm 1 said about the block count.
    pub delta: Step,
    /// What it said about the clocks.
    pub action: Action,
    /// What is to be voted for in this cycle, for the SMs.
    pub sm_vote: Step,
    /// What is to be voted for in this cycle, for the memory.
    pub mem_vote: Step,
    /// What hysteresis let through.
    pub changed: Step,
    /// The watchdog has raised the target by one.
    pub watchdog: bool,
    /// Blocks that may run from now on.
    pub target: u32,
    /// What is to be done.
    pub change: Change,
}

/// Equalizer on one SM: counters, decisions, hysteresis, block slots and requests. One plain value.
///
/// Every verb but [`Sm::resync`] fails with `SampleMissed` when a sample point has gone by without its sample. `TimeOverflow`
/// (cycles from 2^63 on), `TimeBackwards` and `SampleMissed` are tested before a verb's own errors, in this order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sm {
    pub(super) config: SmConfig,
    pub(super) now: Cycle,
    pub(super) next_sample: Cycle,
    /// The first end of an epoch that is not before the next sample.
    pub(super) epoch_end: Cycle,
    pub(super) epoch: Epoch,
    pub(super) kernel: Kernel,
    pub(super) hysteresis: Hysteresis,
    pub(super) watchdog: Watchdog,
    pub(super) objective: Objective,
    pub(super) blocks: Blocks,
}

impl Sm {
    /// An SM without a kernel, at cycle 0.
    ///
    /// # Errors
    /// As [`SmConfig::check`].
    pub fn new(config: &SmConfig) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self {
            config: *config,
            now: Cycle::ZERO,
            next_sample: Cycle(config.sample_interval.into()),
            epoch_end: Cycle(config.epoch_cycles.into()),
            epoch: Epoch::default(),
            kernel: Kernel::default(),
            hysteresis: Hysteresis::default(),
            watchdog: Watchdog::default(),
            objective: config.objective,
            blocks: Blocks::new(),
        })
    }

    // ---- verbs

    /// A kernel of blocks of `w_cta` warps starts, `limit` of which the SM's resources hold (equalizer-B4). All of them may run at
    /// first, or with `keep` as many as of the kernel before (equalizer-A14).
    ///
    /// # Errors
    /// `Busy` while a block is resident or a request unanswered; `BadKernel` if `w_cta` or `limit` is 0, or the SM has fewer slots
    /// or warps.
    pub fn kernel_start(&mut self, now: Cycle, w_cta: u32, limit: u32, keep: bool) -> Result<Started, Fault> {
        self.check_event(now)?;
        if self.blocks.resident() + self.blocks.outstanding > 0 {
            return Err(Fault::Busy);
        }
        let warps = u64::from(w_cta) * u64::from(limit);
        if warps == 0 || limit > self.config.max_blocks || warps > self.config.max_warps.into() {
            return Err(Fault::BadKernel);
        }
        self.now = now;
        let kept = keep && self.kernel.is_some();
        let target = if kept { self.kernel.target.clamp(self.config.least(limit), limit) } else { limit };
        self.kernel = Kernel { w_cta, limit, target };
        self.epoch = Epoch::default();
        self.hysteresis = Hysteresis::default();
        self.watchdog = Watchdog::default();
        self.blocks.drained = false;
        let Change { requests, .. } = self.reconcile();
        Ok(Started { target, requests })
    }

    /// The work distributor's answer to a request: this block (equalizer-B5).
    ///
    /// # Errors
    /// `UnsolicitedGrant`; `DuplicateBlock` if a block of this number is resident.
    pub fn grant(&mut self, now: Cycle, block: u64) -> Result<Granted, Fault> {
        self.check_event(now)?;
        if self.blocks.outstanding == 0 {
            return Err(Fault::UnsolicitedGrant);
        }
        if self.blocks.holds(block) {
            return Err(Fault::DuplicateBlock);
        }
        self.now = now;
        self.blocks.outstanding -= 1;
        let slot = self.blocks.arrive(block);
        Ok(Granted { slot, change: self.reconcile() })
    }

    /// The work distributor's answer to a request: it has no block (equalizer-B6). Nothing more is asked for before
    /// [`Sm::refill`].
    ///
    /// # Errors
    /// `UnsolicitedDeny`.
    pub fn deny(&mut self, now: Cycle) -> Result<Change, Fault> {
        self.check_event(now)?;
        if self.blocks.outstanding == 0 {
            return Err(Fault::UnsolicitedDeny);
        }
        self.now = now;
        self.blocks.outstanding -= 1;
        self.blocks.drained = true;
        Ok(self.reconcile())
    }

    /// The work distributor has blocks again (equalizer-B6).
    ///
    /// # Errors
    /// `NoKernel`.
    pub fn refill(&mut self, now: Cycle) -> Result<Change, Fault> {
        self.check_event(now)?;
        if !self.kernel.is_some() {
            return Err(Fault::NoKernel);
        }
        self.now = now;
        self.blocks.drained = false;
        Ok(self.reconcile())
    }

    /// The block in a slot has ended, running or paused (equalizer-B7).
    ///
    /// # Errors
    /// `BadSlot`, `SlotEmpty`.
    pub fn block_end(&mut self, now: Cycle, slot: SlotId) -> Result<Ended, Fault> {
        self.check_event(now)?;
        if u32::from(slot.0) >= self.config.max_blocks {
            return Err(Fault::BadSlot);
        }
        let block = self.blocks.leave(slot).ok_or(Fault::SlotEmpty)?;
        self.now = now;
        self.watchdog.ended = true;
        Ok(Ended { block, change: self.reconcile() })
    }

    /// A sample (equalizer-S1, equalizer-S2), taken exactly at [`Sm::next_sample`]. The one at a multiple of `epoch_cycles` ends the
    /// epoch (equalizer-A12).
    ///
    /// # Errors
    /// `NotDue`; `BadSample` if there are more warps in the classes than active ones, or more active ones than the SM has;
    /// `NoKernel` if warps are active all the same.
    #[inline]
    pub fn sample(&mut self, now: Cycle, counts: &Counts) -> Result<Option<EpochEnd>, Fault> {
        self.check_event(now)?;
        if now < self.next_sample {
            return Err(Fault::NotDue);
        }
        if !counts.are_of(self.config.max_warps.into()) {
            return Err(Fault::BadSample);
        }
        if counts.active > 0 && !self.kernel.is_some() {
            return Err(Fault::NoKernel);
        }
        self.now = now;
        self.next_sample = now.after(self.config.sample_interval.into());
        self.epoch.sums = self.epoch.sums.plus(counts);
        self.epoch.samples += 1;
        if now == self.epoch_end { self.end_epoch() } else { Ok(None) }
    }

    /// What the user wants from the next decision on (equalizer-A16).
    ///
    /// # Errors
    /// `BadObjective` if it is `None`.
    pub fn set_objective(&mut self, now: Cycle, objective: impl Into<Option<Objective>>) -> Result<(), Fault> {
        self.check_event(now)?;
        self.objective = objective.into().ok_or(Fault::BadObjective)?;
        self.now = now;
        Ok(())
    }

    /// Gives up the epoch in progress after a missed sample, and tells when the next one is due (equalizer-S4).
    ///
    /// # Errors
    /// `TimeOverflow`, `TimeBackwards`.
    pub fn resync(&mut self, now: Cycle) -> Result<Cycle, Fault> {
        check_time(now, self.now)?;
        self.now = now;
        let interval = u64::from(self.config.sample_interval);
        let since = now.0.checked_rem(interval).unwrap_or(0);
        self.next_sample = Cycle(now.0 - since).after(interval);
        self.epoch_end = self.epoch_end_from(self.next_sample);
        self.epoch = Epoch::default();
        self.hysteresis = Hysteresis::default();
        self.watchdog.epochs = 0;
        Ok(self.next_sample)
    }

    /// The first multiple of `epoch_cycles`, which is one of `sample_interval`, from a sample on.
    pub(super) fn epoch_end_from(&self, sample: Cycle) -> Cycle {
        let epoch = u64::from(self.config.epoch_cycles);
        let since = sample.0.checked_rem(epoch).unwrap_or(0);
        if since == 0 { sample } else { Cycle(sample.0 - since).after(epoch) }
    }

    #[inline]
    fn check_event(&self, now: Cycle) -> Result<(), Fault> {
        check_time(now, self.now)?;
        if now > self.next_sample { Err(Fault::SampleMissed) } else { Ok(()) }
    }

    // ---- what events lead to

    /// The end of an epoch, in the order of equalizer-S2; never an error. In the shape of the answer, so that it is written in place.
    #[inline(never)]
    fn end_epoch(&mut self) -> Result<Option<EpochEnd>, Fault> {
        self.epoch_end = self.epoch_end.after(self.config.epoch_cycles.into());
        let Epoch { samples, sums } = core::mem::take(&mut self.epoch);
        // There is a sample: the one that ends the epoch.
        let Decision { delta, action } = self.config.decide(&sums, samples, self.kernel.w_cta).unwrap_or_default();
        let Votes { sm: sm_vote, mem: mem_vote } = self.config.votes(self.objective, action);
        let (changed, watchdog) = if self.kernel.is_some() { self.retarget(delta) } else { Default::default() };
        let change = self.reconcile();
        let target = self.kernel.target;
        Ok(Some(EpochEnd { delta, action, sm_vote, mem_vote, changed, watchdog, target, change }))
    }

    /// equalizer-H1 to H5: moves the target. What hysteresis let through, and whether the watchdog has woken a block.
    #[inline]
    fn retarget(&mut self, delta: Step) -> (Step, bool) {
        let Self { kernel: Kernel { limit, target, .. }, hysteresis, watchdog, config, blocks, .. } = self;
        let d = match delta {
            Step::Down if *target > config.least(*limit) => Step::Down,
            Step::Up if *target < *limit => Step::Up,
            // Clamped to what it is, or for no change.
            _ => Step::Hold,
        };
        let changed = hysteresis.propose(d, config);
        // It stays within its limits.
        *target = target.wrapping_add_signed(changed.number().into());
        let barks = watchdog.barks(blocks.paused() > 0, config) && *target < *limit;
        if barks {
            *target += 1;
            watchdog.epochs = 0;
            *hysteresis = Hysteresis::default();
        }
        (changed, barks)
    }

    #[inline]
    fn reconcile(&mut self) -> Change {
        let Kernel { limit, target, .. } = self.kernel;
        self.blocks.reconcile(target, limit, &self.config)
    }
}

const _: () = assert!(LAST.0 < u64::MAX - (1 << 16), "a sample point after the last event");
