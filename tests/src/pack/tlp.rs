//! Vectors of TLP modulation: each unit, and functions of a configuration.

use gpusched::Fault;
use gpusched::tlp::TlpConfig;
use gpusched_abi::convert::ToC;
use gpusched_packed::{Bytes, Driven, Machine as Packed, Op, Reader, Record, Refused};

use super::Recordable;
use super::tape::{Packs, Recorded};
use crate::calls::tlp;
use crate::machine::Family;
use crate::through_c::tlp::c_config;
use crate::tlp::{Answer, Event, Kind, Unit, Units, inside};

impl Recordable for Units {
    fn recorded(unit: &(Kind, TlpConfig)) -> Result<Recorded<Unit>, Fault> {
        let (kind, config) = unit;
        let machine = match kind {
            Kind::Pure => Packed::TlpFit,
            Kind::TlpSm => Packed::TlpSm,
            Kind::Pool => Packed::TlpPool,
            Kind::LeftOver => Packed::TlpLeftOver,
            Kind::SmartEven => Packed::TlpSmartEven,
            Kind::Smc => Packed::TlpSmc,
        };
        Recorded::new(machine, config, &c_config(config), Self::core(unit))
    }
}

impl Driven for Unit {
    fn image(&self) -> Vec<u8> {
        inside!(self, machine => Driven::image(machine), config => Driven::image(config))
    }

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        inside!(self, machine => machine.event(op, from, to), config => config.event(op, from, to))
    }
}

impl Packs<Result<Answer, Fault>> for Event {
    fn packed(&self) -> Option<(Op, Bytes)> {
        Some(match self {
            Self::Pure(event) => event.packed(),
            Self::TlpSm(event) => event.packed(),
            Self::Pool(event) => event.packed(),
            Self::LeftOver(event) => event.packed(),
            Self::SmartEven(event) => event.packed(),
            Self::Smc(event) => event.packed(),
        })
    }

    /// Those of functions.
    fn records(answered: &Result<Answer, Fault>) -> Option<Bytes> {
        let mut records = Bytes::default();
        match answered {
            Ok(Answer::Pure(tlp::Answer::Category(category))) => category.to_c().put(&mut records),
            Ok(Answer::Pure(tlp::Answer::StaticTlp(targets))) => targets.to_c().put(&mut records),
            Ok(Answer::Pure(tlp::Answer::Max(number) | tlp::Answer::Remain(number))) => number.put(&mut records),
            _ => return None,
        }
        Some(records)
    }
}
