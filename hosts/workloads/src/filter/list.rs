//! The instruction list of the filter (workloads-FK11), and what each instruction does for a thread.
//!
//! ```text
//! (I4 L x4 Lweight x4 F14 X1 S I2)*
//! ```
//!
//! `I4` finds the pixel. The loads of neighbours leave out the lanes whose neighbour is outside of the image. A weight is one
//! address for all threads. `F14` is the slopes across and down side by side.

use super::{Filter, WEIGHTS};
use crate::list::Item::{FF, I, If, L, Let, S, While, X};
use crate::list::List;
use crate::spread::Items;
use crate::warp::{CHAIN, one_of};
use gpusched_refgpu::program::Regs;

const HERE: usize = 0;
const EAST: usize = 1;
const SOUTH: usize = 2;
const CORNER: usize = 3;

const PLACE: Regs = 1 << 1;
const PIXELS: Regs = 0b1111 << 2;
const WEIGHT: Regs = 0b1111 << 6;
const SQUARE: Regs = 1 << 10;
const SLOPE: Regs = 1 << 11;

pub(super) const LIST: List<Filter> = &[While(
    2,
    Filter::has_pixel,
    PLACE,
    &[
        I(4, PLACE, CHAIN),
        L(Filter::here, CHAIN, one_of(PIXELS, HERE)),
        If(0, Filter::has_east, 0, &[L(Filter::east, CHAIN, one_of(PIXELS, EAST))]),
        If(0, Filter::has_south, 0, &[L(Filter::south, CHAIN, one_of(PIXELS, SOUTH))]),
        If(0, Filter::has_corner, 0, &[L(Filter::corner, CHAIN, one_of(PIXELS, CORNER))]),
        L(Filter::weight::<0>, 0, one_of(WEIGHT, 0)),
        L(Filter::weight::<1>, 0, one_of(WEIGHT, 1)),
        L(Filter::weight::<2>, 0, one_of(WEIGHT, 2)),
        L(Filter::weight::<3>, 0, one_of(WEIGHT, 3)),
        FF(14, PIXELS | WEIGHT, SQUARE),
        X(1, SQUARE, SLOPE),
        S(Filter::store, SLOPE),
        Let(Filter::next_pixel),
    ],
)];

/// A thread, with its pixel and the neighbours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    items: Items,
    pixels: [f32; 4],
    weights: [f32; 4],
}

impl Thread {
    pub(super) fn new(items: Items) -> Self {
        Self { items, ..Self::default() }
    }
}

// What the list does, for one thread.
impl Filter {
    fn has_pixel(&self, t: &Thread) -> bool {
        t.items.left()
    }

    fn next_pixel(&mut self, t: &mut Thread) {
        t.items.advance();
    }

    fn has_east(&self, t: &Thread) -> bool {
        t.items.at % self.options.width + 1 < self.options.width
    }

    fn has_south(&self, t: &Thread) -> bool {
        t.items.at / self.options.width + 1 < self.options.height
    }

    fn has_corner(&self, t: &Thread) -> bool {
        self.has_east(t) && self.has_south(t)
    }

    /// Loads the pixel so many behind the thread's own. It stands for those of `names`, some of which may be loaded later.
    fn load<const N: usize>(&mut self, t: &mut Thread, behind: u32, names: [usize; N]) -> u64 {
        let at = t.items.at + behind;
        for name in names {
            t.pixels[name] = self.image[at as usize];
        }
        self.memory.image.at(at)
    }

    fn here(&mut self, t: &mut Thread) -> u64 {
        self.load(t, 0, [HERE, EAST, SOUTH, CORNER])
    }

    fn east(&mut self, t: &mut Thread) -> u64 {
        self.load(t, 1, [EAST, CORNER])
    }

    fn south(&mut self, t: &mut Thread) -> u64 {
        self.load(t, self.options.width, [SOUTH, CORNER])
    }

    fn corner(&mut self, t: &mut Thread) -> u64 {
        self.load(t, self.options.width + 1, [CORNER])
    }

    fn weight<const N: usize>(&mut self, t: &mut Thread) -> u64 {
        t.weights[N] = WEIGHTS[N];
        self.memory.weights.at(N as u32)
    }

    fn store(&mut self, t: &mut Thread) -> u64 {
        let ([here, east, south, corner], [left, right, upper, lower]) = (t.pixels, t.weights);
        let across = upper * (east - here) + lower * (corner - south);
        let down = left * (south - here) + right * (corner - east);
        let square = (across * across + down * down) * 0.5;
        self.edges[t.items.at as usize] = square.sqrt();
        self.done += 1;
        self.memory.edges.at(t.items.at)
    }
}
