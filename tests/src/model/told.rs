//! The model's seam (sheet `policy`): a cycle in two halves, with the host as the policy between them.

mod offers;
mod pieces;

use std::collections::BTreeMap;

use gpusched::dats::GraphError;
use gpusched::{
    Cycle, Decision, Fault, LoadMode, OfferId, OfferKind, OfferLoad, RecordId, Rescue, Sched, TbPlacement, ToldPart,
    ToldState, UnitKey, Units,
};
use offers::Next;
use pieces::Stretch;

use super::gates::Obstacle;
use super::laperm::Unit;
use super::{Held, Model, Origin, Ref, Sscr, Tb, Waiting};
use crate::events::{Event, Value};

/// What the host has declined (policy-P9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decline {
    None,
    Never,
    Until(u64),
}

/// What the front end keeps of its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    part: ToldPart,
    begun: bool,
    sent: u32,
    /// What was sent last in the cycle.
    last: Option<TbPlacement>,
    decline: Decline,
    spell: u32,
    rescuing: bool,
    /// The number of the next unit.
    next_no: u64,
    /// Keys of entries and of records.
    natives: BTreeMap<usize, UnitKey>,
    groups: BTreeMap<usize, UnitKey>,
    /// The next TB of a group that is a unit by itself.
    next_tb: BTreeMap<usize, u32>,
    /// Units in pieces.
    pieces: Vec<(Unit, Vec<Stretch>)>,
}

impl Told {
    pub(super) fn new(part: &ToldPart) -> Self {
        Self {
            part: *part,
            begun: false,
            sent: 0,
            last: None,
            decline: Decline::None,
            spell: 0,
            rescuing: false,
            next_no: 0,
            natives: BTreeMap::new(),
            groups: BTreeMap::new(),
            next_tb: BTreeMap::new(),
            pieces: Vec::new(),
        }
    }
}

/// Cycles that the model walks through one by one before it believes that nothing happens (policy-P13 says so).
const WALK: u64 = 300;

impl Model {
    fn host(&self) -> &Told {
        self.host.as_ref().expect("the policy is the host's")
    }

    fn host_mut(&mut self) -> &mut Told {
        self.host.as_mut().expect("the policy is the host's")
    }

    fn is_free(&self) -> bool {
        self.host.as_ref().is_some_and(|host| host.part.units == Units::Free)
    }

    /// Whether natives and groups are held one by one.
    pub(super) fn has_free_units(&self) -> bool {
        self.laperm.is_some() || self.is_free()
    }

    /// frontend-F2, policy-P12: the deepest priority.
    pub(super) fn levels(&self) -> u32 {
        if self.is_free() { 24 } else { self.config.laperm().map_or(0, |part| part.levels) }
    }

    // ---- policy-P3

    fn next_key(&mut self) -> Option<UnitKey> {
        let now = self.now;
        let host = self.host.as_mut()?;
        host.next_no += 1;
        Some(UnitKey { ready: Cycle(now), no: host.next_no - 1 })
    }

    pub(super) fn name_natives(&mut self, k: usize) {
        if let Some(key) = self.next_key() {
            self.host_mut().natives.insert(k, key);
        }
    }

    pub(super) fn name_group(&mut self, r: usize) {
        if let Some(key) = self.next_key() {
            self.host_mut().groups.insert(r, key);
            self.host_mut().next_tb.insert(r, 0);
        }
    }

    /// Where what a TB launches comes from.
    pub(super) fn origin_of_child(&self, tb: &Tb) -> Origin {
        let (origin, keys, row) = match tb.part {
            Ref::Group(r) => (self.record(r).origin, self.host.as_ref().map(|host| &host.groups), r),
            _ => (self.kde(tb.kde).kernel.origin, self.host.as_ref().map(|host| &host.natives), tb.kde),
        };
        Origin { parent: keys.map(|keys| keys[&row]), ..origin }
    }

    // ---- the calls

