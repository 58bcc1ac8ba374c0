//! Stochastic memory hierarchy (`models` M; 4.2.3 of the source): hit rates of two levels of caches whose warps interleave at random.
//!
//! # What it models
//! Each SM has an L1, all share an L2. What the warps load and store is known, and in which order each one does; not so, in which order
//! their accesses meet in the caches. So runs are made, each with an order of its own. If the hit rates of all runs are close to each
//! other, the estimate can be relied on; if not, it says so.
//!
//! # Who drives it
//! Whoever has a trace. A [`Monte`] adds up runs; [`Monte::simulate`] makes them all, [`Monte::run`] one at a time, for hosts that have
//! something else to do in between. The requests and the scratch memory stay the caller's. An image of it (`Monte::save`, feature
//! `image`) holds the runs so far.
//!
//! ```
//! use gpusched::inline_monte_tables;
//! use gpusched::models::monte::{Level, Monte, MonteConfig, Request, Slot, WarpTrace};
//!
//! // An L1 of one line: warp 0 loads x twice, warp 1 loads y. Only the order x y x has no hit.
//! const ONE_LINE: MonteConfig = MonteConfig { l1_sets: 1, l1_ways: 1, bins: 3, ..MonteConfig::GTX480 };
//! inline_monte_tables! {
//!     struct OneLine = ONE_LINE;
//! }
//! let (x, y) = (Request::load(0, 0), Request::load(128, 1));
//! let warps = [WarpTrace { sm: 0, requests: &[x, x] }, WarpTrace { sm: 0, requests: &[y] }];
//! let mut monte = Monte::<OneLine>::new(&ONE_LINE)?;
//! monte.simulate(&warps[..], 4000, 2012, &mut [Slot::default(); 3])?;
//! let l1 = monte.level(Level::L1);
//! assert_eq!((l1.loads, l1.hits, l1.reliable), (12000, 2995, false));
//! assert!(monte.histogram(Level::L1).eq([1005, 2995, 0]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a refused call does
//! Nothing: every verb checks before it acts.

mod cache;
pub mod config;
mod generator;
#[cfg(feature = "image")]
mod image;
mod streams;
pub mod tables;
mod tally;
mod validate;

pub use cache::CacheSet;
use cache::{Cache, Shape};
pub use config::{MonteConfig, Order};
pub use generator::Generator;
#[cfg(feature = "image")]
pub use image::monte_image_config;
pub use streams::Slot;
use streams::Streams;
pub use tables::{InlineTables, Reserved, TableSet, TableSizes, Tables};
use tally::Sums;
pub use tally::{Extreme, MAX_BINS, SiteTally, Tally};

use crate::base::error::Fault;
use crate::base::home::BuildError;
use crate::base::id::id;
use crate::base::table::Table;

/// Runs at most.
pub const MAX_RUNS: u32 = 1 << 20;

id! {
    /// Where in a kernel a request is made, 0..sites.
    pub SiteId(u16)
}

/// A level of the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Level {
    /// The L1s together.
    L1,
    /// The L2.
    L2,
}

/// An access to memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Request {
    /// Byte address.
    pub address: u64,
    /// Where in the kernel it is.
    pub site: SiteId,
    /// Whether it is a store.
    pub store: bool,
}

impl Request {
    /// A load.
    #[must_use]
    pub const fn load(address: u64, site: u16) -> Self {
        Self { address, site: SiteId(site), store: false }
    }

    /// A store.
    #[must_use]
    pub const fn store(address: u64, site: u16) -> Self {
        Self { address, site: SiteId(site), store: true }
    }
}

/// What a warp accesses, in program order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpTrace<'a> {
    /// Its SM.
    pub sm: u32,
    /// Its accesses.
    pub requests: &'a [Request],
}

/// What all warps access: a slice of [`WarpTrace`], or whatever a host keeps them in. Numbers that are not there are not asked for.
pub trait Trace {
    /// Warps, in their fixed order.
    fn warps(&self) -> usize;
    /// The SM of a warp.
    fn sm(&self, warp: usize) -> u32;
    /// Requests of a warp.
    fn requests(&self, warp: usize) -> usize;
    /// A request of a warp, in program order.
    fn request(&self, warp: usize, number: usize) -> Request;
}

