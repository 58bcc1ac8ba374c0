//! P-states of the SMs: their clocks, what was counted in each, and occupancy bubbles (refgpu-V2; sheet `bubble_dvfs`).
//!
//! Nothing is decided here. The GPU tells of a state when the controller in `gpusched` has changed it ([`Power::enter`]), and
//! samples occupancy at the controller's period ([`Power::sample`]), also when there is no controller: a base run shows the
//! bubbles that one could have used.

use crate::changes::Changes;
use gpusched::power::PState;
use serde::{Deserialize, Serialize};

use crate::clock::{Clock, Pace};
use crate::config::GpuConfig;
use crate::energy::{Interval, SmEvents, SmxLedger, Supply};
use crate::sm::Sm;
use crate::stats::SmStats;
use crate::vf::VfLevel;

/// What an SMX may do, and at which P-state it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SmxState {
    /// At the high P-state; gets TBs.
    #[default]
    High,
    /// Diverted, at the high P-state: its TBs run to their ends.
    Draining,
    /// On its way to the low P-state, at the high clock.
    GoingDown,
    /// At the low P-state.
    Low,
    /// On its way to the high P-state, at the low clock.
    GoingUp,
}

impl SmxState {
    /// Number of states.
    pub const COUNT: usize = 5;

    /// The state of an SMX at a P-state, of which it is known whether it drains.
    #[must_use]
    pub const fn of(pstate: PState, drains: bool) -> Self {
        match pstate {
            PState::High if drains => Self::Draining,
            PState::High => Self::High,
            PState::Down => Self::GoingDown,
            PState::Low => Self::Low,
            PState::Up => Self::GoingUp,
        }
    }

    /// Whether the low clock runs (refgpu-V2: during a transition the old one).
    const fn is_slow(self) -> bool {
        matches!(self, Self::Low | Self::GoingUp)
    }
}

/// An SMX enters another state, or a bubble begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StateChange {
    /// Its last core cycle in the old one.
    pub cycle: u64,
    /// The SMX.
    pub smx: u16,
    /// The state from then on.
    pub state: SmxState,
    /// Whether it is in a bubble from then on.
    pub bubble: bool,
}

/// The first 2^20 changes of an SMX's state, and of its being in a bubble; those of one SMX in order. All begin at [`SmxState::High`],
/// out of bubbles. [`StateTrace::spans`] gives the time between.
pub type StateTrace = Changes<StateChange, { 1 << 20 }>;

/// What is kept about one SMX. Counts enter the ledger only where state or bubble change: most samples change neither.
#[derive(Clone, Debug, Default)]
struct Meter {
    state: SmxState,
    level: VfLevel,
    /// Whether the last sample found a bubble.
    bubble: bool,
    /// The first core cycle that is not in the ledger, and the events before it.
    since: u64,
    counted: SmEvents,
    /// The same of the last sample, with all counts as they were.
    sampled_until: u64,
    sampled: SmStats,
    /// What is in the ledger of the sampling period that goes on: nobody knows yet whether it ends in a bubble.
    open: Option<[Interval; Supply::COUNT]>,
    ledger: SmxLedger,
    stats: SmxPowerStats,
}

impl Meter {
    /// A sample in the core cycle before `until`, which begins behind beat `at`.
    fn sample(&mut self, until: u64, at: u64, bubble: bool, sm: &mut Sm) {
        if bubble != self.bubble {
            self.settle();
            self.bubble = bubble;
        }
        self.stats.bubble_samples += u64::from(bubble);
        self.look(until, at, sm);
        if let Some(open) = self.open.take().filter(|_| bubble) {
            self.ledger.bubble.iter_mut().zip(open).for_each(|(sum, part)| *sum += part);
        }
    }

    /// Enters everything before core cycle `until`, which begins behind beat `at`, into the ledger.
    fn cut(&mut self, until: u64, at: u64, sm: &mut Sm) {
        self.settle();
        self.look(until, at, sm);
        let (supply, interval) = self.take();
        self.open.get_or_insert_default()[supply as usize] += interval;
    }

    fn look(&mut self, until: u64, at: u64, sm: &mut Sm) {
        self.sampled_until = until;
        self.sampled = sm.stats(at);
    }

    /// Enters everything up to the last sample into the ledger.
    fn settle(&mut self) {
        let (supply, interval) = self.take();
        if self.bubble {
            self.ledger.bubble[supply as usize] += interval;
        }
    }

    /// The same, but for what bubbles have. Returns what was entered, and where.
    fn take(&mut self) -> (Supply, Interval) {
        let (until, events) = (self.sampled_until, SmEvents::of(&self.sampled));
        let interval = Interval { cycles: until - self.since, events: events - self.counted };
        self.stats.state_cycles[self.state as usize] += interval.cycles;
        let supply = Supply::of(self.state == SmxState::Low, self.level);
        self.ledger.supplies[supply as usize] += interval;
        (self.since, self.counted) = (until, events);
        (supply, interval)
    }
}

/// What was counted about one SMX.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmxPowerStats {
    /// Samples that found it in a bubble.
    pub bubble_samples: u64,
    /// Core cycles in each state, in the order of [`SmxState`].
    pub state_cycles: [u64; SmxState::COUNT],
}

/// The end of the account.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Samples.
    pub samples: u64,
    /// By SMX.
    pub smxs: Vec<SmxPowerStats>,
    /// What energy follows from, by SMX.
    pub ledgers: Vec<SmxLedger>,
    /// State changes.
    pub trace: StateTrace,
}

