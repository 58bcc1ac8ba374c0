//! Entries, and lists of them linked by index.

use crate::base::cycle::Cycle;
use crate::base::id::{ClassId, UnitId, id};
use crate::base::table::{Rows, Table};

id! {
    /// A row of the table of entries. An entry keeps its row from its push to the dispatch of its last TB, wherever it waits.
    pub(crate) EntryId(u32)
}

/// A kernel or TB group that has TBs to send; `work` is what its owner knows about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Entry<W> {
    /// What its owner knows about it.
    pub work: W,
    /// Its TBs, at least 1.
    pub tbs: u32,
    /// The next TB to send.
    pub next: u32,
    /// Nesting level.
    pub prio: u8,
    /// The level by which it is ordered in its unit's queue; 0 in queue 0.
    pub section: u8,
    /// The unit in whose queue it waits; `None` for queue 0.
    pub unit: Option<UnitId>,
    /// On chip: the cycle from which it is visible; while it is loading, the cycle in which it was asked for.
    pub ready_at: Cycle,
    /// On chip: it was asked for, and the host has not said that it is here (`refill_mode` external).
    pub is_loading: bool,
    /// On chip: the class by which a gate may hide it from an SMX.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) class: Option<ClassId>,
    /// Whether it is in a queue on chip, or in a list in memory.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) is_on_chip: bool,
    #[cfg_attr(feature = "serde", serde(skip))]
    before: Option<EntryId>,
    #[cfg_attr(feature = "serde", serde(skip))]
    behind: Option<EntryId>,
}

impl<W> Entry<W> {
    /// Work of a host kernel, in queue 0.
    pub(crate) fn host(work: W, tbs: u32) -> Self {
        let ready_at = Cycle::ZERO;
        Self {
            work,
            tbs,
            next: 0,
            prio: 0,
            section: 0,
            unit: None,
            ready_at,
            is_loading: false,
            class: None,
            is_on_chip: false,
            before: None,
            behind: None,
        }
    }

    /// Whether visits see it.
    #[inline]
    pub(crate) fn is_visible(&self, now: Cycle) -> bool {
        self.ready_at <= now && !self.is_loading
    }

    /// Work in the queue of a unit.
    pub(crate) fn of_unit(work: W, tbs: u32, prio: u8, unit: UnitId, section: u8) -> Self {
        Self { prio, section, unit: Some(unit), ..Self::host(work, tbs) }
    }

    /// The entry behind it in its list.
    #[inline]
    pub(crate) const fn behind(&self) -> Option<EntryId> {
        self.behind
    }
}

/// A list of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct List {
    pub(crate) head: Option<EntryId>,
    tail: Option<EntryId>,
    pub(crate) len: u32,
}

impl List {
    pub(crate) const fn tail(&self) -> Option<EntryId> {
        self.tail
    }

    #[inline]
    pub(crate) fn push_back<W, E: Rows<Entry<W>>>(&mut self, entries: &mut Table<EntryId, Entry<W>, E>, e: EntryId) {
        let entry = &mut entries[e];
        (entry.before, entry.behind) = (self.tail, None);
        match self.tail.replace(e) {
            Some(tail) => entries[tail].behind = Some(e),
            None => self.head = Some(e),
        }
        self.len += 1;
    }

    pub(crate) fn push_front<W, E: Rows<Entry<W>>>(&mut self, entries: &mut Table<EntryId, Entry<W>, E>, e: EntryId) {
        let entry = &mut entries[e];
        (entry.before, entry.behind) = (None, self.head);
        match self.head.replace(e) {
            Some(head) => entries[head].before = Some(e),
            None => self.tail = Some(e),
        }
        self.len += 1;
    }

    /// Takes out an entry that is in this list.
    #[inline]
    pub(crate) fn remove<W, E: Rows<Entry<W>>>(&mut self, entries: &mut Table<EntryId, Entry<W>, E>, e: EntryId) {
        let entry = &mut entries[e];
        let (before, behind) = (entry.before.take(), entry.behind.take());
        match before {
            Some(before) => entries[before].behind = behind,
            None => self.head = behind,
        }
        match behind {
            Some(behind) => entries[behind].before = before,
            None => self.tail = before,
        }
        self.len -= 1;
    }

    /// Its entries, in order.
    pub(crate) fn iter<'a, W, E: Rows<Entry<W>>>(
        &self,
        entries: &'a Table<EntryId, Entry<W>, E>,
    ) -> impl Iterator<Item = (EntryId, &'a Entry<W>)> + use<'a, W, E> {
        core::iter::successors(self.head, |&e| entries[e].behind).map(|e| (e, &entries[e]))
    }
}
