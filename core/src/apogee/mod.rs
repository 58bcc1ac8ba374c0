//! APOGEE: fixed-offset and thread-invariant prefetching for one SM (sheet [`apogee`](crate::sheets::apogee); chapter V of the source).
//!
//! # What it models
//! A prefetcher beside an SM's data-cache controller. It sees the addresses of all active threads of each load of a warp, learns per
//! load PC whether they are an arithmetic sequence over the thread index (fixed offset address, FOA) or one address (thread
//! invariant address, TIA), and prefetches what the warp will load next: FOA some iterations ahead, at a distance that adapts to
//! prefetches that come late or early; TIA from an earlier load of the same loop. So a few warps hide what took many.
//!
//! # Who drives it
//! A host with an SM model owns one [`Apogee`] per SM. It reports each load with the cache's answer, pops requests when the cache
//! has time for them, says whether each went to memory, and reports what comes back:
//!
//! ```
//! use gpusched::Cycle;
//! use gpusched::apogee::{Access, Apogee, ApogeeConfig, Lanes, PrefetchState, Verdict, WarpId};
//! use gpusched::inline_apogee_tables;
//!
//! // One warp of 8 threads walks an array of 4-byte elements, a 32-byte line an iteration.
//! const ONE: ApogeeConfig = ApogeeConfig { warps: 1, warp_size: 8, threads: 8, ..ApogeeConfig::APOGEE_4 };
//! inline_apogee_tables! {
//!     struct One = ONE;
//! }
//! let mut apogee = Apogee::<One>::new(&ONE)?;
//! let iteration: [u64; 8] = core::array::from_fn(|lane| 4 * lane as u64);
//! let load = Access {
//!     pc: 9,
//!     warp: WarpId(0),
//!     verdict: Verdict::Absent,
//!     lanes: Lanes::Dense { mask: 0xff, addresses: &iteration },
//! };
//! let loaded = apogee.load(Cycle(100), &load, &mut ())?;
//! assert!(loaded.confirmed && loaded.pushed == 1);
//!
//! assert_eq!(apogee.next_event(), Some(Cycle(110)));
//! let request = apogee.pf_pop(Cycle(110))?.unwrap();
//! assert_eq!(request.line, 32); // The next iteration.
//! apogee.pf_reply(true)?; // It is in no cache: sent to memory.
//! apogee.pf_fill(request.entry, request.generation, request.warp)?;
//! assert_eq!(apogee.row(loaded.entry).unwrap().states.of(WarpId(0)), PrefetchState::Back);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Order inside a load
//! The trigger rows of its PC prefetch, the slow ones move (apogee-C1, apogee-C2); the PC's row is found or made;
//! its distance adapts to what became of the last prefetch; offset detection; FOA lines; the chain of a scalar load that misses
//! (apogee-C3, apogee-C4); the last accessed load is noted (apogee-C5).
//!
//! # What a refused call does
//! Nothing: every verb checks before it acts.
//!
//! # Where to look
//! `access`: what a load reports. `prefetch_table`: rows (in `row`), their index, allocation. `distance`, `offset`, `foa`, `tia`:
//! what a load does. `steady`: the usual loads in few instructions. `queue`: the prefetch queue; `filter`: which lines wait in it.
//! `validate`: the invariants.

mod access;
mod answer;
pub mod config;
mod constants;
mod distance;
mod filter;
mod foa;
#[cfg(feature = "image")]
mod image;
mod offset;
mod prefetch_table;
mod query;
mod queue;
mod row;
mod steady;
pub mod storage;
pub mod tables;
mod tia;
mod validate;

use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::home::BuildError;
use crate::base::table::Table;

use access::Threads;
pub use access::{Access, Lanes, Verdict, WarpId};
pub use answer::{Adjust, LastLoad, LoadProbe, Loaded, Push, Request, RequestKind, Tia, Triggered, Waiting};
pub use config::{ApogeeConfig, Early, LalScope, LaneSet, Merge, SlowRule};
use constants::Constants;
pub use filter::FilterBits;
#[cfg(feature = "image")]
pub use image::apogee_image_config;
pub use prefetch_table::Bucket;
use prefetch_table::PrefetchTable;
use queue::Queue;
pub use queue::Run;
pub use row::{LoadRow, PrefetchState, Row, RowId, RowKind, RowView, WarpStates};
pub use storage::{ApogeeStorageBits, apogee_storage_bits};
pub use tables::{InlineTables, Reserved, TableSet, TableSizes, Tables};

/// Times from here on are refused: a request's ready time can always be told.
const NEVER: u64 = 1 << 63;

/// The prefetcher of one SM. With inline tables it is one plain value: clone it, compare it, hash it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Apogee<T: Tables> {
    config: ApogeeConfig,
    constants: Constants,
    table: PrefetchTable<T::TableRows, T::Buckets>,
    queue: Queue<T::Runs, T::Filters, T::Counts>,
    /// Last accessed load (LAL): of each warp, or of all.
    last_loads: Table<WarpId, Option<u32>, T::LastLoads>,
    /// n: threads of the SM.
    threads: u32,
    now: Cycle,
    /// Popped, and not answered yet.
    unanswered: Option<Request>,
}

