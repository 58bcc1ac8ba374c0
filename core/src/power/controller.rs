//! The controller: its state, the sample as a whole, and the account.
//!
//! It keeps no ledger: whoever samples brings one, such as a front end's residency.

use super::config::BubbleConfig;
use super::energy::Rates;
use super::ledger::Ledger;
use super::registers::{GpuLevel, PState, Registers, SmxLevel, SmxPower};
use super::sample::{Sample, Waiting};
use super::stats::{BubbleStats, count};
use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::home::{BuildError, TableTooSmall};
use crate::base::id::SmxId;
use crate::base::resources::Resources;
use crate::base::set::SmxSet;
use crate::base::table::{Rows, Table};

/// What full activity is in.
const THOUSAND: u16 = 1000;

impl BubbleConfig {
    /// The SMXs.
    pub(super) fn smx_ids(&self) -> impl Iterator<Item = SmxId> + use<> {
        // At most 256.
        (0..self.smxs as u16).map(SmxId)
    }
}

/// Diversion, draining, resumption and P-states over a ledger that somebody else keeps. With inline rows it is one plain value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BubbleController<S> {
    pub(super) config: BubbleConfig,
    pub(super) rates: Rates,
    /// The time of the last event.
    pub(super) now: Cycle,
    /// The last sample.
    pub(super) sampled: Option<Cycle>,
    /// Energy is counted up to here.
    pub(super) accounted: Option<Cycle>,
    pub(super) gpu: GpuLevel,
    pub(super) smxs: Table<SmxId, SmxPower, S>,
    pub(super) energy_uncore: u128,
    pub(super) stats: BubbleStats,
}

impl<S: Rows<SmxPower>> BubbleController<S> {
    /// A controller on the given rows, one per SMX: all SMXs high, eligible and armed.
    ///
    /// # Errors
    /// A value out of its range, or fewer rows than SMXs.
    pub fn new(config: &BubbleConfig, rows: S) -> Result<Self, BuildError> {
        config.check().map_err(BuildError::Config)?;
        let (have, need) = (AsRef::<[SmxPower]>::as_ref(&rows).len(), config.smxs as usize);
        if have < need {
            return Err(BuildError::Tables(TableTooSmall { table: "powers", have, need }));
        }
        Ok(Self::fresh(config, rows))
    }

    /// A controller of a checked configuration, on rows for all SMXs.
    pub(crate) fn fresh(config: &BubbleConfig, rows: S) -> Self {
        let mut smxs = Table::new(rows);
        for s in config.smx_ids() {
            smxs[s] = SmxPower { armed: true, ..SmxPower::default() };
        }
        Self {
            config: *config,
            rates: Rates::of(config),
            now: Cycle::ZERO,
            sampled: None,
            accounted: None,
            gpu: GpuLevel::default(),
            smxs,
            energy_uncore: 0,
            stats: BubbleStats::default(),
        }
    }

    // ---- verbs

    /// A sample (bubble_dvfs-B3): closes the interval, ends transitions, then decides. The first sample sets the phase, all
    /// others follow at [`BubbleController::next_sample`].
    ///
    /// `waiting` is the TB that the scheduler would dispatch next; `activity` is one value from 0 to 1000 per SMX, or follows
    /// from the occupancy.
    ///
    /// # Errors
    /// `TimeBackwards`, `OffSample`; of the waiting TB `BadResources`, `TbTooBig`, `BadMask`; `BadActivity`.
    pub fn sample(
        &mut self,
        now: Cycle,
        waiting: Option<&Waiting>,
        activity: Option<&[u16]>,
        ledger: &impl Ledger,
    ) -> Result<Sample, Fault> {
        self.check_time(now)?;
        if self.sampled.is_some() && self.next_sample() != Some(now) {
            return Err(Fault::OffSample);
        }
        if let Some(Waiting { res, allowed }) = waiting {
            self.config.check_tb(res)?;
            let bad = |set: &SmxSet| set.is_empty() || !set.without(&self.all_smxs()).is_empty();
            if allowed.as_ref().is_some_and(bad) {
                return Err(Fault::BadMask);
            }
        }
        self.check_activity(activity)?;

        self.sampled = Some(now);
        self.close_interval(now, activity, ledger);
        self.count_sample(ledger);
        let mut sample = Sample::default();
        self.end_transitions(&mut sample);
        if self.config.enabled {
            self.decide(waiting, ledger, &mut sample);
        }
        (sample.eligible, sample.registers) = (self.eligible(), self.registers());
        Ok(sample)
    }

