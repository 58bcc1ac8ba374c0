//! Adaptive mesh refinement of a flame (workloads-AM1 to AM5): a cell whose energy is above a threshold is refined into 8 x 8 cells,
//! and these in their turn.
//!
//! Flat has a kernel per level: a thread looks at a cell, and makes all 64 of its refinement. In the dynamic modes one function refers
//! to itself: a thread whose cell is to be refined launches a TB of 64 threads, each of which makes a cell, looks at it, and may launch
//! again; groups join the kernel of the base grid, which runs already. `list.rs` holds the instruction lists, `thread.rs` what their
//! instructions do, `field.rs` the flame; this file the cells.
//!
//! ```
//! use gpusched_refgpu::program::Workload;
//! use gpusched_workloads::{Amr, AmrOptions, Mode};
//!
//! let mut mesh = Amr::new(Mode::Dtbl, AmrOptions { side: 16, ..AmrOptions::default() })?;
//! let base = Workload::next_kernel(&mut mesh).expect("the only one");
//! assert_eq!((base.grid.x, base.tb.x), (4, 64));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod field;
mod list;
mod reference;
mod thread;

pub use field::AmrOptions;
pub use thread::{Parameters, Thread};

use super::device::{CHILD_PC, Child, Device, Resources, host_kernel};
use super::list::{Algorithm, List, Place};
use super::{Array, Cover, LaunchOptions, Layout, Mode, SetupError, Shape, Verified, WrongResult};
use crate::graph::fnv1a;
use gpusched::Descriptor;
use std::fmt;
use std::ops::Range;

/// Cells of a refinement, and threads of a child's TB.
const CHILDREN: u32 = 64;
/// Threads of a TB in mode flat.
const FLAT_THREADS: u32 = 256;
const RESOURCES: Resources = Resources { regs: 32, smem: 0 };
/// Of a cell that is not refined: no refinement begins with the first cell of the base grid.
const NO_CHILD: u32 = 0;

/// A refinement in progress.
#[derive(Clone, Debug)]
pub struct Amr {
    options: AmrOptions,
    dynamic: bool,
    memory: Memory,
    device: Device<Parameters>,
    /// The pool, base grid first; its allocation counter is its length.
    cells: Vec<Cell>,
    /// Cells of the kernel that runs, and their level.
    running: Range<u32>,
    level: u32,
    /// Cells that were looked at, of so many.
    solved: u64,
    total: u64,
}

/// A cell in the pool.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cell {
    temperature: f32,
    /// Its middle.
    at: [f32; 2],
    level: u32,
    /// Where the cells of its refinement begin, or [`NO_CHILD`].
    child: u32,
}

/// The same without its place in the pool, which depends on the order in which threads come to it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seen {
    level: u32,
    at: [f32; 2],
    temperature: f32,
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { level, at: [x, y], temperature } = self;
        write!(f, "level {level} at ({x}, {y}) with {temperature} K")
    }
}

/// Where the arrays lie, in the order of the sheet.
#[derive(Clone, Debug)]
struct Memory {
    temperature: Array,
    at: [Array; 2],
    level: Array,
    child: Array,
    next: Array,
}

impl Amr {
    /// A refinement of the base grid.
    ///
    /// # Errors
    /// [`SetupError`]: a mode that only others have, an option out of range, or too many cells.
    pub fn new(mode: Mode, options: AmrOptions) -> Result<Self, SetupError> {
        let dynamic = mode.common()?.is_dynamic();
        options.check()?;
        let (base, total) = (options.base(), options.cells());
        let mut layout = Layout::default();
        let mut words = |len| layout.words(len);
        let memory = Memory {
            temperature: words(total)?,
            at: [words(total)?, words(total)?],
            level: words(total)?,
            child: words(total)?,
            next: words(1)?,
        };
        let launches = (total - u64::from(base)) / u64::from(CHILDREN);
        let launching = LaunchOptions {
            min_child: 1,
            cover: Cover::All,
            shape: Shape::Fixed(CHILDREN),
            launch_insts: options.launch_insts,
        };
        Ok(Self {
            options,
            dynamic,
            memory,
            device: Device::new(launching, RESOURCES, &mut layout, launches as u32)?,
            cells: (0..base).map(|cell| options.base_cell(cell)).collect(),
            running: 0..0,
            level: 0,
            solved: 0,
            total,
        })
    }

