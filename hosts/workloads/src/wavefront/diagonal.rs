//! The walk through a tile by anti-diagonals, a barrier after each (workloads-B3): dtw, sw, heat2d and sor.
//!
//! A step computes one diagonal; its first cells are for the first threads, in rounds of 256 if there are more. Shared memory
//! holds the borders of the tile and the last diagonals:
//!
//! ```text
//! north [width + 1]   the row above the tile, from its NW corner on
//! west [height]       the column on the left
//! across [width]      dtw, sw: the tile's part of the first series or string;  heat2d, sor: the old row below
//! down [height]       its part of the second;                                  the old column on the right
//! ring [3 or 4][height]   diagonal d in part d mod 3 or 4, by row
//! ```
//!
//! In dtw and sw a step reads the two diagonals before its own. In heat2d and sor it reads the new values of the one before and
//! the old ones of the one behind, while those of the next but one arrive; so the ring has four parts and the walk begins three
//! steps early. Old values are fetched a step before they go to shared memory, so that a load has a step's time.

use super::Wave;
use super::grid::Tile;
use super::thread::Thread;
use crate::list::Item::{B, L, Let, StoreShared, Vote, While};
use crate::list::{List, Threads};
use crate::warp::CHAIN;
use gpusched_refgpu::lanes::first_lanes;
use gpusched_refgpu::program::Regs;

registers!(pub 1: WEST NORTH THIRD FOURTH FIFTH CELL);
/// Where the thread's cell of the next step lies.
pub const PLACE: Regs = 1 << 7;
const BORDER: Regs = 1 << 8;

/// Operands in the order of the registers above.
pub const V_WEST: usize = 0;
pub const V_NORTH: usize = 1;
pub const V_THIRD: usize = 2;
pub const V_FOURTH: usize = 3;
pub const V_FIFTH: usize = 4;

/// `(L s)* B`: the borders of the tile to shared memory.
pub const BORDERS: List<Wave> = &[
    While(
        2,
        Wave::has_border,
        CHAIN,
        &[L(Wave::load_border, CHAIN, BORDER), StoreShared(Wave::put_border, BORDER), Let(Wave::next_item)],
    ),
    Vote(Wave::first_item),
    B,
];

/// Where the parts of shared memory start, in words.
struct Parts {
    west: u32,
    across: u32,
    down: u32,
    ring: u32,
}

const fn parts(tile: &Tile) -> Parts {
    let west = tile.width + 1;
    let across = west + tile.height;
    let down = across + tile.width;
    Parts { west, across, down, ring: down + tile.height }
}

/// Words of shared memory for a tile whose ring has so many parts.
pub const fn shared_words(tile: &Tile, ring: u32) -> u32 {
    parts(tile).ring + ring * tile.height
}

/// Diagonals in the ring of a wavefront without and with old values.
pub const fn ring_parts(is_stencil: bool) -> u32 {
    if is_stencil { 4 } else { 3 }
}

impl Thread {
    /// The diagonal so many steps ahead, if the tile has one there.
    fn ahead(&self, steps: i32) -> Option<u32> {
        u32::try_from(self.diagonal + steps).ok().filter(|&d| d < self.tile.diagonals())
    }

    /// The thread's cell on the diagonal of this step, which has one.
    pub(super) fn cell(&self) -> (u32, u32) {
        self.cell_on(self.diagonal as u32)
    }

    fn cell_on(&self, d: u32) -> (u32, u32) {
        let y = self.tile.diagonal(d).0 + self.item;
        (d - y, y)
    }
}

// What the lists do, for one thread.
impl Wave {
    pub(super) fn has_border(&self, t: &Thread) -> bool {
        t.item < parts(&t.tile).ring
    }

    pub(super) fn load_border(&mut self, t: &mut Thread) -> u64 {
        let (tile, Parts { west, across, down, .. }) = (&t.tile, parts(&t.tile));
        let Self { grid, values, memory, kind, .. } = self;
        let (below, right) = if kind.is_stencil() { (tile.row + 1, tile.column + 1) } else { (0, 0) };
        let (from, array, index) = if t.item < west {
            (&values.row_border, memory.row_border, tile.row * (grid.width + 1) + tile.x + t.item)
        } else if t.item < across {
            (&values.column_border, memory.column_border, tile.column * grid.height + tile.y + t.item - west)
        } else if t.item < down {
            (&values.across, memory.across, below * grid.width + tile.x + t.item - across)
        } else {
            (&values.down, memory.down, right * grid.height + tile.y + t.item - down)
        };
        t.v[0] = from[index as usize];
        array.at(index)
    }

    pub(super) fn put_border(&mut self, t: &mut Thread) -> u64 {
        self.write_shared(t, t.item, t.v[0])
    }

    /// Three steps early: old values are on their way first.
    pub(super) fn start_early(&mut self, t: &mut Thread) {
        t.diagonal = -3;
    }

    /// All threads of a tile go through the same diagonals.
    pub(super) fn in_tile(&self, threads: &Threads<Self>, mask: u32) -> u32 {
        let t = &threads[0];
        if t.diagonal < t.tile.diagonals() as i32 { mask } else { 0 }
    }

    /// The threads with a cell on the diagonal so many steps ahead: the first ones, as they have cells side by side.
    pub(super) fn has_cell<const AHEAD: i32>(&self, threads: &Threads<Self>, mask: u32) -> u32 {
        let t = &threads[0];
        let cells = t.ahead(AHEAD).map_or(0, |d| t.tile.diagonal(d).1);
        first_lanes(cells.saturating_sub(t.item)) & mask
    }

