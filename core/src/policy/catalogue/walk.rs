//! The walk (catalogue-W1): who may go, and on which SMXs. It changes nothing.

use core::iter;

use super::config::Pass;
use super::{Catalogue, Tables};
use crate::base::set::SmxSet;
use crate::policy::seam::offer::{Offer, View};

/// What a policy says of an offer.
pub(super) struct Filter {
    /// SMXs to which the policy would send it.
    pub(super) allowed: SmxSet,
    /// Of the others, those that it leaves to the offers behind it: not those on which it waits for room (catalogue-C3).
    pub(super) leaves: SmxSet,
}

impl<T: Tables> Catalogue<T> {
    /// All SMXs are allowed.
    pub(super) fn anywhere(&self) -> Filter {
        Filter { allowed: self.config.all(), leaves: SmxSet::EMPTY }
    }

    /// These SMXs are allowed, the others are left.
    pub(super) fn only(&self, allowed: SmxSet) -> Filter {
        Filter { allowed, leaves: self.config.all().without(&allowed) }
    }

    /// catalogue-W1, catalogue-N1: the first offer of a line that may go, and the SMXs to which it may.
    pub(super) fn walk(
        &self,
        line: impl Iterator<Item = Offer>,
        filter: impl Fn(&Offer) -> Filter,
    ) -> Option<(Offer, SmxSet)> {
        let mut left = self.config.all();
        for offer in line {
            let Filter { allowed, leaves } = filter(&offer);
            let candidates = left.and(&allowed).and(&offer.open);
            if !candidates.is_empty() {
                return Some((offer, candidates));
            }
            match self.config.pass {
                Pass::Head => return None,
                Pass::Capped => {
                    left = left.and(&offer.capped.or(&leaves));
                    if left.is_empty() {
                        return None;
                    }
                }
                Pass::Any => {}
            }
        }
        None
    }
}

/// catalogue-X1: the line of units. One in pieces, whose offers stand side by side, is one offer with all that is left of it (policy-A10).
pub(super) fn whole_units(view: &impl View) -> impl Iterator<Item = Offer> {
    let mut offers = view.offers().peekable();
    iter::from_fn(move || {
        let mut unit = offers.next()?;
        while let Some(piece) = offers.next_if(|piece| (piece.row, piece.key) == (unit.row, unit.key)) {
            unit.left = unit.left.saturating_add(piece.left);
        }
        Some(unit)
    })
}

/// A line: offers by rank, lowest first, equals in the order of the host. Nothing is stored: each further offer costs a look at all, and
/// most often the first one goes.
pub(super) fn by_rank<R: Ord + Copy>(view: &impl View, rank: impl Fn(&Offer) -> R) -> impl Iterator<Item = Offer> {
    let mut last = None;
    iter::from_fn(move || {
        let ranked = (0usize..).zip(view.offers()).map(|(place, offer)| ((rank(&offer), place), offer));
        let behind = ranked.filter(|(at, _)| last.is_none_or(|last| *at > last));
        let (at, offer) = behind.min_by_key(|(at, _)| *at)?;
        last = Some(at);
        Some(offer)
    })
}