    /// Closes the energy interval up to now and does nothing else: for the end of a run.
    ///
    /// # Errors
    /// `TimeBackwards`, `BadActivity`.
    pub fn account(&mut self, now: Cycle, activity: Option<&[u16]>, ledger: &impl Ledger) -> Result<(), Fault> {
        self.check_time(now)?;
        self.check_activity(activity)?;
        self.close_interval(now, activity, ledger);
        Ok(())
    }

    pub(super) fn check_time(&self, now: Cycle) -> Result<(), Fault> {
        if now < self.now { Err(Fault::TimeBackwards) } else { Ok(()) }
    }

    pub(crate) fn check_activity(&self, activity: Option<&[u16]>) -> Result<(), Fault> {
        let of_each = |a: &[u16]| a.len() == self.config.smxs as usize && a.iter().all(|&a| a <= THOUSAND);
        if activity.is_none_or(of_each) { Ok(()) } else { Err(Fault::BadActivity) }
    }

    // ---- bubble_dvfs-S1

    /// Energy since the last account or sample, at the P-states of that time (bubble_dvfs-B4).
    fn close_interval(&mut self, now: Cycle, activity: Option<&[u16]>, ledger: &impl Ledger) {
        self.now = now;
        let Some(since) = self.accounted.replace(now) else { return };
        let cycles = now.since(since);
        let mut given = activity.map(<[u16]>::iter);
        for s in self.config.smx_ids() {
            let activity = match &mut given {
                Some(values) => u64::from(values.next().copied().unwrap_or(0)),
                None => self.occupancy_in_thousandths(ledger.warps(s)),
            };
            let energy = self.rates.smx(self.pstate_of(s), cycles, activity);
            let in_bubble = self.is_bubble(s, ledger);
            let smx = &mut self.smxs[s];
            smx.energy += energy;
            smx.energy_bubble += if in_bubble { energy } else { 0 };
        }
        self.energy_uncore += self.rates.uncore(cycles);
    }

    /// Counts the sample, and arms every SMX that is in no bubble.
    fn count_sample(&mut self, ledger: &impl Ledger) {
        count(&mut self.stats.samples);
        for s in self.config.smx_ids() {
            let (bubble, low) = (self.is_bubble(s, ledger), self.pstate_of(s) == PState::Low);
            let smx = &mut self.smxs[s];
            if bubble {
                count(&mut smx.bubble);
            } else {
                smx.armed = true;
            }
            if low {
                count(&mut smx.low);
            }
        }
    }

    /// bubble_dvfs-S3 to S6.
    fn decide(&mut self, waiting: Option<&Waiting>, ledger: &impl Ledger, sample: &mut Sample) {
        match self.gpu {
            GpuLevel::Normal { .. } => {
                let idle = waiting.is_none() && self.config.smx_ids().all(|s| ledger.is_idle(s));
                if !self.enter_gpu_level(idle, sample) {
                    let resumed = waiting.and_then(|tb| self.resume(tb, ledger, sample));
                    self.divert(waiting, resumed, ledger, sample);
                }
            }
            GpuLevel::Low if waiting.is_some() => self.wake_gpu(sample),
            GpuLevel::GoingDown { .. } | GpuLevel::Low | GpuLevel::GoingUp { .. } => {}
        }
    }

    // ---- the definitions of the sheet's Behaviour

    /// need(s): an occupancy below T.
    pub(super) fn is_bubble(&self, s: SmxId, ledger: &impl Ledger) -> bool {
        let occupied = u64::from(ledger.warps(s)) * u64::from(self.config.t_den);
        let threshold = u64::from(self.config.t_num) * u64::from(self.config.max_warps());
        occupied < threshold || (self.config.inclusive && occupied == threshold)
    }

    /// full(s): an occupancy of 1. Warps of odd-sized TBs may add up to more.
    pub(super) fn is_full(&self, s: SmxId, ledger: &impl Ledger) -> bool {
        ledger.warps(s) >= self.config.max_warps()
    }

    /// may(s): the waiting TB can run there.
    pub(super) fn may_take(s: SmxId, tb: &Waiting, ledger: &impl Ledger) -> bool {
        tb.allowed.is_none_or(|allowed| allowed.contains(s)) && ledger.fits(s, &tb.res)
    }

    pub(super) fn is_eligible(&self, s: SmxId) -> bool {
        !self.gpu.is_in_force() && self.smxs[s].level == SmxLevel::Normal
    }

