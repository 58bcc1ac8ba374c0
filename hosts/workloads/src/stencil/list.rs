//! The instruction list of the stencil (workloads-FK3), and what each instruction does for a thread.
//!
//! ```text
//! I4 Lbelow Lown (I4 Labove Lnorth Lsouth Least Lwest F8 S I2)*
//! ```
//!
//! `I4` at the beginning ends in the branch that sets threads on the border aside, the last `I2` counts and branches. Each turn
//! finds the cells below and at the thread in registers; those of the first are loaded before the loop.

use super::{NEIGHBOURS, OWN, Stencil, TB_DEPTH, TB_WIDTH};
use crate::list::Item::{F, I, If, L, Let, S, While};
use crate::list::{List, Place};
use crate::warp::CHAIN;

registers!(1: AT BELOW SELF ABOVE NORTH SOUTH EAST WEST CELL);

pub(super) const LIST: List<Stencil> = &[If(
    4,
    Stencil::is_inside,
    0,
    &[
        L(Stencil::load_below, CHAIN, BELOW),
        L(Stencil::load_own, CHAIN, SELF),
        While(
            2,
            Stencil::has_cell,
            AT,
            &[
                I(4, CHAIN, AT),
                L(Stencil::load_above, AT, ABOVE),
                L(Stencil::load_north, AT, NORTH),
                L(Stencil::load_south, AT, SOUTH),
                L(Stencil::load_east, AT, EAST),
                L(Stencil::load_west, AT, WEST),
                F(8, BELOW | SELF | ABOVE | NORTH | SOUTH | EAST | WEST, CELL),
                S(Stencil::store, AT | CELL),
                Let(Stencil::climb),
            ],
        ),
    ],
)];

/// A thread: its column of cells, and the height at which it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    x: u32,
    y: u32,
    z: u32,
    below: f32,
    own: f32,
    above: f32,
    /// North, south, east, west.
    beside: [f32; 4],
}

impl Thread {
    pub(super) fn at(place: Place, tbs_across: u32) -> Self {
        Self {
            x: place.tb % tbs_across * TB_WIDTH + place.in_tb % TB_WIDTH,
            y: place.tb / tbs_across * TB_DEPTH + place.in_tb / TB_WIDTH,
            z: 1,
            ..Self::default()
        }
    }
}

impl Stencil {
    fn is_inside(&self, t: &Thread) -> bool {
        (1..self.options.width - 1).contains(&t.x) && (1..self.options.depth - 1).contains(&t.y)
    }

    fn has_cell(&self, t: &Thread) -> bool {
        t.z < self.options.height - 1
    }

    fn climb(&mut self, t: &mut Thread) {
        (t.below, t.own, t.z) = (t.own, t.above, t.z + 1);
    }

    /// The cell there, in the grid that this sweep reads, and its address.
    fn cell(&self, x: u32, y: u32, z: u32) -> (f32, u64) {
        let (index, from) = (self.index(x, y, z), self.from());
        (self.cells[from][index as usize], self.memory[from].at(index))
    }

    const fn index(&self, x: u32, y: u32, z: u32) -> u32 {
        (z * self.options.depth + y) * self.options.width + x
    }

    /// Which grid this sweep reads.
    const fn from(&self) -> usize {
        (self.sweeps - 1) as usize % 2
    }

    fn load_below(&mut self, t: &mut Thread) -> u64 {
        let (cell, address) = self.cell(t.x, t.y, t.z - 1);
        t.below = cell;
        address
    }

    fn load_own(&mut self, t: &mut Thread) -> u64 {
        let (cell, address) = self.cell(t.x, t.y, t.z);
        t.own = cell;
        address
    }

    fn load_above(&mut self, t: &mut Thread) -> u64 {
        let (cell, address) = self.cell(t.x, t.y, t.z + 1);
        t.above = cell;
        address
    }

    fn load_north(&mut self, t: &mut Thread) -> u64 {
        self.load_beside(t, 0, t.x, t.y - 1)
    }

    fn load_south(&mut self, t: &mut Thread) -> u64 {
        self.load_beside(t, 1, t.x, t.y + 1)
    }

    fn load_east(&mut self, t: &mut Thread) -> u64 {
        self.load_beside(t, 2, t.x + 1, t.y)
    }

    fn load_west(&mut self, t: &mut Thread) -> u64 {
        self.load_beside(t, 3, t.x - 1, t.y)
    }

    fn load_beside(&self, t: &mut Thread, side: usize, x: u32, y: u32) -> u64 {
        let (cell, address) = self.cell(x, y, t.z);
        t.beside[side] = cell;
        address
    }

    fn store(&mut self, t: &mut Thread) -> u64 {
        let [north, south, east, west] = t.beside;
        let around = t.above + t.below + north + south + west + east;
        let (index, to) = (self.index(t.x, t.y, t.z), 1 - self.from());
        self.cells[to][index as usize] = around * NEIGHBOURS - t.own * OWN;
        self.done += 1;
        self.memory[to].at(index)
    }
}
