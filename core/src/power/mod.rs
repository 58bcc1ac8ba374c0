//! SMX occupancy bubbles: TB diversion, SMX draining, SMX resumption and opportunistic DVFS (sheet
//! [`bubble_dvfs`](crate::sheets::bubble_dvfs); chapter VI of the source).
//!
//! # What it models
//! A controller beside the SMX scheduler that looks at the occupancy of every SMX once per sampling period. An SMX below a
//! threshold gets no new TBs, runs empty within a time limit, and is set to the lowest P-state; it comes back when TBs wait that
//! nothing else can take. With all SMXs idle the whole GPU goes to the lowest P-state. Bubbles, P-states and energy are counted.
//!
//! # Who drives it
//! A host with a TB scheduler of its own uses [`BubbleDvfs`]: it reports each TB's start and end, samples every
//! `sample_cycles` with one waiting TB, if there is one, and obeys the eligible set and the transitions that a [`Sample`] returns.
//! A host that knows its residency samples a [`BubbleController`], and hands it a view of that: a [`Ledger`].
//!
//! ```
//! use gpusched::power::{BubbleConfig, BubbleDvfs, PState};
//! use gpusched::{Cycle, SmxId, inline_bubble_tables, Resources};
//!
//! const TWO: BubbleConfig = BubbleConfig { smxs: 2, ..BubbleConfig::K20C };
//! inline_bubble_tables! {
//!     struct Two = TWO;
//! }
//! let mut gpu = BubbleDvfs::<Two>::new(&TWO)?;
//! let tb = Resources { threads: 256, regs: 0, smem: 0, slots: 1 };
//! for _ in 0..4 {
//!     gpu.dispatched(Cycle(0), SmxId(1), &tb)?;
//! }
//! // SMX 0 is empty and SMX 1 can take what comes: SMX 0 goes down, and is low one sample later.
//! let first = gpu.sample(Cycle(0), None, None)?;
//! assert!(first.down.contains(SmxId(0)) && !first.eligible.contains(SmxId(0)));
//! assert!(gpu.sample(Cycle(500), None, None)?.low_done.contains(SmxId(0)));
//! assert_eq!(gpu.controller().pstate(SmxId(0)), Some(PState::Low));
//! gpu.sample(Cycle(1000), None, Some(&[10, 250]))?;
//! // 500 cycles at 6300 mW, then 500 at 981 mW and 1 % of 345 mW.
//! assert_eq!(gpu.controller().smx(SmxId(0)).unwrap().energy, 3_642_225);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Order inside a sample
//! The interval ends: energy, counters, and every SMX that is in no bubble is armed (bubble_dvfs-S1); transitions (bubble_dvfs-S2); the
//! GPU level (bubble_dvfs-S3, bubble_dvfs-S4); resumption (bubble_dvfs-S5); draining and diversion (bubble_dvfs-S6). An SMX whose
//! transition ends takes part in what follows; an SMX that is taken back is not looked at again in that sample. So going back to work
//! goes before going to sleep.
//!
//! # What a refused call does
//! Nothing: every verb checks before it acts.

pub mod config;
pub mod controller;
mod divert;
mod energy;
mod ledger;
mod levels;
pub mod registers;
pub mod sample;
pub mod stats;
pub mod storage;
pub mod tables;
mod validate;

#[cfg(feature = "image")]
mod image;

use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::home::BuildError;
use crate::base::id::SmxId;
use crate::base::resources::Resources;
use crate::base::set::SmxSet;

pub use config::{BubbleConfig, Retrigger};
pub use controller::BubbleController;
#[cfg(feature = "image")]
pub use image::bubble_image_config;
use ledger::OwnLedger;
pub use ledger::{Ledger, Resident, SmxLedger};
pub use registers::{GpuLevel, PState, Registers, SmxLevel, SmxPower};
pub use sample::{GpuDone, GpuStart, Resume, ResumeKind, Sample, Waiting};
pub use stats::BubbleStats;
pub use storage::{BubbleStorageBits, bubble_storage_bits};
pub use tables::{InlineTables, Reserved, TableSet, TableSizes, Tables};

