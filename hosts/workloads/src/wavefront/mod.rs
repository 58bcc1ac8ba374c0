//! Wavefronts over tiles (workloads-B1 to B9): dynamic time warping, Smith-Waterman, a heat sweep, over-relaxation, an integral image
//! and an integral histogram, each cell of which needs its W and N neighbours.
//!
//! A tile is the work of one TB. Tiles of a level, an anti-diagonal of tiles, do not depend on each other. Five [`Version`]s run
//! the same tiles:
//!
//! | | launches | a tile waits for |
//! |---|---|---|
//! | `global` | one by the host per level | the level before: the host waits |
//! | `cdp` | one per level by a parent TB that synchronises, and is suspended meanwhile (refgpu-V1) | the level before |
//! | `deplinks` | one, with a graph of barriers | the level before |
//! | `lrr`, `lvl` | one, with the graph of W and N | its W and N tiles |
//!
//! `grid.rs` has the geometry, `diagonal.rs` and `scan.rs` the two ways through a tile, a file each wavefront's list and cell,
//! `graph.rs` the dependencies, `machine.rs` what a version asks of the machine. The last row and column of a tile are kept in
//! arrays of their own, in order, for the tiles that read them; the matrix itself lies tile by tile.
//!
//! ```
//! use gpusched_refgpu::config::GpuConfig;
//! use gpusched_refgpu::gpu::Gpu;
//! use gpusched_workloads::{Version, Wave, WaveKind, WaveOptions};
//!
//! let options = WaveOptions { columns: 4, rows: 4, width: 64, height: 48, ..WaveOptions::default() };
//! let mut wave = Wave::new(WaveKind::Dtw, Version::Cdp, options)?;
//! let (config, run) = wave.machine(&GpuConfig::preset("gtx480")?)?;
//! let result = Gpu::new(&config, run)?.run(&mut wave, &mut ())?;
//! wave.check()?;
//! assert_eq!(result.stats.sm.tbs, 16 + 1 + 7); // the parent comes back after each of the 7 levels
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod diagonal;
mod dtw;
mod graph;
mod grid;
mod heat2d;
mod input;
mod machine;
mod options;
mod reference;
mod scan;
mod sor;
mod sw;
mod thread;

pub use options::{Barriers, Version, WaveKind, WaveOptions};
pub use thread::Thread;

use super::device::{Child, Device, Resources, host_kernel, slot_of};
use super::list::Item::{I, If, Launch, Pick, Receive, Sync, While};
use super::list::{Algorithm, List, Place};
use super::{Array, LaunchOptions, Layout, SetupError, Verified, WrongResult, verify};
use gpusched::Descriptor;
use gpusched::dats::{Admission, admit};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::lanes::WARP;
use gpusched_refgpu::program::{TbContext, TbGraph};
use graph::Dependencies;
use grid::{Grid, Tile};
use input::Values;
use thread::TB_THREADS;

const REGISTERS: u32 = 20;
/// The most shared memory that a TB may have.
const MOST_SHARED: u32 = 48 * 1024;

/// A wavefront in progress.
#[derive(Clone, Debug)]
pub struct Wave {
    kind: WaveKind,
    version: Version,
    options: WaveOptions,
    grid: Grid,
    memory: Memory,
    values: Values,
    device: Device<Level>,
    dependencies: Option<Dependencies>,
    /// Bytes of shared memory of a TB.
    shared_bytes: u32,
    /// The level that the running kernel is for, in version `global`, and the next to launch.
    level: u32,
    next_level: u32,
    /// Cells computed.
    done: u64,
}

/// The parameter of a child: its level.
type Level = u32;

/// Where the arrays lie.
#[derive(Clone, Debug)]
struct Memory {
    matrix: Array,
    row_border: Array,
    column_border: Array,
    across: Array,
    down: Array,
    force: Array,
    image: Array,
    best: Array,
}

impl Memory {
    fn new(values: &Values, layout: &mut Layout) -> Result<Self, SetupError> {
        let mut words = |values: &[u32]| layout.words(values.len() as u64);
        Ok(Self {
            matrix: words(&values.matrix)?,
            row_border: words(&values.row_border)?,
            column_border: words(&values.column_border)?,
            across: words(&values.across)?,
            down: words(&values.down)?,
            force: words(&values.force)?,
            best: words(&values.best)?,
            image: layout.array(values.image.len() as u64, 1)?,
        })
    }
}

/// A TB of a tile, launched by the host. One without a tile has nothing to do.
const TILE: List<Wave> = &[If(0, Wave::has_tile, 0, &[I(4, 0, 0), Pick(Wave::tile_list)])];
/// The same, launched by the parent of `cdp`.
const CHILD: List<Wave> = &[I(3, 0, 0), Receive(0, 1 << 1), I(1, 1 << 1, 0), Pick(Wave::tile_list)];
/// The parent.
const PARENT: List<Wave> = &[If(2, Wave::is_first_thread, 0, &[While(2, Wave::has_level, 0, &[Launch(0), Sync])])];

