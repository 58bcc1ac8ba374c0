//! Shortest remaining kernel first (catalogue-P11).

use super::about::about;
use super::config::Metric;
use super::kept::Flight;
use super::pick::choice;
use super::walk::by_rank;
use super::{Catalogue, Tables};
use crate::policy::seam::offer::{Choice, Completion, Offer, View};

about! {
    /// With metric `time` a unit that has sent nothing goes first, so that it can be measured; then those that were, by TBs left times the
    /// duration of the first one that ended; then those of which none has ended. The source preempts and predicts by steps of residency;
    /// this does not.
    pub const SRK: Srk = "srk", "the unit with the least work left";
    source "Pai14", "arXiv 1406.6037 (abstract)";
    parameters { pass: Ours "as all policies"; metric: Ours "tbs: needs no measurement"; place: Ours "rr"; }
    extras [];
    hazard "Large kernels starve; ranks change with every TB."
}

/// What is measured of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pace {
    pub(super) flight: Flight,
    /// The duration of its first TB that ended, if one has.
    pub(super) duration: Option<u32>,
}

impl<T: Tables> Catalogue<T> {
    pub(super) fn srk(&mut self, view: &impl View) -> Option<Choice> {
        let line = by_rank(view, |offer| (self.work_left(offer), offer.key));
        let (offer, candidates) = self.walk(line, |_| self.anywhere())?;
        let smx = self.at_place(&offer, &candidates)?;
        if self.config.metric == Metric::Time {
            let mut pace = self.paces.of(offer.row, offer.key.no).unwrap_or_default();
            pace.flight.send(offer.left);
            self.paces.keep(offer.row, offer.key.no, pace);
        }
        Some(choice(&offer, smx))
    }

    /// What the offer's unit still has to do: whether that is known, and how much it is.
    fn work_left(&self, offer: &Offer) -> (u8, u64) {
        let left = u64::from(offer.left);
        match self.config.metric {
            Metric::Tbs => (0, left),
            Metric::Threads => (0, left * u64::from(offer.res.threads)),
            Metric::Time => match self.paces.of(offer.row, offer.key.no) {
                None => (0, 0),
                Some(Pace { duration: Some(duration), .. }) => (1, left * u64::from(duration)),
                Some(_) => (2, 0),
            },
        }
    }

    /// A TB has ended.
    pub(super) fn time(&mut self, ended: &Completion) {
        let &Completion { row, unit, start, end, .. } = ended;
        let Some(mut pace) = self.paces.of(row, unit) else { return };
        if pace.duration.is_none() {
            pace.duration = Some(u32::try_from(end.0.saturating_sub(start.0)).unwrap_or(u32::MAX));
        }
        if pace.flight.end() {
            self.paces.drop_unit(row, unit);
        } else {
            self.paces.keep(row, unit, pace);
        }
    }
}
