//! A thread of a tile, and how all six wavefronts step through words, cells and rounds.

use super::Wave;
use super::grid::Tile;
use crate::list::{Place, Threads};

/// Threads of a TB.
pub const TB_THREADS: u32 = 256;

/// A thread of a tile, or of the parent of `cdp`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    /// Its tile; an empty one in a TB without a tile.
    pub(super) tile: Tile,
    pub(super) place: Place,
    /// Which of the words or cells of a step comes next: the thread has every 256th, from its own number on.
    pub(super) item: u32,
    /// The diagonal of this step; negative before the first.
    pub(super) diagonal: i32,
    /// Operands: W, N, NW or S, and two more.
    pub(super) v: [u32; 5],
    /// The best score that the thread has seen, and where.
    pub(super) best: (u32, u32),
    /// A scan: the plane, the first row of the strip, the sum of the thread's row, and that of its column.
    pub(super) plane: u32,
    pub(super) strip: u32,
    pub(super) row_sum: u32,
    pub(super) column_sum: u32,
    /// The parent of `cdp`: the level that comes next.
    pub(super) level: u32,
}

impl Thread {
    pub(super) fn at(place: Place, tile: Tile) -> Self {
        Self { tile, place, item: place.in_tb, best: (0, u32::MAX), ..Self::default() }
    }
}

// What the lists do, for one thread.
impl Wave {
    pub(super) fn has_tile(&self, t: &Thread) -> bool {
        t.tile.width > 0
    }

    pub(super) fn is_first_thread(&self, t: &Thread) -> bool {
        t.place.in_tb == 0
    }

    /// The next round of a step.
    pub(super) fn next_item(&mut self, t: &mut Thread) {
        t.item += TB_THREADS;
    }

    /// Back to the first words or cells of the threads.
    pub(super) fn first_item(&mut self, threads: &mut Threads<Self>, _: u32) {
        for t in threads {
            t.item = t.place.in_tb;
        }
    }

    /// A word of the TB's shared memory.
    pub(super) fn shared(&mut self, t: &Thread, word: u32) -> &mut u32 {
        self.device.shared(t.place.room, word)
    }

    /// Reads a word of shared memory as operand `n`; gives its address.
    pub(super) fn read_shared(&mut self, t: &mut Thread, n: usize, word: u32) -> u64 {
        t.v[n] = *self.shared(t, word);
        4 * u64::from(word)
    }

    /// Writes one; gives its address.
    pub(super) fn write_shared(&mut self, t: &Thread, word: u32, value: u32) -> u64 {
        *self.shared(t, word) = value;
        4 * u64::from(word)
    }

    /// The parent of `cdp` has a level to launch.
    pub(super) fn has_level(&self, t: &Thread) -> bool {
        t.level < self.grid.levels()
    }
}
