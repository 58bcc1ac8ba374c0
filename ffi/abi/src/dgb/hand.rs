//! What no rule expresses: the builder of graphs, and the admission check.

use gpusched::dats::{DepLinks, DepLinksError, DepLinksRow, Graph, GraphStorage};
use gpusched::dats::{GraphPolicy, MAX_EDGES, MAX_NODES, Node, NodeId};
use gpusched::{Dim3, RowSource};

use super::*;
use crate::smx::gpusched_dim3;

/// One parent in an entry of the node array: what a decrement subtracts there.
///
/// An entry of the node array is a number of 64 bits, from bit 0 upward: the index of the node's first child in the edge array (31
/// bits; the sum of the child counts of all lower VIDs, also for nodes without children), whether it has no children (1), the number
/// of its parents (16), its level (16). An entry of the edge array is the VID of a child.
pub const GPUSCHED_ONE_PARENT: u64 = 0x1_0000_0000;

impl ToC for GraphPolicy {
    type C = u32;

    fn to_c(&self) -> u32 {
        match self {
            Self::Lrr => GPUSCHED_NONE,
            Self::Lvl { bound } => bound.to_c(),
        }
    }
}

impl FromC for GraphPolicy {
    type C = u32;

    fn from_c(c: u32) -> Self {
        if c == GPUSCHED_NONE { Self::Lrr } else { Self::Lvl { bound: from_c(c) } }
    }
}

/// Tells, before a launch, whether a graph can deadlock the buffer, in O(v + e). It is for graphs as a builder makes them: of another
/// one it may say something wrong, nothing worse. It is about `spill` off, whatever the configuration says; with it every graph completes.
///
/// @param config     An initialised configuration.
/// @param nodes      The node array: v entries.
/// @param v          Their number, at most 65535.
/// @param edges      The edge array: e entries.
/// @param e          Their number, at most 2^31-1.
/// @param scratch    v counters for the way, whatever they hold.
/// @param admission  Written.
/// @return BadConfig, TooManyNodes, TooManyEdges; Null, Misaligned, BadStructSize, WrongVersion, Capacity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_admit(
    config: *const gpusched_dgb_config,
    nodes: *const u64,
    v: u32,
    edges: *const u16,
    e: u32,
    scratch: *mut u32,
    admission: *mut gpusched_dgb_admission,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        read_checked(config).and_then(|config| {
            if v > MAX_NODES {
                return Err(Status::TooManyNodes);
            }
            if e > MAX_EDGES {
                return Err(Status::TooManyEdges);
            }
            give(admission, || {
                let nodes = in_place::<Node, _>(nodes, v as usize)?;
                let edges = in_place::<NodeId, _>(edges, e as usize)?;
                admit(&config, nodes, edges, array_mut(scratch, v as usize)?).map_err(|_| Status::StorageTooSmall)
            })
        })
    })
}

/// A dependency graph that is being described: at each time one TB of the grid has its turn, lowest linear index first, and names the
/// TBs that must have ended before it starts. A host loops while gpusched_graph_builder_block tells a TB, names that TB's parents with
/// gpusched_graph_builder_add_dependency, and goes on with gpusched_graph_builder_advance; then comes gpusched_graph_builder_finish.
///
/// It lives in storage of the caller, at the address where it was initialised, and so does the graph that becomes of it; forgetting
/// the storage ends both.
pub struct gpusched_graph_builder {
    _opaque: [u8; 0],
}

/// A builder over arrays that lie behind it in the caller's block; none once it has finished.
struct Builder(Option<DepLinks<'static>>);

/// What a block is sized and built from: the grid, its TBs, the most edges.
#[derive(Clone, Copy)]
struct Setup(Dim3, u32, u32);

impl Setup {
    /// # Safety
    /// As [`get`].
    unsafe fn read(grid: *const gpusched_dim3, edges: u32) -> Result<Self, Status> {
        // SAFETY: the caller's contract.
        let &gpusched_dim3 { x, y, z } = unsafe { get(grid) }?;
        let v = DepLinks::nodes_of(Dim3 { x, y, z }).map_err(DepLinksError::fault)?;
        if edges > MAX_EDGES { Err(Status::TooManyEdges) } else { Ok(Self(Dim3 { x, y, z }, v, edges)) }
    }

    /// The arrays, in the order of the tables.
    fn take_from(&self, arena: &mut Arena) -> Option<GraphStorage<'static>> {
        let (v, e) = (self.1 as usize, self.2 as usize);
        let (nodes, rows) = (arena.rows(v)?, arena.rows(v)?);
        let (edges, parents) = (arena.rows(e)?, arena.rows(e)?);
        Some(GraphStorage { nodes, edges, order: arena.rows(v)?, parents, rows })
    }
}

impl Machine for Builder {
    type Opaque = gpusched_graph_builder;
    const KIND: u16 = 5;
    type Config = Setup;

    fn tables(&Setup(_, v, e): &Setup) -> impl Iterator<Item = Option<Layout>> {
        let (v, e) = (v as usize, e as usize);
        let (nodes, rows) = (Layout::array::<Node>(v), Layout::array::<DepLinksRow>(v));
        let (edges, parents) = (Layout::array::<NodeId>(e), Layout::array::<u16>(e));
        [nodes, rows, edges, parents, Layout::array::<u16>(v)].map(Result::ok).into_iter()
    }

    fn build(setup: &Setup, arena: &mut Arena) -> Result<Self, Status> {
        let storage = setup.take_from(arena).ok_or(Status::StorageTooSmall)?;
        Ok(Self(Some(DepLinks::new(setup.0, storage).map_err(DepLinksError::fault)?)))
    }
}

