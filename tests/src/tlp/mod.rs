//! What the tests of `tlp` share: the events, answers and visible state of its units.

pub mod invariants;
pub mod model;
pub mod script;
pub mod steady;

use std::fmt::Debug;

use gpusched::tlp::{
    Attached, Category, Detached, Dispatch, Finished, History, Job, KernelCode, KernelId, KernelType, Learn, LeftOver,
    Metrics, Mode, Next, Overridden, Pending, Phase, Picked, Pool, Pref, Proposal, Reported, ResidentTb, Sampled, Sent,
    Sharer, SharerTbEnded, SmartEven, Smc, SmcPhase, StaticTlp, Submitted, TbNeeds, TlpConfig, TlpSm,
};
use gpusched::{Cycle, Fault, ImageError, Violation};

use crate::equalizer::{Machine, slot, smx};
use crate::images::Save;

/// The units of the sheet, under its names for them; `categorise` and `static` have no state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub enum Kind {
    Pure,
    TlpSm,
    Pool,
    LeftOver,
    SmartEven,
    Smc,
}

impl Kind {
    /// Every unit.
    pub const ALL: [Self; 6] = [Self::Pure, Self::TlpSm, Self::Pool, Self::LeftOver, Self::SmartEven, Self::Smc];
}

/// An event of a unit, as the sheet's Interface lists them. Numbers are as wide as a caller may write them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub enum Event {
    Categorise(Vec<u64>),
    Static {
        k0: KernelCode,
        k1: KernelCode,
        first: u32,
    },
    Max(KernelCode),
    Remain {
        k: KernelCode,
        other: KernelCode,
        n: u32,
    },
    Attach {
        now: Cycle,
        k: u32,
        kernel: KernelCode,
    },
    Done {
        now: Cycle,
        k: u32,
    },
    Dispatch {
        now: Cycle,
        avail: [bool; 2],
    },
    Finish {
        now: Cycle,
        slot: u32,
    },
    Sample {
        now: Cycle,
        metrics: Metrics,
    },
    Override {
        now: Cycle,
        tb: [u32; 2],
    },
    Add {
        kind: KernelType,
        pref: Pref,
        ready: bool,
    },
    Ready(u32),
    PickPair,
    PickNext {
        kind: KernelType,
        pref: Pref,
    },
    Submit {
        needs: TbNeeds,
        n_tb: u32,
    },
    /// `dispatch` of `leftover` and `smarteven`.
    Send,
    /// `finish` of `leftover`.
    LeftOverFinish {
        sm: u32,
        k: u32,
    },
    /// `start` of `smarteven`.
    Share(Vec<Job>),
    /// `finish` of `smarteven`.
    SharerFinish(u32),
    /// `start` of `smc`.
    Search([u32; 2]),
    Report(u64),
}

/// What an accepted event answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub enum Answer {
    Category(Category),
    Static(StaticTlp),
    Max(u32),
    Remain(u32),
    Attached(Attached),
    Detached(Detached),
    Dispatch(Dispatch),
    Finished(Finished),
    Sampled(Sampled),
    Overridden(Overridden),
    Added(KernelId),
    Ready,
    PickedPair(Option<Picked>),
    PickedNext(Option<Next>),
    Submitted(KernelId),
    Sent(Sent),
    LeftOverFinished { done: bool },
    Owners(Vec<Option<KernelId>>),
    SharerFinished(SharerTbEnded, Vec<Option<KernelId>>),
    Proposed(Proposal),
    Reported(Reported),
}

/// The visible state of a `tlpsm`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct SmView {
    pub now: Cycle,
    pub kernels: [Option<KernelCode>; 2],
    pub first: u32,
    pub mode: Mode,
    pub phase: Phase,
    pub tb: [u32; 2],
    pub by: [u32; 2],
    pub bycur: [u32; 2],
    pub res: [u32; 2],
    pub learn: Learn,
    pub history: History,
    pub cohort: u32,
    /// t0, and t1 once the period has ended.
    pub period: (Option<Cycle>, Option<Cycle>),
    /// One per slot.
    pub slots: Vec<Option<ResidentTb>>,
}

/// The visible state of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub enum View {
    Pure,
    TlpSm(SmView),
    Pool { entries: Vec<Option<Pending>>, added: u64 },
    LeftOver { entries: Vec<Option<Submitted>>, resident: Vec<Vec<u32>>, pointer: u32, submitted: u64 },
    SmartEven { kernels: Vec<Sharer>, owners: Vec<Option<KernelId>>, resident: Vec<u32>, pointer: u32 },
    Smc { phase: SmcPhase, current: Proposal, saved: Proposal, best: u64 },
}

