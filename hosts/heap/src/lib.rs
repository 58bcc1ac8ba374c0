//! Homes on the heap for the core's machines: every table is a vector of exactly the rows that the configuration needs.
//!
//! The core allocates nothing; it works in tables that its host provides. This is how a host with an allocator provides them: at the root
//! those of the front end, in [`laperm`], [`power`], [`dats`], [`mascar`], [`apogee`], [`simt`] and [`monte`] those of the machines that stand alone. Firmware without an
//! allocator takes inline tables instead (`gpusched::presets`, `gpusched::inline_tables!`). Needs no `std`.
//!
//! ```
//! use gpusched::Config;
//!
//! let config = Config { pend_limit: 1 << 20, ..Config::K20C };
//! let gpu = gpusched_heap::front_end(&config).unwrap();
//! assert!(gpu.is_idle());
//! ```
#![no_std]

extern crate alloc;

pub mod apogee;
pub mod catalogue;
pub mod dats;
pub mod laperm;
pub mod mascar;
pub mod monte;
pub mod power;
pub mod simt;

use alloc::vec;
use alloc::vec::Vec;

use gpusched::dats::{GraphHeader, LocalNode, Node, NodeId};
use gpusched::laperm::{Backup, Entry, Section, UnitQueue};
use gpusched::rows::{
    Age, ClassCap, ClusterPlace, Consumers, Context, Cross, Drain, Gpc, Grid, GridList, HostKernel, Hwq, Instance, Kde,
    KernelEdgeRow, KernelGrid, KernelNodeRow, Kgraph, LaunchFifo, NodeState, Piece, Record, Smx, SmxFlags, SmxPower,
    Suspended, Tbcr, ToldUnit, UnitWork, Waiting,
};
use gpusched::{AnyParts, BuildError, Config, Cycle, FrontEnd, GridId, Owner, RecordId, TableSet, TableSizes, Tables};

/// Tables as vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeapTables;

impl Tables for HeapTables {
    type Parts = AnyParts;
    type Smxs = Vec<Smx>;
    type Tbcrs = Vec<Tbcr>;
    type Hwqs = Vec<Hwq>;
    type HostKernels = Vec<HostKernel>;
    type Records = Vec<Record>;
    type FreeWords = Vec<u64>;
    type LaunchFifos = Vec<LaunchFifo>;
    type WaitingKernels = Vec<Waiting>;
    type LaneRecords = Vec<RecordId>;
    type Kdes = Vec<Kde>;
    type Crosses = Vec<Cross>;
    type SuspendedKernels = Vec<Suspended>;
    type Ages = Vec<Age>;
    type BlockCaps = Vec<u8>;
    type ClassCaps = Vec<ClassCap>;
    type LapEntries = Vec<Entry<UnitWork>>;
    type LapFreeWords = Vec<u64>;
    type LapSections = Vec<Section>;
    type LapUnits = Vec<UnitQueue>;
    type Backups = Vec<Backup>;
    type ToldUnits = Vec<ToldUnit>;
    type ToldStarts = Vec<Cycle>;
    type ToldPieces = Vec<Piece>;
    type ToldPieceWords = Vec<u64>;
    type Gpcs = Vec<Gpc>;
    type ClusterPlaces = Vec<Option<ClusterPlace>>;
    type SavedPlaces = Vec<Option<ClusterPlace>>;
    type Streams = Vec<Option<Owner>>;
    type Contexts = Vec<Context>;
    type Drains = Vec<Option<Drain>>;
    type GridRows = Vec<Grid>;
    type GridWords = Vec<u64>;
    type QueueGrids = Vec<GridList>;
    type KernelGrids = Vec<KernelGrid>;
    type RecordGrids = Vec<Option<GridId>>;
    type SuspendedGrids = Vec<Option<GridId>>;
    type TbFlags = Vec<SmxFlags>;
    type Kgraphs = Vec<Kgraph>;
    type KgraphNodes = Vec<KernelNodeRow>;
    type KgraphEdges = Vec<KernelEdgeRow>;
    type Instances = Vec<Instance>;
    type NodeStates = Vec<NodeState>;
    type Powers = Vec<SmxPower>;
    type Activities = Vec<u16>;
    type HostGraphs = Vec<GraphHeader>;
    type HostConsumers = Vec<Consumers>;
    type DgbNodes = Vec<LocalNode>;
    type DgbEdges = Vec<NodeId>;
    type DgbUpdates = Vec<NodeId>;
    type DgbInsertions = Vec<Node>;
    type DgbWords = Vec<u64>;
}

