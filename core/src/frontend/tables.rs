//! The front end's tables.

use crate::base::cycle::Cycle;
use crate::base::free_map;
use crate::base::home::tables;
use crate::base::id::{GridId, RecordId};
use crate::base::presence::Parts as PartsOf;
use crate::config::Config;
use crate::dats::{self, GraphHeader, LocalNode, Node, NodeId};
use crate::frontend::bubble::SamplerTables;
use crate::grids::instances::{Instance, NodeState};
use crate::grids::kgraph::{KernelEdgeRow, KernelNodeRow, Kgraph};
use crate::grids::overlap::SmxFlags;
use crate::grids::{self, Grid, GridList, GridTables, KernelGrid};
use crate::launch::agt::Age;
use crate::launch::board::BoardTables;
use crate::launch::cross::{Consumers, Cross};
use crate::launch::distributor::Kde;
use crate::launch::hwq::{HostKernel, Hwq, Owner};
use crate::launch::record;
use crate::launch::record::{LaunchFifo, Record, Waiting};
use crate::launch::suspended::Suspended;
use crate::modern::clusters::{ClusterPlace, Gpc};
use crate::modern::contexts::Context;
use crate::modern::drains::Drain;
use crate::modern::{self, ModernTables};
use crate::policy::graph::GraphTables;
use crate::policy::laperm::queues;
use crate::policy::laperm::{Backup, Entry, Section, UnitQueue};
use crate::policy::line::{LineTables, UnitWork};
use crate::policy::seam::pieces::Piece;
use crate::policy::seam::told::ToldTables;
use crate::policy::seam::units::{ToldUnit, rows as told_rows};
use crate::power::SmxPower;
use crate::smx::gates::ClassCap;
use crate::smx::residency::{Smx, Tbcr};

tables! {
    [Parts: PartsOf]
    /// SMX resources: `n_smx`.
    Smxs smxs: Smx;
    /// TB control registers: `n_smx` x `tb_slots`.
    Tbcrs tbcrs: Tbcr;
    /// Hardware work queues: `n_hwq` per context.
    Hwqs hwqs: Hwq;
    /// Host kernels in them: `hwq_depth` per queue.
    HostKernels host_kernels: HostKernel;
    /// Launch records: `pend_limit`.
    Records records: Record;
    /// Map of free launch records.
    FreeWords free_words: u64;
    /// FIFOs of waiting launches: `warp`, and 2 x `warp` per priority of each context.
    LaunchFifos launch_fifos: LaunchFifo;
    /// Kernels of the device that wait: those of each priority of each context.
    WaitingKernels waiting_kernels: Waiting;
    /// The launch records of the last command: `warp`.
    LaneRecords lane_records: RecordId;
    /// Kernel distributor entries: `n_kde`.
    Kdes kdes: Kde;
    /// What entries of two kernels do not show: `n_kde`.
    Crosses crosses: Cross;
    /// Suspended kernels: `susp_cap`.
    SuspendedKernels suspended: Suspended;
    /// Aggregated group table: `agt_size`.
    Ages ages: Age;
    /// Gate X: `n_smx`.
    BlockCaps block_caps: u8;
    /// Gate K: `n_class` x `n_smx`.
    ClassCaps class_caps: ClassCap;
    /// LaPerm: units, held or, in `cdp`, pending.
    LapEntries lap_entries: Entry<UnitWork>;
    /// LaPerm: map of free units.
    LapFreeWords lap_free_words: u64;
    /// LaPerm: sections of all bind units, and that of host kernels.
    LapSections lap_sections: Section;
    /// LaPerm: bind units.
    LapUnits lap_units: UnitQueue;
    /// LaPerm: backup records, `n_smx`.
    Backups backups: Backup;
    /// The host as the policy: a row per entry, launch record and suspended kernel.
    ToldUnits told_units: ToldUnit;
    /// The host as the policy: when each TB was sent, `n_smx` x `tb_slots`.
    ToldStarts told_starts: Cycle;
    /// The host as the policy: pieces of units, `split_cap`.
    ToldPieces told_pieces: Piece;
    /// The host as the policy: map of free pieces.
    ToldPieceWords told_piece_words: u64;
    /// GPCs: as many as the topology has.
    Gpcs gpcs: Gpc;
    /// Clusters: that of the TB in each slot, `n_smx` x `tb_slots`.
    ClusterPlaces cluster_places: Option<ClusterPlace>;
    /// Clusters: those of saved TBs, a list of `n_smx` x `tb_slots` per entry and suspended kernel.
    SavedPlaces saved_places: Option<ClusterPlace>;
    /// Streams that can be set: `n_stream`.
    Streams streams: Option<Owner>;
    /// Contexts.
    Contexts contexts: Context;
    /// Requests that SMXs be drained: `drain_max`.
    Drains drains: Option<Drain>;
    /// Grids that are not complete: those of the host in flight, queue by queue, and `grids`.
    GridRows grid_rows: Grid;
    /// Map of free grids.
    GridWords grid_words: u64;
    /// Grids: those in flight of each queue.
    QueueGrids queue_grids: GridList;
    /// Grids: that of the kernel in each entry, and its TBs that have triggered or wait.
    KernelGrids kernel_grids: KernelGrid;
    /// Grids: that of the kernel that waits in each launch record, or that launched the group there.
    RecordGrids record_grids: Option<GridId>;
    /// Grids: that of each suspended kernel.
    SuspendedGrids suspended_grids: Option<GridId>;
    /// Programmatic dependents: the TBs of each SMX that have triggered or wait, `n_smx`.
    TbFlags tb_flags: SmxFlags;
    /// Kernel graphs: `kgraph.graphs`.
    Kgraphs kgraphs: Kgraph;
    /// Kernel graphs: their kernels, `kgraph.graphs` x `kgraph.nodes`.
    KgraphNodes kgraph_nodes: KernelNodeRow;
    /// Kernel graphs: their edges, `kgraph.graphs` x `kgraph.edges`.
    KgraphEdges kgraph_edges: KernelEdgeRow;
    /// Kernel graphs that run: `kgraph.insts`.
    Instances instances: Instance;
    /// Kernel graphs that run: how far each kernel is, `kgraph.insts` x `kgraph.nodes`.
    NodeStates node_states: NodeState;
    /// Occupancy bubbles: where each SMX stands, `n_smx`.
    Powers powers: SmxPower;
    /// Occupancy bubbles: activity for the next sample, `n_smx`.
    Activities activities: u16;
    /// Dependency graphs: the header of each host kernel that has one, `n_hwq` x `hwq_depth` of each context.
    HostGraphs host_graphs: GraphHeader;
    /// Dependency graphs: the consumers of each host kernel that shares its graph, `n_hwq` x `hwq_depth` of each context.
    HostConsumers host_consumers: Consumers;
    /// Dependency graphs: local node array.
    DgbNodes dgb_nodes: LocalNode;
    /// Dependency graphs: local edge array.
    DgbEdges dgb_edges: NodeId;
    /// Dependency graphs: pending update buffer.
    DgbUpdates dgb_updates: NodeId;
    /// Dependency graphs: node insertion buffer.
    DgbInsertions dgb_insertions: Node;
    /// Dependency graphs: which nodes are ready, executing and pending.
    DgbWords dgb_words: u64;
}

