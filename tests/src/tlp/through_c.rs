//! The units as a C program has them.

use gpusched::Fault;
use gpusched::tlp::TlpConfig;
use gpusched_abi::status::gpusched_status as Status;
use gpusched_abi::tlp_sm::gpusched_tlp_sm;

use super::{Answer, Event, Kind, SmView, View, inside, owners};
use crate::machine::{Machine, Object};
use crate::through_c::{fault, tlp, tlp_leftover, tlp_pool, tlp_sm, tlp_smart_even, tlp_smc};

/// A unit in a block, reached through C functions only.
#[allow(missing_docs, reason = "the names are the core's")]
pub enum Unit {
    Pure(tlp::ThroughC),
    TlpSm(tlp_sm::ThroughC),
    Pool(tlp_pool::ThroughC),
    LeftOver(tlp_leftover::ThroughC),
    SmartEven(tlp_smart_even::ThroughC),
    Smc(tlp_smc::ThroughC),
}

impl Object for Unit {
    type Config = (Kind, TlpConfig);

    fn new((kind, config): &Self::Config) -> Result<Self, Status> {
        Ok(match kind {
            Kind::Pure => Self::Pure(tlp::ThroughC::new(config)?),
            Kind::TlpSm => Self::TlpSm(tlp_sm::ThroughC::new(config)?),
            Kind::Pool => Self::Pool(tlp_pool::ThroughC::new(config)?),
            Kind::LeftOver => Self::LeftOver(tlp_leftover::ThroughC::new(config)?),
            Kind::SmartEven => Self::SmartEven(tlp_smart_even::ThroughC::new(config)?),
            Kind::Smc => Self::Smc(tlp_smc::ThroughC::new(config)?),
        })
    }

    fn image(&self) -> Vec<u8> {
        inside!(self, unit => unit.image(), _unit => Vec::new())
    }

    fn restore(&mut self, image: &[u8]) -> Result<(), Status> {
        inside!(self, unit => unit.restore(image), _unit => Ok(()))
    }

    fn image_config(&self, image: &[u8]) -> Result<(Kind, TlpConfig), Status> {
        Ok(match self {
            Self::Pure(_) => return Err(Status::NotAnImage),
            Self::TlpSm(_) => (Kind::TlpSm, tlp_sm::image_config(image)?),
            Self::Pool(_) => (Kind::Pool, tlp_pool::image_config(image)?),
            Self::LeftOver(_) => (Kind::LeftOver, tlp_leftover::image_config(image)?),
            Self::SmartEven(_) => (Kind::SmartEven, tlp_smart_even::image_config(image)?),
            Self::Smc(_) => (Kind::Smc, tlp_smc::image_config(image)?),
        })
    }
}

impl Unit {
    /// The pointer that a C program has, if it is the machine of one SM.
    #[must_use]
    pub fn sm(&self) -> Option<*mut gpusched_tlp_sm> {
        let Self::TlpSm(unit) = self else { return None };
        Some(unit.object().c())
    }

    /// Makes a call.
    ///
    /// # Errors
    /// The status of a refused call.
    ///
    /// # Panics
    /// If the event is of another unit.
    pub fn call(&mut self, event: &Event) -> Result<Answer, Status> {
        Ok(match (self, event) {
            (Self::Pure(unit), Event::Pure(event)) => Answer::Pure(unit.call(event)?),
            (Self::TlpSm(unit), Event::TlpSm(event)) => Answer::TlpSm(unit.call(event)?),
            (Self::Pool(unit), Event::Pool(event)) => Answer::Pool(unit.call(event)?),
            (Self::LeftOver(unit), Event::LeftOver(event)) => Answer::LeftOver(unit.call(event)?),
            (Self::SmartEven(unit), Event::SmartEven(event)) => Answer::SmartEven(unit.call(event)?, owners(unit)),
            (Self::Smc(unit), Event::Smc(event)) => Answer::Smc(unit.call(event)?),
            (_, event) => panic!("{event:?} is no event of this unit"),
        })
    }
}

impl Machine for Unit {
    type Event = Event;
    type Answered = Result<Answer, Fault>;
    type View = View;
    /// What is seen and what is saved.
    type Mark = (View, Vec<u8>);

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        self.call(event).map_err(fault)
    }

    fn view(&self) -> View {
        match self {
            Self::Pure(_) => View::Pure,
            Self::TlpSm(unit) => View::TlpSm(SmView::of(unit)),
            Self::Pool(unit) => View::of_pool(unit),
            Self::LeftOver(unit) => View::of_leftover(unit),
            Self::SmartEven(unit) => View::of_smart_even(unit),
            Self::Smc(unit) => View::of_smc(unit),
        }
    }

    fn mark(&self) -> Self::Mark {
        (self.view(), self.image())
    }
}
