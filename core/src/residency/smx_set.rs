//! A set of SMXs, one bit each.

use crate::id::SmxId;

const WORDS: usize = 4;

/// A set of SMXs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SmxSet([u64; WORDS]);

impl SmxSet {
    /// No SMX.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// The SMXs 0..n.
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

    /// The SMXs whose bit is set: bit b of word w is SMX 64w + b.
    #[must_use]
    #[inline]
    pub const fn from_words(words: [u64; WORDS]) -> Self {
        Self(words)
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
    pub fn contains(&self, s: SmxId) -> bool {
        self.0.get(usize::from(s.0 / 64)).is_some_and(|word| word >> (s.0 % 64) & 1 == 1)
    }

    /// Puts `s` in, or takes it out.
    #[inline]
    pub fn set(&mut self, s: SmxId, member: bool) {
        if let Some(word) = self.0.get_mut(usize::from(s.0 / 64)) {
            let bit = 1 << (s.0 % 64);
            *word = if member { *word | bit } else { *word & !bit };
        }
    }

    /// Whether no SMX is in the set.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// The SMXs in this set and in `other`.
    #[must_use]
    #[inline]
    pub fn and(&self, other: &Self) -> Self {
        let mut set = *self;
        set.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= b);
        set
    }

    /// The SMXs in this set and not in `other`.
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
    pub fn at_or_above(&self, from: u16) -> Option<SmxId> {
        let first = usize::from(from / 64);
        let mut mask = u64::MAX << (from % 64);
        for (w, word) in self.0.iter().enumerate().skip(first) {
            if word & mask != 0 {
                return Some(SmxId((64 * w) as u16 + (word & mask).trailing_zeros() as u16));
            }
            mask = u64::MAX;
        }
        None
    }

    /// The first member of `self`, in `also` and not in `except`, from `start` upward and then from 0.
    #[inline(always)] // On the way of every TB.
    #[must_use]
    pub fn first_from(&self, start: SmxId, also: &Self, except: &Self) -> Option<SmxId> {
        let first = usize::from(start.0 / 64);
        let above = u64::MAX << (start.0 % 64);
        let word = |w: usize, mask: u64| -> Option<SmxId> {
            let bits = self.0.get(w)? & also.0.get(w)? & !except.0.get(w)? & mask;
            (bits != 0).then(|| SmxId((64 * w) as u16 + bits.trailing_zeros() as u16))
        };
        word(first, above)
            .or_else(|| (first + 1..WORDS).find_map(|w| word(w, u64::MAX)))
            .or_else(|| (0..first).find_map(|w| word(w, u64::MAX)))
            .or_else(|| word(first, !above))
    }

    /// Members from `start` upward, then those below it.
    pub fn iter_from(self, start: SmxId) -> impl Iterator<Item = SmxId> {
        let walk = |from: u16, below: u16| {
            let mut from = from;
            core::iter::from_fn(move || {
                let s = self.at_or_above(from).filter(|s| s.0 < below)?;
                from = s.0 + 1;
                Some(s)
            })
        };
        walk(start.0, u16::MAX).chain(walk(0, start.0))
    }

    /// Members, lowest first.
    pub fn iter(self) -> impl Iterator<Item = SmxId> {
        self.iter_from(SmxId(0))
    }
}
