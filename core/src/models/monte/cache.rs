//! models-M5: a cache with true LRU.

use core::hash::{Hash, Hasher};

use crate::base::id::id;
use crate::base::table::{Rows, Table};

id! {
    /// A set of a cache.
    pub(super) SetId(u16)
}
id! {
    /// A line of a cache: all of a set's behind each other, the one used last in front.
    pub(super) LineId(u32)
}

/// Lines in use of one set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CacheSet {
    /// When they were brought in: those of another time are gone.
    time: u32,
    used: u8,
}

/// Sets, ways and bytes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    sets: u32,
    ways: u32,
    line_shift: u32,
}

impl Shape {
    pub(super) const fn of(sets: u32, ways: u32, line: u32) -> Self {
        Self { sets, ways, line_shift: line.trailing_zeros() }
    }
}

/// A cache. Clearing it takes no time: it begins a new one.
#[derive(Clone, Debug)]
pub(super) struct Cache<S, L> {
    shape: Shape,
    time: u32,
    sets: Table<SetId, CacheSet, S>,
    lines: Table<LineId, u64, L>,
}

impl<S: Rows<CacheSet>, L: Rows<u64>> Cache<S, L> {
    pub(super) fn new(sets: S, lines: L, shape: Shape) -> Self {
        Self { shape, time: 0, sets: Table::new(sets), lines: Table::new(lines) }
    }

    /// Forgets all lines.
    pub(super) fn clear(&mut self) {
        if let Some(next) = self.time.checked_add(1) {
            self.time = next;
            return;
        }
        self.time = 0;
        for set in 0..self.shape.sets {
            self.sets[SetId(set as u16)] = CacheSet::default();
        }
    }

    /// Whether the line of an address is there; it is the one used last then, and also if it is `allocate`d.
    pub(super) fn access(&mut self, address: u64, allocate: bool) -> bool {
        let Shape { sets, ways, line_shift } = self.shape;
        let line = address >> line_shift;
        let set = line.checked_rem(sets.into()).unwrap_or(0) as u32;
        let mut of_set = self.sets[SetId(set as u16)];
        if of_set.time != self.time {
            of_set = CacheSet { time: self.time, used: 0 };
        }
        let (first, used) = (set * ways, u32::from(of_set.used));
        let found = (0..used).find(|&way| self.lines[LineId(first + way)] == line);
        if found.is_none() && !allocate {
            return false;
        }
        if found.is_none() && used < ways {
            of_set.used += 1;
        }
        // The place that those in front move up to: its own, a free one, or that of the one used longest ago.
        let place = found.unwrap_or(used.min(ways - 1));
        for way in (0..place).rev() {
            self.lines[LineId(first + way + 1)] = self.lines[LineId(first + way)];
        }
        self.lines[LineId(first)] = line;
        self.sets[SetId(set as u16)] = of_set;
        found.is_some()
    }
}

/// Every run begins with clearing the cache, so what is in it makes no difference between two machines.
impl<S, L> PartialEq for Cache<S, L> {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape
    }
}

impl<S, L> Eq for Cache<S, L> {}

impl<S, L> Hash for Cache<S, L> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.shape.hash(state);
    }
}
