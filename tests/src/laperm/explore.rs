//! Every order of a few calls on a tiny LaPerm, breadth first, each state once.
//!
//! Two states are the same if they differ only in what cycle it is. In each of them the invariants hold, and from each of them
//! everything that was pushed is sent, once.

use std::collections::VecDeque;

use gpusched::laperm::{Config, LaPerm, Model};
use gpusched::{Cycle, Resources};

use super::event::Event;
use super::heap::{self, HeapTables};
use super::host::Host;
use super::view::{View, loading};
use crate::seen::Seen;

/// What may happen.
pub struct Bounds {
    /// Pushes, in order; each at any time.
    pub pushes: &'static [Push],
    /// The SMX that may be masked and unmasked at any time, if one may.
    pub mask: Option<gpusched::SmxId>,
}

/// Work that is pushed once.
#[derive(Clone, Copy, Debug)]
pub enum Push {
    /// TBs, threads of one.
    Host(u32, u32),
    /// TBs, threads of one. The parent is the TB that runs longest; without one it cannot be pushed.
    Child(u32, u32),
}

/// A state: the machine, its host, pushes made, and whether this cycle was ticked.
#[derive(Clone)]
struct State {
    machine: LaPerm<HeapTables>,
    host: Host,
    pushed: usize,
    ticked: bool,
    now: Cycle,
}

impl State {
    /// What tells states apart.
    fn key(&self) -> (View, Host, usize, bool) {
        let mut view = View::of(&self.machine);
        let until = |at: &mut Cycle| *at = Cycle(at.since(self.now));
        view.queues.iter_mut().flatten().filter_map(|e| e.ready_at.as_mut()).for_each(until);
        until(&mut view.kmu.1);
        view.now = Cycle::ZERO;
        (view, self.host.clone(), self.pushed, self.ticked)
    }

    fn calls(&self, bounds: &Bounds) -> Vec<Event> {
        let now = self.now;
        let need = |threads| Resources { threads, regs: 0, smem: 0, slots: 1 };
        let mut calls = self.host.running.iter().map(|tb| self.host.end(now, tb)).collect::<Vec<_>>();
        let tag = self.pushed as u64;
        match bounds.pushes.get(self.pushed) {
            Some(&Push::Host(tbs, threads)) => calls.push(Event::PushHost { now, tag, tbs, res: need(threads) }),
            Some(&Push::Child(tbs, threads)) => {
                let parent = self.host.running.first();
                calls.extend(parent.map(|p| {
                    let res = need(threads);
                    Event::PushChild { now, tag, tbs, res, parent_smx: p.smx, parent_prio: p.prio }
                }));
            }
            None => {}
        }
        calls.extend(loading(&View::of(&self.machine)).map(|tag| Event::Refilled { now, tag }));
        if !self.ticked {
            calls.push(Event::Tick { now });
        }
        if self.machine.config().model == Model::Cdp {
            calls.push(Event::KmuTick { now });
        }
        calls.extend(bounds.mask.map(|smx| Event::SetMask { now, smx, masked: !self.machine.mask().contains(smx) }));
        calls
    }
}

/// How many states there are.
///
/// # Errors
/// The first thing that does not hold.
///
/// # Panics
/// If the configuration is out of its ranges.
pub fn explore(config: &Config, bounds: &Bounds) -> Result<usize, String> {
    let machine = heap::machine(config).expect("a good configuration");
    let start = State { machine, host: Host::default(), pushed: 0, ticked: false, now: Cycle::ZERO };
    let mut seen = Seen::from_iter([start.key()]);
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        let later = State { now: state.now.after(1), ticked: false, ..state.clone() };
        let made = state.calls(bounds).into_iter().map(|call| {
            let mut next = state.clone();
            let answer = next.host.call(&mut next.machine, &call)?;
            let is_push = matches!(call, Event::PushHost { .. } | Event::PushChild { .. });
            next.pushed += usize::from(is_push && answer.is_ok());
            next.ticked |= matches!(call, Event::Tick { .. });
            Ok::<_, String>(next)
        });
        for next in made.chain([Ok(later)]) {
            let next = next.map_err(|e| format!("{e}, after {:?}", state.host))?;
            if seen.insert(next.key()) {
                let mut end = next.clone();
                end.host.drain(&mut end.machine).map_err(|e| format!("{e}, after {:?}", next.host))?;
                queue.push_back(next);
            }
        }
    }
    Ok(seen.len())
}
