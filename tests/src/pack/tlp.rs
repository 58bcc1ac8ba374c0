//! Vectors of TLP modulation: each unit, and functions of a configuration.

use anyhow::Result;
use gpusched::Fault;
use gpusched_abi::config::Choice;
use gpusched_abi::tlp::fit::gpusched_tlp_targets;
use gpusched_abi::tlp::records::gpusched_tlp_category;
use gpusched_abi::tlp::smart_even::gpusched_tlp_job;
use gpusched_packed::{Bytes, Driven, Machine as Packed, Op, Reader, Record, Refused};
use serde_json::Value;

use super::tape::{self, Recorded, packed};
use crate::equalizer::Machine;
use crate::replay::{Outcome, tlp::replay_on};
use crate::through_c::tlp::{c_config, c_kernel, c_metrics, c_needs};
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
            return self.take(write(&self.0, event), |unit| unit.take(event));
        }
        let (packed, answer, mut expected) = (write(&self.0, event), self.0.take(event), Bytes::default());
        match &answer {
            Ok(Answer::Category(category)) => gpusched_tlp_category::from(*category).put(&mut expected),
            Ok(Answer::Static(targets)) => gpusched_tlp_targets::from(*targets).put(&mut expected),
            Ok(Answer::Max(number) | Answer::Remain(number)) => number.put(&mut expected),
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

fn write(unit: &Unit, event: &Event) -> (Op, Bytes) {
    match event {
        Event::Categorise(profile) => packed!(TlpCategorise, profile[..]),
        Event::Static { k0, k1, first } => packed!(TlpStatic, first, c_kernel(k0), c_kernel(k1)),
        Event::Max(k) => packed!(TlpMax, c_kernel(k)),
        Event::Remain { k, other, n } => packed!(TlpRemain, n, c_kernel(k), c_kernel(other)),
        Event::Attach { now, k, kernel } => packed!(TlpSmAttach, now, k, c_kernel(kernel)),
        Event::Done { now, k } => packed!(TlpSmDone, now, k),
        Event::Dispatch { now, avail } => packed!(TlpSmDispatch, now, avail),
        Event::Finish { now, slot } => packed!(TlpSmFinish, now, slot),
        Event::Sample { now, metrics } => packed!(TlpSmSample, now, c_metrics(metrics)),
        Event::Override { now, tb } => packed!(TlpSmOverride, now, tb),
        Event::Add { kind, pref, ready } => packed!(TlpPoolAdd, kind.code(), pref.code(), ready),
        Event::Ready(i) => packed!(TlpPoolReady, i),
        Event::PickPair => packed!(TlpPoolPickPair),
        Event::PickNext { kind, pref } => packed!(TlpPoolPickNext, kind.code(), pref.code()),
        Event::Submit { needs, n_tb } => packed!(TlpLeftOverSubmit, n_tb, c_needs(needs)),
        Event::Send if matches!(unit, Unit::LeftOver(_)) => packed!(TlpLeftOverSend),
        Event::Send => packed!(TlpSmartEvenSend),
        Event::LeftOverFinish { sm, k } => packed!(TlpLeftOverFinish, sm, k),
        Event::Share(jobs) => {
            let job = |job: &gpusched::tlp::Job| gpusched_tlp_job { needs: c_needs(&job.needs), n_tb: job.n_tb };
            packed!(TlpSmartEvenStart, jobs.iter().map(job).collect::<Vec<_>>()[..])
        }
        Event::SharerFinish(sm) => packed!(TlpSmartEvenFinish, sm),
        Event::Search(max) => packed!(TlpSmcStart, max),
        Event::Report(perf) => packed!(TlpSmcReport, perf),
    }
}
