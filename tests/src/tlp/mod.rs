//! What the tests of `tlp` share: the events, answers and visible state of its units.

pub mod invariants;
#[cfg(feature = "tools")]
pub mod model;
pub mod script;
pub mod steady;
pub mod through_c;

use std::fmt::Debug;

use gpusched::tlp::{
    Kernel, KernelId, LeftOver, OwnedSm, Pending, Pool, Proposal, ResidentTb, Sharer, SmState, SmartEven, Smc,
    SmcPhase, Submitted, TlpConfig, TlpSm, left_over_image_config, pool_image_config, smart_even_image_config,
    smc_image_config, tlp_sm_image_config,
};
use gpusched::{Cycle, Fault, ImageError, SmxId, Violation};

use crate::calls::{
    tlp, tlp_leftover as leftover, tlp_pool as pool, tlp_sm as sm, tlp_smart_even as smart_even, tlp_smc as smc,
};
use crate::equalizer::{slot, smx};
use crate::images::Save;
use crate::machine::{Family, Machine};

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

/// An event of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the units")]
pub enum Event {
    Pure(tlp::Event),
    TlpSm(sm::Event),
    Pool(pool::Event),
    LeftOver(leftover::Event),
    SmartEven(smart_even::Event),
    Smc(smc::Event),
}

/// What an accepted event answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the units")]
pub enum Answer {
    Pure(tlp::Answer),
    TlpSm(sm::Answer),
    Pool(pool::Answer),
    LeftOver(leftover::Answer),
    /// With who owns each SM then.
    SmartEven(smart_even::Answer, Vec<Option<KernelId>>),
    Smc(smc::Answer),
}

macro_rules! events {
    ($($Unit:ident $unit:ident)*) => {
        $(impl From<$unit::Event> for Event {
            fn from(event: $unit::Event) -> Self {
                Self::$Unit(event)
            }
        })*
    };
}

events!(Pure tlp TlpSm sm Pool pool LeftOver leftover SmartEven smart_even Smc smc);

/// The visible state of a `tlpsm`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the core's")]
pub struct SmView {
    pub now: Cycle,
    pub kernels: [Option<Kernel>; 2],
    pub state: SmState,
    /// One per slot.
    pub slots: Vec<Option<ResidentTb>>,
}

impl SmView {
    fn of(sm: &impl sm::Queries) -> Self {
        Self {
            now: sm.now(),
            kernels: [0, 1].map(|k| sm.kernel(KernelId(k))),
            state: sm.state(),
            slots: (0..sm.config().slots).map(|s| sm.slot(slot(s))).collect(),
        }
    }
}

/// The visible state of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub enum View {
    Pure,
    TlpSm(SmView),
    Pool { entries: Vec<Option<Pending>>, added: u64 },
    LeftOver { entries: Vec<Option<Submitted>>, resident: Vec<Vec<u32>>, pointer: SmxId, submitted: u64 },
    SmartEven { kernels: Vec<Sharer>, sms: Vec<OwnedSm>, pointer: SmxId, running: bool },
    Smc { phase: SmcPhase, current: Proposal, saved: Proposal, best: u64 },
}

impl View {
    fn of_pool(pool: &impl pool::Queries) -> Self {
        let entries = (0..pool.config().pool_cap).map(|i| pool.pending(kernel(i))).collect();
        Self::Pool { entries, added: pool.added() }
    }

    fn of_leftover(gpu: &impl leftover::Queries) -> Self {
        let TlpConfig { qcap, sms, .. } = gpu.config();
        Self::LeftOver {
            entries: (0..qcap).map(|k| gpu.kernel(kernel(k))).collect(),
            resident: (0..sms).map(|sm| (0..qcap).map(|k| gpu.resident(smx(sm), kernel(k))).collect()).collect(),
            pointer: gpu.pointer(),
            submitted: gpu.submitted(),
        }
    }

