//! SMXs by a hash of the tag (catalogue-P10).

use super::about::about;
use super::pick::{choice, mix};
use super::{Catalogue, Tables};
use crate::base::id::{Id, SmxId};
use crate::base::set::SmxSet;
use crate::policy::seam::offer::{Choice, Offer, View};

about! {
    /// Units of one tag have the same home, so what one has loaded into a cache the next one finds. If the home is closed, the `probe` SMXs
    /// behind it will do.
    pub const AFFINITY: Affinity = "affinity", "to the home SMX of the unit's tag, or one of those behind it";
    source "ours", "software forms: CTA clustering, Li et al., ASPLOS 2017 (abstract)";
    parameters {
        pass: Ours "as all policies"; seed: Ours "0"; grain: Ours "0: one home per unit"; probe: Ours "255: any SMX will do";
    }
    extras [];
    hazard "Hot tags crowd one SMX; with probe 0 a TB waits for its home for ever if that stays closed."
}

impl<T: Tables> Catalogue<T> {
    pub(super) fn affinity(&mut self, view: &impl View) -> Option<Choice> {
        let probe = self.config.probe.min(self.config.n_smx.saturating_sub(1)) as usize;
        let (offer, candidates) = self.walk(view.offers(), |offer| {
            let home = self.home_of_tag(offer);
            // The first ones from the home on, and those from 0 on where that wraps.
            let nearest = |from: usize, to: usize| first(to).without(&first(from));
            let (from, to, n) = (home.index(), home.index() + probe + 1, self.config.n_smx as usize);
            self.only(nearest(from, to.min(n)).or(&first(to.saturating_sub(n))))
        })?;
        let home = self.home_of_tag(&offer);
        Some(choice(&offer, candidates.first_from(home, &candidates, &SmxSet::EMPTY)?))
    }

    fn home_of_tag(&self, offer: &Offer) -> SmxId {
        let group = offer.blkid.unwrap_or(0).checked_div(self.config.grain).unwrap_or(0);
        let hash = mix(mix(offer.tag) ^ self.config.seed ^ u64::from(group));
        SmxId::from_index(hash.checked_rem(self.config.n_smx.into()).unwrap_or(0) as usize)
    }
}

/// The SMXs below a number.
fn first(n: usize) -> SmxSet {
    SmxSet::first(n as u32)
}
