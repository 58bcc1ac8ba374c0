//! The composition: launch, coalescing, dispatch, residency and gates behind one verb per event and one [`FrontEnd::tick`] per
//! SMX cycle (sheets [`dtbl`](crate::sheets::dtbl) and [`frontend`](crate::sheets::frontend)).
//!
//! # Who drives it
//! A cycle-level simulator, an RTL bench or firmware. It calls the verbs as things happen, then `tick` once per SMX cycle, and
//! runs the TBs that `tick` sends. All calls between two ticks belong to one cycle and act at once, in call order. Runs that are
//! to be compared report, in each cycle, `tb_done` by SMX and slot, then answers to dependency graphs and `graph_poll` until it has no
//! more, then gate changes, then `unretain`, `suspend`, `resume` and `abort_graph`,
//! then launches by SMX, slot and warp, host launches last (frontend-O5).
//!
//! # Order inside a cycle
//! `tick` does the KMU (frontend-T1), arrival (frontend-T2), coalescing (frontend-T3), the sample of the occupancy-bubble controller
//! (frontend-C1), dispatch (frontend-T4), then the statistics, and adds 1 to `now`. So an end frees room, an entry and a queue before
//! anything looks for them, and a kernel issued with `lat_dispatch` 0 arrives, is joined and may send its first TB in the cycle of its
//! launch (frontend-O1). Nothing is latched: dispatch sees room and gates anew in every cycle (frontend-O2).
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

pub mod bubble;
pub mod complete;
pub mod config;
pub mod gate_verbs;
pub mod gates;
pub mod graph;
pub mod kmu;
pub mod laperm;
pub mod launches;
pub mod parts;
pub mod query;
pub mod skip;
pub mod stats;
pub mod storage;
pub mod suspend;
pub mod tables;
mod validate;
pub mod waiting;

#[cfg(feature = "image")]
pub mod image;

use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::home::BuildError;
use crate::base::id::{RecordId, SmxId};
use crate::base::presence::Part;
use crate::base::probe::{Decision, GroupRef, Probe, TbPlacement, TbRef};
use crate::dats::Stall;
use crate::launch::agt::Agt;
use crate::launch::ahead::LoadBuffer;
use crate::launch::distributor::Distributor;
use crate::launch::hwq::{Hwqs, Key};
use crate::launch::record::Records;
use crate::launch::suspended::SuspendedList;
use crate::smx::residency::{Residency, Unit};
use bubble::Sampler;
use config::Config;
use gates::Gates;
use graph::Graphs;
use laperm::Line;
use parts::Parts;
use stats::Stats;
use tables::{InlineTables, TableSet, TableSizes, Tables, held_units};

/// What the scheduler did in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Sched {
    /// It sent this TB.
    Tb(TbPlacement),
    /// No kernel has TBs to send; under LaPerm, no unit is visible.
    Idle,
    /// It waits for the information of a spilled group.
    Load,
    /// No SMX has room for the next TB.
    NoRoom,
    /// An SMX has room, but a gate other than K is closed there.
    Gated,
    /// No SMX takes the next TB, whose class has its share of some (gate K).
    Capped,
    /// LaPerm: the candidate for the visited SMX does not fit there.
    NoFit,
    /// LaPerm: there is visible work, but none for the visited SMX.
    NoCandidate,
    /// LaPerm: the visited SMX is not eligible, or gate X closes it.
    Masked,
    /// A dependency graph: every node of its window waits for parents, runs, or is done.
    GraphNoReady,
    /// A dependency graph: its ready nodes wait for their successor's entry or for edges (the head rule).
    GraphHead,
    /// A dependency graph: its ready node is too many levels ahead.
    GraphLevelBound,
    /// A dependency graph: its window can never move again.
    GraphDeadlock,
    /// A dependency graph: its memory contradicts itself.
    GraphFault,
}

/// What the kernel management unit did in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Kmu {
    /// It issued a kernel.
    Issue,
    /// No kernel waits.
    Empty,
    /// Its last dispatch is still under way.
    Busy,
    /// Every kernel distributor entry is taken.
    KdFull,
    /// Only kernels wait whose dependency graphs wait for the dependency-graph buffer.
    DgBusy,
}