impl Wave {
    /// The wavefront `kind`, run as `version`, with input of its own.
    ///
    /// # Errors
    /// [`SetupError`]: an option out of range, tiles too big for shared memory, or a matrix too big for the address space.
    pub fn new(kind: WaveKind, version: Version, options: WaveOptions) -> Result<Self, SetupError> {
        options.check(kind)?;
        let (width, height) = options.size(kind);
        let grid = Grid::new(options.columns, options.rows, width, height);
        let shared_bytes = shared_bytes(kind, &grid)?;
        let values = Values::new(kind, &grid, options.seed);
        let mut layout = Layout::default();
        let memory = Memory::new(&values, &mut layout)?;
        let child = Resources { regs: REGISTERS, smem: shared_bytes / TB_THREADS };
        let device = Device::new(LaunchOptions::default(), child, &mut layout, 1)?;
        let dependencies = Dependencies::new(version, &options, &grid, &mut layout)?;
        Ok(Self {
            kind,
            version,
            options,
            grid,
            memory,
            values,
            device,
            dependencies,
            shared_bytes,
            level: 0,
            next_level: 0,
            done: 0,
        })
    }

    /// Which wavefront.
    #[must_use]
    pub const fn kind(&self) -> WaveKind {
        self.kind
    }

    /// How it is launched.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.version
    }

    /// Columns and rows of the matrix.
    #[must_use]
    pub const fn size(&self) -> (u32, u32) {
        (self.grid.width, self.grid.height)
    }

    /// Whether the graph of the launch could deadlock the dependency-graph buffer of a machine, if the version has a graph.
    #[must_use]
    pub fn admission(&self, config: &GpuConfig) -> Option<Admission> {
        let TbGraph { nodes, edges, .. } = &self.dependencies.as_ref()?.graph;
        admit(&config.dats.machine(&config.front_end()), nodes, edges, &mut vec![0; nodes.len()]).ok()
    }

    /// Levels of tiles.
    #[must_use]
    pub fn levels(&self) -> u32 {
        self.grid.levels()
    }

    /// Of sw: the best score so far, and the first place row by row that has it, as (score, x, y).
    #[must_use]
    pub fn best(&self) -> Option<(u32, u32, u32)> {
        let tiles = self.values.best.chunks_exact(2).map(|of| (of[0], of[1]));
        tiles.reduce(sw::better).map(|(score, place)| (score, place % self.grid.width, place / self.grid.width))
    }

    /// Compares the result with that of a sequential program, bit by bit.
    ///
    /// # Errors
    /// [`WrongResult`] with the first cell that differs, row by row.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let place = if self.kind.is_scan() { Tile::row_order } else { Tile::diagonal_order };
        let cells = self.grid.cells() as usize;
        let planes = self.values.matrix.chunks(cells);
        let got = planes.flat_map(|plane| self.grid.row_major(place).map(|at| plane[at as usize]));
        let expected = || reference::expected(self.kind, &self.grid, &self.values, self.options.seed);
        let verified = verify("cell", got, expected())?;
        if let Some((score, x, y)) = self.best() {
            let best = expected().zip(0..).reduce(sw::better).unwrap_or_default();
            let (width, got) = (self.grid.width, (score, x, y));
            let want = (best.0, best.1 % width, best.1 / width);
            if got != want {
                let (got, want) = (format!("{got:?}"), format!("{want:?}"));
                return Err(WrongResult { place: "best (score, x, y)".into(), got, want });
            }
        }
        Ok(verified)
    }

    /// Index of the border above a row of tiles: that of the place before the first column.
    const fn row_border(&self, plane: u32, row: u32) -> u32 {
        (plane * (self.grid.rows + 1) + row) * (self.grid.width + 1)
    }

    /// Index of the border on the left of a column of tiles.
    const fn column_border(&self, plane: u32, column: u32) -> u32 {
        (plane * (self.grid.columns + 1) + column) * self.grid.height
    }

    /// `S`: a value of the last row of the thread's tile, at this column of it, for the tile below.
    fn store_below(&mut self, t: &Thread, column: u32, value: u32) -> u64 {
        let index = self.row_border(t.plane, t.tile.row + 1) + t.tile.x + column + 1;
        self.values.row_border[index as usize] = value;
        self.memory.row_border.at(index)
    }

    /// `S`: a value of the last column, at this row of it, for the tile on the right.
    fn store_right(&mut self, t: &Thread, row: u32, value: u32) -> u64 {
        let index = self.column_border(t.plane, t.tile.column + 1) + t.tile.y + row;
        self.values.column_border[index as usize] = value;
        self.memory.column_border.at(index)
    }

    fn tile_list(&self) -> List<Self> {
        match self.kind {
            WaveKind::Dtw => dtw::LIST,
            WaveKind::Sw => sw::LIST,
            WaveKind::Heat2d => heat2d::LIST,
            WaveKind::Sor => sor::LIST,
            WaveKind::IntImg => scan::INT_IMG,
            WaveKind::Hist => scan::HIST,
        }
    }

    /// The tile of a TB of the host's kernel.
    fn tile_of(&self, tb: u32) -> Option<Tile> {
        let number = match (&self.dependencies, self.version) {
            (Some(of), _) => of.tiles.get(tb as usize).copied().flatten(),
            (None, Version::Global) => self.grid.level(self.level).get(tb as usize).copied(),
            (None, _) => None,
        };
        number.map(|number| self.grid.tiles()[number as usize])
    }

    /// The kernel of a level, of so many TBs.
    fn kernel(&self, tbs: u32) -> Descriptor {
        host_kernel(0, tbs, TB_THREADS, Resources { regs: REGISTERS, smem: self.shared_bytes })
    }
}

