//! The oldest family first (catalogue-P9).

use super::about::about;
use super::pick::choice;
use super::walk::by_rank;
use super::{Catalogue, Tables};
use crate::policy::seam::offer::{Choice, View};

about! {
    /// The idea of LaPerm's binding, with the age of the family: natives come before the groups that they launched, groups of an older
    /// kernel before a younger kernel. A group goes to the SMX of the TB that launched it, if that is open to it.
    pub const OLDEST_PARENT: OldestParent = "oldest_parent",
        "by the age of the parent unit, then by one's own, to the parent's SMX if it is open";
    source "ours", "after LaPerm (sheet laperm)";
    parameters { pass: Ours "as all policies"; place: Ours "parent"; }
    extras [X2];
    hazard "A family that keeps launching starves all younger ones."
}

impl<T: Tables> Catalogue<T> {
    pub(super) fn oldest_parent(&mut self, view: &impl View) -> Option<Choice> {
        let line = by_rank(view, |offer| (offer.parent.unwrap_or(offer.key), offer.key));
        let (offer, candidates) = self.walk(line, |_| self.anywhere())?;
        Some(choice(&offer, self.at_place(&offer, &candidates)?))
    }
}
