//! TBs divided among SMXs, TPCs or GPCs by their numbers: `chunked`, `strided`, `dist`, `batch_rr` (catalogue-P7).
//!
//! TB i belongs to domain floor(i / c) mod D. The four policies are one machine, with other defaults. Here TBs go in ascending order, one
//! domain after the other; with order `own` each domain has a next TB of its own.

use super::about::about;
use super::pick::{choice, turn};
use super::tables::PointerId;
use super::topology::DomainId;
use super::{Catalogue, Tables};
use crate::base::id::{Id, SmxId};
use crate::base::set::SmxSet;
use crate::policy::seam::offer::{Choice, Offer, View};

about! {
    pub const CHUNKED: Chunked = "chunked", "a contiguous range of each unit to each SMX";
    source "ours", "as the static schedule of CPUs; Khairy20 calls it kernel-wide when it is done per node";
    parameters {
        pass: Ours "as all policies"; domain: Ours "smx"; chunk: Ours "0: as many as make one chunk per domain";
        order: Ours "ascending; the published form of chunk 0 is own"; spill: Ours "off";
    }
    extras [X1];
    hazard "In ascending order a domain must be full before the next one gets anything."
}
about! {
    pub const STRIDED: Strided = "strided", "TB by TB over the SMXs, whether they have room or not";
    source "ours", "static cyclic schedule";
    parameters {
        pass: Ours "as all policies"; domain: Ours "smx"; chunk: Ours "1"; order: Ours "ascending"; spill: Ours "off";
    }
    extras [X1];
    hazard "The first SMX without room holds up all others."
}
about! {
    pub const DIST: Dist = "dist", "a contiguous range of each unit to each GPC or module";
    source "Arunkumar17", "MCM-GPU, ISCA 2017, 5.2 and Fig. 8";
    parameters {
        pass: Ours "as all policies"; domain: Paper "Arunkumar17: modules"; chunk: Paper "Arunkumar17: 0, divided equally";
        order: Ours "ascending; Arunkumar17 describes own"; spill: Ours "off";
    }
    extras [X1];
    hazard "Coarse chunks leave modules idle at the end, which Arunkumar17 names; in ascending order modules run one after the other."
}
about! {
    pub const BATCH_RR: BatchRr = "batch_rr", "batches of TBs round robin over the GPCs";
    source "Khairy20", "doi 10.1109/MICRO50266.2020.00086, III-B and C";
    parameters {
        pass: Ours "as all policies"; domain: Paper "Khairy20: nodes";
        chunk: Paper "earlier work 4 to 8; Khairy20: page size over data-block size"; order: Ours "ascending; Khairy20 describes own"; spill: Ours "off";
    }
    extras [X1];
    hazard "In ascending order a node without room holds up all others."
}

impl<T: Tables> Catalogue<T> {
    /// c: TBs of the offer's unit in a chunk.
    pub(super) fn chunk(&self, offer: &Offer) -> u32 {
        match self.config.chunk {
            0 => offer.total.div_ceil(self.config.domains().max(1)).max(1),
            chunk => chunk,
        }
    }

    /// The first candidate in a domain from its pointer on, and the pointer behind it.
    pub(super) fn in_turn(&self, domain: DomainId, candidates: &SmxSet) -> Option<(SmxId, u16)> {
        let at = self.pointer_at(PointerId(domain.0));
        turn(&self.config.in_domain(domain), at, candidates)
    }

    pub(super) fn ascending(&mut self, view: &impl View) -> Option<Choice> {
        let domain_of = |offer: &Offer| {
            let chunk = offer.blkid.unwrap_or(0).checked_div(self.chunk(offer)).unwrap_or(0);
            DomainId::from_index(chunk.checked_rem(self.config.domains()).unwrap_or(0) as usize)
        };
        let (offer, candidates) = self.walk(view.offers(), |offer| match self.config.spill {
            true => self.anywhere(),
            false => self.only(self.config.in_domain(domain_of(offer))),
        })?;
        let domain = domain_of(&offer);
        let smx = match self.in_turn(domain, &candidates) {
            Some((smx, pointer)) => {
                self.set_pointer(PointerId(domain.0), pointer);
                smx
            }
            None => self.next_in_turn(&candidates)?,
        };
        Some(choice(&offer, smx))
    }

    pub(super) fn set_pointer(&mut self, id: PointerId, pointer: u16) {
        if let Some(at) = self.pointers.get_mut(id) {
            *at = pointer;
        }
    }
}
