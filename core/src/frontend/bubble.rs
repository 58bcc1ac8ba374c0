//! The occupancy-bubble controller as a part of the front end: what it is shown, and what follows from its samples (`frontend`, section C).
//!
//! At every multiple of its sampling period the controller sees the residency, after arrivals and joins and before the dispatch of
//! the same cycle (frontend-A7), so both see the same work. It owns gate E: an SMX that it diverted, or that is not at the high P-state,
//! takes no TB. A probe is lent the record of each sample; its orders for the regulator are the host's to carry out.
//!
//! ```
//! use gpusched::power::{PState, Sample};
//! use gpusched::{BubblePart, Config, Cycle, FrontEnd, Probe, SmxId, inline_tables};
//!
//! const GPU: Config = Config { n_smx: 2, pend_limit: 16, bubble: Some(BubblePart::K20C), ..Config::K20C };
//! inline_tables! {
//!     struct Two = GPU;
//! }
//! /// A regulator: SMXs that were told to go down.
//! struct Regulator(u32);
//! impl Probe for Regulator {
//!     fn sample(&mut self, _: Cycle, record: &Sample) {
//!         self.0 += record.gpu_start.is_some() as u32;
//!     }
//! }
//! let mut gpu = FrontEnd::<Two>::new(&GPU)?;
//! let mut regulator = Regulator(0);
//! // Nothing to do at the first two samples: the whole GPU goes down, and is low after one sampling period.
//! gpu.run(1001, &mut regulator)?;
//! assert_eq!(regulator.0, 1);
//! assert_eq!(gpu.bubble().unwrap().pstate(SmxId(0)), Some(PState::Low));
//! assert!(gpu.eligible().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "image")]
mod image;
mod validate;

use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::id::{Id, SmxId};
use crate::base::presence::{Part, Presence};
use crate::base::resources::Resources;
use crate::base::table::{Rows, Table};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::frontend::waiting::WaitingHead;
use crate::launch::board::{Board, BoardTables};
use crate::power::{BubbleConfig, BubbleController, Ledger, SmxPower, Waiting};
use crate::probe::{Decision, Probe};
use crate::smx::residency::{Residency, Smx, Tbcr};

/// Where the rows of a sampler lie.
pub(crate) trait SamplerTables {
    /// Whether there can be a controller.
    type Bubble: Presence;
    type Powers: Rows<SmxPower>;
    type Activities: Rows<u16>;
}

/// The controller, if there is one.
pub(crate) type BubblePartOf<T> = Part<<T as SamplerTables>::Bubble, Sampler<T>>;

/// The controller, and when it samples.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sampler<T: SamplerTables> {
    pub(crate) controller: BubbleController<T::Powers>,
    /// The cycle of the next sample.
    pub(crate) at: Cycle,
    /// What the host said about activity since the last sample, if it did.
    pub(crate) activity: Table<SmxId, u16, T::Activities>,
    pub(crate) is_active: bool,
}

impl<T: SamplerTables> Sampler<T> {
    pub(crate) fn new(powers: T::Powers, activities: T::Activities, config: &BubbleConfig) -> Self {
        Self {
            controller: BubbleController::fresh(config, powers),
            // Not in cycle 0: every run would open with the GPU asleep (frontend-A8).
            at: Cycle(config.sample_cycles.into()),
            activity: Table::new(activities),
            is_active: false,
        }
    }
}

impl<T: BoardTables + SamplerTables> Sampler<T> {
    /// The sample of this cycle, in which `head` is what waits.
    fn take(&mut self, board: &mut Board<T>, head: Option<WaitingHead>, probe: &mut impl Probe) {
        let waiting = head.map(|head| Waiting { res: head.need.resources(), allowed: Some(head.allowed) });
        let (now, n_smx) = (board.now, board.config.n_smx as usize);
        let Self { controller, at, activity, is_active } = self;
        let given = activity.first(n_smx).filter(|_| *is_active);
        // What could be refused was checked: the time, the TB at its launch, the activity when it came.
        let Ok(record) = controller.sample(now, waiting.as_ref(), given, &board.residency) else { return };
        *at = at.after(controller.config().sample_cycles.into());
        for s in 0..if *is_active { n_smx } else { 0 } {
            activity[SmxId::from_index(s)] = 0;
        }
        *is_active = false;
        board.gates.set_eligible(record.eligible);
        board.stats.samples = board.stats.samples.saturating_add(1);
        probe.decide(now, Decision::Sample { waiting: head.map(|head| head.tag) });
        probe.sample(now, &record);
    }
}

/// The one residency, as the controller's ledger.
impl<S: Rows<Smx>, R: Rows<Tbcr>> Ledger for Residency<S, R> {
    fn warps(&self, smx: SmxId) -> u32 {
        self.smx(smx).warps
    }

    fn is_idle(&self, smx: SmxId) -> bool {
        self.count_of(smx) == 0
    }

    fn fits(&self, smx: SmxId, res: &Resources) -> bool {
        res.fits(&self.smx(smx).free())
    }
}

impl<T: Tables> FrontEnd<T> {
    /// Activity of each SMX in thousandths, for the next sample, which uses it up.
    ///
    /// # Errors
    /// `NoBubble`; `BadActivity` unless there is one value from 0 to 1000 per SMX.
    pub fn activity(&mut self, per_smx: &[u16]) -> Result<(), Fault> {
        self.between()?;
        let Some(bubble) = self.bubble.as_mut() else { return Err(Fault::NoBubble) };
        bubble.controller.check_activity(Some(per_smx))?;
        for (s, &activity) in per_smx.iter().enumerate() {
            bubble.activity[SmxId::from_index(s)] = activity;
        }
        bubble.is_active = true;
        self.lift();
        Ok(())
    }

    /// frontend-C1: the sample of this cycle, if one is due. Whether one was.
    #[inline]
    pub(super) fn sample(&mut self, probe: &mut impl Probe) -> bool {
        let is_due = self.bubble.as_ref().is_some_and(|bubble| bubble.at <= self.board.now);
        if is_due {
            self.take_sample(probe);
        }
        is_due
    }

    #[inline(never)]
    fn take_sample(&mut self, probe: &mut impl Probe) {
        // A row of heads to start with, turned by one from sample to sample.
        let heads = self.laperm.as_ref().map_or(1, |line| u64::from(line.config.units()));
        let start = self.board.stats.samples.checked_rem(heads).unwrap_or(0) as u32;
        let head = self.waiting_head(start).ok().flatten();
        if let Some(sampler) = self.bubble.as_mut() {
            sampler.take(&mut self.board, head, probe);
        }
    }

    /// The occupancy-bubble controller, if there is one: registers, P-states, energy, counters.
    #[must_use]
    pub fn bubble(&self) -> Option<&BubbleController<T::Powers>> {
        Some(&self.bubble.as_ref()?.controller)
    }

    /// The cycle of the controller's next sample; `None` if it is beyond the last cycle, or there is no controller.
    #[must_use]
    pub fn next_sample(&self) -> Option<Cycle> {
        Some(self.bubble.as_ref()?.at).filter(|&at| at < Cycle::MAX)
    }

    /// The end of a run: the energy account is closed up to now, and nothing else happens.
    ///
    /// # Errors
    /// `NoBubble`; `BadActivity`, as in [`FrontEnd::activity`].
    pub fn account(&mut self, activity: Option<&[u16]>) -> Result<(), Fault> {
        self.verb(|gpu| {
            let bubble = gpu.bubble.as_mut().ok_or(Fault::NoBubble)?;
            bubble.controller.account(gpu.board.now, activity, &gpu.board.residency)
        })
    }
}
