//! What a log has on its machine at a time: units with TBs to send, and SMXs with what is free on them. A policy is shown it.

use super::super::line::{Event, Wrong};
use super::machine::Known;
use super::unit::Unit;
use gpusched::policy::catalogue::Snapshot;
use gpusched::{
    Choice, Completion, Cycle, Offer, OfferId, OfferKind, RecordId, Resident, Resources, SmxId, SmxSet, UnitKey,
};
use std::collections::{HashMap, VecDeque};

/// The machine with what is on it.
#[derive(Debug)]
pub struct Floor {
    known: Known,
    free: Vec<Resources>,
    /// Who runs on each SMX.
    on: Vec<Vec<Running>>,
    units: HashMap<u64, Unit>,
    /// Units that can be sent, as they came.
    line: Vec<u64>,
    /// Whether those of a higher priority stand before others in the line.
    by_prio: bool,
    /// Kernels of each stream that are not done.
    streams: HashMap<u32, VecDeque<u64>>,
    rows: Vec<bool>,
    next_no: u64,
}

/// A TB on an SMX.
#[derive(Clone, Copy, Debug)]
struct Running {
    uid: u64,
    tb: u32,
    since: u64,
    seen: Resident,
}

/// Which TB went, or would go, where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    pub uid: u64,
    pub tb: u32,
    pub smx: u32,
}

/// How much of the floor is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// All.
    All,
    /// One unit, as if there were no other.
    Only(u64),
    /// One unit and one SMX for it. Others wait for another reason than room.
    Forced(u64, u32),
    /// The same, without the others.
    Alone(u64, u32),
}

/// What is shown.
#[derive(Debug)]
pub struct Sight {
    now: Cycle,
    offers: Vec<Offer>,
    /// The unit behind each offer.
    names: Vec<u64>,
    free: Vec<Resources>,
    counts: Vec<u32>,
    residents: Vec<Resident>,
}

impl Sight {
    pub fn view(&self) -> Snapshot<'_> {
        let Self { now, offers, free, counts, residents, .. } = self;
        Snapshot { now: *now, offers, free, counts, residents }
    }

    /// The TB and SMX that a policy means; `None` if it names what was not offered.
    pub fn meant(&self, choice: &Choice) -> Option<Placement> {
        let OfferId::Record(RecordId(place)) = choice.id else { return None };
        let (offer, &uid) = (self.offers.get(place as usize)?, self.names.get(place as usize)?);
        Some(Placement { uid, tb: choice.blkid.or(offer.blkid)?, smx: choice.smx.0.into() })
    }
}

impl Floor {
    /// An empty machine.
    pub fn new(known: Known, by_prio: bool) -> Self {
        let smxs = known.machine.tpc.len();
        Self {
            free: vec![known.machine.capacity(); smxs],
            on: vec![Vec::new(); smxs],
            known,
            units: HashMap::new(),
            line: Vec::new(),
            by_prio,
            streams: HashMap::new(),
            rows: Vec::new(),
            next_no: 0,
        }
    }

    /// A kernel or group was launched.
    pub fn launch(&mut self, uid: u64, event: &Event<'_>) -> Result<(), Wrong> {
        let parent = event.keys.number("parent").ok().and_then(|uid| self.units.get(&uid));
        let unit = Unit::of(event, &self.known, parent)?;
        let stream = unit.own_stream;
        self.units.insert(uid, unit);
        if self.known.arrivals {
            return Ok(());
        }
        let Some(stream) = stream else { return self.come(uid, event.cycle) };
        let queue = self.streams.entry(stream).or_default();
        queue.push_back(uid);
        if queue.len() == 1 { self.come(uid, event.cycle) } else { Ok(()) }
    }

    /// A kernel or group can be sent from now on.
    pub fn come(&mut self, uid: u64, cycle: u64) -> Result<(), Wrong> {
        let row = self.rows.iter().position(|taken| !taken).unwrap_or(self.rows.len());
        let unit = self
            .units
            .get_mut(&uid)
            .ok_or_else(|| Wrong::new("a kernel or group that was launched", uid.to_string()))?;
        if unit.key.is_some() {
            return Err(Wrong::new(format!("{uid} to come once"), "that it comes again"));
        }
        (unit.key, unit.row) = (Some(UnitKey { ready: Cycle(cycle), no: self.next_no }), row);
        self.next_no += 1;
        if row == self.rows.len() {
            self.rows.push(false);
        }
        self.rows[row] = true;
        let is_before =
            |other: &u64| self.by_prio && self.units.get(other).is_some_and(|other| other.prio < self.units[&uid].prio);
        let place = self.line.iter().position(is_before).unwrap_or(self.line.len());
        self.line.insert(place, uid);
        Ok(())
    }

    /// Whether a policy has a say about this unit: one of clusters is sent as no policy sends.
    pub fn is_asked_about(&self, uid: u64) -> bool {
        self.units.get(&uid).is_some_and(|unit| !unit.is_clustered)
    }

