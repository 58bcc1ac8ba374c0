//! What the instructions of the join do for a thread. `list.rs` has the lists that they stand in.

use super::{Join, TB_THREADS};
use crate::device::{Child, Device};
use crate::list::Place;

/// Which pairs a prefix sum numbers: those that parents write (all, in mode flat), or those that children write.
pub(super) const OWN: usize = 0;
pub(super) const GIVEN: usize = 1;

/// A thread, of a row of R, of a child, or of the scan.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    place: Place,
    row: u32,
    key: u32,
    value: u32,
    s_value: u32,
    /// A binary search: rows of S known to come before, rows by which it goes on, whether equal keys count as before.
    before: u32,
    stride: u32,
    past_equals: bool,
    /// The row's matches: number and first.
    count: u32,
    low: u32,
    /// A prefix sum: so far, the thread's own part of it, and the step as a power of two.
    sum: u32,
    own: u32,
    step: u32,
    /// Matches left to write, or blocks left to add up: next and end; and where the next pair goes.
    next: u32,
    end: u32,
    at: u32,
}

/// The parameter block of a child: first match, key, value in R, and where the first pair goes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parameters {
    first: u32,
    key: u32,
    value: u32,
    at: u32,
}

impl Thread {
    pub(super) fn at(place: Place) -> Self {
        Self { place, row: place.index(), ..Self::default() }
    }

    pub(super) fn give(&mut self, device: &Device<Parameters>) -> Child<Parameters> {
        let Self { next: first, key, value, at, .. } = *self;
        let child = device.child(self.count, Parameters { first, key, value, at });
        self.next += child.count;
        self.at += child.count;
        child
    }

    pub(super) const fn receive(&mut self, child: Child<Parameters>) {
        let Child { count, parameters: Parameters { first, key, value, at }, .. } = child;
        let item = self.place.index();
        self.next = first + item;
        self.end = first + count;
        self.at = at + item;
        self.key = key;
        self.value = value;
    }
}

// What the lists do, for one thread.
impl Join {
    pub(super) fn has_row(&self, t: &Thread) -> bool {
        t.row < self.r.count()
    }

    pub(super) fn is_last_thread(&self, t: &Thread) -> bool {
        t.place.in_tb + 1 == TB_THREADS
    }

    pub(super) fn is_wide(&self, t: &Thread) -> bool {
        self.device.launches(t.count)
    }

    pub(super) fn r_key(&mut self, t: &mut Thread) -> u64 {
        t.key = self.r.keys()[t.row as usize];
        self.memory.r_key.at(t.row)
    }

    pub(super) fn r_value(&mut self, t: &mut Thread) -> u64 {
        t.value = self.r.values()[t.row as usize];
        self.memory.r_value.at(t.row)
    }

    /// Begins the search for the first row of S that does not come before the key: as many turns as its number has bits.
    pub(super) fn start_low(&mut self, t: &mut Thread) {
        t.before = 0;
        t.past_equals = false;
        t.stride = 1 << self.s.count().ilog2();
    }

    /// Begins the search for the first that comes after it.
    pub(super) fn start_high(&mut self, t: &mut Thread) {
        let low = t.before;
        self.start_low(t);
        t.low = low;
        t.past_equals = true;
    }

    pub(super) fn is_searching(&self, t: &Thread) -> bool {
        t.stride > 0
    }

    pub(super) fn probe(&mut self, t: &mut Thread) -> u64 {
        let past = t.before + t.stride;
        let place = past.min(self.s.count()) - 1;
        let key = self.s.keys()[place as usize];
        if past <= self.s.count() && (key < t.key || t.past_equals && key == t.key) {
            t.before = past;
        }
        t.stride /= 2;
        self.memory.s_key.at(place)
    }

    pub(super) fn store_count(&mut self, t: &mut Thread) -> u64 {
        t.count = t.before - t.low;
        self.count[t.row as usize] = t.count;
        self.memory.count.at(t.row)
    }

    pub(super) fn store_low(&mut self, t: &mut Thread) -> u64 {
        self.low[t.row as usize] = t.low;
        self.memory.low.at(t.row)
    }

    pub(super) fn start_sum<const WHICH: usize>(&mut self, t: &mut Thread) {
        let given = if self.dynamic { self.device.share(t.count) } else { 0 };
        t.own = if WHICH == GIVEN { given } else { t.count - given };
        t.sum = t.own;
        t.step = 1;
    }

