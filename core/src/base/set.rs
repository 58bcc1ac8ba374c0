//! Sets of up to 256 rows of one table, one bit each.

use core::marker::PhantomData;

use crate::base::id::{ClassId, Id, SmxId};

const WORDS: usize = 4;

/// The most classes of kernels (gate K).
pub(crate) const MAX_CLASSES: usize = 8;

/// A set of SMXs.
pub type SmxSet = IdSet<SmxId>;

/// A set of ids below 256.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct IdSet<I>([u64; WORDS], PhantomData<I>);

/// For people the ids, in a list; in an image the words.
#[cfg(feature = "serde")]
mod as_data {
    use super::{Id, IdSet, WORDS};
    use core::fmt;
    use core::marker::PhantomData;
    use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
    use serde::ser::{Serialize, Serializer};

    impl<I: Id> Serialize for IdSet<I> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            if !to.is_human_readable() {
                return self.words().serialize(to);
            }
            to.collect_seq(self.iter().map(Id::index))
        }
    }

    impl<'de, I: Id> Deserialize<'de> for IdSet<I> {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            if !from.is_human_readable() {
                return <[u64; WORDS]>::deserialize(from).map(Self::from_words);
            }
            from.deserialize_seq(Ids(PhantomData))
        }
    }

    struct Ids<I>(PhantomData<I>);

    impl<'de, I: Id> Visitor<'de> for Ids<I> {
        type Value = IdSet<I>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of numbers below 256")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut ids: A) -> Result<Self::Value, A::Error> {
            let mut set = IdSet::EMPTY;
            while let Some(id) = ids.next_element::<u8>()? {
                set.set(I::from_index(id.into()), true);
            }
            Ok(set)
        }
    }
}

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
        // Without a comparison of arrays, which small targets do byte by byte.
        let [a, b, c, d] = self.0;
        a | b | c | d == 0
    }

    /// How many members the set has.
    #[must_use]
    #[inline]
    pub fn len(&self) -> u32 {
        let [first, b, c, d] = self.0;
        // Most sets are of one word, and many targets have no instruction that counts bits.
        if b | c | d == 0 { first.count_ones() } else { self.0.iter().map(|word| word.count_ones()).sum() }
    }

    /// What is in this set and in `other`.
    #[must_use]
    #[inline]
    pub fn and(&self, other: &Self) -> Self {
        self.with(other, |a, b| a & b)
    }

    /// What is in this set or in `other`.
    #[must_use]
    #[inline]
    pub fn or(&self, other: &Self) -> Self {
        self.with(other, |a, b| a | b)
    }

    /// What is in this set and not in `other`.
    #[must_use]
    #[inline]
    pub fn without(&self, other: &Self) -> Self {
        self.with(other, |a, b| a & !b)
    }

    /// Word by word; without a loop, so that it is a few instructions however it is compiled.
    #[inline]
    fn with(&self, other: &Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let ([a, b, c, d], [p, q, r, s]) = (self.0, other.0);
        Self([f(a, p), f(b, q), f(c, r), f(d, s)], PhantomData)
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

    /// The highest member.
    #[must_use]
    #[inline]
    pub fn last(&self) -> Option<I> {
        let (w, word) = self.0.iter().enumerate().rfind(|(_, word)| **word != 0)?;
        Some(I::from_index(64 * w + 63 - word.leading_zeros() as usize))
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

/// A set of classes of kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ClassSet(u8);

impl ClassSet {
    /// No class.
    pub(crate) const EMPTY: Self = Self(0);

    /// Whether something of this class, if it has one, is meant.
    pub(crate) fn contains(self, class: Option<ClassId>) -> bool {
        class.is_some_and(|c| self.0 >> c.0 & 1 == 1)
    }

    pub(crate) fn insert(&mut self, class: ClassId) {
        self.0 |= 1 << class.0;
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some of the ids below 256, in each of the four words or not.
    fn sets() -> impl Iterator<Item = SmxSet> {
        let words = [0, 1, 1 << 63, 0x8001_0000_0000_0100, u64::MAX];
        let word = move |n: usize| words[n % words.len()];
        (0..625).map(move |n| SmxSet::from_words([word(n), word(n / 5), word(n / 25), word(n / 125)]))
    }

    fn members(set: SmxSet) -> impl DoubleEndedIterator<Item = SmxId> + Clone {
        (0..256).map(SmxId).filter(move |id| set.contains(*id))
    }

    #[test]
    fn a_set_knows_its_members() {
        for set in sets() {
            let own = members(set);
            assert_eq!(set.len() as usize, own.clone().count());
            assert_eq!((set.at_or_above(0), set.last()), (own.clone().next(), own.clone().next_back()));
            assert_eq!(set.is_empty(), own.clone().next().is_none());
            assert!(set.iter().eq(own));
        }
    }

    #[test]
    fn two_sets_make_a_third() {
        for (a, b) in sets().flat_map(|a| sets().step_by(7).map(move |b| (a, b))) {
            let (and, or, without) = (a.and(&b), a.or(&b), a.without(&b));
            for id in (0..256).map(SmxId) {
                let (in_a, in_b) = (a.contains(id), b.contains(id));
                let made = (and.contains(id), or.contains(id), without.contains(id));
                assert_eq!(made, (in_a && in_b, in_a || in_b, in_a && !in_b));
            }
        }
    }
}
