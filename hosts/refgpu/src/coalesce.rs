//! From lane addresses to transactions: global memory by lines (refgpu-M3), which the core's coalescer tells; shared memory by banks
//! (refgpu-M2).

use crate::cache::Line;
use crate::lanes::lanes;
use gpusched::simt::coalesce::{Coalescer, CoalescerConfig, MAX_SEGMENTS, Segments, TouchProbe};

/// Line numbers have 32 bits: with lines of 128 bytes, addresses below 2^39.
pub const ADDRESS_LINES: u64 = 1 << 32;

/// Bytes of a sector.
const SECTOR: u32 = 32;

/// No 4-byte word has this number.
const NO_WORD: u64 = u64::MAX;

/// One line that a warp instruction touches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transaction {
    /// The line.
    pub line: Line,
    /// 32-byte sectors of it, one bit each.
    pub sectors: u8,
    /// For atomics: most lanes on one word (refgpu-M8).
    pub serial: u8,
}

/// Transactions of one warp instruction, in the order in which its lanes first touch the lines.
#[derive(Clone, Debug)]
pub struct Transactions {
    coalescer: Coalescer,
    segments: Segments,
    list: [Transaction; MAX_SEGMENTS],
}

impl Default for Transactions {
    /// Of lines of 128 bytes.
    fn default() -> Self {
        Self::new(128)
    }
}

/// Sectors of the transactions of one access.
struct Sectors<'a>(&'a mut [Transaction; MAX_SEGMENTS]);

impl TouchProbe for Sectors<'_> {
    #[inline]
    fn touched(&mut self, transaction: u8, from: u32, to: u32) {
        // Lines are at most as long as eight sectors.
        let sectors = ((2u32 << (to / SECTOR)) - (1 << (from / SECTOR))) as u8;
        self.0[transaction as usize % MAX_SEGMENTS].sectors |= sectors;
    }
}

impl Transactions {
    /// For lines of so many bytes.
    ///
    /// # Panics
    /// If no cache has such lines.
    #[must_use]
    pub fn new(line: u32) -> Self {
        let config = CoalescerConfig { segment: line, allow_misaligned: true, ..CoalescerConfig::WARP_32 };
        Self {
            coalescer: Coalescer::new(&config).expect("the line of a cache that was checked"),
            segments: Segments::EMPTY,
            list: [Transaction::default(); MAX_SEGMENTS],
        }
    }

    /// The transactions.
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> &[Transaction] {
        &self.list[..self.segments.as_slice().len()]
    }

    /// Those of an access of so many bytes per lane. Returns whether it is one, and every line number has 32 bits; if not, there are
    /// none.
    pub fn combine(&mut self, mask: u32, address: &[u64; 32], bytes: u32) -> bool {
        // Sectors of the access before this one.
        let before = self.segments.as_slice().len();
        self.list[..before].fill(Transaction::default());
        let mut sectors = Sectors(&mut self.list);
        if self.coalescer.access_and_tell(mask.into(), address, bytes, &mut self.segments, &mut sectors).is_err() {
            self.segments = Segments::EMPTY;
            return false;
        }
        let shift = self.coalescer.config().segment.trailing_zeros();
        let mut all = 0;
        for (transaction, segment) in self.list.iter_mut().zip(self.segments.as_slice()) {
            let line = segment.base >> shift;
            all |= line;
            (transaction.line, transaction.serial) = (line as Line, 1);
        }
        all < ADDRESS_LINES
    }

    /// refgpu-M8: sets how many cycles each line's atomics take: most lanes on one 4-byte word.
    pub fn serialise(&mut self, mask: u32, address: &[u64; 32]) {
        let (shift, len) = (self.coalescer.config().segment.trailing_zeros(), self.segments.as_slice().len());
        let mut left = mask;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let word = address[lane] / 4;
            let mut same = 1;
            for (before, a) in address[..lane].iter().enumerate() {
                same += u32::from(a / 4 == word) & (mask >> before);
            }
            if same > 1 {
                let line = (address[lane] >> shift) as Line;
                if let Some(t) = self.list[..len].iter_mut().find(|t| t.line == line) {
                    t.serial = t.serial.max(same as u8);
                }
            }
        }
    }
}

/// refgpu-M2: the most different 4-byte words that are asked of one of 32 banks; at least 1.
#[must_use]
pub fn bank_conflicts(mask: u32, offset: &[u64; 32], bytes: u32) -> u32 {
    let words_per_lane = u64::from(bytes.div_ceil(4).clamp(1, 4));
    let words = |lane: usize| (0..words_per_lane).map(move |i| offset[lane] / 4 + i);
    // Most accesses ask each bank for one word at most.
    let mut of_bank = [NO_WORD; 32];
    for lane in lanes(mask) {
        for word in words(lane) {
            let bank = &mut of_bank[word as usize % 32];
            if *bank == NO_WORD {
                *bank = word;
            } else if *bank != word {
                return most_words_of_a_bank(lanes(mask).flat_map(words));
            }
        }
    }
    1
}

