//! Smith-Waterman: `H = max(0, NW + (2 or -1), W - 1, N - 1)`, and the best score with the first place that has it (workloads-B3).
//!
//! ```text
//! (L s)* B  (l5 I11 s S I3 B I2)*  s s B (l l I2 s s B)* 8, thread 0: S S
//! ```
//!
//! `I3` is for the threads with a cell, the `I2` of the loop for all. The tail finds the best of the tile; the
//! host takes the best of all tiles. Of equal scores, the place that comes first row by row counts.

use super::Wave;
use super::diagonal::{
    BORDERS, CELL, FIFTH, FOURTH, NORTH, PLACE, THIRD, V_FIFTH, V_FOURTH, V_NORTH, V_THIRD, V_WEST, WEST,
};
use super::thread::{TB_THREADS, Thread};
use crate::list::Item::{B, I, If, Let, LoadShared, S, StoreShared, Sub, Vote, WarpWhile, While};
use crate::list::List;
use crate::warp::CHAIN;
use gpusched_refgpu::program::Regs;
use std::cmp::Reverse;

const SCORE: Regs = 1 << 9;
const AT: Regs = 1 << 10;
/// Scores and places of all threads of a TB.
pub const SHARED_WORDS: u32 = 2 * TB_THREADS;

pub const LIST: List<Wave> = &[
    Sub(BORDERS),
    WarpWhile(
        2,
        Wave::in_tile,
        0,
        &[
            WarpWhile(
                0,
                Wave::has_cell::<0>,
                0,
                &[
                    LoadShared(Wave::west, PLACE, WEST),
                    LoadShared(Wave::north, PLACE, NORTH),
                    LoadShared(Wave::north_west, PLACE, THIRD),
                    LoadShared(Wave::of_column, PLACE, FOURTH),
                    LoadShared(Wave::of_row, PLACE, FIFTH),
                    I(11, WEST | NORTH | THIRD | FOURTH | FIFTH, CELL),
                    StoreShared(Wave::sw_cell, CELL),
                    S(Wave::store_cell, CELL),
                    If(0, Wave::is_last_row, 0, &[S(Wave::store_last_row, CELL)]),
                    If(0, Wave::is_last_column, 0, &[S(Wave::store_last_column, CELL)]),
                    I(3, 0, PLACE),
                    Let(Wave::next_item),
                ],
            ),
            Vote(Wave::next_diagonal),
            B,
        ],
    ),
    Let(Wave::start_best),
    StoreShared(Wave::put_score, CELL),
    StoreShared(Wave::put_score_place, CELL),
    B,
    While(
        0,
        Wave::in_best,
        0,
        &[
            If(
                2,
                Wave::takes_other,
                CHAIN,
                &[
                    LoadShared(Wave::other_score, 0, SCORE),
                    LoadShared(Wave::other_score_place, 0, AT),
                    StoreShared(Wave::put_score, SCORE | AT),
                    StoreShared(Wave::put_score_place, SCORE | AT),
                ],
            ),
            Let(Wave::next_half),
            B,
        ],
    ),
    If(0, Wave::is_first_thread, 0, &[S(Wave::store_best_score, SCORE | AT), S(Wave::store_best_place, SCORE | AT)]),
];

/// The better of two: the higher score, or the earlier place.
pub fn better(one: (u32, u32), other: (u32, u32)) -> (u32, u32) {
    std::cmp::max_by_key(one, other, |&(score, place)| (score, Reverse(place)))
}

impl Wave {
    fn sw_cell(&mut self, t: &mut Thread) -> u64 {
        let [west, north, north_west, a, b] = [V_WEST, V_NORTH, V_THIRD, V_FOURTH, V_FIFTH].map(|n| t.v[n] as i32);
        let pair = if a == b { 2 } else { -1 };
        let score = 0.max(north_west + pair).max(west - 1).max(north - 1) as u32;
        let (x, y) = t.cell();
        let place = (t.tile.y + y) * self.grid.width + t.tile.x + x;
        t.best = better(t.best, (score, place));
        self.put_cell(t, score)
    }

    /// The upper half of the threads hands its best to the lower one, again and again.
    fn start_best(&mut self, t: &mut Thread) {
        t.item = TB_THREADS / 2;
    }

    fn next_half(&mut self, t: &mut Thread) {
        t.item /= 2;
    }

    fn in_best(&self, t: &Thread) -> bool {
        t.item > 0
    }

    fn takes_other(&self, t: &Thread) -> bool {
        t.place.in_tb < t.item
    }

    fn put_score(&mut self, t: &mut Thread) -> u64 {
        self.write_shared(t, t.place.in_tb, t.best.0)
    }

    fn put_score_place(&mut self, t: &mut Thread) -> u64 {
        self.write_shared(t, TB_THREADS + t.place.in_tb, t.best.1)
    }

    fn other_score(&mut self, t: &mut Thread) -> u64 {
        let other = t.place.in_tb + t.item;
        self.read_shared(t, V_WEST, other)
    }

    fn other_score_place(&mut self, t: &mut Thread) -> u64 {
        let other = t.place.in_tb + t.item;
        let address = self.read_shared(t, V_NORTH, TB_THREADS + other);
        t.best = better(t.best, (t.v[V_WEST], t.v[V_NORTH]));
        address
    }

    fn store_best(&mut self, t: &Thread, word: u32, value: u32) -> u64 {
        let index = 2 * (t.tile.row * self.grid.columns + t.tile.column) + word;
        self.values.best[index as usize] = value;
        self.memory.best.at(index)
    }

    fn store_best_score(&mut self, t: &mut Thread) -> u64 {
        self.store_best(t, 0, t.best.0)
    }

    fn store_best_place(&mut self, t: &mut Thread) -> u64 {
        self.store_best(t, 1, t.best.1)
    }
}
