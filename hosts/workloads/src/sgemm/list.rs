//! The instruction list of the product (workloads-FK4), and what each instruction does for a thread.
//!
//! ```text
//! (L B s B (I1 L A (l F1)*16)*8 B I2)* (S)*16
//! ```
//!
//! Once for every eight columns of A and B. The inner loops are unrolled; the outer one is not. An `F1` multiplies and
//! adds. Where tiles come from a queue, or are done in shares, both parts stand inside of the lists of `queue.rs` and `stream_k.rs`.

use super::stream_k::Share;
use super::{STEP, Sgemm, TB_THREADS, TILE_COLUMNS};
use crate::list::Item::{self, B, F, I, L, Let, LoadShared, S, StoreShared, While};
use crate::list::{List, Place};
use crate::warp::CHAIN;
use gpusched_refgpu::program::Regs;

registers!(1: COPY AT A_ELEMENT B_ELEMENT);
/// The sums. An addition to one waits for its element of B, and so never for the addition to another.
pub(super) const SUMS: Regs = 1 << 5;

pub(super) const LIST: List<Sgemm> = &[STEPS, Let(Sgemm::first_column), STORE];

/// Steps of the tile at which a thread is.
pub(super) const STEPS: Item<Sgemm> = While(
    2,
    Sgemm::has_step,
    0,
    &[
        L(Sgemm::load_b, CHAIN, COPY),
        StoreShared(Sgemm::put_b, COPY),
        B,
        While(
            0,
            Sgemm::in_step,
            0,
            &[
                I(1, CHAIN, AT),
                L(Sgemm::load_a, AT, A_ELEMENT),
                While(
                    0,
                    Sgemm::has_column,
                    0,
                    &[
                        LoadShared(Sgemm::get_b, 0, B_ELEMENT),
                        F(1, A_ELEMENT | B_ELEMENT | SUMS, SUMS),
                        Let(Sgemm::multiply),
                    ],
                ),
                Let(Sgemm::next_inner),
            ],
        ),
        Let(Sgemm::next_step),
        B,
    ],
);

/// The tile's elements, when they are done.
pub(super) const STORE: Item<Sgemm> = While(0, Sgemm::has_column, 0, &[S(Sgemm::store, SUMS)]);

/// A thread: its row of C, the first of its columns, and where it is in the inner product.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    pub(super) place: Place,
    pub(super) tile: u32,
    row: u32,
    first_column: u32,
    /// Columns of A and B done in earlier steps, and in this one; where the last step ends.
    inner: u32,
    in_step: u32,
    end: u32,
    /// Which of the tile's columns is next.
    pub(super) column: u32,
    copy: f32,
    a: f32,
    b: f32,
    pub(super) sums: [f32; TILE_COLUMNS as usize],
    /// Where tiles are done in shares: that of the TB.
    pub(super) share: Share,
}

impl Thread {
    pub(super) fn at(place: Place) -> Self {
        Self { place, ..Self::default() }
    }

    /// To do columns `inner..end` of A and B for a tile; `down` tiles are in a column of them.
    pub(super) fn begin(&mut self, tile: u32, inner: u32, end: u32, down: u32) {
        *self = Self {
            place: self.place,
            share: self.share,
            tile,
            row: tile % down * TB_THREADS + self.place.in_tb,
            first_column: tile / down * TILE_COLUMNS,
            inner,
            end,
            ..Self::default()
        };
    }
}

impl Sgemm {
    fn has_step(&self, t: &Thread) -> bool {
        t.inner < t.end
    }

    fn in_step(&self, t: &Thread) -> bool {
        t.in_step < STEP
    }

    pub(super) fn has_column(&self, t: &Thread) -> bool {
        t.column < TILE_COLUMNS
    }

    fn next_inner(&mut self, t: &mut Thread) {
        (t.in_step, t.column) = (t.in_step + 1, 0);
    }

    fn next_step(&mut self, t: &mut Thread) {
        (t.inner, t.in_step) = (t.inner + STEP, 0);
        self.stepped += 1;
    }

    pub(super) fn first_column(&mut self, t: &mut Thread) {
        t.column = 0;
    }

    /// Each thread copies one of the 16 x 8 elements.
    fn load_b(&mut self, t: &mut Thread) -> u64 {
        let (column, inner) = (t.place.in_tb % TILE_COLUMNS, t.place.in_tb / TILE_COLUMNS);
        let index = (t.inner + inner) * self.options.columns + t.first_column + column;
        t.copy = self.b[index as usize];
        self.memory.b.at(index)
    }

    fn put_b(&mut self, t: &mut Thread) -> u64 {
        *self.device.shared(t.place.room, t.place.in_tb) = t.copy.to_bits();
        4 * u64::from(t.place.in_tb)
    }

    fn load_a(&mut self, t: &mut Thread) -> u64 {
        let index = (t.inner + t.in_step) * self.options.rows + t.row;
        t.a = self.a[index as usize];
        self.memory.a.at(index)
    }

    fn get_b(&mut self, t: &mut Thread) -> u64 {
        let word = t.in_step * TILE_COLUMNS + t.column;
        t.b = f32::from_bits(*self.device.shared(t.place.room, word));
        4 * u64::from(word)
    }

    fn multiply(&mut self, t: &mut Thread) {
        t.sums[t.column as usize] += t.a * t.b;
        t.column += 1;
    }

    fn store(&mut self, t: &mut Thread) -> u64 {
        let index = (t.first_column + t.column) * self.options.rows + t.row;
        self.c[index as usize] = t.sums[t.column as usize];
        t.column += 1;
        self.memory.c.at(index)
    }
}
