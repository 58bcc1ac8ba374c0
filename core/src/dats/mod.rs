//! Dependency graphs of thread blocks, and the dependency-graph buffer (DGB) that runs them (sheet
//! [`dats`](crate::sheets::dats); Wireframe).
//!
//! # What it models
//! A kernel whose TBs depend on each other, launched once. On the host, [`DepLinks`] turns the dependencies that a mapping function
//! names into a levelled graph in memory, and [`admit()`] tells whether that can deadlock the hardware. The hardware, [`Dgb`], holds a
//! window of the graph that slides from the first node to the last: it fetches nodes and edges in chunks, counts parents, keeps
//! updates for nodes that are not on chip yet in the pending update buffer (PUB), and says which TB goes to which SMX: the oldest
//! that is ready (LRR), unless it is too many levels ahead (LVL).
//!
//! # Who drives it
//! A host with a TB scheduler of its own launches a graph, answers the memory requests that `poll` hands out, calls `select` with
//! the SMXs that have room, and reports the ends of TBs with `complete`. The front end does that for kernels launched with a graph.
//! The buffer knows nodes by their virtual ids (VIDs); the TB of a node is `order[vid]` of the [`Graph`].
//!
//! ```
//! use gpusched::dats::{Dgb, DgbConfig, GraphHeader, Node, NodeId, Request, Selection};
//! use gpusched::{KernelSlot, SmxId, SmxSet, inline_dgb_tables};
//!
//! inline_dgb_tables! {
//!     struct Gtx480 = DgbConfig::GTX480;
//! }
//! // 0 -> {1, 2} -> 3, in memory.
//! let nodes = [Node::new(0, false, 0, 0), Node::new(2, false, 1, 1), Node::new(3, false, 1, 1), Node::new(4, true, 2, 2)];
//! let edges = [1, 2, 3, 3].map(NodeId);
//! let mut dgb = Dgb::<Gtx480>::new(&DgbConfig::GTX480)?;
//! dgb.launch(KernelSlot(0), &GraphHeader { v: 4, e: 4, ..GraphHeader::default() })?;
//!
//! let (mut sent, mut ended) = (Vec::new(), 0);
//! loop {
//!     while let Some(request) = dgb.poll()? {
//!         match request {
//!             Request::Nodes { tag, first, count, .. } => dgb.nodes(tag, &nodes[first as usize..][..count as usize])?,
//!             Request::Edges { tag, first, count, .. } => dgb.edges(tag, &edges[first as usize..][..count as usize])?,
//!             Request::Decrement { .. } => unreachable!("nothing spills"),
//!         };
//!     }
//!     match dgb.select(&SmxSet::first(2))? {
//!         Selection::Dispatch { node, smx, .. } => sent.push((node, smx)),
//!         Selection::Stall(_) => {
//!             // Nothing more can run before the oldest TB ends.
//!             dgb.complete(sent[ended].0)?;
//!             ended += 1;
//!         }
//!         Selection::Finished => break,
//!     }
//! }
//! assert_eq!(sent, [(0, 0), (1, 1), (2, 0), (3, 1)].map(|(node, smx)| (NodeId(node), SmxId(smx))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Order inside an event
//! Every verb acts at once; whatever an event makes possible follows before it returns (`settle`): the tail passes what is done,
//! landed nodes enter, updates are applied, the oldest finished node first. Only memory takes time, and that is the host's.
//!
//! # What a refused call does
//! Nothing, with one exception: a graph whose memory contradicts itself (`GraphFault`) is stuck for good, and so is the buffer until
//! [`Buffer::abort`].
//!
//! # Where to look
//! [`graph`]: the form in memory. [`deplinks`]: the builder. [`admit()`]: the admission check. [`buffer`]: the buffer
//! and its verbs, with [`memory`] and [`schedule`]; `window` has its rows and words, `settle` what follows from an event.

pub mod admit;
pub mod answer;
pub mod buffer;
pub mod config;
pub mod deplinks;
pub mod graph;
#[cfg(feature = "image")]
mod image;
pub mod memory;
mod rename;
pub mod schedule;
mod settle;
mod slots;
pub mod storage;
pub mod tables;
mod validate;
pub mod view;
mod window;

use core::ops::{Deref, DerefMut};

use crate::base::home::BuildError;

pub use admit::{Admission, admit};
pub use answer::{GraphError, GraphFaultKind, NodeFlaw, Pending, Report, Request, Selection, Stall};
pub use buffer::{Buffer, DgbStats, Phase};
pub use config::{DgbConfig, LevelRef, Prefetch};
pub use deplinks::{DepLinks, DepLinksError, DepLinksRow, Graph, GraphStorage};
pub use graph::{GraphHeader, GraphPolicy, MAX_EDGES, MAX_NODES, Node, NodeId};
#[cfg(feature = "image")]
pub use image::dgb_image_config;
pub use storage::{DgbStorageBits, dgb_storage_bits};
pub use tables::{InlineTables, Reserved, TableSet, TableSizes, Tables};
pub use view::DgbState;
pub use window::{LocalNode, NodeState};

/// The buffer on the rows of a home.
type BufferOf<T> = Buffer<
    <T as Tables>::LocalNodes,
    <T as Tables>::LocalEdges,
    <T as Tables>::PendingUpdates,
    <T as Tables>::Insertions,
    <T as Tables>::StateWords,
>;

/// A [`Buffer`] with the tables of one home. With inline tables it is one plain value: clone it, compare it, hash it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::type_complexity, reason = "behind an alias the derives would not see the tables")]
pub struct Dgb<T: Tables> {
    buffer: Buffer<T::LocalNodes, T::LocalEdges, T::PendingUpdates, T::Insertions, T::StateWords>,
}

impl<T: InlineTables> Dgb<T> {
    /// A machine that brings its own tables.
    ///
    /// # Errors
    /// A value out of its range, or a configuration that needs more rows than the home has.
    pub fn new(config: &DgbConfig) -> Result<Self, BuildError> {
        Self::with_tables(config, T::empty())
    }
}

impl<T: Tables> Dgb<T> {
    /// A machine on the given tables.
    ///
    /// # Errors
    /// A value out of its range, or a table with fewer rows than [`TableSizes::of`] the configuration.
    pub fn with_tables(config: &DgbConfig, tables: TableSet<T>) -> Result<Self, BuildError> {
        config.check().map_err(BuildError::Config)?;
        if let Some(small) = tables.shortage(&TableSizes::of(config)) {
            return Err(BuildError::Tables(small));
        }
        Ok(Self::empty(config, tables))
    }

    /// A machine without a graph, of a checked configuration and on tables that are large enough.
    fn empty(config: &DgbConfig, tables: TableSet<T>) -> Self {
        let TableSet { local_nodes, local_edges, pending_updates, insertions, state_words } = tables;
        let rows = (local_nodes, local_edges, pending_updates, insertions, state_words);
        Self { buffer: Buffer::empty(config, rows) }
    }
}

impl<T: Tables> Deref for Dgb<T> {
    type Target = BufferOf<T>;

    fn deref(&self) -> &Self::Target {
        &self.buffer
    }
}

impl<T: Tables> DerefMut for Dgb<T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.buffer
    }
}
