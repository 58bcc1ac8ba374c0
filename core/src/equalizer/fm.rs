//! F: the frequency manager, which counts the votes of the SMs and steps the two clock domains.

use super::check_time;
use super::config::{FmConfig, Idle, Majority};
use super::vote::Step;
use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::id::SmxId;
use crate::base::parameter::ConfigError;
use crate::base::set::SmxSet;

/// A step that is under way. Until it is done the old level holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Transition {
    pub(super) target: Step,
    pub(super) done_at: Cycle,
}

/// The clock of a domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Clock {
    pub(super) level: Step,
    pub(super) transition: Option<Transition>,
}

impl Clock {
    fn domain(&self) -> Domain {
        let Self { level, transition } = *self;
        let target = transition.map_or(level, |transition| transition.target);
        Domain { level, target, done_at: self.done_at() }
    }

    fn done_at(&self) -> Option<Cycle> {
        self.transition.map(|transition| transition.done_at)
    }

    /// equalizer-F1: a transition whose time has come is done.
    fn settle(&mut self, now: Cycle) {
        if let Some(Transition { target, .. }) = self.transition.take_if(|transition| transition.done_at <= now) {
            self.level = target;
        }
    }

    /// equalizer-F5 to F7: what becomes of a decision.
    fn step(&mut self, decision: Step, idle: Idle, now: Cycle, time: u32) -> Outcome {
        if self.transition.is_some() {
            return Outcome::Busy;
        }
        let step = match (decision, idle, self.level) {
            (Step::Hold, Idle::Relax, Step::Up) => Step::Down,
            (Step::Hold, Idle::Relax, Step::Down) => Step::Up,
            (decision, ..) => decision,
        };
        if step == Step::Hold {
            return Outcome::None;
        }
        let Some(target) = step.from(self.level) else { return Outcome::Limit };
        if time == 0 {
            self.level = target;
            return Outcome::Done;
        }
        self.transition = Some(Transition { target, done_at: now.after(time.into()) });
        Outcome::Start
    }
}

/// What became of a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u32)]
pub enum Outcome {
    /// Nothing was asked for.
    #[default]
    None,
    /// The last step of the domain is still under way: dropped.
    Busy,
    /// There is no further level: dropped.
    Limit,
    /// A step starts.
    Start,
    /// A step that takes no time is done.
    Done,
}

/// The votes for a step of one domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Tally {
    pub(super) up: u32,
    pub(super) down: u32,
}

impl Tally {
    fn count(&mut self, vote: Step) {
        match vote {
            Step::Up => self.up += 1,
            Step::Down => self.down += 1,
            Step::Hold => {}
        }
    }

    /// equalizer-F4 over the enabled SMs.
    fn majority(&self, enabled: u32, &FmConfig { majority, quorum, .. }: &FmConfig) -> Step {
        let Self { up, down } = *self;
        let hold = enabled.saturating_sub(up + down);
        let wins = |these, others| match majority {
            _ if these < quorum => false,
            Majority::Strict => 2 * these > enabled,
            Majority::Plurality => these > others && these > hold,
        };
        if wins(up, down) {
            Step::Up
        } else if wins(down, up) {
            Step::Down
        } else {
            Step::Hold
        }
    }
}

/// What a round decided for one domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Resolved {
    /// SMs for a step up.
    pub up: u32,
    /// SMs for none, and those that did not vote.
    pub hold: u32,
    /// SMs for a step down.
    pub down: u32,
    /// What the majority asks for.
    pub decision: Step,
    /// What became of that.
    pub outcome: Outcome,
}

/// What a round decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Round {
    /// For the SMs.
    pub sm: Resolved,
    /// For the memory.
    pub mem: Resolved,
}

