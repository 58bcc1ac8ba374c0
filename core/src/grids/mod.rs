//! Grids: kernels from their launch until they are complete, which is when all that they launched is complete (sheet `launch2`, Grids).
//!
//! A kernel that has ended leaves its entry of the distributor at once. Its grid stays until its memory is visible and its children are
//! complete, and with it, for a kernel of the host, the hold on its queue.
//!
//! The front end drives it: launch calls make grids, and so does the KMU; ends of kernels, and of flushes, complete them.
//!
//! ```
//! use gpusched::{Cdp2Part, Config, Cycle, Decision, Descriptor, DeviceLaunch, Dim3, FrontEnd, SlotId, SmxId, inline_tables};
//!
//! const GPU: Config =
//!     Config { pend_limit: 16, cdp2: Some(Cdp2Part { grids: 8, ..Cdp2Part::CUDA }), ..Config::K20C }.ideal();
//! inline_tables! {
//!     struct Small = GPU;
//! }
//! let kernel = |tag| Descriptor { grid: Dim3::linear(1), tb: Dim3::linear(32), tag, ..Descriptor::default() };
//! let (first, slot) = (SmxId(0), SlotId(0));
//! let mut gpu = FrontEnd::<Small>::new(&GPU)?;
//! gpu.host_launch(0, &kernel(1), false)?;
//! gpu.tick(&mut ())?;
//! // Its TB launches a kernel that is to run behind it, and one that runs whenever there is room.
//! let launches = [(2, DeviceLaunch::TAIL), (3, DeviceLaunch::FIRE_AND_FORGET)];
//! gpu.device_launch_named(first, slot, &launches.map(|(tag, stream)| DeviceLaunch { kernel: kernel(tag), stream }))?;
//! let mut order = Vec::new();
//! let mut note = |_: Cycle, decision: Decision| match decision {
//!     Decision::KernelDone { tag, .. } => order.push(("ends", tag)),
//!     Decision::Complete { tag } => order.push(("complete", tag)),
//!     _ => {}
//! };
//! gpu.tb_done(first, slot, &mut note)?;
//! while !gpu.is_idle() {
//!     gpu.tick(&mut note)?;
//!     let ends: Vec<_> = gpu.resident_tbs().map(|tb| (tb.smx, tb.slot)).collect();
//!     ends.into_iter().try_for_each(|(smx, slot)| gpu.tb_done(smx, slot, &mut note))?;
//! }
//! let expected = [("ends", 1), ("ends", 3), ("complete", 3), ("ends", 2), ("complete", 2), ("complete", 1)];
//! assert_eq!(order, expected);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "image")]
mod image;
mod validate;

use crate::base::cycle::Cycle;
use crate::base::free_map::{self, FreeMap};
use crate::base::id::{GridId, HwqId, KernelSlot, RecordId, SuspId};
use crate::base::presence::{Part, Presence};
use crate::base::table::{Rows, Table};
use crate::config::Config;
use crate::config::launch2::{Cdp2Part, PendHold};
use crate::launch::board::{Board, BoardTables};
use crate::launch::kmu::Candidate;
use crate::probe::{Decision, Probe};

/// Whose a grid is, and who waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub enum GridMode {
    /// The host's: it holds its queue.
    Host {
        /// The queue.
        queue: HwqId,
    },
    /// Launched by a TB of `parent`, and independent of everything else.
    FireAndForget {
        /// The grid that is complete only after this one.
        parent: GridId,
    },
    /// Launched by a TB of `parent`, to run when that has nothing else left.
    Tail {
        /// The grid that is complete only after this one.
        parent: GridId,
    },
}

impl GridMode {
    /// The grid that waits for this one.
    #[must_use]
    pub fn parent(self) -> Option<GridId> {
        match self {
            Self::Host { .. } => None,
            Self::FireAndForget { parent } | Self::Tail { parent } => Some(parent),
        }
    }
}

/// How far a grid is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub enum Progress {
    /// A tail launch whose turn has not come; its launch record.
    Closed(RecordId),
    /// Its kernel has not ended.
    #[default]
    Running,
    /// Its kernel has ended, and in this cycle what it wrote is visible.
    Flushing(Cycle),
    /// What it wrote is visible: it waits for its children.
    Flushed,
}