impl<T: InlineTables> Apogee<T> {
    /// A machine that brings its own tables.
    ///
    /// # Errors
    /// A value out of its range, or a configuration that needs more rows than the home has.
    pub fn new(config: &ApogeeConfig) -> Result<Self, BuildError> {
        Self::with_tables(config, T::empty())
    }
}

impl<T: Tables> Apogee<T> {
    /// A machine on the given tables.
    ///
    /// # Errors
    /// A value out of its range, or a table with fewer rows than [`TableSizes::of`] the configuration.
    pub fn with_tables(config: &ApogeeConfig, tables: TableSet<T>) -> Result<Self, BuildError> {
        config.check().map_err(BuildError::Config)?;
        if let Some(small) = tables.shortage(&TableSizes::of(config)) {
            return Err(BuildError::Tables(small));
        }
        Ok(Self::empty(config, tables))
    }

    /// A machine that has seen nothing, of a checked configuration and on tables that are large enough.
    fn empty(config: &ApogeeConfig, tables: TableSet<T>) -> Self {
        let TableSet { rows, buckets, last_loads, runs, filter, counts } = tables;
        Self {
            config: *config,
            constants: Constants::of(config),
            table: PrefetchTable::new(rows, buckets, config.entries),
            queue: Queue::new(runs, filter, counts, config),
            last_loads: Table::new(last_loads),
            threads: config.threads,
            now: Cycle::ZERO,
            unanswered: None,
        }
    }

    /// A warp has loaded. `probe` is told the lines that were queued and the rows that were triggered.
    ///
    /// # Errors
    /// Those of [`Apogee::check_load`].
    #[inline]
    pub fn load(&mut self, now: Cycle, access: &Access<'_>, probe: &mut impl LoadProbe) -> Result<Loaded, Fault> {
        let Some(expected) = self.expected(now, access) else { return self.plain(now, probe, access) };
        let loaded = if expected.offset > 0 {
            self.steady_foa::<false>(now, access, expected, probe)
        } else if expected.offset < 0 {
            self.steady_foa::<true>(now, access, expected, probe)
        } else {
            return self.steady_scalar(now, probe, access, expected.row, expected.first);
        };
        match loaded {
            Some(loaded) => Ok(loaded),
            None => self.plain(now, probe, access),
        }
    }

    /// [`Apogee::load`], step by step.
    #[inline(never)]
    fn plain(&mut self, now: Cycle, probe: &mut impl LoadProbe, access: &Access<'_>) -> Result<Loaded, Fault> {
        let (pc, threads) = self.checked(now, access)?;
        self.now = now;
        let mut loaded = Loaded::default();
        let own = self.trigger(pc, access, &mut loaded, probe);
        let id = match own {
            Some(id) => {
                let row = self.table.row_mut(id);
                loaded.adjust = row.adapt(access, &threads, self.threads, &self.config);
                id
            }
            None => self.new_row(pc, &mut loaded), // apogee-T1
        };
        loaded.entry = id;
        let detection = self.table.row_mut(id).detect(&threads, &self.config);
        (loaded.mismatch, loaded.confirmed) = (detection.mismatch, detection.confirmed.is_some());
        match detection.confirmed {
            None => {}
            Some(0) => self.chain(id, access, &mut loaded),
            Some(offset) => self.prefetch_foa(id, offset, access, &threads, &mut loaded, probe),
        }
        self.note_last_load(access.warp, pc);
        Ok(loaded)
    }

    /// Whether [`Apogee::load`] would take this.
    ///
    /// # Errors
    /// `TimeOverflow`, `TimeBackwards`, `BadWarp`, `PcRange`, `NoActiveLanes`, `BadLanes`, `AddressRange`.
    pub fn check_load(&self, now: Cycle, access: &Access<'_>) -> Result<(), Fault> {
        self.checked(now, access).map(drop)
    }

    #[inline]
    fn checked(&self, now: Cycle, access: &Access<'_>) -> Result<(u32, Threads), Fault> {
        self.check_call(now, access)?;
        Ok((access.pc as u32, access.lanes.check(&self.config)?))
    }

    /// What there is to be checked but the lanes.
    #[inline]
    fn check_call(&self, now: Cycle, access: &Access<'_>) -> Result<(), Fault> {
        self.check_time(now)?;
        if u32::from(access.warp) >= self.config.warps {
            return Err(Fault::BadWarp);
        }
        if access.pc >> self.config.pc_bits != 0 {
            return Err(Fault::PcRange);
        }
        Ok(())
    }

