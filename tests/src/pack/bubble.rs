//! Vectors of the occupancy-bubble controller alone.

use anyhow::Result;
use gpusched::power::{BubbleConfig, BubbleDvfs};
use gpusched::{Fault, SmxSet};
use gpusched_abi::bubble::verbs::{gpusched_bubble_record, gpusched_bubble_resident};
use gpusched_abi::smx::gpusched_resources;
use gpusched_packed::{Op, Record, Sink};

use super::frontend::set;
use super::tape::{self, Bytes};
use crate::bubble::{Answer, Event, HeapTables, Machine, View, machine};
use crate::replay::in_rust;
use crate::through_c::bubble::c_config;

/// A machine that writes down what it is asked and answers.
pub struct Recorded(BubbleDvfs<HeapTables>);

/// The machine of a vector.
pub fn build(config: &BubbleConfig) -> Result<Result<Recorded, Fault>> {
    let built = in_rust(machine(config))?;
    tape::start(config, &c_config(config), built.as_ref().map(state).map_err(|fault| *fault));
    Ok(built.map(Recorded))
}

fn state(machine: &BubbleDvfs<HeapTables>) -> u32 {
    let mut image = vec![0; machine.image_len()];
    machine.save(&mut image).expect("the image has its length");
    tape::state(&image)
}

impl Machine for Recorded {
    type Mark = BubbleDvfs<HeapTables>;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        let answer = self.0.take(event);
        let mut arguments = Bytes::default();
        let op = write(event, &mut arguments);
        let result = answer.as_ref().map(drop).map_err(|fault| *fault);
        tape::event(op, |to| to.put(&arguments.0), result, |to| records(&answer, to), Some(state(&self.0)));
        answer
    }

    fn view(&self) -> View {
        self.0.view()
    }

    fn mark(&self) -> Self::Mark {
        self.0.mark()
    }
}

fn write(event: &Event, to: &mut Bytes) -> Op {
    let activities = |activity: &Option<Vec<u16>>, to: &mut Bytes| {
        u32::from(activity.is_some()).put(to);
        activity.as_deref().unwrap_or_default().put(to);
    };
    match event {
        Event::Dispatched { now, smx, res } | Event::Completed { now, smx, res } => {
            now.0.put(to);
            u32::from(*smx).put(to);
            gpusched_resources::from(*res).put(to);
            if matches!(event, Event::Dispatched { .. }) { Op::BubbleDispatched } else { Op::BubbleCompleted }
        }
        Event::Sample { now, waiting, activity } => {
            now.0.put(to);
            let allowed = waiting.and_then(|waiting| waiting.allowed);
            u32::from(waiting.is_some()).put(to);
            u32::from(allowed.is_some()).put(to);
            set(&allowed.unwrap_or(SmxSet::EMPTY), to);
            gpusched_resources::from(waiting.map_or_else(Default::default, |waiting| waiting.res)).put(to);
            activities(activity, to);
            Op::BubbleSample
        }
        Event::Account { now, activity } => {
            now.0.put(to);
            activities(activity, to);
            Op::BubbleAccount
        }
    }
}

fn records(answer: &Result<Answer, Fault>, to: &mut Bytes) {
    match answer {
        Err(_) | Ok(Answer::Done) => {}
        Ok(Answer::Resident(resident)) => gpusched_bubble_resident::from(*resident).put(to),
        Ok(Answer::Sample(sample)) => gpusched_bubble_record::from(&**sample).put(to),
    }
}
