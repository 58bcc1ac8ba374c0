//! Grids: kernels from their launch until they are complete, which is when all that they launched is complete (sheet `launch2`, Grids).
//!
//! A kernel that has ended leaves its entry of the distributor at once. Its grid stays until its memory is visible, and what is before it
//! in its queue and its children are complete, and with it, for a kernel of the host, the hold on its queue (`complete`). A kernel of
//! the host may be followed by a programmatic dependent before that ([`overlap`]).
//!
//! The front end drives it: launch calls make grids, and so does the KMU; ends of kernels, and of flushes, complete them.
//!
//! ```
//! use gpusched::{Cdp2Part, Config, Cycle, Decision, Descriptor, DeviceLaunch, Dim3, FrontEnd, SlotId, SmxId, inline_tables};
//!
//! const GPU: Config =
//!     Config { pend_limit: 16, grids: 8, cdp2: Some(Cdp2Part::CUDA), ..Config::K20C }.ideal();
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

mod complete;
#[cfg(feature = "image")]
mod image;
pub mod instances;
pub mod kgraph;
pub mod overlap;
mod validate;

use crate::base::cycle::Cycle;
use crate::base::free_map::{self, FreeMap};
use crate::base::id::{GridId, HwqId, InstanceId, KernelNodeId, KernelSlot, RecordId, SmxId, SuspId};
use crate::base::presence::{Part, Presence};
use crate::base::table::{Rows, Table};
use crate::config::Config;
use crate::config::launch2::PendHold;
use crate::launch::kmu::Candidate;
use instances::{Instance, NodeState, StateId};
use kgraph::{KernelEdgeRow, KernelNodeRow, Kgraph, Kgraphs};
use overlap::SmxFlags;

/// Whose a grid is, and who waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// Launched by a TB, where kernels are launched into no named streams: nobody waits for it.
    Device,
    /// A kernel of a kernel graph that runs.
    Node {
        /// What runs the graph.
        instance: InstanceId,
        /// The kernel's number in the graph.
        node: KernelNodeId,
    },
}

impl GridMode {
    /// The grid that waits for this one.
    #[must_use]
    pub fn parent(self) -> Option<GridId> {
        match self {
            Self::Host { .. } | Self::Device | Self::Node { .. } => None,
            Self::FireAndForget { parent } | Self::Tail { parent } => Some(parent),
        }
    }
}

/// How far a grid is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

impl Progress {
    /// Whether its kernel has ended.
    const fn is_ended(self) -> bool {
        matches!(self, Self::Flushing(_) | Self::Flushed)
    }
}

/// A list of grids through the grids themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GridList {
    first: Option<GridId>,
    last: Option<GridId>,
    len: u32,
}

/// A row of the table of grids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    tails: GridList,
    /// The next one in its list: of the tail launches of its parent, or of the kernels in flight of its queue. Of a kernel of a kernel
    /// graph the next one that may be complete.
    next: Option<GridId>,
    /// Groups that its TBs have launched and that have neither joined nor fallen.
    groups: u32,
    /// Whether what follows it may be issued if it is a programmatic dependent (launch2-P3).
    is_open: bool,
    /// The next one whose memory is being flushed.
    next_flush: Option<GridId>,
}

/// A grid that is not complete, as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
    /// What runs the kernel graph whose kernel it is.
    pub instance: Option<InstanceId>,
    /// Whether it is a tail launch.
    pub is_tail: bool,
    /// Whether its kernel has ended.
    pub is_ended: bool,
    /// Whether what follows it in its queue may be issued if it is a programmatic dependent.
    pub is_open: bool,
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
    /// Kernels that were open before they ended.
    pub opens: u64,
    /// Times that a TB asked to wait for what its kernel follows.
    pub waits: u64,
    /// TBs that waited, added up over cycles: what their early residence has kept from others (launch2-H5).
    pub wait_slots: u64,
    /// Kernels of kernel graphs that were queued for the KMU.
    pub kernel_nodes: u64,
}

/// What there is of the kernel in an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KernelGrid {
    grid: Option<GridId>,
    /// Its resident TBs that have triggered.
    #[cfg_attr(feature = "serde", serde(skip))]
    triggered: u32,
    /// Those that wait.
    #[cfg_attr(feature = "serde", serde(skip))]
    waiting: u32,
}

/// Where the rows of grids lie.
pub(crate) trait GridTables {
    type Grids: Presence;
    type GridRows: Rows<Grid>;
    type GridWords: Rows<u64>;
    type QueueGrids: Rows<GridList>;
    type KernelGrids: Rows<KernelGrid>;
    type RecordGrids: Rows<Option<GridId>>;
    type SuspendedGrids: Rows<Option<GridId>>;
    type TbFlags: Rows<SmxFlags>;
    type Kgraphs: Rows<Kgraph>;
    type KgraphNodes: Rows<KernelNodeRow>;
    type KgraphEdges: Rows<KernelEdgeRow>;
    type Instances: Rows<Instance>;
    type NodeStates: Rows<NodeState>;
}

