//! Block CTA scheduling: neighbours on one SMX (catalogue-P5).

use super::about::about;
use super::pick::choice;
use super::topology::set_of;
use super::walk::Filter;
use super::{Catalogue, Tables};
use crate::base::id::SmxId;
use crate::base::set::SmxSet;
use crate::policy::seam::offer::{Choice, Offer, View};

about! {
    /// Blocks are aligned: TB i is in block floor(i / `block`). A block begins on an SMX that has room for all of it, or for as much as an
    /// empty SMX holds; the others follow there. If that SMX is closed to one of them, the rest of the block begins anew.
    pub const BCS: Bcs = "bcs", "`block` consecutive TBs to one SMX, from a pointer";
    source "Lee14", "doi 10.1109/HPCA.2014.6835937 (abstract)";
    parameters {
        pass: Ours "as all policies";
        block: Ours "pairs are our reading of Lee14";
    }
    extras [];
    hazard "With an odd number of slots one per SMX idles until a block ends together; TBs that end apart delay the next block."
}

impl<T: Tables> Catalogue<T> {
    pub(super) fn bcs(&mut self, view: &impl View) -> Option<Choice> {
        let (offer, candidates) = self.walk(view.offers(), |offer| match self.home(offer) {
            Some(home) => self.only(set_of([home].into_iter())),
            None => {
                let rest = self.rest_of_block(offer);
                let fits = |s| offer.open.contains(s) && offer.res.times_in(&view.free(s)) >= rest;
                Filter { allowed: self.config.smxs_with(fits), leaves: SmxSet::EMPTY }
            }
        })?;
        let smx = match self.home(&offer) {
            Some(home) => home,
            None => self.next_in_turn(&candidates)?,
        };
        let ends = self.left_of_block(&offer) == 1;
        if ends || offer.left <= 1 {
            self.homes.drop_unit(offer.row, offer.key.no);
        } else {
            self.homes.keep(offer.row, offer.key.no, smx);
        }
        Some(choice(&offer, smx))
    }

    /// The SMX of the offer's block, if it is open to it.
    fn home(&self, offer: &Offer) -> Option<SmxId> {
        self.homes.of(offer.row, offer.key.no).filter(|home| offer.open.contains(*home))
    }

    /// TBs of the next TB's block from it on.
    fn left_of_block(&self, offer: &Offer) -> u32 {
        let block = self.config.block;
        block.saturating_sub(offer.blkid.unwrap_or(0).checked_rem(block).unwrap_or(0))
    }

    /// k: those of them that must find room together.
    fn rest_of_block(&self, offer: &Offer) -> u32 {
        self.left_of_block(offer).min(offer.left).min(offer.res.times_in(&self.config.capacity()))
    }
}
