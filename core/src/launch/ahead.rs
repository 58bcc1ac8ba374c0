//! The load buffer: spilled groups are fetched before their turn (`dtbl-T4a`).
//!
//! A small fully associative memory beside SSCR, shared by all entries of the kernel distributor. What is behind a spilled group
//! stands in its record, so the scheduler follows a kernel's chain into memory one load at a time, as far as `load_ahead` says.

use crate::base::id::RecordId;
use crate::launch::cursor::Load;

/// The most places (`load_ahead`).
pub(crate) const MOST_PLACES: usize = 8;

/// Groups that were asked for, each in its place. None of them is [`Load::NotAsked`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    pub(crate) fn free_place(&mut self, places: u32) -> Option<&mut Option<(RecordId, Load)>> {
        self.0.iter_mut().take(places as usize).find(|place| place.is_none())
    }

    /// Whether one of `places` places is free.
    pub(crate) fn has_room(&self, places: u32) -> bool {
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

    /// Whether nothing lies beyond so many places.
    pub(crate) fn is_within(&self, places: u32) -> bool {
        self.0.iter().skip(places as usize).all(Option::is_none)
    }
}
