//! LaPerm a second time, in the plainest way: vectors that are searched and moved, rule by rule as the sheet has them. It shares
//! the core's vocabulary and none of its logic. The model of the front end drives one of these as its sheet says (frontend-E2).

use std::collections::VecDeque;

use gpusched::laperm::{
    Backup, BackupSelect, Config, Dispatch, Kde, KmuStall, KmuTick, Model as Kind, Moved, NoFit, Placed, Policy,
    Reason, RefillMode, Spill, Stage, Stall, Tick, Visit, WaitingHead, Work,
};
use gpusched::{Cycle, Fault, KernelSlot, Resources, SmxId, SmxSet, UnitId};

use super::event::{Answer, Event};
use super::view::{EntryView, View};
use crate::machine::Machine;

type E = EntryView;

/// The machine of the sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    c: Config,
    now: u64,
    last_tick: Option<u64>,
    cur: usize,
    /// Unit queues, sorted by section.
    queues: Vec<Vec<E>>,
    q0: Vec<E>,
    /// Per unit and section.
    spill: Vec<Vec<VecDeque<E>>>,
    host_pending: VecDeque<E>,
    kde: Vec<Option<Kde>>,
    rec: Vec<Option<usize>>,
    run: Vec<u32>,
    kptr: usize,
    kmu_free_at: u64,
    masked: Vec<bool>,
    free: Vec<Resources>,
}

/// Where an entry is looked for: a unit's queue, or queue 0.
pub type Place = Option<usize>;

fn fits(need: &Resources, free: &Resources) -> bool {
    need.threads <= free.threads && need.regs <= free.regs && need.smem <= free.smem && need.slots <= free.slots
}

/// What stands between TBs and SMXs besides room and masks (frontend-T4p).
pub trait Gates {
    /// Whether the SMX counts as masked.
    fn masks(&self, smx: usize) -> bool;
    /// Whether an entry does not exist for a visit of the SMX.
    fn hides(&self, smx: usize, work: &Work) -> bool;
    /// Whether a TB of it does not fit there, whatever room there is.
    fn excludes(&self, smx: usize, work: &Work) -> bool;
}

/// No gates.
struct Open;

impl Gates for Open {
    fn masks(&self, _: usize) -> bool {
        false
    }

    fn hides(&self, _: usize, _: &Work) -> bool {
        false
    }

    fn excludes(&self, _: usize, _: &Work) -> bool {
        false
    }
}

impl Model {
    /// A machine without work.
    #[must_use]
    pub fn new(c: &Config) -> Self {
        let smxs = c.smxs as usize;
        let whole = Resources { threads: c.smx_threads, regs: c.smx_regs, smem: c.smx_smem, slots: c.smx_slots };
        let bound = matches!(c.policy, Policy::SmxBind | Policy::AdaptiveBind);
        let units = if bound { smxs.div_ceil(c.cluster as usize) } else { 1 };
        let kdes = if c.model == Kind::Cdp { c.kdu_entries as usize } else { 0 };
        Self {
            c: *c,
            now: 0,
            last_tick: None,
            cur: 0,
            queues: vec![Vec::new(); units],
            q0: Vec::new(),
            spill: vec![vec![VecDeque::new(); c.levels as usize + 1]; units],
            host_pending: VecDeque::new(),
            kde: vec![None; kdes],
            rec: vec![None; smxs],
            run: vec![0; smxs],
            kptr: 0,
            kmu_free_at: 0,
            masked: vec![false; smxs],
            free: vec![whole; smxs],
        }
    }

    /// U.
    #[must_use]
    pub fn units(&self) -> usize {
        self.queues.len()
    }

    /// The unit of an SMX.
    #[must_use]
    pub fn unit_of(&self, smx: usize) -> usize {
        if self.units() == 1 { 0 } else { smx / self.c.cluster as usize }
    }

    fn whole(&self) -> Resources {
        let c = &self.c;
        Resources { threads: c.smx_threads, regs: c.smx_regs, smem: c.smx_smem, slots: c.smx_slots }
    }