    pub(super) fn next_diagonal(&mut self, threads: &mut Threads<Self>, _: u32) {
        for t in threads {
            t.diagonal += 1;
            t.item = t.place.in_tb;
        }
    }

    /// Where a row of a diagonal of the ring is.
    fn ring(&self, t: &Thread, diagonal: i32, row: u32) -> u32 {
        let part = diagonal.rem_euclid(ring_parts(self.kind.is_stencil()) as i32) as u32;
        parts(&t.tile).ring + part * t.tile.height + row
    }

    pub(super) fn west(&mut self, t: &mut Thread) -> u64 {
        let (x, y) = t.cell();
        let word = if x == 0 { parts(&t.tile).west + y } else { self.ring(t, t.diagonal - 1, y) };
        self.read_shared(t, V_WEST, word)
    }

    pub(super) fn north(&mut self, t: &mut Thread) -> u64 {
        let (x, y) = t.cell();
        let word = if y == 0 { x + 1 } else { self.ring(t, t.diagonal - 1, y - 1) };
        self.read_shared(t, V_NORTH, word)
    }

    pub(super) fn north_west(&mut self, t: &mut Thread) -> u64 {
        let word = match t.cell() {
            (x, 0) => x,
            (0, y) => parts(&t.tile).west + y - 1,
            (_, y) => self.ring(t, t.diagonal - 2, y - 1),
        };
        self.read_shared(t, V_THIRD, word)
    }

    /// What belongs to the cell's column.
    pub(super) fn of_column(&mut self, t: &mut Thread) -> u64 {
        let word = parts(&t.tile).across + t.cell().0;
        self.read_shared(t, V_FOURTH, word)
    }

    /// What belongs to the cell's row.
    pub(super) fn of_row(&mut self, t: &mut Thread) -> u64 {
        let word = parts(&t.tile).down + t.cell().1;
        self.read_shared(t, V_FIFTH, word)
    }

    pub(super) fn old_south(&mut self, t: &mut Thread) -> u64 {
        let (x, y) = t.cell();
        let is_last = y + 1 == t.tile.height;
        let word = if is_last { parts(&t.tile).across + x } else { self.ring(t, t.diagonal + 1, y + 1) };
        self.read_shared(t, V_THIRD, word)
    }

    pub(super) fn old_east(&mut self, t: &mut Thread) -> u64 {
        let (x, y) = t.cell();
        let is_last = x + 1 == t.tile.width;
        let word = if is_last { parts(&t.tile).down + y } else { self.ring(t, t.diagonal + 1, y) };
        self.read_shared(t, V_FOURTH, word)
    }

    /// Where the thread's cell so many steps ahead lies in the matrix.
    fn matrix_place<const AHEAD: i32>(&self, t: &Thread) -> u32 {
        let d = (t.diagonal + AHEAD) as u32;
        t.tile.base + t.tile.before_diagonal(d) + t.item
    }

    /// `L`: the old value of the thread's cell three steps ahead. It reaches shared memory in the next step; nobody but the
    /// thread changes it.
    pub(super) fn fetch_old(&mut self, t: &mut Thread) -> u64 {
        self.memory.matrix.at(self.matrix_place::<3>(t))
    }

    /// `s`: the value that was fetched in the last step.
    pub(super) fn put_old(&mut self, t: &mut Thread) -> u64 {
        let old = self.values.matrix[self.matrix_place::<2>(t) as usize];
        let d = t.diagonal + 2;
        let word = self.ring(t, d, t.cell_on(d as u32).1);
        self.write_shared(t, word, old)
    }

    /// The old value of the thread's own cell, in a register since it was fetched.
    pub(super) fn own_old(&self, t: &Thread) -> u32 {
        self.values.matrix[self.matrix_place::<0>(t) as usize]
    }

    /// `L`: the right-hand side of the thread's cell in the next step, or in this one.
    pub(super) fn fetch_force(&mut self, t: &mut Thread) -> u64 {
        self.memory.force.at(self.matrix_place::<1>(t))
    }

    pub(super) fn own_force(&self, t: &Thread) -> u32 {
        self.values.force[self.matrix_place::<0>(t) as usize]
    }

    /// `s`: the cell's new value, for the next steps.
    pub(super) fn put_cell(&mut self, t: &mut Thread, value: u32) -> u64 {
        t.v[V_WEST] = value;
        let word = self.ring(t, t.diagonal, t.cell().1);
        self.write_shared(t, word, value)
    }

    /// `S`: the same, in the matrix.
    pub(super) fn store_cell(&mut self, t: &mut Thread) -> u64 {
        let place = self.matrix_place::<0>(t);
        self.values.matrix[place as usize] = t.v[V_WEST];
        self.done += 1;
        self.memory.matrix.at(place)
    }

    /// The tile below reads the last row, the one on the right the last column.
    pub(super) fn is_last_row(&self, t: &Thread) -> bool {
        t.cell().1 + 1 == t.tile.height && t.tile.row + 1 < self.grid.rows
    }

    pub(super) fn is_last_column(&self, t: &Thread) -> bool {
        t.cell().0 + 1 == t.tile.width && t.tile.column + 1 < self.grid.columns
    }

    pub(super) fn store_last_row(&mut self, t: &mut Thread) -> u64 {
        let (x, _) = t.cell();
        self.store_below(t, x, t.v[V_WEST])
    }

    pub(super) fn store_last_column(&mut self, t: &mut Thread) -> u64 {
        let (_, y) = t.cell();
        self.store_right(t, y, t.v[V_WEST])
    }
}