    /// How many cells there are so far.
    #[must_use]
    pub const fn cells(&self) -> usize {
        self.cells.len()
    }

    /// Compares the cells with those of a recursion, each followed by those of its refinement (workloads-AM5).
    ///
    /// # Errors
    /// [`WrongResult`]: another number of cells, or the first cell that differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let (got, want) = (self.in_order(), reference::cells(&self.options));
        let wrong = |place: String, got: &dyn fmt::Display, want: &dyn fmt::Display| WrongResult {
            place,
            got: got.to_string(),
            want: want.to_string(),
        };
        if self.cells.len() != want.len() {
            return Err(wrong("number of cells".to_owned(), &self.cells.len(), &want.len()));
        }
        if let Some((index, (got, want))) = got.iter().zip(&want).enumerate().find(|(_, (got, want))| got != want) {
            return Err(wrong(format!("cell[{index}]"), got, want));
        }
        if got.len() != want.len() {
            return Err(wrong("number of cells in the tree".to_owned(), &got.len(), &want.len()));
        }
        let words = |seen: Seen| [seen.level, seen.at[0].to_bits(), seen.at[1].to_bits(), seen.temperature.to_bits()];
        Ok(Verified { checksum: fnv1a(got.into_iter().flat_map(words)) })
    }

    /// The cells as the tree has them. Ends if there are more than in the pool.
    fn in_order(&self) -> Vec<Seen> {
        let mut open: Vec<u32> = (0..self.options.base()).rev().collect();
        let mut found = Vec::with_capacity(self.cells.len());
        while found.len() <= self.cells.len()
            && let Some(&Cell { temperature, at, level, child }) =
                open.pop().and_then(|cell| self.cells.get(cell as usize))
        {
            found.push(Seen { level, at, temperature });
            if child != NO_CHILD {
                open.extend((child..child.saturating_add(CHILDREN)).rev());
            }
        }
        found
    }
}

impl Algorithm for Amr {
    type Thread = Thread;
    on_device!(Parameters);

    fn next_kernel(&mut self) -> Option<Descriptor> {
        let end = self.cells.len() as u32;
        let is_over = self.dynamic && !self.running.is_empty();
        self.running = if is_over { end..end } else { self.running.end..end };
        self.level = self.cells.get(self.running.start as usize)?.level;
        let cells = self.running.len() as u32;
        Some(if self.dynamic {
            // The code that children run, so that groups join it (workloads-AM4).
            Descriptor { pc: CHILD_PC, ..host_kernel(0, cells.div_ceil(CHILDREN), CHILDREN, RESOURCES) }
        } else {
            host_kernel(0, cells.div_ceil(FLAT_THREADS), FLAT_THREADS, RESOURCES)
        })
    }

    fn list(&self, child: bool) -> List<Self> {
        match (child, self.dynamic) {
            (true, _) => list::CHILD,
            (false, true) => list::BASE,
            (false, false) => list::LEVEL,
        }
    }

    fn thread(&self, place: Place) -> Thread {
        Thread::at(place, self.running.start, self.level)
    }

    fn give(&self, thread: &mut Thread) -> Child<Parameters> {
        thread.give(&self.device)
    }

    fn receive(&self, thread: &mut Thread, child: Child<Parameters>) {
        thread.receive(child);
    }

    fn progress(&self) -> (u64, u64) {
        (self.solved, self.total)
    }
}

#[cfg(test)]
mod tests;
