//! The instruction lists of the transform (workloads-FK8, workloads-PK7), and what each instruction does for a thread.
//!
//! ```text
//! grid       I6 L x4 Ltwiddle x2 F10 S x4
//! loop       (I6 L x4 Ltwiddle x2 F10 S x4 I2)*
//! ```
//!
//! `I6` of *grid* ends in the branch that sets lanes without a butterfly aside. `F10` is the real and the imaginary part side by side.

use super::Fft;
use crate::list::Item::{self, FF, I, If, L, Let, S, Sub, While};
use crate::list::List;
use crate::spread::Items;
use crate::warp::{CHAIN, one_of};
use gpusched_refgpu::program::Regs;

const RE: usize = 0;
const IM: usize = 1;

const PLACE: Regs = 1 << 1;
const FIRST: Regs = 0b11 << 2;
const SECOND: Regs = 0b11 << 4;
const TWIDDLE: Regs = 0b11 << 6;
const OUT: Regs = 1 << 8;

pub(super) const GRID: List<Fft> = &[If(6, Fft::has_butterfly, 0, &[BUTTERFLY])];

pub(super) const LOOP: List<Fft> =
    &[While(2, Fft::has_butterfly, PLACE, &[I(6, PLACE, CHAIN), BUTTERFLY, Let(Fft::next_butterfly)])];

const BUTTERFLY: Item<Fft> = Sub(&[
    L(Fft::first::<RE>, CHAIN, one_of(FIRST, RE)),
    L(Fft::first::<IM>, CHAIN, one_of(FIRST, IM)),
    L(Fft::second::<RE>, CHAIN, one_of(SECOND, RE)),
    L(Fft::second::<IM>, CHAIN, one_of(SECOND, IM)),
    L(Fft::root::<RE>, CHAIN, one_of(TWIDDLE, RE)),
    L(Fft::root::<IM>, CHAIN, one_of(TWIDDLE, IM)),
    FF(10, FIRST | SECOND | TWIDDLE, OUT),
    S(Fft::sum::<RE>, OUT),
    S(Fft::sum::<IM>, OUT),
    S(Fft::turned_re, OUT),
    S(Fft::turned_im, OUT),
]);

/// A thread, with the operands of its butterfly.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    items: Items,
    first: [f32; 2],
    second: [f32; 2],
    root: [f32; 2],
}

impl Thread {
    pub(super) fn new(items: Items) -> Self {
        Self { items, ..Self::default() }
    }
}

// What the lists do, for one thread.
impl Fft {
    fn has_butterfly(&self, t: &Thread) -> bool {
        t.items.left()
    }

    fn next_butterfly(&mut self, t: &mut Thread) {
        t.items.advance();
    }

    fn first<const PART: usize>(&mut self, t: &mut Thread) -> u64 {
        let j = t.items.at;
        t.first[PART] = self.data[PART][j as usize];
        self.memory.data[0][PART].at(j)
    }

    fn second<const PART: usize>(&mut self, t: &mut Thread) -> u64 {
        let j = t.items.at + self.options.points / 2;
        t.second[PART] = self.data[PART][j as usize];
        self.memory.data[0][PART].at(j)
    }

    /// The places that this pass leaves between two results.
    const fn distance(&self) -> u32 {
        1 << (self.passes - 1)
    }

    /// Number of the butterfly's root of unity.
    const fn turn(&self, t: &Thread) -> u32 {
        t.items.at & !(self.distance() - 1)
    }

    fn root<const PART: usize>(&mut self, t: &mut Thread) -> u64 {
        let k = self.turn(t);
        t.root[PART] = self.twiddle[PART][k as usize];
        self.memory.twiddle[PART].at(k)
    }

    fn store(&mut self, part: usize, at: u32, value: f32) -> u64 {
        self.next[part][at as usize] = value;
        self.memory.data[1][part].at(at)
    }

    fn sum<const PART: usize>(&mut self, t: &mut Thread) -> u64 {
        self.store(PART, t.items.at + self.turn(t), t.first[PART] + t.second[PART])
    }

    /// The difference, turned.
    fn turned_re(&mut self, t: &mut Thread) -> u64 {
        let [re, im] = [RE, IM].map(|part| t.first[part] - t.second[part]);
        let at = t.items.at + self.turn(t) + self.distance();
        self.store(RE, at, re * t.root[RE] - im * t.root[IM])
    }

    fn turned_im(&mut self, t: &mut Thread) -> u64 {
        let [re, im] = [RE, IM].map(|part| t.first[part] - t.second[part]);
        let at = t.items.at + self.turn(t) + self.distance();
        self.done += 1;
        self.store(IM, at, re * t.root[IM] + im * t.root[RE])
    }
}
