//! How a matrix falls into tiles, tiles into levels, and the cells of a tile into anti-diagonals (workloads-B1, workloads-B3).

/// A matrix in tiles. Tile (i, j) is in column i and row j; its number is `j * columns + i`, its level `i + j`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Columns of tiles.
    pub columns: u32,
    /// Rows of tiles.
    pub rows: u32,
    /// Columns of the matrix.
    pub width: u32,
    /// Rows of the matrix.
    pub height: u32,
    tiles: Vec<Tile>,
    /// Numbers of the tiles, level by level, ascending within a level.
    by_level: Vec<u32>,
    /// Where each level starts in `by_level`, and the end of the last.
    starts: Vec<u32>,
}

/// A tile: the work of one TB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tile {
    /// Its column and row among the tiles.
    pub column: u32,
    /// Its row among the tiles.
    pub row: u32,
    /// Column of its first cell in the matrix.
    pub x: u32,
    /// Row of its first cell in the matrix.
    pub y: u32,
    /// Cells in a row of it.
    pub width: u32,
    /// Cells in a column of it.
    pub height: u32,
    /// Cells of the tiles with lower numbers: they lie before it in memory.
    pub base: u32,
}

impl Grid {
    /// Tile i has columns `floor(i*W/g)` to `floor((i+1)*W/g) - 1`; rows likewise.
    pub fn new(columns: u32, rows: u32, width: u32, height: u32) -> Self {
        let cuts = |tiles: u32, cells: u32| -> Vec<u32> {
            (0..=u64::from(tiles)).map(|i| (i * u64::from(cells) / u64::from(tiles)) as u32).collect()
        };
        let (xs, ys) = (cuts(columns, width), cuts(rows, height));
        let mut tiles = Vec::with_capacity((columns * rows) as usize);
        let mut base = 0;
        for (row, y) in (0..rows).zip(ys.windows(2)) {
            for (column, x) in (0..columns).zip(xs.windows(2)) {
                let (width, height) = (x[1] - x[0], y[1] - y[0]);
                tiles.push(Tile { column, row, x: x[0], y: y[0], width, height, base });
                base += width * height;
            }
        }
        let mut by_level: Vec<u32> = (0..columns * rows).collect();
        by_level.sort_by_key(|&number| tiles[number as usize].level());
        let starts = (0..columns + rows)
            .map(|level| by_level.partition_point(|&number| tiles[number as usize].level() < level) as u32)
            .collect();
        Self { columns, rows, width, height, tiles, by_level, starts }
    }

    /// Number of levels.
    pub fn levels(&self) -> u32 {
        self.columns + self.rows - 1
    }

    /// The tiles by number.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// Numbers of the tiles of a level, ascending.
    pub fn level(&self, level: u32) -> &[u32] {
        let cut = |level: u32| self.starts[level as usize] as usize;
        &self.by_level[cut(level)..cut(level + 1)]
    }

    /// Cells of the matrix.
    pub fn cells(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Where each cell of the matrix lies in memory, row by row; `place` is its place within its tile.
    pub fn row_major(&self, place: fn(&Tile, u32, u32) -> u32) -> impl Iterator<Item = u32> + Clone {
        let columns = self.columns as usize;
        self.tiles.chunks(columns).flat_map(move |row| {
            let height = row.first().map_or(0, |tile| tile.height);
            (0..height).flat_map(move |y| {
                row.iter().flat_map(move |tile| (0..tile.width).map(move |x| tile.base + place(tile, x, y)))
            })
        })
    }
}

impl Tile {
    /// Its level: tiles of a level do not depend on each other.
    pub const fn level(&self) -> u32 {
        self.column + self.row
    }

    /// Its anti-diagonals: diagonal d has the cells (x, y) with x + y = d.
    pub const fn diagonals(&self) -> u32 {
        self.width + self.height - 1
    }

    /// The first row that a diagonal crosses, and its number of cells, by rising row.
    pub const fn diagonal(&self, d: u32) -> (u32, u32) {
        let first = d.saturating_sub(self.width - 1);
        let last = if d < self.height { d } else { self.height - 1 };
        (first, (last + 1).saturating_sub(first))
    }

    /// Cells on the diagonals before `d`.
    pub const fn before_diagonal(&self, d: u32) -> u32 {
        let (short, long) =
            if self.width < self.height { (self.width, self.height) } else { (self.height, self.width) };
        if d <= short {
            d * (d + 1) / 2
        } else if d <= long {
            short * (short + 1) / 2 + (d - short) * short
        } else {
            let left = self.diagonals() - d;
            self.width * self.height - left * (left + 1) / 2
        }
    }

    /// Place of a cell within the tile, diagonal by diagonal.
    pub fn diagonal_order(&self, x: u32, y: u32) -> u32 {
        self.before_diagonal(x + y) + y - self.diagonal(x + y).0
    }

    /// Place of a cell within the tile, row by row.
    pub fn row_order(&self, x: u32, y: u32) -> u32 {
        y * self.width + x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_the_matrix_without_gaps() {
        let grid = Grid::new(3, 2, 10, 7);
        let of = |t: &Tile| (t.x, t.y, t.width, t.height, t.base);
        let tiles: Vec<_> = grid.tiles().iter().map(of).collect();
        assert_eq!(tiles[..3], [(0, 0, 3, 3, 0), (3, 0, 3, 3, 9), (6, 0, 4, 3, 18)]);
        assert_eq!(tiles[3..], [(0, 3, 3, 4, 30), (3, 3, 3, 4, 42), (6, 3, 4, 4, 54)]);
        for place in [Tile::diagonal_order, Tile::row_order] {
            let mut cells: Vec<_> = grid.row_major(place).collect();
            assert_eq!(cells.len(), 70);
            cells.sort_unstable();
            assert!(cells.iter().copied().eq(0..70), "{cells:?}");
        }
    }

    #[test]
    fn levels_are_the_anti_diagonals_of_tiles() {
        let grid = Grid::new(3, 2, 10, 7);
        assert_eq!((0..grid.levels()).map(|l| grid.level(l)).collect::<Vec<_>>(), [&[0][..], &[1, 3], &[2, 4], &[5]]);
        // The sheet's figures for square graphs.
        for (g, levels) in [(32, 63), (64, 127), (96, 191)] {
            let grid = Grid::new(g, g, g, g);
            assert_eq!(grid.levels(), levels);
            assert_eq!((0..levels).map(|l| grid.level(l).len()).max(), Some(g as usize));
        }
    }

    #[test]
    fn cells_of_a_diagonal_lie_side_by_side_by_rising_row() {
        for (width, height) in [(1, 1), (1, 5), (5, 1), (4, 3), (3, 4), (6, 6)] {
            let tile = Tile { width, height, ..Tile::default() };
            let mut next = 0;
            for d in 0..tile.diagonals() {
                assert_eq!(tile.before_diagonal(d), next);
                let (first, count) = tile.diagonal(d);
                for y in first..first + count {
                    assert_eq!(tile.diagonal_order(d - y, y), next);
                    next += 1;
                }
            }
            assert_eq!((next, tile.diagonal(tile.diagonals()).1), (width * height, 0));
        }
    }
}
