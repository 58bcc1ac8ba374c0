//! Dynamic time warping: `D = abs(a_i - b_j) + min(W, N, NW)` (workloads-B1 to B3).
//!
//! ```text
//! (L s)* B  (l5 F5 s S I3 B I2)*
//! ```
//!
//! `I3` is for the threads with a cell, the `I2` of the loop for all. `S` comes once more for cells in the last
//! row and the last column of the tile.

use super::Wave;
use super::diagonal::{
    BORDERS, CELL, FIFTH, FOURTH, NORTH, PLACE, THIRD, V_FIFTH, V_FOURTH, V_NORTH, V_THIRD, V_WEST, WEST,
};
use super::thread::Thread;
use crate::list::Item::{B, F, I, If, Let, LoadShared, S, StoreShared, Sub, Vote, WarpWhile};
use crate::list::List;

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
                    F(5, WEST | NORTH | THIRD | FOURTH | FIFTH, CELL),
                    StoreShared(Wave::dtw_cell, CELL),
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
];

impl Wave {
    fn dtw_cell(&mut self, t: &mut Thread) -> u64 {
        let [west, north, north_west, a, b] =
            [V_WEST, V_NORTH, V_THIRD, V_FOURTH, V_FIFTH].map(|n| f32::from_bits(t.v[n]));
        self.put_cell(t, ((a - b).abs() + west.min(north).min(north_west)).to_bits())
    }
}
