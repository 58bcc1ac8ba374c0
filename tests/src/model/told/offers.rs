//! The model's offers (policy-P4, policy-P5), and what is told from them: the word of a cycle (policy-P10), and who waits (policy-P14).

use gpusched::{
    ClassId, Descriptor, KernelSlot, Offer, OfferId, OfferKind, OfferLoad, Resources, Sched, SmxId, SmxSet,
};

use crate::model::gates::{Head, Obstacle};
use crate::model::laperm::Unit;
use crate::model::told::pieces::Stretch;
use crate::model::{Held, Model, Sscr, tbs_of, threads_of};

/// What an offer sends next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Of an entry with a chain, as its cursor says.
    Chain(usize, Sscr),
    /// Of a unit by itself, under this name: its own, or that of a piece.
    Free(Unit, OfferId),
    /// Of a graph.
    Node(usize),
}

impl Model {
    // ---- policy-P4

    /// policy-P12: the visible units with TBs left, by key.
    pub(in crate::model) fn line(&self) -> Vec<Unit> {
        if !self.is_free() {
            return Vec::new();
        }
        let mut line = Vec::new();
        for (k, entry) in self.kdes.iter().enumerate() {
            let Some(entry) = entry else { continue };
            if entry.arriving.is_none() && entry.graph.is_none() && self.native_left(k) {
                line.push((self.host().natives[&k], Unit::Natives(k)));
            }
        }
        for (r, record) in self.records.iter().enumerate() {
            let Some(record) = record else { continue };
            if matches!(&record.state, Held::Grp(group) if !group.dist) {
                line.push((self.host().groups[&r], Unit::Group(r)));
            }
        }
        line.sort_by_key(|&(key, _)| key);
        line.into_iter().map(|(_, unit)| unit).collect()
    }

    /// What each offer is about, in order.
    pub(super) fn nexts(&self) -> Vec<Next> {
        if self.is_free() {
            let names = |unit| match self.stretches(unit) {
                Some(stretches) => stretches.iter().map(|stretch| stretch.name).collect(),
                None => vec![Self::name_of_unit(unit)],
            };
            let units = self.line().into_iter();
            let units = units.flat_map(|unit| names(unit).into_iter().map(move |name| Next::Free(unit, name)));
            return units.chain(self.unsent_graph().map(Next::Node)).collect();
        }
        let of = |&k: &usize| match self.kde(k).graph {
            Some(_) => Next::Node(k),
            None => Next::Chain(k, self.cursors.get(&k).copied().unwrap_or_else(|| self.fresh(k))),
        };
        self.fifo.iter().map(of).collect()
    }

    pub(super) fn id_of(&self, next: Next) -> OfferId {
        match next {
            Next::Free(_, name) => name,
            Next::Chain(k, _) | Next::Node(k) => OfferId::Entry(KernelSlot(k as u8)),
        }
    }

    /// What a unit's TBs are, all alike.
    pub(super) fn need_of(&self, next: Next) -> Descriptor {
        match next {
            Next::Free(unit, _) => *self.descriptor_of(unit),
            Next::Chain(_, Sscr { agei: Some(r), .. }) => self.record(r).descriptor,
            Next::Chain(k, _) | Next::Node(k) => self.next_kernel(k),
        }
    }

    pub(super) fn open_to(&self, next: Next, s: usize) -> bool {
        self.obstacle_of(&self.need_of(next), s).is_none()
    }