/// Each part sees its own tables and no others.
macro_rules! share {
    ($($Of:ident $([$Part:ident])? { $($Table:ident)* })*) => {
        $(impl<T: Tables> $Of for T {
            $(type $Part = <T::Parts as PartsOf>::$Part;)?
            $(type $Table = T::$Table;)*
        })*
    };
}
share! {
    BoardTables [Grids] {
        Smxs Tbcrs Hwqs HostKernels Records FreeWords LaunchFifos WaitingKernels Kdes Crosses SuspendedKernels Ages BlockCaps ClassCaps
    }
    LineTables [LaPerm] { LapEntries LapFreeWords LapSections LapUnits Backups }
    ToldTables [Told] { ToldUnits ToldStarts ToldPieces ToldPieceWords }
    ModernTables [Modern] { Gpcs ClusterPlaces SavedPlaces Streams Contexts Drains }
    GridTables [Grids] { GridRows GridWords QueueGrids KernelGrids RecordGrids SuspendedGrids TbFlags Kgraphs KgraphNodes KgraphEdges Instances NodeStates }
    SamplerTables [Bubble] { Powers Activities }
    GraphTables [Dats] { HostGraphs HostConsumers DgbNodes DgbEdges DgbUpdates DgbInsertions DgbWords }
}

impl TableSizes {
    /// What a configuration within its ranges needs.
    #[must_use]
    pub const fn of(config: &Config) -> Self {
        let n_smx = config.n_smx as usize;
        let (lap_entries, lap_sections, lap_units) = match config.laperm() {
            Some(part) => {
                let machine = part.machine(config);
                (held_units(config), queues::sections(&machine) as usize, machine.units() as usize)
            }
            None => (0, 0, 0),
        };
        let split_cap = match config.told() {
            Some(part) => part.split_cap,
            None => 0,
        };
        let [gpcs, cluster_places, saved_places, streams, contexts, drains] = modern::rows(config);
        let [
            grid_rows,
            grid_words,
            queue_grids,
            kernel_grids,
            record_grids,
            suspended_grids,
            tb_flags,
            kgraphs,
            kgraph_nodes,
            kgraph_edges,
            instances,
            node_states,
        ] = grids::rows(config);
        let host_kernels = config.n_queue() as usize * config.hwq_depth as usize;
        let dgb = match &config.dats {
            Some(part) => dats::TableSizes::of(&part.machine(config)),
            None => {
                dats::TableSizes { local_nodes: 0, local_edges: 0, pending_updates: 0, insertions: 0, state_words: 0 }
            }
        };
        Self {
            smxs: config.n_smx as usize,
            tbcrs: config.n_smx as usize * config.tb_slots as usize,
            hwqs: config.n_queue() as usize,
            host_kernels,
            records: config.pend_limit as usize,
            free_words: free_map::words(config.pend_limit),
            launch_fifos: record::fifos(config),
            waiting_kernels: record::n_owner(config) as usize,
            lane_records: config.warp as usize,
            kdes: config.n_kde as usize,
            crosses: if config.cross { config.n_kde as usize } else { 0 },
            suspended: config.susp_cap as usize,
            // Units by themselves stand in for the group table.
            ages: if config.has_free_units() { 0 } else { config.agt_size as usize },
            block_caps: config.n_smx as usize,
            class_caps: config.n_class as usize * config.n_smx as usize,
            lap_entries: lap_entries as usize,
            lap_free_words: free_map::words(lap_entries),
            lap_sections,
            lap_units,
            backups: if config.laperm().is_some() { n_smx } else { 0 },
            told_units: if config.told().is_some() { told_rows(config) } else { 0 },
            told_starts: if config.told().is_some() { n_smx * config.tb_slots as usize } else { 0 },
            told_pieces: split_cap as usize,
            told_piece_words: free_map::words(split_cap),
            gpcs,
            cluster_places,
            saved_places,
            streams,
            contexts,
            drains,
            grid_rows,
            grid_words,
            queue_grids,
            kernel_grids,
            record_grids,
            suspended_grids,
            tb_flags,
            kgraphs,
            kgraph_nodes,
            kgraph_edges,
            instances,
            node_states,
            powers: if config.bubble.is_some() { n_smx } else { 0 },
            activities: if config.bubble.is_some() { n_smx } else { 0 },
            host_graphs: if config.dats.is_some() { host_kernels } else { 0 },
            host_consumers: if config.cross { host_kernels } else { 0 },
            dgb_nodes: dgb.local_nodes,
            dgb_edges: dgb.local_edges,
            dgb_updates: dgb.pending_updates,
            dgb_insertions: dgb.insertions,
            dgb_words: dgb.state_words,
        }
    }
}