/// The account of all SMXs.
#[derive(Clone, Debug)]
pub struct Power {
    slow: Pace,
    nominal: Clock,
    period: u64,
    /// T, as warps of an SMX times its denominator.
    threshold: u64,
    denominator: u64,
    inclusive: bool,
    samples: u64,
    meters: Vec<Meter>,
    trace: StateTrace,
    /// What has changed since it was asked for last: the SMX, its state, whether it is in a bubble.
    news: Vec<(u16, SmxState, bool)>,
}

impl Power {
    /// All SMXs high, in cycle 0.
    #[must_use]
    pub fn new(config: &GpuConfig) -> Self {
        let b = &config.bubble;
        Self {
            // The ratio of the P-states rules: the source names 700 MHz where its machine runs at 706.
            slow: Pace::of(b.f_low_mhz, b.f_high_mhz),
            nominal: Clock::new(config.paces().nominal()),
            period: b.sample_cycles.into(),
            threshold: u64::from(b.t_num) * u64::from(config.sm.threads / 32),
            denominator: b.t_den.into(),
            inclusive: b.inclusive,
            samples: 0,
            meters: vec![Meter { level: config.vf.sm, ..Meter::default() }; config.sm.count as usize],
            trace: StateTrace::default(),
            news: Vec::new(),
        }
    }

    /// SMXs that have changed since the last call: each with its state, and whether the last sample found a bubble.
    pub fn take_news(&mut self) -> std::vec::Drain<'_, (u16, SmxState, bool)> {
        self.news.drain(..)
    }

    /// Core cycles from one sample to the next; the first is after as many.
    #[must_use]
    pub fn period(&self) -> u64 {
        self.period
    }

    /// A sample, after the SMs have acted at beat `at`, that of a core cycle, and before the front end has: who is in a bubble?
    pub fn sample(&mut self, at: u64, sms: &mut [Sm]) {
        self.samples += 1;
        let until = self.nominal.first(at + 1);
        for ((meter, sm), smx) in self.meters.iter_mut().zip(sms).zip(0..) {
            let warps = u64::from(sm.held_warps()) * self.denominator;
            let bubble = warps < self.threshold || self.inclusive && warps == self.threshold;
            if bubble != meter.bubble {
                // It belongs to the interval that this sample ends.
                let cycle = meter.sampled_until.saturating_sub(1);
                self.trace.add(StateChange { cycle, smx, state: meter.state, bubble });
                self.news.push((smx, meter.state, bubble));
            }
            meter.sample(until, at + 1, bubble, sm);
        }
    }

    /// The state of SMX `s` after beat `at`, in whose core cycle there was a sample. Whether the SM has another clock now: then it has
    /// to be looked at.
    pub fn enter(&mut self, at: u64, s: u16, state: SmxState, sm: &mut Sm) -> bool {
        let meter = &mut self.meters[s as usize];
        if meter.state == state {
            return false;
        }
        let until = self.nominal.first(at + 1);
        meter.look(until, at + 1, sm);
        meter.settle();
        let slow = state.is_slow();
        let changes = slow != meter.state.is_slow();
        if changes {
            sm.set_pace(at, if slow { self.slow } else { Pace::EVERY_BEAT });
        }
        meter.state = state;
        self.trace.add(StateChange { cycle: until - 1, smx: s, state, bubble: meter.bubble });
        self.news.push((s, state, meter.bubble));
        changes
    }

    /// All SMs have the voltage of this level after beat `at`.
    pub fn enter_level(&mut self, at: u64, level: VfLevel, sms: &mut [Sm]) {
        let until = self.nominal.first(at + 1);
        for (meter, sm) in self.meters.iter_mut().zip(sms).filter(|(meter, _)| meter.level != level) {
            meter.cut(until, at + 1, sm);
            meter.level = level;
        }
    }

    /// The account before beat `at`, without closing it. Whether the time since the last change was in a bubble is not known yet; what
    /// bubbles have is only added to.
    pub fn ledgers(&self, at: u64, sms: &mut [Sm]) -> Vec<SmxLedger> {
        let until = self.nominal.first(at);
        let ledger = |(meter, sm): (&Meter, &mut Sm)| {
            let mut meter = Meter { bubble: false, ..meter.clone() };
            meter.look(until, at, sm);
            meter.settle();
            meter.ledger
        };
        self.meters.iter().zip(sms).map(ledger).collect()
    }

    /// The account before beat `at`, the end of the run.
    pub fn finish(mut self, at: u64, sms: &mut [Sm]) -> Outcome {
        let until = self.nominal.first(at);
        for (meter, sm) in self.meters.iter_mut().zip(sms) {
            meter.sample(until, at, false, sm);
            meter.settle();
        }
        Outcome {
            samples: self.samples,
            smxs: self.meters.iter().map(|m| m.stats).collect(),
            ledgers: self.meters.iter().map(|m| m.ledger).collect(),
            trace: self.trace,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// refgpu-S16: also what was counted before a step of the level belongs to the sampling period, and this ends in a bubble.
    #[test]
    fn a_step_within_a_sampling_period_leaves_the_period_whole() {
        let config = GpuConfig::preset("gtx480_equalizer").unwrap();
        let mut sms: Vec<_> = (0..config.sm.count).map(|id| Sm::new(&config, id as u16)).collect();
        let mut power = Power::new(&config);
        let paces = config.paces();
        let nominal = Clock::new(paces.nominal());
        let period = power.period();
        power.enter_level(nominal.at(period / 2 - 1), VfLevel::High, &mut sms);
        power.sample(nominal.at(period - 1), &mut sms);
        let outcome = power.finish(nominal.at(period), &mut sms);
        for SmxLedger { supplies, bubble } in outcome.ledgers {
            let cycles = [supplies, bubble].map(|of| [Supply::Normal, Supply::Raised].map(|s| of[s as usize].cycles));
            assert_eq!(cycles, [[period / 2; 2]; 2]);
        }
    }
}
