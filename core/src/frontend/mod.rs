//! The composition: launch, coalescing, dispatch, residency and gates behind one verb per event and one [`FrontEnd::tick`] per
//! SMX cycle (sheets [`dtbl`](crate::sheets::dtbl) and [`frontend`](crate::sheets::frontend)).
//!
//! # Who drives it
//! A cycle-level simulator, an RTL bench or firmware. It calls the verbs as things happen, then `tick` once per SMX cycle, and
//! runs the TBs that `tick` sends. All calls between two ticks belong to one cycle and act at once, in call order. Runs that are
//! to be compared make them in the order of frontend-O5.
//!
//! # Order inside a cycle
//! `tick` does the KMU (frontend-T1), arrival (frontend-T2), coalescing (frontend-T3), the sample of the occupancy-bubble controller
//! (frontend-C1), dispatch (frontend-T4), then the statistics, and adds 1 to `now`. So an end frees room, an entry and a queue before
//! anything looks for them, and a kernel issued with `lat_dispatch` 0 arrives, is joined and may send its first TB in the cycle of its
//! launch (frontend-O1). Nothing is latched: dispatch sees room and gates anew in every cycle (frontend-O2).
//!
//! # What it is made of
//! The board of what is launched and what runs ([`crate::launch`]); beside it, as values with verbs of their own that take it, the
//! KMU ([`crate::launch::kmu`]), the policies ([`crate::policy`]), the dependency-graph buffer and the occupancy-bubble controller.
//! A tick is [`begin`](cycle), dispatch by the policy, and end.
//!
//! With the policy `told` there is no tick: the host begins a cycle, decides, and ends it ([`told`]). Between the two halves every other
//! verb is refused with `MidCycle`, before it looks at anything else (policy-P2).
//!
//! # What a refused call does
//! Nothing: every verb checks before it acts (dtbl-I12).
//!
//! ```
//! use gpusched::{Config, Descriptor, Dim3, FrontEnd, Sched, presets::K20c};
//!
//! let mut gpu = FrontEnd::<K20c>::new(&Config::K20C.ideal())?;
//! let kernel = Descriptor { grid: Dim3::linear(100), tb: Dim3::linear(640), tag: 7, ..Descriptor::default() };
//! gpu.host_launch(0, &kernel, false)?;
//! // 13 SMXs hold three TBs of 640 threads each; TB i goes to SMX i mod 13.
//! for i in 0..39 {
//!     let Sched::Tb(tb) = gpu.tick(&mut ())?.sched else { panic!("one TB per cycle") };
//!     assert_eq!((u32::from(tb.smx.0), tb.blkid, tb.tag), (i % 13, i, 7));
//! }
//! assert_eq!(gpu.tick(&mut ())?.sched, Sched::NoRoom);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// What can be done with a machine if it can be done with each of its parts. (Derived, it would not see the tables in them.)
macro_rules! as_its_parts {
    ([$($generics:tt)*] $Machine:ty { $($part:ident: $Part:ty,)* }) => {
        impl<$($generics)*> Clone for $Machine
        where
            $($Part: Clone,)*
        {
            fn clone(&self) -> Self {
                Self { $($part: self.$part.clone(),)* }
            }
        }

        impl<$($generics)*> core::fmt::Debug for $Machine
        where
            $($Part: core::fmt::Debug,)*
        {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($Machine))$(.field(stringify!($part), &self.$part))*.finish()
            }
        }

        impl<$($generics)*> PartialEq for $Machine
        where
            $($Part: PartialEq,)*
        {
            fn eq(&self, other: &Self) -> bool {
                $(self.$part == other.$part)&&*
            }
        }

        impl<$($generics)*> Eq for $Machine where $($Part: Eq,)* {}

        impl<$($generics)*> core::hash::Hash for $Machine
        where
            $($Part: core::hash::Hash,)*
        {
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                $(self.$part.hash(state);)*
            }
        }
    };
}

pub(crate) use as_its_parts;

