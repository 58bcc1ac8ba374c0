//! Order own: each domain has a next TB of its own, so domains run side by side (catalogue-P7, catalogue-C4, catalogue-X1).

use super::pick::{behind, choice, choice_of, is_divided};
use super::steal::Range;
use super::tables::{PartId, PointerId};
use super::topology::DomainId;
use super::walk::whole_units;
use super::{Catalogue, Tables};
use crate::base::id::SmxId;
use crate::policy::seam::offer::{Choice, Offer, View};

impl<T: Tables> Catalogue<T> {
    pub(super) fn own(&mut self, view: &impl View) -> Option<Choice> {
        let (offer, candidates) = self.walk(whole_units(view), |offer| {
            if !is_divided(offer) {
                return self.anywhere();
            }
            let has_left =
                |s: SmxId| self.sent_of(offer, self.config.domain_of(s)) < self.tbs_of(offer, self.config.domain_of(s));
            // One that is not open waits for room, where it is not left to those behind (catalogue-C3).
            self.only(self.config.smxs_with(has_left))
        })?;
        let domains = self.config.domains();
        let in_order = (self.turn..domains as u16).chain(0..self.turn).map(DomainId);
        let (domain, (smx, pointer)) =
            in_order.filter_map(|domain| Some((domain, self.in_turn(domain, &candidates)?))).next()?;
        self.set_pointer(PointerId(domain.0), pointer);
        self.turn = behind(domain.0, domains);
        if !is_divided(&offer) {
            return Some(choice(&offer, smx));
        }
        let sent = self.sent_of(&offer, domain);
        let blkid = self.tb_of(&offer, domain, sent);
        if offer.left <= 1 {
            self.drop_split(offer.row, offer.key.no);
        } else {
            self.begin_split(&offer);
            self.set_count(offer.row, domain, sent.saturating_add(1));
        }
        Some(choice_of(view, &offer, blkid, smx))
    }

    /// TBs of a domain that were sent; of a unit of which nothing is kept yet, those below its next one.
    fn sent_of(&self, offer: &Offer, domain: DomainId) -> u32 {
        if self.splits.of(offer.row, offer.key.no).is_none() {
            return self.tbs_below(offer, domain, offer.blkid.unwrap_or(0));
        }
        self.counts.get(part(offer.row, self.config.domains(), domain.0)).copied().unwrap_or(0)
    }

    fn set_count(&mut self, row: u32, domain: DomainId, sent: u32) {
        if let Some(count) = self.counts.get_mut(part(row, self.config.domains(), domain.0)) {
            *count = sent;
        }
    }

    /// All TBs of a domain.
    fn tbs_of(&self, offer: &Offer, domain: DomainId) -> u32 {
        self.tbs_below(offer, domain, offer.total)
    }

    /// Those among the first `n` of the unit.
    fn tbs_below(&self, offer: &Offer, domain: DomainId, n: u32) -> u32 {
        let [c, d, domains, total] = [self.chunk(offer), domain.0.into(), self.config.domains(), n].map(u64::from);
        let round = c * domains;
        let whole = total.checked_div(round).unwrap_or(0);
        let rest = (total - whole * round).saturating_sub(d * c).min(c);
        (whole * c + rest) as u32
    }

    /// The TB of a domain behind `sent` of it.
    fn tb_of(&self, offer: &Offer, domain: DomainId, sent: u32) -> u32 {
        let [c, d, domains, i] = [self.chunk(offer), domain.0.into(), self.config.domains(), sent].map(u64::from);
        let (round, place) = (i.checked_div(c).unwrap_or(0), i.checked_rem(c).unwrap_or(0));
        (round * c * domains + d * c + place) as u32
    }

    /// A unit's parts are its own from now on; those of one that had the row before go.
    pub(super) fn begin_split(&mut self, offer: &Offer) {
        if self.splits.of(offer.row, offer.key.no).is_none() {
            for domain in (0..self.config.domains() as u16).map(DomainId) {
                let sent = self.sent_of(offer, domain);
                self.set_count(offer.row, domain, sent);
            }
            self.splits.keep(offer.row, offer.key.no, ());
        }
    }

    /// A unit has no parts any more.
    pub(super) fn drop_split(&mut self, row: u32, unit: u64) {
        if self.splits.drop_unit(row, unit) {
            self.clear_parts(row);
        }
    }

    fn clear_parts(&mut self, row: u32) {
        let (domains, n_smx) = (self.config.domains(), self.config.n_smx);
        for domain in 0..domains as u16 {
            self.set_count(row, DomainId(domain), 0);
        }
        for smx in 0..n_smx as u16 {
            self.set_range(row, SmxId(smx), Range::default());
        }
    }
}

/// The row of a part of a unit.
pub(super) fn part(row: u32, parts: u32, part: u16) -> PartId {
    PartId(row.saturating_mul(parts).saturating_add(part.into()))
}
