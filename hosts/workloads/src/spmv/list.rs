//! The instruction list of the product (workloads-FK1), and what each instruction does for a thread.
//!
//! ```text
//! I5 Llength (I3 Lstart Ldata Lindex Lx[index] F1 I2)* Lrow Sy
//! ```
//!
//! `I5` ends in the branch that sets lanes without a row aside; the last `I2` of a turn counts and branches. All rows of a warp go
//! on until the longest has ended. `F1` multiplies and adds.

use super::Spmv;
use crate::list::Item::{F, I, If, L, Let, S, While};
use crate::list::{List, Place};
use crate::warp::CHAIN;
use gpusched_refgpu::lanes::WARP;

registers!(1: LENGTH AT START DATA INDEX X SUM ROW);

pub(super) const LIST: List<Spmv> = &[If(
    5,
    Spmv::has_row,
    0,
    &[
        L(Spmv::length, CHAIN, LENGTH),
        While(
            2,
            Spmv::has_element,
            AT,
            &[
                I(3, CHAIN | LENGTH, AT),
                L(Spmv::start, AT, START),
                L(Spmv::data, START, DATA),
                L(Spmv::index, START, INDEX),
                L(Spmv::x, INDEX, X),
                F(1, DATA | X | SUM, SUM),
                Let(Spmv::add),
            ],
        ),
        L(Spmv::row, CHAIN, ROW),
        S(Spmv::store, SUM | ROW),
    ],
)];

/// A thread, of the row of its own number in the sorted matrix.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    place: u32,
    length: u32,
    /// The diagonal, and the thread's element of it.
    diagonal: u32,
    element: u32,
    data: f32,
    index: u32,
    x: f32,
    sum: f32,
    row: u32,
}

impl Thread {
    pub(super) fn at(place: Place) -> Self {
        Self { place: place.index(), ..Self::default() }
    }
}

impl Spmv {
    fn has_row(&self, t: &Thread) -> bool {
        t.place < self.matrix.vertices()
    }

    fn length(&mut self, t: &mut Thread) -> u64 {
        let block = t.place / WARP;
        t.length = self.jds.length[block as usize];
        self.memory.length.at(block)
    }

    fn has_element(&self, t: &Thread) -> bool {
        t.diagonal < t.length
    }

    fn start(&mut self, t: &mut Thread) -> u64 {
        t.element = self.jds.start[t.diagonal as usize] + t.place;
        self.memory.start.at(t.diagonal)
    }

    fn data(&mut self, t: &mut Thread) -> u64 {
        t.data = self.jds.data[t.element as usize];
        self.memory.data.at(t.element)
    }

    fn index(&mut self, t: &mut Thread) -> u64 {
        t.index = self.jds.index[t.element as usize];
        self.memory.index.at(t.element)
    }

    fn x(&mut self, t: &mut Thread) -> u64 {
        t.x = self.x[t.index as usize];
        self.memory.x.at(t.index)
    }

    fn add(&mut self, t: &mut Thread) {
        t.sum += t.data * t.x;
        t.diagonal += 1;
    }

    fn row(&mut self, t: &mut Thread) -> u64 {
        t.row = self.jds.row[t.place as usize];
        self.memory.row.at(t.place)
    }

    fn store(&mut self, t: &mut Thread) -> u64 {
        self.y[t.row as usize] = t.sum;
        self.stored += 1;
        self.memory.y.at(t.row)
    }
}