    /// What a policy sees.
    pub fn sight(&self, cycle: u64, shown: Shown) -> Sight {
        let (mut offers, mut names) = (Vec::new(), Vec::new());
        let all = SmxSet::first(self.free.len() as u32);
        for &uid in self.line.iter().filter(|uid| self.is_asked_about(**uid)) {
            let unit = &self.units[&uid];
            let room = self.open(&unit.res);
            let (open, capped) = match shown {
                Shown::All => (room, SmxSet::EMPTY),
                Shown::Only(only) if only == uid => (room, SmxSet::EMPTY),
                Shown::Forced(only, smx) | Shown::Alone(only, smx) if only == uid => {
                    (room.and(&one(smx)), SmxSet::EMPTY)
                }
                Shown::Forced(..) => (SmxSet::EMPTY, all),
                Shown::Only(_) | Shown::Alone(..) => continue,
            };
            for tbs in &unit.unsent {
                let id = OfferId::Record(RecordId(offers.len() as u32));
                names.push(uid);
                offers.push(Offer {
                    row: unit.row as u32,
                    kind: if unit.is_group { OfferKind::Group } else { OfferKind::Native },
                    tag: unit.tag,
                    res: unit.res,
                    blkid: Some(tbs.start),
                    left: tbs.end - tbs.start,
                    total: unit.total,
                    prio: unit.prio,
                    psmx: unit.psmx,
                    stream: unit.stream,
                    key: unit.key.unwrap_or_default(),
                    parent: unit.parent,
                    open,
                    capped,
                    ..Offer::of(id)
                });
            }
        }
        let counts = self.on.iter().map(|on| on.len() as u32).collect();
        let residents = self.on.iter().flatten().map(|running| running.seen).collect();
        Sight { now: Cycle(cycle), offers, names, free: self.free.clone(), counts, residents }
    }

    /// That the log can place this TB there.
    pub fn check(&self, at: Placement) -> Result<(), Wrong> {
        let Placement { uid, tb, smx } = at;
        let unit = &self.units.get(&uid).filter(|unit| unit.key.is_some());
        let unit = unit.ok_or_else(|| {
            let what = if self.known.arrivals { "arrived" } else { "reached the head of its stream" };
            Wrong::new(format!("a TB of a kernel or group that has {what}"), format!("one of {uid}, which has not"))
        })?;
        let (need, free) = (unit.res, self.free[smx as usize]);
        let short = [
            ("TB slots", need.slots, free.slots),
            ("threads", need.threads, free.threads),
            ("registers", need.regs, free.regs),
            ("bytes of shared memory", need.smem, free.smem),
        ];
        match short.into_iter().find(|(_, need, free)| need > free) {
            None => Ok(()),
            Some((what, need, free)) => {
                let expected = format!("room for TB {tb} of {uid} on SMX {smx}, which takes {need} {what}");
                Err(Wrong::new(expected, format!("{free} that are free: the machine is another, or shapes are")))
            }
        }
    }

    /// The log places a TB that was checked.
    pub fn send(&mut self, at: Placement, cycle: u64) {
        let Placement { uid, tb, smx } = at;
        let Some(unit) = self.units.get_mut(&uid) else { return };
        unit.send(tb);
        let seen = Resident { unit: unit.key.unwrap_or_default().no, stream: unit.stream, threads: unit.res.threads };
        let (free, res) = (&mut self.free[smx as usize], unit.res);
        *free = Resources {
            threads: free.threads - res.threads,
            regs: free.regs - res.regs,
            smem: free.smem - res.smem,
            slots: free.slots - res.slots,
        };
        if unit.unsent.is_empty() {
            self.line.retain(|other| *other != uid);
        }
        self.on[smx as usize].push(Running { uid, tb, since: cycle, seen });
    }

    /// A TB has ended.
    pub fn end(&mut self, at: Placement, cycle: u64) -> Result<Option<Completion>, Wrong> {
        let Placement { uid, tb, smx } = at;
        let on = &mut self.on[smx as usize];
        let Some(place) = on.iter().position(|running| (running.uid, running.tb) == (uid, tb)) else { return Ok(None) };
        let Running { since, seen, .. } = on.remove(place);
        let Some(unit) = self.units.get_mut(&uid) else { return Ok(None) };
        let (free, res) = (&mut self.free[smx as usize], unit.res);
        *free = Resources {
            threads: free.threads + res.threads,
            regs: free.regs + res.regs,
            smem: free.smem + res.smem,
            slots: free.slots + res.slots,
        };
        unit.running -= 1;
        let completion = Completion {
            unit: seen.unit,
            row: unit.row as u32,
            blkid: tb,
            smx: SmxId(smx as u16),
            start: Cycle(since),
            end: Cycle(cycle),
            issued: 0,
            all: 0,
        };
        if unit.running == 0 && unit.unsent.is_empty() {
            let (row, stream) = (unit.row, unit.own_stream);
            self.rows[row] = false;
            self.units.remove(&uid);
            if let Some(queue) = stream.and_then(|stream| self.streams.get_mut(&stream)) {
                queue.pop_front();
                if let Some(&next) = queue.front() {
                    self.come(next, cycle)?;
                }
            }
        }
        Ok(Some(completion))
    }

    /// SMXs with room for a TB.
    fn open(&self, need: &Resources) -> SmxSet {
        let mut open = SmxSet::EMPTY;
        for (smx, free) in self.free.iter().enumerate() {
            let has_room = need.slots <= free.slots
                && need.threads <= free.threads
                && need.regs <= free.regs
                && need.smem <= free.smem;
            open.set(SmxId(smx as u16), has_room);
        }
        open
    }
}

fn one(smx: u32) -> SmxSet {
    let mut set = SmxSet::EMPTY;
    set.set(SmxId(smx as u16), true);
    set
}
