//! Sets of nodes of the window, one bit for each slot of its ring.

use crate::base::id::{Id, id};
use crate::base::table::{Rows, Table};

id! {
    /// A word of a set.
    WordId(u32)
}

/// Sets of one window.
pub(super) const SETS: usize = 3;

/// Words of a set over `n` slots.
pub(super) const fn words(n: u32) -> usize {
    n.div_ceil(64) as usize
}

/// A word of a set. Those of the same slots lie side by side.
#[inline(always)]
const fn word(set: NodeSet, w: u32) -> WordId {
    WordId(w * SETS as u32 + set as u32)
}

/// Which set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeSet {
    /// State R.
    Ready = 0,
    /// State P, with a TB that runs.
    Executing = 1,
    /// State P, with a TB that has ended.
    Pending = 2,
}

/// The lowest and the highest member of a set. The rules ask for the oldest member again and again, so it is kept; the next one is
/// looked for near by when it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Bounds {
    first: u32,
    last: u32,
}

impl Bounds {
    /// Of a set without members: with the first of them, both are that one.
    const NONE: Self = Self { first: u32::MAX, last: 0 };
}

/// The sets of one window. Its nodes are at most as many as its slots, so a slot stands for one VID.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct NodeSets<W> {
    words: Table<WordId, u64, W>,
    ready: Bounds,
    executing: Bounds,
    pending: Bounds,
    /// Slots of the ring.
    n: u32,
}

impl<W: Rows<u64>> NodeSets<W> {
    pub(super) fn new(rows: W, n: u32) -> Self {
        let [ready, executing, pending] = [Bounds::NONE; SETS];
        Self { words: Table::new(rows), ready, executing, pending, n }
    }

    pub(super) fn clear(&mut self) {
        for w in 0..SETS * words(self.n) {
            self.words[WordId::from_index(w)] = 0;
        }
        [self.ready, self.executing, self.pending] = [Bounds::NONE; SETS];
    }

    #[inline(always)]
    const fn bounds(&self, set: NodeSet) -> &Bounds {
        match set {
            NodeSet::Ready => &self.ready,
            NodeSet::Executing => &self.executing,
            NodeSet::Pending => &self.pending,
        }
    }

    #[inline(always)]
    const fn bounds_mut(&mut self, set: NodeSet) -> &mut Bounds {
        match set {
            NodeSet::Ready => &mut self.ready,
            NodeSet::Executing => &mut self.executing,
            NodeSet::Pending => &mut self.pending,
        }
    }

    /// Whether the node in a slot is a member.
    pub(super) fn has(&self, set: NodeSet, slot: u32) -> bool {
        self.words[word(set, slot / 64)] >> (slot % 64) & 1 == 1
    }

    /// How many members there are.
    pub(super) fn len(&self, set: NodeSet) -> u32 {
        (0..words(self.n) as u32).map(|w| self.words[word(set, w)].count_ones()).sum()
    }

    /// The lowest member.
    #[inline(always)]
    pub(super) fn first(&self, set: NodeSet) -> Option<u32> {
        let Bounds { first, last } = *self.bounds(set);
        (first <= last).then_some(first)
    }

    /// The highest member.
    #[inline(always)]
    pub(super) fn last(&self, set: NodeSet) -> Option<u32> {
        let Bounds { first, last } = *self.bounds(set);
        (first <= last).then_some(last)
    }

    /// The member behind another one.
    pub(super) fn behind(&self, set: NodeSet, vid: u32) -> Option<u32> {
        (vid < self.bounds(set).last).then(|| self.above(set, vid, self.slot(vid)))
    }

    /// Puts in a node that is not a member.
    #[inline(always)]
    pub(super) fn insert(&mut self, set: NodeSet, vid: u32, slot: u32) {
        let word = word(set, slot / 64);
        self.words[word] |= 1 << (slot % 64);
        let Bounds { first, last } = self.bounds_mut(set);
        (*first, *last) = (vid.min(*first), vid.max(*last));
    }

    /// Takes out a member.
    #[inline(always)]
    pub(super) fn remove(&mut self, set: NodeSet, vid: u32, slot: u32) {
        let word = word(set, slot / 64);
        self.words[word] &= !(1 << (slot % 64));
        let Bounds { first, last } = *self.bounds(set);
        if first == last {
            *self.bounds_mut(set) = Bounds::NONE;
        } else if vid == first {
            self.bounds_mut(set).first = self.above(set, vid, slot);
        } else if vid == last {
            self.bounds_mut(set).last = self.below(set, vid, slot);
        }
    }

    #[inline]
    fn slot(&self, vid: u32) -> u32 {
        vid.checked_rem(self.n).unwrap_or(0)
    }

    /// The next member above a node, where there is one. Mostly it is near by.
    #[inline(always)]
    fn above(&self, set: NodeSet, vid: u32, slot: u32) -> u32 {
        let bits = self.words[word(set, slot / 64)] & ((u64::MAX << (slot % 64)) << 1);
        if bits != 0 { vid + bits.trailing_zeros() - slot % 64 } else { self.far_above(set, vid, slot) }
    }

    /// [`Self::above`] in the words behind the slot's, and then from the start of the ring.
    #[inline(never)]
    fn far_above(&self, set: NodeSet, vid: u32, slot: u32) -> u32 {
        let words = words(self.n) as u32;
        let mut w = slot / 64;
        for _ in 0..words {
            w = if w + 1 == words { 0 } else { w + 1 };
            let word = self.words[word(set, w)];
            if word != 0 {
                let found = 64 * w + word.trailing_zeros();
                return vid + if found > slot { found - slot } else { found + self.n - slot };
            }
        }
        vid
    }

    /// The next member below a node, where there is one.
    #[inline(never)]
    fn below(&self, set: NodeSet, vid: u32, slot: u32) -> u32 {
        let words = words(self.n) as u32;
        let mut mask = (1 << (slot % 64)) - 1;
        let mut w = slot / 64;
        for _ in 0..=words {
            let word = self.words[word(set, w)] & mask;
            if word != 0 {
                let found = 64 * w + 63 - word.leading_zeros();
                return vid - if found < slot { slot - found } else { slot + self.n - found };
            }
            mask = u64::MAX;
            w = if w == 0 { words - 1 } else { w - 1 };
        }
        vid
    }
}
