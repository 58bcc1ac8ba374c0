//! Sets of up to 256 rows of one table, one bit each.

use core::marker::PhantomData;

use crate::id::{Id, SmxId};

const WORDS: usize = 4;

/// A set of SMXs.
pub type SmxSet = IdSet<SmxId>;

/// A set of ids below 256.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct IdSet<I>([u64; WORDS], PhantomData<I>);

impl<I: Id> IdSet<I> {
    /// No id.
    pub const EMPTY: Self = Self([0; WORDS], PhantomData);

    /// The ids 0..n.
    #[must_use]
    pub fn first(n: u32) -> Self {
        let mut set = Self::EMPTY;
        for (w, word) in (0u32..).zip(set.0.iter_mut()) {
            *word = match n.saturating_sub(64 * w) {
                0 => 0,
                bits @ 1..=63 => (1 << bits) - 1,
                _ => u64::MAX,
            };
        }
        set
    }

    /// The ids whose bit is set: bit b of word w is id 64w + b.
    #[must_use]
    #[inline]
    pub const fn from_words(words: [u64; WORDS]) -> Self {
        Self(words, PhantomData)
    }

    /// The words of the set.
    #[must_use]
    #[inline]
    pub const fn words(&self) -> [u64; WORDS] {
        self.0
    }

    /// Whether `s` is in the set.
    #[must_use]
    #[inline]
    pub fn contains(&self, s: I) -> bool {
        self.0.get(s.index() / 64).is_some_and(|word| word >> (s.index() % 64) & 1 == 1)
    }

    /// Puts `s` in, or takes it out.
    #[inline]
    pub fn set(&mut self, s: I, member: bool) {
        if let Some(word) = self.0.get_mut(s.index() / 64) {
            let bit = 1 << (s.index() % 64);
            *word = if member { *word | bit } else { *word & !bit };
        }
    }

    /// Whether nothing is in the set.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// How many members the set has.
    #[must_use]
    #[inline]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// What is in this set and in `other`.
    #[must_use]
    #[inline]
    pub fn and(&self, other: &Self) -> Self {
        let mut set = *self;
        set.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= b);
        set
    }

    /// What is in this set or in `other`.
    #[must_use]
    #[inline]
    pub fn or(&self, other: &Self) -> Self {
        let mut set = *self;
        set.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
        set
    }

    /// What is in this set and not in `other`.
    #[must_use]
    #[inline]
    pub fn without(&self, other: &Self) -> Self {
        let mut set = *self;
        set.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= !b);
        set
    }

    /// The lowest member that is `from` or above.
    #[must_use]
    #[inline]
    pub fn at_or_above(&self, from: usize) -> Option<I> {
        let first = from / 64;
        let mut mask = u64::MAX << (from % 64);
        for (w, word) in self.0.iter().enumerate().skip(first) {
            if word & mask != 0 {
                return Some(I::from_index(64 * w + (word & mask).trailing_zeros() as usize));
            }
            mask = u64::MAX;
        }
        None
    }

    /// The first member of `self`, in `also` and not in `except`, from `start` upward and then from 0.
    #[inline(always)] // On the way of every TB.
    #[must_use]
    pub fn first_from(&self, start: I, also: &Self, except: &Self) -> Option<I> {
        let first = start.index() / 64;
        let above = u64::MAX << (start.index() % 64);
        let word = |w: usize, mask: u64| -> Option<I> {
            let bits = self.0.get(w)? & also.0.get(w)? & !except.0.get(w)? & mask;
            (bits != 0).then(|| I::from_index(64 * w + bits.trailing_zeros() as usize))
        };
        word(first, above)
            .or_else(|| (first + 1..WORDS).find_map(|w| word(w, u64::MAX)))
            .or_else(|| (0..first).find_map(|w| word(w, u64::MAX)))
            .or_else(|| word(first, !above))
    }

    /// Members from `start` upward, then those below it.
    pub fn iter_from(self, start: I) -> impl Iterator<Item = I> {
        let walk = |from: usize, below: usize| {
            let mut from = from;
            core::iter::from_fn(move || {
                let s = self.at_or_above(from).filter(|s| s.index() < below)?;
                from = s.index() + 1;
                Some(s)
            })
        };
        walk(start.index(), usize::MAX).chain(walk(0, start.index()))
    }

    /// Members, lowest first.
    pub fn iter(self) -> impl Iterator<Item = I> {
        self.iter_from(I::from_index(0))
    }
}