/// Units that there can be at once: the native TBs of each entry, and what each record launched.
pub(crate) const fn held_units(config: &Config) -> u32 {
    config.n_kde + config.pend_limit
}

/// Makes a home of inline arrays for one configuration, a constant; `name: laperm` makes one for [`laperm`](crate::laperm).
///
/// ```
/// use gpusched::{Config, FrontEnd, inline_tables, laperm};
///
/// const SMALL: Config = Config { n_smx: 4, pend_limit: 64, agt_size: 16, hwq_depth: 4, ..Config::K20C };
/// const QUEUES: laperm::Config = laperm::Config { smxs: 4, pool_cap: 64, ..laperm::Config::K20C };
/// inline_tables! {
///     /// A GPU for a microcontroller.
///     pub struct Small = SMALL;
/// }
/// inline_tables! {
///     /// Its LaPerm alone.
///     pub struct SmallQueues: laperm = QUEUES;
/// }
/// let gpu = FrontEnd::<Small>::new(&SMALL).unwrap();
/// assert_eq!(gpu, gpu.clone());
/// assert!(laperm::LaPerm::<SmallQueues>::new(&QUEUES).is_ok());
/// ```
#[macro_export]
macro_rules! inline_tables {
    ($(#[$meta:meta])* $vis:vis struct $name:ident = $config:expr;) => {
        $crate::inline_tables! { @home [$(#[$meta])*] $vis $name }
        const _: () = {
            use $crate::frontend::tables as __machine;
            $crate::inline_tables! { @tables $name $config, __machine,
                [$crate::Linked<
                    { $config.laperm().is_some() }, { $config.bubble.is_some() }, { $config.dats.is_some() },
                    { $config.told().is_some() }, { $config.is_modern() }, { $config.has_grids() }
                >]
                Smxs smxs: $crate::rows::Smx;
                Tbcrs tbcrs: $crate::rows::Tbcr;
                Hwqs hwqs: $crate::rows::Hwq;
                HostKernels host_kernels: $crate::rows::HostKernel;
                Records records: $crate::rows::Record;
                FreeWords free_words: u64;
                LaunchFifos launch_fifos: $crate::rows::LaunchFifo;
                WaitingKernels waiting_kernels: $crate::rows::Waiting;
                LaneRecords lane_records: $crate::RecordId;
                Kdes kdes: $crate::rows::Kde;
                Crosses crosses: $crate::rows::Cross;
                SuspendedKernels suspended: $crate::rows::Suspended;
                Ages ages: $crate::rows::Age;
                BlockCaps block_caps: u8;
                ClassCaps class_caps: $crate::rows::ClassCap;
                LapEntries lap_entries: $crate::laperm::Entry<$crate::rows::UnitWork>;
                LapFreeWords lap_free_words: u64;
                LapSections lap_sections: $crate::laperm::Section;
                LapUnits lap_units: $crate::laperm::UnitQueue;
                Backups backups: $crate::laperm::Backup;
                ToldUnits told_units: $crate::rows::ToldUnit;
                ToldStarts told_starts: $crate::Cycle;
                ToldPieces told_pieces: $crate::rows::Piece;
                ToldPieceWords told_piece_words: u64;
                Gpcs gpcs: $crate::rows::Gpc;
                ClusterPlaces cluster_places: Option<$crate::rows::ClusterPlace>;
                SavedPlaces saved_places: Option<$crate::rows::ClusterPlace>;
                Streams streams: Option<$crate::Owner>;
                Contexts contexts: $crate::rows::Context;
                Drains drains: Option<$crate::rows::Drain>;
                GridRows grid_rows: $crate::rows::Grid;
                GridWords grid_words: u64;
                QueueGrids queue_grids: $crate::rows::GridList;
                KernelGrids kernel_grids: $crate::rows::KernelGrid;
                RecordGrids record_grids: Option<$crate::GridId>;
                SuspendedGrids suspended_grids: Option<$crate::GridId>;
                TbFlags tb_flags: $crate::rows::SmxFlags;
                Kgraphs kgraphs: $crate::rows::Kgraph;
                KgraphNodes kgraph_nodes: $crate::rows::KernelNodeRow;
                KgraphEdges kgraph_edges: $crate::rows::KernelEdgeRow;
                Instances instances: $crate::rows::Instance;
                NodeStates node_states: $crate::rows::NodeState;
                Powers powers: $crate::rows::SmxPower;
                Activities activities: u16;
                HostGraphs host_graphs: $crate::dats::GraphHeader;
                HostConsumers host_consumers: $crate::Consumers;
                DgbNodes dgb_nodes: $crate::dats::LocalNode;
                DgbEdges dgb_edges: $crate::dats::NodeId;
                DgbUpdates dgb_updates: $crate::dats::NodeId;
                DgbInsertions dgb_insertions: $crate::dats::Node;
                DgbWords dgb_words: u64;
            }
        };
    };
    ($(#[$meta:meta])* $vis:vis struct $name:ident: laperm = $config:expr;) => {
        $crate::inline_tables! { @home [$(#[$meta])*] $vis $name }
        const _: () = {
            use $crate::laperm as __machine;
            $crate::inline_tables! { @tables $name $config, __machine,
                Entries entries: $crate::laperm::Entry<$crate::laperm::Work>;
                FreeWords free_words: u64;
                Sections sections: $crate::laperm::Section;
                Units units: $crate::laperm::UnitQueue;
                Smxs smxs: $crate::Resources;
                Backups backups: $crate::laperm::Backup;
                Kdes kdes: $crate::laperm::Kde;
            }
        };
    };
    (@home [$($meta:tt)*] $vis:vis $name:ident) => {
        $($meta)*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $vis struct $name;
    };
    (@tables $name:ident $config:expr, $machine:ident, $([$Parts:ty])? $($Assoc:ident $field:ident: $Row:ty;)*) => {
        impl $machine::Tables for $name {
            $(type Parts = $Parts;)?
            $(type $Assoc = [$Row; $machine::TableSizes::of(&$config).$field];)*
        }

        /// Rows that are not there yet.
        #[doc(hidden)]
        pub struct Reserve;

        impl $machine::Tables for Reserve {
            $(type Parts = $Parts;)?
            $(type $Assoc = $crate::rows::Reserve<$Row, { $machine::TableSizes::of(&$config).$field }>;)*
        }

        impl $machine::InlineTables for $name {
            fn empty() -> $machine::TableSet<Self> {
                $machine::TableSet {
                    $($field: ::core::array::from_fn(|_| ::core::default::Default::default()),)*
                }
            }

            type Reserve = Reserve;

            const RESERVED: $machine::TableSet<Reserve> =
                $machine::TableSet { $($field: $crate::rows::Reserve::new(),)* };

            fn lend(
                reserved: &mut $machine::Reserved<Self>,
            ) -> $machine::TableSet<$crate::SliceTables<'_ $(, $Parts)?>> {
                $machine::TableSet { $($field: $crate::rows::fill(&mut reserved.$field),)* }
            }
        }
    };
}