    fn occupancy_in_thousandths(&self, warps: u32) -> u64 {
        let most = self.config.max_warps();
        let thousandths = u64::from(warps.min(most)) * u64::from(THOUSAND);
        thousandths.checked_div(most.into()).unwrap_or(0)
    }

    fn pstate_of(&self, s: SmxId) -> PState {
        match (self.gpu, self.smxs[s].level) {
            (GpuLevel::GoingDown { low, .. }, _) if low.contains(s) => PState::Low,
            (GpuLevel::GoingDown { .. }, _) => PState::Down,
            (GpuLevel::Low, _) => PState::Low,
            (GpuLevel::GoingUp { .. }, _) => PState::Up,
            (GpuLevel::Normal { .. }, SmxLevel::Normal | SmxLevel::Draining { .. }) => PState::High,
            (GpuLevel::Normal { .. }, SmxLevel::GoingDown { .. }) => PState::Down,
            (GpuLevel::Normal { .. }, SmxLevel::Low) => PState::Low,
            (GpuLevel::Normal { .. }, SmxLevel::GoingUp { .. }) => PState::Up,
        }
    }

    pub(super) fn all_smxs(&self) -> SmxSet {
        SmxSet::first(self.config.smxs)
    }

    pub(super) fn smxs_where(&self, holds: impl Fn(&SmxPower) -> bool) -> SmxSet {
        let mut set = SmxSet::EMPTY;
        self.config.smx_ids().for_each(|s| set.set(s, holds(&self.smxs[s])));
        set
    }

    // ---- queries

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &BubbleConfig {
        &self.config
    }

    /// The time of the last event.
    #[must_use]
    pub fn now(&self) -> Cycle {
        self.now
    }

    /// The only time of the next sample; `None` before the first one, which may come at any time, and after the last that a
    /// cycle number can express.
    #[must_use]
    pub fn next_sample(&self) -> Option<Cycle> {
        self.sampled?.0.checked_add(self.config.sample_cycles.into()).map(Cycle)
    }

    /// SMXs that may receive TBs.
    #[must_use]
    pub fn eligible(&self) -> SmxSet {
        if self.gpu.is_in_force() { SmxSet::EMPTY } else { self.smxs_where(|smx| smx.level == SmxLevel::Normal) }
    }

    /// The control registers.
    #[must_use]
    pub fn registers(&self) -> Registers {
        Registers {
            dvr: self.smxs_where(|smx| smx.level.is_diverted()),
            drn: self.smxs_where(|smx| smx.level.is_draining()),
            dvfs: self.smxs_where(|smx| smx.level.has_level()),
            gpu: self.gpu.is_in_force(),
        }
    }

    /// SMXs that may be diverted when a bubble is found.
    #[must_use]
    pub fn armed(&self) -> SmxSet {
        self.smxs_where(|smx| smx.armed)
    }

    /// The GPU level.
    #[must_use]
    pub fn gpu(&self) -> GpuLevel {
        self.gpu
    }

    /// An SMX; `None` if there is no such SMX.
    #[must_use]
    pub fn smx(&self, smx: SmxId) -> Option<&SmxPower> {
        self.exists(smx).then(|| &self.smxs[smx])
    }

    /// The P-state of an SMX; `None` if there is no such SMX.
    #[must_use]
    pub fn pstate(&self, smx: SmxId) -> Option<PState> {
        self.exists(smx).then(|| self.pstate_of(smx))
    }

    /// Energy of everything but the SMXs, mW x cycles.
    #[must_use]
    pub fn energy_uncore(&self) -> u128 {
        self.energy_uncore
    }

    /// Energy of the GPU, mW x cycles. A cycle lasts 1/`f_high_mhz` us.
    #[must_use]
    pub fn energy(&self) -> u128 {
        self.energy_uncore + self.config.smx_ids().map(|s| self.smxs[s].energy).sum::<u128>()
    }

    /// Statistics since the controller was built.
    #[must_use]
    pub fn stats(&self) -> BubbleStats {
        self.stats
    }

    pub(super) fn exists(&self, smx: SmxId) -> bool {
        u32::from(smx.0) < self.config.smxs
    }

    /// A TB is about to start: those tests of bubble_dvfs-B1 that do not need the ledger.
    pub(super) fn check_dispatch(&self, now: Cycle, smx: SmxId, res: &Resources) -> Result<(), Fault> {
        self.check_time(now)?;
        if !self.exists(smx) {
            return Err(Fault::BadSmx);
        }
        self.config.check_tb(res)?;
        if self.is_eligible(smx) { Ok(()) } else { Err(Fault::NotEligible) }
    }
}
