//! A cycle in two halves, with the host as the policy between them (sheet [`policy`](crate::sheets::policy)).
//!
//! [`FrontEnd::begin`] does all of a cycle that is before dispatch. Then the host looks at the offers, sends TBs, asks for loads, and
//! says with [`FrontEnd::end`] that it has done, and until when it has nothing to say. There is no callback, so the same works from any
//! language.
//!
//! ```
//! use gpusched::{Config, Descriptor, Dim3, FrontEnd, Policy, Sched, State, ToldPart, inline_tables};
//!
//! const GPU: Config = Config { n_smx: 4, pend_limit: 16, policy: Policy::Told(ToldPart::CHAIN), ..Config::K20C };
//! inline_tables! {
//!     struct Four = GPU;
//! }
//! let mut gpu = FrontEnd::<Four>::new(&GPU.ideal())?;
//! gpu.host_launch(0, &Descriptor { grid: Dim3::linear(6), tb: Dim3::linear(64), ..Descriptor::default() }, false)?;
//! let mut sent = Vec::new();
//! while gpu.status() != State::Drained {
//!     gpu.begin(&mut ())?;
//!     // Our policy: the highest SMX that is open to the first unit in line.
//!     let choice = gpu.offers()?.next().and_then(|offer| Some((offer.id, offer.open.last()?)));
//!     if let Some((id, smx)) = choice {
//!         let tb = gpu.send(id, smx, &mut ())?;
//!         sent.push((tb.blkid, tb.smx.0));
//!     }
//!     let word = gpu.end(None, &mut ())?;
//!     if let Sched::Tb(tb) = word {
//!         // It ends at once.
//!         gpu.tb_done(tb.smx, tb.slot, &mut ())?;
//!     }
//! }
//! assert_eq!(sent, [(0, 3), (1, 3), (2, 3), (3, 3), (4, 3), (5, 3)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "image")]
mod image;
pub mod sight;

use crate::base::cycle::{Cycle, first_of};
use crate::base::error::Fault;
use crate::base::id::{SlotId, SmxId};
use crate::frontend::FrontEnd;
use crate::frontend::quiet::Noticing;
use crate::frontend::tables::Tables;
use crate::launch::board::Board;
use crate::launch::kmu::Kmu;
use crate::policy::Sched;
use crate::policy::doors::Doors;
use crate::policy::seam::offer::{Choice, Completion, Offer, OfferId, OfferLoad, Resident};
use crate::policy::seam::seat::{Line, Next, Seat};
use crate::policy::seam::told::{Decline, Told};
use crate::probe::{Probe, TbPlacement};
use sight::Sight;

/// How things stand with a host that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ToldState {
    /// Whether a cycle was begun that has not ended.
    pub is_begun: bool,
    /// TBs that the host has sent in it.
    pub sent: u32,
    /// Whether the host has said that it has nothing to say for a while; nothing binds it (policy-P9).
    pub has_declined: bool,
    /// If so, the cycle in which it will; `None`: only if something happens.
    pub wake: Option<Cycle>,
    /// Cycles in a row in which the host could have sent and did not, up to `stall_limit`.
    pub spell: u32,
    /// Whether the front end sends until the host sends again (policy-P11).
    pub is_rescuing: bool,
    /// Units that became visible so far: the number of the next one.
    pub units: u64,
}

/// Offers in order. Each is looked up when it is asked for.
#[allow(missing_debug_implementations, reason = "a look at the front end, which has one")]
pub struct Offers<'a, T: Tables> {
    seat: Seat<'a, T>,
    line: Line<'a, T>,
    /// Only those that are open there.
    smx: Option<SmxId>,
}

impl<T: Tables> Offers<'_, T> {
    /// The name of the next one, with which the list can be continued ([`FrontEnd::offers_from`]).
    #[inline(never)]
    pub fn next_id(mut self) -> Option<OfferId> {
        Some(self.next_unit()?.id)
    }

    #[inline(always)] // On the way of every offer.
    fn next_unit(&mut self) -> Option<Next> {
        let Some(smx) = self.smx else { return self.line.next() };
        let doors = Doors::of(self.seat.board);
        self.line.find(|next| doors.obstacle(next.k, smx).is_none())
    }
}

impl<T: Tables> Iterator for Offers<'_, T> {
    type Item = Offer;

    #[inline(always)] // An offer is long, and is built where it is read.
    fn next(&mut self) -> Option<Offer> {
        let next = self.next_unit()?;
        Some(self.seat.offer(&next))
    }
}

impl<T: Tables> FrontEnd<T> {
    // ---- the two halves (policy-P1)

