//! A view that lies in arrays.

use crate::base::cycle::Cycle;
use crate::base::id::SmxId;
use crate::base::resources::Resources;
use crate::policy::seam::offer::{Offer, Resident, View};

/// What a policy sees, as a host may have written it down.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a> {
    /// The cycle.
    pub now: Cycle,
    /// The offers, in the host's order.
    pub offers: &'a [Offer],
    /// What is free on each SMX; nothing on those behind the last one.
    pub free: &'a [Resources],
    /// How many TBs run on each SMX; none on those behind the last one.
    pub counts: &'a [u32],
    /// Those TBs, SMX by SMX.
    pub residents: &'a [Resident],
}

impl View for Snapshot<'_> {
    fn now(&self) -> Cycle {
        self.now
    }

    fn offers(&self) -> impl Iterator<Item = Offer> {
        self.offers.iter().copied()
    }

    fn free(&self, smx: SmxId) -> Resources {
        self.free.get(usize::from(smx.0)).copied().unwrap_or_default()
    }

    fn residents(&self, smx: SmxId) -> impl Iterator<Item = Resident> {
        let at = usize::from(smx.0);
        let before = self.counts.iter().take(at).fold(0, |sum: usize, count| sum.saturating_add(*count as usize));
        let count = self.counts.get(at).map_or(0, |count| *count as usize);
        self.residents.iter().skip(before).take(count).copied()
    }
}
