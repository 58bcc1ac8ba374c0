//! The model's occupancy-bubble controller (frontend-C1): a whole machine of that sheet, which hears of every TB.

use gpusched::power::Waiting;
use gpusched::{Cycle, Decision, Descriptor, Fault, Resources, SmxId};

use super::{Model, laperm::resources};
use crate::bubble::{Answer, Event, Machine};

impl Model {
    /// Gate E.
    pub(super) fn eligible(&self, s: usize) -> bool {
        self.bubble.as_ref().map_or(self.eligible[s], |bubble| bubble.eligible(s))
    }

    fn tell_bubble(&mut self, event: &Event) -> Option<Answer> {
        let answer = self.bubble.as_mut()?.take(event);
        Some(answer.expect("the front end tells the controller nothing that it refuses"))
    }

    pub(super) fn bubble_dispatched(&mut self, s: usize, d: &Descriptor) {
        self.tell_bubble(&Event::Dispatched { now: Cycle(self.now), smx: SmxId(s as u16), res: resources(d) });
    }

    pub(super) fn bubble_completed(&mut self, s: usize, d: &Descriptor) {
        self.tell_bubble(&Event::Completed { now: Cycle(self.now), smx: SmxId(s as u16), res: resources(d) });
    }

    /// frontend-C1.
    pub(super) fn c_sample(&mut self) {
        let Some(config) = self.config.bubble else { return };
        if self.now == 0 || !self.now.is_multiple_of(config.sample_cycles.into()) {
            return;
        }
        let head = self.waiting_head((self.stats.samples % self.units() as u64) as usize);
        let waiting = head.map(|head| {
            let need = head.need;
            let res = Resources { threads: need.threads, regs: need.regs, smem: need.smem, slots: 1 };
            Waiting { res, allowed: Some(head.allowed) }
        });
        let event = Event::Sample { now: Cycle(self.now), waiting, activity: self.activity.take() };
        let Some(Answer::Sample(sample)) = self.tell_bubble(&event) else { unreachable!("a sample answers with one") };
        self.stats.samples += 1;
        self.emit(Decision::Sample { waiting: head.map(|head| head.tag) });
        self.told.push((Cycle(self.now), sample));
    }

    /// The end of a run.
    pub(super) fn account(&mut self, activity: Option<Vec<u16>>) -> Result<(), Fault> {
        let bubble = self.bubble.as_mut().ok_or(Fault::NoBubble)?;
        bubble.take(&Event::Account { now: Cycle(self.now), activity }).map(|_| ())
    }

    /// The activity that the next sample uses.
    pub(super) fn set_activity(&mut self, values: &[u16]) -> Result<(), Fault> {
        if self.bubble.is_none() {
            return Err(Fault::NoBubble);
        }
        if values.len() != self.tbcr.len() || values.iter().any(|&value| value > 1000) {
            return Err(Fault::BadActivity);
        }
        self.activity = Some(values.to_vec());
        Ok(())
    }
}