/// All grids, if completion is told apart from the end of a kernel.
pub(crate) type GridPart<T> = Part<<T as GridTables>::Grids, Grids<T>>;

/// All grids.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Grids<T: GridTables> {
    rows: Table<GridId, Grid, T::GridRows>,
    free: FreeMap<GridId, T::GridWords>,
    /// Those in flight of each queue, in the order of their launches.
    of_queue: Table<HwqId, GridList, T::QueueGrids>,
    of_kernel: Table<KernelSlot, KernelGrid, T::KernelGrids>,
    /// Of a kernel that waits its own, of a group that waits that of the kernel which launched it, until that has ended.
    of_record: Table<RecordId, Option<GridId>, T::RecordGrids>,
    of_suspended: Table<SuspId, Option<GridId>, T::SuspendedGrids>,
    tb_flags: Table<SmxId, SmxFlags, T::TbFlags>,
    /// Entries of which a TB has triggered and whose kernel is not open.
    ripening: u64,
    /// TBs that wait.
    waiting: u32,
    kgraphs: Kgraphs<T::Kgraphs, T::KgraphNodes, T::KgraphEdges>,
    instances: Table<InstanceId, Instance, T::Instances>,
    /// Kernels of each instance, `n_node` rows each.
    states: Table<StateId, NodeState, T::NodeStates>,
    n_node: u32,
    /// No kernel of a kernel graph may be issued before this cycle.
    next_ready: Cycle,
    /// When the host's way of launching is free again (launch2-K2).
    host_free: Cycle,
    /// Those whose memory is being flushed, in the order of their ends.
    flushing: GridList,
    made: u64,
    /// Incomplete grids that the device launched and the KMU has issued.
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
    <T as GridTables>::TbFlags,
    <T as GridTables>::Kgraphs,
    <T as GridTables>::KgraphNodes,
    <T as GridTables>::KgraphEdges,
    <T as GridTables>::Instances,
    <T as GridTables>::NodeStates,
);

