//! Whole SMXs for streams, handed over when they have drained (catalogue-P16).

use super::about::about;
use super::config::MAX_STREAMS;
use super::pick::{behind, choice};
use super::tables::StreamSlot;
use super::{Catalogue, Tables};
use crate::base::id::{SmxId, first_rows, rows_in};
use crate::policy::seam::offer::{Choice, View};

about! {
    /// SMXs are divided evenly among the slots of streams with an offer. At most one SMX changes hands in a cycle, and its new owner sends
    /// to it once the TBs of others there have ended.
    pub const SPATIAL: Spatial = "spatial", "each stream has SMXs of its own; streams take turns";
    source "Adriaens12, Tanasic14; the rules ours", "ieeexplore 6168946 (title); docplayer.net/865678 (abstract)";
    parameters { pass: Ours "as all policies"; streams: Ours "as many as hardware work queues"; }
    extras [X4];
    hazard "With more slots than SMXs the highest wait; no SMX is shared, so small TBs waste it; long TBs delay every hand-over."
}

impl<T: Tables> Catalogue<T> {
    pub(super) fn spatial(&mut self, view: &impl View) -> Option<Choice> {
        let offering = self.offering(view);
        if offering == 0 {
            return None;
        }
        self.give_back(view, offering);
        self.hand_over(offering);
        let first = first_rows(self.turn.into());
        let mut in_turn = rows_in::<StreamSlot>(offering & !first).chain(rows_in(offering & first));
        let (slot, (offer, candidates)) = in_turn.find_map(|slot| {
            let line = view.offers().filter(|offer| self.slot_of(offer.stream) == slot);
            let is_alone = |s| view.residents(s).all(|tb| self.slot_of(tb.stream) == slot);
            let own = self.config.smxs_with(|s| self.owner_of(s) == Some(slot) && is_alone(s));
            Some((slot, self.walk(line, |_| self.only(own))?))
        })?;
        self.turn = behind(slot.0.into(), self.config.streams);
        Some(choice(&offer, self.next_in_turn(&candidates)?))
    }

    /// Empty SMXs of slots without an offer are nobody's.
    fn give_back(&mut self, view: &impl View, offering: u64) {
        for smx in self.config.smxs() {
            let is_idle = |owner: StreamSlot| offering >> (owner.0 & 63) & 1 == 0;
            if self.owner_of(smx).is_some_and(is_idle) && view.residents(smx).next().is_none() {
                self.set_owner(smx, None);
            }
        }
    }

    /// The slot that lacks most gets an SMX: one that is nobody's, else one of the slot that has most too many.
    fn hand_over(&mut self, offering: u64) {
        let mut over = [0; MAX_STREAMS];
        for owner in self.config.smxs().filter_map(|s| self.owner_of(s)) {
            add(&mut over, owner, 1);
        }
        // At most 256 each.
        let (n, slots) = (self.config.n_smx as i32, offering.count_ones() as i32);
        for (i, slot) in (0..).zip(rows_in::<StreamSlot>(offering)) {
            let (share, rest) = (n.checked_div(slots).unwrap_or(0), n.checked_rem(slots).unwrap_or(0));
            add(&mut over, slot, -share - i32::from(i < rest));
        }
        let slots = || (0..).map(StreamSlot).zip(over).take(self.config.streams as usize);
        let Some((poorest, least)) = slots().min_by_key(|(slot, over)| (*over, *slot)) else { return };
        if least >= 0 {
            return;
        }
        let mut smxs = self.config.smxs();
        let free = smxs.find(|s| self.owner_of(*s).is_none());
        let given = free.or_else(|| {
            let (richest, most) = slots().min_by_key(|(slot, over)| (-*over, *slot))?;
            let owned = self.config.smxs_with(|s| self.owner_of(s) == Some(richest));
            owned.last().filter(|_| most > 0)
        });
        if let Some(smx) = given {
            self.set_owner(smx, Some(poorest));
        }
    }

    pub(super) fn owner_of(&self, smx: SmxId) -> Option<StreamSlot> {
        self.owners.get(smx).copied().flatten()
    }

    fn set_owner(&mut self, smx: SmxId, owner: Option<StreamSlot>) {
        if let Some(row) = self.owners.get_mut(smx) {
            *row = owner;
            self.moved = true;
        }
    }
}

/// A slot has more, or less.
fn add(over: &mut [i32; MAX_STREAMS], slot: StreamSlot, smxs: i32) {
    if let Some(owned) = over.get_mut(usize::from(slot.0)) {
        *owned += smxs;
    }
}