/// What a cycle did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Tick {
    /// The scheduler.
    pub sched: Sched,
    /// The kernel management unit.
    pub kmu: Kmu,
}

/// The composed front end. With inline tables it is one plain value: clone it, compare it, hash it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FrontEnd<T: Tables> {
    pub(crate) config: Config,
    pub(crate) now: Cycle,
    /// The next place in the order of launches and resumptions.
    pub(crate) seq: u64,
    /// The KMU is busy before this cycle.
    pub(crate) next_issue: Cycle,
    /// KMU with `kmu_arb` rr: the position that is asked first.
    pub(crate) kmu_ptr: u8,
    /// The SMX that is tried first.
    pub(crate) rr: SmxId,
    pub(crate) hwqs: Hwqs<T::Hwqs, T::HostKernels>,
    pub(crate) records: Records<T::Records, T::FreeWords, T::LaunchFifos>,
    pub(crate) suspended: SuspendedList<T::SuspendedKernels>,
    pub(crate) kd: Distributor<T::Kdes>,
    pub(crate) agt: Agt<T::Ages>,
    pub(crate) load_buffer: LoadBuffer,
    pub(crate) residency: Residency<T::Smxs, T::Tbcrs>,
    pub(crate) gates: Gates<T::BlockCaps, T::ClassCaps>,
    /// Under LaPerm: its queues.
    #[allow(clippy::type_complexity, reason = "behind an alias the derives would not see the tables")]
    pub(crate) laperm: Part<
        <T::Parts as Parts>::LaPerm,
        Line<T::LapEntries, T::LapFreeWords, T::LapSections, T::LapUnits, T::Backups>,
    >,
    /// The occupancy-bubble controller, if there is one.
    #[allow(clippy::type_complexity, reason = "behind an alias the derives would not see the tables")]
    pub(crate) bubble: Part<<T::Parts as Parts>::Bubble, Sampler<T::Powers, T::Activities>>,
    /// The dependency-graph buffer, if there is one.
    #[allow(clippy::type_complexity, reason = "behind an alias the derives would not see the tables")]
    pub(crate) graphs: Part<
        <T::Parts as Parts>::Dats,
        Graphs<T::HostGraphs, T::DgbNodes, T::DgbEdges, T::DgbUpdates, T::DgbInsertions, T::DgbWords>,
    >,
    pub(crate) stats: Stats,
}

impl Sched {
    /// The word for a dependency graph that has no node to send.
    pub(crate) const fn of_graph(stall: Stall) -> Self {
        match stall {
            Stall::NoReady => Self::GraphNoReady,
            Stall::Head => Self::GraphHead,
            Stall::LevelBound => Self::GraphLevelBound,
            Stall::Deadlock => Self::GraphDeadlock,
            Stall::NoSmx => Self::NoRoom,
        }
    }

    /// Whether it is one of the words for a dependency graph that has no node to send.
    #[must_use]
    pub const fn is_of_graph(&self) -> bool {
        use Sched::{GraphDeadlock, GraphFault, GraphHead, GraphLevelBound, GraphNoReady};
        matches!(self, GraphNoReady | GraphHead | GraphLevelBound | GraphDeadlock | GraphFault)
    }
}

