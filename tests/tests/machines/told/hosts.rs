//! Hosts that keep their promises: what each sends in a cycle, and when it would next have something to say (policy-P9).

use gpusched::{Offer, OfferId, OfferKind, OfferLoad, SmxSet};
use gpusched_tests::events::Event;

use crate::properties::configs::Machine;
use crate::told::script::offers;

/// A host, with what it keeps.
#[derive(Clone, Copy, Debug)]
pub enum Host {
    /// First come, first served and round robin, from this SMX on (policy-E1).
    FcfsRr(u16),
    /// LaPerm's round robin, SMX by SMX from this one on (policy-E2).
    BySmx(u16),
    /// Never loads or sends (policy-E3).
    Idle,
    /// All that it can, in every cycle that this number divides.
    Every(u64),
    /// A unit's TBs not before it was visible for so long.
    Patient(u64),
}

type Call<'c> = &'c mut dyn FnMut(&mut Machine, &Event);

/// The first of `set` from `from` upward.
fn first_from(set: &SmxSet, from: u16) -> Option<u16> {
    set.iter().map(|s| s.0).min_by_key(|&s| (s < from, s))
}

fn both(a: &SmxSet, b: &SmxSet) -> SmxSet {
    let mut set = SmxSet::EMPTY;
    a.iter().filter(|&s| b.contains(s)).for_each(|s| set.set(s, true));
    set
}

fn again(gpu: &Machine, id: OfferId) -> Offer {
    offers(gpu).into_iter().find(|offer| offer.id == id).expect("it was offered, and nothing was sent since")
}

fn next_smx(gpu: &Machine) -> u16 {
    gpu.dgb().map_or(0, |dgb| dgb.state().next_smx.0)
}

impl Host {
    /// What it does between the halves of a cycle. The cycle before which it would send nothing more; `None`: at all.
    pub fn act(&mut self, gpu: &mut Machine, call: Call<'_>) -> Option<u64> {
        let now = gpu.now().0;
        let sent = match self {
            Self::FcfsRr(rr) => by_unit(gpu, rr, call),
            Self::BySmx(rr) => by_smx(gpu, rr, call),
            Self::Idle => return None,
            Self::Every(m) => {
                let m = *m;
                if now.is_multiple_of(m) {
                    all_of(gpu, call, |_| true);
                }
                return Some((now / m + 1) * m);
            }
            Self::Patient(d) => {
                let d = *d;
                let is_ripe = |offer: &Offer| offer.key.ready.0 + d <= now;
                let sent = all_of(gpu, call, is_ripe);
                let waits = offers(gpu).into_iter().filter(|offer| offer.is_ripe() && !is_ripe(offer));
                let first = waits.map(|offer| offer.key.ready.0 + d).min();
                // More may be open than a cycle lets it send.
                return if sent { Some(now + 1) } else { first };
            }
        };
        sent.then_some(now + 1)
    }
}

/// policy-E1.
fn by_unit(gpu: &mut Machine, rr: &mut u16, call: Call<'_>) -> bool {
    let config = *gpu.config();
    let mut left = SmxSet::first(config.n_smx);
    for id in offers(gpu).iter().map(|offer| offer.id) {
        if again(gpu, id).load == OfferLoad::Needed {
            call(gpu, &Event::Load(id));
        }
        let offer = again(gpu, id);
        let is_node = offer.kind == OfferKind::Node;
        if offer.load == OfferLoad::Waiting {
            return false;
        }
        if is_node && offer.blkid.is_none() {
            if config.pass_graph {
                continue;
            }
            return false;
        }
        let from = if is_node { next_smx(gpu) } else { *rr };
        if let Some(s) = first_from(&both(&offer.open, &left), from) {
            call(gpu, &Event::Send { id, smx: s.into() });
            if !is_node {
                *rr = (s + 1) % config.n_smx as u16;
            }
            return true;
        }
        left = if config.pass_capped { both(&offer.capped, &left) } else { SmxSet::EMPTY };
        if left.is_empty() {
            return false;
        }
    }
    false
}

/// policy-E2.
fn by_smx(gpu: &mut Machine, rr: &mut u16, call: Call<'_>) -> bool {
    let config = *gpu.config();
    let all = offers(gpu);
    for s in (0..config.n_smx as u16).map(|i| (*rr + i) % config.n_smx as u16) {
        let smx = gpusched::SmxId(s);
        let is_first =
            |offer: &&Offer| offer.kind != OfferKind::Node && !(config.pass_capped && offer.capped.contains(smx));
        let Some(offer) = all.iter().find(is_first) else { continue };
        if offer.open.contains(smx) {
            call(gpu, &Event::Send { id: offer.id, smx: s.into() });
            *rr = (s + 1) % config.n_smx as u16;
            return true;
        }
    }
    let node = all.iter().find(|offer| offer.kind == OfferKind::Node && offer.blkid.is_some());
    let Some((offer, s)) = node.and_then(|offer| Some((offer, first_from(&offer.open, next_smx(gpu))?))) else {
        return false;
    };
    call(gpu, &Event::Send { id: offer.id, smx: s.into() });
    true
}

/// Loads and sends what it wants, as much as a cycle lets it. Whether it has sent anything.
fn all_of(gpu: &mut Machine, call: Call<'_>, wants: impl Fn(&Offer) -> bool) -> bool {
    let most = gpu.config().told().map_or(0, |told| told.dispatch_per_cycle);
    let mut sent = 0;
    loop {
        let wanted = offers(gpu).into_iter().filter(&wants).collect::<Vec<_>>();
        if let Some(needed) = wanted.iter().find(|offer| offer.load == OfferLoad::Needed) {
            call(gpu, &Event::Load(needed.id));
            continue;
        }
        let live = wanted.into_iter().find(Offer::is_live).filter(|_| sent < most);
        let Some((id, smx)) = live.and_then(|offer| Some((offer.id, offer.open.last()?))) else { return sent > 0 };
        call(gpu, &Event::Send { id, smx: smx.into() });
        sent += 1;
    }
}
