//! The catalogue: thread-block (TB) scheduling policies, published or in use, behind one interface (sheet
//! [`catalogue`](crate::sheets::catalogue)).
//!
//! # What it models
//! The unit of a GPU that says which TB goes to which SMX next, as one of 21 policies has it. [`About::ALL`] lists them: what each does,
//! where that was published, its parameters, its hazards. A module of its name says it in full.
//!
//! # Who drives it
//! A host of the seam ([`seam::offer`]). In each cycle: [`Catalogue::done`] for each TB that has ended, in the
//! order of SMX and slot, then [`Catalogue::choose`], whose answer the host obeys. Cycles may be skipped while [`Catalogue::is_settled`].
//!
//! ```
//! use gpusched::policy::catalogue::{Catalogue, CatalogueConfig, Policy, Snapshot};
//! use gpusched::policy::seam::offer::{Offer, OfferId};
//! use gpusched::{Cycle, KernelSlot, SmxId, SmxSet, inline_catalogue_tables, Resources};
//!
//! const FOUR: CatalogueConfig = CatalogueConfig { n_smx: 4, units: 2, ..CatalogueConfig::of(Policy::Bcs) };
//! inline_catalogue_tables! {
//!     struct Four = FOUR;
//! }
//! let mut policy = Catalogue::<Four>::new(&FOUR)?;
//! // A kernel of four TBs that may go anywhere: `bcs` puts neighbours on one SMX.
//! let free = [FOUR.capacity(); 4];
//! let mut sent = Vec::new();
//! for next in 0..4 {
//!     let res = Resources { threads: 256, slots: 1, ..Resources::default() };
//!     let kernel = Offer { res, total: 4, open: SmxSet::first(4), ..Offer::of(OfferId::Entry(KernelSlot(0))) };
//!     let offer = Offer { blkid: Some(next), left: 4 - next, ..kernel };
//!     let view = Snapshot { now: Cycle(0), offers: &[offer], free: &free, counts: &[], residents: &[] };
//!     sent.push(policy.choose(&view).unwrap().smx);
//! }
//! assert_eq!(sent, [SmxId(0), SmxId(0), SmxId(1), SmxId(1)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//! [`config`]: the parameters. [`walk`]: who may go. [`pick`]: where to. A file per policy. [`kept`]: what is kept of a unit.
//! [`topology`]: TPCs, GPCs and domains. `validate`: the invariants.

pub mod about;
pub mod affinity;
pub mod bcs;
pub mod breadth_first;
mod check;
pub mod config;
pub mod depth_first;
pub mod domains;
pub mod fair_streams;
pub mod gpc_first;
pub mod kept;
pub mod lcs;
pub mod leftover;
pub mod list;
pub mod lowest_first;
pub mod most_room;
pub mod oldest_parent;
mod own;
pub mod pick;
pub mod query;
pub mod random;
pub mod rr;
pub mod snapshot;
pub mod spatial;
pub mod srk;
pub mod steal;
pub mod storage;
pub mod tables;
pub mod topology;
mod validate;
pub mod walk;

#[cfg(feature = "image")]
mod image;

use crate::base::error::Fault;
use crate::base::home::BuildError;
use crate::base::id::SmxId;
use crate::base::table::Table;
use crate::policy::seam::offer::{Choice, View};
use crate::policy::seam::{self, Answer};

pub use crate::policy::seam::offer::Completion;

pub use about::{About, Extra, Reads};
pub use config::{
    Amount, CatalogueConfig, Cost, Domain, MAX_SMXS, MAX_STREAMS, Metric, Order, Pass, Place, Policy, Tie, What,
};
#[cfg(feature = "image")]
pub use image::catalogue_image_config;
pub use kept::{Flight, Kept};
pub use lcs::Rate;
pub use list::List;
pub use pick::mix;
pub use query::{CatalogueState, UnitView};
pub use snapshot::Snapshot;
pub use srk::Pace;
pub use steal::Range;
pub use storage::{CatalogueStorageBits, catalogue_storage_bits};
pub use tables::{InlineTables, Reserved, StreamSlot, TableSet, TableSizes, Tables};
pub use topology::{DomainId, GpcId, TpcId};

use kept::Units;
use tables::{PartId, PointerId};

/// A policy of the catalogue. With inline tables it is one plain value: clone it, compare it, hash it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Catalogue<T: Tables> {
    config: CatalogueConfig,
    /// Where the next search for an SMX begins (catalogue-N2).
    rr: SmxId,
    /// Whose turn it is: a domain's, a GPC's, a slot's of streams.
    turn: u16,
    /// `fair_streams`: the slot whose turn it is has not been given its quantum.
    fresh: bool,
    /// `random`: the generator.
    x: u64,
    /// The last `choose` sent a TB or moved an owner, so the same view might be answered in another way.
    moved: bool,
    pointers: Table<PointerId, u16, T::Pointers>,
    homes: Units<SmxId, T::Homes>,
    rates: Units<Rate, T::Rates>,
    paces: Units<Pace, T::Paces>,
    splits: Units<(), T::Splits>,
    counts: Table<PartId, u32, T::Counts>,
    ranges: Table<PartId, Range, T::Ranges>,
    owners: Table<SmxId, Option<StreamSlot>, T::Owners>,
    deficits: Table<StreamSlot, u32, T::Deficits>,
}