    pub(super) fn call_told(&mut self, event: &Event) -> Result<Value, Fault> {
        let is_query = matches!(
            event,
            Event::HasWork(_)
                | Event::WaitingHead(_)
                | Event::NextEvent
                | Event::MaxActiveClusters { .. }
                | Event::GpcOf(_)
        );
        match *event {
            Event::Tick | Event::Run(_) | Event::Advance(_) => Err(Fault::Told),
            Event::Begin => self.begin(),
            Event::Offers => {
                self.between_halves()?;
                Ok(Value::Offers(self.offers()))
            }
            Event::Load(id) => self.load(id),
            Event::Split { id, at } => self.split(id, at),
            Event::Send { id, smx } => self.send_told(id, smx),
            Event::End(wake) => self.end(wake),
            Event::NextEvent => Ok(Value::Next(self.next_event().map(Cycle))),
            Event::Skip(to) if !self.host().begun => Ok(Value::Cycles(self.go_by(to))),
            // policy-P2.
            Event::GraphPoll | Event::GraphNodes(..) | Event::GraphEdges(..) | Event::GraphSpilled(_)
                if self.host().begun =>
            {
                Ok(Value::Graph(Err(GraphError::MidCycle)))
            }
            _ if self.host().begun && !is_query => Err(Fault::MidCycle),
            Event::Save => Ok(Value::Done),
            _ => {
                let answer = self.call(event);
                // policy-P9.
                let is_accepted = match &answer {
                    Ok(Value::Graph(answered)) => answered.is_ok() || !self.out.is_empty(),
                    other => other.is_ok(),
                };
                if is_accepted && !is_query {
                    self.host_mut().decline = Decline::None;
                }
                answer
            }
        }
    }

    fn between_halves(&self) -> Result<(), Fault> {
        if self.host().begun { Ok(()) } else { Err(Fault::NotBegun) }
    }

    fn named(&self, id: OfferId) -> Result<Next, Fault> {
        self.nexts().into_iter().find(|&next| self.id_of(next) == id).ok_or(Fault::BadOffer)
    }

    /// policy-P6.
    fn begin(&mut self) -> Result<Value, Fault> {
        if self.host().begun {
            return Err(Fault::TwiceBegun);
        }
        let kmu = self.before_dispatch()?;
        let mut came = false;
        for sscr in self.cursors.values_mut() {
            if sscr.load == 1 && self.config.load_mode == LoadMode::Fixed && sscr.load_at <= self.now {
                sscr.load = 2;
                came = true;
            }
        }
        let (now, decided) = (self.now, !self.out.is_empty());
        let host = self.host_mut();
        host.begun = true;
        if decided || came || matches!(host.decline, Decline::Until(wake) if now >= wake) {
            host.decline = Decline::None;
        }
        Ok(Value::Kmu(kmu))
    }

    /// policy-P7.
    fn load(&mut self, id: OfferId) -> Result<Value, Fault> {
        self.between_halves()?;
        let next = self.named(id)?;
        let Next::Chain(k, mut sscr) = next else { return Err(Fault::NoLoad) };
        if self.offer(next).load != OfferLoad::Needed {
            return Err(Fault::NoLoad);
        }
        self.ask(&mut sscr);
        self.cursors.insert(k, sscr);
        Ok(Value::Done)
    }

    /// A spilled group is asked for.
    fn ask(&mut self, sscr: &mut Sscr) {
        let record = RecordId(sscr.agei.expect("a group is asked for") as u32);
        self.emit(Decision::Load { record });
        sscr.load_at = self.now.saturating_add(self.config.load_cycles.into());
        let at_once = self.config.load_mode == LoadMode::Fixed && self.config.load_cycles == 0;
        sscr.load = if at_once { 2 } else { 1 };
    }

    /// policy-P8.
    fn send_told(&mut self, id: OfferId, smx: u32) -> Result<Value, Fault> {
        self.between_halves()?;
        let next = self.named(id)?;
        let s = smx as usize;
        if s >= self.tbcr.len() {
            return Err(Fault::BadSmx);
        }
        let offer = self.offer(next);
        if matches!(offer.load, OfferLoad::Needed | OfferLoad::Waiting) {
            return Err(Fault::NotHere);
        }
        if offer.kind == OfferKind::Node && offer.blkid.is_none() {
            return Err(Fault::NoNode);
        }
        match self.obstacle_of(&self.need_of(next), s) {
            None => {}
            Some(Obstacle::K) => return Err(Fault::ClosedK),
            Some(Obstacle::R) => return Err(Fault::ClosedR),
            Some(Obstacle::E) => return Err(Fault::ClosedE),
            Some(Obstacle::X) => return Err(Fault::ClosedX),
            Some(Obstacle::M) => return Err(Fault::ClosedM),
            Some(Obstacle::P | Obstacle::Q | Obstacle::D) => unreachable!("there are neither contexts nor requests"),
        }
        if self.host().sent == self.host().part.dispatch_per_cycle {
            return Err(Fault::CycleFull);
        }
        let tb = self.start(next, s);
        let host = self.host_mut();
        host.last = Some(tb);
        host.sent += 1;
        host.spell = 0;
        host.rescuing = false;
        Ok(Value::Done)
    }

