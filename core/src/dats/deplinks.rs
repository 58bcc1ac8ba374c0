//! DepLinks: from the dependencies that a mapping function names, TB by TB, to a levelled and renamed graph (`dats`, section B; 2.2, 3.1).
//!
//! The function is asked once for each TB of the grid, lowest linear index first, and names the TB's parents by their coordinates.
//! What lies outside the grid is no parent, so a stencil needs no special cases at the edges. Everything is built in storage of the
//! caller's, in O(V+E).
//!
//! ```
//! use gpusched::Dim3;
//! use gpusched::dats::{DepLinks, DepLinksRow, GraphPolicy, GraphStorage, Node, NodeId};
//!
//! // A wavefront: each TB needs the ones to its west and north.
//! let (mut nodes, mut edges, mut order) = ([Node::default(); 9], [NodeId(0); 18], [0; 9]);
//! let (mut parents, mut rows) = ([0; 18], [DepLinksRow::default(); 9]);
//! let storage = GraphStorage {
//!     nodes: &mut nodes,
//!     edges: &mut edges,
//!     order: &mut order,
//!     parents: &mut parents,
//!     rows: &mut rows,
//! };
//! let graph = DepLinks::build(Dim3 { x: 3, y: 3, z: 1 }, storage, |tb, links| {
//!     let (x, y) = (i64::from(tb.x), i64::from(tb.y));
//!     links.set_policy(GraphPolicy::Lvl { bound: 3 })?;
//!     links.add_dependency(x - 1, y, 0)?;
//!     links.add_dependency(x, y - 1, 0)
//! })?;
//! assert_eq!(graph.order, [0, 1, 3, 2, 4, 6, 5, 7, 8]);
//! assert_eq!((graph.edges.len(), graph.levels), (12, 5));
//! # Ok::<(), gpusched::dats::DepLinksError>(())
//! ```

use core::fmt;
use core::ops::Range;

use crate::base::dim3::Dim3;
use crate::base::error::Fault;
use crate::base::home::TableTooSmall;
use crate::dats::graph::{GraphPolicy, MAX_EDGES, MAX_NODES, Node, NodeId};
use crate::dats::rename::Rename;

/// Where a graph is built. Contents do not matter. The arrays that are left at the end come first.
#[derive(Debug)]
pub struct GraphStorage<'a> {
    /// The node array: a row per TB.
    pub nodes: &'a mut [Node],
    /// The edge array: a row per dependency, at most 2^31-1 are used.
    pub edges: &'a mut [NodeId],
    /// The TB of each node: a row per TB.
    pub order: &'a mut [u16],
    /// For the way: a row per dependency.
    pub parents: &'a mut [u16],
    /// For the way: a row per TB.
    pub rows: &'a mut [DepLinksRow],
}

/// What is remembered of a TB on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DepLinksRow {
    /// Where its parents start in their list.
    pub(super) first_parent: u32,
    /// First the last child that named it; then how many TBs its level has.
    pub(super) stamp: u32,
    /// Where its next child goes in the list of children.
    pub(super) next_child: u32,
    /// First its children, then its parents that are not levelled.
    pub(super) left: u32,
    /// Its level.
    pub(super) level: u16,
    /// Its VID.
    pub(super) vid: u16,
}

/// A dependency graph in memory, ready to be launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Graph<'a> {
    /// The node array, by VID.
    pub nodes: &'a [Node],
    /// The edge array.
    pub edges: &'a [NodeId],
    /// The linear index of each node's TB.
    pub order: &'a [u16],
    /// Order of dispatch.
    pub policy: GraphPolicy,
    /// Number of levels.
    pub levels: u32,
}

/// Why a graph was not built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepLinksError {
    /// The grid has no TB.
    EmptyGrid,
    /// The grid has more than 65535 TBs.
    TooManyNodes,
    /// A TB names itself.
    SelfDependency {
        /// Its linear index.
        tb: u32,
    },
    /// No room for another edge.
    EdgeStorageFull {
        /// Linear index of the TB that named it.
        tb: u32,
    },
    /// A TB asks for another policy than one before.
    PolicyConflict {
        /// Its linear index.
        tb: u32,
    },
    /// Dependencies go round in a circle.
    Cycle {
        /// The smallest linear index of a TB on it or behind it.
        tb: u32,
    },
    /// Every TB has had its turn.
    Complete,
    /// An array has fewer rows than the grid has TBs.
    Storage(TableTooSmall),
}

