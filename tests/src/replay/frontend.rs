//! Vectors of `dtbl`, `frontend`, `policy` and `modern`: one machine, one form (frontend-E1: without gates the front end is the
//! `dtbl` machine; modern-E1: without the parts of that sheet it is the front end).

use anyhow::{Context, Result, bail};
use gpusched::{Config, Fault, ToldPart, Words};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub use super::in_rust;
use super::{Difference, Face, Outcome, expect};
use crate::events::{self, Answer, Event};
use crate::machine::Gpu;
use crate::model::Model;
use crate::through_c::{ThroughC, fault};
pub use words::unread;

mod answer;
mod event;
mod grids;
mod modern;
mod state;
mod words;

/// How a step `run {n}` is carried out; the answers must be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// One call for all n cycles.
    Skip,
    /// n ticks.
    Step,
}

/// Replays one vector on a machine that is reached as `face` says.
///
/// # Errors
/// A vector that does not have the form of its README, or needs a part that this machine does not have.
pub fn replay(vector: &Value, face: Face, pace: Pace) -> Result<Outcome> {
    match face {
        Face::Rust => replay_on(vector, pace, |config| in_rust(gpusched_heap::front_end(config))),
        Face::C => replay_on(vector, pace, |config| Ok(ThroughC::new(config, 0).map_err(fault))),
        Face::Model => replay_on(vector, pace, |config| Ok(Model::build(config))),
    }
}

/// Replays one vector on machines that `build` makes of its configuration.
///
/// # Errors
/// As [`replay`], and those of `build`.
pub fn replay_on<M: Gpu>(
    vector: &Value,
    pace: Pace,
    build: impl Fn(&Config) -> Result<Result<M, Fault>>,
) -> Result<Outcome> {
    let read = config(&vector["config"])?;
    let built = match &read {
        Ok((config, contexts)) => build(config)?.and_then(|machine| with_contexts(machine, contexts)),
        Err(fault) => Err(*fault),
    };
    let Some(steps) = vector.get("steps") else {
        let expected = vector.get("ret").context("neither `steps` nor `ret`")?;
        let got = json!(built.map_or_else(Fault::name, |_| "ok"));
        let difference = || Difference { step: None, expected: expected.to_string(), got: got.to_string() };
        return Ok(if *expected == got { Outcome::Passed } else { Outcome::Differs(difference()) });
    };
    let steps = steps.as_array().context("`steps` is not a list")?;
    let (mut machine, config) = match (built, read) {
        (Ok(machine), Ok((config, _))) => (machine, config),
        (Err(fault), _) | (_, Err(fault)) => {
            let got = format!("{fault:?} for {}", vector["config"]);
            return Ok(Outcome::Differs(Difference { step: None, expected: "a machine".into(), got }));
        }
    };
    for (i, step) in steps.iter().enumerate() {
        if let Some(difference) =
            replay_step(&mut machine, &config, pace, i, step).with_context(|| format!("step {i}"))?
        {
            return Ok(Outcome::Differs(difference));
        }
    }
    Ok(Outcome::Passed)
}

/// A machine whose contexts were given what they have, in order; the first that is refused refuses the machine
/// (modern-P1).
fn with_contexts<M: Gpu>(mut machine: M, contexts: &[Event]) -> Result<M, Fault> {
    for event in contexts {
        if let Some(fault) = machine.take(event).refusal() {
            return Err(fault);
        }
    }
    Ok(machine)
}