    #[inline]
    fn check_time(&self, now: Cycle) -> Result<(), Fault> {
        if now.0 >= NEVER {
            return Err(Fault::TimeOverflow);
        }
        if now < self.now { Err(Fault::TimeBackwards) } else { Ok(()) }
    }

    /// The head of the prefetch queue, if it is ready (apogee-Q2). The host looks the line up, and answers with [`Apogee::pf_reply`].
    ///
    /// # Errors
    /// `TimeOverflow`, `TimeBackwards`, `ReplyPending`.
    pub fn pf_pop(&mut self, now: Cycle) -> Result<Option<Request>, Fault> {
        self.check_time(now)?;
        if self.unanswered.is_some() {
            return Err(Fault::ReplyPending);
        }
        self.now = now;
        if self.queue.ready().is_none_or(|ready| ready > now) {
            return Ok(None);
        }
        self.unanswered = self.queue.pop();
        if let Some(request) = self.unanswered
            && self.table.is_live(request.entry, request.generation)
        {
            self.queue.uncount(request.entry, request.warp);
        }
        Ok(self.unanswered)
    }

    /// What became of the request that was popped (apogee-Q3): `sent` to memory, or not, because the line is present or already on its
    /// way. Whether it is stale: its row was displaced.
    ///
    /// # Errors
    /// `NoReplyPending`.
    pub fn pf_reply(&mut self, sent: bool) -> Result<bool, Fault> {
        let Request { entry, generation, warp, .. } = self.unanswered.take().ok_or(Fault::NoReplyPending)?;
        if !self.table.is_live(entry, generation) {
            return Ok(true);
        }
        let waits = self.queue.waits(entry, warp);
        let states = &mut self.table.row_mut(entry).states;
        match states.of(warp) {
            PrefetchState::Idle | PrefetchState::Queued if sent => states.set(warp, PrefetchState::Sent),
            PrefetchState::Queued if !sent && !waits => states.set(warp, PrefetchState::Idle),
            _ => {}
        }
        Ok(false)
    }

    /// A request that was sent has come back (apogee-Q4). Whether it is stale: its row was displaced, or freed by a flush.
    ///
    /// # Errors
    /// `BadEntry`, `BadWarp`.
    pub fn pf_fill(&mut self, entry: RowId, generation: u32, warp: WarpId) -> Result<bool, Fault> {
        if !self.table.exists(entry) {
            return Err(Fault::BadEntry);
        }
        if u32::from(warp) >= self.config.warps {
            return Err(Fault::BadWarp);
        }
        if !self.table.is_live(entry, generation) {
            return Ok(true);
        }
        let states = &mut self.table.row_mut(entry).states;
        if states.of(warp).is_under_way() {
            states.set(warp, PrefetchState::Back);
        }
        Ok(false)
    }

    /// The SM has `n` threads from now on: warps have started or ended.
    ///
    /// # Errors
    /// `BadThreads` unless 1 <= n <= 65535.
    pub fn set_threads(&mut self, n: u32) -> Result<(), Fault> {
        if !(1..=u32::from(u16::MAX)).contains(&n) {
            return Err(Fault::BadThreads);
        }
        self.threads = n;
        Ok(())
    }

    /// A kernel ends: frees all rows, empties queue and last accessed loads (apogee-H4). Generations, n and the time go on. How many
    /// requests waited.
    ///
    /// # Errors
    /// `ReplyPending`.
    pub fn flush(&mut self) -> Result<u32, Fault> {
        if self.unanswered.is_some() {
            return Err(Fault::ReplyPending);
        }
        let dropped = self.queue.len();
        self.queue.flush(self.table.ids());
        self.table.flush();
        for register in 0..self.config.lals() {
            self.last_loads[WarpId(register as u16)] = None;
        }
        Ok(dropped)
    }

    /// apogee-T1: a row for a PC that has none.
    #[inline(never)]
    fn new_row(&mut self, pc: u32, loaded: &mut Loaded) -> RowId {
        let row = Row::new(RowKind::Load(LoadRow::new(&self.config)), pc, 0, 0);
        // There is always a row to displace.
        let (id, displaced) = self.claim(row, None).unwrap_or_default();
        (loaded.is_new, loaded.evicted) = (true, displaced);
        id
    }

    /// apogee-T2.
    fn claim(&mut self, row: Row, keep: Option<RowId>) -> Option<(RowId, Option<u32>)> {
        let (id, displaced) = self.table.claim(row, keep)?;
        if displaced.is_some() {
            self.queue.forget(id);
        }
        Some((id, displaced))
    }

    /// apogee-C5.
    #[inline]
    fn note_last_load(&mut self, warp: WarpId, pc: u32) {
        let register = self.register(warp);
        if let Some(last) = self.last_loads.get_mut(register) {
            *last = Some(pc);
        }
    }

    /// The register of a warp's last accessed load.
    #[inline]
    fn register(&self, warp: WarpId) -> WarpId {
        WarpId(warp.0 & self.constants.lal_mask)
    }
}
