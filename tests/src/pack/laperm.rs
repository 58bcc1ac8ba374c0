//! Vectors of LaPerm alone.

use anyhow::Result;
use gpusched::Fault;
use gpusched::laperm::{Config, LaPerm, Resources};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::laperm::query::gpusched_laperm_head;
use gpusched_abi::laperm::verbs::{gpusched_laperm_moved, gpusched_laperm_placed, gpusched_laperm_sent};
use gpusched_abi::smx::gpusched_resources;
use gpusched_packed::{Op, Record, Sink};

use super::tape::{self, Bytes};
use crate::laperm::event::{Call, Event, Value};
use crate::laperm::heap::{self, HeapTables};
use crate::laperm::machine::Machine;
use crate::laperm::view::View;
use crate::replay::in_rust;
use crate::through_c::laperm::c_config;

/// A machine that writes down what it is asked and answers.
pub struct Recorded(LaPerm<HeapTables>);

/// The machine of a vector.
pub fn build(config: &Config) -> Result<Result<Recorded, Fault>> {
    let built = in_rust(heap::machine(config))?;
    tape::start(config, &c_config(config), built.as_ref().map(state).map_err(|fault| *fault));
    Ok(built.map(Recorded))
}

fn state(machine: &LaPerm<HeapTables>) -> u32 {
    let mut image = vec![0; machine.image_len()];
    machine.save(&mut image).expect("the image has its length");
    tape::state(&image)
}

impl Machine for Recorded {
    type Mark = LaPerm<HeapTables>;

    fn take(&mut self, event: &Event) -> Result<Value, Fault> {
        let answer = self.0.take(event);
        let mut arguments = Bytes::default();
        let op = write(event, &mut arguments);
        let (result, state) = (answer.map(drop), state(&self.0));
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

fn write(event: &Event, to: &mut Bytes) -> Op {
    event.now.0.put(to);
    let needs = |res: Resources, to: &mut Bytes| gpusched_resources::from(res).put(to);
    match event.call {
        Call::PushHost(tag, tbs, res) => {
            tag.put(to);
            tbs.put(to);
            needs(res, to);
            Op::LapPushHost
        }
        Call::PushChild(tag, tbs, res, smx, prio) => {
            tag.put(to);
            tbs.put(to);
            needs(res, to);
            u32::from(smx).put(to);
            u32::from(prio).put(to);
            Op::LapPushChild
        }
        Call::Tick => Op::LapTick,
        Call::TbDone(smx, res, kde) => {
            u32::from(smx).put(to);
            needs(res, to);
            kde.map_or(GPUSCHED_NONE, u32::from).put(to);
            Op::LapTbDone
        }
        Call::KmuTick => Op::LapKmuTick,
        Call::SetMask(smx, masked) => {
            u32::from(smx).put(to);
            u32::from(masked).put(to);
            Op::LapSetMask
        }
        Call::WaitingHead(start) => {
            u32::from(start).put(to);
            Op::LapWaitingHead
        }
    }
}

fn records(answer: &Result<Value, Fault>, to: &mut Bytes) {
    match *answer {
        Err(_) | Ok(Value::Done) => {}
        Ok(Value::Placed(placed)) => gpusched_laperm_placed::from(placed).put(to),
        Ok(Value::Tick(tick)) => gpusched_laperm_sent::from(tick).put(to),
        Ok(Value::Freed(freed)) => u32::from(freed).put(to),
        Ok(Value::Kmu(kmu)) => gpusched_laperm_moved::from(kmu).put(to),
        Ok(Value::Waiting(head)) => gpusched_laperm_head::from(head).put(to),
    }
}
