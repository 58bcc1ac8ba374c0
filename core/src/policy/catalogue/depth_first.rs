//! Children before parents (catalogue-P14).

use core::cmp::Reverse;

use super::about::about;
use super::config::Tie;
use super::pick::choice;
use super::walk::by_rank;
use super::{Catalogue, Tables};
use crate::policy::seam::offer::{Choice, View};

about! {
    /// One of the two ends between which LaPerm lies; `breadth_first` is the other one.
    pub const DEPTH_FIRST: DepthFirst = "depth_first", "the highest priority first, equals newest first";
    source "ours", "after LaPerm (sheet laperm)";
    parameters { pass: Ours "as all policies"; place: Ours "rr"; tie: Ours "newest: the last child first"; }
    extras [];
    hazard "Host kernels starve under a flood of children."
}

impl<T: Tables> Catalogue<T> {
    pub(super) fn depth_first(&mut self, view: &impl View) -> Option<Choice> {
        let oldest = self.config.tie == Tie::Oldest;
        let of_age = |is_so: bool, key| is_so.then_some(key);
        let line = by_rank(view, |offer| {
            (Reverse(offer.prio), of_age(oldest, offer.key), Reverse(of_age(!oldest, offer.key)))
        });
        let (offer, candidates) = self.walk(line, |_| self.anywhere())?;
        Some(choice(&offer, self.at_place(&offer, &candidates)?))
    }
}