    fn queue_cap(&self) -> usize {
        (if self.c.model == Kind::Cdp { self.c.kdu_entries } else { self.c.queue_cap }) as usize
    }

    fn pool_free(&self) -> usize {
        let spilled = self.spill.iter().flatten().map(VecDeque::len).sum::<usize>();
        self.c.pool_cap as usize - spilled - self.host_pending.len()
    }

    /// Everything that can be seen.
    #[must_use]
    pub fn view(&self) -> View {
        let mut mask = SmxSet::EMPTY;
        for (s, masked) in self.masked.iter().enumerate() {
            mask.set(SmxId(s as u16), *masked);
        }
        let in_memory = |lists: &Vec<VecDeque<E>>| lists.iter().rev().flatten().copied().collect::<Vec<_>>();
        View {
            now: Cycle(self.now),
            cur: SmxId(self.cur as u16),
            free: self.free.clone(),
            mask,
            queues: self.queues.iter().chain([&self.q0]).cloned().collect(),
            off_chip: self.spill.iter().map(in_memory).chain([self.host_pending.iter().copied().collect()]).collect(),
            pool_free: self.pool_free() as u32,
            kdes: self.kde.clone(),
            backups: self
                .rec
                .iter()
                .zip(&self.run)
                .map(|(rec, run)| Backup { unit: rec.map(|u| UnitId(u as u16)), run: *run as u16 })
                .collect(),
            kmu: (UnitId(self.kptr as u16), Cycle(self.kmu_free_at)),
        }
    }

    /// Answers a call, without gates.
    ///
    /// # Errors
    /// The fault of the sheet; nothing has changed then.
    pub fn apply(&mut self, event: &Event) -> Result<Answer, Fault> {
        self.apply_gated(event, &Open)
    }

    /// Answers a call, with gates of the host's.
    ///
    /// # Errors
    /// The fault of the sheet; nothing has changed then.
    pub fn apply_gated(&mut self, event: &Event, gates: &impl Gates) -> Result<Answer, Fault> {
        let now = event.now().0;
        if matches!(event, Event::KmuTick { .. }) && self.c.model == Kind::Dtbl {
            return Err(Fault::WrongModel);
        }
        if now < self.now {
            return Err(Fault::TimeBackwards);
        }
        let answer = match *event {
            Event::PushHost { tag, tbs, res, .. } => Answer::Placed(self.push(now, tag, tbs, res, None)?),
            Event::PushChild { tag, tbs, res, parent_smx: smx, parent_prio: prio, .. } => {
                if u32::from(smx.0) >= self.c.smxs {
                    return Err(Fault::BadSmx);
                }
                if u32::from(prio) > self.c.levels {
                    return Err(Fault::BadPriority);
                }
                let level = (u32::from(prio) + 1).min(self.c.levels) as u8;
                Answer::Placed(self.push(now, tag, tbs, res, Some((self.unit_of(smx.0.into()), level)))?)
            }
            Event::Tick { .. } => {
                if self.last_tick.is_some_and(|last| now <= last) {
                    return Err(Fault::SameCycle);
                }
                self.last_tick = Some(now);
                Answer::Tick(self.tick(now, gates))
            }
            Event::TbDone { smx, res, kde, .. } => Answer::TbDone(self.tb_done(smx, &res, kde)?),
            Event::KmuTick { .. } => Answer::KmuTick(self.kmu_tick(now)),
            Event::Refilled { tag, .. } => {
                let asked = |e: &&mut E| e.ready_at.is_none() && e.work.tag == tag;
                self.queues.iter_mut().flatten().find(asked).ok_or(Fault::NoLoad)?.ready_at = Some(Cycle(now));
                Answer::Done
            }
            Event::SetMask { smx, masked, .. } => {
                *self.masked.get_mut(usize::from(smx.0)).ok_or(Fault::BadSmx)? = masked;
                Answer::Done
            }
            Event::WaitingHead { start, .. } => return self.waiting_head(now, start.0.into()).map(Answer::WaitingHead),
        };
        self.now = now;
        Ok(answer)
    }