/// Bytes of shared memory that a TB needs for any tile, in whole words of each thread, as children count them.
fn shared_bytes(kind: WaveKind, grid: &Grid) -> Result<u32, SetupError> {
    let refuse = |wrong: bool, option, expected, found| {
        if wrong { Err(SetupError::Option { option, expected, found }) } else { Ok(()) }
    };
    let widest = grid.tiles().iter().map(|tile| tile.width).max().unwrap_or(0);
    let wide = kind.is_scan() && widest > TB_THREADS;
    refuse(wide, "columns", "so many that no tile is wider than 256, a thread per column", grid.columns.into())?;
    let words = |tile: &Tile| match kind {
        WaveKind::IntImg | WaveKind::Hist => scan::shared_words(tile),
        WaveKind::Sw => diagonal::shared_words(tile, 3).max(sw::SHARED_WORDS),
        _ => diagonal::shared_words(tile, diagonal::ring_parts(kind.is_stencil())),
    };
    let words = grid.tiles().iter().map(words).max().unwrap_or(0);
    let bytes = (4 * words).next_multiple_of(TB_THREADS);
    refuse(bytes > MOST_SHARED, "columns", "so many, and rows, that a tile needs at most 48 KB", grid.columns.into())?;
    Ok(bytes)
}

impl Algorithm for Wave {
    type Thread = Thread;
    on_device!(Level);

    fn next_kernel(&mut self) -> Option<Descriptor> {
        match self.version {
            Version::Global => {
                self.level = self.next_level;
                self.next_level += 1;
                (self.level < self.grid.levels()).then(|| self.kernel(self.grid.level(self.level).len() as u32))
            }
            Version::Cdp => {
                self.next_level += 1;
                (self.next_level == 1).then(|| host_kernel(1, 1, WARP, Resources { regs: REGISTERS, smem: 0 }))
            }
            Version::DepLinks | Version::Lrr | Version::Lvl => {
                self.next_level += 1;
                let tbs = self.dependencies.as_ref().map(|of| of.graph.header.v)?;
                (self.next_level == 1).then(|| self.kernel(tbs))
            }
        }
    }

    fn dependencies(&self) -> Option<&TbGraph> {
        self.dependencies.as_ref().map(|of| &of.graph)
    }

    fn level(&self, tb: &TbContext) -> Option<u32> {
        match slot_of(tb.tag) {
            Some(slot) => Some(self.device.parameters(slot).parameters),
            None => self.tile_of(tb.blkid).map(|tile| tile.level()),
        }
    }

    fn list(&self, child: bool) -> List<Self> {
        match (self.version, child) {
            (_, true) => CHILD,
            (Version::Cdp, false) => PARENT,
            _ => TILE,
        }
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::at(place, self.tile_of(place.tb).unwrap_or_default())
    }

    fn give(&self, thread: &mut Thread) -> Child<Level> {
        let level = thread.level;
        thread.level += 1;
        let tiles = self.grid.level(level).len() as u32;
        Child { count: tiles * TB_THREADS, tb: TB_THREADS, parameters: level }
    }

    fn receive(&self, thread: &mut Thread, child: Child<Level>) {
        let number = self.grid.level(child.parameters)[thread.place.tb as usize];
        *thread = Thread::at(thread.place, self.grid.tiles()[number as usize]);
    }

    fn progress(&self) -> (u64, u64) {
        (self.done, self.values.matrix.len() as u64)
    }
}

#[cfg(test)]
mod tests;
