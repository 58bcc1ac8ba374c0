//! Who takes the tiles of a product, and which product (workloads-FK13).

use super::{MOST_SIDE, STEP, TB_THREADS, TILE_COLUMNS, check_multiple};
use crate::named::{UnknownWord, named};
use crate::{SetupError, check_range};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The way from tiles of C to TBs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dispatch {
    /// A TB for each tile: the machine sends them.
    #[default]
    Hardware,
    /// As many TBs as the machine holds take tiles from a queue.
    Persistent,
    /// As many TBs as the machine holds do equal shares of the steps of all tiles, and put tiles together that they share (Stream-K).
    StreamK,
}

impl Dispatch {
    /// All of them, in the usual order.
    pub const ALL: [Self; 3] = [Self::Hardware, Self::Persistent, Self::StreamK];

    /// TBs of the kernel where a wave has so many.
    pub(super) fn tbs(self, wave: u32, tiles: u32, steps: u32) -> u32 {
        match self {
            Self::Hardware => tiles,
            Self::Persistent => wave.clamp(1, tiles),
            Self::StreamK => wave.clamp(1, tiles.saturating_mul(steps)),
        }
    }
}

impl fmt::Display for Dispatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Hardware => "hardware",
            Self::Persistent => "persistent",
            Self::StreamK => "stream-k",
        })
    }
}

impl FromStr for Dispatch {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        named("dispatch ", Self::ALL, word, "hardware, persistent or stream-k")
    }
}

/// Size of a product in tiles. The defaults are the sheet's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GemmOptions {
    /// Columns of tiles: 16 columns of C each.
    pub columns: u32,
    /// Rows of tiles: 128 rows of C each.
    pub rows: u32,
    /// Columns of A and B: a multiple of 8, up to 16384. A step of a tile takes 8.
    pub inner: u32,
    /// Seed of the matrices.
    pub seed: u64,
}

impl Default for GemmOptions {
    fn default() -> Self {
        Self { columns: 43, rows: 4, inner: 256, seed: 1 }
    }
}

impl GemmOptions {
    pub(super) fn check(&self) -> Result<(), SetupError> {
        check_range("columns", self.columns, 1..=MOST_SIDE / TILE_COLUMNS, "1 to 1024 columns of tiles")?;
        check_range("rows", self.rows, 1..=MOST_SIDE / TB_THREADS, "1 to 128 rows of tiles")?;
        check_multiple("inner", self.inner, STEP, "a multiple of 8, up to 16384")
    }

    /// Tiles of C.
    #[must_use]
    pub const fn tiles(&self) -> u32 {
        self.columns.saturating_mul(self.rows)
    }

    /// Bytes that a run of it takes, about: the matrices, and what is wanted of the last one.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let [rows, columns, inner] = [self.rows, self.columns, self.inner].map(u128::from);
        let (m, n) = (rows * u128::from(TB_THREADS), columns * u128::from(TILE_COLUMNS));
        u64::try_from(4 * (m * inner + n * inner + 2 * m * n)).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_everywhere() {
        #[derive(Deserialize)]
        struct File {
            dispatch: Dispatch,
        }
        for way in Dispatch::ALL {
            assert_eq!(way.to_string().parse(), Ok(way));
            let file: File = toml::from_str(&format!("dispatch = \"{way}\"")).unwrap();
            assert_eq!(file.dispatch, way);
        }
        let error = "streamk".parse::<Dispatch>().unwrap_err().to_string();
        assert_eq!(error, "dispatch `streamk`: expected hardware, persistent or stream-k");
    }

    #[test]
    fn a_kernel_has_no_more_tbs_than_there_is_work_for() {
        let tbs = |wave| Dispatch::ALL.map(|way| way.tbs(wave, 10, 4));
        assert_eq!(tbs(8), [10, 8, 8]);
        assert_eq!(tbs(16), [10, 10, 16]);
        assert_eq!(tbs(100), [10, 10, 40]);
        assert_eq!(tbs(0), [10, 1, 1], "a machine that holds none refuses the one that asks");
    }

    #[test]
    fn sizes_out_of_range_are_refused() {
        let default = GemmOptions::default();
        let error = |options: GemmOptions| options.check().unwrap_err().to_string();
        for (options, wanted) in [
            (GemmOptions { columns: 0, ..default }, "option `columns`: expected 1 to 1024 columns of tiles, found 0"),
            (GemmOptions { rows: 129, ..default }, "option `rows`: expected 1 to 128 rows of tiles, found 129"),
            (GemmOptions { inner: 12, ..default }, "option `inner`: expected a multiple of 8, up to 16384, found 12"),
        ] {
            assert_eq!(error(options), wanted);
        }
        assert_eq!((default.check(), default.tiles()), (Ok(()), 172));
    }
}
