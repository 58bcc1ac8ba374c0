//! The tiles of the integral image and the integral histogram, summed by rows, then by columns (workloads-B4).
//!
//! ```text
//! int_img  {L corner} STRIPS
//! hist     ({L corner} STRIPS I2)*  a plane at a time; I2 finds out whether the pixel is in its bin
//! STRIPS   ((L s I2)* B (l I1 s I2)* B (l I1 s I2)* B (l {L} {L} I3 S I2)* B I2)*
//! ```
//!
//! Rows have a thread each, columns too. What is left of the tile and above it is added at the end, `{L} {L}` where there is
//! something, less the corner that both have; `S` comes once more for the last row and the last column. A tile that does not fit
//! shared memory in the six TBs of an SM is worked on in strips of rows. A thread's sum goes on
//! from strip to strip along its column.

use super::Wave;
use super::grid::Tile;
use super::thread::{TB_THREADS, Thread};
use crate::list::Item::{self, B, I, If, L, Let, LoadByte, LoadShared, S, StoreShared, Sub, Vote, While};
use crate::list::List;
use crate::warp::CHAIN;

registers!(1: PIXEL WORD ROW_SUM COLUMN_SUM WEST NORTH CORNER SUM);

/// Operands of a thread.
const V_WORD: usize = 0;
const V_WEST: usize = 1;
const V_NORTH: usize = 2;
const V_CORNER: usize = 3;

/// Shared memory of a TB: a sixth of 48 KB.
const STRIP_WORDS: u32 = 48 * 1024 / 4 / 6;

pub const INT_IMG: List<Wave> = &[CORNER_OF_TILE, Sub(STRIPS)];

pub const HIST: List<Wave> = &[While(2, Wave::has_plane, 0, &[CORNER_OF_TILE, Sub(STRIPS), Let(Wave::next_plane)])];

const CORNER_OF_TILE: Item<Wave> = If(0, Wave::has_corner, 0, &[L(Wave::load_corner, CHAIN, CORNER)]);

const STRIPS: List<Wave> = &[While(
    2,
    Wave::has_strip,
    0,
    &[
        While(
            2,
            Wave::has_pixel,
            CHAIN,
            &[
                LoadByte(Wave::load_pixel, CHAIN, PIXEL),
                If(0, Wave::has_bins, 0, &[I(2, PIXEL, PIXEL)]),
                StoreShared(Wave::put_pixel, PIXEL),
                Let(Wave::next_item),
            ],
        ),
        Let(Wave::start_row),
        B,
        While(
            2,
            Wave::in_row,
            CHAIN,
            &[
                LoadShared(Wave::word_of_row, CHAIN, WORD),
                I(1, WORD | ROW_SUM, ROW_SUM),
                StoreShared(Wave::put_row_sum, ROW_SUM),
            ],
        ),
        Let(Wave::start_column),
        B,
        While(
            2,
            Wave::in_column,
            CHAIN,
            &[
                LoadShared(Wave::word_of_column, CHAIN, WORD),
                I(1, WORD | COLUMN_SUM, COLUMN_SUM),
                StoreShared(Wave::put_column_sum, COLUMN_SUM),
            ],
        ),
        Vote(Wave::first_item),
        B,
        While(
            2,
            Wave::has_pixel,
            CHAIN,
            &[
                LoadShared(Wave::local_sum, CHAIN, WORD),
                If(0, Wave::has_west, 0, &[L(Wave::load_west, CHAIN, WEST)]),
                If(0, Wave::has_north, 0, &[L(Wave::load_north, CHAIN, NORTH)]),
                I(3, WORD | WEST | NORTH | CORNER, SUM),
                S(Wave::store_sum, SUM),
                If(0, Wave::is_bottom, 0, &[S(Wave::store_bottom, SUM)]),
                If(0, Wave::is_right, 0, &[S(Wave::store_right_edge, SUM)]),
                Let(Wave::next_item),
            ],
        ),
        Let(Wave::next_strip),
        B,
    ],
)];

/// Words from one row of a strip to the next: odd, so that neither rows nor columns meet in a bank.
const fn pitch(tile: &Tile) -> u32 {
    tile.width | 1
}

/// Rows of a strip.
const fn strip_rows(tile: &Tile) -> u32 {
    let fit = STRIP_WORDS / pitch(tile);
    let threads = if fit < TB_THREADS { fit } else { TB_THREADS };
    if tile.height < threads { tile.height } else { threads }
}

/// Words of shared memory for a tile.
pub const fn shared_words(tile: &Tile) -> u32 {
    pitch(tile) * strip_rows(tile)
}

impl Thread {
    /// Rows of the thread's strip.
    fn rows(&self) -> u32 {
        strip_rows(&self.tile).min(self.tile.height - self.strip)
    }

    /// The thread's pixel within the strip: column and row.
    fn pixel(&self) -> (u32, u32) {
        (self.item % self.tile.width, self.item / self.tile.width)
    }

    /// Where a word of the strip is in shared memory.
    const fn word(&self, column: u32, row: u32) -> u32 {
        row * pitch(&self.tile) + column
    }
}

// What the lists do, for one thread.
impl Wave {
    fn has_plane(&self, t: &Thread) -> bool {
        t.plane < self.kind.planes()
    }

    fn next_plane(&mut self, t: &mut Thread) {
        t.plane += 1;
        t.strip = 0;
        t.column_sum = 0;
    }

