//! Which lines wait in the prefetch queue, a bit for each: whether a line is merged (apogee-Q1) is told without a look at the queue.
//!
//! A word holds the bits of 64 neighbouring lines, so that a run of lines is looked up in one or two words. Blocks of 64 lines that
//! meet in one word may share bits; where two waiting lines do, a second bit says so, and the queue itself is asked.

use crate::base::id::{Id, id};
use crate::base::table::{Rows, Table};

id! {
    /// A word of the filter.
    FilterWord(u16)
}

/// 64 lines, or several times 64 lines that share their bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FilterBits {
    /// A line waits.
    waits: u64,
    /// More than one does.
    shared: u64,
}

/// Words for a queue of so many requests: so many that streams seldom meet.
pub(super) const fn words(pfq: u32) -> u32 {
    let words = pfq.next_power_of_two() / 2;
    if words < 2 { 2 } else { words }
}

/// A bit of each word: where a line, or the first of a run, is.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    word: FilterWord,
    bit: u32,
}

/// Lines are numbers here: addresses without the bits inside a line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Filter<F> {
    words: Table<FilterWord, FilterBits, F>,
    /// How many; a power of two.
    of_words: u64,
}

impl<F: Rows<FilterBits>> Filter<F> {
    pub(super) fn new(rows: F, pfq: u32) -> Self {
        Self { words: Table::new(rows), of_words: words(pfq).into() }
    }

    #[inline]
    fn word(&self, block: u64) -> FilterWord {
        // Fibonacci hashing: blocks at any power of two from each other are spread.
        let hash = block.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        FilterWord::from_index(((hash * self.of_words) >> 32) as usize)
    }

    #[inline]
    fn place(&self, line: u64) -> Place {
        Place { word: self.word(line / 64), bit: (line % 64) as u32 }
    }

    /// Enters all lines from `lowest` to `highest`, at most 64, unless a bit of theirs is taken. Whether it did.
    pub(super) fn enter_run(&mut self, lowest: u64, highest: u64) -> bool {
        if lowest / 64 == highest / 64 {
            return self.enter_word(lowest, highest);
        }
        let (word, next) = (self.word(lowest / 64), self.word(highest / 64));
        let (from, to) = (u64::MAX << (lowest % 64), u64::MAX >> (63 - highest % 64));
        let is_free = self.words[word].waits & from | self.words[next].waits & to == 0;
        if is_free {
            self.words[word].waits |= from;
            self.words[next].waits |= to;
        }
        is_free
    }

    /// The same for lines of one word; not for others.
    #[inline(always)]
    pub(super) fn enter_word(&mut self, lowest: u64, highest: u64) -> bool {
        let run = (2_u64 << ((highest - lowest) % 64)).wrapping_sub(1) << (lowest % 64);
        let (block, is_one) = (lowest / 64, lowest / 64 == highest / 64);
        let word = self.word(block);
        let Some(bits) = self.words.get_mut(word) else { return false };
        let is_free = is_one && bits.waits & run == 0;
        if is_free {
            bits.waits |= run;
        }
        is_free
    }

    /// Whether a line may be waiting: only then it can be.
    pub(super) fn may_have(&self, line: u64) -> bool {
        let Place { word, bit } = self.place(line);
        self.words[word].waits >> bit & 1 == 1
    }

    /// Whether a line may be waiting where another one does.
    pub(super) fn may_share(&self, line: u64) -> bool {
        let Place { word, bit } = self.place(line);
        self.words[word].shared >> bit & 1 == 1
    }

    /// Enters a line that does not wait.
    pub(super) fn enter(&mut self, line: u64) {
        let Place { word, bit } = self.place(line);
        let bits = &mut self.words[word];
        bits.shared |= bits.waits & 1 << bit;
        bits.waits |= 1 << bit;
    }

    /// A line has left; `others` are those that still wait.
    #[inline]
    pub(super) fn leave(&mut self, line: u64, others: impl Iterator<Item = u64>) {
        let place = self.place(line);
        if self.words[place.word].shared >> place.bit & 1 == 1 {
            return self.leave_shared(place, others);
        }
        self.words[place.word].waits &= !(1 << place.bit);
    }

    #[inline(never)]
    fn leave_shared(&mut self, place: Place, others: impl Iterator<Item = u64>) {
        if others.filter(|&line| self.place(line) == place).count() == 1 {
            self.words[place.word].shared &= !(1 << place.bit);
        }
    }
}
