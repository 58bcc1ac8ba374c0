//! Vectors of TLP modulation: each unit, and functions of a configuration.

use anyhow::Result;
use gpusched::Fault;
use gpusched_abi::convert::ToC;
use gpusched_packed::{Bytes, Driven, Machine as Packed, Op, Reader, Record, Refused};
use serde_json::Value;

use super::tape::{self, Recorded};
use crate::calls::tlp;
use crate::equalizer::Machine;
use crate::replay::{Outcome, tlp::replay_on};
use crate::through_c::tlp::c_config;
use crate::tlp::{Answer, Event, Kind, Unit, View};

/// Replays a vector on a unit that writes down what it is asked and answers.
pub fn replay(vector: &Value) -> Result<Outcome> {
    replay_on(vector, |kind, config| {
        let machine = match kind {
            Kind::Pure => Packed::TlpFit,
            Kind::TlpSm => Packed::TlpSm,
            Kind::Pool => Packed::TlpPool,
            Kind::LeftOver => Packed::TlpLeftOver,
            Kind::SmartEven => Packed::TlpSmartEven,
            Kind::Smc => Packed::TlpSmc,
        };
        Recorded::new(machine, config, &c_config(config), Unit::new(kind, config))
    })
}

/// Does with the machine inside of a unit what can be done with each.
macro_rules! inside {
    ($unit:expr, $machine:ident => $do:expr) => {
        match $unit {
            Unit::Pure($machine) => $do,
            Unit::TlpSm($machine) => $do,
            Unit::Pool($machine) => $do,
            Unit::LeftOver($machine) => $do,
            Unit::SmartEven($machine) => $do,
            Unit::Smc($machine) => $do,
        }
    };
}

impl Driven for Unit {
    fn image(&self) -> Vec<u8> {
        inside!(self, machine => Driven::image(machine))
    }

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        inside!(self, machine => machine.event(op, from, to))
    }
}

impl Machine for Recorded<Unit> {
    type Event = Event;
    type Answer = Answer;
    type View = View;
    type Mark = Unit;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        if !matches!(self.0, Unit::Pure(_)) {
            return self.take(write(event), |unit| unit.take(event));
        }
        let (packed, answer, mut expected) = (write(event), self.0.take(event), Bytes::default());
        match &answer {
            Ok(Answer::Pure(tlp::Answer::Category(category))) => category.to_c().put(&mut expected),
            Ok(Answer::Pure(tlp::Answer::StaticTlp(targets))) => targets.to_c().put(&mut expected),
            Ok(Answer::Pure(tlp::Answer::Max(number) | tlp::Answer::Remain(number))) => number.put(&mut expected),
            Ok(other) => panic!("no answer of a function: {other:?}"),
            Err(_) => {}
        }
        tape::function(&mut self.0, packed, answer.as_ref().map(drop).map_err(|fault| *fault), &expected);
        answer
    }

    fn view(&self) -> View {
        self.0.view()
    }

    fn mark(&self) -> Unit {
        self.0.mark()
    }
}

fn write(event: &Event) -> (Op, Bytes) {
    match event {
        Event::Pure(event) => event.packed(),
        Event::TlpSm(event) => event.packed(),
        Event::Pool(event) => event.packed(),
        Event::LeftOver(event) => event.packed(),
        Event::SmartEven(event) => event.packed(),
        Event::Smc(event) => event.packed(),
    }
}
