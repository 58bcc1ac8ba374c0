//! Vectors of `mascar`. Their form is described in the README beside them.

use anyhow::{Context, Result, bail};
use gpusched::Fault;
use gpusched::mascar::{Entry, MascarConfig, Next, Offsets, Request};
use serde::Deserialize;
use serde_json::{Value, json};

use super::argument::Argument;
use super::{Difference, Face, Outcome, expect, in_rust};
use crate::mascar::{Answer, Event, LsuState, Machine, View, machine, warps};
use crate::through_c::fault;
use crate::through_c::mascar::ThroughC;

/// Replays one vector on a machine that is reached as `face` says.
///
/// # Errors
/// A vector that does not have the form of its README.
pub fn replay(vector: &Value, face: Face) -> Result<Outcome> {
    match face {
        Face::Rust => replay_on(vector, |config| in_rust(machine(config))),
        Face::C => replay_on(vector, |config| Ok(ThroughC::new(config).map_err(fault))),
    }
}

/// Replays one vector on the machine that `build` makes of its configuration.
///
/// # Errors
/// As [`replay`], and those of `build`.
pub fn replay_on<M: Machine>(
    vector: &Value,
    build: impl FnOnce(&MascarConfig) -> Result<Result<M, Fault>>,
) -> Result<Outcome> {
    let built = match config(&vector["config"])? {
        Ok(config) => build(&config)?,
        Err(fault) => Err(fault),
    };
    let steps = vector["steps"].as_array().context("`steps` is not a list")?;
    let refused = |expected: &str, got: String| {
        Ok(Outcome::Differs(Difference { step: None, expected: expected.to_owned(), got }))
    };
    let mut machine = match (built, vector.get("expect_config")) {
        (Err(fault), Some(expected)) if *expected == fault.name() => return Ok(Outcome::Passed),
        (Err(fault), expected) => {
            return refused(&expected.map_or("a machine".into(), Value::to_string), format!("{fault:?}"));
        }
        (Ok(_), Some(expected)) => return refused(&expected.to_string(), "a machine".into()),
        (Ok(machine), None) => machine,
    };
    for (i, step) in steps.iter().enumerate() {
        if let Some(difference) = replay_step(&mut machine, i, step).with_context(|| format!("step {i}"))? {
            return Ok(Outcome::Differs(difference));
        }
    }
    Ok(Outcome::Passed)
}

/// The configuration, or the fault of a value that its parameter cannot hold.
fn config(parameters: &Value) -> Result<Result<MascarConfig, Fault>> {
    let known = serde_json::to_value(MascarConfig::GTX480)?;
    let parameters = match parameters {
        Value::Null => &json!({}),
        parameters => parameters,
    };
    let parameters = parameters.as_object().context("`config` is not an object")?;
    if let Some(unknown) = parameters.keys().find(|name| known.get(name).is_none()) {
        bail!("no parameter `{unknown}`");
    }
    Ok(MascarConfig::deserialize(Value::Object(parameters.clone())).map_err(|_| Fault::BadConfig))
}

fn replay_step<M: Machine>(machine: &mut M, i: usize, step: &Value) -> Result<Option<Difference>> {
    let mut expected = step.get("expect").context("a step without `expect`")?.clone();
    if let Some(offs) = expected.get_mut("offs") {
        // Numbers are equal, whatever zeros lead them.
        *offs = hexadecimal(&offs.as_str().and_then(offsets).context("`offs` is no number")?).into();
    }
    let name = step["ev"].as_str().context("a step without `ev`")?;
    let before = machine.mark();
    let answer = match machine.take(&event(name, &step["in"])?) {
        Ok(answer) => record(&answer)?,
        Err(fault) if machine.mark() == before => json!({"err": fault.name()}),
        Err(fault) => {
            let expected = format!("unchanged state after {fault:?}");
            return Ok(Some(Difference { step: Some(i), expected, got: "another state".into() }));
        }
    };
    if let Some(difference) = expect(i, Some(&expected), &answer, name) {
        return Ok(Some(difference));
    }
    let Some(states) = step.get("state") else { return Ok(None) };
    let view = machine.view();
    for (key, expected) in states.as_object().context("`state` is not an object")? {
        if let Some(difference) = expect(i, Some(expected), &state(&view, key)?, key) {
            return Ok(Some(difference));
        }
    }
    Ok(None)
}