    /// The next TB of an offer starts on an SMX that takes it.
    fn start(&mut self, next: Next, s: usize) -> TbPlacement {
        if let (Next::Chain(k, _) | Next::Node(k), Some(&head)) = (next, self.fifo.first()) {
            self.stats.passed += u64::from(k != head);
        }
        match next {
            Next::Chain(k, sscr) => self.send(k, s, sscr),
            Next::Node(k) => self.try_graph(k, &[s]).expect("the node is known, and the SMX takes it"),
            Next::Free(unit, _) => {
                let offer = self.offer(next);
                let tb = offer.blkid.expect("only a node may be unknown");
                let of_unit = self.offers().into_iter().filter(|other| other.row == offer.row);
                let is_last = of_unit.map(|other| other.left).sum::<u32>() == 1;
                let sent = self.send_of_unit(unit, s, tb, offer.prio.into(), is_last);
                if offer.kind != OfferKind::Restored {
                    self.take_from_pieces(unit, tb);
                }
                if let Unit::Group(r) = unit {
                    self.host_mut().next_tb.insert(r, tb + 1);
                }
                sent
            }
        }
    }

    // ---- policy-P9 to policy-P11

    fn end(&mut self, wake: Option<u64>) -> Result<Value, Fault> {
        self.between_halves()?;
        if wake.is_some_and(|wake| wake <= self.now) {
            return Err(Fault::BadWake);
        }
        let word = self.guard();
        let rescue_decided = self.out.iter().any(|(_, decision)| *decision != Decision::Stalled);
        let declines = self.any_ripe() && !rescue_decided;
        let host = self.host_mut();
        host.decline = match wake {
            _ if !declines => Decline::None,
            None => Decline::Never,
            Some(wake) => Decline::Until(wake),
        };
        (host.begun, host.sent, host.last) = (false, 0, None);
        self.after_dispatch(word);
        Ok(Value::Sched(word))
    }

    /// policy-P11, policy-P10.
    fn guard(&mut self) -> Sched {
        if let Some(tb) = self.host().last {
            self.host_mut().spell = 0;
            return Sched::Tb(tb);
        }
        self.count_spell();
        if self.host().rescuing
            && let Some(tb) = self.rescue()
        {
            self.stats.rescued += 1;
            self.host_mut().spell = 0;
            return Sched::Tb(tb);
        }
        self.told_word()
    }

    fn count_spell(&mut self) {
        let any_live = self.any_live();
        let host = self.host_mut();
        let limit = host.part.stall_limit;
        if !any_live {
            host.spell = 0;
        } else if host.spell < limit {
            host.spell += 1;
            if host.spell == limit {
                host.rescuing = host.rescuing || host.part.rescue == Rescue::Rr;
                self.stats.stalled += 1;
                self.emit(Decision::Stalled);
            }
        }
    }

    /// frontend-T4f over the offers.
    fn rescue(&mut self) -> Option<TbPlacement> {
        let mut left = self.all();
        for next in self.nexts() {
            let mut next = next;
            let mut word = None;
            match &mut next {
                // The graph is asked last, and is left all SMXs.
                Next::Node(k) if self.is_free() => return self.try_graph(*k, &self.all()).ok(),
                Next::Node(k) => match self.sendable_node() {
                    Ok(()) => {
                        let passes = self.fifo[0] != *k;
                        if let Ok(tb) = self.try_graph(*k, &left) {
                            self.stats.passed += u64::from(passes);
                            return Some(tb);
                        }
                    }
                    Err(stalled) => word = Some(stalled),
                },
                Next::Chain(k, sscr) => {
                    let is_spilled = sscr.agei.is_some_and(|r| self.group(r).age.is_none());
                    if is_spilled && sscr.load == 0 {
                        self.ask(sscr);
                        self.cursors.insert(*k, *sscr);
                    }
                    if is_spilled && sscr.load != 2 {
                        return None;
                    }
                }
                Next::Free(..) => {}
            }
            let n = self.tbcr.len();
            let round = (0..n).map(|i| (self.rr + i) % n);
            let is_node = matches!(next, Next::Node(_));
            let taker = round.into_iter().find(|&s| !is_node && left.contains(&s) && self.open_to(next, s));
            if let Some(s) = taker {
                self.rr = (s + 1) % n;
                return Some(self.start(next, s));
            }
            // frontend-G6.
            let leaves = |s: &usize| match word {
                Some(_) => self.config.pass_graph,
                None => self.config.pass_capped && self.obstacle_of(&self.need_of(next), *s) == Some(Obstacle::K),
            };
            left = left.iter().copied().filter(leaves).collect();
            if left.is_empty() && !self.is_free() {
                return None;
            }
        }
        None
    }

