//! Random scripts of a host that decides, well or badly: it answers offers at random, with the names of others, of none and of
//! yesterday, with SMXs that are closed or do not exist, in the wrong half of a cycle, or not at all.

use gpusched::{Id, KernelSlot, Offer, OfferId, OfferLoad, PieceId, RecordId};
use gpusched_tests::events::Event;
use proptest::prelude::*;

use crate::properties::configs::Machine;
use crate::properties::script::{Resolver, Step, graph_script, grid_script};

/// What a host does beside its cycles, and how it answers in the next one.
pub type Script = Vec<(Step, u64)>;

/// A script of everything that there is.
pub fn told_script() -> impl Strategy<Value = Script> {
    beside_a_host(graph_script())
}

/// The same with what sheet `launch2` adds.
pub fn told_grid_script() -> impl Strategy<Value = Script> {
    beside_a_host(grid_script())
}

fn beside_a_host(steps: impl Strategy<Value = Vec<Step>>) -> impl Strategy<Value = Script> {
    (steps, any::<u64>()).prop_map(|(steps, seed)| {
        let mut digits = Digits(seed);
        steps.into_iter().map(|step| (step, digits.next())).collect()
    })
}

/// Numbers out of a seed.
#[derive(Clone, Copy)]
pub struct Digits(pub u64);

impl Digits {
    pub fn next(&mut self) -> u64 {
        // The mixing of SplitMix64, which is enough to choose by.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb) ^ mixed >> 31
    }

    /// One of the first `n` numbers.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// Once in `n` times.
    pub fn rarely(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

type Played = Result<(), TestCaseError>;

/// The offers, if a cycle was begun.
pub fn offers(gpu: &Machine) -> Vec<Offer> {
    gpu.offers().map(Iterator::collect).unwrap_or_default()
}

/// A host: what it has launched, and the names that it has seen.
#[derive(Clone, Default)]
pub struct Host {
    resolver: Resolver,
    seen: Vec<OfferId>,
}

impl Host {
    /// Takes a script: `call` makes each call on the machine.
    pub fn play(
        &mut self,
        gpu: &mut Machine,
        script: &Script,
        call: &mut impl FnMut(&mut Machine, &Event) -> Played,
    ) -> Played {
        for (step, seed) in script {
            let mut digits = Digits(*seed);
            for event in self.resolver.resolve(gpu, step) {
                match event {
                    // Those are cycles of another policy: they are refused, and cycles of this host follow.
                    Event::Tick | Event::Run(_) if digits.rarely(16) => call(gpu, &event)?,
                    Event::Tick => self.cycle(gpu, &mut digits, call)?,
                    Event::Run(n) => (0..n.min(4)).try_for_each(|_| self.cycle(gpu, &mut digits, call))?,
                    // Not to the end of time, where nothing can happen any more.
                    Event::Advance(until) if digits.rarely(2) => {
                        call(gpu, &Event::Skip(until.min(gpu.now().after(64).0)))?;
                    }
                    Event::Advance(_) => {
                        let next = gpu.next_event().unwrap_or(gpu.now());
                        call(gpu, &Event::Skip(next.0.saturating_sub(u64::from(digits.rarely(2)))))?;
                        self.cycle(gpu, &mut digits, call)?;
                    }
                    other => call(gpu, &other)?,
                }
            }
        }
        Ok(())
    }

    fn cycle(
        &mut self,
        gpu: &mut Machine,
        digits: &mut Digits,
        call: &mut impl FnMut(&mut Machine, &Event) -> Played,
    ) -> Played {
        let is_begun = |gpu: &Machine| gpu.told_state().is_some_and(|told| told.is_begun);
        if !is_begun(gpu) && digits.rarely(16) {
            call(gpu, &self.answer(gpu, digits))?;
        }
        if !is_begun(gpu) || digits.rarely(16) {
            call(gpu, &Event::Begin)?;
        }
        // Now and then a host says nothing for several cycles, which is what the guard is for.
        let moves = if digits.rarely(3) { 0 } else { digits.below(5) };
        for _ in 0..moves {
            let event = self.answer(gpu, digits);
            call(gpu, &event)?;
            self.seen.extend(offers(gpu).iter().map(|offer| offer.id));
            self.seen.truncate(64);
        }
        if digits.rarely(24) {
            call(gpu, &Event::End(Some(gpu.now().0.saturating_sub(digits.below(2) as u64))))?;
        }
        // What is not ended now meets the calls between cycles.
        if digits.rarely(24) {
            return Ok(());
        }
        let wake = gpu.now().after(1 + digits.below(4) as u64);
        call(gpu, &Event::End((!digits.rarely(3)).then_some(wake.0)))
    }

    fn answer(&self, gpu: &Machine, digits: &mut Digits) -> Event {
        let offers = offers(gpu);
        let config = gpu.config();
        let of = |wanted: Vec<Offer>, digits: &mut Digits| wanted.get(digits.below(wanted.len())).copied();
        let live = offers.iter().copied().filter(Offer::is_live).collect();
        let needed = offers.iter().copied().filter(|offer| offer.load == OfferLoad::Needed).collect();
        let any_smx = digits.below(config.n_smx as usize + 1) as u32;
        // Units that can be split mostly are, inside of what is offered; any other is so now and then.
        let may_split = config.told().is_some_and(|told| told.split_cap > 0);
        if digits.rarely(if may_split { 4 } else { 32 }) {
            let piece = OfferId::Piece(PieceId(digits.below(4) as u16));
            return match of(offers, digits) {
                Some(Offer { id, blkid, left, .. }) if !digits.rarely(8) => {
                    Event::Split { id, at: blkid.unwrap_or(0).saturating_add(digits.below(left as usize + 2) as u32) }
                }
                _ if digits.rarely(2) => Event::Send { id: piece, smx: any_smx },
                _ => Event::Split { id: piece, at: 2 },
            };
        }
        match digits.below(16) {
            0 => Event::Offers,
            1 => Event::NextEvent,
            2 => Event::Save,
            // A name of yesterday, of any row, of a row of the other kind.
            3 => {
                let id = self.seen.get(digits.below(self.seen.len())).copied();
                Event::Send { id: id.unwrap_or(OfferId::Entry(KernelSlot(0))), smx: any_smx }
            }
            4 => {
                let row = digits.below(config.n_kde as usize + 1);
                Event::Send { id: OfferId::Entry(KernelSlot::from_index(row)), smx: any_smx }
            }
            5 => {
                let row = digits.below(config.pend_limit as usize + 1);
                let id = OfferId::Record(RecordId::from_index(row));
                if row.is_multiple_of(2) { Event::Load(id) } else { Event::Send { id, smx: any_smx } }
            }
            6 => match of(offers, digits) {
                Some(offer) => Event::Send { id: offer.id, smx: any_smx },
                None => Event::Load(OfferId::Entry(KernelSlot(0))),
            },
            7 => match of(offers, digits) {
                Some(offer) => Event::Load(offer.id),
                None => Event::Load(OfferId::Record(RecordId(0))),
            },
            8..=10 => of(needed, digits).map_or(Event::Offers, |offer| Event::Load(offer.id)),
            _ => {
                let Some(offer) = of(live, digits) else { return Event::Offers };
                let open = offer.open.iter().collect::<Vec<_>>();
                Event::Send { id: offer.id, smx: open[digits.below(open.len())].into() }
            }
        }
    }
}