/// The configuration, and what its contexts are to have; or the fault of a value that its parameter cannot hold. A part that is
/// null is off. LaPerm's parameters stand beside the policy in a vector, in the configuration they are its own: one without the
/// other has no form there, and is the bad configuration that the sheet says.
fn config(parameters: &Value) -> Result<Result<(Config, Vec<Event>), Fault>> {
    let mut parameters = parameters.as_object().context("`config` is not an object")?.clone();
    parameters.retain(|_, value| !value.is_null());
    let part = parameters.remove("laperm");
    let is_laperm = parameters.get("policy").is_some_and(|name| name == "laperm");
    if part.is_some() != is_laperm {
        return Ok(Err(Fault::BadConfig));
    }
    if let Some(part) = part {
        parameters.insert("policy".into(), json!({ "laperm": part }));
    }
    // Those of a host that decides stand beside the policy, too; under another one they have their defaults.
    let defaults = serde_json::to_value(ToldPart::CHAIN)?;
    let defaults = defaults.as_object().context("a part is an object")?;
    let told: Map<_, _> = defaults.keys().filter_map(|name| parameters.remove_entry(name)).collect();
    if parameters.get("policy").is_some_and(|name| name == "told") {
        parameters.insert("policy".into(), json!({ "told": told }));
    } else if told.iter().any(|(name, value)| defaults.get(name) != Some(value)) {
        return Ok(Err(Fault::BadConfig));
    }
    let known = serde_json::to_value(Config::K20C)?;
    if let Some(unknown) = parameters.keys().find(|name| known.get(name).is_none()) {
        bail!("no parameter `{unknown}`");
    }
    let contexts = match modern::configure(&mut parameters)? {
        Ok(contexts) => contexts,
        Err(fault) => return Ok(Err(fault)),
    };
    let config = Config::deserialize(Value::Object(parameters)).map_err(|_| Fault::BadConfig);
    Ok(config.map(|config| (config, contexts)))
}

/// Whether a vector needs LaPerm, the occupancy-bubble controller or the dependency-graph buffer.
#[must_use]
pub fn has_parts(vector: &Value) -> bool {
    ["laperm", "bubble", "dats"].into_iter().any(|part| !vector["config"][part].is_null())
}

fn replay_step<M: Gpu>(
    machine: &mut M,
    config: &Config,
    pace: Pace,
    i: usize,
    step: &Value,
) -> Result<Option<Difference>> {
    let before = machine.mark();
    let answer = match step["op"].as_str().context("a step without `op`")? {
        "state" => Answer { value: Ok(events::Value::Done), decisions: Vec::new(), samples: Vec::new() },
        op => take(machine, &event::event(config, op, step)?, pace),
    };
    if let Some(fault) = answer.refusal()
        && machine.mark() != before
    {
        let expected = format!("unchanged state after {fault:?}");
        return Ok(Some(Difference { step: Some(i), expected, got: "another state".into() }));
    }
    let ret = answer::ret(&answer);
    let out = answer::out(&answer)?;
    let mut differences = vec![expect(i, step.get("ret"), &ret, "ret"), expect(i, step.get("out"), &out, "out")];
    if let Ok(events::Value::Words(words)) = &answer.value {
        let (sched, kmu) = answer::words(words);
        differences.push(expect(i, without_zeros(step.get("sched")).as_ref(), &sched, "sched"));
        differences.push(expect(i, without_zeros(step.get("kmu")).as_ref(), &kmu, "kmu"));
    }
    if let Some(state) = step.get("state") {
        let view = machine.view();
        for (key, expected) in state.as_object().context("`state` is not an object")? {
            differences.push(expect(i, Some(expected), &state::get(&view, key, expected)?, key));
        }
    }
    Ok(differences.into_iter().flatten().next())
}

fn without_zeros(expected: Option<&Value>) -> Option<Value> {
    let mut words = expected?.clone();
    if let Some(words) = words.as_object_mut() {
        words.retain(|_, n| *n != 0);
    }
    Some(words)
}

/// Makes a call at a pace. Ticks that end with a refused one are a refused run.
fn take<M: Gpu>(machine: &mut M, event: &Event, pace: Pace) -> Answer {
    let (Event::Run(n), Pace::Step) = (event, pace) else { return machine.take(event) };
    let (mut words, mut decisions, mut samples) = (Words::default(), Vec::new(), Vec::new());
    for _ in 0..*n {
        let tick = machine.take(&Event::Tick);
        decisions.extend(tick.decisions);
        samples.extend(tick.samples);
        match tick.value {
            Ok(events::Value::Words(word)) => words += word,
            other => return Answer { value: other, decisions, samples },
        }
    }
    Answer { value: Ok(events::Value::Words(words)), decisions, samples }
}
