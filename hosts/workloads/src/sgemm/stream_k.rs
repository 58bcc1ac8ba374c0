//! Equal shares of the steps of all tiles (workloads-FK13, stream-k): no TB has more than a step more to do than another one, however many
//! tiles there are. The idea is that of Stream-K.
//!
//! ```text
//! I8 ( I4 STEPS
//!      { (S)*16 B { A flag } }                                    a part without the tile's last step is left in memory
//!      { ( { (A flag {I4})* } B ((L)*4 (F1)*4)*4 I2 )* STORE } )* one with it waits for the other parts, and adds them
//! ```
//!
//! The steps of all tiles stand in a row, and a TB does its share from the last tile to the first. So what it leaves for another TB comes
//! first, and what it waits for comes last, from TBs before it in the row, which left it when they began. Where TBs start in the order of
//! their numbers, none waits for one that is not there, however few of them run at a time.

use super::list::{STEPS, STORE, SUMS, Thread};
use super::{STEP, Sgemm, TB_THREADS, TILE_COLUMNS};
use crate::list::Item::{A, B, F, I, If, L, Let, S, While};
use crate::list::{Item, List};
use crate::warp::{CHAIN, one_of};
use gpusched_refgpu::program::Regs;

registers!(6: FLAG);
/// Elements of another TB's part, four at a time.
const PART: Regs = 1 << 8;

pub(super) const LIST: List<Sgemm> = &[
    Let(Sgemm::take_share),
    I(8, 0, CHAIN),
    While(
        2,
        Sgemm::has_share,
        0,
        &[
            Let(Sgemm::begin_part),
            I(4, CHAIN, CHAIN),
            STEPS,
            Let(Sgemm::first_column),
            If(
                2,
                Sgemm::leaves_part,
                0,
                &[
                    While(0, Sgemm::has_column, 0, &[S(Sgemm::put_part, SUMS)]),
                    B,
                    If(2, Sgemm::is_leader, 0, &[A(Sgemm::raise, 0, 0)]),
                ],
            ),
            If(2, Sgemm::finishes, 0, &[While(2, Sgemm::lacks_part, 0, FIX_UP), Let(Sgemm::first_column), STORE]),
        ],
    ),
];

/// Waits for another TB's part of the tile, and adds it.
const FIX_UP: List<Sgemm> = &[
    If(
        2,
        Sgemm::is_leader,
        0,
        &[While(
            2,
            Sgemm::is_down,
            FLAG,
            &[A(Sgemm::look, 0, FLAG), If(2, Sgemm::is_down, FLAG, &[I(4, FLAG, CHAIN)])],
        )],
    ),
    B,
    Let(Sgemm::first_column),
    While(0, Sgemm::has_column, 0, FOUR),
    Let(Sgemm::next_part),
];

/// Loads that do not wait for each other, then additions.
const FOUR: List<Sgemm> =
    &[load::<0>(), load::<1>(), load::<2>(), load::<3>(), add::<0>(), add::<1>(), add::<2>(), add::<3>()];

const fn load<const N: usize>() -> Item<Sgemm> {
    L(Sgemm::get_part, CHAIN, one_of(PART, N))
}

const fn add<const N: usize>() -> Item<Sgemm> {
    F(1, one_of(PART, N) | SUMS, SUMS)
}

/// A TB's share, as each of its threads knows it. Steps are numbered through all tiles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Share {
    /// What is left of it.
    from: u64,
    to: u64,
    /// Whether the part that is being done has its tile's last step.
    ends: bool,
    /// The TB whose part of the tile is added next.
    lacks: Option<u32>,
    /// Of thread 0: whether it has seen that the part is there.
    seen: bool,
}

// What the list does, for one thread.
impl Sgemm {
    fn steps(&self) -> u64 {
        u64::from(self.options.inner / STEP)
    }

    /// The first step of a TB. The one after the last TB's is the number of all.
    pub(super) fn first_step(&self, tb: u32) -> u64 {
        u64::from(tb) * u64::from(self.tiles()) * self.steps() / u64::from(self.tbs)
    }

    fn take_share(&mut self, t: &mut Thread) {
        let tb = t.place.tb;
        t.share = Share { from: self.first_step(tb), to: self.first_step(tb + 1), ..Share::default() };
    }

    fn has_share(&self, t: &Thread) -> bool {
        t.share.from < t.share.to
    }

    /// Of the last tile of the share, what belongs to it.
    fn begin_part(&mut self, t: &mut Thread) {
        let (steps, Share { from, to, .. }) = (self.steps(), t.share);
        let tile = (to - 1) / steps;
        let first = tile * steps;
        let start = from.max(first);
        t.begin(tile as u32, (start - first) as u32 * STEP, (to - first) as u32 * STEP, self.tiles_down());
        // Where the tile's first step is not in the share, the TB before has done some of the tile.
        let lacks = t.place.tb.checked_sub(1).filter(|_| start > first);
        t.share = Share { from, to: start, ends: to == first + steps, lacks, ..Share::default() };
    }

    fn leaves_part(&self, t: &Thread) -> bool {
        !t.share.ends
    }

    fn finishes(&self, t: &Thread) -> bool {
        t.share.ends
    }

    /// Where a TB leaves the element of the tile that this thread is at. Lanes lie side by side.
    const fn part_word(t: &Thread, tb: u32, column: u32) -> u32 {
        (tb * TILE_COLUMNS + column) * TB_THREADS + t.place.in_tb
    }

    fn put_part(&mut self, t: &mut Thread) -> u64 {
        let word = Self::part_word(t, t.place.tb, t.column);
        self.parts[word as usize] = t.sums[t.column as usize];
        t.column += 1;
        self.memory.parts.at(word)
    }

    fn raise(&mut self, t: &mut Thread) -> u64 {
        self.flags[t.place.tb as usize] = true;
        self.memory.flags.at(t.place.tb)
    }

    fn lacks_part(&self, t: &Thread) -> bool {
        t.share.lacks.is_some()
    }

    fn is_down(&self, t: &Thread) -> bool {
        !t.share.seen
    }

    fn look(&mut self, t: &mut Thread) -> u64 {
        let tb = t.share.lacks.unwrap_or_default();
        t.share.seen = self.flags[tb as usize];
        self.memory.flags.at(tb)
    }

    /// It is added at once; the instruction that does so stands behind the loads.
    fn get_part(&mut self, t: &mut Thread) -> u64 {
        let word = Self::part_word(t, t.share.lacks.unwrap_or_default(), t.column);
        t.sums[t.column as usize] += self.parts[word as usize];
        t.column += 1;
        self.memory.parts.at(word)
    }

    /// The TB before has some of the tile, too, if the one whose part was added did not begin it.
    fn next_part(&mut self, t: &mut Thread) {
        let first = u64::from(t.tile) * self.steps();
        let more = |tb: &u32| self.first_step(*tb) > first;
        t.share.lacks = t.share.lacks.filter(more).and_then(|tb| tb.checked_sub(1));
        t.share.seen = false;
    }
}