impl DepLinksError {
    /// The refusal without its details.
    #[must_use]
    pub const fn fault(self) -> Fault {
        match self {
            Self::EmptyGrid => Fault::EmptyGrid,
            Self::TooManyNodes => Fault::TooManyNodes,
            Self::SelfDependency { .. } => Fault::SelfDependency,
            Self::EdgeStorageFull { .. } => Fault::EdgeStorageFull,
            Self::PolicyConflict { .. } => Fault::PolicyConflict,
            Self::Cycle { .. } => Fault::Cycle,
            Self::Complete => Fault::GraphComplete,
            Self::Storage(_) => Fault::BadConfig,
        }
    }

    /// The TB that it is about.
    #[must_use]
    pub const fn tb(self) -> Option<u32> {
        match self {
            Self::SelfDependency { tb }
            | Self::EdgeStorageFull { tb }
            | Self::PolicyConflict { tb }
            | Self::Cycle { tb } => Some(tb),
            _ => None,
        }
    }
}

impl fmt::Display for DepLinksError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.tb()) {
            (Self::Storage(e), _) => e.fmt(f),
            (_, Some(tb)) => write!(f, "TB {tb}: {}", self.fault()),
            (_, None) => self.fault().fmt(f),
        }
    }
}

impl core::error::Error for DepLinksError {}

/// A graph that is being built: at each time one TB of the grid has its turn.
#[derive(Debug)]
pub struct DepLinks<'a> {
    storage: GraphStorage<'a>,
    grid: Dim3,
    /// TBs of the grid.
    v: u32,
    /// Edges so far.
    e: u32,
    /// The TB whose turn it is; V after the last.
    tb: u32,
    policy: Option<GraphPolicy>,
}

impl<'a> DepLinks<'a> {
    /// Starts with TB 0.
    ///
    /// # Errors
    /// `EmptyGrid`, `TooManyNodes`, `Storage`.
    pub fn new(grid: Dim3, storage: GraphStorage<'a>) -> Result<Self, DepLinksError> {
        let v = Self::nodes_of(grid)?;
        let need = v as usize;
        let rows = [("nodes", storage.nodes.len()), ("order", storage.order.len()), ("rows", storage.rows.len())];
        if let Some((table, have)) = rows.into_iter().find(|&(_, have)| have < need) {
            return Err(DepLinksError::Storage(TableTooSmall { table, have, need }));
        }
        storage.rows.iter_mut().for_each(|row| *row = DepLinksRow::default());
        Ok(Self { storage, grid, v, e: 0, tb: 0, policy: None })
    }

    /// TBs of a grid (dats-B1).
    ///
    /// # Errors
    /// `EmptyGrid`, `TooManyNodes`.
    pub fn nodes_of(grid: Dim3) -> Result<u32, DepLinksError> {
        match grid.volume() {
            Some(0) => Err(DepLinksError::EmptyGrid),
            Some(v) if v <= MAX_NODES => Ok(v),
            _ if grid.has_zero() => Err(DepLinksError::EmptyGrid),
            _ => Err(DepLinksError::TooManyNodes),
        }
    }

