//! The reconvergence stack and the scoreboard.

use anyhow::{Result, bail};
use gpusched::Fault;
use gpusched::simt::scoreboard::{Hazard, Issue, Issued, ScoreboardConfig, Stall};
use gpusched::simt::stack::{Branch, Entry, NO_PC, Running, StackConfig};
use serde_json::{Map, Value, json};

use super::{Answered, config, parameters, refused_config, steps};
use crate::replay::argument::{Argument, given};
use crate::replay::{Face, Outcome, in_rust};
use crate::simt::{scoreboard, stack};
use crate::through_c;

pub fn replay(vector: &Value, face: Face) -> Result<Outcome> {
    match (super::unit(vector)?, face) {
        ("simt", Face::Rust) => stack_on(vector, |config| in_rust(stack::machine(config))),
        ("simt", Face::C) => {
            stack_on(vector, |config| Ok(through_c::stack::ThroughC::new(config).map_err(through_c::fault)))
        }
        (_, Face::Rust) => scoreboard_on(vector, |config| in_rust(scoreboard::machine(config))),
        (_, Face::C) => {
            scoreboard_on(vector, |config| Ok(through_c::scoreboard::ThroughC::new(config).map_err(through_c::fault)))
        }
    }
}

/// The depth follows from the lanes unless it is said.
fn stack_config(given: &Map<String, Value>) -> Result<Result<StackConfig, Fault>> {
    let lanes = given.get("lanes").and_then(Value::as_u64).and_then(|lanes| u32::try_from(lanes).ok());
    config(&lanes.map_or(StackConfig::WARP_32, StackConfig::of_lanes), given)
}

/// Replays one vector of a stack on the machine that `build` makes of its configuration.
///
/// # Errors
/// A vector that does not have the form of its README; those of `build`.
pub fn stack_on<M: stack::Machine>(
    vector: &Value,
    build: impl FnOnce(&StackConfig) -> Result<Result<M, Fault>>,
) -> Result<Outcome> {
    let built = match stack_config(&parameters(vector)?)? {
        Ok(config) => build(&config)?,
        Err(fault) => Err(fault),
    };
    if let Some(outcome) = refused_config(vector, built.as_ref().err().copied()) {
        return Ok(outcome);
    }
    let Ok(mut machine) = built else { bail!("a machine was refused") };
    steps(vector, |ev, fields| {
        let before = machine.mark();
        let answer = machine.take(&stack_event(ev, fields)?);
        let unchanged = answer.is_ok() || machine.mark() == before;
        let entry = |of: &Entry| json!([of.reconv.unwrap_or(NO_PC), of.mask, of.next]);
        let view = machine.view();
        Ok(Answered {
            answer: answer.map(running).map_err(Into::into),
            state: json!({"stack": view.stack.iter().map(entry).collect::<Vec<_>>()}),
            unchanged,
        })
    })
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

fn stack_event(ev: &str, fields: &Value) -> Result<stack::Event> {
    let mut step = fields.clone();
    step["branch"] = fields.clone();
    stack::Event::read(if ev == "init" { "start" } else { ev }, &step)
}

fn running(Running { pc, mask, depth, pops, done }: Running) -> Value {
    json!({"pc": pc, "mask": mask, "depth": depth, "pops": pops, "done": done})
}

/// Replays one vector of a scoreboard on the machine that `build` makes of its configuration.
///
/// # Errors
/// A vector that does not have the form of its README; those of `build`.
pub fn scoreboard_on<M: scoreboard::Machine>(
    vector: &Value,
    build: impl FnOnce(&ScoreboardConfig) -> Result<Result<M, Fault>>,
) -> Result<Outcome> {
    let built = match config(&ScoreboardConfig::GTX480, &parameters(vector)?)? {
        Ok(config) => build(&config)?,
        Err(fault) => Err(fault),
    };
    if let Some(outcome) = refused_config(vector, built.as_ref().err().copied()) {
        return Ok(outcome);
    }
    let Ok(mut machine) = built else { bail!("a machine was refused") };
    steps(vector, |ev, fields| {
        let before = machine.mark();
        let answer = machine.take(&scoreboard_event(ev, fields)?);
        // A stall changes nothing, either.
        let stalls = matches!(answer, Err(_) | Ok(scoreboard::Answer::Issue(Issue::Stall(_))));
        let unchanged = !stalls || machine.mark() == before;
        let view = machine.view();
        let pending: Vec<Vec<_>> = view.pending.iter().map(|warp| warp.keys().copied().collect()).collect();
        let state = json!({"pending": pending, "mem_in_flight": view.mem_in_flight});
        Ok(Answered { answer: answer.map(answer_of).map_err(Into::into), state, unchanged })
    })
}

fn scoreboard_event(ev: &str, fields: &Value) -> Result<scoreboard::Event> {
    let mut step = fields.clone();
    if fields["mem"].is_u64() {
        step["mem"] = (fields["mem"] == 1).into();
    }
    scoreboard::Event::read(ev, &step)
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
