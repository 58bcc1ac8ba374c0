//! Tiles from a queue (workloads-FK13, persistent): TBs that stay ask one counter for the number of their next tile.
//!
//! ```text
//! ({ A next s } B l { TILE })*
//! ```
//!
//! Thread 0 asks, and tells the others by shared memory. No TB waits for another one.

use super::list::{STEPS, STORE, Thread};
use super::{Sgemm, TOLD};
use crate::list::Item::{A, B, If, LoadShared, StoreShared, While};
use crate::list::{Item, List};

registers!(6: NUMBER TILE);

pub(super) const LIST: List<Sgemm> = &[While(
    2,
    Sgemm::goes_on,
    TILE,
    &[
        If(2, Sgemm::is_leader, 0, &[A(Sgemm::next_tile, 0, NUMBER), StoreShared(Sgemm::tell_tile, NUMBER)]),
        B,
        LoadShared(Sgemm::hear_tile, 0, TILE),
        If(2, Sgemm::goes_on, TILE, &[STEPS, Item::Let(Sgemm::first_column), STORE]),
    ],
)];

impl Sgemm {
    fn goes_on(&self, t: &Thread) -> bool {
        t.tile < self.tiles()
    }

    pub(super) fn is_leader(&self, t: &Thread) -> bool {
        t.place.in_tb == 0
    }

    fn next_tile(&mut self, t: &mut Thread) -> u64 {
        t.tile = self.next;
        self.next += 1;
        self.memory.next.at(0)
    }

    fn tell_tile(&mut self, t: &mut Thread) -> u64 {
        *self.device.shared(t.place.room, TOLD) = t.tile;
        u64::from(4 * TOLD)
    }

    fn hear_tile(&mut self, t: &mut Thread) -> u64 {
        let tile = *self.device.shared(t.place.room, TOLD);
        t.begin(tile, 0, self.options.inner, self.tiles_down());
        u64::from(4 * TOLD)
    }
}
