//! The reconvergence stack and the scoreboard.

use anyhow::{Result, bail};
use gpusched::Fault;
use gpusched::simt::scoreboard::{Hazard, Issue, Issued, ScoreboardConfig, Stall};
use gpusched::simt::stack::{Branch, Entry, NO_PC, Running, StackConfig};
use serde_json::{Value, json};

use crate::replay::argument::{Argument, given};
use crate::replay::config;
use crate::replay::steps::Form;
use crate::simt::scoreboard::{self, Scoreboards};
use crate::simt::stack::{self, Stacks};

impl Form for Stacks {
    /// The depth follows from the lanes unless it is said.
    fn config(parameters: &Value) -> Result<Result<StackConfig, Fault>> {
        let lanes = parameters["lanes"].as_u64().and_then(|lanes| u32::try_from(lanes).ok());
        config(parameters, lanes.map_or(StackConfig::WARP_32, StackConfig::of_lanes))
    }

    fn event(_: &Value, name: &str, fields: &Value) -> Result<stack::Event> {
        let mut step = fields.clone();
        step["branch"] = fields.clone();
        stack::Event::read(if name == "init" { "start" } else { name }, &step)
    }

    fn answer(&Running { pc, mask, depth, pops, done }: &Running) -> Result<Value> {
        Ok(json!({"pc": pc, "mask": mask, "depth": depth, "pops": pops, "done": done}))
    }

    fn state(view: &stack::View, key: &str) -> Result<Value> {
        let entry = |of: &Entry| json!([of.reconv.unwrap_or(NO_PC), of.mask, of.next]);
        match key {
            "stack" => Ok(view.stack.iter().map(entry).collect()),
            _ => bail!("state `{key}` is not part of this machine"),
        }
    }
}

impl Form for Scoreboards {
    fn config(parameters: &Value) -> Result<Result<ScoreboardConfig, Fault>> {
        config(parameters, ScoreboardConfig::GTX480)
    }

    fn event(_: &Value, name: &str, fields: &Value) -> Result<scoreboard::Event> {
        let mut step = fields.clone();
        if fields["mem"].is_u64() {
            step["mem"] = (fields["mem"] == 1).into();
        }
        scoreboard::Event::read(name, &step)
    }

    fn answer(answer: &scoreboard::Answer) -> Result<Value> {
        Ok(answer_of(*answer))
    }

    fn state(view: &scoreboard::View, key: &str) -> Result<Value> {
        Ok(match key {
            "pending" => view.pending.iter().map(|warp| warp.keys().copied().collect::<Value>()).collect(),
            "mem_in_flight" => json!(view.mem_in_flight),
            _ => bail!("state `{key}` is not part of this machine"),
        })
    }
}

impl Argument for Branch {
    fn read(step: &Value) -> Result<Self> {
        Ok(Self {
            taken: given(step, "taken")?,
            taken_pc: given(step, "taken_pc")?,
            fall_pc: given(step, "fall_pc")?,
            reconv: given::<Option<u32>>(step, "reconv")?.filter(|&pc| pc != NO_PC),
        })
    }
}

fn answer_of(answer: scoreboard::Answer) -> Value {
    let issued = |Issued { pending, mem_in_flight }| (pending, mem_in_flight);
    match answer {
        scoreboard::Answer::Issue(Issue::Issued(of)) => {
            let (pending, mem_in_flight) = issued(of);
            json!({"issued": true, "pending": pending, "mem_in_flight": mem_in_flight})
        }
        scoreboard::Answer::Issue(Issue::Stall(Stall { hazard, reg })) => match (hazard, reg.map(|reg| reg.0)) {
            (Hazard::Raw, reg) => json!({"stall": "RAW", "reg": reg}),
            (Hazard::Waw, reg) => json!({"stall": "WAW", "reg": reg}),
            (Hazard::Full, _) => json!({"stall": "Full"}),
        },
        scoreboard::Answer::Issued(of) => {
            let (pending, mem_in_flight) = issued(of);
            json!({"pending": pending, "mem_in_flight": mem_in_flight})
        }
        scoreboard::Answer::Flush(dropped) => json!({"dropped": dropped}),
    }
}
