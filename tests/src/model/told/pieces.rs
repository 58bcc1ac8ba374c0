//! The model's units in pieces (policy-P15, policy-P16): of each that was split all stretches of TBs that are unsent, as plain lists.

use gpusched::{Fault, KernelSlot, OfferId, OfferKind, PieceId, RecordId};

use crate::events::Value;
use crate::model::laperm::Unit;
use crate::model::told::offers::Next;
use crate::model::{Model, tbs_of};

/// TBs `next..end` of a unit, under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) name: OfferId,
    pub(super) next: u32,
    pub(super) end: u32,
}

impl Model {
    /// The stretches of a unit that was split, by their TBs.
    pub(super) fn stretches(&self, unit: Unit) -> Option<&Vec<Stretch>> {
        self.host().pieces.iter().find(|(of, _)| *of == unit).map(|(_, stretches)| stretches)
    }

    pub(super) fn stretch(&self, unit: Unit, name: OfferId) -> Option<Stretch> {
        self.stretches(unit)?.iter().copied().find(|stretch| stretch.name == name)
    }

    pub(super) fn name_of_unit(unit: Unit) -> OfferId {
        match unit {
            Unit::Natives(k) => OfferId::Entry(KernelSlot(k as u8)),
            Unit::Group(r) => OfferId::Record(RecordId(r as u32)),
        }
    }

    /// policy-P17.
    pub(in crate::model) fn natives_are_in_pieces(&self, k: usize) -> bool {
        self.host.is_some() && self.stretches(Unit::Natives(k)).is_some()
    }

    /// policy-P16: whether no TB of a group was sent before this one.
    pub(in crate::model) fn is_first_of_group(&self, r: usize, blkid: u32) -> bool {
        let in_pieces = self.host.as_ref().and_then(|_| self.stretches(Unit::Group(r)));
        let Some(stretches) = in_pieces else { return blkid == 0 };
        let unsent: u32 = stretches.iter().map(|stretch| stretch.end - stretch.next).sum();
        unsent == tbs_of(&self.record(r).descriptor)
    }

    /// policy-P15.
    pub(super) fn split(&mut self, id: OfferId, at: u32) -> Result<Value, Fault> {
        self.between_halves()?;
        let next = self.named(id)?;
        let offer = self.offer(next);
        let (Next::Free(unit, _), OfferKind::Native | OfferKind::Group) = (next, offer.kind) else {
            return Err(Fault::NoSplit);
        };
        let first = offer.blkid.expect("only a node may be unknown");
        if at <= first || at >= first + offer.left {
            return Err(Fault::NoSplit);
        }
        let is_taken = |piece: &OfferId| {
            self.host().pieces.iter().any(|(_, stretches)| stretches.iter().any(|stretch| stretch.name == *piece))
        };
        let names = (0..self.host().part.split_cap).map(|p| OfferId::Piece(PieceId(p as u16)));
        let name = names.into_iter().find(|piece| !is_taken(piece)).ok_or(Fault::SplitFull)?;
        let mut stretches = self.stretches(unit).cloned().unwrap_or_default();
        stretches.retain(|stretch| stretch.name != id);
        stretches.push(Stretch { name: id, next: first, end: at });
        stretches.push(Stretch { name, next: at, end: first + offer.left });
        stretches.sort_by_key(|stretch| stretch.next);
        let pieces = &mut self.host_mut().pieces;
        pieces.retain(|(of, _)| *of != unit);
        pieces.push((unit, stretches));
        Ok(Value::Piece(name))
    }

    /// TB `tb` of a unit starts: it is gone from its stretch, and the unit from those in pieces with its last one.
    pub(super) fn take_from_pieces(&mut self, unit: Unit, tb: u32) {
        let pieces = &mut self.host_mut().pieces;
        for (_, stretches) in pieces.iter_mut().filter(|(of, _)| *of == unit) {
            for stretch in stretches.iter_mut().filter(|stretch| stretch.next == tb) {
                stretch.next += 1;
            }
            stretches.retain(|stretch| stretch.next < stretch.end);
        }
        pieces.retain(|(_, stretches)| !stretches.is_empty());
    }
}