/// Levels and frequencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Levels {
    /// Of the SMs.
    pub sm: Step,
    /// Of the memory.
    pub mem: Step,
    /// Frequency and voltage of the SMs, in thousandths of normal.
    pub sm_permille: u32,
    /// Frequency and voltage of the memory, in thousandths of normal.
    pub mem_permille: u32,
    /// When the earliest step under way is done.
    pub next: Option<Cycle>,
}

/// A clock domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Domain {
    /// Its level: `Down` is low, `Hold` normal, `Up` high.
    pub level: Step,
    /// The level that it has, or is on its way to.
    pub target: Step,
    /// When its step under way is done.
    pub done_at: Option<Cycle>,
}

/// What a frequency manager holds, as of the last event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FmState {
    /// SMs that have voted in this round.
    pub voted: SmxSet,
    /// SMs that vote.
    pub enabled: SmxSet,
    /// The domain of the SMs.
    pub sm: Domain,
    /// The domain of the memory.
    pub mem: Domain,
}

/// The frequency manager of the chip. One plain value.
///
/// `TimeOverflow` (cycles from 2^63 on) and `TimeBackwards` are tested before a verb's own errors, in this order.
///
/// ```
/// use gpusched::equalizer::{Fm, FmConfig, Outcome, Step};
/// use gpusched::{Cycle, SmxId};
///
/// let mut fm = Fm::new(&FmConfig { sms: 3, ..FmConfig::GTX480 })?;
/// assert_eq!(fm.vote(Cycle(4096), SmxId(0), Step::Down, Step::Hold)?, None);
/// assert_eq!(fm.vote(Cycle(4096), SmxId(1), Step::Down, Step::Hold)?, None);
/// let round = fm.vote(Cycle(4096), SmxId(2), Step::Hold, Step::Hold)?.expect("the last vote");
/// assert_eq!((round.sm.down, round.sm.decision, round.sm.outcome), (2, Step::Down, Outcome::Start));
/// assert_eq!(fm.levels(Cycle(4607))?.sm_permille, 1000);
/// assert_eq!(fm.levels(Cycle(4608))?.sm_permille, 850);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fm {
    pub(super) config: FmConfig,
    pub(super) now: Cycle,
    pub(super) sm: Clock,
    pub(super) mem: Clock,
    /// The round: who voted, and for what.
    pub(super) voted: SmxSet,
    pub(super) sm_tally: Tally,
    pub(super) mem_tally: Tally,
    pub(super) enabled: SmxSet,
}

