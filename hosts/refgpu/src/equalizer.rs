//! Equalizer on the whole machine: samples of warp states, votes, and the levels of both domains over time (refgpu-T2, refgpu-W6,
//! refgpu-V2).
//!
//! Nothing is decided here. At every sample point of the SMs' clock the GPU counts warps by class; with Equalizer on, the machine of
//! each SM ([`BlockControl`](crate::front::BlockControl)) makes a vote of them at the end of an epoch, and the frequency manager of
//! `gpusched` makes steps of the votes. With it off, samples may be taken all the same: a base run shows what its warps wait for.

use crate::changes::Changes;
use gpusched::equalizer::{Domain, Fm, FmState, Outcome, Round, SmConfig, Step};
use gpusched::{Cycle, Fault, SmxId};
use serde::Serialize;

use crate::clock::Clock;
use crate::config::{ConfigError, GpuConfig};
use crate::stats::{EqualizerStats, WarpStates};
use crate::vf::VfLevel;

/// Levels of both domains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VfPair {
    /// Of the SMs.
    pub sm: VfLevel,
    /// Of network, L2 and DRAM.
    pub mem: VfLevel,
}

/// Core cycles at each pair of levels: of the SMs, then of the memory, the lowest first.
pub type VfCycles = [[u64; VfLevel::COUNT]; VfLevel::COUNT];

/// A domain is at another level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LevelChange {
    /// First core cycle there.
    pub cycle: u64,
    /// The levels from then on.
    #[serde(flatten)]
    pub levels: VfPair,
}

/// Blocks and warps of all SMs, summed over the samples of some epochs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EpochRow {
    /// Core cycle of the last sample.
    pub cycle: u64,
    /// Blocks that run.
    pub running: u64,
    /// Blocks that are paused.
    pub paused: u64,
    /// Blocks that may run, as Equalizer has it.
    pub target: u64,
    /// Warps by class, and the number of samples.
    #[serde(flatten)]
    pub warps: WarpStates,
}

impl EpochRow {
    /// Adds what came later.
    fn add(&mut self, o: &Self) {
        self.cycle = o.cycle;
        self.running += o.running;
        self.paused += o.paused;
        self.target += o.target;
        self.warps += o.warps;
    }

    /// Mean number of blocks that run on an SM.
    #[must_use]
    pub fn mean_running(&self) -> f64 {
        if self.warps.samples == 0 { 0.0 } else { self.running as f64 / self.warps.samples as f64 }
    }
}

/// The level that a step of the frequency manager stands for.
const fn level(step: Step) -> VfLevel {
    match step {
        Step::Down => VfLevel::Low,
        Step::Hold => VfLevel::Normal,
        Step::Up => VfLevel::High,
    }
}

/// Rows that are kept at most.
const MOST_ROWS: usize = 2048;

/// What Equalizer did over time, or what it would have seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tuning {
    /// Epochs that a row covers; the last may cover fewer.
    pub epochs_per_row: u64,
    /// Blocks and warps over time.
    pub rows: Vec<EpochRow>,
    /// Changes of a level. Both begin normal, or where section `vf` has them.
    #[serde(flatten)]
    pub levels: Changes<LevelChange, { 1 << 16 }>,
    /// Epochs in the last row.
    filled: u64,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { epochs_per_row: 1, rows: Vec::new(), levels: Changes::default(), filled: 1 }
    }
}

impl Tuning {
    /// Adds an epoch. When there are too many rows, neighbours are joined.
    fn add(&mut self, epoch: &EpochRow) {
        if self.filled == self.epochs_per_row {
            if self.rows.len() == MOST_ROWS {
                let joined = self.rows.chunks(2).map(|pair| {
                    let mut first = pair[0];
                    pair.iter().skip(1).for_each(|then| first.add(then));
                    first
                });
                self.rows = joined.collect();
                self.epochs_per_row *= 2;
            }
            self.rows.push(EpochRow::default());
            self.filled = 0;
        }
        self.filled += 1;
        self.rows.iter_mut().last().into_iter().for_each(|row| row.add(epoch));
    }
}

/// The frequency manager, and the account of samples and levels.
#[derive(Debug)]
pub struct Equalizer {
    config: SmConfig,
    fm: Option<Fm>,
    /// Cycle of the SMs' clock; `u64::MAX` if nothing is sampled.
    next_sample: u64,
    /// Its beat, and that of the end of the next transition.
    sample_at: u64,
    change_at: u64,
    levels: VfPair,
    /// The first core cycle that is not in `cycles`.
    since: u64,
    cycles: VfCycles,
    warps: WarpStates,
    epoch: EpochRow,
    stats: EqualizerStats,
    tuning: Tuning,
}

