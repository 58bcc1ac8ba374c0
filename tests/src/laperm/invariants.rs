//! What is true of every way of LaPerm (`laperm`, Invariants); what is true in every state is its own (`LaPerm::validate`).

use std::collections::BTreeMap;

use gpusched::laperm::{Config, Dispatch, NoFit, Policy, Reason, Stage, Stall, Tick, Visit};
use gpusched::{Id, SmxId, UnitId};

use super::event::{Answer, Event};
use super::view::View;

fn holds(condition: bool, what: &str) -> Result<(), String> {
    if condition { Ok(()) } else { Err(what.to_owned()) }
}

/// One piece of work on its way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Pushed {
    /// Its place in the order of pushes.
    order: usize,
    tbs: u32,
    sent: u32,
    prio: u8,
    /// Unit of its parent, and the level.
    home: Option<UnitId>,
}

/// Follows one machine from its first call on, with tags that are used once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Observer {
    work: BTreeMap<u64, Pushed>,
}

impl Observer {
    /// Learns of a call that was not refused, the state before it, and the answer.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn note(&mut self, before: &View, c: &Config, event: &Event, answer: &Answer) -> Result<(), String> {
        match (*event, answer) {
            (Event::PushHost { tag, tbs, .. }, _) => self.pushed(tag, tbs, 0, None),
            (Event::PushChild { tag, tbs, parent_smx, parent_prio, .. }, _) => {
                self.pushed(tag, tbs, (parent_prio + 1).min(c.levels as u8), Some(c.unit_of(parent_smx)));
            }
            (_, Answer::Tick(Tick::Dispatch(d))) => return self.dispatched(before, c, event, d),
            (_, Answer::Tick(Tick::Stall(stall))) => return work_conserving(before, c, event, stall),
            _ => {}
        }
        Ok(())
    }

    fn pushed(&mut self, tag: u64, tbs: u32, prio: u8, home: Option<UnitId>) {
        let order = self.work.len();
        self.work.insert(tag, Pushed { order, tbs, sent: 0, prio, home });
    }

    fn dispatched(&mut self, before: &View, c: &Config, event: &Event, d: &Dispatch) -> Result<(), String> {
        let pushed = self.work.get_mut(&d.tag).ok_or("laperm-I1: nobody pushed what was sent")?;
        holds(d.tb == pushed.sent && d.tb < pushed.tbs && d.prio == pushed.prio, "laperm-I1: TBs in order, once each")?;
        pushed.sent += 1;
        holds(d.last == (pushed.sent == pushed.tbs), "laperm-I1: the last TB is the last")?;
        let (order, prio, home) = (pushed.order, pushed.prio, pushed.home);
        // laperm-I2 is about pushes; CDP's kernels stand in the order in which the KMU moved them, which keeps that of a level.
        let mut others = self.work.values().filter(|w| w.order < order && w.sent < w.tbs);
        let same = |w: &Pushed| w.home == home && w.prio == prio || c.policy == Policy::Rr;
        holds(!others.any(same), "laperm-I2: the earlier one of a unit and level ends first")?;
        holds(
            c.policy != Policy::SmxBind || home.is_none_or(|u| u == c.unit_of(d.smx)),
            "laperm-I6: bound to its parent's unit",
        )?;
        holds(c.policy == Policy::Rr || d.unit == home, "children wait where they are bound")?;
        if d.stage == Stage::Backup {
            holds(
                c.policy == Policy::AdaptiveBind && d.unit != Some(c.unit_of(d.smx)),
                "laperm-I6: stage 3 is for others",
            )?;
        }
        if c.no_fit == NoFit::Block {
            let own = c.unit_of(d.smx).index();
            let empty = |place: usize| candidate(before, place, event).is_none();
            holds(d.stage == Stage::Unit || empty(own), "laperm-I7: stage 2 only if the own unit has nothing")?;
            holds(
                d.stage != Stage::Backup || empty(c.units() as usize),
                "laperm-I7: stage 3 only if queue 0 has nothing",
            )?;
        }
        Ok(())
    }

    /// Whether every TB of every push was sent.
    #[must_use]
    pub fn all_sent(&self) -> bool {
        self.work.values().all(|w| w.sent == w.tbs)
    }
}

/// The candidate of a place, units first and queue 0 last (laperm-R6).
fn candidate<'a>(v: &'a View, place: usize, event: &Event) -> Option<&'a super::view::EntryView> {
    let queue = &v.queues[place];
    let first = |i: &usize| *i == 0 || queue[i - 1].section != queue[*i].section;
    (0..queue.len()).filter(first).map(|i| &queue[i]).find(|e| e.ready_at.is_some_and(|at| at <= event.now()))
}

/// No cycle goes by without a dispatch unless there is a reason that the sheet allows (laperm-I9, laperm-I10).
fn work_conserving(before: &View, c: &Config, event: &Event, stall: &Stall) -> Result<(), String> {
    let places = c.units() as usize + 1;
    let visible = (0..places).filter_map(|p| candidate(before, p, event)).collect::<Vec<_>>();
    let fits = |s: SmxId, e: &super::view::EntryView| e.work.res.fits(&before.free[s.index()]);
    let smxs = || (0..c.smxs as usize).map(SmxId::from_index);
    let open = |s: &SmxId| !before.mask.contains(*s);
    match stall.reason {
        Reason::NoWork => holds(visible.is_empty() && stall.smx.is_none(), "no_work means that nothing is visible"),
        Reason::NoCandidate => {
            holds(c.policy == Policy::SmxBind, "laperm-I10: only a binding policy leaves work lying")
        }
        Reason::Masked => match stall.smx {
            Some(s) => holds(before.mask.contains(s), "it is masked"),
            None => holds(!smxs().any(|s| open(&s)), "all are masked"),
        },
        Reason::NoFit if c.no_fit == NoFit::TryNext && c.policy != Policy::SmxBind => {
            // An SMX that may take anything was offered everything.
            let looked = smxs().filter(|s| open(s) && stall.smx.is_none_or(|visited| visited == *s));
            let mut pairs = looked.flat_map(|s| visible.iter().map(move |e| (s, *e)));
            holds(!pairs.any(|(s, e)| fits(s, e)), "try_next: something fits, and nothing was sent")
        }
        Reason::NoFit => {
            let looked = smxs().filter(|s| open(s) && stall.smx.is_none_or(|visited| visited == *s));
            holds(
                looked.flat_map(|s| visible.iter().map(move |e| (s, *e))).any(|(s, e)| !fits(s, e)),
                "something does not fit",
            )
        }
    }?;
    holds(stall.smx.is_some() == (c.visit == Visit::Step && stall.reason != Reason::NoWork), "who was visited")
}