    /// policy-P6: begins a cycle: the KMU, arrivals, coalescing, the sample of the occupancy-bubble controller, and loads that are
    /// due. Nothing but offers, loads, sends and queries is accepted until [`FrontEnd::end`].
    ///
    /// # Errors
    /// `NotTold` if the policy is not the host's; `TwiceBegun`; `TimeOverflow` in the last cycle.
    pub fn begin(&mut self, probe: &mut impl Probe) -> Result<Kmu, Fault> {
        if self.told()?.is_begun {
            return Err(Fault::TwiceBegun);
        }
        if self.board.now == Cycle::MAX {
            return Err(Fault::TimeOverflow);
        }
        let mut probe = Noticing::of(probe);
        let kmu = match self.quiet.kmu(self.board.now) {
            Some(kmu) => kmu,
            None => self.before_dispatch(&mut probe),
        };
        let came = self.seat()?.next_load().is_some_and(|at| at <= self.board.now);
        let (any, now) = (probe.any, self.board.now);
        if let Some(k) = self.board.kd.fifo_head() {
            self.board.residency.follow(k, &self.board.kd.get(k).need);
        }
        let told = self.told_mut()?;
        told.is_begun = true;
        if any || came || matches!(told.decline, Decline::Until(at) if at <= now) {
            told.lift();
        }
        if came {
            self.fcfs_rr.land(&mut self.board);
        }
        Ok(kmu)
    }

