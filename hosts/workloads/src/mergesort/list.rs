//! The instruction lists of the merge sort (workloads-FK9, workloads-PK7), and what each instruction does for a thread.
//!
//! ```text
//! sort        ((I2 L s I2)* B ((I4 l l {s s} I2)* B I2)* (I2 l S I2)* B I2)*
//! merge       I4 CHUNK
//! merge loop  (I4 CHUNK I2)*
//! CHUNK       (I3 L L I2 I2)* {L} {L} (I2 S {L} I2)*
//! ```
//!
//! *sort*: the keys of a block, or of several if there are threads for them, to shared memory; the 45 steps of a bitonic network,
//! in which a thread compares pairs of keys and swaps them if they are the wrong way round; back. A TB of the grid does this
//! once, with one pair for a thread. `I4` of *merge* ends in the branch that sets lanes without a chunk aside. CHUNK: the
//! search, whose first `I2` compares, then the first keys of both runs, then choices, each with the key after the chosen one.

use super::{BLOCK, CHUNK, Mergesort};
use crate::list::Item::{self, B, I, If, L, Let, LoadShared, S, StoreShared, Sub, While};
use crate::list::{List, Place};
use crate::spread::Items;
use crate::warp::{CHAIN, one_of};
use gpusched_refgpu::program::Regs;

const PLACE: Regs = 1 << 1;
const KEY: Regs = 1 << 2;
const PAIR: Regs = 0b11 << 3;
const PROBE: Regs = 1 << 5;
const PROBED: Regs = 0b11 << 6;
const HEADS: Regs = 0b11 << 8;
const CHOSEN: Regs = 1 << 10;

pub(super) const SORT: List<Mergesort> = &[While(
    2,
    Mergesort::has_round,
    0,
    &[
        While(
            2,
            Mergesort::has_item,
            PLACE,
            &[
                I(2, PLACE, CHAIN),
                L(Mergesort::load, CHAIN, KEY),
                StoreShared(Mergesort::put, KEY),
                Let(Mergesort::next_item),
            ],
        ),
        Let(Mergesort::first_step),
        B,
        While(
            2,
            Mergesort::has_step,
            0,
            &[
                While(
                    2,
                    Mergesort::has_item,
                    PLACE,
                    &[
                        I(4, PLACE, CHAIN),
                        LoadShared(Mergesort::get_lower, CHAIN, one_of(PAIR, 0)),
                        LoadShared(Mergesort::get_upper, CHAIN, one_of(PAIR, 1)),
                        If(
                            2,
                            Mergesort::is_wrong_way,
                            PAIR,
                            &[StoreShared(Mergesort::put_lower, PAIR), StoreShared(Mergesort::put_upper, PAIR)],
                        ),
                        Let(Mergesort::next_item),
                    ],
                ),
                Let(Mergesort::next_step),
                B,
            ],
        ),
        Let(Mergesort::first_word),
        While(
            2,
            Mergesort::has_item,
            PLACE,
            &[
                I(2, PLACE, CHAIN),
                LoadShared(Mergesort::get, CHAIN, KEY),
                S(Mergesort::store, KEY),
                Let(Mergesort::next_item),
            ],
        ),
        Let(Mergesort::next_round),
        B,
    ],
)];

pub(super) const MERGE: List<Mergesort> = &[If(4, Mergesort::has_item, 0, &[MERGE_CHUNK])];

pub(super) const MERGE_LOOP: List<Mergesort> =
    &[While(2, Mergesort::has_item, PLACE, &[I(4, PLACE, CHAIN), MERGE_CHUNK, Let(Mergesort::next_item)])];

const MERGE_CHUNK: Item<Mergesort> = Sub(&[
    Let(Mergesort::start_search),
    While(
        4,
        Mergesort::is_searching,
        PROBED,
        &[
            I(3, CHAIN, PROBE),
            L(Mergesort::probe_first, PROBE, one_of(PROBED, 0)),
            L(Mergesort::probe_second, PROBE, one_of(PROBED, 1)),
            Let(Mergesort::halve),
        ],
    ),
    Let(Mergesort::start_merge),
    If(0, Mergesort::has_key::<0>, 0, &[L(Mergesort::head::<0>, PROBED | CHAIN, one_of(HEADS, 0))]),
    If(0, Mergesort::has_key::<1>, 0, &[L(Mergesort::head::<1>, PROBED | CHAIN, one_of(HEADS, 1))]),
    While(
        2,
        Mergesort::has_output,
        0,
        &[
            Let(Mergesort::choose),
            I(2, HEADS, CHOSEN),
            S(Mergesort::store_chosen, CHOSEN),
            If(0, Mergesort::has_next, 0, &[L(Mergesort::next_head, CHOSEN, HEADS)]),
        ],
    ),
]);

