//! At random (catalogue-P13).

use super::about::about;
use super::config::What;
use super::pick::{GOLDEN, choice, mix};
use super::{Catalogue, Tables};
use crate::base::set::SmxSet;
use crate::policy::seam::offer::{Choice, Offer, View};

about! {
    /// Numbers are those of splitmix64 from `seed` on. One is drawn for each choice, even among one; none if nothing is sent. With `what`
    /// offer or both an offer is drawn from those with an open SMX, and `pass` means nothing.
    pub const RANDOM: Random = "random", "any SMX, any offer, or both, by a generator that can be repeated";
    source "SplitMix", "splitmix64, Steele et al. 2014; constants from public repositories";
    parameters { pass: Ours "as all policies"; seed: Ours "0"; what: Ours "smx"; }
    extras [];
    hazard "It is a baseline that nobody should be worse than; with offers drawn, no kernel ends early."
}

impl<T: Tables> Catalogue<T> {
    pub(super) fn random(&mut self, view: &impl View) -> Option<Choice> {
        let (offer, candidates) = match self.config.what {
            What::Smx => self.walk(view.offers(), |_| self.anywhere())?,
            What::Offer | What::Both => self.any_offer(view)?,
        };
        let smx = match self.config.what {
            What::Offer => self.next_in_turn(&candidates)?,
            What::Smx | What::Both => {
                let drawn = self.draw(candidates.len());
                candidates.iter().nth(drawn as usize)?
            }
        };
        Some(choice(&offer, smx))
    }

    /// An offer of those that may go, and where.
    fn any_offer(&mut self, view: &impl View) -> Option<(Offer, SmxSet)> {
        let all = self.config.all();
        let may_go = || view.offers().map(|offer| (offer, offer.open.and(&all))).filter(|(_, open)| !open.is_empty());
        let count = may_go().count();
        if count == 0 {
            return None;
        }
        let drawn = self.draw(count as u32);
        may_go().nth(drawn as usize)
    }

    /// A number below `m`.
    fn draw(&mut self, m: u32) -> u32 {
        let r = mix(self.x);
        self.x = self.x.wrapping_add(GOLDEN);
        ((u128::from(r) * u128::from(m)) >> 64) as u32
    }
}