/// A front end with exactly the rows that `config` needs.
///
/// # Errors
/// A value out of its range; nothing is allocated then.
pub fn front_end(config: &Config) -> Result<FrontEnd<HeapTables>, BuildError> {
    config.check().map_err(BuildError::Config)?;
    FrontEnd::with_tables(config, tables(config))
}

/// Tables with exactly the rows that `config`, within its ranges, needs.
#[must_use]
pub fn tables(config: &Config) -> TableSet<HeapTables> {
    let sizes = TableSizes::of(config);
    TableSet {
        smxs: vec![Smx::default(); sizes.smxs],
        tbcrs: vec![None; sizes.tbcrs],
        hwqs: vec![Hwq::default(); sizes.hwqs],
        host_kernels: vec![HostKernel::default(); sizes.host_kernels],
        records: vec![Record::default(); sizes.records],
        free_words: vec![0; sizes.free_words],
        launch_fifos: vec![LaunchFifo::default(); sizes.launch_fifos],
        waiting_kernels: vec![Waiting::default(); sizes.waiting_kernels],
        lane_records: vec![RecordId::default(); sizes.lane_records],
        kdes: vec![Kde::default(); sizes.kdes],
        crosses: vec![Cross::default(); sizes.crosses],
        suspended: vec![Suspended::default(); sizes.suspended],
        ages: vec![None; sizes.ages],
        block_caps: vec![0; sizes.block_caps],
        class_caps: vec![ClassCap::default(); sizes.class_caps],
        lap_entries: vec![Entry::default(); sizes.lap_entries],
        lap_free_words: vec![0; sizes.lap_free_words],
        lap_sections: vec![Section::default(); sizes.lap_sections],
        lap_units: vec![UnitQueue::default(); sizes.lap_units],
        backups: vec![Backup::default(); sizes.backups],
        told_units: vec![ToldUnit::default(); sizes.told_units],
        told_starts: vec![Cycle::ZERO; sizes.told_starts],
        told_pieces: vec![Piece::default(); sizes.told_pieces],
        told_piece_words: vec![0; sizes.told_piece_words],
        gpcs: vec![Gpc::default(); sizes.gpcs],
        cluster_places: vec![None; sizes.cluster_places],
        saved_places: vec![None; sizes.saved_places],
        streams: vec![None; sizes.streams],
        contexts: vec![Context::default(); sizes.contexts],
        drains: vec![None; sizes.drains],
        grid_rows: vec![Grid::default(); sizes.grid_rows],
        grid_words: vec![0; sizes.grid_words],
        queue_grids: vec![GridList::default(); sizes.queue_grids],
        kernel_grids: vec![KernelGrid::default(); sizes.kernel_grids],
        record_grids: vec![None; sizes.record_grids],
        suspended_grids: vec![None; sizes.suspended_grids],
        tb_flags: vec![SmxFlags::default(); sizes.tb_flags],
        kgraphs: vec![Kgraph::default(); sizes.kgraphs],
        kgraph_nodes: vec![KernelNodeRow::default(); sizes.kgraph_nodes],
        kgraph_edges: vec![KernelEdgeRow::default(); sizes.kgraph_edges],
        instances: vec![Instance::default(); sizes.instances],
        node_states: vec![NodeState::default(); sizes.node_states],
        powers: vec![SmxPower::default(); sizes.powers],
        activities: vec![0; sizes.activities],
        host_graphs: vec![GraphHeader::default(); sizes.host_graphs],
        host_consumers: vec![Consumers::default(); sizes.host_consumers],
        dgb_nodes: vec![LocalNode::default(); sizes.dgb_nodes],
        dgb_edges: vec![NodeId::default(); sizes.dgb_edges],
        dgb_updates: vec![NodeId::default(); sizes.dgb_updates],
        dgb_insertions: vec![Node::default(); sizes.dgb_insertions],
        dgb_words: vec![0; sizes.dgb_words],
    }
}