/// A thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    place: Place,
    /// Its words or pairs of the round, or its chunks.
    items: Items,
    /// *sort*: the first key of the round.
    round: u32,
    /// Runs that the step makes are so long; and it compares keys so far apart.
    size: u32,
    distance: u32,
    /// Two keys: that are compared, or that come next in the runs.
    pair: [u32; 2],
    /// *merge*: the next key of each run, and the end of it.
    at: [u32; 2],
    end: [u32; 2],
    /// The search: the least and the most keys that the first run gives to the chunks before.
    least: u32,
    most: u32,
    /// Keys of the chunk that are done, and the run that gave the last.
    output: u32,
    from: usize,
    chosen: u32,
}

impl Thread {
    pub(super) fn new(place: Place, of: &Mergesort) -> Self {
        let t = Self { place, ..Self::default() };
        match of.runs {
            None => of.round(t, place.tb * BLOCK),
            Some(_) => Self { items: of.options.spread.items(place, of.options.keys / CHUNK), ..t },
        }
    }

    /// Its words or pairs, of so many in the round.
    const fn share(&mut self, count: u32) {
        self.items = Items::strided(self.place.in_tb, self.place.tb_threads, count);
    }

    /// The word of the lower key of its pair.
    const fn lower(&self) -> u32 {
        let within = self.items.at & (self.distance - 1);
        2 * (self.items.at - within) + within
    }
}

// What *sort* does, for one thread.
impl Mergesort {
    /// The thread in the round that begins with this key.
    fn round(&self, mut t: Thread, first: u32) -> Thread {
        t.round = first;
        t.share(self.words(&t));
        t
    }

    /// Words of the round.
    fn words(&self, t: &Thread) -> u32 {
        (BLOCK * self.blocks_at_once()).min(self.options.keys.saturating_sub(t.round))
    }

    fn has_round(&self, t: &Thread) -> bool {
        t.round < self.options.keys
    }

    /// A TB of the grid has one block only.
    fn next_round(&mut self, t: &mut Thread) {
        let next = if self.options.spread.is_loop() { t.round + self.words(t) } else { self.options.keys };
        *t = self.round(*t, next);
    }

    fn has_item(&self, t: &Thread) -> bool {
        t.items.left()
    }

    fn next_item(&mut self, t: &mut Thread) {
        t.items.advance();
    }

    fn first_word(&mut self, t: &mut Thread) {
        t.share(self.words(t));
    }

    fn first_step(&mut self, t: &mut Thread) {
        (t.size, t.distance) = (2, 1);
        t.share(self.words(t) / 2);
    }

    fn has_step(&self, t: &Thread) -> bool {
        t.size <= BLOCK
    }

    fn next_step(&mut self, t: &mut Thread) {
        t.distance /= 2;
        if t.distance == 0 {
            t.distance = t.size;
            t.size *= 2;
        }
        t.share(self.words(t) / 2);
    }

    fn load(&mut self, t: &mut Thread) -> u64 {
        let at = t.round + t.items.at;
        t.chosen = self.keys[at as usize];
        self.memory[0].at(at)
    }

    fn store(&mut self, t: &mut Thread) -> u64 {
        let at = t.round + t.items.at;
        self.next[at as usize] = t.chosen;
        self.done += 1;
        self.memory[1].at(at)
    }

    fn word(&mut self, t: &Thread, word: u32) -> (&mut u32, u64) {
        (self.device.shared(t.place.room, word), 4 * u64::from(word))
    }

    fn put(&mut self, t: &mut Thread) -> u64 {
        let (word, address) = self.word(t, t.items.at);
        *word = t.chosen;
        address
    }

    fn get(&mut self, t: &mut Thread) -> u64 {
        let (word, address) = self.word(t, t.items.at);
        t.chosen = *word;
        address
    }