    pub(super) fn offer(&self, next: Next) -> Offer {
        let d = self.need_of(next);
        let set_of = |is_in: &dyn Fn(usize) -> bool| {
            let mut set = SmxSet::EMPTY;
            self.all().into_iter().filter(|&s| is_in(s)).for_each(|s| set.set(SmxId(s as u16), true));
            set
        };
        let common = Offer {
            tag: d.tag,
            res: Resources { threads: threads_of(&d), regs: d.regs, smem: d.smem, slots: 1 },
            class_id: self.class_of(&d).map(|c| ClassId(c as u8)),
            open: set_of(&|s| self.obstacle_of(&d, s).is_none()),
            capped: set_of(&|s| self.obstacle_of(&d, s) == Some(Obstacle::K)),
            ..Offer::of(self.id_of(next))
        };
        let of_natives = |k: usize| {
            let kde = self.kde(k);
            let is_restored = kde.restored < kde.kernel.saved;
            let unsent = tbs_of(&d) - kde.kernel.next_native;
            Offer {
                row: k as u32,
                kind: if is_restored { OfferKind::Restored } else { OfferKind::Native },
                blkid: Some(if is_restored { kde.restored } else { kde.kernel.next_native }),
                left: kde.kernel.saved - kde.restored + unsent,
                total: tbs_of(&d),
                prio: kde.kernel.prio as u8,
                psmx: kde.kernel.psmx.map(|s| SmxId(s as u16)),
                stream: kde.kernel.origin.stream,
                parent: kde.kernel.origin.parent,
                key: self.host().natives[&k],
                ..common
            }
        };
        let of_group = |r: usize, next_tb: u32, load| {
            let record = self.record(r);
            Offer {
                row: (self.kdes.len() + r) as u32,
                kind: OfferKind::Group,
                blkid: Some(next_tb),
                left: tbs_of(&d) - next_tb,
                total: tbs_of(&d),
                prio: record.prio as u8,
                psmx: Some(SmxId(record.psmx as u16)),
                stream: record.origin.stream,
                parent: record.origin.parent,
                key: self.host().groups[&r],
                load,
                ..common
            }
        };
        match next {
            Next::Free(unit, name) => {
                let whole = match unit {
                    Unit::Natives(k) => of_natives(k),
                    Unit::Group(r) => of_group(r, self.host().next_tb[&r], OfferLoad::None),
                };
                match self.stretch(unit, name) {
                    Some(Stretch { next, end, .. }) => Offer { blkid: Some(next), left: end - next, ..whole },
                    None => whole,
                }
            }
            Next::Chain(k, Sscr { agei: None, .. }) => of_natives(k),
            Next::Chain(_, Sscr { agei: Some(r), next_bl, load, .. }) => {
                let is_spilled = self.group(r).age.is_none();
                let load = match load {
                    _ if !is_spilled => OfferLoad::None,
                    0 => OfferLoad::Needed,
                    1 => OfferLoad::Waiting,
                    _ => OfferLoad::Here,
                };
                of_group(r, next_bl, load)
            }
            Next::Node(k) => Offer { kind: OfferKind::Node, blkid: self.next_node(), ..of_natives(k) },
        }
    }

    pub(super) fn offers(&self) -> Vec<Offer> {
        self.nexts().into_iter().map(|next| self.offer(next)).collect()
    }

    // ---- policy-P5

    fn is_live(offer: &Offer) -> bool {
        let is_unknown = offer.kind == OfferKind::Node && offer.blkid.is_none();
        !offer.open.is_empty() && offer.load != OfferLoad::Waiting && !is_unknown
    }

    pub(super) fn any_live(&self) -> bool {
        self.offers().iter().any(Self::is_live)
    }

    pub(super) fn any_ripe(&self) -> bool {
        self.offers().iter().any(|offer| Self::is_live(offer) || offer.load == OfferLoad::Needed)
    }

    pub(super) fn told_word(&self) -> Sched {
        let offers = self.offers();
        let Some(first) = offers.first() else { return Sched::Idle };
        if offers.iter().any(Self::is_live) {
            return Sched::Told;
        }
        let next = self.nexts()[0];
        if let (Next::Node(_), Err(word)) = (next, self.sendable_node_if(next)) {
            return word;
        }
        if matches!(first.load, OfferLoad::Needed | OfferLoad::Waiting) {
            return Sched::Load;
        }
        self.verdict_of(&self.need_of(next), &self.all())
    }

    /// What the graph says of its next node; nothing stands against what is no node.
    pub(super) fn sendable_node_if(&self, next: Next) -> Result<(), Sched> {
        if matches!(next, Next::Node(_)) { self.sendable_node() } else { Ok(()) }
    }

    // ---- policy-P14

    /// frontend-C2's heads: the offers in order, up to one that an SMX can take.
    pub(in crate::model) fn told_heads(&self) -> Vec<Head> {
        let (units, graph): (Vec<_>, Vec<_>) = if self.is_free() {
            self.nexts().into_iter().partition(|next| !matches!(next, Next::Node(_)))
        } else {
            (self.nexts(), Vec::new())
        };
        let mut heads = Vec::new();
        for line in [units, graph] {
            for next in line {
                if self.sendable_node_if(next).is_err() {
                    continue;
                }
                let d = self.need_of(next);
                heads.push(Head { tag: d.tag, d, left: self.all(), entry: None });
                if self.all().into_iter().any(|s| self.open_to(next, s)) {
                    break;
                }
            }
        }
        heads
    }

    /// frontend-Q1.
    pub(in crate::model) fn host_could_send(&self) -> bool {
        let is_taken = |next| self.all().into_iter().any(|s| self.open_to(next, s));
        self.nexts().into_iter().any(|next| self.sendable_node_if(next).is_ok() && is_taken(next))
    }
}