impl Fm {
    /// Both domains normal and all SMs enabled, at cycle 0.
    ///
    /// # Errors
    /// As [`FmConfig::check`].
    pub fn new(config: &FmConfig) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self {
            config: *config,
            now: Cycle::ZERO,
            sm: Clock::default(),
            mem: Clock::default(),
            voted: SmxSet::EMPTY,
            sm_tally: Tally::default(),
            mem_tally: Tally::default(),
            enabled: SmxSet::first(config.sms),
        })
    }

    // ---- verbs

    /// An SM's vote of this round. The last vote resolves the round (equalizer-F2, equalizer-F3).
    ///
    /// # Errors
    /// `BadSm`, `NotEnabled`, `BadVote` for anything but -1, 0 and 1, `AlreadyVoted`.
    pub fn vote(
        &mut self,
        now: Cycle,
        sm: SmxId,
        sm_vote: impl TryInto<Step>,
        mem_vote: impl TryInto<Step>,
    ) -> Result<Option<Round>, Fault> {
        self.check_sm(now, sm)?;
        if !self.enabled.contains(sm) {
            return Err(Fault::NotEnabled);
        }
        let sm_vote = sm_vote.try_into().map_err(|_| Fault::BadVote)?;
        let mem_vote = mem_vote.try_into().map_err(|_| Fault::BadVote)?;
        if self.voted.contains(sm) {
            return Err(Fault::AlreadyVoted);
        }
        self.settle(now);
        self.voted.set(sm, true);
        self.sm_tally.count(sm_vote);
        self.mem_tally.count(mem_vote);
        Ok((self.voted == self.enabled).then(|| self.resolve()))
    }

    /// Resolves the round; an SM that did not vote is for no step.
    ///
    /// # Errors
    /// `TimeOverflow`, `TimeBackwards`.
    pub fn close(&mut self, now: Cycle) -> Result<Round, Fault> {
        check_time(now, self.now)?;
        self.settle(now);
        Ok(self.resolve())
    }

    /// Whether an SM votes: one that hangs or has no power would keep a round open.
    ///
    /// # Errors
    /// `BadSm`; `RoundOpen` if somebody has voted.
    pub fn enable(&mut self, now: Cycle, sm: SmxId, on: bool) -> Result<(), Fault> {
        self.check_sm(now, sm)?;
        if !self.voted.is_empty() {
            return Err(Fault::RoundOpen);
        }
        self.settle(now);
        self.enabled.set(sm, on);
        Ok(())
    }

    /// Both domains are normal at once, and the votes of this round are forgotten: a kernel has ended (equalizer-F8).
    ///
    /// # Errors
    /// `TimeOverflow`, `TimeBackwards`.
    pub fn reset(&mut self, now: Cycle) -> Result<(), Fault> {
        check_time(now, self.now)?;
        (self.now, self.sm, self.mem, self.voted) = (now, Clock::default(), Clock::default(), SmxSet::EMPTY);
        (self.sm_tally, self.mem_tally) = (Tally::default(), Tally::default());
        Ok(())
    }

    /// The levels at this time.
    ///
    /// # Errors
    /// `TimeOverflow`, `TimeBackwards`.
    pub fn levels(&mut self, now: Cycle) -> Result<Levels, Fault> {
        check_time(now, self.now)?;
        self.settle(now);
        let (sm, mem) = (self.sm.level, self.mem.level);
        let permille = |level: Step| match level {
            Step::Down => 1000 - self.config.step_permille,
            Step::Hold => 1000,
            Step::Up => 1000 + self.config.step_permille,
        };
        Ok(Levels { sm, mem, sm_permille: permille(sm), mem_permille: permille(mem), next: self.next_event() })
    }

    fn check_sm(&self, now: Cycle, sm: SmxId) -> Result<(), Fault> {
        check_time(now, self.now)?;
        if u32::from(sm.0) < self.config.sms { Ok(()) } else { Err(Fault::BadSm) }
    }

    /// equalizer-F1.
    fn settle(&mut self, now: Cycle) {
        self.now = now;
        self.sm.settle(now);
        self.mem.settle(now);
    }

    fn resolve(&mut self) -> Round {
        let Self { config, now, sm, mem, voted, sm_tally, mem_tally, enabled } = self;
        *voted = SmxSet::EMPTY;
        let enabled = enabled.len();
        let resolve = |clock: &mut Clock, tally: &mut Tally, time| {
            let tally = core::mem::take(tally);
            let decision = tally.majority(enabled, config);
            let outcome = clock.step(decision, config.idle, *now, time);
            let Tally { up, down } = tally;
            Resolved { up, hold: enabled.saturating_sub(up + down), down, decision, outcome }
        };
        Round { sm: resolve(sm, sm_tally, config.sm_transition), mem: resolve(mem, mem_tally, config.mem_transition) }
    }

    // ---- queries

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &FmConfig {
        &self.config
    }

    /// The time of the last event.
    #[must_use]
    pub fn now(&self) -> Cycle {
        self.now
    }

    /// What it holds.
    #[must_use]
    pub fn state(&self) -> FmState {
        FmState { voted: self.voted, enabled: self.enabled, sm: self.sm.domain(), mem: self.mem.domain() }
    }

    /// When the earliest step under way is done: the machine's next event. `None` if none is under way.
    #[must_use]
    pub fn next_event(&self) -> Option<Cycle> {
        [self.sm.done_at(), self.mem.done_at()].into_iter().flatten().min()
    }
}