    pub(super) fn put_sum(&mut self, t: &mut Thread) -> u64 {
        *self.device.shared(t.place.room, t.place.in_tb) = t.sum;
        u64::from(4 * t.place.in_tb)
    }

    pub(super) fn in_sum(&self, t: &Thread) -> bool {
        t.step < TB_THREADS
    }

    pub(super) fn takes_left(&self, t: &Thread) -> bool {
        t.place.in_tb & t.step != 0
    }

    pub(super) fn left_sum(&mut self, t: &mut Thread) -> u64 {
        let left = (t.place.in_tb & !(t.step - 1)) - 1;
        t.sum += *self.device.shared(t.place.room, left);
        u64::from(4 * left)
    }

    pub(super) fn next_step(&mut self, t: &mut Thread) {
        t.step *= 2;
    }

    pub(super) fn store_offset<const WHICH: usize>(&mut self, t: &mut Thread) -> u64 {
        self.offset[WHICH][t.row as usize] = t.sum - t.own;
        self.memory.offset[WHICH].at(t.row)
    }

    pub(super) fn store_block<const WHICH: usize>(&mut self, t: &mut Thread) -> u64 {
        self.block[WHICH][t.place.tb as usize] = t.sum;
        self.memory.block[WHICH].at(t.place.tb)
    }

    /// In the scan a thread has a run of blocks, of the sum that its TB is for.
    pub(super) fn start_blocks(&mut self, t: &mut Thread) {
        let blocks = self.block[OWN].len() as u32;
        let run = blocks.div_ceil(TB_THREADS);
        t.next = blocks.min(run * t.place.in_tb);
        t.end = blocks.min(t.next + run);
        t.step = 1;
    }

    pub(super) fn restart_blocks(&mut self, t: &mut Thread) {
        self.start_blocks(t);
        t.sum -= t.own;
    }

    pub(super) fn has_block(&self, t: &Thread) -> bool {
        t.next < t.end
    }

    pub(super) fn load_block(&mut self, t: &mut Thread) -> u64 {
        let which = t.place.tb as usize;
        t.count = self.block[which][t.next as usize];
        self.memory.block[which].at(t.next)
    }

    pub(super) fn add_block(&mut self, t: &mut Thread) -> u64 {
        let address = self.load_block(t);
        t.own += t.count;
        t.sum = t.own;
        t.next += 1;
        address
    }

    pub(super) fn number_block(&mut self, t: &mut Thread) -> u64 {
        let which = t.place.tb as usize;
        let address = self.memory.block[which].at(t.next);
        self.block[which][t.next as usize] = t.sum;
        t.sum += t.count;
        t.next += 1;
        address
    }

    pub(super) fn offset<const WHICH: usize>(&mut self, t: &mut Thread) -> u64 {
        t.at += self.offset[WHICH][t.row as usize];
        self.memory.offset[WHICH].at(t.row)
    }

    pub(super) fn block<const WHICH: usize>(&mut self, t: &mut Thread) -> u64 {
        let tb = t.place.tb;
        t.at += self.block[WHICH][tb as usize];
        self.memory.block[WHICH].at(tb)
    }

    pub(super) fn count(&mut self, t: &mut Thread) -> u64 {
        t.count = self.count[t.row as usize];
        self.memory.count.at(t.row)
    }

    pub(super) fn low(&mut self, t: &mut Thread) -> u64 {
        t.next = self.low[t.row as usize];
        t.end = t.next + t.count;
        self.memory.low.at(t.row)
    }

    pub(super) fn has_pair(&self, t: &Thread) -> bool {
        t.next < t.end
    }

    pub(super) fn s_value(&mut self, t: &mut Thread) -> u64 {
        t.s_value = self.s.values()[t.next as usize];
        self.memory.s_value.at(t.next)
    }

    pub(super) fn out_key(&mut self, t: &mut Thread) -> u64 {
        self.out[0][t.at as usize] = t.key;
        self.memory.out[0].at(t.at)
    }

    pub(super) fn out_r(&mut self, t: &mut Thread) -> u64 {
        self.out[1][t.at as usize] = t.value;
        self.memory.out[1].at(t.at)
    }

    pub(super) fn out_s(&mut self, t: &mut Thread) -> u64 {
        let address = self.memory.out[2].at(t.at);
        self.out[2][t.at as usize] = t.s_value;
        self.written += 1;
        t.at += 1;
        t.next += 1;
        address
    }
}
