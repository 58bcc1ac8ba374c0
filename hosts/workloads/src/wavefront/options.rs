//! Which wavefront, in which version, and of what size.

use crate::SetupError;
use crate::named::{UnknownWord, named};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The six algorithms (workloads-B1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaveKind {
    /// Dynamic time warping: the distance of two series.
    Dtw,
    /// Smith-Waterman: local alignment of two strings.
    Sw,
    /// A Gauss-Seidel sweep over a plate.
    Heat2d,
    /// A sweep of successive over-relaxation.
    Sor,
    /// Integral image.
    IntImg,
    /// Integral histogram.
    Hist,
}

impl WaveKind {
    /// All of them, in the order of the sheet.
    pub const ALL: [Self; 6] = [Self::Dtw, Self::Sw, Self::Heat2d, Self::Sor, Self::IntImg, Self::Hist];

    /// Columns and rows of the source's matrix.
    #[must_use]
    pub const fn source_size(self) -> (u32, u32) {
        match self {
            Self::Dtw => (12 * 1024, 8 * 1024),
            Self::Sw => (8 * 1024, 8 * 1024),
            Self::Heat2d | Self::Sor => (12 * 1024, 12 * 1024),
            Self::IntImg | Self::Hist => (4160, 3120),
        }
    }

    /// Matrices of results, one behind the other.
    #[must_use]
    pub const fn planes(self) -> u32 {
        if matches!(self, Self::Hist) { 8 } else { 1 }
    }

    /// Whether a tile is scanned by rows and columns, rather than walked diagonal by diagonal.
    pub(super) const fn is_scan(self) -> bool {
        matches!(self, Self::IntImg | Self::Hist)
    }

    /// Whether a cell reads the old values of its E and S neighbours.
    pub(super) const fn is_stencil(self) -> bool {
        matches!(self, Self::Heat2d | Self::Sor)
    }
}

impl fmt::Display for WaveKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Dtw => "dtw",
            Self::Sw => "sw",
            Self::Heat2d => "heat2d",
            Self::Sor => "sor",
            Self::IntImg => "int_img",
            Self::Hist => "hist",
        })
    }
}

/// How a wavefront is launched (workloads-B6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Version {
    /// The host launches a kernel per level and waits for its end.
    Global,
    /// One parent TB launches a kernel per level and synchronises with it.
    Cdp,
    /// One launch with barriers between consecutive levels.
    DepLinks,
    /// One launch with the dependencies of each tile; TBs in the order of their VIDs.
    Lrr,
    /// The same, within a bound on levels.
    Lvl,
}

impl Version {
    /// All of them, the base first.
    pub const ALL: [Self; 5] = [Self::Global, Self::Cdp, Self::DepLinks, Self::Lrr, Self::Lvl];

    /// Whether the TBs of one launch have a dependency graph.
    #[must_use]
    pub const fn has_graph(self) -> bool {
        matches!(self, Self::DepLinks | Self::Lrr | Self::Lvl)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Global => "global",
            Self::Cdp => "cdp",
            Self::DepLinks => "deplinks",
            Self::Lrr => "lrr",
            Self::Lvl => "lvl",
        })
    }
}

impl FromStr for WaveKind {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        named("", Self::ALL, word, "dtw, sw, heat2d, sor, int_img or hist")
    }
}

impl FromStr for Version {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        named("", Self::ALL, word, "global, cdp, deplinks, lrr or lvl")
    }
}

/// What a barrier between two levels is made of (workloads-B8, dats-H5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Barriers {
    /// Direct edges up to levels of 32 tiles, relay TBs beyond.
    #[default]
    Auto,
    /// An edge from every tile of a level to every tile of the next.
    Edges,
    /// An empty relay TB between two levels: an edge from every tile before, and one to every tile behind.
    Node,
}

/// Size and launches of a wavefront. The defaults are the sheet's: 64 x 64 tiles, a quarter of the source's side, and launches 16
/// times as fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WaveOptions {
    /// Columns of tiles, 1 or more.
    pub columns: u32,
    /// Rows of tiles, 1 or more.
    pub rows: u32,
    /// What the sides of the source's matrix are divided by, 1 or more.
    pub divide: u32,
    /// Columns of the matrix, at least one per column of tiles; 0 = the source's, divided.
    pub width: u32,
    /// Rows of the matrix, at least one per row of tiles; 0 = the source's, divided.
    pub height: u32,
    /// Seed of the inputs.
    pub seed: u64,
    /// What all launch latencies are divided by, 1 or more (workloads-B9). A quarter of the side needs 16 for the same compute : launch.
    pub launch_scale: u32,
    /// Cycles of a host launch, before scaling.
    pub host_launch: u32,
    /// Cycles from a device launch in `cdp` to the first TB of the level, before scaling; the dispatch by the KMU is part of it.
    pub nested_launch: u32,
    /// What barriers of `deplinks` are.
    pub barriers: Barriers,
    /// The bound of `lvl`: levels that executing tiles may be apart.
    pub bound: u16,
}

impl Default for WaveOptions {
    fn default() -> Self {
        Self {
            columns: 64,
            rows: 64,
            divide: 4,
            width: 0,
            height: 0,
            seed: 1,
            launch_scale: 16,
            host_launch: 21_000,
            nested_launch: 14_062,
            barriers: Barriers::default(),
            bound: 3,
        }
    }
}