impl Equalizer {
    /// Both domains at the levels of section `vf`, in cycle 0.
    ///
    /// # Errors
    /// What the frequency manager refuses.
    pub fn new(config: &GpuConfig) -> Result<Self, ConfigError> {
        let switch = config.equalizer.switch;
        let (sm, fm) = config.equalizer_machines();
        let refused = |e: gpusched::ConfigError| ConfigError::Syntax(format!("equalizer.{e}"));
        let mut equalizer = Self {
            config: sm,
            fm: if switch.enabled { Some(Fm::new(&fm).map_err(refused)?) } else { None },
            next_sample: if switch.enabled || switch.observe { sm.sample_interval.into() } else { u64::MAX },
            sample_at: u64::MAX,
            change_at: u64::MAX,
            levels: VfPair { sm: config.vf.sm, mem: config.vf.mem },
            since: 0,
            cycles: VfCycles::default(),
            warps: WarpStates::default(),
            epoch: EpochRow::default(),
            stats: EqualizerStats::default(),
            tuning: Tuning::default(),
        };
        equalizer.set_times(&Clock::new(config.paces().level(config.vf.sm)));
        Ok(equalizer)
    }

    /// Finds the beats of what comes next, by the SMs' clock.
    pub fn set_times(&mut self, clock: &Clock) {
        let done = self.fm.as_ref().and_then(Fm::next_event);
        self.sample_at = clock.at(self.next_sample);
        self.change_at = done.map_or(u64::MAX, |cycle| clock.at(cycle.0));
    }

    /// The next beat with a sample, or at which a level changes.
    #[must_use]
    #[inline]
    pub fn next(&self) -> u64 {
        self.sample_at.min(self.change_at)
    }

    /// Whether there is a sample at beat `at`.
    #[must_use]
    #[inline]
    pub fn samples_at(&self, at: u64) -> bool {
        self.sample_at == at
    }

    /// Whether a transition is done at beat `at`.
    #[must_use]
    #[inline]
    pub fn changes_at(&self, at: u64) -> bool {
        self.change_at == at
    }

    /// Whether warps are sampled.
    #[must_use]
    pub fn is_sampling(&self) -> bool {
        self.next_sample != u64::MAX
    }

    /// How warps are classified.
    #[must_use]
    pub fn config(&self) -> &SmConfig {
        &self.config
    }

    /// The levels.
    #[must_use]
    pub fn levels(&self) -> VfPair {
        self.levels
    }

    /// The levels whose voltage both domains have: during a transition that of the higher one (refgpu-E1).
    #[must_use]
    pub fn voltages(&self) -> VfPair {
        let higher = |domain: Domain| level(domain.level.max(domain.target));
        self.fm
            .as_ref()
            .map(Fm::state)
            .map_or(self.levels, |state| VfPair { sm: higher(state.sm), mem: higher(state.mem) })
    }

    /// A sample of one SM, with the blocks that it runs, holds paused, and may run.
    pub fn count(&mut self, warps: WarpStates, running: u64, paused: u64, target: u64) {
        self.warps += warps;
        self.epoch.warps += warps;
        self.epoch.running += running;
        self.epoch.paused += paused;
        self.epoch.target += target;
    }

    /// The sample of SM cycle `own`, in core cycle `now`, is taken: all SMs are counted, and all votes are in.
    pub fn finish_sample(&mut self, own: u64, now: u64) {
        self.next_sample = own + u64::from(self.config.sample_interval);
        if own.is_multiple_of(self.config.epoch_cycles.into()) {
            self.epoch.cycle = now;
            self.stats.epochs += 1;
            self.tuning.add(&std::mem::take(&mut self.epoch));
        }
    }