/// A unit of the core.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are the core's")]
#[allow(clippy::large_enum_variant, reason = "there are a few of them")]
pub enum Unit {
    Pure(TlpConfig),
    TlpSm(TlpSm),
    Pool(Pool),
    LeftOver(LeftOver),
    SmartEven(SmartEven),
    Smc(Smc),
}

impl Unit {
    /// A unit of a configuration.
    ///
    /// # Errors
    /// The fault of a configuration that the unit refuses.
    pub fn new(kind: Kind, config: &TlpConfig) -> Result<Self, Fault> {
        Ok(match kind {
            Kind::Pure => {
                config.check()?;
                Self::Pure(*config)
            }
            Kind::TlpSm => Self::TlpSm(TlpSm::new(config)?),
            Kind::Pool => Self::Pool(Pool::new(config)?),
            Kind::LeftOver => Self::LeftOver(LeftOver::new(config)?),
            Kind::SmartEven => Self::SmartEven(SmartEven::new(config)?),
            Kind::Smc => Self::Smc(Smc::new(config)?),
        })
    }

    /// The configuration that it was built with.
    #[must_use]
    pub fn config(&self) -> &TlpConfig {
        match self {
            Self::Pure(config) => config,
            Self::TlpSm(unit) => unit.config(),
            Self::Pool(unit) => unit.config(),
            Self::LeftOver(unit) => unit.config(),
            Self::SmartEven(unit) => unit.config(),
            Self::Smc(unit) => unit.config(),
        }
    }

    /// Which unit it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Pure(_) => Kind::Pure,
            Self::TlpSm(_) => Kind::TlpSm,
            Self::Pool(_) => Kind::Pool,
            Self::LeftOver(_) => Kind::LeftOver,
            Self::SmartEven(_) => Kind::SmartEven,
            Self::Smc(_) => Kind::Smc,
        }
    }

    fn saved(&self) -> &dyn Save {
        match self {
            Self::Pure(_) => panic!("no unit with a state"),
            Self::TlpSm(unit) => unit,
            Self::Pool(unit) => unit,
            Self::LeftOver(unit) => unit,
            Self::SmartEven(unit) => unit,
            Self::Smc(unit) => unit,
        }
    }

    /// A unit from an image.
    ///
    /// # Errors
    /// Why the image is refused.
    ///
    /// # Panics
    /// For units without a state.
    pub fn restore(kind: Kind, image: &[u8]) -> Result<Self, ImageError> {
        Ok(match kind {
            Kind::Pure => panic!("no unit with a state"),
            Kind::TlpSm => Self::TlpSm(TlpSm::restore(image)?),
            Kind::Pool => Self::Pool(Pool::restore(image)?),
            Kind::LeftOver => Self::LeftOver(LeftOver::restore(image)?),
            Kind::SmartEven => Self::SmartEven(SmartEven::restore(image)?),
            Kind::Smc => Self::Smc(Smc::restore(image)?),
        })
    }
}

impl Unit {
    /// The unit's own word on its invariants.
    ///
    /// # Errors
    /// The first that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        match self {
            Self::Pure(_) => Ok(()),
            Self::TlpSm(unit) => unit.validate(),
            Self::Pool(unit) => unit.validate(),
            Self::LeftOver(unit) => unit.validate(),
            Self::SmartEven(unit) => unit.validate(),
            Self::Smc(unit) => unit.validate(),
        }
    }
}

/// Units without a state have no image.
impl Save for Unit {
    fn image_len(&self) -> usize {
        self.saved().image_len()
    }
    fn save(&self, out: &mut [u8]) -> Result<usize, ImageError> {
        self.saved().save(out)
    }
}

/// A kernel number; one that is too large for its type is beyond every range, too.
#[must_use]
pub fn kernel(number: u32) -> KernelId {
    KernelId(u8::try_from(number).unwrap_or(u8::MAX))
}