    /// laperm-R1 to R5; `child` is unit and level.
    fn push(
        &mut self,
        now: u64,
        tag: u64,
        tbs: u32,
        res: Resources,
        child: Option<(usize, u8)>,
    ) -> Result<Placed, Fault> {
        if tbs == 0 {
            return Err(Fault::EmptyGroup);
        }
        if res.threads == 0 || res.slots == 0 {
            return Err(Fault::BadResources);
        }
        if !fits(&res, &self.whole()) {
            return Err(Fault::TbTooBig);
        }
        let rr = self.c.policy == Policy::Rr;
        let prio = child.map_or(0, |(_, level)| level);
        let section = if rr { 1 } else { prio };
        let work = Work { tag, res, kde: None };
        let entry = E { work, section, prio, next: 0, tbs, ready_at: Some(Cycle::ZERO) };
        let unit = if rr { Some(0) } else { child.map(|(unit, _)| unit) };
        if self.c.model == Kind::Cdp {
            if self.pool_free() == 0 {
                return Err(Fault::PoolFull);
            }
            match unit {
                Some(u) => self.spill[u][usize::from(section)].push_back(entry),
                None => self.host_pending.push_back(entry),
            }
            return Ok(Placed::Pending { unit: unit.map(|u| UnitId(u as u16)), level: prio });
        }
        let Some(u) = unit else {
            if self.q0.len() >= self.c.q0_cap as usize {
                return Err(Fault::Queue0Full);
            }
            self.q0.push(E { ready_at: Some(Cycle(now)), ..entry });
            return Ok(Placed::Queue0 { pos: self.q0.len() as u32 - 1, ready_at: Cycle(now) });
        };
        let mut evicted = None;
        if self.queues[u].len() >= self.queue_cap() {
            let last = *self.queues[u].last().expect("a full queue has a last entry");
            if self.pool_free() == 0 {
                return Err(Fault::PoolFull);
            }
            if self.c.spill == Spill::New || section <= last.section {
                self.spill[u][usize::from(section)].push_back(entry);
                return Ok(Placed::Spilled { unit: UnitId(u as u16), level: prio });
            }
            self.queues[u].pop();
            evicted = Some(last.work.tag);
            self.spill[u][usize::from(last.section)].push_front(E { ready_at: Some(Cycle::ZERO), ..last });
        }
        let pos = self.queues[u].iter().filter(|e| e.section >= section).count();
        let ready_at = if self.c.charge_insert { Cycle(now).after(pos as u64 + 1) } else { Cycle(now) };
        self.queues[u].insert(pos, E { ready_at: Some(ready_at), ..entry });
        Ok(Placed::OnChip { unit: UnitId(u as u16), level: prio, pos: pos as u32, ready_at, evicted })
    }

    /// Rule 6: the position of the candidate, where some entries do not exist.
    fn candidate(&self, place: Place, now: u64, hides: impl Fn(&Work) -> bool) -> Option<usize> {
        let queue = self.queue(place);
        let mut section = None;
        for (i, e) in queue.iter().enumerate().filter(|(_, e)| !hides(&e.work)) {
            // Only the first one of each section is looked at.
            if section.replace(e.section) != Some(e.section) && e.ready_at.is_some_and(|at| at.0 <= now) {
                return Some(i);
            }
        }
        None
    }

    /// The candidate of a place if nothing is hidden.
    fn first(&self, place: Place, now: u64) -> Option<usize> {
        self.candidate(place, now, |_| false)
    }

    /// The candidate for one SMX and whether it fits there.
    fn look(&self, smx: usize, place: Place, now: u64, gates: &impl Gates) -> Option<(usize, bool)> {
        let i = self.candidate(place, now, |work| gates.hides(smx, work))?;
        let work = &self.queue(place)[i].work;
        Some((i, fits(&work.res, &self.free[smx]) && !gates.excludes(smx, work)))
    }

