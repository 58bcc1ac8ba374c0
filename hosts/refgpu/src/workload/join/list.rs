//! The instruction lists of the join (`workloads` 3.8), and what each instruction does for a thread.
//!
//! ```text
//! count    I4 Lrk SEARCH SEARCH S cnt, S low SUM S off, S blk
//! both     I4 Lrk SEARCH SEARCH S cnt, S low SUM S off, S blk SUM S off, S blk
//! scan     I4 (I1 Lblk I1)* SUM (I1 Lblk S blk I1)*
//! gather   I4 Loff Lblk Lcnt Llow Lrk Lrv WRITE
//! rest     I4 Loff Lblk Loff Lblk Lcnt Llow Lrk Lrv {S parameters, K} WRITE of the rest
//! child    I3 Lparameters Lsv[j] S out_k, S out_r, S out_s
//! SEARCH   (I3 Lsk I2)*
//! SUM      s B (l s I2 B)* 8
//! WRITE    (I1 Lsv[j] S out_k, S out_r, S out_s I1)*
//! ```
//!
//! `I4` at the beginning ends in the branch that sets lanes without a row aside; in *count* they take part in the sum with no
//! match. One thread of a TB stores `blk`. *both* and *rest* are the dynamic forms of *count* and *gather*. What the sheet's
//! list leaves out, because no value is real without it: `low` between *count* and *gather*, the loads of `rk` and `rv`, the
//! first `s B` of a sum, and all of *scan*.

use super::{Join, TB_THREADS};
use crate::program::Regs;
use crate::workload::device::{Child, Device};
use crate::workload::list::Item::{self, B, I, If, L, Launch, Let, LoadShared, Receive, S, StoreShared, Sub, While};
use crate::workload::list::{List, Place};
use crate::workload::warp::CHAIN;

const KEY: Regs = 1 << 1;
const PROBE: Regs = 1 << 2;
const PROBED: Regs = 1 << 3;
const SUM: Regs = 1 << 4;
const LEFT: Regs = 1 << 5;
const BLOCK: Regs = 1 << 6;
const AT: Regs = 1 << 7;
const MATCHES: Regs = 1 << 8;
const LOW: Regs = 1 << 9;
const R_VALUE: Regs = 1 << 10;
const S_VALUE: Regs = 1 << 11;
const PLACE: Regs = 1 << 12;
const THREAD: Regs = 1 << 13;
const PARAMETERS: Regs = 1 << 14;

/// Which pairs a prefix sum numbers: those that parents write (all, in mode flat), or those that children write.
const OWN: usize = 0;
const GIVEN: usize = 1;

pub(super) const COUNT: List<Join> = &[
    FIND,
    Let(Join::start_sum::<OWN>),
    Sub(SUM_OF_TB),
    If(0, Join::has_row, 0, &[S(Join::store_offset::<OWN>, SUM)]),
    If(0, Join::is_last_thread, 0, &[S(Join::store_block::<OWN>, SUM)]),
];

pub(super) const COUNT_BOTH: List<Join> = &[
    FIND,
    Let(Join::start_sum::<GIVEN>),
    Sub(SUM_OF_TB),
    If(0, Join::has_row, 0, &[S(Join::store_offset::<GIVEN>, SUM)]),
    If(0, Join::is_last_thread, 0, &[S(Join::store_block::<GIVEN>, SUM)]),
    Let(Join::start_sum::<OWN>),
    Sub(SUM_OF_TB),
    If(0, Join::has_row, 0, &[S(Join::store_offset::<OWN>, SUM)]),
    If(0, Join::is_last_thread, 0, &[S(Join::store_block::<OWN>, SUM)]),
];

/// How many matches a row has, and which is the first.
const FIND: Item<Join> = If(
    4,
    Join::has_row,
    0,
    &[
        L(Join::r_key, CHAIN, KEY),
        Let(Join::start_low),
        SEARCH,
        Let(Join::start_high),
        SEARCH,
        S(Join::store_count, PROBED),
        S(Join::store_low, PROBED),
    ],
);

const SEARCH: Item<Join> =
    While(4, Join::is_searching, PROBED | KEY, &[I(3, CHAIN, PROBE), L(Join::probe, PROBE, PROBED)]);

/// Prefix sum over the threads of a TB, in place: in step k, the threads with bit k set add the sum of the 2^k threads before
/// their block of 2^k. What is read in a step is not written in it.
const SUM_OF_TB: List<Join> = &[
    StoreShared(Join::put_sum, SUM),
    B,
    While(
        0,
        Join::in_sum,
        0,
        &[
            If(
                2,
                Join::takes_left,
                CHAIN,
                &[LoadShared(Join::left_sum, 0, LEFT), StoreShared(Join::put_sum, SUM | LEFT)],
            ),
            Let(Join::next_step),
            B,
        ],
    ),
];

