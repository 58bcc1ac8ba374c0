//! The instruction list of the product (workloads-FK4), and what each instruction does for a thread.
//!
//! ```text
//! (L B s B (I1 L A (l F1)*16)*8 B I2)* (S)*16
//! ```
//!
//! Once for every eight columns of A and B. The inner loops are unrolled; the outer one is not. An `F1` multiplies and
//! adds.

use super::{STEP, Sgemm, TB_THREADS, TILE_COLUMNS};
use crate::list::Item::{B, F, I, L, Let, LoadShared, S, StoreShared, While};
use crate::list::{List, Place};
use crate::warp::CHAIN;
use gpusched_refgpu::program::Regs;

registers!(1: COPY AT A_ELEMENT B_ELEMENT);
/// The sums. An addition to one waits for its element of B, and so never for the addition to another.
const SUMS: Regs = 1 << 5;

pub(super) const LIST: List<Sgemm> = &[
    While(
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
    ),
    Let(Sgemm::first_column),
    While(0, Sgemm::has_column, 0, &[S(Sgemm::store, SUMS)]),
];

/// A thread: its row of C, the first of its columns, and where it is in the inner product.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    place: Place,
    row: u32,
    first_column: u32,
    /// Columns of A and B done in earlier steps, and in this one.
    inner: u32,
    in_step: u32,
    /// Which of the tile's columns is next.
    column: u32,
    copy: f32,
    a: f32,
    b: f32,
    sums: [f32; TILE_COLUMNS as usize],
}

impl Thread {
    pub(super) fn at(place: Place, tbs_down: u32) -> Self {
        Self {
            place,
            row: place.tb % tbs_down * TB_THREADS + place.in_tb,
            first_column: place.tb / tbs_down * TILE_COLUMNS,
            ..Self::default()
        }
    }
}

impl Sgemm {
    fn has_step(&self, t: &Thread) -> bool {
        t.inner < self.options.inner
    }

    fn in_step(&self, t: &Thread) -> bool {
        t.in_step < STEP
    }

    fn has_column(&self, t: &Thread) -> bool {
        t.column < TILE_COLUMNS
    }

    fn next_inner(&mut self, t: &mut Thread) {
        (t.in_step, t.column) = (t.in_step + 1, 0);
    }

    fn next_step(&mut self, t: &mut Thread) {
        (t.inner, t.in_step) = (t.inner + STEP, 0);
    }

    fn first_column(&mut self, t: &mut Thread) {
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
        self.stored += 1;
        self.memory.c.at(index)
    }
}