pub mod bubble;
pub mod complete;
pub mod cycle;
pub mod decided;
pub mod gate_verbs;
pub mod graph;
pub mod grids;
pub mod kgraphs;
pub mod laperm;
pub mod launches;
pub mod modern;
pub mod query;
pub(crate) mod quiet;
pub mod skip;
pub mod storage;
pub mod suspend;
pub mod tables;
pub mod told;
mod validate;
pub mod view;
pub mod waiting;

#[cfg(feature = "image")]
pub mod image;

use crate::base::aside::Aside;
use crate::base::cycle::Cycle;
use crate::base::home::BuildError;
use crate::base::id::RecordId;
use crate::base::presence::Part;
use crate::base::table::Table;
use crate::config::Config;
use crate::grids::{GridPart, Grids};
use crate::launch::agt::Agt;
use crate::launch::board::Board;
use crate::launch::distributor::Distributor;
use crate::launch::hwq::Hwqs;
use crate::launch::kmu::{Issuer, Kmu};
use crate::launch::record::Records;
use crate::launch::stats::Stats;
use crate::launch::suspended::SuspendedList;
use crate::modern::{Modern, ModernPart};
use crate::policy::Sched;
use crate::policy::fcfs_rr::FcfsRr;
use crate::policy::graph::{GraphPart, Graphs};
use crate::policy::line::{Line, LinePart};
use crate::policy::seam::told::{Told, ToldPartOf};
use crate::smx::gates::Gates;
use crate::smx::residency::Residency;
use bubble::{BubblePartOf, Sampler};
use launches::LaneId;
use quiet::Quiet;
use tables::{InlineTables, TableSet, TableSizes, Tables, held_units};

/// What a cycle did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Tick {
    /// The scheduler.
    pub sched: Sched,
    /// The kernel management unit.
    pub kmu: Kmu,
}

/// The composed front end. With inline tables it is one plain value: clone it, compare it, hash it.
pub struct FrontEnd<T: Tables> {
    board: Board<T>,
    /// The KMU (frontend-T1).
    kmu: Issuer,
    /// The baseline, unless LaPerm is the policy (frontend-T4f).
    fcfs_rr: FcfsRr,
    /// LaPerm, if that is the policy (frontend-T4p).
    laperm: LinePart<T>,
    /// The seam, if the host is the policy.
    told: ToldPartOf<T>,
    /// What GPUs of today add, if there is something of it.
    modern: ModernPart<T>,
    /// Grids, if completion is told apart from the end of a kernel.
    grids: GridPart<T>,
    /// The dependency-graph buffer, if there is one.
    graphs: GraphPart<T>,
    /// The occupancy-bubble controller, if there is one.
    bubble: BubblePartOf<T>,
    /// What the last cycles have found.
    quiet: Aside<Quiet>,
    /// The launch records of the last command.
    launched: Aside<Table<LaneId, RecordId, T::LaneRecords>>,
}

as_its_parts! {
    [T: Tables] FrontEnd<T> {
        board: Board<T>,
        kmu: Issuer,
        fcfs_rr: FcfsRr,
        laperm: LinePart<T>,
        told: ToldPartOf<T>,
        modern: ModernPart<T>,
        grids: GridPart<T>,
        graphs: GraphPart<T>,
        bubble: BubblePartOf<T>,
        quiet: Aside<Quiet>,
        launched: Aside<Table<LaneId, RecordId, T::LaneRecords>>,
    }
}

impl<T: InlineTables> FrontEnd<T> {
    /// A front end that brings its own tables: one value, as large as they are. Building it moves it over the stack more than once: that
    /// of a K20c takes 2 MiB there in a release build, 5 MiB in a debug build. Where that is too much, the same tables lie in a
    /// `static` and are lent to a machine, which then is a few kilobytes whatever its configuration.
    ///
    /// ```
    /// use std::sync::Mutex;
    ///
    /// use gpusched::{Config, FrontEnd, InlineTables, Reserved, presets::K20c};
    ///
    /// static TABLES: Mutex<Reserved<K20c>> = Mutex::new(K20c::RESERVED);
    /// let mut tables = TABLES.lock().unwrap();
    /// let gpu = FrontEnd::with_tables(&Config::K20C, K20c::lend(&mut tables))?;
    /// assert!(size_of_val(&gpu) < 4 << 10 && size_of::<FrontEnd<K20c>>() > 400 << 10);
    /// # Ok::<(), gpusched::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// A value out of its range, or a configuration that needs more rows than the home has.
    pub fn new(config: &Config) -> Result<Self, BuildError> {
        Self::with_tables(config, T::empty())
    }
}

