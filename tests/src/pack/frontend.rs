//! Vectors of the front end.

use anyhow::Result;
use gpusched::dats::GraphHeader;
use gpusched::{Config, Decision, Descriptor, Dim3, Fault, FrontEnd, GroupLaunch, SmxSet};
use gpusched_abi::bubble::verbs::gpusched_bubble_record;
use gpusched_abi::dats::graph::{gpusched_graph_error, gpusched_graph_header};
use gpusched_abi::dats::verbs::{gpusched_graph_report, gpusched_graph_request};
use gpusched_abi::decision::gpusched_decision;
use gpusched_abi::frontend::time::gpusched_words;
use gpusched_abi::frontend::view::gpusched_waiting_head;
use gpusched_heap::HeapTables;
use gpusched_packed::{Op, Record, Sink};

use super::tape::{self, Bytes};
use crate::dats::event::{Answer as GraphAnswer, Answered};
use crate::events::{Answer, Event, Value};
use crate::images::image;
use crate::machine::Machine;
use crate::replay::in_rust;
use crate::through_c::c_config;
use crate::view::View;

/// A front end that writes down what it is asked and answers.
pub struct Recorded(FrontEnd<HeapTables>);

/// The machine of a vector.
pub fn build(config: &Config) -> Result<Result<Recorded, Fault>> {
    let built = in_rust(gpusched_heap::front_end(config))?;
    let state = built.as_ref().map(|gpu| tape::state(&image(gpu))).map_err(|fault| *fault);
    tape::start(config, &c_config(config, 0), state);
    Ok(built.map(Recorded))
}

impl Machine for Recorded {
    type Mark = FrontEnd<HeapTables>;

    fn take(&mut self, event: &Event) -> Answer {
        let answer = self.0.take(event);
        let mut arguments = Bytes::default();
        let Some(op) = write(event, &mut arguments) else {
            tape::unknown(format!("an event without a form: {event:?}"));
            return answer;
        };
        let result = match &answer.value {
            Err(fault) => Err(*fault),
            Ok(Value::Graph(Err(error))) => Err(error.fault()),
            Ok(_) => Ok(()),
        };
        let state = tape::state(&image(&self.0));
        tape::event(op, |to| to.put(&arguments.0), result, |to| records(&answer, to), Some(state));
        answer
    }

    fn view(&self) -> View {
        self.0.view()
    }

    fn config(&self) -> Config {
        *self.0.config()
    }

    fn mark(&self) -> Self::Mark {
        self.0.mark()
    }
}