/// How many rows there are of each.
pub(crate) const fn rows(config: &Config) -> [usize; 12] {
    if !config.has_grids() {
        return [0; 12];
    }
    let (graphs, nodes, edges, insts) = match &config.kgraph {
        Some(part) => (part.graphs as usize, part.nodes as usize, part.edges as usize, part.insts as usize),
        None => (0, 0, 0, 0),
    };
    [
        config.n_grid() as usize,
        free_map::words(config.n_grid()),
        config.n_queue() as usize,
        config.n_kde as usize,
        config.pend_limit as usize,
        config.susp_cap as usize,
        if config.pdl.is_some() { config.n_smx as usize } else { 0 },
        graphs,
        graphs * nodes,
        graphs * edges,
        insts,
        config.n_kernel_node() as usize,
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
            tb_flags: Table::new(rows.6),
            ripening: 0,
            waiting: 0,
            kgraphs: Kgraphs::new((rows.7, rows.8, rows.9), config.kgraph.as_ref()),
            instances: Table::new(rows.10),
            states: Table::new(rows.11),
            n_node: config.kgraph.as_ref().map_or(0, |part| part.nodes),
            next_ready: Cycle::MAX,
            host_free: Cycle::ZERO,
            flushing: GridList::default(),
            made: 0,
            issued: 0,
            stats: GridStats::default(),
        }
    }

    pub(crate) fn stats(&self) -> GridStats {
        self.stats
    }

    /// The grid of the kernel in an entry.
    pub(crate) fn of(&self, k: KernelSlot) -> Option<GridId> {
        self.of_kernel[k].grid
    }

    /// A grid, as it stands; `None` if there is none of that number.
    pub(crate) fn view(&self, g: GridId) -> Option<GridView> {
        let Grid { mode, progress, tag, made, kids, tails, is_open, .. } = *self.rows.get(g)?;
        let mode = mode?;
        let queue = if let GridMode::Host { queue } = mode { Some(queue) } else { None };
        let instance = if let GridMode::Node { instance, .. } = mode { Some(instance) } else { None };
        let is_ended = progress.is_ended();
        let is_tail = matches!(mode, GridMode::Tail { .. });
        let (parent, tails, flushed) = (mode.parent(), tails.len, self.flushed_at(g));
        Some(GridView { tag, made, kids, tails, parent, queue, instance, is_tail, is_ended, is_open, flushed })
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

    /// launch2-C4, launch2-A4: whether so many more launches are too many.
    pub(crate) fn is_full(&self, config: &Config, records_in_use: u32, lanes: u32) -> bool {
        let incomplete = records_in_use.saturating_add(self.issued).saturating_add(lanes);
        let holds = config.cdp2.is_some_and(|part| part.pend_hold == PendHold::Complete);
        incomplete > config.grids || (holds && incomplete > config.pend_limit)
    }

    /// Appends to a list of grids.
    fn append(&mut self, mut list: GridList, g: GridId) -> GridList {
        match list.last.replace(g) {
            Some(last) => self.rows[last].next = Some(g),
            None => list.first = Some(g),
        }
        list.len += 1;
        list
    }

    /// What a list is without its first, behind which `next` is.
    fn without_first(list: GridList, next: Option<GridId>) -> GridList {
        GridList { first: next, last: next.and(list.last), len: list.len - 1 }
    }

    /// launch2-C1: a TB of the kernel in entry `k` launches what is in record `r`; the caller has made sure that there is room.
    pub(crate) fn launched(&mut self, k: KernelSlot, r: RecordId, tag: u64, is_tail: bool) {
        let Some(parent) = self.of_kernel[k].grid else { return };
        if !is_tail {
            self.rows[parent].kids += 1;
            self.of_record[r] = Some(self.make(GridMode::FireAndForget { parent }, Progress::Running, tag));
            return;
        }
        let g = self.make(GridMode::Tail { parent }, Progress::Closed(r), tag);
        self.of_record[r] = Some(g);
        self.rows[parent].tails = self.append(self.rows[parent].tails, g);
    }

    /// launch2-W2: whether a queue is held by what no entry tells of: a graph of kernels, or a kernel that has ended but is not complete.
    pub(crate) fn holds(&self, queue: HwqId) -> bool {
        let runs = |instance: &Instance| instance.graph.is_some() && instance.queue == queue;
        let has_ended = |grid: &Grid| grid.mode == Some(GridMode::Host { queue }) && grid.progress.is_ended();
        self.instances.iter().any(|(_, instance)| runs(instance)) || self.rows.iter().any(|(_, grid)| has_ended(grid))
    }

    /// The KMU has issued a kernel, whose tag is `tag`, into entry `k`; `node` is its grid if it is of a kernel graph.
    pub(crate) fn issued(&mut self, (from, node): (Candidate, Option<GridId>), k: KernelSlot, tag: u64) {
        self.of_kernel[k].grid = match from {
            Candidate::Hwq(queue) => {
                let g = self.make(GridMode::Host { queue }, Progress::Running, tag);
                self.of_queue[queue] = self.append(self.of_queue[queue], g);
                Some(g)
            }
            Candidate::Device(r) | Candidate::Kept(r) => {
                self.issued += 1;
                let launched = self.of_record[r].take();
                Some(launched.unwrap_or_else(|| self.make(GridMode::Device, Progress::Running, tag)))
            }
            Candidate::Suspended(i) => self.of_suspended[i].take(),
            // It was made when it was queued.
            Candidate::Node(_) => node,
        };
    }

    /// A kernel that was saved has left its entry for the list of suspended ones (launch2-W2).
    pub(crate) fn suspended(&mut self, k: KernelSlot, i: SuspId) {
        self.of_suspended[i] = self.of_kernel[k].grid.take();
    }

    // ---- when

    /// Whether the memory of a grid is being flushed.
    #[inline]
    pub(crate) fn is_flushing(&self) -> bool {
        self.flushing.first.is_some()
    }

    /// When the next grid's memory is visible.
    pub(crate) fn next_flush(&self) -> Option<Cycle> {
        self.flushing.first.and_then(|g| self.flushed_at(g))
    }

    /// When the next one's is that waits for nothing else, so that it is complete then or the first of its tail launches has its turn.
    pub(crate) fn next_decision(&self) -> Option<Cycle> {
        let mut flushing = core::iter::successors(self.flushing.first, |&g| self.rows[g].next_flush);
        let waits = |g: GridId| self.rows[g].kids > 0 || self.follows(g);
        flushing.find(|&g| !waits(g)).and_then(|g| self.flushed_at(g))
    }

    fn flushed_at(&self, g: GridId) -> Option<Cycle> {
        match self.rows[g].progress {
            Progress::Flushing(at) => Some(at),
            _ => None,
        }
    }

    /// Whether it follows something that is not complete: in its queue all that is before it (launch2-A2).
    fn follows(&self, g: GridId) -> bool {
        match self.rows.get(g).and_then(|grid| grid.mode) {
            Some(GridMode::Host { queue }) => self.of_queue.get(queue).is_some_and(|list| list.first != Some(g)),
            Some(GridMode::Node { instance, node }) => {
                self.states.get(self.state_id(instance, node)).is_some_and(|state| state.incomplete > 0)
            }
            _ => false,
        }
    }

    /// A cycle ends, or so many like it do.
    #[inline]
    pub(crate) fn pass(&mut self, n: u64) {
        let slots = u64::from(self.waiting).saturating_mul(n);
        self.stats.wait_slots = self.stats.wait_slots.saturating_add(slots);
    }
}