/// Most tiles on a side, and most cells of all matrices.
const MOST_TILES: u32 = 4096;
const MOST_CELLS: u64 = 1 << 31;

impl WaveOptions {
    /// The source's sizes and launches, with `side` x `side` tiles.
    #[must_use]
    pub fn full(side: u32) -> Self {
        Self { columns: side, rows: side, divide: 1, launch_scale: 1, ..Self::default() }
    }

    /// Columns and rows of the matrix.
    #[must_use]
    pub fn size(&self, kind: WaveKind) -> (u32, u32) {
        let (width, height) = kind.source_size();
        let side = |own: u32, source: u32| if own == 0 { source / self.divide.max(1) } else { own };
        (side(self.width, width), side(self.height, height))
    }

    /// About the bytes that a run holds: its matrix, the one that it is verified against, an input of each cell, and the borders of tiles.
    #[must_use]
    pub fn memory(&self, kind: WaveKind) -> u64 {
        let (width, height) = self.size(kind);
        let [width, height, planes, columns, rows] =
            [width, height, kind.planes(), self.columns, self.rows].map(u128::from);
        let words = planes * (3 * width * height + (rows + 1) * (width + 1) + (columns + 1) * height);
        u64::try_from(4 * words).unwrap_or(u64::MAX)
    }

    pub(super) fn check(&self, kind: WaveKind) -> Result<(), SetupError> {
        let refuse = |wrong: bool, option, expected, found: u32| {
            if wrong { Err(SetupError::Option { option, expected, found: found.into() }) } else { Ok(()) }
        };
        let tiles = 1..=MOST_TILES;
        refuse(!tiles.contains(&self.columns), "columns", "1 to 4096 tiles", self.columns)?;
        refuse(!tiles.contains(&self.rows), "rows", "1 to 4096 tiles", self.rows)?;
        refuse(self.divide == 0, "divide", "1 or more", 0)?;
        refuse(self.launch_scale == 0, "launch_scale", "1 or more", 0)?;
        let (width, height) = self.size(kind);
        refuse(width < self.columns, "width", "a column of cells or more for each column of tiles", width)?;
        refuse(height < self.rows, "height", "a row of cells or more for each row of tiles", height)?;
        let cells = (u64::from(width) * u64::from(height)).saturating_mul(kind.planes().into());
        if cells > MOST_CELLS {
            let option = if height > width { "height" } else { "width" };
            return Err(SetupError::Option { option, expected: "at most 2^31 cells in all", found: cells });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_everywhere() {
        #[derive(Deserialize)]
        struct File {
            kind: WaveKind,
            version: Version,
        }
        for (kind, version) in WaveKind::ALL.into_iter().zip(Version::ALL.into_iter().cycle()) {
            assert_eq!((kind.to_string().parse(), version.to_string().parse()), (Ok(kind), Ok(version)));
            let file: File = toml::from_str(&format!("kind = \"{kind}\"\nversion = \"{version}\"")).unwrap();
            assert_eq!((file.kind, file.version), (kind, version));
        }
        assert_eq!(
            "DTW".parse::<WaveKind>().unwrap_err().to_string(),
            "`DTW`: expected dtw, sw, heat2d, sor, int_img or hist"
        );
        assert!("dep".parse::<Version>().unwrap_err().to_string().contains("deplinks"));
    }

    #[test]
    fn options_read_from_toml_and_reject_what_they_do_not_know() {
        let read = toml::from_str::<WaveOptions>;
        assert_eq!(read("").unwrap(), WaveOptions::default());
        let some = read("columns = 96\nbarriers = 'node'\nlaunch_scale = 1").unwrap();
        let wanted = WaveOptions { columns: 96, barriers: Barriers::Node, launch_scale: 1, ..WaveOptions::default() };
        assert_eq!(some, wanted);
        assert!(read("colums = 96").unwrap_err().to_string().contains("colums"));
    }

    #[test]
    fn sizes_follow_the_source_and_what_does_not_fit_is_refused_by_name() {
        let default = WaveOptions::default();
        assert_eq!(default.size(WaveKind::Dtw), (3072, 2048));
        assert_eq!(WaveOptions::full(96).size(WaveKind::Hist), (4160, 3120));
        assert_eq!(WaveOptions { width: 99, ..default }.size(WaveKind::Sw), (99, 2048));
        let error = |options: WaveOptions, kind| options.check(kind).unwrap_err().to_string();
        assert_eq!(
            error(WaveOptions { rows: 0, ..default }, WaveKind::Sw),
            "option `rows`: expected 1 to 4096 tiles, found 0"
        );
        assert_eq!(
            error(WaveOptions { divide: 0, ..default }, WaveKind::Sw),
            "option `divide`: expected 1 or more, found 0"
        );
        assert_eq!(
            error(WaveOptions { launch_scale: 0, ..default }, WaveKind::Sw),
            "option `launch_scale`: expected 1 or more, found 0"
        );
        assert_eq!(
            error(WaveOptions { height: 63, ..default }, WaveKind::Sw),
            "option `height`: expected a row of cells or more for each row of tiles, found 63"
        );
        assert_eq!(
            error(WaveOptions { width: 1 << 20, height: 1 << 20, ..default }, WaveKind::Dtw),
            "option `width`: expected at most 2^31 cells in all, found 1099511627776"
        );
    }
}
