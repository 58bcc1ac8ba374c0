//! What the tests of `equalizer` share: the events, answers and visible state of its two machines.

pub mod invariants;
pub mod model;
pub mod steady;

use std::fmt::Debug;

use gpusched::equalizer::{
    Block, Change, Classified, Counts, Decision, Ended, EpochEnd, Fm, Granted, Levels, Objective, Round, Sm, SmConfig,
    Started, Step, Transition, Warp,
};
use gpusched::{Cycle, Fault, SlotId, SmxId, SmxSet};

/// An event of an `Sm`, as the sheet's Interface lists them. Numbers are as wide as a caller may write them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub enum SmEvent {
    KernelStart { now: Cycle, w_cta: u32, limit: u32, keep: bool },
    Grant { now: Cycle, block: u64 },
    Deny { now: Cycle },
    Refill { now: Cycle },
    BlockEnd { now: Cycle, slot: u32 },
    Sample { now: Cycle, counts: Counts },
    SetObjective { now: Cycle, objective: u32 },
    Resync { now: Cycle },
    Classify(Warp),
    Decide { sums: Counts, samples: u32, w_cta: u32 },
}

/// What an accepted event of an `Sm` answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub enum SmAnswer {
    Started(Started),
    Granted(Granted),
    /// Of `deny` and `refill`.
    Changed(Change),
    Ended(Ended),
    /// Of `sample`: the end of the epoch, if it is one.
    Sampled(Option<EpochEnd>),
    Done,
    NextSample(Cycle),
    Classified(Classified),
    Decision(Decision),
}

/// The sheet's visible state of an `Sm`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct SmView {
    pub next_sample: Cycle,
    pub samples: u32,
    pub sums: Counts,
    pub w_cta: u32,
    pub limit: u32,
    pub target: u32,
    pub run: u32,
    pub dir: Step,
    pub running: u32,
    pub paused: u32,
    pub outstanding: u32,
    pub drained: bool,
    pub wd: u32,
    pub objective: Objective,
    /// One per slot.
    pub slots: Vec<Option<Block>>,
}

/// An event of an `Fm`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub enum FmEvent {
    Vote { now: Cycle, sm: u32, votes: (i32, i32) },
    Close { now: Cycle },
    Enable { now: Cycle, sm: u32, on: bool },
    Levels { now: Cycle },
}

/// What an accepted event of an `Fm` answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub enum FmAnswer {
    /// A vote that leaves the round open.
    Open,
    Round(Round),
    Done,
    Levels(Levels),
}

/// The sheet's visible state of an `Fm`: per domain the level, and the transition under way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct FmView {
    pub sm_level: Step,
    pub mem_level: Step,
    pub sm: Option<Transition>,
    pub mem: Option<Transition>,
    pub voted: SmxSet,
    pub enabled: SmxSet,
}

/// A machine of the sheet: the core's, the C face of one, or the model.
pub trait Machine {
    /// What happens to it.
    type Event: Clone + Debug;
    /// What it answers.
    type Answer: PartialEq + Debug;
    /// What can be seen of it.
    type View: PartialEq + Debug;
    /// All of its state that a refused call must leave as it was.
    type Mark: PartialEq;

    /// Carries out an event.
    ///
    /// # Errors
    /// The sheet's named errors.
    fn take(&mut self, event: &Self::Event) -> Result<Self::Answer, Fault>;
    /// All that can be seen.
    fn view(&self) -> Self::View;
    /// The state.
    fn mark(&self) -> Self::Mark;
}

/// A slot number; one that is too large for its type is beyond every range, too.
#[must_use]
pub fn slot(number: u32) -> SlotId {
    SlotId(u8::try_from(number).unwrap_or(u8::MAX))
}

/// An SM number, as [`slot`].
#[must_use]
pub fn smx(number: u32) -> SmxId {
    SmxId(u16::try_from(number).unwrap_or(u16::MAX))
}

impl Machine for Sm {
    type Event = SmEvent;
    type Answer = SmAnswer;
    type View = SmView;
    type Mark = Self;

    fn take(&mut self, event: &SmEvent) -> Result<SmAnswer, Fault> {
        Ok(match *event {
            SmEvent::KernelStart { now, w_cta, limit, keep } => {
                SmAnswer::Started(self.kernel_start(now, w_cta, limit, keep)?)
            }
            SmEvent::Grant { now, block } => SmAnswer::Granted(self.grant(now, block)?),
            SmEvent::Deny { now } => SmAnswer::Changed(self.deny(now)?),
            SmEvent::Refill { now } => SmAnswer::Changed(self.refill(now)?),
            SmEvent::BlockEnd { now, slot: s } => SmAnswer::Ended(self.block_end(now, slot(s))?),
            SmEvent::Sample { now, ref counts } => SmAnswer::Sampled(self.sample(now, counts)?),
            SmEvent::SetObjective { now, objective } => {
                self.set_objective(now, objective)?;
                SmAnswer::Done
            }
            SmEvent::Resync { now } => SmAnswer::NextSample(self.resync(now)?),
            SmEvent::Classify(ref warp) => SmAnswer::Classified(self.classify(warp)),
            SmEvent::Decide { ref sums, samples, w_cta } => {
                SmAnswer::Decision(self.config().decide(sums, samples, w_cta)?)
            }
        })
    }

    fn view(&self) -> SmView {
        let SmConfig { max_blocks, .. } = *self.config();
        SmView {
            next_sample: self.next_sample(),
            samples: self.samples(),
            sums: *self.sums(),
            w_cta: self.w_cta(),
            limit: self.limit(),
            target: self.target(),
            run: self.run(),
            dir: self.dir(),
            running: self.running(),
            paused: self.paused(),
            outstanding: self.outstanding(),
            drained: self.is_drained(),
            wd: self.watchdog_epochs(),
            objective: self.objective(),
            slots: (0..max_blocks).map(|s| self.block(slot(s))).collect(),
        }
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}

impl Machine for Fm {
    type Event = FmEvent;
    type Answer = FmAnswer;
    type View = FmView;
    type Mark = Self;

    fn take(&mut self, event: &FmEvent) -> Result<FmAnswer, Fault> {
        Ok(match *event {
            FmEvent::Vote { now, sm, votes } => self.vote(now, smx(sm), votes)?.map_or(FmAnswer::Open, FmAnswer::Round),
            FmEvent::Close { now } => FmAnswer::Round(self.close(now)?),
            FmEvent::Enable { now, sm, on } => {
                self.enable(now, smx(sm), on)?;
                FmAnswer::Done
            }
            FmEvent::Levels { now } => FmAnswer::Levels(self.levels(now)?),
        })
    }

    fn view(&self) -> FmView {
        FmView {
            sm_level: self.sm().level,
            mem_level: self.mem().level,
            sm: self.sm().transition,
            mem: self.mem().transition,
            voted: self.voted(),
            enabled: self.enabled(),
        }
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}
