//! Cycles in which nothing can happen: what one has found is remembered for those behind it.
//!
//! Two things are remembered, each with the first cycle in which it may be otherwise. What comes before dispatch (frontend-T1 to
//! frontend-T3, frontend-C1) depends on time and on verbs alone; so does the word of a cycle that sends nothing. Whatever changes the
//! machine makes both forgotten; a launch, which takes time, lets them stand until it is ready.

use crate::base::cycle::Cycle;
use crate::frontend::tables::Tables;
use crate::frontend::{FrontEnd, Tick};
use crate::launch::cursor::{Cursor, Load};
use crate::launch::kmu::Kmu;
use crate::policy::Sched;
use crate::power::Sample;
use crate::probe::{Decision, Probe};

/// What the last cycles have found.
pub(crate) struct Quiet {
    /// Before this cycle there is nothing to do ahead of dispatch, and the KMU's word is that of `tick`.
    before_dispatch: Cycle,
    /// Before this cycle every cycle answers `tick`, and decides nothing.
    all: Cycle,
    tick: Tick,
}

impl Default for Quiet {
    fn default() -> Self {
        let tick = Tick { sched: Sched::Idle, kmu: Kmu::Empty };
        Self { before_dispatch: Cycle::ZERO, all: Cycle::ZERO, tick }
    }
}

/// A copy remembers nothing.
impl Clone for Quiet {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Quiet {
    /// What the cycle `now` answers, if nothing can happen in it.
    #[inline(always)]
    pub(super) fn tick(&self, now: Cycle) -> Option<&Tick> {
        (now < self.all).then_some(&self.tick)
    }

    /// The KMU's word in the cycle `now`, if there is nothing to do in it ahead of dispatch.
    #[inline(always)]
    pub(super) fn kmu(&self, now: Cycle) -> Option<Kmu> {
        (now < self.before_dispatch).then_some(self.tick.kmu)
    }

    /// Anything may have changed.
    #[inline(always)]
    pub(super) fn end(&mut self) {
        self.end_at(Cycle::ZERO);
    }

    /// Something changes in the cycle `at`, and nothing does before it.
    #[inline(always)]
    pub(super) fn end_at(&mut self, at: Cycle) {
        self.before_dispatch = self.before_dispatch.min(at);
        self.all = self.all.min(at);
    }

    /// A TB was sent or has ended, and nothing else has changed.
    #[inline(always)]
    pub(super) fn end_word(&mut self) {
        self.all = Cycle::ZERO;
    }
}

impl<T: Tables> FrontEnd<T> {
    /// Ahead of dispatch there was nothing to do in this cycle, in which the KMU said `kmu`. There is nothing until something falls due.
    pub(super) fn remember_before_dispatch(&mut self, kmu: Kmu) {
        // LaPerm looks at its lists in every cycle, and grids follow each other as their TBs are sent.
        if self.laperm.is_some() || self.grids.is_some() {
            return;
        }
        let now = self.board.now;
        // What waits though an entry is free, for the turn of its context, is looked at again.
        if self.board.has_candidate() && self.board.kd.has_free() && kmu != Kmu::Busy {
            return;
        }
        let later = |at: Cycle| if at > now { at } else { Cycle::MAX };
        let of_time = [self.board.kd.next_arrival(), self.bubble.as_ref().map(|bubble| bubble.at), self.next_saved()];
        let kmu_at = later(self.board.records.dev_ready()).min(later(self.kmu.next_issue()));
        let first = of_time.into_iter().flatten().fold(kmu_at, Cycle::min);
        self.quiet.before_dispatch = first.min(self.board.records.agg_ready());
        self.quiet.tick.kmu = kmu;
    }

    /// This cycle has sent nothing, for which it had `word`. Those behind it send nothing until something falls due, unless a load is under
    /// way.
    pub(super) fn remember_word(&mut self, word: &Sched) {
        let is_loading = |cursor: &Cursor| matches!(cursor.load, Load::Waiting(_));
        let board = &self.board;
        let is_steady = !self.laperm.is_some() && board.config.load_ahead == 0;
        if is_steady && !board.kd.fifo().any(|k| board.kd.get(k).cursor().is_some_and(is_loading)) {
            self.quiet.tick.sched = *word;
            self.quiet.all = self.quiet.before_dispatch;
        }
    }
}

/// A probe that also notices whether anything was decided.
pub(super) struct Noticing<'p, P> {
    probe: &'p mut P,
    pub(super) any: bool,
}

impl<'p, P> Noticing<'p, P> {
    pub(super) fn of(probe: &'p mut P) -> Self {
        Self { probe, any: false }
    }
}

impl<P: Probe> Probe for Noticing<'_, P> {
    #[inline]
    fn decide(&mut self, at: Cycle, decision: Decision) {
        self.any = true;
        self.probe.decide(at, decision);
    }

    fn sample(&mut self, at: Cycle, record: &Sample) {
        self.probe.sample(at, record);
    }
}