    /// A graph from a mapping function, which is called once for each TB with its coordinates.
    ///
    /// # Errors
    /// Those of the function, in the order of TBs; then `Cycle`.
    pub fn build(
        grid: Dim3,
        storage: GraphStorage<'a>,
        mut mapping: impl FnMut(Dim3, &mut Self) -> Result<(), DepLinksError>,
    ) -> Result<Graph<'a>, DepLinksError> {
        let mut links = Self::new(grid, storage)?;
        while let Some(tb) = links.block() {
            mapping(tb, &mut links)?;
            links.advance()?;
        }
        links.finish()
    }

    /// Coordinates of the TB whose turn it is; `None` after the last.
    #[must_use]
    pub fn block(&self) -> Option<Dim3> {
        let row = self.tb.checked_rem(self.grid.x).zip(self.tb.checked_div(self.grid.x));
        let (x, above) = row.filter(|_| self.tb < self.v)?;
        Some(Dim3 { x, y: above.checked_rem(self.grid.y)?, z: above.checked_div(self.grid.y)? })
    }

    /// Linear index of the TB whose turn it is; V after the last.
    #[must_use]
    pub fn tb(&self) -> u32 {
        self.tb
    }

    /// The TB whose turn it is cannot start before the one at these coordinates has ended (dats-B2). Outside the grid is nothing; a
    /// parent that was named before is the same parent.
    ///
    /// # Errors
    /// `Complete`, `SelfDependency`, `EdgeStorageFull`.
    pub fn add_dependency(&mut self, x: i64, y: i64, z: i64) -> Result<(), DepLinksError> {
        let within = |at: i64, of: u32| u32::try_from(at).ok().filter(|&at| at < of);
        let at = within(x, self.grid.x).zip(within(y, self.grid.y)).zip(within(z, self.grid.z));
        // The grid has at most 65535 TBs.
        let parent = at.map(|((x, y), z)| x + self.grid.x * (y + self.grid.y * z));
        let child = self.current()?;
        parent.map_or(Ok(()), |parent| self.add_parent(parent, child))
    }

    /// A barrier: if the TB whose turn it is lies in `after`, it needs every TB of `before`. Both are ranges of linear indices.
    ///
    /// # Errors
    /// As [`DepLinks::add_dependency`].
    pub fn barrier(&mut self, before: Range<u32>, after: Range<u32>) -> Result<(), DepLinksError> {
        let child = self.current()?;
        if after.contains(&child) {
            for parent in before.start..before.end.min(self.v) {
                self.add_parent(parent, child)?;
            }
        }
        Ok(())
    }

    fn current(&self) -> Result<u32, DepLinksError> {
        if self.tb < self.v { Ok(self.tb) } else { Err(DepLinksError::Complete) }
    }

    fn add_parent(&mut self, parent: u32, child: u32) -> Result<(), DepLinksError> {
        if parent == child {
            return Err(DepLinksError::SelfDependency { tb: child });
        }
        let GraphStorage { edges, parents, rows, .. } = &mut self.storage;
        let Some(row) = rows.get_mut(parent as usize) else { return Ok(()) };
        if row.stamp == child + 1 {
            return Ok(());
        }
        let e = self.e as usize;
        let has_room = e < edges.len() && self.e < MAX_EDGES;
        let place = parents.get_mut(e).filter(|_| has_room).ok_or(DepLinksError::EdgeStorageFull { tb: child })?;
        *place = parent as u16;
        row.stamp = child + 1;
        row.left += 1;
        self.e += 1;
        Ok(())
    }

    /// Asks for an order of dispatch (dats-B3). Without any it is LRR.
    ///
    /// # Errors
    /// `Complete`; `PolicyConflict` if another one was asked for before.
    pub fn set_policy(&mut self, policy: GraphPolicy) -> Result<(), DepLinksError> {
        let tb = self.current()?;
        match self.policy {
            Some(before) if before != policy => Err(DepLinksError::PolicyConflict { tb }),
            _ => {
                self.policy = Some(policy);
                Ok(())
            }
        }
    }

    /// Goes on to the next TB.
    ///
    /// # Errors
    /// `Complete`.
    pub fn advance(&mut self) -> Result<(), DepLinksError> {
        self.tb = self.current()? + 1;
        let e = self.e;
        if let Some(row) = self.storage.rows.get_mut(self.tb as usize) {
            row.first_parent = e;
        }
        Ok(())
    }

    /// The graph (dats-B4 to B6). TBs that have not had their turn have no parents.
    ///
    /// # Errors
    /// `Cycle`; then nothing but the storage is left.
    pub fn finish(mut self) -> Result<Graph<'a>, DepLinksError> {
        while self.tb < self.v {
            self.advance()?;
        }
        let policy = self.policy.unwrap_or_default();
        Rename::new(self.storage, self.v, self.e).run(policy)
    }
}