impl Machine for Unit {
    type Event = Event;
    type Answer = Answer;
    type View = View;
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        Ok(match (self, event) {
            (Self::Pure(config), Event::Categorise(profile)) => Answer::Category(config.categorise(profile)?),
            (Self::Pure(config), &Event::Static { k0, k1, first }) => {
                Answer::Static(config.static_tlp(k0, k1, kernel(first))?)
            }
            (Self::Pure(config), &Event::Max(k)) => Answer::Max(config.max(k)?),
            (Self::Pure(config), &Event::Remain { k, other, n }) => Answer::Remain(config.remain(k, other, n)?),
            (Self::TlpSm(sm), &Event::Attach { now, k, kernel: code }) => {
                Answer::Attached(sm.attach(now, kernel(k), code)?)
            }
            (Self::TlpSm(sm), &Event::Done { now, k }) => Answer::Detached(sm.done(now, kernel(k))?),
            (Self::TlpSm(sm), &Event::Dispatch { now, avail }) => Answer::Dispatch(sm.dispatch(now, avail)?),
            (Self::TlpSm(sm), &Event::Finish { now, slot: s }) => Answer::Finished(sm.finish(now, slot(s))?),
            (Self::TlpSm(sm), Event::Sample { now, metrics }) => Answer::Sampled(sm.sample(*now, metrics)?),
            (Self::TlpSm(sm), &Event::Override { now, tb }) => Answer::Overridden(sm.override_tlp(now, tb)?),
            (Self::Pool(pool), &Event::Add { kind, pref, ready }) => Answer::Added(pool.add(kind, pref, ready)?),
            (Self::Pool(pool), &Event::Ready(i)) => {
                pool.ready(kernel(i))?;
                Answer::Ready
            }
            (Self::Pool(pool), Event::PickPair) => Answer::PickedPair(pool.pick_pair()),
            (Self::Pool(pool), &Event::PickNext { kind, pref }) => Answer::PickedNext(pool.pick_next(kind, pref)),
            (Self::LeftOver(gpu), &Event::Submit { needs, n_tb }) => Answer::Submitted(gpu.submit(needs, n_tb)?),
            (Self::LeftOver(gpu), Event::Send) => Answer::Sent(gpu.dispatch()),
            (Self::LeftOver(gpu), &Event::LeftOverFinish { sm, k }) => {
                Answer::LeftOverFinished { done: gpu.finish(smx(sm), kernel(k))? }
            }
            (Self::SmartEven(gpu), Event::Share(jobs)) => {
                gpu.start(jobs)?;
                Answer::Owners(gpu.owners().to_vec())
            }
            (Self::SmartEven(gpu), Event::Send) => Answer::Sent(gpu.dispatch()),
            (Self::SmartEven(gpu), &Event::SharerFinish(sm)) => {
                let ended = gpu.finish(smx(sm))?;
                Answer::SharerFinished(ended, gpu.owners().to_vec())
            }
            (Self::Smc(search), &Event::Search(max)) => Answer::Proposed(search.start(max)?),
            (Self::Smc(search), &Event::Report(perf)) => Answer::Reported(search.report(perf)?),
            (unit, event) => panic!("{event:?} is no event of {unit:?}"),
        })
    }

    fn view(&self) -> View {
        match self {
            Self::Pure(_) => View::Pure,
            Self::TlpSm(sm) => View::TlpSm(sm_view(sm)),
            Self::Pool(pool) => {
                let mut entries = vec![None; pool.config().pool_cap as usize];
                pool.pending().for_each(|(i, kernel)| entries[usize::from(i.0)] = Some(kernel));
                View::Pool { entries, added: pool.added() }
            }
            Self::LeftOver(gpu) => {
                let &TlpConfig { qcap, sms, .. } = gpu.config();
                let mut entries = vec![None; qcap as usize];
                gpu.kernels().for_each(|(k, kernel)| entries[usize::from(k.0)] = Some(kernel));
                let resident = |sm| (0..qcap).map(|k| gpu.resident(smx(sm), kernel(k))).collect();
                let resident = (0..sms).map(resident).collect();
                View::LeftOver { entries, resident, pointer: gpu.pointer().into(), submitted: gpu.submitted() }
            }
            Self::SmartEven(gpu) => View::SmartEven {
                kernels: gpu.kernels().to_vec(),
                owners: gpu.owners().to_vec(),
                resident: (0..gpu.config().sms).map(|sm| gpu.resident(smx(sm))).collect(),
                pointer: gpu.pointer().into(),
            },
            Self::Smc(search) => View::Smc {
                phase: search.phase(),
                current: search.proposal(),
                saved: search.saved(),
                best: search.best(),
            },
        }
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}

fn sm_view(sm: &TlpSm) -> SmView {
    use gpusched::tlp::Period;

    SmView {
        now: sm.now(),
        kernels: [0, 1].map(|k| sm.kernel(KernelId(k)).map(KernelCode::from)),
        first: sm.first().into(),
        mode: sm.mode(),
        phase: sm.period().phase(),
        tb: sm.tb(),
        by: sm.by(),
        bycur: sm.bypassing(),
        res: sm.resident(),
        learn: sm.learn(),
        history: *sm.history(),
        cohort: sm.cohort(),
        period: match sm.period() {
            Period::Waiting => (None, None),
            Period::Sampling { start, .. } => (Some(start), None),
            Period::Await { start, end } => (Some(start), Some(end)),
        },
        slots: (0..sm.config().slots).map(|s| sm.slot(slot(s))).collect(),
    }
}