/// The first and the last of a list of grids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
struct List {
    first: Option<GridId>,
    last: Option<GridId>,
}

/// A row of the table of grids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub struct Grid {
    /// What it is; `None`: nothing.
    mode: Option<GridMode>,
    progress: Progress,
    tag: u64,
    /// Its place in the order in which grids were made.
    made: u64,
    /// Incomplete children that were fired and forgotten.
    kids: u32,
    /// Incomplete tail launches, in the order of the calls; of the first one alone the turn may have come.
    tails: List,
    n_tail: u32,
    /// The next tail launch of its parent.
    next_tail: Option<GridId>,
    /// The next one whose memory is being flushed.
    next_flush: Option<GridId>,
}

/// A grid that is not complete, as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GridView {
    /// Tag of its kernel.
    pub tag: u64,
    /// Its place in the order in which grids were made.
    pub made: u64,
    /// Incomplete children that were fired and forgotten.
    pub kids: u32,
    /// Incomplete tail launches.
    pub tails: u32,
    /// The grid whose TB launched it; none of the host's.
    pub parent: Option<GridId>,
    /// Its queue, if it is the host's.
    pub queue: Option<HwqId>,
    /// Whether it is a tail launch.
    pub is_tail: bool,
    /// Whether its kernel has ended.
    pub is_ended: bool,
    /// The cycle in which what it wrote is visible, while that is to come.
    pub flushed: Option<Cycle>,
}

/// What grids have come to since the machine was built. The counts saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GridStats {
    /// Grids that are complete.
    pub completes: u64,
    /// Tail launches whose turn has come.
    pub tails: u64,
}

/// Where the rows of grids lie.
pub(crate) trait GridTables {
    type Grids: Presence;
    type GridRows: Rows<Grid>;
    type GridWords: Rows<u64>;
    type QueueGrids: Rows<Option<GridId>>;
    type KernelGrids: Rows<Option<GridId>>;
    type RecordGrids: Rows<Option<GridId>>;
    type SuspendedGrids: Rows<Option<GridId>>;
}

/// All grids, if completion is told apart from the end of a kernel.
pub(crate) type GridPart<T> = Part<<T as GridTables>::Grids, Grids<T>>;

/// All grids.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Grids<T: GridTables> {
    rows: Table<GridId, Grid, T::GridRows>,
    free: FreeMap<GridId, T::GridWords>,
    of_queue: Table<HwqId, Option<GridId>, T::QueueGrids>,
    of_kernel: Table<KernelSlot, Option<GridId>, T::KernelGrids>,
    of_record: Table<RecordId, Option<GridId>, T::RecordGrids>,
    of_suspended: Table<SuspId, Option<GridId>, T::SuspendedGrids>,
    /// Those whose memory is being flushed, in the order of their ends.
    flushing: List,
    made: u64,
    /// Incomplete grids that the device launched.
    of_device: u32,
    /// Those of them that were issued.
    issued: u32,
    stats: GridStats,
}

/// The rows, in the order of the tables.
pub(crate) type GridRows<T> = (
    <T as GridTables>::GridRows,
    <T as GridTables>::GridWords,
    <T as GridTables>::QueueGrids,
    <T as GridTables>::KernelGrids,
    <T as GridTables>::RecordGrids,
    <T as GridTables>::SuspendedGrids,
);

/// How many rows there are of each.
pub(crate) const fn rows(config: &Config) -> [usize; 6] {
    if config.cdp2.is_none() {
        return [0; 6];
    }
    [
        config.n_grid() as usize,
        free_map::words(config.n_grid()),
        config.n_queue() as usize,
        config.n_kde as usize,
        config.pend_limit as usize,
        config.susp_cap as usize,
    ]
}

impl<T: GridTables> Grids<T> {
    pub(crate) fn new(rows: GridRows<T>, config: &Config) -> Self {
        Self {
            rows: Table::new(rows.0),
            free: FreeMap::new(rows.1, config.n_grid()),
            of_queue: Table::new(rows.2),
            of_kernel: Table::new(rows.3),
            of_record: Table::new(rows.4),
            of_suspended: Table::new(rows.5),
            flushing: List::default(),
            made: 0,
            of_device: 0,
            issued: 0,
            stats: GridStats::default(),
        }
    }

