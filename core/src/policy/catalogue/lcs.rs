//! Lazy CTA scheduling: a limit on a unit's TBs per SMX, found by counting instructions (catalogue-P6).

use super::about::about;
use super::kept::Flight;
use super::pick::choice;
use super::{Catalogue, Tables};
use crate::policy::seam::offer::{Choice, Completion, Offer, View};

about! {
    /// Under a greedy warp scheduler the oldest TB gets all that it can use, so what all TBs of its unit have issued on its SMX, over what
    /// it has issued, is how many such TBs fill the issue slots. Nothing is evicted: surplus TBs run out. What the limit frees is left to
    /// others.
    pub const LCS: Lcs = "lcs", "as rr, with a limit on each unit's TBs per SMX that its first TBs to end have measured";
    source "Lee14", "doi 10.1109/HPCA.2014.6835937 (abstract)";
    parameters {
        pass: Ours "capped: Lee14's mixed concurrent kernels";
        samples: Ours "not stated";
    }
    extras [X3 X4];
    hazard "First TBs that are not typical fix a wrong limit; short kernels end before it is known."
}

/// The sums have 48 bits, and stay at their greatest value (catalogue-C5).
pub(super) const MOST: u64 = (1 << 48) - 1;

/// What is measured of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rate {
    pub(super) flight: Flight,
    /// Ends that were measured.
    pub(super) seen: u8,
    /// TBs per SMX; 0 is no limit yet.
    pub(super) limit: u16,
    /// What these TBs have issued.
    pub(super) issued: u64,
    /// What all TBs of the unit have issued meanwhile beside them.
    pub(super) all: u64,
}

impl<T: Tables> Catalogue<T> {
    pub(super) fn lcs(&mut self, view: &impl View) -> Option<Choice> {
        let (offer, candidates) = self.walk(view.offers(), |offer| match self.limit(offer) {
            0 => self.anywhere(),
            limit => self.only(
                self.config
                    .smxs_with(|s| view.residents(s).filter(|tb| tb.unit == offer.key.no).take(limit).count() < limit),
            ),
        })?;
        let smx = self.next_in_turn(&candidates)?;
        let mut rate = self.rates.of(offer.row, offer.key.no).unwrap_or_default();
        rate.flight.send(offer.left);
        self.rates.keep(offer.row, offer.key.no, rate);
        Some(choice(&offer, smx))
    }

    /// TBs of the offer's unit per SMX; 0 is no limit.
    fn limit(&self, offer: &Offer) -> usize {
        self.rates.of(offer.row, offer.key.no).map_or(0, |rate| rate.limit.into())
    }

    /// A TB has ended.
    pub(super) fn measure(&mut self, ended: &Completion) {
        let &Completion { row, unit, issued, all, .. } = ended;
        let Some(mut rate) = self.rates.of(row, unit) else { return };
        if issued > 0 && rate.limit == 0 {
            rate.issued = rate.issued.saturating_add(issued).min(MOST);
            rate.all = rate.all.saturating_add(all).min(MOST);
            rate.seen = rate.seen.saturating_add(1);
            if u32::from(rate.seen) >= self.config.samples {
                let filling = rate.all.div_ceil(rate.issued.max(1));
                // At most 1024.
                rate.limit = filling.min(self.config.slots.into()).max(1) as u16;
            }
        }
        if rate.flight.end() {
            self.rates.drop_unit(row, unit);
        } else {
            self.rates.keep(row, unit, rate);
        }
    }
}
