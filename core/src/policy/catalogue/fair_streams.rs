//! Deficit round robin over streams (catalogue-P12).

use super::about::about;
use super::config::Cost;
use super::pick::{behind, choice};
use super::tables::StreamSlot;
use super::{Catalogue, Tables};
use crate::base::id::{Id, first_rows, rows_in};
use crate::base::set::SmxSet;
use crate::policy::seam::offer::{Choice, Offer, View};

about! {
    /// Slot q is stream mod `streams`. The slot whose turn it is gets quantum times weight, and sends as long as it can pay; one that
    /// nothing can be sent of keeps one such share at most, and one without an offer nothing.
    pub const FAIR_STREAMS: FairStreams = "fair_streams", "streams take turns, by weight";
    source "DRR; on streams ours", "Shreedhar, Varghese 1995 (recalled)";
    parameters {
        pass: Ours "as all policies"; streams: Ours "as many as hardware work queues"; weights: Ours "all 1"; cost: Ours "tbs";
        quantum: Ours "1"; place: Ours "rr";
    }
    extras [];
    hazard "TBs are counted when they are sent, not by how long they run."
}

impl<T: Tables> Catalogue<T> {
    pub(super) fn fair_streams(&mut self, view: &impl View) -> Option<Choice> {
        let offering = self.offering(view);
        self.forget_deficits(offering);
        let is_ready = |slot: &StreamSlot| self.ready(view, *slot).is_some();
        if !rows_in::<StreamSlot>(offering).any(|slot| is_ready(&slot)) {
            return None;
        }
        self.moved = true;
        // A slot that is ready can pay after one visit, so this ends in the second round.
        for _ in 0..=2 * self.config.streams {
            let slot = StreamSlot(self.turn as u8);
            if offering >> self.turn & 1 == 1 {
                let share = self.config.share(slot.index());
                let mut deficit = self.deficit_of(slot);
                if self.fresh {
                    deficit = deficit.saturating_add(share).min(2 * share);
                    self.fresh = false;
                }
                match self.ready(view, slot) {
                    Some((offer, candidates)) => {
                        let cost = if self.config.cost == Cost::Tbs { 1 } else { offer.res.threads };
                        if let Some(rest) = deficit.checked_sub(cost) {
                            self.set_deficit(slot, rest);
                            return Some(choice(&offer, self.at_place(&offer, &candidates)?));
                        }
                    }
                    None => deficit = deficit.min(share),
                }
                self.set_deficit(slot, deficit);
            }
            self.turn = behind(self.turn, self.config.streams);
            self.fresh = true;
        }
        None
    }

    /// The slots of streams with an offer, a bit each.
    pub(super) fn offering(&self, view: &impl View) -> u64 {
        view.offers().fold(0, |all, offer| all | 1 << (self.slot_of(offer.stream).0 & 63))
    }

    /// The slot of a stream.
    pub(super) fn slot_of(&self, stream: u32) -> StreamSlot {
        StreamSlot(stream.checked_rem(self.config.streams).unwrap_or(0) as u8)
    }

    /// What a slot could send now.
    fn ready(&self, view: &impl View, slot: StreamSlot) -> Option<(Offer, SmxSet)> {
        self.walk(view.offers().filter(|offer| self.slot_of(offer.stream) == slot), |_| self.anywhere())
    }

    fn forget_deficits(&mut self, offering: u64) {
        for slot in rows_in::<StreamSlot>(first_rows(self.config.streams) & !offering) {
            self.set_deficit(slot, 0);
        }
    }

    pub(super) fn deficit_of(&self, slot: StreamSlot) -> u32 {
        self.deficits.get(slot).copied().unwrap_or(0)
    }

    fn set_deficit(&mut self, slot: StreamSlot, value: u32) {
        if let Some(deficit) = self.deficits.get_mut(slot) {
            *deficit = value;
        }
    }
}
