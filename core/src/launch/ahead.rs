//! The load buffer: spilled groups are fetched before their turn (`dtbl-T4a`).
//!
//! A small fully associative memory beside SSCR, shared by all entries of the kernel distributor. What is behind a spilled group
//! stands in its record, so the scheduler follows a kernel's chain into memory one load at a time, as far as `load_ahead` says.

use crate::base::cycle::Cycle;
use crate::base::id::{KernelSlot, RecordId};
use crate::config::LoadMode;
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::launch::cursor::{Cursor, Load};
use crate::probe::{Decision, Probe};

/// The most places (`load_ahead`).
pub(crate) const MOST_PLACES: usize = 8;

/// Groups that were asked for, each in its place. None of them is [`Load::NotAsked`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct LoadBuffer([Option<(RecordId, Load)>; MOST_PLACES]);

impl LoadBuffer {
    /// How far the load of a group is.
    pub(crate) fn get(&self, record: RecordId) -> Load {
        self.iter().find(|(r, _)| *r == record).map_or(Load::NotAsked, |(_, load)| load)
    }

    /// What stands about a group that was asked for.
    pub(crate) fn get_mut(&mut self, record: RecordId) -> Option<&mut Load> {
        self.0.iter_mut().flatten().find(|(r, _)| *r == record).map(|(_, load)| load)
    }

    /// The lowest free one of `places` places.
    fn free_place(&mut self, places: u32) -> Option<&mut Option<(RecordId, Load)>> {
        self.0.iter_mut().take(places as usize).find(|place| place.is_none())
    }

    /// Whether one of `places` places is free.
    fn has_room(&self, places: u32) -> bool {
        self.0.iter().take(places as usize).any(Option::is_none)
    }

    /// The group becomes the one being sent: its place is free, and how far its load is goes with it.
    pub(crate) fn take(&mut self, record: RecordId, places: u32) -> Load {
        let mut places = self.0.iter_mut().take(places as usize);
        let place = places.find(|place| place.is_some_and(|(r, _)| r == record));
        place.and_then(Option::take).map_or(Load::NotAsked, |(_, load)| load)
    }

    /// Groups that were asked for, by place.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (RecordId, Load)> {
        self.0.iter().flatten().copied()
    }
}

impl<T: Tables> FrontEnd<T> {
    /// The groups next in line behind what a marked kernel sends, as many as may be fetched.
    fn next_in_line(&self, k: KernelSlot, sent: Option<RecordId>) -> impl Iterator<Item = RecordId> {
        let next_of = |r: &RecordId| self.records.get(*r).group()?.next.map(|(next, _)| next);
        let first = match sent {
            None => self.kd.get(k).chain.map(|chain| chain.next),
            Some(r) => next_of(&r),
        };
        core::iter::successors(first, next_of).take(self.config.load_ahead as usize)
    }

    /// dtbl-T4a: what a kernel sends is at hand; of the groups behind it the first one that is spilled and not here is asked for, once.
    #[inline(never)]
    pub(crate) fn look_ahead(&mut self, k: KernelSlot, sent: Option<RecordId>, probe: &mut impl Probe) {
        if let Some((at, record)) = self.next_ask(k, sent, self.now)
            && at == self.now
            && let Some(place) = self.load_buffer.free_place(self.config.load_ahead)
        {
            *place = Some((record, Load::Waiting(at.after(self.config.load_cycles.into()))));
            probe.decide(at, Decision::Load { record });
        }
    }

    /// The first cycle from `at` on in which [`FrontEnd::look_ahead`] asks if nothing but time changes, and for which group.
    pub(crate) fn next_ask(&self, k: KernelSlot, sent: Option<RecordId>, mut at: Cycle) -> Option<(Cycle, RecordId)> {
        if !self.load_buffer.has_room(self.config.load_ahead) {
            return None;
        }
        for record in self.next_in_line(k, sent).filter(|&r| self.is_spilled(r)) {
            match self.load_buffer.get(record) {
                Load::NotAsked => return Some((at, record)),
                Load::Waiting(until) if self.config.load_mode == LoadMode::Fixed => at = at.max(until),
                Load::Waiting(_) => return None,
                Load::Here => {}
            }
        }
        None
    }

    /// How far the scheduler got with a marked kernel, or where it will start.
    pub(crate) fn cursor_of(&self, k: KernelSlot) -> Cursor {
        let kde = self.kd.get(k);
        kde.cursor().copied().unwrap_or_else(|| {
            let start = Cursor::start(kde);
            Cursor { load: start.group.map_or(Load::NotAsked, |r| self.load_buffer.get(r)), ..start }
        })
    }

    /// Spilled groups that were asked for before their turn (`load_ahead`), by their places in the load buffer. With `load_mode`
    /// fixed, one that waits is here from its cycle on.
    pub fn load_buffer(&self) -> impl Iterator<Item = (RecordId, Load)> {
        self.load_buffer.iter()
    }

    /// dtbl-I15: whether the load buffer of an image is one that the scheduler can have filled: every record in it is in line behind
    /// what some kernel sends, and nothing was followed beyond a record that is not here.
    #[cfg(feature = "image")]
    pub(crate) fn is_load_buffer_possible(&self) -> bool {
        let Self { config, load_buffer: LoadBuffer(places), now, .. } = self;
        let fixed = config.load_mode == LoadMode::Fixed;
        let latest = now.after(config.load_cycles.into());
        let is_possible = |load| match load {
            Load::NotAsked => false,
            Load::Waiting(at) => at <= latest,
            Load::Here => !fixed,
        };
        let is_here = |load| matches!(load, Load::Here) || matches!(load, Load::Waiting(at) if fixed && at <= *now);
        let in_line = |k: KernelSlot| {
            let Cursor { group, load, .. } = self.cursor_of(k);
            let (tried, at_hand) = (self.kd.get(k).cursor().is_some(), !group.is_some_and(|r| self.is_spilled(r)));
            let behind = self.next_in_line(k, group).filter(|_| at_hand || is_here(load));
            let of_start = group.filter(|_| !tried && !at_hand);
            let spilled = of_start.into_iter().chain(behind.filter(|&r| self.is_spilled(r)));
            let mut followed = true;
            let asked = spilled.take_while(move |&r| {
                let (load, seen) = (self.load_buffer.get(r), followed);
                followed &= is_here(load);
                seen && load != Load::NotAsked
            });
            asked.count()
        };
        places.iter().skip(config.load_ahead as usize).all(Option::is_none)
            && self.load_buffer.iter().all(|(_, load)| is_possible(load))
            && self.kd.fifo().map(in_line).sum::<usize>() == self.load_buffer.iter().count()
    }
}
