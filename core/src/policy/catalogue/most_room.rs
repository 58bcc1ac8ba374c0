//! The SMX that can hold the most TBs of the offer now (catalogue-P4).

use core::cmp::Reverse;

use super::about::about;
use super::config::Order;
use super::pick::choice;
use super::walk::Filter;
use super::{Catalogue, Tables};
use crate::base::id::SmxId;
use crate::base::set::SmxSet;
use crate::policy::seam::offer::{Choice, Offer, View};

about! {
    /// It is asked anew for each TB. Warps count beside slots, threads, registers and shared memory: without them two placements of the
    /// source would come out otherwise.
    pub const MOST_ROOM: MostRoom = "most_room", "the front kernel's next TB, to the SMX that can hold the most of its TBs";
    source "Gilman20", "doi 10.1145/3453953.3453972, section 4";
    parameters {
        pass: Paper "Gilman20, section 6: head";
        prio_first: Paper "Gilman21: stream priorities; off by default";
        order: Paper "Gilman20: asc is Pascal's, even_odd Turing's";
        listed: Ours "none: with order listed every SMX, first one first, as 2+0+1";
        warp: Public "threads of a warp";
    }
    extras [X4];
    hazard "One thread less per TB changes which resource is short, and with it every placement (3.58 times as long in section 5.5)."
}

impl<T: Tables> Catalogue<T> {
    pub(super) fn most_room(&mut self, view: &impl View) -> Option<Choice> {
        let (offer, candidates) = self.walk_by_prio(view, |offer| Filter {
            allowed: self.config.smxs_with(|s| offer.open.contains(s) && self.room_and_warps(view, offer, s) > 0),
            leaves: SmxSet::EMPTY,
        })?;
        let rank = |s: &SmxId| (Reverse(self.room_and_warps(view, &offer, *s)), self.place_in_order(*s));
        Some(choice(&offer, candidates.iter().min_by_key(rank)?))
    }

    /// room' (catalogue-N5): how many TBs of the offer an SMX can hold, of which the warps count, too.
    fn room_and_warps(&self, view: &impl View, offer: &Offer, smx: SmxId) -> u32 {
        let warps = |threads: u32| threads.div_ceil(self.config.warp.max(1));
        let taken = view.residents(smx).fold(0, |sum: u32, tb| sum.saturating_add(warps(tb.threads)));
        let free = warps(self.config.threads).saturating_sub(taken);
        let fitting = free.checked_div(warps(offer.res.threads)).unwrap_or(u32::MAX);
        offer.res.times_in(&view.free(smx)).min(fitting)
    }

    /// Which of several SMXs with as much room comes first.
    fn place_in_order(&self, smx: SmxId) -> (usize, SmxId) {
        let config = &self.config;
        let place = match config.order {
            Order::EvenOdd => {
                let tpc = config.tpc_of(smx);
                config.smxs().take_while(|s| *s < smx).filter(|s| config.tpc_of(*s) == tpc).count()
            }
            Order::Listed => config.listed.numbers().iter().take_while(|s| u16::from(**s) != smx.0).count(),
            _ => 0,
        };
        (place, smx)
    }
}