pub(super) const SCAN: List<Join> = &[
    I(4, 0, PLACE),
    Let(Join::start_blocks),
    While(2, Join::has_block, PLACE, &[I(1, CHAIN, PLACE), L(Join::add_block, PLACE, BLOCK), I(1, BLOCK | SUM, SUM)]),
    Sub(SUM_OF_TB),
    Let(Join::restart_blocks),
    While(
        2,
        Join::has_block,
        PLACE,
        &[
            I(1, CHAIN, PLACE),
            L(Join::load_block, PLACE, BLOCK),
            S(Join::number_block, SUM | LEFT),
            I(1, BLOCK | SUM, SUM),
        ],
    ),
];

pub(super) const GATHER: List<Join> = &[If(
    4,
    Join::has_row,
    0,
    &[
        L(Join::offset::<OWN>, CHAIN, AT),
        L(Join::block::<OWN>, CHAIN, BLOCK),
        L(Join::count, CHAIN, MATCHES),
        L(Join::low, CHAIN, LOW),
        L(Join::r_key, CHAIN, KEY),
        L(Join::r_value, CHAIN, R_VALUE),
        WRITE,
    ],
)];

pub(super) const GATHER_REST: List<Join> = &[If(
    4,
    Join::has_row,
    0,
    &[
        L(Join::offset::<GIVEN>, CHAIN, AT),
        L(Join::block::<GIVEN>, CHAIN, BLOCK),
        L(Join::offset::<OWN>, CHAIN, AT),
        L(Join::block::<OWN>, CHAIN, BLOCK),
        L(Join::count, CHAIN, MATCHES),
        L(Join::low, CHAIN, LOW),
        L(Join::r_key, CHAIN, KEY),
        L(Join::r_value, CHAIN, R_VALUE),
        If(2, Join::is_wide, MATCHES, &[Launch(AT | BLOCK | LOW | KEY | R_VALUE)]),
        WRITE,
    ],
)];

/// The pairs that are the thread's own.
const WRITE: Item<Join> = While(
    3,
    Join::has_pair,
    PLACE,
    &[
        I(1, CHAIN | AT | BLOCK | MATCHES | LOW, PLACE),
        L(Join::s_value, PLACE, S_VALUE),
        S(Join::out_key, PLACE | KEY),
        S(Join::out_r, PLACE | R_VALUE),
        S(Join::out_s, PLACE | S_VALUE),
    ],
);