    fn get_lower(&mut self, t: &mut Thread) -> u64 {
        let (word, address) = self.word(t, t.lower());
        t.pair[0] = *word;
        address
    }

    fn get_upper(&mut self, t: &mut Thread) -> u64 {
        let (word, address) = self.word(t, t.lower() + t.distance);
        t.pair[1] = *word;
        address
    }

    /// Every other run of a step is made descending, but for the last step, which makes the block.
    fn is_wrong_way(&self, t: &Thread) -> bool {
        let descends = (t.lower() % BLOCK) & t.size != 0;
        let [lower, upper] = t.pair;
        if descends { lower < upper } else { lower > upper }
    }

    fn put_lower(&mut self, t: &mut Thread) -> u64 {
        let (word, address) = self.word(t, t.lower());
        *word = t.pair[1];
        address
    }

    fn put_upper(&mut self, t: &mut Thread) -> u64 {
        let (word, address) = self.word(t, t.lower() + t.distance);
        *word = t.pair[0];
        address
    }
}

// What *merge* does, for one thread.
impl Mergesort {
    /// Where the chunk's runs begin and end, and how many keys of the first may be before the chunk.
    fn start_search(&mut self, t: &mut Thread) {
        let (runs, keys) = (self.runs.unwrap_or(BLOCK), self.options.keys);
        let first_output = t.items.at * CHUNK;
        let begin = first_output / (2 * runs) * (2 * runs);
        let middle = (begin + runs).min(keys);
        t.at = [begin, middle];
        t.end = [middle, (middle + runs).min(keys)];
        let before = first_output - begin;
        t.output = before;
        t.least = before.saturating_sub(t.end[1] - t.at[1]);
        t.most = before.min(t.end[0] - t.at[0]);
    }

    fn is_searching(&self, t: &Thread) -> bool {
        t.least < t.most
    }

    /// How many keys of the first run this turn tries.
    const fn tried(t: &Thread) -> u32 {
        t.least.midpoint(t.most)
    }

    fn probe<const RUN: usize>(&mut self, t: &mut Thread, at: u32) -> u64 {
        t.pair[RUN] = self.keys[at as usize];
        self.memory[0].at(at)
    }

    fn probe_first(&mut self, t: &mut Thread) -> u64 {
        self.probe::<0>(t, t.at[0] + Self::tried(t))
    }

    /// The last key of the second run that would be before the chunk.
    fn probe_second(&mut self, t: &mut Thread) -> u64 {
        self.probe::<1>(t, t.at[1] + t.output - Self::tried(t) - 1)
    }

    /// Of equal keys the first run's comes first.
    fn halve(&mut self, t: &mut Thread) {
        if t.pair[0] <= t.pair[1] {
            t.least = Self::tried(t) + 1;
        } else {
            t.most = Self::tried(t);
        }
    }

    fn start_merge(&mut self, t: &mut Thread) {
        t.at[0] += t.least;
        t.at[1] += t.output - t.least;
        t.output = 0;
    }

    fn has_key<const RUN: usize>(&self, t: &Thread) -> bool {
        t.at[RUN] < t.end[RUN]
    }

    fn head<const RUN: usize>(&mut self, t: &mut Thread) -> u64 {
        self.probe::<RUN>(t, t.at[RUN])
    }

    fn has_output(&self, t: &Thread) -> bool {
        t.output < CHUNK
    }

    fn choose(&mut self, t: &mut Thread) {
        let second = !self.has_key::<0>(t) || self.has_key::<1>(t) && t.pair[1] < t.pair[0];
        t.from = usize::from(second);
        t.chosen = t.pair[t.from];
        t.at[t.from] += 1;
    }

    fn store_chosen(&mut self, t: &mut Thread) -> u64 {
        let at = t.items.at * CHUNK + t.output;
        self.next[at as usize] = t.chosen;
        t.output += 1;
        self.done += 1;
        self.memory[1].at(at)
    }

    /// Whether the key after the chosen one is needed, and there.
    fn has_next(&self, t: &Thread) -> bool {
        self.has_output(t) && t.at[t.from] < t.end[t.from]
    }

    fn next_head(&mut self, t: &mut Thread) -> u64 {
        let at = t.at[t.from];
        t.pair[t.from] = self.keys[at as usize];
        self.memory[0].at(at)
    }
}