    fn has_bins(&self, _: &Thread) -> bool {
        self.kind.planes() > 1
    }

    fn has_strip(&self, t: &Thread) -> bool {
        t.strip < t.tile.height
    }

    fn next_strip(&mut self, t: &mut Thread) {
        t.strip += strip_rows(&t.tile);
        t.item = t.place.in_tb;
    }

    fn has_pixel(&self, t: &Thread) -> bool {
        t.item < t.rows() * t.tile.width
    }

    /// Place of the thread's pixel in the image, and of its sum in a plane.
    const fn image_place(t: &Thread) -> u32 {
        t.tile.base + t.strip * t.tile.width + t.item
    }

    fn load_pixel(&mut self, t: &mut Thread) -> u64 {
        let place = Self::image_place(t);
        t.v[V_WORD] = self.values.image[place as usize].into();
        self.memory.image.at(place)
    }

    fn put_pixel(&mut self, t: &mut Thread) -> u64 {
        let (column, row) = t.pixel();
        let pixel = t.v[V_WORD];
        let value = if self.kind.planes() == 1 { pixel } else { u32::from(pixel >> 5 == t.plane) };
        self.write_shared(t, t.word(column, row), value)
    }

    /// From now on `item` counts along the thread's row, then along its column.
    fn start_row(&mut self, t: &mut Thread) {
        t.item = 0;
        t.row_sum = 0;
    }

    fn start_column(&mut self, t: &mut Thread) {
        t.item = 0;
    }

    fn in_row(&self, t: &Thread) -> bool {
        t.place.in_tb < t.rows() && t.item < t.tile.width
    }

    fn word_of_row(&mut self, t: &mut Thread) -> u64 {
        let address = self.read_shared(t, V_WORD, t.word(t.item, t.place.in_tb));
        t.row_sum += t.v[V_WORD];
        address
    }

    fn put_row_sum(&mut self, t: &mut Thread) -> u64 {
        let word = t.word(t.item, t.place.in_tb);
        t.item += 1;
        self.write_shared(t, word, t.row_sum)
    }

    fn in_column(&self, t: &Thread) -> bool {
        t.place.in_tb < t.tile.width && t.item < t.rows()
    }

    fn word_of_column(&mut self, t: &mut Thread) -> u64 {
        let address = self.read_shared(t, V_WORD, t.word(t.place.in_tb, t.item));
        t.column_sum += t.v[V_WORD];
        address
    }

    fn put_column_sum(&mut self, t: &mut Thread) -> u64 {
        let word = t.word(t.place.in_tb, t.item);
        t.item += 1;
        self.write_shared(t, word, t.column_sum)
    }

    fn local_sum(&mut self, t: &mut Thread) -> u64 {
        let (column, row) = t.pixel();
        self.read_shared(t, V_WORD, t.word(column, row))
    }

    fn has_west(&self, t: &Thread) -> bool {
        t.tile.column > 0
    }

    fn has_north(&self, t: &Thread) -> bool {
        t.tile.row > 0
    }

    fn has_corner(&self, t: &Thread) -> bool {
        t.tile.column > 0 && t.tile.row > 0
    }

    /// Reads the border above the tile, at a column of the matrix plus 1, as operand `n`.
    fn load_row_border(&mut self, t: &mut Thread, n: usize, column: u32) -> u64 {
        let index = self.row_border(t.plane, t.tile.row) + column;
        t.v[n] = self.values.row_border[index as usize];
        self.memory.row_border.at(index)
    }

    fn load_corner(&mut self, t: &mut Thread) -> u64 {
        self.load_row_border(t, V_CORNER, t.tile.x)
    }

    fn load_north(&mut self, t: &mut Thread) -> u64 {
        let (column, _) = t.pixel();
        self.load_row_border(t, V_NORTH, t.tile.x + column + 1)
    }

    fn load_west(&mut self, t: &mut Thread) -> u64 {
        let (_, row) = t.pixel();
        let index = self.column_border(t.plane, t.tile.column) + t.tile.y + t.strip + row;
        t.v[V_WEST] = self.values.column_border[index as usize];
        self.memory.column_border.at(index)
    }

    fn store_sum(&mut self, t: &mut Thread) -> u64 {
        let [local, west, north, corner] = [V_WORD, V_WEST, V_NORTH, V_CORNER].map(|n| t.v[n]);
        let sum = local.wrapping_add(west).wrapping_add(north).wrapping_sub(corner);
        t.v[V_WORD] = sum;
        let place = t.plane * self.grid.cells() as u32 + Self::image_place(t);
        self.values.matrix[place as usize] = sum;
        self.done += 1;
        self.memory.matrix.at(place)
    }

    fn is_bottom(&self, t: &Thread) -> bool {
        t.strip + t.pixel().1 + 1 == t.tile.height && t.tile.row + 1 < self.grid.rows
    }

    fn is_right(&self, t: &Thread) -> bool {
        t.pixel().0 + 1 == t.tile.width && t.tile.column + 1 < self.grid.columns
    }

    fn store_bottom(&mut self, t: &mut Thread) -> u64 {
        let (column, _) = t.pixel();
        self.store_below(t, column, t.v[V_WORD])
    }

    fn store_right_edge(&mut self, t: &mut Thread) -> u64 {
        let (_, row) = t.pixel();
        self.store_right(t, t.strip + row, t.v[V_WORD])
    }
}