pub(super) const CHILD: List<Join> = &[
    I(3, 0, THREAD),
    Receive(0, PARAMETERS),
    If(
        0,
        Join::has_pair,
        0,
        &[
            L(Join::s_value, THREAD | PARAMETERS, S_VALUE),
            S(Join::out_key, THREAD | PARAMETERS),
            S(Join::out_r, THREAD | PARAMETERS),
            S(Join::out_s, THREAD | S_VALUE),
        ],
    ),
];

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
#[derive(Clone, Copy, Debug)]
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
    fn has_row(&self, t: &Thread) -> bool {
        t.row < self.r.count()
    }

    fn is_last_thread(&self, t: &Thread) -> bool {
        t.place.in_tb + 1 == TB_THREADS
    }

    fn is_wide(&self, t: &Thread) -> bool {
        self.device.launches(t.count)
    }

    fn r_key(&mut self, t: &mut Thread) -> u64 {
        t.key = self.r.keys()[t.row as usize];
        self.memory.r_key.at(t.row)
    }

    fn r_value(&mut self, t: &mut Thread) -> u64 {
        t.value = self.r.values()[t.row as usize];
        self.memory.r_value.at(t.row)
    }

    /// Begins the search for the first row of S that does not come before the key: as many turns as its number has bits.
    fn start_low(&mut self, t: &mut Thread) {
        t.before = 0;
        t.past_equals = false;
        t.stride = 1 << self.s.count().ilog2();
    }

    /// Begins the search for the first that comes after it.
    fn start_high(&mut self, t: &mut Thread) {
        let low = t.before;
        self.start_low(t);
        t.low = low;
        t.past_equals = true;
    }

    fn is_searching(&self, t: &Thread) -> bool {
        t.stride > 0
    }

    fn probe(&mut self, t: &mut Thread) -> u64 {
        let past = t.before + t.stride;
        let place = past.min(self.s.count()) - 1;
        let key = self.s.keys()[place as usize];
        if past <= self.s.count() && (key < t.key || t.past_equals && key == t.key) {
            t.before = past;
        }
        t.stride /= 2;
        self.memory.s_key.at(place)
    }

    fn store_count(&mut self, t: &mut Thread) -> u64 {
        t.count = t.before - t.low;
        self.count[t.row as usize] = t.count;
        self.memory.count.at(t.row)
    }

    fn store_low(&mut self, t: &mut Thread) -> u64 {
        self.low[t.row as usize] = t.low;
        self.memory.low.at(t.row)
    }

    fn start_sum<const WHICH: usize>(&mut self, t: &mut Thread) {
        let given = if self.dynamic { self.device.share(t.count) } else { 0 };
        t.own = if WHICH == GIVEN { given } else { t.count - given };
        t.sum = t.own;
        t.step = 1;
    }

    fn put_sum(&mut self, t: &mut Thread) -> u64 {
        *self.device.shared(t.place.room, t.place.in_tb) = t.sum;
        u64::from(4 * t.place.in_tb)
    }

    fn in_sum(&self, t: &Thread) -> bool {
        t.step < TB_THREADS
    }

    fn takes_left(&self, t: &Thread) -> bool {
        t.place.in_tb & t.step != 0
    }

    fn left_sum(&mut self, t: &mut Thread) -> u64 {
        let left = (t.place.in_tb & !(t.step - 1)) - 1;
        t.sum += *self.device.shared(t.place.room, left);
        u64::from(4 * left)
    }

    fn next_step(&mut self, t: &mut Thread) {
        t.step *= 2;
    }

    fn store_offset<const WHICH: usize>(&mut self, t: &mut Thread) -> u64 {
        self.offset[WHICH][t.row as usize] = t.sum - t.own;
        self.memory.offset[WHICH].at(t.row)
    }

    fn store_block<const WHICH: usize>(&mut self, t: &mut Thread) -> u64 {
        self.block[WHICH][t.place.tb as usize] = t.sum;
        self.memory.block[WHICH].at(t.place.tb)
    }

    /// In the scan a thread has a run of blocks, of the sum that its TB is for.
    fn start_blocks(&mut self, t: &mut Thread) {
        let blocks = self.block[OWN].len() as u32;
        let run = blocks.div_ceil(TB_THREADS);
        t.next = blocks.min(run * t.place.in_tb);
        t.end = blocks.min(t.next + run);
        t.step = 1;
    }

    fn restart_blocks(&mut self, t: &mut Thread) {
        self.start_blocks(t);
        t.sum -= t.own;
    }

    fn has_block(&self, t: &Thread) -> bool {
        t.next < t.end
    }

    fn load_block(&mut self, t: &mut Thread) -> u64 {
        let which = t.place.tb as usize;
        t.count = self.block[which][t.next as usize];
        self.memory.block[which].at(t.next)
    }

    fn add_block(&mut self, t: &mut Thread) -> u64 {
        let address = self.load_block(t);
        t.own += t.count;
        t.sum = t.own;
        t.next += 1;
        address
    }

    fn number_block(&mut self, t: &mut Thread) -> u64 {
        let which = t.place.tb as usize;
        let address = self.memory.block[which].at(t.next);
        self.block[which][t.next as usize] = t.sum;
        t.sum += t.count;
        t.next += 1;
        address
    }

    fn offset<const WHICH: usize>(&mut self, t: &mut Thread) -> u64 {
        t.at += self.offset[WHICH][t.row as usize];
        self.memory.offset[WHICH].at(t.row)
    }

    fn block<const WHICH: usize>(&mut self, t: &mut Thread) -> u64 {
        let tb = t.place.tb;
        t.at += self.block[WHICH][tb as usize];
        self.memory.block[WHICH].at(tb)
    }

    fn count(&mut self, t: &mut Thread) -> u64 {
        t.count = self.count[t.row as usize];
        self.memory.count.at(t.row)
    }

    fn low(&mut self, t: &mut Thread) -> u64 {
        t.next = self.low[t.row as usize];
        t.end = t.next + t.count;
        self.memory.low.at(t.row)
    }

    fn has_pair(&self, t: &Thread) -> bool {
        t.next < t.end
    }

    fn s_value(&mut self, t: &mut Thread) -> u64 {
        t.s_value = self.s.values()[t.next as usize];
        self.memory.s_value.at(t.next)
    }

    fn out_key(&mut self, t: &mut Thread) -> u64 {
        self.out[0][t.at as usize] = t.key;
        self.memory.out[0].at(t.at)
    }

    fn out_r(&mut self, t: &mut Thread) -> u64 {
        self.out[1][t.at as usize] = t.value;
        self.memory.out[1].at(t.at)
    }

    fn out_s(&mut self, t: &mut Thread) -> u64 {
        let address = self.memory.out[2].at(t.at);
        self.out[2][t.at as usize] = t.s_value;
        self.written += 1;
        t.at += 1;
        t.next += 1;
        address
    }
}
