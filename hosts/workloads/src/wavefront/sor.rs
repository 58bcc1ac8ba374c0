//! A sweep of successive over-relaxation: `x + 1.5 ((N' + W' + S + E + f) / 4 - x)`, primes being values of this sweep
//! (workloads-B3).
//!
//! ```text
//! (L s)* B  (I1 s L L l4 F7 s S I2 B I2)*
//! ```
//!
//! `I3` is for the threads with a cell, the `I2` of the loop for all. `I1` takes the f that was fetched in the
//! step before, the first `s` puts the old value there that was. `S` comes once more for cells in
//! the last row and the last column of the tile.

use super::Wave;
use super::diagonal::{BORDERS, CELL, FOURTH, NORTH, PLACE, THIRD, V_FOURTH, V_NORTH, V_THIRD, V_WEST, WEST};
use super::thread::Thread;
use crate::list::Item::{B, F, I, If, L, Let, LoadShared, S, StoreShared, Sub, Vote, WarpWhile};
use crate::list::List;
use gpusched_refgpu::program::Regs;

const OLD: Regs = 1 << 9;
const FORCE: Regs = 1 << 10;
const NEXT_FORCE: Regs = 1 << 11;

pub const LIST: List<Wave> = &[
    Sub(BORDERS),
    Let(Wave::start_early),
    WarpWhile(
        2,
        Wave::in_tile,
        0,
        &[
            WarpWhile(0, Wave::has_cell::<0>, 0, &[I(1, NEXT_FORCE, FORCE), Let(Wave::next_item)]),
            Vote(Wave::first_item),
            WarpWhile(0, Wave::has_cell::<2>, 0, &[StoreShared(Wave::put_old, OLD), Let(Wave::next_item)]),
            Vote(Wave::first_item),
            WarpWhile(0, Wave::has_cell::<3>, 0, &[L(Wave::fetch_old, PLACE, OLD), Let(Wave::next_item)]),
            Vote(Wave::first_item),
            WarpWhile(0, Wave::has_cell::<1>, 0, &[L(Wave::fetch_force, PLACE, NEXT_FORCE), Let(Wave::next_item)]),
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
                    F(7, WEST | NORTH | THIRD | FOURTH | FORCE, CELL),
                    StoreShared(Wave::sor_cell, CELL),
                    S(Wave::store_cell, CELL),
                    If(0, Wave::is_last_row, 0, &[S(Wave::store_last_row, CELL)]),
                    If(0, Wave::is_last_column, 0, &[S(Wave::store_last_column, CELL)]),
                    I(2, 0, PLACE),
                    Let(Wave::next_item),
                ],
            ),
            Vote(Wave::next_diagonal),
            B,
        ],
    ),
];

impl Wave {
    fn sor_cell(&mut self, t: &mut Thread) -> u64 {
        let [west, north, south, east] = [V_WEST, V_NORTH, V_THIRD, V_FOURTH].map(|n| f32::from_bits(t.v[n]));
        let (old, force) = (f32::from_bits(self.own_old(t)), f32::from_bits(self.own_force(t)));
        let new = old + 1.5 * ((north + west + south + east + force) * 0.25 - old);
        self.put_cell(t, new.to_bits())
    }
}
