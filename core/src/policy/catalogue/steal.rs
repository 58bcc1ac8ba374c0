//! A range of each unit for each SMX; who has none left steals (catalogue-P15).

use core::cmp::Reverse;

use super::about::about;
use super::config::Amount;
use super::own::part;
use super::pick::{choice, choice_of, is_divided};
use super::walk::whole_units;
use super::{Catalogue, Tables};
use crate::base::id::SmxId;
use crate::policy::seam::offer::{Choice, Offer, View};

about! {
    /// The victim is the SMX with the most left. What is stolen comes from the back of its range, and is run from its own front.
    pub const STEAL: Steal = "steal", "a contiguous range of each unit to each SMX, and TBs from the fullest range to one that has none";
    source "Paver21, CLC; the rules ours",
        "acemap.info/paper/190501182 (abstract); mlc.ai/modern-gpu-programming-for-mlsys/chapter_clc (overview)";
    parameters { pass: Ours "as all policies"; amount: Ours "half"; min_steal: Ours "1: nothing is left behind"; }
    extras [X1];
    hazard "With min_steal above 1 TBs are left to an SMX that may be closed; stolen ranges break the contiguity that chunks are for."
}

/// TBs of a unit that an SMX still has to send: lo, up to but not hi.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Range {
    pub(super) lo: u32,
    pub(super) hi: u32,
}

impl Range {
    pub(super) const fn len(self) -> u32 {
        self.hi.saturating_sub(self.lo)
    }
}

impl<T: Tables> Catalogue<T> {
    pub(super) fn steal(&mut self, view: &impl View) -> Option<Choice> {
        let has_own = |offer: &Offer, s| self.range(offer, s).len() > 0;
        let (offer, candidates) = self.walk(whole_units(view), |offer| match self.victim(offer) {
            _ if !is_divided(offer) => self.anywhere(),
            Some(_) => self.anywhere(),
            None => self.only(self.config.smxs_with(|s| has_own(offer, s))),
        })?;
        if !is_divided(&offer) {
            return Some(choice(&offer, self.next_in_turn(&candidates)?));
        }
        let own = candidates.and(&self.config.smxs_with(|s| candidates.contains(s) && has_own(&offer, s)));
        let smx = self.next_in_turn(if own.is_empty() { &candidates } else { &own })?;
        let mut range = self.range(&offer, smx);
        let victim = self.victim(&offer).filter(|_| own.is_empty());
        self.begin_ranges(&offer);
        if let Some(victim) = victim {
            let Range { lo, hi } = self.range(&offer, victim);
            let stolen = match self.config.amount {
                Amount::One => 1,
                Amount::Half => (hi - lo).div_ceil(2),
            };
            range = Range { lo: hi - stolen, hi };
            self.set_range(offer.row, victim, Range { lo, hi: hi - stolen });
        }
        self.set_range(offer.row, smx, Range { lo: range.lo.saturating_add(1), ..range });
        if offer.left <= 1 {
            self.drop_split(offer.row, offer.key.no);
        }
        Some(choice_of(view, &offer, range.lo, smx))
    }

    /// The SMX with the most left of a unit, if that is enough.
    fn victim(&self, offer: &Offer) -> Option<SmxId> {
        let most = self.config.smxs().map(|s| (self.range(offer, s).len(), Reverse(s))).max();
        most.filter(|(len, _)| *len >= self.config.min_steal.max(1)).map(|(_, Reverse(s))| s)
    }

    /// What an SMX has of a unit; at first what is unsent of one of as many parts as there are SMXs.
    fn range(&self, offer: &Offer, smx: SmxId) -> Range {
        if self.splits.of(offer.row, offer.key.no).is_some() {
            return self.ranges.get(part(offer.row, self.config.n_smx, smx.0)).copied().unwrap_or_default();
        }
        let size = u64::from(offer.total.div_ceil(self.config.n_smx.max(1)));
        let [lo, hi] = [0, 1].map(|more| (u64::from(smx.0) + more) * size).map(|at| at.min(offer.total.into()) as u32);
        Range { lo: lo.max(offer.blkid.unwrap_or(0).min(hi)), hi }
    }

    /// The ranges of a unit are in the table from now on.
    fn begin_ranges(&mut self, offer: &Offer) {
        if self.splits.of(offer.row, offer.key.no).is_none() {
            // What the unit has at first is asked for as long as the table does not have it.
            for smx in self.config.smxs() {
                let range = self.range(offer, smx);
                self.set_range(offer.row, smx, range);
            }
            self.splits.keep(offer.row, offer.key.no, ());
        }
    }

    pub(super) fn set_range(&mut self, row: u32, smx: SmxId, range: Range) {
        if let Some(of_smx) = self.ranges.get_mut(part(row, self.config.n_smx, smx.0)) {
            *of_smx = range;
        }
    }
}