impl<T: InlineTables> FrontEnd<T> {
    /// A front end that brings its own tables.
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
    pub(crate) fn empty(config: &Config, tables: TableSet<T>) -> Self {
        Self {
            config: *config,
            now: Cycle::ZERO,
            seq: 0,
            next_issue: Cycle::ZERO,
            kmu_ptr: 0,
            rr: SmxId(0),
            hwqs: Hwqs::new(tables.hwqs, tables.host_kernels, config.hwq_depth),
            records: Records::new(
                tables.records,
                tables.free_words,
                tables.launch_fifos,
                config.pend_limit,
                config.warp,
            ),
            suspended: SuspendedList::new(tables.suspended, config.susp_cap),
            kd: Distributor::new(tables.kdes, config.n_kde),
            agt: Agt::new(tables.ages),
            load_buffer: LoadBuffer::default(),
            residency: Residency::new(tables.smxs, tables.tbcrs, config),
            gates: Gates::new(tables.block_caps, tables.class_caps, config),
            laperm: Part::new(|| {
                let machine = config.laperm?.machine(config);
                let rows = (tables.lap_entries, tables.lap_free_words, tables.lap_sections, tables.lap_units);
                Some(Line::new(rows, tables.backups, &machine, held_units(config)))
            }),
            bubble: Part::new(|| {
                let machine = config.bubble?.machine(config);
                Some(Sampler::new(tables.powers, tables.activities, &machine))
            }),
            graphs: Part::new(|| {
                let machine = config.dats?.machine(config);
                let (updates, insertions) = (tables.dgb_updates, tables.dgb_insertions);
                let rows = (tables.dgb_nodes, tables.dgb_edges, updates, insertions, tables.dgb_words);
                Some(Graphs::new(tables.host_graphs, rows, &machine))
            }),
            stats: Stats::default(),
        }
    }

    /// Carries out cycle `now`, then moves to the next one.
    ///
    /// # Errors
    /// `TimeOverflow` in the last cycle.
    #[inline(never)] // One copy of the scheduler, however many places tick; a call costs them some 3 %.
    pub fn tick(&mut self, probe: &mut impl Probe) -> Result<Tick, Fault> {
        if self.now == Cycle::MAX {
            return Err(Fault::TimeOverflow);
        }
        let kmu = self.issue(probe);
        self.arrive(probe);
        self.coalesce(probe);
        self.sample_bubbles(probe);
        let sched = if self.is_laperm() { self.dispatch_laperm(probe) } else { self.dispatch_fcfs_rr(probe) };
        self.count_cycles(&sched, 1);
        Ok(Tick { sched, kmu })
    }

    /// `n` cycles in which the scheduler's word is `sched` go by.
    #[inline]
    fn count_cycles(&mut self, sched: &Sched, n: u64) {
        let stats = &mut self.stats;
        stats.warp_cycles = stats.warp_cycles.saturating_add(u64::from(self.residency.warps()).saturating_mul(n));
        match sched {
            Sched::Gated => stats.gated = stats.gated.saturating_add(n),
            Sched::Capped => stats.capped = stats.capped.saturating_add(n),
            _ => {}
        }
        // The caller has made sure that the last cycle is not passed.
        self.now.0 += n;
    }

    /// dtbl-T2: kernels whose time has come enter the distributor.
    #[inline]
    fn arrive(&mut self, probe: &mut impl Probe) {
        while let Some(kde) = self.kd.arrive(self.now) {
            let tag = self.kd.get(kde).kernel.descriptor.tag;
            probe.decide(self.now, Decision::Arrive { kde, tag });
            let is_graph = self.kd.get(kde).graph.is_some();
            if is_graph {
                self.start_graph(kde);
            }
            if !self.is_laperm() {
                self.kd.mark(kde, true);
            } else if !is_graph {
                // The buffer holds the nodes of a graph.
                self.hold_natives(kde, probe);
            }
        }
    }

    /// The age of something that is ready at `ready`, behind all that came before.
    pub(crate) fn next_key(&mut self, ready: Cycle) -> Key {
        let seq = self.seq;
        self.seq = self.seq.wrapping_add(1);
        Key { ready, seq }
    }

    /// Where the information of a coalesced group is.
    pub(crate) fn group_ref(&self, r: RecordId) -> GroupRef {
        match self.records.get(r).group().and_then(|g| g.age) {
            Some(age) => GroupRef::Age(age),
            None if self.is_laperm() => GroupRef::Unit(r),
            None => GroupRef::Record(r),
        }
    }

    pub(crate) fn tb_ref(&self, unit: Unit) -> TbRef {
        match unit {
            Unit::Native => TbRef::Native,
            Unit::Restored => TbRef::Restored,
            Unit::Node => TbRef::Node,
            Unit::Group(r) => TbRef::Group(self.group_ref(r)),
        }
    }
}
