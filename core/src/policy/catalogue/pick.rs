//! What many policies do with the SMXs to which an offer may go (catalogue-N2 to N5).

use super::config::Place;
use super::{Catalogue, Tables};
use crate::base::id::{Id, SmxId, next_of};
use crate::base::set::{IdSet, SmxSet};
use crate::policy::seam::offer::{Choice, Offer, OfferKind, View};

/// What splitmix64 counts by.
pub(super) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// catalogue-N4: splitmix64 of a number.
///
/// ```
/// assert_eq!(gpusched::policy::catalogue::mix(0), 0xe220_a839_7b1d_cdaf);
/// ```
#[must_use]
pub const fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(GOLDEN);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The number behind `i` of `n`, which the first one follows.
pub(super) const fn behind(i: u16, n: u32) -> u16 {
    if i as u32 + 1 >= n { 0 } else { i + 1 }
}

/// The first candidate of a group from a pointer on, a place among its members, ascending; and the pointer behind it.
pub(super) fn turn<I: Id>(members: &IdSet<I>, at: u16, candidates: &IdSet<I>) -> Option<(I, u16)> {
    let start = members.iter().nth(at.into())?;
    let taken = members.first_from(start, candidates, &IdSet::EMPTY)?;
    let place = members.iter().take_while(|member| member.index() < taken.index()).count() as u16;
    Some((taken, behind(place, members.len())))
}

/// The next TB of an offer goes to an SMX.
pub(super) const fn choice(offer: &Offer, smx: SmxId) -> Choice {
    Choice { id: offer.id, smx, blkid: None }
}

/// catalogue-X1: a TB of a unit goes to an SMX. It is named where it is not the next one of the offer that has it, which is the unit's first
/// one if none says so. Pieces of a unit are open alike; of those that a host shows otherwise, one that is open is meant (catalogue-I1).
pub(super) fn choice_of(view: &impl View, unit: &Offer, blkid: u32, smx: SmxId) -> Choice {
    let has_it = |piece: &Offer| {
        let is_of_unit = (piece.row, piece.key) == (unit.row, unit.key) && piece.open.contains(smx);
        let from = piece.blkid.filter(|_| is_of_unit);
        from.is_some_and(|from| blkid.checked_sub(from).is_some_and(|at| at < piece.left))
    };
    let piece = view.offers().find(has_it).unwrap_or(*unit);
    Choice { id: piece.id, smx, blkid: Some(blkid).filter(|blkid| piece.blkid != Some(*blkid)) }
}

/// catalogue-X1: whether any TB of a unit may go: not where TBs come back, in their order, nor those of a graph.
pub(super) const fn is_divided(unit: &Offer) -> bool {
    matches!(unit.kind, OfferKind::Native | OfferKind::Group)
}

impl<T: Tables> Catalogue<T> {
    /// catalogue-N2: the first candidate from `rr` on; the pointer goes behind it.
    pub(super) fn next_in_turn(&mut self, candidates: &SmxSet) -> Option<SmxId> {
        let smx = candidates.first_from(self.rr, candidates, &SmxSet::EMPTY)?;
        self.rr = next_of(smx, self.config.n_smx);
        Some(smx)
    }

    /// catalogue-N3: the candidate of the parameter `place`.
    pub(super) fn at_place(&mut self, offer: &Offer, candidates: &SmxSet) -> Option<SmxId> {
        match (self.config.place, offer.psmx) {
            (Place::Lowest, _) => candidates.at_or_above(0),
            (Place::Parent, Some(parent)) if candidates.contains(parent) => Some(parent),
            _ => self.next_in_turn(candidates),
        }
    }
}
