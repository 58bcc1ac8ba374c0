//! The lowest free row of a large table in constant time: a bit per row, and above it a bit per word that has one set.

use core::marker::PhantomData;

use crate::base::id::{Id, id};
use crate::base::table::{Rows, Table};

id! {
    /// A word of the map.
    pub(crate) WordId(u32)
}

/// Levels for 2^24 rows: 262144, 4096, 64 and 1 words.
const LEVELS: usize = 4;

/// Words that a map over `n` rows needs, 1 <= n <= 2^24.
pub(crate) const fn words(n: u32) -> usize {
    let mut level = n.div_ceil(64);
    let mut total = level;
    while level > 1 {
        level = level.div_ceil(64);
        total += level;
    }
    total as usize
}

/// Set of free rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FreeMap<I, S> {
    words: Table<WordId, u64, S>,
    /// First word of each level, from the rows upward.
    base: [u32; LEVELS],
    top: usize,
    free: u32,
    total: u32,
    id: PhantomData<I>,
}

impl<I: Id, S: Rows<u64>> FreeMap<I, S> {
    /// All of 0..n free.
    pub(crate) fn new(rows: S, n: u32) -> Self {
        let mut base = [0; LEVELS];
        let mut level = n.div_ceil(64);
        let mut next = level;
        let mut top = 0;
        for b in base.iter_mut().skip(1) {
            if level == 1 {
                break;
            }
            *b = next;
            level = level.div_ceil(64);
            next += level;
            top += 1;
        }
        let mut map = Self { words: Table::new(rows), base, top, free: 0, total: n, id: PhantomData };
        for r in 0..n {
            map.give(I::from_index(r as usize));
        }
        map
    }

    pub(crate) fn free(&self) -> u32 {
        self.free
    }

    pub(crate) fn in_use(&self) -> u32 {
        self.total - self.free
    }

    /// Whether there is such a row, and it is free.
    pub(crate) fn is_free(&self, row: I) -> bool {
        let at = row.index() as u32;
        at < self.total && self.words[WordId(at / 64)] >> (at % 64) & 1 == 1
    }

    /// Takes the lowest free row; the caller has made sure that there is one.
    pub(crate) fn take(&mut self) -> I {
        let mut at = 0;
        // `top` is below LEVELS; the remainder says so to the compiler, which then checks no bounds.
        for level in (0..self.top + 1).rev() {
            at = at * 64 + self.words[WordId(self.base[level % LEVELS] + at)].trailing_zeros();
        }
        let row = I::from_index(at as usize);
        self.claim(row);
        row
    }

    /// Takes a free row.
    #[inline]
    pub(crate) fn claim(&mut self, row: I) {
        let mut at = row.index() as u32;
        for &base in self.base.iter().take(self.top + 1) {
            let word = &mut self.words[WordId(base + at / 64)];
            *word &= !(1 << (at % 64));
            if *word != 0 {
                break;
            }
            at /= 64;
        }
        self.free -= 1;
    }

    /// Gives a row back.
    pub(crate) fn give(&mut self, row: I) {
        let mut at = row.index() as u32;
        for &base in self.base.iter().take(self.top + 1) {
            let word = &mut self.words[WordId(base + at / 64)];
            let was_empty = *word == 0;
            *word |= 1 << (at % 64);
            if !was_empty {
                break;
            }
            at /= 64;
        }
        self.free += 1;
    }
}