fn most_words_of_a_bank(all: impl Iterator<Item = u64>) -> u32 {
    let mut words = [0u64; 128];
    let mut n = 0;
    let mut per_bank = [0u32; 32];
    for word in all {
        if !words[..n].contains(&word) {
            words[n] = word;
            n += 1;
            per_bank[word as usize % 32] += 1;
        }
    }
    per_bank.into_iter().max().unwrap_or(0)
}

/// refgpu-M2 for atomics: the most lanes that ask one of 32 banks. Lanes that share a word take turns like those that do not; at least 1.
#[must_use]
pub fn atomic_conflicts(mask: u32, offset: &[u64; 32]) -> u32 {
    let mut per_bank = [0u32; 32];
    for lane in lanes(mask) {
        per_bank[(offset[lane] / 4) as usize % 32] += 1;
    }
    per_bank.into_iter().max().unwrap_or(0).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn each(f: impl Fn(u64) -> u64) -> [u64; 32] {
        std::array::from_fn(|lane| f(lane as u64))
    }

    fn lines(mask: u32, address: &[u64; 32], bytes: u32) -> Vec<(Line, u8)> {
        let mut t = Transactions::default();
        assert!(t.combine(mask, address, bytes));
        t.as_slice().iter().map(|t| (t.line, t.sectors)).collect()
    }

    #[test]
    fn one_transaction_per_distinct_line_in_lane_order() {
        assert_eq!(lines(u32::MAX, &each(|l| 4 * l), 4), [(0, 0b1111)]);
        assert_eq!(lines(u32::MAX, &each(|l| 8 * l), 8), [(0, 0b1111), (1, 0b1111)]);
        assert_eq!(lines(0b1011, &each(|l| [640, 0, 128, 644][l as usize % 4]), 4), [(5, 1), (0, 1)]);
        assert_eq!(lines(u32::MAX, &each(|l| (31 - l) * 4096), 4).len(), 32);
    }

    #[test]
    fn a_misaligned_access_touches_two_lines() {
        assert_eq!(lines(1, &each(|_| 126), 4), [(0, 0b1000), (1, 0b0001)]);
        assert_eq!(lines(u32::MAX, &each(|l| 256 * l + 126), 4).len(), 64);
    }

    #[test]
    fn inactive_lanes_are_never_looked_at_and_far_addresses_are_reported() {
        let mut t = Transactions::default();
        assert!(t.combine(1, &each(|l| if l == 0 { 0 } else { 1 << 60 }), 4));
        assert!(!t.combine(1, &each(|_| 1 << 39), 4));
        assert!(t.combine(1, &each(|_| (1 << 39) - 4), 4));
    }

    #[test]
    fn atomics_take_as_long_as_lanes_share_a_word() {
        let address = each(|l| if l < 5 { 0 } else { 128 + 4 * l });
        let mut t = Transactions::default();
        t.combine(u32::MAX, &address, 4);
        t.serialise(u32::MAX, &address);
        assert_eq!(t.as_slice().iter().map(|t| (t.line, t.serial)).collect::<Vec<_>>(), [(0, 5), (1, 1)]);
    }

    #[test]
    fn shared_memory_conflicts_count_words_of_one_bank_and_broadcast_is_free() {
        assert_eq!(bank_conflicts(u32::MAX, &each(|l| 4 * l), 4), 1);
        assert_eq!(bank_conflicts(u32::MAX, &each(|_| 64), 4), 1);
        assert_eq!(bank_conflicts(u32::MAX, &each(|l| 8 * l), 4), 2);
        assert_eq!(bank_conflicts(u32::MAX, &each(|l| 128 * l), 4), 32);
        assert_eq!(bank_conflicts(0xff, &each(|l| 128 * l), 4), 8);
        assert_eq!(bank_conflicts(u32::MAX, &each(|l| 8 * l), 8), 2);
    }

    #[test]
    fn conflicts_are_the_different_words_of_the_fullest_bank() {
        for (stride, bytes, mask) in (0..300).flat_map(|stride| [(stride, 4, u32::MAX), (stride, 16, 0xaaaa_5555)]) {
            let offset = each(|l| l * stride % 1000);
            let mut banks = [const { BTreeSet::new() }; 32];
            for word in lanes(mask).flat_map(|lane| (offset[lane] / 4..).take(bytes as usize / 4)) {
                banks[word as usize % 32].insert(word);
            }
            let most = banks.iter().map(BTreeSet::len).max().unwrap();
            assert_eq!(bank_conflicts(mask, &offset, bytes), most as u32, "{stride}, {bytes}");
        }
    }

    #[test]
    fn shared_atomics_on_one_bank_take_turns_even_on_one_word() {
        assert_eq!(atomic_conflicts(u32::MAX, &each(|l| 4 * l)), 1);
        assert_eq!(atomic_conflicts(u32::MAX, &each(|_| 64)), 32);
        assert_eq!(atomic_conflicts(u32::MAX, &each(|l| 8 * l)), 2);
        assert_eq!(atomic_conflicts(u32::MAX, &each(|l| 4 * (l / 3))), 3);
        assert_eq!(atomic_conflicts(0b111, &each(|l| 128 * l)), 3);
        assert_eq!(atomic_conflicts(0, &each(|_| 0)), 1);
    }
}