    /// Rule 7.
    fn tick(&mut self, now: u64, gates: &impl Gates) -> Tick {
        let places = (0..self.units()).map(Some).chain([None]);
        if places.into_iter().all(|p| self.first(p, now).is_none()) {
            return Tick::Stall(Stall { smx: None, reason: Reason::NoWork });
        }
        let smxs = self.c.smxs as usize;
        if self.c.visit == Visit::Step {
            let s = self.cur;
            self.cur = (s + 1) % smxs;
            let stalled = |reason| Tick::Stall(Stall { smx: Some(SmxId(s as u16)), reason });
            return self.visit(s, now, gates).map_or_else(stalled, Tick::Dispatch);
        }
        let mut reasons = Vec::new();
        for i in 0..smxs {
            let s = (self.cur + i) % smxs;
            match self.visit(s, now, gates) {
                Ok(dispatch) => {
                    self.cur = (s + 1) % smxs;
                    return Tick::Dispatch(dispatch);
                }
                Err(reason) => reasons.push(reason),
            }
        }
        let order = [Reason::NoFit, Reason::NoCandidate];
        let reason = order.into_iter().find(|r| reasons.contains(r)).unwrap_or(Reason::Masked);
        Tick::Stall(Stall { smx: None, reason })
    }

    /// Rule 8.
    fn visit(&mut self, s: usize, now: u64, gates: &impl Gates) -> Result<Dispatch, Reason> {
        if self.masked[s] || gates.masks(s) {
            return Err(Reason::Masked);
        }
        let block = self.c.no_fit == NoFit::Block;
        let u = self.unit_of(s);
        let mut unfit = false;
        for (stage, place) in [(Stage::Unit, Some(u)), (Stage::Queue0, None)] {
            if let Some((i, fits)) = self.look(s, place, now, gates) {
                if fits {
                    return Ok(self.dispatch(s, place, i, stage, now));
                }
                if block {
                    return Err(Reason::NoFit);
                }
                unfit = true;
            }
        }
        let nothing = if unfit { Reason::NoFit } else { Reason::NoCandidate };
        if self.c.policy != Policy::AdaptiveBind {
            return Err(nothing);
        }
        let limit = self.c.backup_limit;
        let forced = self.rec[s].is_some() && limit > 0 && self.run[s] >= limit;
        let mut b = match self.rec[s] {
            Some(b) if !forced && self.look(s, Some(b), now, gates).is_some() => b,
            _ => {
                let b = self.select(s, now, gates).ok_or(nothing)?;
                self.rec[s] = Some(b);
                self.run[s] = 0;
                b
            }
        };
        let fits_in = |m: &Self, v: usize| m.look(s, Some(v), now, gates).is_some_and(|(_, fits)| fits);
        if !fits_in(self, b) {
            if block {
                return Err(Reason::NoFit);
            }
            let n = self.units();
            let others = (1..n).map(|i| (b + i) % n).filter(|v| *v != u).collect::<Vec<_>>();
            b = others.into_iter().find(|v| fits_in(self, *v)).ok_or(Reason::NoFit)?;
            self.rec[s] = Some(b);
            self.run[s] = 0;
        }
        if limit > 0 {
            self.run[s] += 1;
        }
        let (i, _) = self.look(s, Some(b), now, gates).expect("it was looked at");
        Ok(self.dispatch(s, Some(b), i, Stage::Backup, now))
    }

    /// The unit that becomes the backup.
    fn select(&self, s: usize, now: u64, gates: &impl Gates) -> Option<usize> {
        let (n, u) = (self.units(), self.unit_of(s));
        let has = |v: &usize| *v != u && self.look(s, Some(*v), now, gates).is_some();
        let turn = |start: usize| (1..=n).map(move |i| (start + i) % n);
        if let (true, Some(r)) = (self.c.backup_limit > 0, self.rec[s]) {
            return turn(r).find(has);
        }
        match self.c.backup_select {
            BackupSelect::Next => turn(u).find(has),
            BackupSelect::Lowest => (0..n).find(has),
            BackupSelect::HighestPrio => {
                let level = |v: usize| self.look(s, Some(v), now, gates).map(|(i, _)| self.queues[v][i].section);
                let best = turn(u).filter(has).filter_map(level).max()?;
                turn(u).filter(has).find(|v| level(*v) == Some(best))
            }
        }
    }

