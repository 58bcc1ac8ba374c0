//! The instruction lists of the transposition (workloads-FK7), and what each instruction does for a thread.
//!
//! ```text
//! tiled    (L s)*4 B (l S)*4
//! naive    (L S)*4
//! ```
//!
//! The loops are unrolled: a thread moves an element in each of four rows, eight rows apart.

use super::{TB_ROWS, TILE, Transpose};
use crate::list::Item::{B, L, Let, LoadShared, S, StoreShared, While};
use crate::list::{List, Place};
use gpusched_refgpu::program::Regs;

const ELEMENT: Regs = 1 << 1;

pub(super) const TILED: List<Transpose> = &[
    While(
        0,
        Transpose::in_tile,
        0,
        &[L(Transpose::load, 0, ELEMENT), StoreShared(Transpose::put, ELEMENT), Let(Transpose::next_row)],
    ),
    Let(Transpose::first_row),
    B,
    While(
        0,
        Transpose::in_tile,
        0,
        &[LoadShared(Transpose::get, 0, ELEMENT), S(Transpose::store, ELEMENT), Let(Transpose::next_row)],
    ),
];

pub(super) const NAIVE: List<Transpose> = &[While(
    0,
    Transpose::in_tile,
    0,
    &[L(Transpose::load, 0, ELEMENT), S(Transpose::store_across, ELEMENT), Let(Transpose::next_row)],
)];

/// A thread: its column of the tile, the row at which it is, and the tile's place among the tiles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    place: Place,
    x: u32,
    y: u32,
    tile: [u32; 2],
    element: f32,
}

impl Thread {
    pub(super) const fn at(place: Place, tiles: u32) -> Self {
        let (x, y, tile) = (place.in_tb % TILE, place.in_tb / TILE, [place.tb % tiles, place.tb / tiles]);
        Self { place, x, y, tile, element: 0.0 }
    }
}

impl Transpose {
    fn in_tile(&self, t: &Thread) -> bool {
        t.y < TILE
    }

    fn next_row(&mut self, t: &mut Thread) {
        t.y += TB_ROWS;
    }

    fn first_row(&mut self, t: &mut Thread) {
        t.y %= TB_ROWS;
    }

    fn load(&mut self, t: &mut Thread) -> u64 {
        let index = (t.tile[1] * TILE + t.y) * self.options.width + t.tile[0] * TILE + t.x;
        t.element = self.matrix[index as usize];
        self.memory[0].at(index)
    }

    fn put(&mut self, t: &mut Thread) -> u64 {
        let word = t.y * self.options.form.row_words() + t.x;
        *self.device.shared(t.place.room, word) = t.element.to_bits();
        4 * u64::from(word)
    }

    /// The lanes of a warp read a column of the tile.
    fn get(&mut self, t: &mut Thread) -> u64 {
        let word = t.x * self.options.form.row_words() + t.y;
        t.element = f32::from_bits(*self.device.shared(t.place.room, word));
        4 * u64::from(word)
    }

    fn store(&mut self, t: &mut Thread) -> u64 {
        self.write(t.tile[0] * TILE + t.y, t.tile[1] * TILE + t.x, t.element)
    }

    /// The lanes of a warp write a column of the result.
    fn store_across(&mut self, t: &mut Thread) -> u64 {
        self.write(t.tile[0] * TILE + t.x, t.tile[1] * TILE + t.y, t.element)
    }

    fn write(&mut self, row: u32, column: u32, element: f32) -> u64 {
        let index = row * self.options.height + column;
        self.transposed[index as usize] = element;
        self.stored += 1;
        self.memory[1].at(index)
    }
}
