//! What a policy sees and says: a unit of work is offered with what its next TB needs and the SMXs that are open to it; the answer
//! names an offer and an SMX.
//!
//! A *unit* is the native TBs of a kernel, or an aggregated group. Whoever holds units (the front end, a simulator with a scheduler
//! of its own, a test) is the policy's host, and shows them through a [`View`].
//!
//! ```
//! use gpusched::policy::seam::offer::{Offer, OfferId, View};
//! use gpusched::{Cycle, KernelSlot, SmxId, SmxSet, Resources};
//!
//! /// A host with one unit and two SMXs, of which the second one has room.
//! struct OneUnit;
//! impl View for OneUnit {
//!     fn now(&self) -> Cycle {
//!         Cycle(7)
//!     }
//!     fn offers(&self) -> impl Iterator<Item = Offer> {
//!         let open = SmxSet::from_words([0b10, 0, 0, 0]);
//!         core::iter::once(Offer { left: 4, total: 4, open, ..Offer::of(OfferId::Entry(KernelSlot(0))) })
//!     }
//!     fn free(&self, smx: SmxId) -> Resources {
//!         Resources { threads: 64 * u32::from(smx), regs: 0, smem: 0, slots: u32::from(smx) }
//!     }
//!     fn residents(&self, _: SmxId) -> impl Iterator<Item = gpusched::policy::seam::offer::Resident> {
//!         core::iter::empty()
//!     }
//! }
//! let open = OneUnit.offers().map(|offer| offer.open.iter().next());
//! assert_eq!(open.collect::<Vec<_>>(), [Some(SmxId(1))]);
//! ```

use crate::base::cycle::Cycle;
use crate::base::id::{ClassId, KernelSlot, PieceId, RecordId, SmxId};
use crate::base::resources::Resources;
use crate::base::set::SmxSet;

/// The name of an offer while it is made. Names are used again; [`UnitKey::no`] is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum OfferId {
    /// What a kernel distributor entry sends next: `k<entry>`.
    Entry(KernelSlot),
    /// A group by itself: `g<record>`.
    Record(RecordId),
    /// A piece of a kernel's native TBs or of a group, which the host has split off: `p<piece>` (policy-P15).
    Piece(PieceId),
}

/// What an offer's next TB is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum OfferKind {
    /// A TB of the kernel's own grid.
    #[default]
    Native,
    /// One that a suspension took off its SMX.
    Restored,
    /// A TB of an aggregated group.
    Group,
    /// A node of a dependency graph.
    Node,
}

/// How far the load of a spilled group is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum OfferLoad {
    /// There is nothing to load.
    #[default]
    None,
    /// Nobody has asked for it.
    Needed,
    /// It is under way.
    Waiting,
    /// It is here.
    Here,
}

/// When a unit became visible, and its number: no two units share it, and both only grow (policy-P3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct UnitKey {
    /// The cycle.
    pub ready: Cycle,
    /// The number, from 0.
    pub no: u64,
}

/// A unit with TBs to send, or a piece of one (policy-P4, policy-P15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Offer {
    /// Its name.
    pub id: OfferId,
    /// Its unit's place in tables of whoever keeps something for each: below the entries and launch records of the host together,
    /// and no other unit's until all TBs of this one have ended.
    pub row: u32,
    /// What its next TB is.
    pub kind: OfferKind,
    /// Tag of its kernel or group.
    pub tag: u64,
    /// What one TB takes; one slot.
    pub res: Resources,
    /// The next TB: its index; of restored TBs, its position; of a graph, the node, `None` if that is not known.
    pub blkid: Option<u32>,
    /// TBs that are still to be sent; of a unit in pieces, those of this piece.
    pub left: u32,
    /// All TBs of the unit.
    pub total: u32,
    /// Priority, higher first.
    pub prio: u8,
    /// SMX of the TB that launched it; `None` for what the host launched.
    pub psmx: Option<SmxId>,
    /// Class of its kernel (gate K).
    pub class_id: Option<ClassId>,
    /// Stream of the host launch that it descends from, as far as its host tells streams apart: a front end by their hardware work queues.
    pub stream: u32,
    /// When it became visible.
    pub key: UnitKey,
    /// The key of the unit whose TB launched it; `None` for what the host launched.
    pub parent: Option<UnitKey>,
    /// SMXs on which nothing stands against its next TB.
    pub open: SmxSet,
    /// SMXs on which its class has its share (gate K) and which are closed to it for that.
    pub capped: SmxSet,
    /// The load of its information.
    pub load: OfferLoad,
}