/// Writes the arguments of an event.
fn write(event: &Event, to: &mut Bytes) -> Option<Op> {
    let numbers = |numbers: &[u32], to: &mut Bytes| numbers.iter().for_each(|number| number.put(to));
    let retain = |retain: bool| u32::from(retain);
    Some(match *event {
        Event::HostLaunch { stream, ref descriptor, retain: held } => {
            numbers(&[stream, retain(held)], to);
            kernel(descriptor, to);
            Op::HostLaunch
        }
        Event::HostLaunchGraph { stream, ref descriptor, retain: held, ref graph } => {
            numbers(&[stream, retain(held)], to);
            kernel(descriptor, to);
            header(graph, to);
            Op::HostLaunchGraph
        }
        Event::GraphPoll => Op::GraphPoll,
        Event::GraphNodes(tag, ref entries) => {
            tag.put(to);
            entries[..].put(to);
            Op::GraphNodes
        }
        Event::GraphEdges(tag, ref targets) => {
            tag.put(to);
            targets[..].put(to);
            Op::GraphEdges
        }
        Event::GraphSpilled(tag) => {
            tag.put(to);
            Op::GraphSpilled
        }
        Event::AbortGraph(kde) => {
            kde.put(to);
            Op::AbortGraph
        }
        Event::DeviceLaunch { smx, slot, ref kernels } => {
            numbers(&[smx, slot], to);
            to.count(kernels.len());
            kernels.iter().for_each(|descriptor| kernel(descriptor, to));
            Op::DeviceLaunch
        }
        Event::AggLaunch { smx, slot, ref groups } => {
            numbers(&[smx, slot], to);
            to.count(groups.len());
            for GroupLaunch { descriptor, hw_tid } in groups {
                kernel(descriptor, to);
                hw_tid.put(to);
            }
            Op::AggLaunch
        }
        Event::TbDone { smx, slot } => {
            numbers(&[smx, slot], to);
            Op::TbDone
        }
        Event::Unretain(kde) => {
            kde.put(to);
            Op::Unretain
        }
        Event::Suspend(kde) => {
            kde.put(to);
            Op::Suspend
        }
        Event::Resume(index) => {
            index.put(to);
            Op::Resume
        }
        Event::SpillLoaded(record) => {
            record.put(to);
            Op::SpillLoaded
        }
        Event::SetEligible(eligible) => {
            set(&eligible, to);
            Op::SetEligible
        }
        Event::SetBlockCap { smx, cap } => {
            numbers(&[smx, cap], to);
            Op::SetBlockCap
        }
        Event::SetClass { class, pc } => {
            numbers(&[class, pc.is_some().into()], to);
            pc.unwrap_or(0).put(to);
            Op::SetClass
        }
        Event::SetClassCap { class, smx, cap, by } => {
            numbers(&[class, smx, cap, by], to);
            Op::SetClassCap
        }
        Event::Activity(ref per_smx) => {
            per_smx[..].put(to);
            Op::Activity
        }
        Event::HasWork(class) => {
            class.put(to);
            Op::HasWork
        }
        Event::WaitingHead(start) => {
            start.put(to);
            Op::WaitingHead
        }
        Event::Run(n) => {
            n.put(to);
            Op::Run
        }
        Event::Account(_) | Event::Tick | Event::Advance(_) => return None,
    })
}

fn kernel(&Descriptor { pc, grid, tb, regs, smem, param, tag }: &Descriptor, to: &mut Bytes) {
    pc.put(to);
    for Dim3 { x, y, z } in [grid, tb] {
        [x, y, z].iter().for_each(|extent| extent.put(to));
    }
    [regs, smem, param].iter().for_each(|number| number.put(to));
    tag.put(to);
}

pub(super) fn header(graph: &GraphHeader, to: &mut Bytes) {
    gpusched_graph_header::from(graph).put(to);
}

pub(super) fn set(set: &SmxSet, to: &mut Bytes) {
    set.words().iter().for_each(|word| word.put(to));
}

/// Decisions, each sample with its record behind it, then the value.
fn records(answer: &Answer, to: &mut Bytes) {
    let mut samples = answer.samples.iter();
    for &(at, decision) in &answer.decisions {
        gpusched_decision::of(at, decision).put(to);
        if let Decision::Sample { .. } = decision
            && let Some((_, sample)) = samples.next()
        {
            gpusched_bubble_record::from(sample).put(to);
        }
    }
    match &answer.value {
        Err(_) | Ok(Value::Done) => {}
        Ok(Value::Number(number)) => number.put(to),
        Ok(Value::Records(records)) => records.iter().for_each(|record| record.0.put(to)),
        Ok(Value::Words(words)) => gpusched_words::from(*words).put(to),
        Ok(Value::Head(head)) => gpusched_waiting_head::from(*head).put(to),
        Ok(Value::Graph(answered)) => graph(answered, to),
    }
}

fn graph(answered: &Answered, to: &mut Bytes) {
    match *answered {
        Ok(GraphAnswer::Request(request)) => gpusched_graph_request::from(request).put(to),
        Ok(GraphAnswer::Report(report)) => gpusched_graph_report::from(report).put(to),
        Ok(_) => {}
        Err(error) => gpusched_graph_error::from(error).put(to),
    }
}
