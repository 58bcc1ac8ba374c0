//! The flame that is refined, and how far (workloads-AM1, workloads-AM2).

use super::{Cell, reference};
use crate::graph::hash;
use crate::{SetupError, check_range};
use serde::{Deserialize, Serialize};

/// Most cells of a pool.
const MOST_CELLS: u64 = 1 << 24;
/// Bytes that a run keeps of a cell: in the pool, and twice when the result is compared.
const CELL_BYTES: u64 = 20 + 2 * 16;

/// Size of a mesh. The defaults are the sheet's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AmrOptions {
    /// Cells along a side of the base grid: a power of two, 1 to 128. The source's size is 64.
    pub side: u32,
    /// How often a cell of the base grid may be refined, 0 to 3.
    pub depth: u32,
    /// Integer instructions that each launching lane spends in the launch call, alone (workloads-W6).
    pub launch_insts: u32,
    /// Seed of the noise.
    pub seed: u64,
}

impl Default for AmrOptions {
    fn default() -> Self {
        Self { side: 32, depth: 2, launch_insts: 0, seed: 1 }
    }
}

impl AmrOptions {
    pub(super) fn check(&self) -> Result<(), SetupError> {
        self.check_ranges()?;
        let found = self.cells();
        if found > MOST_CELLS {
            return Err(SetupError::Option { option: "depth", expected: "at most 2^24 cells in all", found });
        }
        Ok(())
    }

    fn check_ranges(&self) -> Result<(), SetupError> {
        let expected = "a power of two, 1 to 128 cells";
        check_range("side", self.side, 1..=128, expected)?;
        if !self.side.is_power_of_two() {
            return Err(SetupError::Option { option: "side", expected, found: self.side.into() });
        }
        check_range("depth", self.depth, 0..=3, "0 to 3 levels")?;
        // The noise takes no more of a seed.
        match self.seed >> 24 {
            0 => Ok(()),
            _ => Err(SetupError::Option { option: "seed", expected: "a seed below 2^24", found: self.seed }),
        }
    }

    /// Cells of the base grid.
    pub(super) const fn base(&self) -> u32 {
        self.side * self.side
    }

    /// Cells in the end; none with an option out of range.
    #[must_use]
    pub fn cells(&self) -> u64 {
        self.check_ranges().map_or(0, |()| reference::count(self))
    }

    /// Bytes that a run of it takes, about.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.cells() * CELL_BYTES
    }

    /// A cell of the base grid, row by row.
    pub(super) fn base_cell(&self, cell: u32) -> Cell {
        let along = |place: u32| (place as f32 + 0.5) / self.side as f32;
        let at = [along(cell % self.side), along(cell / self.side)];
        Cell { temperature: self.temperature(at), at, ..Cell::default() }
    }

    /// The middle of cell number `number` of the refinement of a cell. Sides are powers of two, so that nothing is rounded.
    pub(super) fn refined(&self, [x, y]: [f32; 2], level: u32, number: u32) -> [f32; 2] {
        let eighth = 1.0 / ((8 * self.side) << (3 * level)) as f32;
        let along = |middle: f32, place: u32| middle + (place as f32 - 3.5) * eighth;
        [along(x, number % 8), along(y, number / 8)]
    }

    /// The mean temperature of a cell with its middle there: a ring of fire, with noise.
    pub(super) fn temperature(&self, [x, y]: [f32; 2]) -> f32 {
        let (dx, dy) = (x - 0.5, y - 0.5);
        let from_front = ((dx * dx + dy * dy).sqrt() - 0.3) * 50.0;
        let [column, row] = [x, y].map(|place| (place * 1_048_576.0) as u64);
        let noise = hash((column << 20 | row) ^ self.seed << 40) >> 40;
        300.0 + 1700.0 / (1.0 + from_front * from_front) + (noise as f32 * (10.0 / 16_777_216.0) - 5.0)
    }
}
