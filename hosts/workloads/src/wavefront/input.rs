//! What the wavefronts work on, and what lies outside the matrix (workloads-B2, workloads-W12). Everything is drawn from one seed.

use super::WaveKind;
use super::grid::{Grid, Tile};
use crate::graph::{SplitMix64, hash};

/// The arrays of a wavefront as values; floats as their bits. Arrays that a wavefront does not have are empty.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// The result, tile by tile; heat2d and sor begin with the old values there.
    pub matrix: Vec<u32>,
    /// The last row of every row of tiles, with what is on its left; the first is outside the matrix.
    pub row_border: Vec<u32>,
    /// The last column of every column of tiles; the first is outside the matrix.
    pub column_border: Vec<u32>,
    /// dtw, sw: the first series or string. heat2d, sor: the old first row of every row of tiles; the last is outside.
    pub across: Vec<u32>,
    /// dtw, sw: the second series or string. heat2d, sor: the old first column of every column of tiles; the last is outside.
    pub down: Vec<u32>,
    /// sor: the right-hand side, tile by tile.
    pub force: Vec<u32>,
    /// int_img, hist: the pixels, tile by tile.
    pub image: Vec<u8>,
    /// sw: best score and its place, of each tile.
    pub best: Vec<u32>,
}

/// A number below 100 from a seed and a cell.
const fn random_cell(seed: u64, cell: u64) -> f32 {
    (hash(seed ^ hash(cell)) >> 40) as f32 * (100.0 / 16_777_216.0)
}

/// The old value of a cell of heat2d or sor.
pub fn old_value(seed: u64, grid: &Grid, x: u32, y: u32) -> f32 {
    random_cell(seed, u64::from(y) * u64::from(grid.width) + u64::from(x))
}

/// The right-hand side of a cell of sor.
pub fn force(seed: u64, grid: &Grid, x: u32, y: u32) -> f32 {
    random_cell(!seed, u64::from(y) * u64::from(grid.width) + u64::from(x))
}

/// A pixel.
pub fn pixel(seed: u64, grid: &Grid, x: u32, y: u32) -> u8 {
    hash(seed ^ hash(u64::from(y) * u64::from(grid.width) + u64::from(x))) as u8
}

/// A random walk of steps from -1 to 1, of 16 bits each.
fn random_walk(stream: &mut SplitMix64, len: u32) -> Vec<u32> {
    let mut at = 0.0f32;
    let mut step = || {
        at += (stream.below(65536) as f32 - 32768.0) * (1.0 / 32768.0);
        at.to_bits()
    };
    (0..len).map(|_| step()).collect()
}

impl Values {
    pub fn new(kind: WaveKind, grid: &Grid, seed: u64) -> Self {
        let &Grid { columns, rows, width, height, .. } = grid;
        let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let planes = u64::from(kind.planes());
        let product = |a: u32, b: u32, c: u32| size(u64::from(a) * u64::from(b) * u64::from(c));
        let mut values = Self {
            matrix: vec![0; size(planes * grid.cells())],
            row_border: vec![0; product(kind.planes(), rows + 1, width + 1)],
            column_border: vec![0; product(kind.planes(), columns + 1, height)],
            ..Self::default()
        };
        let mut stream = SplitMix64::new(seed);
        match kind {
            WaveKind::Dtw => {
                values.row_border.iter_mut().take(width as usize + 1).for_each(|d| *d = f32::INFINITY.to_bits());
                values.row_border.iter_mut().step_by(width as usize + 1).for_each(|d| *d = f32::INFINITY.to_bits());
                values.row_border[0] = 0;
                values.column_border.iter_mut().take(height as usize).for_each(|d| *d = f32::INFINITY.to_bits());
                values.across = random_walk(&mut stream, width);
                values.down = random_walk(&mut stream, height);
            }
            WaveKind::Sw => {
                values.across = (0..width).map(|_| stream.below(4) as u32).collect();
                let mutated = |letter: u32| match stream.below(10) {
                    0 => (letter + 1 + stream.below(3) as u32) % 4,
                    _ => letter,
                };
                values.down = values.across.iter().copied().cycle().take(height as usize).map(mutated).collect();
                values.best = vec![0; product(columns, rows, 2)];
            }
            WaveKind::Heat2d | WaveKind::Sor => {
                let old = |x, y| old_value(seed, grid, x, y).to_bits();
                values.matrix = by_tile(grid, Tile::diagonal_order, old);
                values.across = vec![0; product(rows + 1, width, 1)];
                values.down = vec![0; product(columns + 1, height, 1)];
                for tile in grid.tiles() {
                    for x in tile.x..tile.x + tile.width {
                        values.across[product(tile.row, width, 1) + x as usize] = old(x, tile.y);
                    }
                    for y in tile.y..tile.y + tile.height {
                        values.down[product(tile.column, height, 1) + y as usize] = old(tile.x, y);
                    }
                }
                if kind == WaveKind::Sor {
                    values.force = by_tile(grid, Tile::diagonal_order, |x, y| force(seed, grid, x, y).to_bits());
                }
            }
            WaveKind::IntImg | WaveKind::Hist => {
                values.image = by_tile(grid, Tile::row_order, |x, y| pixel(seed, grid, x, y));
            }
        }
        values
    }
}

/// The values of all cells in the order of memory.
fn by_tile<T: Copy + Default>(grid: &Grid, place: fn(&Tile, u32, u32) -> u32, value: impl Fn(u32, u32) -> T) -> Vec<T> {
    let mut all = vec![T::default(); grid.cells() as usize];
    for tile in grid.tiles() {
        for y in 0..tile.height {
            for x in 0..tile.width {
                all[(tile.base + place(tile, x, y)) as usize] = value(tile.x + x, tile.y + y);
            }
        }
    }
    all
}