    /// policy-P4: the units with TBs to send, in order. It changes nothing, and says how things stand: what was sent in this cycle is
    /// gone.
    ///
    /// # Errors
    /// `NotTold`, `NotBegun`.
    pub fn offers(&self) -> Result<Offers<'_, T>, Fault> {
        self.offers_from(None, None)
    }

    /// Those from the offer `start` on, so that a long list can be handed out in pieces; and of them those that are open on `smx`, if that is
    /// said.
    ///
    /// # Errors
    /// `NotTold`, `NotBegun`, `BadOffer`, `BadSmx`.
    pub fn offers_from(&self, start: Option<OfferId>, smx: Option<SmxId>) -> Result<Offers<'_, T>, Fault> {
        self.begun()?;
        let seat = self.seat()?;
        let start = match start {
            Some(id) => Some(seat.find(id).ok_or(Fault::BadOffer)?),
            None => None,
        };
        if let Some(smx) = smx {
            self.board.check_smx(smx)?;
        }
        Ok(Offers { seat, line: seat.units_from(start), smx })
    }

    /// policy-P7: asks for the information of a spilled group that is offered. With `load_mode` fixed it is here `load_cycles` later, with
    /// external when the host says so ([`FrontEnd::spill_loaded`]).
    ///
    /// # Errors
    /// `NotTold`, `NotBegun`, `BadOffer`; `NoLoad` if nothing is to be loaded, or was asked for before.
    pub fn load(&mut self, id: OfferId, probe: &mut impl Probe) -> Result<(), Fault> {
        self.begun()?;
        let Self { board, fcfs_rr, graphs, told, .. } = self;
        told.as_mut().ok_or(Fault::NotTold)?.ask(board, fcfs_rr, graphs, id, probe)
    }

    /// Asks for each load that is needed, so that no policy has to. Free units have none.
    ///
    /// # Errors
    /// `NotTold`, `NotBegun`.
    pub fn load_needed(&mut self, probe: &mut impl Probe) -> Result<(), Fault> {
        self.begun()?;
        let mut last = None;
        while !self.has_free_units() {
            let seat = self.seat()?;
            last = seat.units_from(last).find(|next| seat.load(next) == OfferLoad::Needed);
            let Some(next) = &last else { break };
            self.load(next.id, probe)?;
        }
        Ok(())
    }

    /// policy-P8: sends the next TB of an offered unit to an SMX.
    ///
    /// # Errors
    /// `NotTold`, `NotBegun`, `BadOffer`, `BadSmx`; `NotHere` if its information is still to be loaded; `NoNode` if its graph has no
    /// node to send; `ClosedK`, `ClosedR`, `ClosedE`, `ClosedX` or `ClosedM`, the first that stands against it there; `CycleFull`.
    #[inline(never)]
    pub fn send(&mut self, id: OfferId, smx: SmxId, probe: &mut impl Probe) -> Result<TbPlacement, Fault> {
        self.begun()?;
        let Self { board, fcfs_rr, graphs, told, .. } = self;
        told.as_mut().ok_or(Fault::NotTold)?.send(board, fcfs_rr, graphs, (id, smx), probe)
    }

    /// Sends what a policy has chosen: the next TB of an offer, or another one of it, which is split off first (policy-P15).
    ///
    /// # Errors
    /// Those of [`FrontEnd::send`]; then those of [`FrontEnd::split`], if it is not the next one. Nothing is split for a TB that is not sent.
    pub fn send_choice(&mut self, choice: Choice, probe: &mut impl Probe) -> Result<TbPlacement, Fault> {
        let Choice { id, smx, blkid } = choice;
        let Some(at) = blkid else { return self.send(id, smx, probe) };
        if self.offers_from(Some(id), None)?.next().is_some_and(|offer| offer.blkid == Some(at)) {
            return self.send(id, smx, probe);
        }
        let seat = self.seat()?;
        let next = seat.find(id).ok_or(Fault::BadOffer)?;
        self.board.check_smx(smx)?;
        seat.may_send(&next, smx)?;
        let piece = self.split(id, at)?;
        self.send(piece, smx, probe)
    }

    /// policy-P15: splits what is unsent of an offered unit, or of a piece of one, before its TB `at`, so that the TBs from there on can be
    /// sent before those that are left to the offer. They are a piece by themselves, whose name is told, and stand right behind it. Nothing
    /// is decided or counted.
    ///
    /// # Errors
    /// `NotTold`, `NotBegun`, `BadOffer`; `NoSplit` if it is of a chain or a graph, has restored TBs to send, or would keep or give
    /// nothing; `SplitFull` if `split_cap` pieces are there.
    pub fn split(&mut self, id: OfferId, at: u32) -> Result<OfferId, Fault> {
        self.begun()?;
        let Self { board, fcfs_rr, graphs, told, .. } = self;
        told.as_mut().ok_or(Fault::NotTold)?.split(board, fcfs_rr, graphs, id, at)
    }

    /// Ends the cycle that was begun. The host promises that it would send nothing until `wake`, or ever if that is none, unless
    /// something happens before (policy-P9); so [`FrontEnd::next_event`] and [`FrontEnd::skip`] need not ask it. It may send all the same.
    ///
    /// # Errors
    /// `NotTold`, `NotBegun`; `BadWake` if `wake` is not later than this cycle.
    pub fn end(&mut self, wake: Option<Cycle>, probe: &mut impl Probe) -> Result<Sched, Fault> {
        self.begun()?;
        if wake.is_some_and(|wake| wake <= self.board.now) {
            return Err(Fault::BadWake);
        }
        let mut probe = Noticing::of(probe);
        let sched = match self.told()?.last {
            Some(tb) => Sched::Tb(tb),
            None => self.guard(&mut probe)?,
        };
        let is_ripe = self.seat()?.any_ripe();
        let told = self.told_mut()?;
        told.decline = match wake {
            // What the rescue has done was not in what the host declined.
            _ if !is_ripe || probe.any => Decline::None,
            Some(wake) => Decline::Until(wake),
            None => Decline::Never,
        };
        (told.is_begun, told.sent, told.last) = (false, 0, None);
        self.pass(&sched, 1);
        Ok(sched)
    }

    /// policy-P11: the host has sent nothing in this cycle. The word of it, which is that of the rescue if that sends for the host.
    fn guard(&mut self, probe: &mut Noticing<'_, impl Probe>) -> Result<Sched, Fault> {
        let any_live = self.seat()?.any_live();
        let Self { board, fcfs_rr, graphs, told, .. } = self;
        let told = told.as_mut().ok_or(Fault::NotTold)?;
        told.guard(board, any_live, probe);
        // That the host is stalled is no decision of the rescue.
        probe.any = false;
        if !told.is_rescuing {
            return Ok(self.seat()?.word(any_live));
        }
        match told.rescue(board, fcfs_rr, graphs, probe) {
            Some(tb) => Ok(Sched::Tb(tb)),
            None => self.seat().map(|seat| seat.word(seat.any_live())),
        }
    }

    /// policy-P13: up to `to`, but not beyond [`FrontEnd::next_event`], cycles go by at once in which the host has nothing to say. How
    /// many; it stops rather than fails where something falls due (policy-A7).
    ///
    /// # Errors
    /// `NotTold`, `MidCycle`.
    pub fn skip(&mut self, to: Cycle) -> Result<u64, Fault> {
        self.told()?;
        self.between()?;
        let until = self.next_event().map_or(to, |at| at.min(to)).max(self.board.now);
        let n = until.since(self.board.now);
        if n == 0 {
            return Ok(0);
        }
        let any_live = self.seat()?.any_live();
        let word = self.seat()?.word(any_live);
        let told = self.told_mut()?;
        let limit = told.config.stall_limit;
        told.spell = if any_live { told.spell.saturating_add(n.min(limit.into()) as u32).min(limit) } else { 0 };
        self.pass(&word, n);
        let Self { board, grids, .. } = self;
        if let Some(grids) = grids.as_mut() {
            grids.pass_flushes(board.now);
        }
        Ok(n)
    }

    // ---- queries

    /// The word of a cycle in which nothing happens (policy-P10).
    ///
    /// # Errors
    /// `NotTold`.
    pub fn word(&self) -> Result<Sched, Fault> {
        let seat = self.seat()?;
        Ok(seat.word(seat.any_live()))
    }

    /// What is free and what runs where, as a policy sees it.
    ///
    /// # Errors
    /// `NotTold`.
    pub fn policy_view(&self) -> Result<Sight<'_, T>, Fault> {
        self.seat().map(Sight)
    }

    /// The TBs that run on an SMX, by slot; `None` if there is no such SMX, or the policy is not the host's.
    #[must_use]
    pub fn residents(&self, smx: SmxId) -> Option<impl Iterator<Item = Resident>> {
        self.board.check_smx(smx).ok()?;
        Some(self.seat().ok()?.on(smx))
    }

    /// What is to be told a policy of the TB in a slot, were it to end now; `None` if there is none, or the policy is not the host's. Whoever
    /// counts instructions fills them in.
    #[must_use]
    pub fn completion(&self, smx: SmxId, slot: SlotId) -> Option<Completion> {
        let told = self.told.as_ref()?;
        self.board.check_slot(smx, slot).ok()?;
        let tb = self.board.residency.tb(smx, slot)?;
        let row = told.units.of(tb.kde, tb.group());
        Some(Completion {
            unit: told.units.get(row).key.no,
            row: row.0,
            blkid: tb.blkid,
            smx,
            start: told.start_of(smx, slot),
            end: self.board.now,
            issued: 0,
            all: 0,
        })
    }

    /// How things stand with the host that decides; `None` if the policy is another one.
    #[must_use]
    pub fn told_state(&self) -> Option<ToldState> {
        let &Told { is_begun, sent, decline, spell, is_rescuing, ref units, .. } = self.told.as_ref()?;
        let (has_declined, wake) = match decline {
            Decline::None => (false, None),
            Decline::Until(wake) => (true, Some(wake)),
            Decline::Never => (true, None),
        };
        Some(ToldState { is_begun, sent, has_declined, wake, spell, is_rescuing, units: units.next_no })
    }

    // ---- inside

    fn told(&self) -> Result<&Told<T>, Fault> {
        self.told.as_ref().ok_or(Fault::NotTold)
    }

    fn told_mut(&mut self) -> Result<&mut Told<T>, Fault> {
        self.told.as_mut().ok_or(Fault::NotTold)
    }

    pub(super) fn seat(&self) -> Result<Seat<'_, T>, Fault> {
        let Self { board, fcfs_rr, graphs, .. } = self;
        Ok(Seat { board, fcfs_rr, graphs, told: self.told()? })
    }

    fn begun(&self) -> Result<(), Fault> {
        if self.told()?.is_begun { Ok(()) } else { Err(Fault::NotBegun) }
    }

    /// policy-P2: whether a verb is accepted that belongs between cycles.
    #[inline(always)]
    pub(super) fn between(&self) -> Result<(), Fault> {
        if self.told.as_ref().is_some_and(|told| told.is_begun) { Err(Fault::MidCycle) } else { Ok(()) }
    }

    /// A verb was accepted between cycles: whatever was found before it may be otherwise now (policy-P9).
    #[inline(always)]
    pub(super) fn lift(&mut self) {
        self.quiet.end();
        if let Some(told) = self.told.as_mut() {
            told.lift();
        }
    }

    /// A verb that belongs between cycles: it is refused in the middle of one, and what it changes lifts what the host has declined.
    #[inline(always)]
    pub(super) fn verb<R, E: From<Fault>>(&mut self, act: impl FnOnce(&mut Self) -> Result<R, E>) -> Result<R, E> {
        self.between()?;
        let answer = act(self)?;
        self.lift();
        Ok(answer)
    }

    /// policy-P13: when the host is to be asked, or anything else falls due.
    pub(super) fn next_told(&self) -> Option<Cycle> {
        let (told, seat) = (self.told.as_ref()?, self.seat().ok()?);
        let Board { now, .. } = self.board;
        if told.is_begun {
            return Some(now);
        }
        let asked = match told.decline {
            Decline::None if seat.any_ripe() => Some(now),
            Decline::Until(at) if seat.any_ripe() => Some(at.max(now)),
            _ => None,
        };
        let limit = told.config.stall_limit;
        let stalled = told.spell < limit && seat.any_live();
        let stall = stalled.then(|| now.after(u64::from(limit - told.spell) - 1));
        let load = seat.next_load().map(|at| at.max(now));
        first_of([asked, stall, load, self.next_of_time()]).filter(|&at| at < Cycle::MAX)
    }
}
