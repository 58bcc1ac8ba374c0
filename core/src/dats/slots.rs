//! Sets of nodes of the window, one bit for each slot of its ring.

use crate::id::{Id, id};
use crate::table::{Rows, Table};

id! {
    /// A word of a set.
    WordId(u32)
}

/// Sets of one window: its nodes in state R; in P with a TB that runs; in P with one that has ended.
pub(super) const SETS: usize = 3;

/// Words of a set over `n` slots.
pub(super) const fn words(n: u32) -> usize {
    n.div_ceil(64) as usize
}

/// Which set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotSet {
    Ready = 0,
    Executing = 1,
    Pending = 2,
}

/// The sets of one window. A ring position is a slot; the order within a set begins at the slot of the window's tail.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct SlotSets<W> {
    words: Table<WordId, u64, W>,
    /// Slots of the ring.
    n: u32,
}

impl<W: Rows<u64>> SlotSets<W> {
    pub(super) fn new(rows: W, n: u32) -> Self {
        Self { words: Table::new(rows), n }
    }

    pub(super) fn clear(&mut self) {
        for w in 0..SETS * words(self.n) {
            self.words[WordId::from_index(w)] = 0;
        }
    }

    fn base(&self, set: SlotSet) -> u32 {
        set as u32 * words(self.n) as u32
    }

    #[inline]
    pub(super) fn set(&mut self, set: SlotSet, slot: u32, member: bool) {
        let word = WordId(self.base(set) + slot / 64);
        let bit = 1 << (slot % 64);
        if member {
            self.words[word] |= bit;
        } else {
            self.words[word] &= !bit;
        }
    }

    /// The lowest member at or above `from` and below `to`.
    #[inline]
    pub(super) fn first_in(&self, set: SlotSet, from: u32, to: u32) -> Option<u32> {
        let base = self.base(set);
        let mut mask = u64::MAX << (from % 64);
        for w in from / 64..to.div_ceil(64) {
            let word = self.words[WordId(base + w)] & mask;
            if word != 0 {
                return Some(64 * w + word.trailing_zeros()).filter(|&slot| slot < to);
            }
            mask = u64::MAX;
        }
        None
    }

    /// The highest member at or above `from` and below `to`.
    #[inline]
    pub(super) fn last_in(&self, set: SlotSet, from: u32, to: u32) -> Option<u32> {
        let base = self.base(set);
        for w in (from / 64..to.div_ceil(64)).rev() {
            let above = to - 64 * w;
            let mask = if above >= 64 { u64::MAX } else { (1 << above) - 1 };
            let word = self.words[WordId(base + w)] & mask;
            if word != 0 {
                return Some(64 * w + 63 - word.leading_zeros()).filter(|&slot| slot >= from);
            }
        }
        None
    }
}