    // ---- policy-P13

    fn next_event(&self) -> Option<u64> {
        let host = self.host();
        if host.begun {
            return Some(self.now);
        }
        let mut times = Vec::new();
        if self.any_ripe() {
            match host.decline {
                Decline::None => times.push(self.now),
                Decline::Until(wake) => times.push(wake),
                Decline::Never => {}
            }
        }
        let limit = host.part.stall_limit;
        if host.spell < limit && self.any_live() {
            times.push(self.now.saturating_add(u64::from(limit - host.spell - 1)));
        }
        if self.kdes.iter().any(Option::is_none) {
            if !self.candidates().is_empty() {
                times.push(self.next_issue);
            }
            let waits = self.records.iter().flatten().filter(|record| matches!(record.state, Held::Dev));
            times.extend(waits.map(|record| record.key.0.max(self.next_issue)));
            times.extend(self.node_times().into_iter().map(|ready| ready.max(self.next_issue)));
            let heads = (0..self.queues.len()).filter(|&q| self.may_go(q)).filter_map(|q| self.queues[q].front());
            let is_held = |head: &Waiting| head.graph.is_some() && self.is_dgb_taken();
            let late = heads.filter(|head| head.kernel_graph.is_none() && !is_held(head) && head.key.0 > self.now);
            times.extend(late.map(|head| head.key.0.max(self.next_issue)));
        }
        times.extend(self.next_of_grids());
        times.extend(self.kdes.iter().flatten().filter_map(|entry| Some(entry.arriving?.0)));
        let joining = self.records.iter().flatten().filter(|record| matches!(record.state, Held::Agg(_)));
        times.extend(joining.map(|record| record.key.0));
        if let Some(bubble) = &self.config.bubble {
            let every = u64::from(bubble.sample_cycles);
            times.extend(self.now.max(1).div_ceil(every).checked_mul(every));
        }
        if self.config.load_mode == LoadMode::Fixed {
            times.extend(self.cursors.values().filter(|sscr| sscr.load == 1).map(|sscr| sscr.load_at));
        }
        times.into_iter().map(|at| at.max(self.now)).min().filter(|&at| at < u64::MAX)
    }

    /// Cycles without the host, in which nothing is decided. How many.
    fn go_by(&mut self, to: u64) -> u64 {
        let until = self.next_event().map_or(to, |at| at.min(to)).max(self.now);
        let n = until - self.now;
        for _ in 0..n.min(WALK) {
            let decline = self.host().decline;
            self.begin().expect("the cycle was not begun, and is not the last");
            assert_eq!(self.host().decline, decline, "what has happened in {} was to be announced", self.now);
            let word = self.guard();
            self.after_dispatch(word);
            self.host_mut().begun = false;
            assert!(self.out.is_empty(), "{:?} was to be announced", self.out);
        }
        // The rest goes by as the last one did.
        let rest = n.saturating_sub(WALK);
        if rest > 0 {
            let word = self.told_word();
            let warps = u64::from(self.resident_warps());
            self.stats.warp_cycles = self.stats.warp_cycles.saturating_add(warps.saturating_mul(rest));
            self.stats.ticks = self.stats.ticks.saturating_add(rest);
            self.count_waits(rest);
            self.stats.gated += if word == Sched::Gated { rest } else { 0 };
            self.stats.capped += if word == Sched::Capped { rest } else { 0 };
            self.stats.told += if word == Sched::Told { rest } else { 0 };
            self.now += rest;
            if self.any_live() {
                let host = self.host_mut();
                host.spell = (u64::from(host.spell) + rest).min(host.part.stall_limit.into()) as u32;
            }
        }
        n
    }

    pub(super) fn told_state(&self) -> Option<ToldState> {
        let host = self.host.as_ref()?;
        let wake = match host.decline {
            Decline::Until(wake) => Some(Cycle(wake)),
            Decline::None | Decline::Never => None,
        };
        Some(ToldState {
            is_begun: host.begun,
            sent: host.sent,
            has_declined: host.decline != Decline::None,
            wake,
            spell: host.spell,
            is_rescuing: host.rescuing,
            units: host.next_no,
        })
    }
}