    fn of_smart_even(gpu: &impl smart_even::Queries) -> Self {
        Self::SmartEven {
            kernels: (0..).map_while(|k| gpu.kernel(KernelId(k))).collect(),
            sms: (0..).map_while(|sm| gpu.sm(SmxId(sm))).collect(),
            pointer: gpu.pointer(),
            running: gpu.is_running(),
        }
    }

    fn of_smc(search: &impl smc::Queries) -> Self {
        Self::Smc { phase: search.phase(), current: search.proposal(), saved: search.saved(), best: search.best() }
    }
}

/// Who owns each SM.
fn owners(gpu: &impl smart_even::Queries) -> Vec<Option<KernelId>> {
    (0..).map_while(|sm| gpu.sm(SmxId(sm))).map(|sm| sm.owner).collect()
}

/// Does with the machine inside of a unit what can be done with each, and something else with what has no state.
macro_rules! inside {
    ($unit:expr, $machine:ident => $do:expr, $pure:ident => $otherwise:expr) => {
        match $unit {
            Self::Pure($pure) => $otherwise,
            Self::TlpSm($machine) => $do,
            Self::Pool($machine) => $do,
            Self::LeftOver($machine) => $do,
            Self::SmartEven($machine) => $do,
            Self::Smc($machine) => $do,
        }
    };
}
pub(crate) use inside;

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
        inside!(self, unit => unit.config(), config => config)
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
        inside!(self, unit => unit, _config => panic!("no unit with a state"))
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
        inside!(self, unit => unit.validate(), _config => Ok(()))
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
    type Answered = Result<Answer, Fault>;
    type View = View;
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        Ok(match (self, event) {
            (Self::Pure(config), Event::Pure(event)) => Answer::Pure(event.apply(config)?),
            (Self::TlpSm(sm), Event::TlpSm(event)) => Answer::TlpSm(event.apply(sm)?),
            (Self::Pool(pool), Event::Pool(event)) => Answer::Pool(event.apply(pool)?),
            (Self::LeftOver(gpu), Event::LeftOver(event)) => Answer::LeftOver(event.apply(gpu)?),
            (Self::SmartEven(gpu), Event::SmartEven(event)) => Answer::SmartEven(event.apply(gpu)?, owners(gpu)),
            (Self::Smc(search), Event::Smc(event)) => Answer::Smc(event.apply(search)?),
            (unit, event) => panic!("{event:?} is no event of {unit:?}"),
        })
    }

    fn view(&self) -> View {
        match self {
            Self::Pure(_) => View::Pure,
            Self::TlpSm(sm) => View::TlpSm(SmView::of(sm)),
            Self::Pool(pool) => View::of_pool(pool),
            Self::LeftOver(gpu) => View::of_leftover(gpu),
            Self::SmartEven(gpu) => View::of_smart_even(gpu),
            Self::Smc(search) => View::of_smc(search),
        }
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}

/// Units of TLP modulation, each of its kind.
#[derive(Clone, Copy, Debug)]
pub struct Units;

impl Family for Units {
    type Config = (Kind, TlpConfig);
    type Event = Event;
    type Answer = Answer;
    type Refused = Fault;
    type View = View;
    type Core = Unit;
    type C = through_c::Unit;
    #[cfg(feature = "tools")]
    type Model = model::Unit;

    fn core((kind, config): &Self::Config) -> Result<Unit, Fault> {
        Unit::new(*kind, config)
    }

    #[cfg(feature = "tools")]
    fn model((kind, config): &Self::Config) -> Result<model::Unit, Fault> {
        model::Unit::new(*kind, config)
    }

    fn image_config(unit: &Unit, image: &[u8]) -> Result<Self::Config, ImageError> {
        let kind = unit.kind();
        let config = match kind {
            Kind::Pure => Err(ImageError::NotAnImage),
            Kind::TlpSm => tlp_sm_image_config(image),
            Kind::Pool => pool_image_config(image),
            Kind::LeftOver => left_over_image_config(image),
            Kind::SmartEven => smart_even_image_config(image),
            Kind::Smc => smc_image_config(image),
        };
        Ok((kind, config?))
    }
}