    /// The vote of an SM in SM cycle `own`.
    ///
    /// # Errors
    /// What the frequency manager refuses.
    pub fn vote(&mut self, own: u64, sm: u16, sm_vote: Step, mem_vote: Step) -> Result<(), Fault> {
        let Some(fm) = &mut self.fm else { return Ok(()) };
        let before = fm.state();
        if let Some(Round { sm, mem }) = fm.vote(Cycle(own), SmxId(sm), sm_vote, mem_vote)? {
            let after = fm.state();
            // A domain that relaxes (equalizer-F6) steps without a decision.
            let steps_down = |domain: fn(&FmState) -> Step| domain(&after) < domain(&before);
            for (outcome, is_down, of) in [
                (sm.outcome, steps_down(|state| state.sm.target), &mut self.stats.sm),
                (mem.outcome, steps_down(|state| state.mem.target), &mut self.stats.mem),
            ] {
                *match outcome {
                    Outcome::None => &mut of.none,
                    Outcome::Busy => &mut of.busy,
                    Outcome::Limit => &mut of.limit,
                    Outcome::Start | Outcome::Done if is_down => &mut of.down,
                    Outcome::Start | Outcome::Done => &mut of.up,
                } += 1;
            }
        }
        Ok(())
    }

    /// How often block counts changed, and blocks were paused or woken.
    pub fn stats_mut(&mut self) -> &mut EqualizerStats {
        &mut self.stats
    }

    /// The levels in SM cycle `own`, which begins with core cycle `now` at the earliest, if they are others than before.
    ///
    /// # Errors
    /// What the frequency manager refuses.
    pub fn new_levels(&mut self, own: u64, now: u64) -> Result<Option<VfPair>, Fault> {
        let Some(fm) = &mut self.fm else { return Ok(None) };
        let levels = fm.levels(Cycle(own))?;
        let levels = VfPair { sm: level(levels.sm), mem: level(levels.mem) };
        if levels == self.levels {
            return Ok(None);
        }
        self.cycles(now);
        self.levels = levels;
        self.tuning.levels.add(LevelChange { cycle: now, levels });
        Ok(Some(levels))
    }

    /// Core cycles before `until` at each pair of levels.
    pub fn cycles(&mut self, until: u64) -> VfCycles {
        let VfPair { sm, mem } = self.levels;
        self.cycles[sm as usize][mem as usize] += until - self.since;
        self.since = until;
        self.cycles
    }

    /// Warps by class so far, if they are sampled.
    #[must_use]
    pub fn warps(&self) -> Option<WarpStates> {
        self.is_sampling().then_some(self.warps)
    }

    /// What was counted, if Equalizer was on, and what happened over time, if anything was sampled.
    #[must_use]
    pub fn finish(mut self, now: u64) -> (Option<EqualizerStats>, Option<Tuning>) {
        if self.epoch.warps.samples > 0 {
            self.epoch.cycle = now;
            self.tuning.add(&self.epoch);
        }
        let tuning = self.is_sampling().then_some(self.tuning);
        (self.fm.map(|_| self.stats), tuning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// equalizer-F6: with nobody asking for more, what was high goes down again, and is counted so.
    #[test]
    fn a_step_back_to_normal_is_a_step_down() {
        let mut config = GpuConfig::preset("gtx480_equalizer").unwrap();
        for (key, value) in [("equalizer.enabled", "true"), ("equalizer.idle", "relax"), ("sm.count", "1")] {
            config.set(key, value).unwrap();
        }
        let mut equalizer = Equalizer::new(&config).unwrap();
        for (own, vote) in [(4096, Step::Up), (8192, Step::Hold)] {
            equalizer.vote(own, 0, vote, vote).unwrap();
        }
        for of in [equalizer.stats.sm, equalizer.stats.mem] {
            assert_eq!((of.up, of.down), (1, 1), "{of:?}");
        }
    }

    #[test]
    fn rows_are_bounded_and_nothing_is_lost() {
        let mut tuning = Tuning::default();
        for epoch in 0..10_000 {
            let warps = WarpStates { samples: 32, active: epoch, ..WarpStates::default() };
            tuning.add(&EpochRow { cycle: epoch, running: 2 * epoch, warps, ..EpochRow::default() });
        }
        assert!(tuning.rows.len() <= MOST_ROWS && tuning.epochs_per_row == 8, "{}", tuning.rows.len());
        let sum = |of: fn(&EpochRow) -> u64| tuning.rows.iter().map(of).sum::<u64>();
        assert_eq!((sum(|row| row.warps.samples), sum(|row| row.warps.active)), (320_000, 9999 * 5000));
        assert_eq!((sum(|row| row.running), tuning.rows.last().unwrap().cycle), (9999 * 10_000, 9999));
        assert_eq!(tuning.rows[0].cycle, 7);
    }
}
