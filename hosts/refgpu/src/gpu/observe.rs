//! Tells whoever listens what happens ([`crate::timeline::events`]). All of it is silent if nobody does.

use gpusched::Descriptor;

use super::{Gpu, Monitor, RunError};
use crate::equalizer::VfPair;
use crate::front::Placed;
use crate::sm::Sm;
use crate::timeline::events::{Event, Observer, Sample, SmSample};
use crate::timeline::teller::Listeners;

impl Gpu {
    /// The run begins before the eyes of `monitor`.
    pub(super) fn begin_telling(&mut self, monitor: &mut dyn Monitor) {
        let is_observed = monitor.observer().is_some();
        if is_observed || self.timeline.tbs.is_on() {
            self.teller.turn_on();
        }
        if is_observed {
            self.told = vec![SmSample::default(); self.sms.len()];
        }
    }

    /// What SMs report to the front end in cycle `now`.
    pub(super) fn tell_reports(&mut self, now: u64, monitor: &mut dyn Monitor) {
        if self.teller.is_on() {
            let mut to = Listeners { log: &mut self.timeline.tbs, observer: monitor.observer() };
            self.teller.observe(now, &self.out, &mut to);
        }
    }

    /// The host has launched a kernel.
    pub(super) fn tell_launch(
        &mut self,
        now: u64,
        stream: usize,
        kernel: &Descriptor,
        name: Option<&str>,
        monitor: &mut dyn Monitor,
    ) {
        if self.teller.is_on() {
            let mut to = Listeners { log: &mut self.timeline.tbs, observer: monitor.observer() };
            self.teller.host_launch(now, stream as u32, kernel, name, &mut to);
        }
    }

    /// What the front end has done in cycle `now`.
    pub(super) fn tell_front(&mut self, now: u64, monitor: &mut dyn Monitor) {
        let Self { teller, timeline, front, .. } = self;
        let mut to = Listeners { log: &mut timeline.tbs, observer: monitor.observer() };
        for (kde, suspended) in front.take_left() {
            to.event(now, Event::Left { kde, suspended });
        }
        for arrival in front.take_arrived() {
            teller.arrive(&arrival, &mut to);
        }
        if teller.is_on() {
            teller.depths(now, front.depths(), &mut to);
        }
    }

    /// A TB starts.
    pub(super) fn tell_start(&mut self, now: u64, tb: &Placed, monitor: &mut dyn Monitor) -> Result<(), RunError> {
        if !self.teller.is_on() {
            return Ok(());
        }
        let log = &mut self.timeline.tbs;
        if log.is_on() && log.is_full() {
            return Err(RunError::TooManyTbs { cycle: now, limit: log.limit() });
        }
        self.teller.start(now, tb, &mut Listeners { log, observer: monitor.observer() });
        Ok(())
    }

    /// SMs are in other states from cycle `now` on.
    pub(super) fn tell_states(&mut self, now: u64, monitor: &mut dyn Monitor) {
        for (smx, state, bubble) in self.power.take_news() {
            if let Some(observer) = monitor.observer() {
                observer.event(now, Event::State { smx, state, bubble });
            }
        }
    }

    /// The levels are others from cycle `now` on.
    pub(super) fn tell_levels(&self, now: u64, levels: VfPair, monitor: &mut dyn Monitor) {
        if let Some(observer) = monitor.observer() {
            observer.event(now, Event::Levels(levels));
        }
    }

    /// A sample ends with core cycle `now`, excluded, at beat `at`.
    pub(super) fn tell_sample(&mut self, now: u64, at: u64, monitor: &mut dyn Monitor) -> Result<(), RunError> {
        let Some(observer) = monitor.observer() else { return Ok(()) };
        let Self { front, sms, told, .. } = self;
        let words = front.words(now).map_err(|fault| RunError::Refused { cycle: now, fault })?;
        let since = |(sm, before): (&mut Sm, &mut SmSample)| {
            let so_far = SmSample::of(&sm.stats(at));
            so_far.since(&std::mem::replace(before, so_far))
        };
        let sms: Vec<SmSample> = sms.iter_mut().zip(told).map(since).collect();
        observer.event(now, Event::Sample(&Sample { cycles: (now - 1) % self.sample_cycles + 1, sms: &sms, words }));
        Ok(())
    }
}