impl<T: Tables> FrontEnd<T> {
    /// A front end on the given tables.
    ///
    /// # Errors
    /// A value out of its range, or a table with fewer rows than [`TableSizes::of`] the configuration.
    pub fn with_tables(config: &Config, tables: TableSet<T>) -> Result<Self, BuildError> {
        config.check_for::<T::Parts>().map_err(BuildError::Config)?;
        if let Some(small) = tables.shortage(&TableSizes::of(config)) {
            return Err(BuildError::Tables(small));
        }
        Ok(Self::empty(config, tables))
    }

    /// A front end in its first cycle, of a checked configuration and on tables that are large enough.
    fn empty(config: &Config, tables: TableSet<T>) -> Self {
        let Config { n_kde, hwq_depth, susp_cap, .. } = *config;
        Self {
            board: Board {
                config: *config,
                now: Cycle::ZERO,
                seq: 0,
                hwqs: Hwqs::new(tables.hwqs, tables.host_kernels, hwq_depth),
                records: Records::new(
                    tables.records,
                    tables.free_words,
                    tables.launch_fifos,
                    tables.waiting_kernels,
                    config,
                ),
                suspended: SuspendedList::new(tables.suspended, susp_cap),
                kd: Distributor::new(tables.kdes, tables.crosses, n_kde),
                agt: Agt::new(tables.ages),
                residency: Residency::new(tables.smxs, tables.tbcrs, config),
                gates: Gates::new(tables.block_caps, tables.class_caps, config),
                stats: Stats::default(),
            },
            kmu: Issuer::default(),
            fcfs_rr: FcfsRr::default(),
            laperm: Part::new(|| {
                let machine = config.laperm()?.machine(config);
                let rows = (tables.lap_entries, tables.lap_free_words, tables.lap_sections, tables.lap_units);
                Some(Line::new(rows, tables.backups, &machine, held_units(config)))
            }),
            told: Part::new(|| {
                let rows = (tables.told_units, tables.told_starts, tables.told_pieces, tables.told_piece_words);
                Some(Told::new(rows, config.told()?, config))
            }),
            modern: Part::new(|| {
                let rows = (
                    tables.gpcs,
                    tables.cluster_places,
                    tables.saved_places,
                    tables.streams,
                    tables.contexts,
                    tables.drains,
                );
                config.is_modern().then(|| Modern::new(rows, config))
            }),
            grids: Part::new(|| {
                let rows = (
                    tables.grid_rows,
                    tables.grid_words,
                    tables.queue_grids,
                    tables.kernel_grids,
                    tables.record_grids,
                    tables.suspended_grids,
                    tables.tb_flags,
                    tables.kgraphs,
                    tables.kgraph_nodes,
                    tables.kgraph_edges,
                    tables.instances,
                    tables.node_states,
                );
                config.has_grids().then(|| Grids::new(rows, config))
            }),
            graphs: Part::new(|| {
                let machine = config.dats?.machine(config);
                let (updates, insertions) = (tables.dgb_updates, tables.dgb_insertions);
                let rows = (tables.dgb_nodes, tables.dgb_edges, updates, insertions, tables.dgb_words);
                Some(Graphs::new((tables.host_graphs, tables.host_consumers), rows, &machine))
            }),
            bubble: Part::new(|| {
                let machine = config.bubble?.machine(config);
                Some(Sampler::new(tables.powers, tables.activities, &machine))
            }),
            quiet: Aside::default(),
            launched: Aside(Table::new(tables.lane_records)),
        }
    }
}