impl Trace for [WarpTrace<'_>] {
    fn warps(&self) -> usize {
        self.len()
    }

    fn sm(&self, warp: usize) -> u32 {
        self.get(warp).map_or(u32::MAX, |warp| warp.sm)
    }

    fn requests(&self, warp: usize) -> usize {
        self.get(warp).map_or(0, |warp| warp.requests.len())
    }

    fn request(&self, warp: usize, number: usize) -> Request {
        self.get(warp).and_then(|warp| warp.requests.get(number)).copied().unwrap_or_default()
    }
}

/// Runs of one trace, added up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monte<T: Tables> {
    config: MonteConfig,
    l1: Cache<T::L1Sets, T::L1Lines>,
    l2: Cache<T::L2Sets, T::L2Lines>,
    sites: Table<SiteId, SiteTally, T::Sites>,
    seed: u64,
    runs: u32,
    levels: [Sums; 2],
    stores: u64,
}

impl<T: InlineTables> Monte<T> {
    /// A machine that brings its own tables.
    ///
    /// # Errors
    /// A value out of its range, or a configuration that needs more rows than the home has.
    pub fn new(config: &MonteConfig) -> Result<Self, BuildError> {
        Self::with_tables(config, T::empty())
    }
}

impl<T: Tables> Monte<T> {
    /// A machine on the given tables.
    ///
    /// # Errors
    /// A value out of its range, or a table with fewer rows than [`TableSizes::of`] the configuration.
    pub fn with_tables(config: &MonteConfig, tables: TableSet<T>) -> Result<Self, BuildError> {
        config.check().map_err(BuildError::Config)?;
        if let Some(small) = tables.shortage(&TableSizes::of(config)) {
            return Err(BuildError::Tables(small));
        }
        Ok(Self::empty(config, tables))
    }

    fn empty(config: &MonteConfig, tables: TableSet<T>) -> Self {
        let TableSet { l1_sets, l1_lines, l2_sets, l2_lines, sites } = tables;
        Self {
            config: *config,
            l1: Cache::new(l1_sets, l1_lines, Shape::of(config.l1_sets, config.l1_ways, config.l1_line)),
            l2: Cache::new(l2_sets, l2_lines, Shape::of(config.l2_sets, config.l2_ways, config.l2_line)),
            sites: Table::new(sites),
            seed: 0,
            runs: 0,
            levels: [(); 2].map(|()| Sums::new(config.bins)),
            stores: 0,
        }
    }

    /// Its configuration.
    #[must_use]
    pub fn config(&self) -> &MonteConfig {
        &self.config
    }

    /// The seed of its runs.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Runs so far.
    #[must_use]
    pub fn runs(&self) -> u32 {
        self.runs
    }

    /// Stores of all runs.
    #[must_use]
    pub fn stores(&self) -> u64 {
        self.stores
    }

    /// What the runs came to in a level.
    #[must_use]
    pub fn level(&self, level: Level) -> Tally {
        self.sums(level).tally(self.config.tol_permille)
    }

    /// Runs by their ratio of hits: bin i of b holds ratios from i/b to below (i+1)/b, the last one also a ratio of 1.
    pub fn histogram(&self, level: Level) -> impl Iterator<Item = u32> {
        self.sums(level).counts.iter().copied()
    }

    fn sums(&self, level: Level) -> &Sums {
        let [l1, l2] = &self.levels;
        match level {
            Level::L1 => l1,
            Level::L2 => l2,
        }
    }

    /// Loads and hits of a site over all runs; `None` if there is no such site.
    #[must_use]
    pub fn site(&self, site: SiteId) -> Option<SiteTally> {
        (u32::from(site) < self.config.sites).then(|| self.sites[site])
    }

    /// Makes so many runs, the former ones forgotten.
    ///
    /// # Errors
    /// `BadArg` unless 1 <= runs <= 2^20; those of [`Monte::check`].
    pub fn simulate(
        &mut self,
        trace: &(impl Trace + ?Sized),
        runs: u32,
        seed: u64,
        scratch: &mut [Slot],
    ) -> Result<(), Fault> {
        if runs == 0 || runs > MAX_RUNS {
            return Err(Fault::BadArg);
        }
        self.check(trace, scratch)?;
        self.start(seed);
        for _ in 0..runs {
            self.one_run(trace, scratch);
        }
        Ok(())
    }

