//! A Gauss-Seidel sweep over a plate: `T + 0.1 (N' + W' + S + E - 4 T)`, primes being values of this sweep (workloads-B3).
//!
//! ```text
//! (L s)* B  (s L l4 F6 s S I3 B I2)*
//! ```
//!
//! `I3` is for the threads with a cell, the `I2` of the loop for all. The first `s` puts the old value there
//! that was fetched in the step before. `S` comes once more for cells in the last row and the last column
//! of the tile.

use super::Wave;
use super::diagonal::{BORDERS, CELL, FOURTH, NORTH, PLACE, THIRD, V_FOURTH, V_NORTH, V_THIRD, V_WEST, WEST};
use super::thread::Thread;
use crate::list::Item::{B, F, I, If, L, Let, LoadShared, S, StoreShared, Sub, Vote, WarpWhile};
use crate::list::List;
use gpusched_refgpu::program::Regs;

const OLD: Regs = 1 << 9;

pub const LIST: List<Wave> = &[
    Sub(BORDERS),
    Let(Wave::start_early),
    WarpWhile(
        2,
        Wave::in_tile,
        0,
        &[
            WarpWhile(0, Wave::has_cell::<2>, 0, &[StoreShared(Wave::put_old, OLD), Let(Wave::next_item)]),
            Vote(Wave::first_item),
            WarpWhile(0, Wave::has_cell::<3>, 0, &[L(Wave::fetch_old, PLACE, OLD), Let(Wave::next_item)]),
            Vote(Wave::first_item),
            WarpWhile(
                0,
                Wave::has_cell::<0>,
                0,
                &[
                    LoadShared(Wave::west, PLACE, WEST),
                    LoadShared(Wave::north, PLACE, NORTH),
                    LoadShared(Wave::old_south, PLACE, THIRD),
                    LoadShared(Wave::old_east, PLACE, FOURTH),
                    F(6, WEST | NORTH | THIRD | FOURTH, CELL),
                    StoreShared(Wave::heat_cell, CELL),
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
    fn heat_cell(&mut self, t: &mut Thread) -> u64 {
        let [west, north, south, east] = [V_WEST, V_NORTH, V_THIRD, V_FOURTH].map(|n| f32::from_bits(t.v[n]));
        let old = f32::from_bits(self.own_old(t));
        let new = old + 0.1 * (north + west + south + east - 4.0 * old);
        self.put_cell(t, new.to_bits())
    }
}