    /// A TB takes its room, whoever sent it.
    pub(crate) fn occupy(&mut self, s: usize, res: &Resources) {
        let free = &mut self.free[s];
        free.threads -= res.threads;
        free.regs -= res.regs;
        free.smem -= res.smem;
        free.slots -= res.slots;
    }

    /// laperm-R9.
    fn dispatch(&mut self, s: usize, place: Place, i: usize, stage: Stage, now: u64) -> Dispatch {
        let queue = place.map_or(&mut self.q0, |u| &mut self.queues[u]);
        let entry = &mut queue[i];
        entry.next += 1;
        let E { work: Work { tag, res, kde }, prio, next, tbs, .. } = *entry;
        let last = next == tbs;
        if last {
            queue.remove(i);
        }
        self.occupy(s, &res);
        if let Some(counts) = kde.and_then(|k| self.kde[usize::from(k.0)].as_mut()) {
            counts.waiting -= 1;
            counts.running += 1;
        }
        let refill = match (last, place, self.c.model) {
            (true, Some(u), Kind::Dtbl) => self.refill(u, now),
            _ => None,
        };
        Dispatch {
            smx: SmxId(s as u16),
            tag,
            tb: next - 1,
            prio,
            stage,
            unit: place.map(|u| UnitId(u as u16)),
            last,
            kde,
            refill,
        }
    }

    /// The overflow entry that takes the place that became free on chip.
    fn refill(&mut self, u: usize, now: u64) -> Option<u64> {
        let e = self.spill[u].iter_mut().rev().find_map(VecDeque::pop_front)?;
        let pos = self.queues[u].iter().filter(|x| x.section >= e.section).count();
        let fixed = self.c.refill_mode == RefillMode::Fixed;
        let ready_at = fixed.then(|| Cycle(now).after(u64::from(self.c.refill_cycles)));
        self.queues[u].insert(pos, E { ready_at, ..e });
        Some(e.work.tag)
    }

    /// Takes the entry with this tag away, wherever it waits (frontend-F5); the tag of the entry that takes its place.
    pub fn withdraw(&mut self, now: u64, tag: u64) -> Option<u64> {
        let is = |e: &E| e.work.tag == tag;
        self.q0.retain(|e| !is(e));
        self.spill.iter_mut().flatten().for_each(|list| list.retain(|e| !is(e)));
        let u = self.queues.iter().position(|queue| queue.iter().any(is))?;
        self.queues[u].retain(|e| !is(e));
        self.refill(u, now)
    }

    /// Whether a visit of this SMX would send a TB. Nothing changes.
    #[must_use]
    pub fn would_send(&self, smx: usize, now: u64, gates: &impl Gates) -> bool {
        self.clone().visit(smx, now, gates).is_ok()
    }

    /// Unit queues from a unit on, wrapping, and queue 0.
    pub fn places_from(&self, start: usize) -> impl Iterator<Item = Place> {
        let n = self.units();
        (0..n).map(move |i| Some((start + i) % n)).chain([None])
    }

    /// The entries of a place, in order.
    #[must_use]
    pub fn queue(&self, place: Place) -> &[EntryView] {
        place.map_or(&self.q0, |u| &self.queues[u])
    }

    /// The SMXs on which the entries of a place may ever run (laperm-R13).
    #[must_use]
    pub fn allowed(&self, place: Place) -> Vec<usize> {
        let bound = self.c.policy == Policy::SmxBind && place.is_some();
        (0..self.c.smxs as usize).filter(|s| !bound || Some(self.unit_of(*s)) == place).collect()
    }

    /// The candidates from a unit on, wrapping, and of queue 0, each with the SMXs that it may ever run on.
    fn candidates(&self, now: u64, start: usize) -> Vec<(Work, Vec<usize>)> {
        let candidate = |place| Some((self.queue(place)[self.first(place, now)?].work, self.allowed(place)));
        self.places_from(start).filter_map(candidate).collect()
    }