    pub(crate) fn stats(&self) -> GridStats {
        self.stats
    }

    /// The grid of the kernel in an entry.
    pub(crate) fn of(&self, k: KernelSlot) -> Option<GridId> {
        self.of_kernel[k]
    }

    /// A grid, as it stands; `None` if there is none of that number.
    pub(crate) fn view(&self, g: GridId) -> Option<GridView> {
        let Grid { mode, progress, tag, made, kids, n_tail, .. } = *self.rows.get(g)?;
        let mode = mode?;
        let queue = if let GridMode::Host { queue } = mode { Some(queue) } else { None };
        let is_ended = matches!(progress, Progress::Flushing(_) | Progress::Flushed);
        let is_tail = matches!(mode, GridMode::Tail { .. });
        let flushed = self.flushed_at(g);
        Some(GridView { tag, made, kids, tails: n_tail, parent: mode.parent(), queue, is_tail, is_ended, flushed })
    }

    /// Tail launches whose turn has not come.
    pub(crate) fn closed(&self) -> impl Iterator<Item = RecordId> {
        self.rows.iter().filter_map(|(_, grid)| match grid.progress {
            Progress::Closed(r) => Some(r),
            _ => None,
        })
    }

    // ---- launch2-G1: the way in

    fn make(&mut self, mode: GridMode, progress: Progress, tag: u64) -> GridId {
        let g = self.free.take();
        self.rows[g] = Grid { mode: Some(mode), progress, tag, made: self.made, ..Grid::default() };
        self.made = self.made.saturating_add(1);
        g
    }

    /// launch2-C4, launch2-A4: whether so many more launches are too many. `free` launch records are free.
    pub(crate) fn is_full(&self, part: &Cdp2Part, free: u32, lanes: u32) -> bool {
        let held = if part.pend_hold == PendHold::Complete { self.issued } else { 0 };
        free.saturating_sub(held) < lanes || self.of_device.saturating_add(lanes) > part.grids
    }

    /// launch2-C1: a TB of the kernel in entry `k` launches what is in record `r`; the caller has made sure that there is room.
    pub(crate) fn launched(&mut self, k: KernelSlot, r: RecordId, tag: u64, is_tail: bool) {
        let Some(parent) = self.of_kernel[k] else { return };
        self.of_device += 1;
        if !is_tail {
            self.rows[parent].kids += 1;
            self.of_record[r] = Some(self.make(GridMode::FireAndForget { parent }, Progress::Running, tag));
            return;
        }
        let g = self.make(GridMode::Tail { parent }, Progress::Closed(r), tag);
        self.of_record[r] = Some(g);
        self.rows[parent].n_tail += 1;
        let mut tails = self.rows[parent].tails;
        match tails.last.replace(g) {
            Some(last) => self.rows[last].next_tail = Some(g),
            None => tails.first = Some(g),
        }
        self.rows[parent].tails = tails;
    }

    /// The KMU has issued a kernel, whose tag is `tag`, into entry `k`.
    pub(crate) fn issued(&mut self, from: Candidate, k: KernelSlot, tag: u64) {
        self.of_kernel[k] = match from {
            Candidate::Hwq(queue) => {
                let g = self.make(GridMode::Host { queue }, Progress::Running, tag);
                self.of_queue[queue] = Some(g);
                Some(g)
            }
            Candidate::Device(r) | Candidate::Kept(r) => {
                self.issued += 1;
                self.of_record[r].take()
            }
            Candidate::Suspended(i) => self.of_suspended[i].take(),
        };
    }

    /// A kernel that was saved has left its entry for the list of suspended ones (launch2-W2).
    pub(crate) fn suspended(&mut self, k: KernelSlot, i: SuspId) {
        self.of_suspended[i] = self.of_kernel[k].take();
    }

    /// Whether the memory of a grid is being flushed.
    #[inline]
    pub(crate) fn is_flushing(&self) -> bool {
        self.flushing.first.is_some()
    }

