//! DepLinks: from the dependencies of each TB to a graph in memory. The host goes through the grid itself, TB by TB, so nothing is
//! called back.

use core::alloc::Layout;
use core::ffi::c_void;

use gpusched::dats::{DepLinks, DepLinksError, DepLinksRow, Graph, GraphStorage, MAX_EDGES, Node, NodeId};
use gpusched::{Dim3, RowSource};

use super::graph::{core_policy, gpusched_graph_error, gpusched_graph_header, told_policy};
use crate::object::{
    Arena, Machine, enter, get, gpusched_layout, init_from, inspect, put, put_layout, put_unless_null, writable,
    writable_or_null,
};
use crate::smx::gpusched_dim3;
use crate::status::{gpusched_status, gpusched_status as Status, status};

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
pub(crate) struct Builder(Option<DepLinks<'static>>);

/// What a block is sized and built from.
#[derive(Clone, Copy)]
pub struct Setup {
    grid: Dim3,
    /// TBs of the grid.
    v: u32,
    /// The most edges.
    edges: u32,
}

impl Setup {
    /// # Errors
    /// `EmptyGrid`, `TooManyNodes`, `TooManyEdges`; `Null`, `Misaligned`.
    ///
    /// # Safety
    /// As [`get`].
    unsafe fn read(grid: *const gpusched_dim3, edges: u32) -> Result<Self, Status> {
        // SAFETY: the caller's contract.
        let &gpusched_dim3 { x, y, z } = unsafe { get(grid) }?;
        let grid = Dim3 { x, y, z };
        let v = DepLinks::nodes_of(grid).map_err(DepLinksError::fault)?;
        if edges > MAX_EDGES { Err(Status::TooManyEdges) } else { Ok(Self { grid, v, edges }) }
    }

    /// The arrays, in the order of the tables.
    fn take_from(&self, arena: &mut Arena) -> Option<GraphStorage<'static>> {
        let (v, e) = (self.v as usize, self.edges as usize);
        let (nodes, rows) = (arena.rows(v)?, arena.rows(v)?);
        let (edges, parents) = (arena.rows(e)?, arena.rows(e)?);
        Some(GraphStorage { nodes, edges, order: arena.rows(v)?, parents, rows })
    }
}

impl Machine for Builder {
    type Opaque = gpusched_graph_builder;
    const KIND: u16 = 5;
    type Config = Setup;

    fn tables(setup: &Setup) -> impl Iterator<Item = Option<Layout>> {
        let (v, e) = (setup.v as usize, setup.edges as usize);
        let nodes = Layout::array::<Node>(v);
        let rows = Layout::array::<DepLinksRow>(v);
        let (edges, parents) = (Layout::array::<NodeId>(e), Layout::array::<u16>(e));
        [nodes, rows, edges, parents, Layout::array::<u16>(v)].map(Result::ok).into_iter()
    }

    fn build(setup: &Setup, arena: &mut Arena) -> Result<Self, Status> {
        let storage = setup.take_from(arena).ok_or(Status::StorageTooSmall)?;
        Ok(Self(Some(DepLinks::new(setup.grid, storage).map_err(DepLinksError::fault)?)))
    }
}

impl Builder {
    fn links(&self) -> Result<&DepLinks<'static>, Status> {
        self.0.as_ref().ok_or(Status::GraphComplete)
    }

    fn links_mut(&mut self) -> Result<&mut DepLinks<'static>, Status> {
        self.0.as_mut().ok_or(Status::GraphComplete)
    }
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
            let Dim3 { x, y, z } = builder.links()?.block().ok_or(Status::GraphComplete)?;
            put(block, gpusched_dim3 { x, y, z })
        })
    })
}

/// Tells the linear index of the TB whose turn it is, x + grid.x * (y + grid.y * z).
///
/// @return GraphComplete: every TB has had its turn; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_graph_builder_tb(
    builder: *const gpusched_graph_builder,
    tb: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Builder>(builder).and_then(|builder| {
            let links = builder.links()?;
            links.block().ok_or(Status::GraphComplete)?;
            put(tb, links.tb())
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
    status(unsafe {
        enter::<Builder>(builder)
            .and_then(|builder| Ok(builder.links_mut()?.add_dependency(x, y, z).map_err(DepLinksError::fault)?))
    })
}

/// A barrier: if the TB whose turn it is lies in `after`, it needs every TB of `before`. Both are ranges of linear indices, from the
/// first to the one behind the last.
///
/// @return GraphComplete, SelfDependency, EdgeStorageFull: dependencies before the one that is refused stay; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_graph_builder_barrier(
    builder: *mut gpusched_graph_builder,
    before: u32,
    before_end: u32,
    after: u32,
    after_end: u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Builder>(builder).and_then(|builder| {
            let links = builder.links_mut()?;
            Ok(links.barrier(before..before_end, after..after_end).map_err(DepLinksError::fault)?)
        })
    })
}

/// Asks for an order of dispatch. Without any it is LRR.
///
/// @param builder  The builder.
/// @param policy   A gpusched_graph_policy.
/// @param bound    LVL: the greatest distance, 0 to 65535.
/// @return GraphComplete; BadGraphPolicy; PolicyConflict: another one was asked for before; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_graph_builder_set_policy(
    builder: *mut gpusched_graph_builder,
    policy: u32,
    bound: u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Builder>(builder).and_then(|builder| {
            let links = builder.links_mut()?;
            Ok(links.set_policy(core_policy(policy, bound)?).map_err(DepLinksError::fault)?)
        })
    })
}

/// Goes on to the next TB.
///
/// @return GraphComplete; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_graph_builder_advance(builder: *mut gpusched_graph_builder) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Builder>(builder)
            .and_then(|builder| Ok(builder.links_mut()?.advance().map_err(DepLinksError::fault)?))
    })
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
    pub header: gpusched_graph_header,
    /// Number of levels.
    pub levels: u32,
}

/// Makes the graph. TBs that have not had their turn have no parents. The builder is used up, whatever the result: GraphComplete is
/// what it says from then on.
///
/// @param builder  The builder.
/// @param graph    Receives where the graph is: in the builder's storage, as long as that is kept.
/// @param error    If the status is Cycle, receives the TB. May be null.
/// @return GraphComplete: it has finished before; Cycle: the dependencies go round in a circle; Null, Misaligned; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_graph_builder_finish(
    builder: *mut gpusched_graph_builder,
    graph: *mut gpusched_graph,
    error: *mut gpusched_graph_error,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Builder>(builder).and_then(|builder| {
            let (graph, error) = (writable(graph)?, writable_or_null(error)?);
            let links = builder.0.take().ok_or(Status::GraphComplete)?;
            let built = links.finish().map_err(|refused| {
                if let Some(tb) = refused.tb() {
                    put_unless_null(error, gpusched_graph_error { tb, ..Default::default() });
                }
                refused.fault()
            })?;
            graph.write(gpusched_graph::of(&built));
            Ok(())
        })
    })
}

impl gpusched_graph {
    /// A graph whose arrays stay where they are.
    fn of(built: &Graph<'static>) -> Self {
        let &Graph { nodes, edges, order, policy, levels } = built;
        let (policy, bound) = told_policy(policy);
        let (v, e) = (nodes.len() as u32, edges.len() as u32);
        let header = gpusched_graph_header { node_base: 0, edge_base: 0, v, e, policy, bound };
        Self { nodes: nodes.as_ptr().cast(), edges: edges.as_ptr().cast(), order: order.as_ptr(), header, levels }
    }
}