    /// laperm-R10.
    fn tb_done(&mut self, smx: SmxId, res: &Resources, kde: Option<KernelSlot>) -> Result<bool, Fault> {
        let free = *self.free.get(usize::from(smx.0)).ok_or(Fault::BadSmx)?;
        if res.threads == 0 || res.slots == 0 {
            return Err(Fault::BadResources);
        }
        let whole = self.whole();
        let add = |a: u32, b: u32, most: u32| {
            let sum = u64::from(a) + u64::from(b);
            if sum > u64::from(most) { Err(Fault::ReleaseUnderflow) } else { Ok(sum as u32) }
        };
        let free = Resources {
            threads: add(free.threads, res.threads, whole.threads)?,
            regs: add(free.regs, res.regs, whole.regs)?,
            smem: add(free.smem, res.smem, whole.smem)?,
            slots: add(free.slots, res.slots, whole.slots)?,
        };
        let mut freed = false;
        if self.c.model == Kind::Cdp {
            let entry = kde.and_then(|k| self.kde.get_mut(usize::from(k.0))).ok_or(Fault::BadKde)?;
            let counts = entry.as_mut().filter(|c| c.running > 0).ok_or(Fault::BadKde)?;
            counts.running -= 1;
            freed = counts.running == 0 && counts.waiting == 0;
            if freed {
                *entry = None;
            }
        }
        self.free[usize::from(smx.0)] = free;
        Ok(freed)
    }

    /// laperm-R11.
    fn kmu_tick(&mut self, now: u64) -> KmuTick {
        if now < self.kmu_free_at {
            return KmuTick::Stall(KmuStall::Busy);
        }
        if self.pool_free() == self.c.pool_cap as usize {
            return KmuTick::Stall(KmuStall::NothingPending);
        }
        let Some(k) = self.kde.iter().position(Option::is_none) else {
            return KmuTick::Stall(KmuStall::KduFull);
        };
        let n = self.units();
        let turn = (0..n).map(|i| (self.kptr + i) % n);
        let unit = turn.into_iter().find(|v| self.spill[*v].iter().any(|l| !l.is_empty()));
        let mut cost = self.c.levels;
        let mut e = match unit {
            Some(v) => {
                let p = self.spill[v].iter().rposition(|l| !l.is_empty()).expect("it was found");
                self.kptr = (v + 1) % n;
                cost = if self.c.policy == Policy::Rr { 0 } else { self.c.levels - p as u32 + 1 };
                self.spill[v][p].pop_front()
            }
            None => self.host_pending.pop_front(),
        }
        .expect("it was found");
        self.kde[k] = Some(Kde { waiting: e.tbs, running: 0 });
        let kde = KernelSlot(k as u8);
        e.work.kde = Some(kde);
        let ready_at = Cycle(now + u64::from(cost) + u64::from(self.c.kmu_dispatch_cycles));
        e.ready_at = Some(ready_at);
        self.kmu_free_at = now + 1 + u64::from(cost);
        match unit {
            Some(v) => {
                let pos = self.queues[v].iter().filter(|x| x.section >= e.section).count();
                self.queues[v].insert(pos, e);
            }
            None => self.q0.push(e),
        }
        let unit = unit.map(|v| UnitId(v as u16));
        KmuTick::Moved(Moved { tag: e.work.tag, unit, level: e.prio, kde, cost, ready_at })
    }

    /// laperm-R13.
    fn waiting_head(&self, now: u64, start: usize) -> Result<Option<WaitingHead>, Fault> {
        if start >= self.units() {
            return Err(Fault::BadUnit);
        }
        let mut first = None;
        for (work, allowed) in self.candidates(now, start) {
            let mut set = SmxSet::EMPTY;
            allowed.iter().for_each(|s| set.set(SmxId(*s as u16), true));
            let head = WaitingHead { tag: work.tag, res: work.res, allowed: set };
            let finds_room = allowed.iter().any(|s| !self.masked[*s] && fits(&work.res, &self.free[*s]));
            if !finds_room && allowed.iter().any(|s| self.masked[*s]) {
                return Ok(Some(head));
            }
            first = first.or(Some(head));
        }
        Ok(first)
    }
}

impl Machine for Model {
    type Event = Event;
    type Answered = Result<Answer, Fault>;
    type View = View;
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        self.apply(event)
    }

    fn view(&self) -> View {
        self.view()
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}
