//! Hosts that keep their promises: policies, some of which have no other state than whose turn it is (policy-P9).

use gpusched::seam::{Answer, Policy, View};
use gpusched::{Choice, Config, Offer, OfferKind, OfferLoad, SmxId, SmxSet};
use proptest::prelude::*;

/// What a host does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Kind {
    /// First come, first served and round robin (policy-E1).
    FcfsRr,
    /// LaPerm's round robin, SMX by SMX (policy-E2).
    BySmx,
    /// Never loads or sends (policy-E3).
    Idle,
    /// All that it can, in every cycle that this number divides.
    Every(u64),
    /// A unit's TBs not before it was visible for so long.
    Patient(u64),
}

/// A host, with what it keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Host {
    kind: Kind,
    n_smx: u16,
    pass_capped: bool,
    pass_graph: bool,
    /// Whose turn it is.
    rr: u16,
    /// Whose turn it is to take a node: its copy of dats' `next_smx`.
    node_rr: u16,
}

/// The first of `set` from `from` upward.
fn first_from(set: &SmxSet, from: u16) -> Option<u16> {
    set.iter().map(|s| s.0).min_by_key(|&s| (s < from, s))
}

fn is_node(offer: &Offer) -> bool {
    offer.kind == OfferKind::Node
}

impl Host {
    /// One for a front end of this configuration.
    pub fn of(kind: Kind, config: &Config) -> Self {
        let Config { n_smx, pass_capped, pass_graph, .. } = *config;
        Self { kind, n_smx: n_smx as u16, pass_capped, pass_graph, rr: 0, node_rr: 0 }
    }

    /// The offer's next TB goes to this SMX, and the turn passes on.
    fn send(&mut self, offer: &Offer, smx: u16) -> Answer {
        let turn = if is_node(offer) { &mut self.node_rr } else { &mut self.rr };
        *turn = (smx + 1) % self.n_smx;
        Answer::Send(Choice::next_of(offer.id, SmxId(smx)))
    }

    /// policy-E1.
    fn by_unit(&mut self, view: &impl View) -> Option<Answer> {
        let mut left = SmxSet::first(self.n_smx.into());
        for offer in view.offers() {
            match offer.load {
                OfferLoad::Needed => return Some(Answer::Load(offer.id)),
                OfferLoad::Waiting => return None,
                OfferLoad::None | OfferLoad::Here => {}
            }
            if is_node(&offer) && offer.blkid.is_none() {
                if self.pass_graph {
                    continue;
                }
                return None;
            }
            let from = if is_node(&offer) { self.node_rr } else { self.rr };
            if let Some(s) = first_from(&offer.open.and(&left), from) {
                return Some(self.send(&offer, s));
            }
            left = if self.pass_capped { offer.capped.and(&left) } else { SmxSet::EMPTY };
            if left.is_empty() {
                return None;
            }
        }
        None
    }

    /// policy-E2.
    fn by_smx(&mut self, view: &impl View) -> Option<Answer> {
        for s in (0..self.n_smx).map(|i| (self.rr + i) % self.n_smx) {
            let is_hidden = |offer: &Offer| self.pass_capped && offer.capped.contains(SmxId(s));
            let first = view.offers().find(|offer| !is_node(offer) && !is_hidden(offer));
            if let Some(offer) = first.filter(|offer| offer.open.contains(SmxId(s))) {
                return Some(self.send(&offer, s));
            }
        }
        let node = view.offers().find(|offer| is_node(offer) && offer.blkid.is_some())?;
        let s = first_from(&node.open, self.node_rr)?;
        Some(self.send(&node, s))
    }
}

/// Loads or sends the first that can be of what is wanted.
fn any_of(view: &impl View, wants: impl Fn(&Offer) -> bool) -> Option<Answer> {
    if let Some(needed) = view.offers().find(|offer| wants(offer) && offer.load == OfferLoad::Needed) {
        return Some(Answer::Load(needed.id));
    }
    let live = view.offers().find(|offer| wants(offer) && offer.is_live())?;
    Some(Answer::Send(Choice::next_of(live.id, live.open.last()?)))
}

impl Policy for Host {
    fn loads(&self) -> bool {
        true
    }

    fn choose(&mut self, view: &impl View) -> Answer {
        let now = view.now();
        let (answer, wake) = match self.kind {
            Kind::FcfsRr => (self.by_unit(view), None),
            Kind::BySmx => (self.by_smx(view), None),
            Kind::Idle => (None, None),
            Kind::Every(m) => {
                let is_time = now.0.is_multiple_of(m);
                (any_of(view, |_| is_time), Some(now.after(m - now.0 % m)))
            }
            Kind::Patient(d) => {
                let is_ripe = |offer: &Offer| offer.key.ready.after(d) <= now;
                let waits = view.offers().filter(|offer| offer.is_ripe() && !is_ripe(offer));
                (any_of(view, is_ripe), waits.map(|offer| offer.key.ready.after(d)).min())
            }
        };
        answer.unwrap_or(Answer::Wait(wake))
    }
}

/// Hosts that decline and wake, some with times of their own.
pub fn kinds() -> impl Strategy<Value = Kind> {
    prop_oneof![
        2 => Just(Kind::FcfsRr),
        1 => Just(Kind::Idle),
        2 => (2..=7u64).prop_map(Kind::Every),
        2 => (0..=9u64).prop_map(Kind::Patient),
    ]
}