/// Carries out a call on a builder that has not finished.
///
/// # Safety
/// As [`enter`].
unsafe fn build(
    builder: *mut gpusched_graph_builder,
    call: impl FnOnce(&mut DepLinks<'static>) -> Result<(), DepLinksError>,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    let links = unsafe { enter::<Builder>(builder) }.and_then(|b| b.0.as_mut().ok_or(Status::GraphComplete));
    status(links.and_then(|links| Ok(call(links).map_err(DepLinksError::fault)?)))
}

/// Tells the memory that a graph and its description need: about 30 bytes per TB and 4 per dependency.
///
/// @param grid       The grid, in TBs: at most 65535.
/// @param max_edges  The most dependencies that can be named, at most 2^31-1. One that is named twice counts once.
/// @param layout     Written.
/// @return EmptyGrid, TooManyNodes, TooManyEdges; Null, Misaligned; Capacity: more than an address can tell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_graph_builder_layout(
    grid: *const gpusched_dim3,
    max_edges: u32,
    layout: *mut gpusched_layout,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { Setup::read(grid, max_edges).and_then(|setup| put_layout::<Builder>(&setup, layout)) })
}

/// Begins a graph in memory of the caller, with TB 0. Needs no counterpart: to end it, forget it.
///
/// The memory stays the caller's, but must neither be touched nor moved as long as the builder, or the graph that becomes of it, is
/// used. Its former content does not matter.
///
/// @param storage    size bytes, aligned as gpusched_graph_builder_layout says.
/// @param size       At least what gpusched_graph_builder_layout says.
/// @param grid       As of gpusched_graph_builder_layout; not needed after the call.
/// @param max_edges  As of gpusched_graph_builder_layout.
/// @param builder    Receives the object, which is where storage is.
/// @return EmptyGrid, TooManyNodes, TooManyEdges; Null, Misaligned, Capacity, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_graph_builder_init(
    storage: *mut c_void,
    size: usize,
    grid: *const gpusched_dim3,
    max_edges: u32,
    builder: *mut *mut gpusched_graph_builder,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        Setup::read(grid, max_edges).and_then(|setup| init_from::<Builder>(storage, size, &setup, builder))
    })
}

/// Tells the coordinates of the TB whose turn it is.
///
/// @return GraphComplete: every TB has had its turn; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_graph_builder_block(
    builder: *const gpusched_graph_builder,
    block: *mut gpusched_dim3,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Builder>(builder).and_then(|builder| {
            let Dim3 { x, y, z } = builder.0.as_ref().and_then(DepLinks::block).ok_or(Status::GraphComplete)?;
            put(block, gpusched_dim3 { x, y, z })
        })
    })
}

/// The TB whose turn it is cannot start before the one at these coordinates has ended. What lies outside the grid is nothing, also
/// what an unsigned 0 - 1 gives; a parent that was named before is the same parent.
///
/// @return GraphComplete; SelfDependency: that is the TB itself; EdgeStorageFull; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_graph_builder_add_dependency(
    builder: *mut gpusched_graph_builder,
    x: i64,
    y: i64,
    z: i64,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    unsafe { build(builder, |links| links.add_dependency(x, y, z)) }
}

/// Asks for an order of dispatch, as of a gpusched_dgb_header. Without any it is LRR.
///
/// @return GraphComplete; PolicyConflict: another one was asked for before; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_graph_builder_set_policy(
    builder: *mut gpusched_graph_builder,
    policy: u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    unsafe { build(builder, |links| links.set_policy(from_c(policy))) }
}

/// Goes on to the next TB.
///
/// @return GraphComplete; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_graph_builder_advance(builder: *mut gpusched_graph_builder) -> gpusched_status {
    // SAFETY: the caller's contract.
    unsafe { build(builder, DepLinks::advance) }
}

/// A dependency graph in memory, ready to be launched: levelled, renamed, children by node. VIDs rise with the level.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gpusched_graph {
    /// The node array, by VID: v entries, see GPUSCHED_ONE_PARENT. A graph that is launched with spill needs a copy that can be
    /// changed.
    pub nodes: *const u64,
    /// The edge array: e entries.
    pub edges: *const u16,
    /// The linear index of each node's TB: v entries.
    pub order: *const u16,
    /// What a launch says of it, with both addresses 0: set them if they matter.
    pub header: gpusched_dgb_header,
    /// Number of levels.
    pub levels: u32,
}

/// Makes the graph. TBs that have not had their turn have no parents. The builder is used up, whatever the result: GraphComplete is
/// what it says from then on.
///
/// @param builder  The builder.
/// @param graph    Receives where the graph is: in the builder's storage, as long as that is kept.
/// @param tb       If the status is Cycle, receives the smallest linear index of a TB on it or behind it. May be null.
/// @return GraphComplete: it has finished before; Cycle: the dependencies go round in a circle; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_graph_builder_finish(
    builder: *mut gpusched_graph_builder,
    graph: *mut gpusched_graph,
    tb: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Builder>(builder).and_then(|builder| {
            let (graph, tb) = (writable(graph)?, writable_or_null(tb)?);
            let links = builder.0.take().ok_or(Status::GraphComplete)?;
            let built = links.finish().map_err(|refused| {
                put_unless_null(tb, refused.tb().to_c());
                refused.fault()
            })?;
            let Graph { nodes, edges, order, policy, levels } = built;
            let (v, e) = (nodes.len() as u32, edges.len() as u32);
            let header = GraphHeader { v, e, node_base: 0, edge_base: 0, policy }.to_c();
            let (nodes, edges, order) = (nodes.as_ptr().cast(), edges.as_ptr().cast(), order.as_ptr());
            graph.write(gpusched_graph { nodes, edges, order, header, levels });
            Ok(())
        })
    })
}