/// The controller with a ledger of its own. With inline tables it is one plain value: clone it, compare it, hash it.
///
/// Times never go back; at equal times calls act in their order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BubbleDvfs<T: Tables> {
    controller: BubbleController<T::Powers>,
    ledger: OwnLedger<T::Ledgers>,
}

impl<T: InlineTables> BubbleDvfs<T> {
    /// A machine that brings its own tables.
    ///
    /// # Errors
    /// A value out of its range, or a configuration that needs more rows than the home has.
    pub fn new(config: &BubbleConfig) -> Result<Self, BuildError> {
        Self::with_tables(config, T::empty())
    }
}

impl<T: Tables> BubbleDvfs<T> {
    /// A machine on the given tables.
    ///
    /// # Errors
    /// A value out of its range, or a table with fewer rows than [`TableSizes::of`] the configuration.
    pub fn with_tables(config: &BubbleConfig, tables: TableSet<T>) -> Result<Self, BuildError> {
        config.check().map_err(BuildError::Config)?;
        if let Some(small) = tables.shortage(&TableSizes::of(config)) {
            return Err(BuildError::Tables(small));
        }
        Ok(Self::empty(config, tables))
    }

    /// A machine without TBs, of a checked configuration and on tables that are large enough.
    fn empty(config: &BubbleConfig, tables: TableSet<T>) -> Self {
        let TableSet { powers, ledgers } = tables;
        Self { controller: BubbleController::fresh(config, powers), ledger: OwnLedger::new(ledgers, config) }
    }

    /// A TB has started on an SMX (bubble_dvfs-B1). What is resident there now.
    ///
    /// # Errors
    /// `TimeBackwards`, `BadSmx`, `BadResources`, `TbTooBig`, `NotEligible`, `NoFit`.
    pub fn dispatched(&mut self, now: Cycle, smx: SmxId, res: &Resources) -> Result<Resident, Fault> {
        self.controller.check_dispatch(now, smx, res)?;
        let resident = self.ledger.take(smx, res, &self.controller.config)?;
        self.controller.now = now;
        Ok(resident)
    }

    /// A TB has ended on an SMX, in whatever state that is (bubble_dvfs-B2). What is resident there now.
    ///
    /// # Errors
    /// `TimeBackwards`, `BadSmx`, `BadResources`, `ReleaseUnderflow`.
    pub fn completed(&mut self, now: Cycle, smx: SmxId, res: &Resources) -> Result<Resident, Fault> {
        self.controller.check_time(now)?;
        if !self.controller.exists(smx) {
            return Err(Fault::BadSmx);
        }
        let resident = self.ledger.give(smx, res, &self.controller.config)?;
        self.controller.now = now;
        Ok(resident)
    }

    /// A sample (bubble_dvfs-B3): closes the interval, ends transitions, then decides. The first one sets the phase, all others
    /// follow exactly a sampling period apart. `activity` is one value from 0 to 1000 per SMX, or follows from the occupancy.
    ///
    /// # Errors
    /// `TimeBackwards`, `OffSample`; of the waiting TB `BadResources`, `TbTooBig`, `BadMask`; `BadActivity`.
    pub fn sample(&mut self, now: Cycle, waiting: Option<&Waiting>, activity: Option<&[u16]>) -> Result<Sample, Fault> {
        self.controller.sample(now, waiting, activity, &self.ledger)
    }

    /// Closes the energy interval up to now and does nothing else: for the end of a run.
    ///
    /// # Errors
    /// `TimeBackwards`, `BadActivity`.
    pub fn account(&mut self, now: Cycle, activity: Option<&[u16]>) -> Result<(), Fault> {
        self.controller.account(now, activity, &self.ledger)
    }

    /// Everything but the ledger.
    #[must_use]
    pub fn controller(&self) -> &BubbleController<T::Powers> {
        &self.controller
    }

    /// SMXs that may receive TBs.
    #[must_use]
    pub fn eligible(&self) -> SmxSet {
        self.controller.eligible()
    }

    /// What an SMX holds and has free; `None` if there is no such SMX.
    #[must_use]
    pub fn ledger(&self, smx: SmxId) -> Option<&SmxLedger> {
        self.controller.exists(smx).then(|| self.ledger.smx(smx))
    }
}
