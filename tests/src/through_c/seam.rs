//! The seam at which the host is the policy, through C.

use std::ptr;

use gpusched::{Decision, Offer, Sched, SmxId, TbPlacement};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::frontend::*;
use gpusched_abi::status::gpusched_status as Status;

use super::told::told;
use super::{ThroughC, decision, done};
use crate::events::Value;

/// Offers that a C host of these tests has room for.
const PIECE: usize = 2;

impl ThroughC {
    /// All offers, piece by piece; and what is told of one SMX, or if only the first is asked for, is what stands there.
    pub(super) fn offers(&self) -> Result<Vec<Offer>, Status> {
        let all = self.offers_on(GPUSCHED_NONE, PIECE)?;
        assert_eq!(self.some_offers(GPUSCHED_NONE, GPUSCHED_NONE, 0)?.0, [], "an array without room");
        let (first, _) = self.some_offers(GPUSCHED_NONE, GPUSCHED_NONE, 1)?;
        assert_eq!(first, all.iter().copied().take(1).collect::<Vec<_>>(), "the first one");
        for smx in 0..self.config.n_smx {
            let open = all.iter().copied().filter(|offer| offer.open.contains(SmxId(smx as u16)));
            assert_eq!(self.offers_on(smx, PIECE)?, open.collect::<Vec<_>>(), "what SMX {smx} may be sent");
        }
        Ok(all)
    }

    /// Those of an SMX, or all.
    fn offers_on(&self, smx: u32, piece: usize) -> Result<Vec<Offer>, Status> {
        let (mut all, mut from) = (Vec::new(), GPUSCHED_NONE);
        loop {
            let (some, next) = self.some_offers(from, smx, piece)?;
            assert_eq!(some.len() < piece || next == GPUSCHED_NONE, next == GPUSCHED_NONE, "a full array may go on");
            all.extend(some);
            match next {
                GPUSCHED_NONE => return Ok(all),
                next => from = next,
            }
        }
    }

    fn some_offers(&self, from: u32, smx: u32, capacity: usize) -> Result<(Vec<Offer>, u32), Status> {
        let mut offers = vec![gpusched_offer::default(); capacity];
        let (mut count, mut next) = (usize::MAX, 0);
        let array = if capacity > 0 { offers.as_mut_ptr() } else { ptr::null_mut() };
        // SAFETY: all pointers are of living values, and the array has this length.
        done(unsafe { gpusched_frontend_offers(self.frontend(), from, smx, array, capacity, &mut count, &mut next) })?;
        Ok((offers[..count].iter().map(told).collect(), next))
    }

    /// The word of a cycle that has ended: with the TB that was sent in it last, by the host or for it.
    pub(super) fn word(&mut self, number: u32) -> Sched {
        let by_host = self.sent.take();
        match decision::word(number) {
            None => Sched::Tb(by_host.unwrap_or_else(|| self.rescued())),
            Some(word) => {
                assert_eq!(by_host, None, "a TB was sent");
                word
            }
        }
    }

    /// The TB that was sent for the host.
    fn rescued(&mut self) -> TbPlacement {
        self.read(usize::MAX);
        let mut tbs = self.read.iter().filter_map(|(_, d)| if let Decision::Tb(tb) = d { Some(*tb) } else { None });
        tbs.next_back().expect("the rescue has sent a TB")
    }

    /// That it is saved, if it is, and that the image is of what it is.
    pub(super) fn saved(&self) -> Result<Value, Status> {
        self.image().map(|_| Value::Done)
    }
}
