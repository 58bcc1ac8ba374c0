//! The front kernel alone sends; what it leaves is for the next one (catalogue-P3).

use core::cmp::Reverse;

use super::about::about;
use super::pick::choice;
use super::walk::{Filter, by_rank};
use super::{Catalogue, Tables};
use crate::base::set::SmxSet;
use crate::policy::seam::offer::{Choice, Offer, View};

about! {
    /// The next kernel starts when all TBs of the front one have been sent, even if there is room before. Nothing is preempted, but with
    /// `prio_first` a newcomer of higher priority is the front kernel at once.
    pub const LEFTOVER: Leftover = "leftover", "the front kernel's TBs, all of them, before those of the next one";
    source "Gilman20, Naghi17, Amert17", "doi 10.1145/3453953.3453972, 6; dokumen.tips micro17-gpupdf-15; luowle.tech/posts/gpu-scheduling-tx2";
    parameters {
        pass: Paper "Gilman20, section 6: head";
        place: Paper "Naghi17 and Amert17, as Gilman20 reports";
        prio_first: Paper "Gilman21: stream priorities; off by default";
    }
    extras [];
    hazard "One large kernel serialises everything behind it."
}

impl<T: Tables> Catalogue<T> {
    pub(super) fn leftover(&mut self, view: &impl View) -> Option<Choice> {
        let (offer, candidates) = self.walk_by_prio(view, |_| self.anywhere())?;
        Some(choice(&offer, self.at_place(&offer, &candidates)?))
    }

    /// The walk along the host's line, or with `prio_first` along that by priority.
    pub(super) fn walk_by_prio(&self, view: &impl View, filter: impl Fn(&Offer) -> Filter) -> Option<(Offer, SmxSet)> {
        if self.config.prio_first {
            self.walk(by_rank(view, |offer| Reverse(offer.prio)), filter)
        } else {
            self.walk(view.offers(), filter)
        }
    }
}