    /// Forgets all runs. Those that follow are made of this seed.
    pub fn start(&mut self, seed: u64) {
        (self.seed, self.runs, self.stores) = (seed, 0, 0);
        self.levels = [(); 2].map(|()| Sums::new(self.config.bins));
        for site in 0..self.config.sites {
            self.sites[SiteId(site as u16)] = SiteTally::default();
        }
    }

    /// Makes the next run. Results only mean something if all runs since [`Monte::start`] were of the same warps.
    ///
    /// # Errors
    /// `BadArg` after 2^20 runs; those of [`Monte::check`].
    pub fn run(&mut self, trace: &(impl Trace + ?Sized), scratch: &mut [Slot]) -> Result<(), Fault> {
        if self.runs >= MAX_RUNS {
            return Err(Fault::BadArg);
        }
        self.check(trace, scratch)?;
        self.one_run(trace, scratch);
        Ok(())
    }

    /// Whether runs of these warps can be made: scratch memory needs a slot per request.
    ///
    /// # Errors
    /// `BadSm`, `BadSite`, `TooManyRequests`.
    pub fn check(&self, trace: &(impl Trace + ?Sized), scratch: &[Slot]) -> Result<(), Fault> {
        if (0..trace.warps()).any(|warp| trace.sm(warp) >= self.config.sms) {
            return Err(Fault::BadSm);
        }
        let is_bad = |request: Request| u32::from(request.site) >= self.config.sites;
        let has_bad = |warp| (0..trace.requests(warp)).any(|number| is_bad(trace.request(warp, number)));
        if (0..trace.warps()).any(has_bad) {
            return Err(Fault::BadSite);
        }
        let room = scratch.len().min(self.config.max_requests as usize);
        let left = (0..trace.warps()).try_fold(room, |left, warp| left.checked_sub(trace.requests(warp)));
        if left.is_some() { Ok(()) } else { Err(Fault::TooManyRequests) }
    }

    /// models-M3, models-M4.
    fn one_run(&mut self, trace: &(impl Trace + ?Sized), scratch: &mut [Slot]) {
        let mut random = Generator::of_run(self.seed, self.runs);
        let mut counts = [(0, 0); 2];
        let mut streams = Streams::new(scratch, self.config.pick);
        for sm in 0..self.config.sms {
            self.l1.clear();
            streams.of_warps(trace, sm);
            while let Some(request) = streams.draw_of_warps(&mut random, trace) {
                if self.first_level(&request, &mut counts) {
                    streams.queue(request);
                }
            }
            streams.end_of_sm();
        }
        self.l2.clear();
        streams.of_sms(self.config.sms);
        while let Some(request) = streams.draw_of_sms(&mut random) {
            self.second_level(&request, &mut counts);
        }
        for (level, (loads, hits)) in self.levels.iter_mut().zip(counts) {
            level.add(loads, hits);
        }
        self.runs += 1;
    }

    /// An access to its SM's L1. Whether it goes on to the L2.
    fn first_level(&mut self, request: &Request, counts: &mut [(u64, u64); 2]) -> bool {
        if request.store {
            self.stores += 1;
            self.l1.access(request.address, self.config.l1_store_alloc);
            return true;
        }
        let is_hit = self.l1.access(request.address, true);
        let [(loads, hits), _] = counts;
        (*loads, *hits) = (*loads + 1, *hits + u64::from(is_hit));
        let site = &mut self.sites[request.site];
        (site.l1_loads, site.l1_hits) = (site.l1_loads + 1, site.l1_hits + u64::from(is_hit));
        !is_hit
    }

    fn second_level(&mut self, request: &Request, counts: &mut [(u64, u64); 2]) {
        let is_hit = self.l2.access(request.address, true);
        if request.store {
            return;
        }
        let [_, (loads, hits)] = counts;
        (*loads, *hits) = (*loads + 1, *hits + u64::from(is_hit));
        let site = &mut self.sites[request.site];
        (site.l2_loads, site.l2_hits) = (site.l2_loads + 1, site.l2_hits + u64::from(is_hit));
    }
}
