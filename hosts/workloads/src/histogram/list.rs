//! The instruction list of the histogram (workloads-FK6), and what each instruction does for a thread.
//!
//! ```text
//! I3 s B (L (I2 a)*4 I2)* B l A add
//! ```
//!
//! `a` is the atomic on shared memory, one for each byte of the word. The loop over the bytes is unrolled; the last `I2` counts and
//! branches. `I3 s B` finds the thread's number and clears the bins.

use super::{BINS, Histogram};
use crate::list::Item::{A, AtomicShared, B, I, L, LoadShared, StoreShared, While};
use crate::list::{List, Place};
use crate::warp::CHAIN;

registers!(1: THREAD WORD BIN COUNT);

pub(super) const LIST: List<Histogram> = &[
    I(3, 0, THREAD),
    StoreShared(Histogram::clear, THREAD),
    B,
    While(
        2,
        Histogram::has_word,
        THREAD,
        &[
            L(Histogram::word, THREAD | CHAIN, WORD),
            I(2, WORD, BIN),
            AtomicShared(Histogram::count::<0>, BIN, 0),
            I(2, WORD, BIN),
            AtomicShared(Histogram::count::<1>, BIN, 0),
            I(2, WORD, BIN),
            AtomicShared(Histogram::count::<2>, BIN, 0),
            I(2, WORD, BIN),
            AtomicShared(Histogram::count::<3>, BIN, 0),
        ],
    ),
    B,
    LoadShared(Histogram::own_bin, THREAD, COUNT),
    A(Histogram::add, COUNT, 0),
];

/// A thread, its next word, and the word that it counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    place: Place,
    next: u32,
    word: [u8; 4],
    count: u32,
}

impl Thread {
    pub(super) const fn at(place: Place) -> Self {
        Self { place, next: place.index(), word: [0; 4], count: 0 }
    }
}

impl Histogram {
    fn bin(&mut self, t: &Thread, bin: u32) -> &mut u32 {
        self.device.shared(t.place.room, bin)
    }

    fn clear(&mut self, t: &mut Thread) -> u64 {
        *self.bin(t, t.place.in_tb) = 0;
        4 * u64::from(t.place.in_tb)
    }

    fn has_word(&self, t: &Thread) -> bool {
        t.next < self.options.bytes / 4
    }

    fn word(&mut self, t: &mut Thread) -> u64 {
        let (index, first) = (t.next, 4 * t.next as usize);
        t.word.copy_from_slice(&self.data[first..first + 4]);
        t.next += self.options.tbs * BINS;
        self.counted += 1;
        self.memory.data.at(index)
    }

    fn count<const BYTE: usize>(&mut self, t: &mut Thread) -> u64 {
        let bin = u32::from(t.word[BYTE]);
        *self.bin(t, bin) += 1;
        4 * u64::from(bin)
    }

    fn own_bin(&mut self, t: &mut Thread) -> u64 {
        t.count = *self.bin(t, t.place.in_tb);
        4 * u64::from(t.place.in_tb)
    }

    fn add(&mut self, t: &mut Thread) -> u64 {
        self.bins[t.place.in_tb as usize] += t.count;
        self.memory.bins.at(t.place.in_tb)
    }
}