impl Offer {
    /// An offer of that name without anything to send, to be filled in.
    #[must_use]
    pub fn of(id: OfferId) -> Self {
        Self {
            id,
            row: 0,
            kind: OfferKind::Native,
            tag: 0,
            res: Resources::default(),
            blkid: Some(0),
            left: 0,
            total: 0,
            prio: 0,
            psmx: None,
            class_id: None,
            stream: 0,
            key: UnitKey::default(),
            parent: None,
            open: SmxSet::EMPTY,
            capped: SmxSet::EMPTY,
            load: OfferLoad::None,
        }
    }

    /// Whether its next TB could be sent now (policy-P5).
    #[must_use]
    pub fn is_live(&self) -> bool {
        !self.open.is_empty()
            && self.load != OfferLoad::Waiting
            && (self.kind != OfferKind::Node || self.blkid.is_some())
    }

    /// Whether something could be done with it now: sent, or loaded (policy-P5).
    #[must_use]
    pub fn is_ripe(&self) -> bool {
        self.is_live() || self.load == OfferLoad::Needed
    }
}

/// A TB on an SMX, as a policy sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Resident {
    /// The number of its unit ([`UnitKey::no`]).
    pub unit: u64,
    /// Stream of the host launch that its unit descends from.
    pub stream: u32,
    /// Its threads.
    pub threads: u32,
}

/// A TB that has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Completion {
    /// The number of its unit.
    pub unit: u64,
    /// The unit's place in tables ([`Offer::row`]).
    pub row: u32,
    /// Its index.
    pub blkid: u32,
    /// Where it ran.
    pub smx: SmxId,
    /// The cycle in which it was sent.
    pub start: Cycle,
    /// The cycle in which it has ended.
    pub end: Cycle,
    /// Warp instructions that it has issued; 0 if nobody has counted.
    pub issued: u64,
    /// Warp instructions that all TBs of its unit on that SMX have issued meanwhile, it included.
    pub all: u64,
}

/// What a policy sees of its host in a cycle.
pub trait View {
    /// The cycle.
    fn now(&self) -> Cycle;

    /// The units with TBs to send, in the host's order.
    fn offers(&self) -> impl Iterator<Item = Offer>;

    /// What is offered under this name, for policies that keep the names of units.
    fn offer(&self, id: OfferId) -> Option<Offer> {
        self.offers().find(|offer| offer.id == id)
    }

    /// SMXs on which a class has its share (gate K), as its offers say.
    fn capped(&self, class: ClassId) -> SmxSet {
        self.offers().find(|offer| offer.class_id == Some(class)).map_or(SmxSet::EMPTY, |offer| offer.capped)
    }

    /// SMXs that take no TB whatever it is (gates E and X), as far as the host tells them apart from those without room.
    fn closed(&self) -> SmxSet {
        SmxSet::EMPTY
    }

    /// What is free on an SMX.
    fn free(&self, smx: SmxId) -> Resources;

    /// The TBs that run on an SMX.
    fn residents(&self, smx: SmxId) -> impl Iterator<Item = Resident>;
}

/// A policy's answer: the next TB of an offer's unit goes to an SMX that is open to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Choice {
    /// The offer.
    pub id: OfferId,
    /// The SMX.
    pub smx: SmxId,
    /// Another TB of the unit than its next one, not sent yet: then what is unsent is split there.
    pub blkid: Option<u32>,
}

impl Choice {
    /// The next TB of an offer goes to this SMX.
    #[must_use]
    pub const fn next_of(id: OfferId, smx: SmxId) -> Self {
        Self { id, smx, blkid: None }
    }
}