// ---- events

fn event(name: &str, fields: &Value) -> Result<Event> {
    let mut step = fields.clone();
    if name == "lsu_reply" {
        step["request"] = fields.clone();
    }
    Event::read(name, &step)
}

/// The request of a step; one that is refused if a field is missing or too large for its type.
impl Argument for Option<Request> {
    fn read(step: &Value) -> Result<Self> {
        let request = || {
            let offs = match &step["offs"] {
                Value::Null => Offsets::default(),
                text => offsets(text.as_str()?)?,
            };
            Some(Request { base: step["base"].as_u64()?, mask: step["mask"].as_u64()?, offs })
        };
        Ok(request())
    }
}

/// Hexadecimal digits of one word.
const DIGITS: usize = 16;

fn offsets(text: &str) -> Option<Offsets> {
    let mut offs = Offsets::default();
    let digits = text.trim_start_matches('0').as_bytes();
    for (word, digits) in (0..).zip(digits.rchunks(DIGITS)) {
        *offs.0.get_mut(word)? = u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(offs)
}

/// As many digits as the number needs.
fn hexadecimal(offs: &Offsets) -> String {
    let text: String = offs.0.iter().rev().map(|word| format!("{word:016x}")).collect();
    let text = text.trim_start_matches('0');
    if text.is_empty() { "0".into() } else { text.into() }
}

// ---- answers

fn record(answer: &Answer) -> Result<Value> {
    Ok(match answer {
        Answer::WarpStart(age) => json!({"age": age}),
        Answer::WarpExit(released) => json!({"owner_released": released}),
        Answer::Saturation(saturation) => serde_json::to_value(saturation)?,
        Answer::Pick(pick) => serde_json::to_value(pick)?,
        Answer::Next(Next::Idle) => json!({"src": "idle"}),
        Answer::Next(Next::New { warp, index }) => json!({"src": "new", "warp": warp, "index": index}),
        Answer::Next(Next::Blocked(entry)) => entry_record("blocked", entry),
        Answer::Next(Next::Rexq(entry)) => entry_record("rexq", entry),
        Answer::Reply(reply) => serde_json::to_value(reply)?,
        Answer::Done => json!({}),
    })
}

fn entry_record(src: &str, entry: &Entry) -> Value {
    let Entry { warp, dst, request: Request { base, mask, offs } } = entry;
    json!({"src": src, "warp": warp, "dst": dst, "base": base, "mask": mask, "offs": hexadecimal(offs)})
}

/// One state key.
fn state(view: &View, key: &str) -> Result<Value> {
    let list = |mask| json!(warps(mask).collect::<Vec<_>>());
    Ok(match key {
        "mode" => serde_json::to_value(view.mode)?,
        "flags" => json!(view.flags),
        "owner" => json!(view.owner),
        "barred" => json!(view.barred),
        "resident" => list(view.resident),
        "wst_mem" => list(view.wst_mem),
        "wst_stall" => list(view.wst_stall),
        "leftover" => list(view.leftover),
        "last" => json!(view.last),
        "lsu" => {
            let state = match view.lsu.state {
                LsuState::Idle => "idle",
                LsuState::Await => "await",
                LsuState::Busy => "busy",
                LsuState::Blocked => "blocked",
            };
            json!([state, view.lsu.warp, view.lsu.left])
        }
        "presented" => json!(view.presented.map(|presented| format!("{presented:?}").to_lowercase())),
        "rexq" => view.rexq.iter().map(|e| json!([e.warp, e.dst, e.request.base])).collect(),
        _ => bail!("state `{key}` is not part of this machine"),
    })
}