impl<T: InlineTables> Catalogue<T> {
    /// A policy that brings its own tables.
    ///
    /// # Errors
    /// A parameter that is wrong, or a configuration that needs more rows than the home has.
    pub fn new(config: &CatalogueConfig) -> Result<Self, BuildError> {
        Self::with_tables(config, T::empty())
    }
}

impl<T: Tables> Catalogue<T> {
    /// A policy on the given tables.
    ///
    /// # Errors
    /// A parameter that is wrong, or a table with fewer rows than [`TableSizes::of`] the configuration.
    pub fn with_tables(config: &CatalogueConfig, tables: TableSet<T>) -> Result<Self, BuildError> {
        config.check().map_err(BuildError::Config)?;
        if let Some(small) = tables.shortage(&TableSizes::of(config)) {
            return Err(BuildError::Tables(small));
        }
        Ok(Self::empty(config, tables))
    }

    /// A policy that has sent nothing, of a checked configuration and on tables that are large enough.
    pub(crate) fn empty(config: &CatalogueConfig, tables: TableSet<T>) -> Self {
        Self {
            config: *config,
            rr: SmxId(0),
            turn: 0,
            fresh: true,
            x: if config.policy == Policy::Random { config.seed } else { 0 },
            moved: false,
            pointers: Table::new(tables.pointers),
            homes: Table::new(tables.homes),
            rates: Table::new(tables.rates),
            paces: Table::new(tables.paces),
            splits: Table::new(tables.splits),
            counts: Table::new(tables.counts),
            ranges: Table::new(tables.ranges),
            owners: Table::new(tables.owners),
            deficits: Table::new(tables.deficits),
        }
    }

    /// A TB has ended. Those of a cycle are told in the order of SMX and slot, before the policy is asked.
    ///
    /// # Errors
    /// `BadSmx`; `BadUnit` if there is no such row; `TimeBackwards` if it ended before it was sent.
    pub fn done(&mut self, ended: &Completion) -> Result<(), Fault> {
        self.check_row(ended.row)?;
        if u32::from(ended.smx) >= self.config.n_smx {
            return Err(Fault::BadSmx);
        }
        if ended.end < ended.start {
            return Err(Fault::TimeBackwards);
        }
        match self.config.policy {
            Policy::Lcs => self.measure(ended),
            Policy::Srk => self.time(ended),
            _ => {}
        }
        Ok(())
    }

    /// Which TB goes where, if any does (at most one a cycle, catalogue-C1); the host sends it. Offers are units with TBs left whose next
    /// one is known; rows that the configuration does not have are as those of new units each time.
    pub fn choose(&mut self, view: &impl View) -> Option<Choice> {
        self.moved = false;
        let choice = match self.config.policy {
            Policy::Rr => self.rr(view),
            Policy::LowestFirst => self.lowest_first(view),
            Policy::Leftover => self.leftover(view),
            Policy::MostRoom => self.most_room(view),
            Policy::Bcs => self.bcs(view),
            Policy::Lcs => self.lcs(view),
            Policy::Chunked | Policy::Strided | Policy::Dist | Policy::BatchRr if self.config.is_own() => {
                self.own(view)
            }
            Policy::Chunked | Policy::Strided | Policy::Dist | Policy::BatchRr => self.ascending(view),
            Policy::GpcFirst | Policy::TpcFirst => self.gpc_first(view),
            Policy::OldestParent => self.oldest_parent(view),
            Policy::Affinity => self.affinity(view),
            Policy::Srk => self.srk(view),
            Policy::FairStreams => self.fair_streams(view),
            Policy::Random => self.random(view),
            Policy::DepthFirst => self.depth_first(view),
            Policy::BreadthFirst => self.breadth_first(view),
            Policy::Steal => self.steal(view),
            Policy::Spatial => self.spatial(view),
        };
        self.moved |= choice.is_some();
        choice
    }

    /// The host takes a unit back before its last TB was sent: what is kept of it goes. If it comes again, it does with another number.
    /// A host need not say so, for a row is fresh to another unit; until then it is seen in the state.
    ///
    /// # Errors
    /// `BadUnit` if there is no such row.
    pub fn forget(&mut self, row: u32, unit: u64) -> Result<(), Fault> {
        self.check_row(row)?;
        self.homes.drop_unit(row, unit);
        self.rates.drop_unit(row, unit);
        self.paces.drop_unit(row, unit);
        self.drop_split(row, unit);
        Ok(())
    }

    fn check_row(&self, row: u32) -> Result<(), Fault> {
        if row < self.config.units { Ok(()) } else { Err(Fault::BadUnit) }
    }
}

/// What a policy of the catalogue sees has the next TB of each offer known and here.
impl<T: Tables> seam::Policy for Catalogue<T> {
    fn done(&mut self, completion: &Completion) {
        // One that is refused is of a machine that is larger than the policy was made for.
        let _ = Catalogue::done(self, completion);
    }

    fn choose(&mut self, view: &impl View) -> Answer {
        match Catalogue::choose(self, view) {
            Some(choice) => Answer::Send(choice),
            // catalogue-C8: asked again it might answer otherwise until it has settled.
            None if self.is_settled() => Answer::Wait(None),
            None => Answer::Wait(Some(view.now().after(1))),
        }
    }
}