    /// When the next grid's memory is visible.
    pub(crate) fn next_flush(&self) -> Option<Cycle> {
        self.flushing.first.and_then(|g| self.flushed_at(g))
    }

    /// When the next one's is that waits for no child, so that it is complete then or the first of its tail launches has its turn.
    pub(crate) fn next_decision(&self) -> Option<Cycle> {
        let mut flushing = core::iter::successors(self.flushing.first, |&g| self.rows[g].next_flush);
        flushing.find(|&g| self.rows[g].kids == 0).and_then(|g| self.flushed_at(g))
    }

    fn flushed_at(&self, g: GridId) -> Option<Cycle> {
        match self.rows[g].progress {
            Progress::Flushing(at) => Some(at),
            _ => None,
        }
    }
}

impl<T: BoardTables + GridTables> Grids<T> {
    // ---- launch2-G2 to launch2-G4, launch2-C3: the way out

    /// The kernel in entry `k` has ended.
    pub(crate) fn ended(&mut self, board: &mut Board<T>, k: KernelSlot, probe: &mut impl Probe) {
        let Some(g) = self.of_kernel[k].take() else { return };
        let cycles = board.config.flush_cycles;
        if cycles == 0 {
            self.rows[g].progress = Progress::Flushed;
            return self.complete(board, g, probe);
        }
        self.rows[g].progress = Progress::Flushing(board.now.after(cycles.into()));
        match self.flushing.last.replace(g) {
            Some(last) => self.rows[last].next_flush = Some(g),
            None => self.flushing.first = Some(g),
        }
    }

    /// launch2-T0: the flushes that are due, in the order of the ends.
    #[inline(never)]
    pub(crate) fn flush(&mut self, board: &mut Board<T>, probe: &mut impl Probe) {
        while let Some(g) = self.flushing.first.filter(|_| self.next_flush().is_some_and(|at| at <= board.now)) {
            self.flushing.first = self.rows[g].next_flush.take();
            if self.flushing.first.is_none() {
                self.flushing.last = None;
            }
            self.rows[g].progress = Progress::Flushed;
            self.complete(board, g, probe);
        }
    }

    /// Grid `at` may be complete, or the next of its tail launches have its turn; then the same is asked of the grid that waits for it.
    fn complete(&mut self, board: &mut Board<T>, mut at: GridId, probe: &mut impl Probe) {
        // A grid was made after the one that waits for it, so this comes to an end.
        while self.rows[at].progress == Progress::Flushed && self.rows[at].kids == 0 {
            if let Some(tail) = self.rows[at].tails.first {
                return self.open(board, tail, probe);
            }
            let Grid { mode, tag, next_tail, .. } = core::mem::take(&mut self.rows[at]);
            self.free.give(at);
            self.stats.completes = self.stats.completes.saturating_add(1);
            probe.decide(board.now, Decision::Complete { tag });
            let parent = match mode {
                Some(GridMode::Host { queue }) => {
                    self.of_queue[queue] = None;
                    return board.free_queue(queue, probe);
                }
                Some(GridMode::FireAndForget { parent }) => {
                    self.rows[parent].kids -= 1;
                    parent
                }
                Some(GridMode::Tail { parent }) => {
                    let Grid { tails, n_tail, .. } = &mut self.rows[parent];
                    *n_tail -= 1;
                    tails.first = next_tail;
                    if next_tail.is_none() {
                        tails.last = None;
                    }
                    parent
                }
                None => return,
            };
            self.of_device -= 1;
            self.issued -= 1;
            at = parent;
        }
    }

    /// launch2-C3: the turn of a tail launch has come, unless it came before.
    fn open(&mut self, board: &mut Board<T>, tail: GridId, probe: &mut impl Probe) {
        let Progress::Closed(r) = self.rows[tail].progress else { return };
        self.rows[tail].progress = Progress::Running;
        let lat_tail = board.config.cdp2.map_or(0, |part| part.lat_tail);
        board.records.open(r, board.now.after(lat_tail.into()));
        self.stats.tails = self.stats.tails.saturating_add(1);
        probe.decide(board.now, Decision::Tail { tag: self.rows[tail].tag });
    }
}
