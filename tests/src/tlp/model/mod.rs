//! The units of `tlp` as their sheet describes them, written anew and plainly: lists that are counted through, fractions as pairs of wide
//! numbers. The core is compared with it.

mod comparators;
pub mod fit;
mod sm;

pub use sm::Sm;

use gpusched::Fault;
use gpusched::tlp::TlpConfig;

use super::{Answer, Event, Kind, View};
use crate::machine::Machine;
use comparators::{LeftOver, Pool, SmartEven, Smc};

/// A unit of the model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the core's")]
pub enum Unit {
    Pure(TlpConfig),
    TlpSm(Sm),
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
        config.check()?;
        Ok(match kind {
            Kind::Pure => Self::Pure(*config),
            Kind::TlpSm => Self::TlpSm(Sm::new(config)),
            Kind::Pool => Self::Pool(Pool::new(config)),
            Kind::LeftOver => Self::LeftOver(LeftOver::new(config)),
            Kind::SmartEven => Self::SmartEven(SmartEven::new(config)),
            Kind::Smc if config.sms < 2 => return Err(Fault::TooFewSms),
            Kind::Smc => Self::Smc(Smc::new(config)),
        })
    }
}

impl Machine for Unit {
    type Event = Event;
    type Answered = Result<Answer, Fault>;
    type View = View;
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        Ok(match (self, event) {
            (Self::Pure(config), Event::Pure(event)) => Answer::Pure(fit::answer(config, event)?),
            (Self::TlpSm(sm), Event::TlpSm(event)) => Answer::TlpSm(sm.take(event)?),
            (Self::Pool(pool), Event::Pool(event)) => Answer::Pool(pool.take(event)?),
            (Self::LeftOver(gpu), Event::LeftOver(event)) => Answer::LeftOver(gpu.take(event)?),
            (Self::SmartEven(gpu), Event::SmartEven(event)) => Answer::SmartEven(gpu.take(event)?, gpu.ids()),
            (Self::Smc(search), Event::Smc(event)) => Answer::Smc(search.take(event)?),
            (_, event) => panic!("{event:?} is no event of this unit"),
        })
    }

    fn view(&self) -> View {
        match self {
            Self::Pure(_) => View::Pure,
            Self::TlpSm(sm) => View::TlpSm(sm.view()),
            Self::Pool(pool) => pool.view(),
            Self::LeftOver(gpu) => gpu.view(),
            Self::SmartEven(gpu) => gpu.view(),
            Self::Smc(search) => search.view(),
        }
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}
