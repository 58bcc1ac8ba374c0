//! Hosts that keep their promises: policies, some of which have no other state than whose turn it is (policy-P9).

use gpusched::seam::{Answer, FcfsRr, Policy, View};
use gpusched::{Choice, Config, Offer, OfferKind, OfferLoad, SmxId};
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
    fcfs_rr: FcfsRr,
    n_smx: u16,
    pass_capped: bool,
    /// Whose turn it is, of [`Kind::BySmx`]: to take a TB, and to take a node (its copy of dats' `next_smx`).
    turns: [u16; 2],
}

impl Host {
    /// One for a front end of this configuration.
    pub fn of(kind: Kind, config: &Config) -> Self {
        let Config { n_smx, pass_capped, .. } = *config;
        Self { kind, fcfs_rr: FcfsRr::new(config), n_smx: n_smx as u16, pass_capped, turns: [0; 2] }
    }

    /// policy-E2.
    fn by_smx(&mut self, view: &impl View) -> Option<Answer> {
        let [tb, node] = self.turns;
        let next_of = |offer: &Offer, s| Some(Answer::Send(Choice::next_of(offer.id, SmxId(s))));
        for s in (0..self.n_smx).map(|i| (tb + i) % self.n_smx) {
            let is_hidden = |offer: &Offer| self.pass_capped && offer.capped.contains(SmxId(s));
            let first = view.offers().find(|offer| offer.kind != OfferKind::Node && !is_hidden(offer));
            if let Some(offer) = first.filter(|offer| offer.open.contains(SmxId(s))) {
                self.turns[0] = (s + 1) % self.n_smx;
                return next_of(&offer, s);
            }
        }
        let graph = view.offers().find(|offer| offer.kind == OfferKind::Node && offer.blkid.is_some())?;
        let s = graph.open.iter().map(|s| s.0).min_by_key(|&s| (s < node, s))?;
        self.turns[1] = (s + 1) % self.n_smx;
        next_of(&graph, s)
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
            Kind::FcfsRr => return self.fcfs_rr.choose(view),
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
