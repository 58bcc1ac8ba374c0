//! A host of LaPerm: it keeps what a host must keep, and has every answer checked against the invariants.

use std::collections::BTreeMap;

use gpusched::laperm::{LaPerm, Model, Tables, Tick};
use gpusched::{Cycle, Fault, Id, KernelSlot, Resources, SmxId};

use super::event::{Answer, Event};
use super::invariants::Observer;
use super::view::{View, loading};

/// A TB that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Running {
    /// Where.
    pub smx: SmxId,
    /// Its kernel or group.
    pub tag: u64,
    /// Its number there.
    pub tb: u32,
    /// Its priority.
    pub prio: u8,
    /// Its kernel's entry of the kernel distributor.
    pub kde: Option<KernelSlot>,
}

/// What a host knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Host {
    /// What TBs need, by tag.
    pub needs: BTreeMap<u64, Resources>,
    /// TBs that run, oldest first.
    pub running: Vec<Running>,
    observer: Observer,
}

impl Host {
    /// Makes a call, checks the answer and the state, and keeps what it must know.
    ///
    /// # Errors
    /// What does not hold.
    pub fn call<T: Tables>(&mut self, m: &mut LaPerm<T>, event: &Event) -> Result<Result<Answer, Fault>, String>
    where
        LaPerm<T>: Clone + PartialEq,
    {
        let before = m.clone();
        let answer = event.apply(m);
        if answer.is_err() && *m != before {
            return Err("a refused call changed the state".into());
        }
        self.note(&View::of(&before), m, event, &answer)?;
        Ok(answer)
    }

    /// Learns of a call that was made elsewhere.
    ///
    /// # Errors
    /// What does not hold.
    pub fn note<T: Tables>(
        &mut self,
        before: &View,
        m: &LaPerm<T>,
        event: &Event,
        answer: &Result<Answer, Fault>,
    ) -> Result<(), String> {
        m.validate().map_err(|broken| broken.to_string())?;
        let Ok(value) = answer else { return Ok(()) };
        match (*event, value) {
            (Event::PushHost { tag, res, .. } | Event::PushChild { tag, res, .. }, _) => {
                self.needs.insert(tag, res);
            }
            (Event::TbDone { smx, res, kde, .. }, _) => {
                let ended = |r: &Running| r.smx == smx && r.kde == kde && self.needs[&r.tag] == res;
                if let Some(i) = self.running.iter().position(ended) {
                    self.running.remove(i);
                }
            }
            (_, Answer::Tick(Tick::Dispatch(d))) => {
                self.running.push(Running { smx: d.smx, tag: d.tag, tb: d.tb, prio: d.prio, kde: d.kde });
            }
            _ => {}
        }
        self.observer.note(before, m.config(), event, value)
    }

    /// The call that ends a running TB.
    #[must_use]
    pub fn end(&self, now: Cycle, tb: &Running) -> Event {
        Event::TbDone { now, smx: tb.smx, res: self.needs[&tb.tag], kde: tb.kde }
    }

    /// The end of every story: SMXs are unmasked, what runs ends, and all that was pushed is sent.
    ///
    /// # Errors
    /// What does not hold; also work that is not sent in spite of room and time, or sent twice.
    pub fn drain<T: Tables>(&mut self, m: &mut LaPerm<T>) -> Result<(), String>
    where
        LaPerm<T>: Clone + PartialEq,
    {
        let c = *m.config();
        let mut now = m.now();
        for s in (0..c.smxs as usize).map(SmxId::from_index) {
            let _ = self.call(m, &Event::SetMask { now, smx: s, masked: false })?;
        }
        // All SMXs are visited in turn; nothing waits longer for its cycle than its latencies.
        let patience = 2 * c.smxs + c.refill_cycles + c.kmu_dispatch_cycles + c.queue_cap + 2 * c.levels + 4;
        let mut idle = 0;
        while !m.is_idle() {
            now = now.after(1);
            for tb in self.running.clone() {
                let ended = self.call(m, &self.end(now, &tb))?;
                ended.map_err(|fault| format!("{fault}: the end of {tb:?}"))?;
            }
            for tag in loading(&View::of(m)).collect::<Vec<_>>() {
                let here = self.call(m, &Event::Refilled { now, tag })?;
                here.map_err(|fault| format!("{fault}: {tag} was asked for"))?;
            }
            if c.model == Model::Cdp {
                let _ = self.call(m, &Event::KmuTick { now })?;
            }
            let ticked = self.call(m, &Event::Tick { now })?;
            idle = if matches!(ticked, Ok(Answer::Tick(Tick::Dispatch(_)))) { 0 } else { idle + 1 };
            if idle > patience {
                return Err("work waits for ever".into());
            }
        }
        if self.observer.all_sent() { Ok(()) } else { Err("laperm-I1: work is lost".into()) }
    }
}
