//! Parents before children (catalogue-P14).

use super::about::about;
use super::pick::choice;
use super::walk::by_rank;
use super::{Catalogue, Tables};
use crate::policy::seam::offer::{Choice, View};

about! {
    /// One of the two ends between which LaPerm lies; `depth_first` is the other one.
    pub const BREADTH_FIRST: BreadthFirst = "breadth_first", "the lowest priority first, then by age";
    source "ours", "after LaPerm (sheet laperm)";
    parameters { pass: Ours "as all policies"; place: Ours "rr"; }
    extras [];
    hazard "Every child waits behind all parents, which fills launch records and pending tables."
}

impl<T: Tables> Catalogue<T> {
    pub(super) fn breadth_first(&mut self, view: &impl View) -> Option<Choice> {
        let line = by_rank(view, |offer| (offer.prio, offer.key));
        let (offer, candidates) = self.walk(line, |_| self.anywhere())?;
        Some(choice(&offer, self.at_place(&offer, &candidates)?))
    }
}
