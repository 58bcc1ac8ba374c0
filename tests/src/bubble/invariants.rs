//! The sheet's invariants: those of what can be seen of a state, those of an event, and those of what follows. Those of the state itself
//! are the machine's own (`BubbleDvfs::validate`).

use gpusched::power::{BubbleConfig, GpuDone, GpuStart, PState, Resume, Sample, Waiting};
use gpusched::{Cycle, Fault, Resources, SmxId};

use super::{Answer, Bubbles, Event, View};
use crate::machine::Of;

fn holds(what: &str, holds: bool) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("invariant {what}")) }
}

/// What can be seen of a state agrees: registers, P-states and the mask of SMXs, which are made of the levels of which the machine's own
/// `validate` speaks (bubble_dvfs-I2). `after_sample` says that no event came after the last sample.
///
/// # Errors
/// The number of the first one that does not hold.
pub fn check_state(view: &View, after_sample: bool) -> Result<(), String> {
    let registers = &view.registers;
    holds("2: DRN without DVR", registers.drn.without(&registers.dvr).is_empty())?;
    for (s, smx) in view.each() {
        let (dvr, drn, dvfs) = (registers.dvr.contains(s), registers.drn.contains(s), registers.dvfs.contains(s));
        let eligible = !registers.gpu && !dvr && !dvfs;
        holds("eligible", view.eligible.contains(s) == eligible && (!eligible || smx.pstate == PState::High))?;
        holds("1: not diverted, yet not on its way", registers.gpu || dvr || eligible || smx.pstate == PState::Up)?;
        holds("2: draining", !drn || smx.pstate == PState::High)?;
        holds("2: diverted for nothing", !(after_sample && dvr && !dvfs) || drn)?;
    }
    Ok(())
}

/// Follows one machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Watch {
    config: BubbleConfig,
    samples: u64,
    /// The sample in which each SMX's transition started.
    started: Vec<Option<u64>>,
    gpu_started: Option<u64>,
}

impl Watch {
    /// Of a new machine.
    #[must_use]
    pub fn new(config: &BubbleConfig) -> Self {
        Self { config: *config, samples: 0, started: vec![None; config.smxs as usize], gpu_started: None }
    }

    /// An event has taken the machine from one state to another.
    ///
    /// # Errors
    /// What does not hold.
    pub fn note(
        &mut self,
        event: &Event,
        answer: &Result<Answer, Fault>,
        before: &View,
        after: &View,
    ) -> Result<(), String> {
        check_state(after, matches!(answer, Ok(Answer::Sample(_))))?;
        match (event, answer) {
            (Event::Dispatched { smx, .. }, Ok(_)) => {
                let high = before.smxs[usize::from(smx.0)].pstate == PState::High;
                holds("4", before.eligible.contains(*smx) && high)
            }
            (_, Ok(Answer::Sample(sample))) => {
                let same = sample.registers == after.registers && sample.eligible == after.eligible;
                holds("the record's registers", same)?;
                self.note_sample(sample)
            }
            _ => Ok(()),
        }
    }

    /// bubble_dvfs-I5 and bubble_dvfs-I6, by the record of a sample.
    ///
    /// # Errors
    /// What does not hold.
    pub fn note_sample(&mut self, sample: &Sample) -> Result<(), String> {
        let (now, p) = (self.samples, u64::from(self.config.transition_samples));
        self.samples += 1;
        holds("5", !sample.starved || sample.divert.is_empty())?;
        let up = |s| sample.resume == Some(Resume::up(s));
        for s in (0..self.config.smxs as u16).map(SmxId) {
            let started = &mut self.started[usize::from(s.0)];
            if sample.low_done.contains(s) || sample.high_done.contains(s) {
                holds("6: ended", *started == Some(now - p))?;
                *started = None;
            }
            if sample.down.contains(s) || up(s) {
                holds("6: started twice", started.is_none())?;
                *started = Some(now);
            }
            holds("6: broken off", started.is_none_or(|at| now - at < p))?;
        }
        if let Some(GpuDone::Low | GpuDone::High) = sample.gpu_done {
            holds("6: GPU ended", self.gpu_started == Some(now - p))?;
            self.gpu_started = None;
        }
        if let Some(GpuStart::Down | GpuStart::Up) = sample.gpu_start {
            holds("6: GPU started twice", self.gpu_started.is_none())?;
            holds("bubble_dvfs-S4: transitions of SMXs", self.started.iter().all(Option::is_none))?;
            self.gpu_started = Some(now);
        }
        Ok(())
    }
}

/// bubble_dvfs-I7: a TB that waits is served although no running TB ends. `next` is the time of the next sample.
///
/// # Errors
/// That it is not, after as many samples as it may take.
pub fn serves<M: Of<Bubbles> + Clone>(
    machine: &M,
    config: &BubbleConfig,
    res: Resources,
    next: u64,
) -> Result<(), String> {
    let tb = Waiting { res, allowed: None };
    let view = machine.view();
    // With the GPU level in force every SMX is empty, unless the host gave back less than it had taken.
    let returns = |s, pstate| view.registers.gpu || view.registers.dvr.contains(s) || pstate == PState::Up;
    let room = view.each().any(|(s, smx)| returns(s, smx.pstate) && res.fits(&smx.free));
    let taken = |view: &View| view.each().any(|(s, _)| view.takes(config, s, &tb));
    if !config.draining || !config.enabled || taken(&view) || !room {
        return Ok(());
    }
    let most = u64::from(config.drain_samples) + 2 * u64::from(config.transition_samples);
    samples_until(machine, config, Some(tb), next, most, taken)
        .map(drop)
        .ok_or_else(|| format!("bubble_dvfs-I7: {res:?}"))
}

/// Samples a copy of the machine until `done`, at most `most` times. How often, or `None` if that is not enough.
pub fn samples_until<M: Of<Bubbles> + Clone>(
    machine: &M,
    config: &BubbleConfig,
    waiting: Option<Waiting>,
    next: u64,
    most: u64,
    done: impl Fn(&View) -> bool,
) -> Option<u64> {
    let mut machine = machine.clone();
    if done(&machine.view()) {
        return Some(0);
    }
    (0..most).find(|i| {
        let now = Cycle(next + i * u64::from(config.sample_cycles));
        machine.take(&Event::Sample { now, waiting, activity: None }).is_ok() && done(&machine.view())
    })
}
