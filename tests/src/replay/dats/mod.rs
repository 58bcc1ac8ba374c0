//! Vectors of `dats`. Their form is described in the README beside them.

mod answer;
mod step;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::{Difference, Face, Outcome};
use crate::dats::{Event, Machine, OfC, OfCore, OfModel, Parts};
use crate::replay::argument::given;
use gpusched::dats::{DgbConfig, GraphError};

pub(crate) use answer::{answered, state};

/// Replays one vector on parts that are reached as `face` says.
///
/// # Errors
/// A vector that does not have the form of its README.
pub fn replay(vector: &Value, face: Face) -> Result<Outcome> {
    match face {
        Face::Rust => replay_on::<OfCore>(vector),
        Face::C => replay_on::<OfC>(vector),
        Face::Model => replay_on::<OfModel>(vector),
    }
}

/// Replays one vector on parts of one hand.
///
/// # Errors
/// A vector that does not have the form of its README.
pub fn replay_on<P: Parts>(vector: &Value) -> Result<Outcome> {
    known_keys(vector, "name about unit config steps")?;
    let unit = vector["unit"].as_str().context("`unit` is not a text")?;
    ensure!(["dats", "deplinks", "admit"].contains(&unit), "no unit `{unit}`");
    let config = step::config(&DgbConfig::default(), &vector["config"])?;
    let mut machine = match P::machine(&config) {
        Ok(machine) => machine,
        Err(field) => {
            let got = format!("BadConfig of `{field}` for {}", vector["config"]);
            return Ok(Outcome::Differs(Difference { step: None, expected: "a machine".into(), got }));
        }
    };
    let steps = vector["steps"].as_array().context("`steps` is not a list")?;
    for (i, step) in steps.iter().enumerate() {
        let of_step = || format!("step {i}");
        let expected = step.get("expect").context("a step without `expect`").with_context(of_step)?;
        let answer = answer::<P>(&config, &mut machine, step).with_context(of_step)?;
        let difference = match answer {
            Ok(got) => first_difference(expected, &got).with_context(of_step)?,
            Err(changed) => Some((expected.to_string(), changed)),
        };
        if let Some((expected, got)) = difference {
            return Ok(Outcome::Differs(Difference { step: Some(i), expected, got }));
        }
    }
    Ok(Outcome::Passed)
}

/// The answer to a step, or how the machine has changed though it refused.
fn answer<P: Parts>(config: &DgbConfig, machine: &mut P::Machine, step: &Value) -> Result<Result<Value, String>> {
    let ev = step["ev"].as_str().context("a step without `ev`")?;
    let fields = match ev {
        "build" => "grid deps stencil policies edge_cap",
        "admit" => "nodes edges config",
        "new" | "storage_bits" => "config",
        "launch" => "v e policy kdei node_base edge_base",
        "nodes" => "tag entries",
        "edges" => "tag targets",
        "spilled" => "tag",
        "select" => "fits",
        "complete" => "node",
        _ => "",
    };
    known_keys(step, &format!("ev note expect {fields}"))?;
    let of_step = || match step.get("config") {
        Some(overrides) => step::config(config, overrides),
        None => Ok(*config),
    };
    let answer = match ev {
        "build" => answer::built(step::build::<P>(step)?),
        "admit" => {
            let (nodes, edges) = (given::<Vec<_>>(step, "nodes")?, given::<Vec<_>>(step, "edges")?);
            json!({"ok": answer::admission(P::admit(&of_step()?, &nodes, &edges))})
        }
        "new" => match P::machine(&of_step()?) {
            Ok(_) => json!({"ok": {}}),
            Err(field) => json!({"err": "BadConfig", "field": field}),
        },
        "storage_bits" => json!({"ok": {"bits": P::storage_bits(&of_step()?)}}),
        "state" => json!({"ok": answer::state(&machine.view())}),
        _ => {
            let event = Event::read(ev, step)?;
            let before = machine.mark();
            let answered = machine.take(&event);
            let sound = matches!(answered, Ok(_) | Err(GraphError::GraphFault { .. })) || machine.mark() == before;
            if !sound {
                return Ok(Err(format!("another state after {}", answer::answered(&answered))));
            }
            let mut answer = answer::answered(&answered);
            if let Some(report) = answer.get_mut("ok").filter(|_| ev == "complete").and_then(Value::as_object_mut) {
                report.entry("pending").or_insert(Value::Null);
            }
            answer
        }
    };
    Ok(Ok(answer))
}

/// The first key of an expectation that the answer does not meet, with both values.
fn first_difference(expected: &Value, got: &Value) -> Result<Option<(String, String)>> {
    let whole = || Ok(Some((expected.to_string(), got.to_string())));
    if let Some(expected) = expected.get("ok") {
        return got.get("ok").map_or_else(whole, |got| differing_key(expected, got, ""));
    }
    ensure!(expected.get("err").is_some(), "`expect` has neither `ok` nor `err`: {expected}");
    let fields = expected.as_object().context("`expect` is not an object")?;
    if fields.iter().all(|(key, value)| got.get(key) == Some(value)) { Ok(None) } else { whole() }
}

/// Compares objects on the keys given.
fn differing_key(expected: &Value, got: &Value, path: &str) -> Result<Option<(String, String)>> {
    for (key, expected) in expected.as_object().context("`ok` is not an object")? {
        let path = format!("{path}{key}");
        let got = got.get(key).with_context(|| format!("`{path}` is not part of the answer {got}"))?;
        if expected.is_object() && got.is_object() {
            let inner = differing_key(expected, got, &format!("{path}."))?;
            if inner.is_some() {
                return Ok(inner);
            }
        } else if *expected != *got && !(key == "pub" && same_set(expected, got)) {
            return Ok(Some((format!("{path} {expected}"), got.to_string())));
        }
    }
    Ok(None)
}

/// The order of the PUB's entries has no meaning.
fn same_set(expected: &Value, got: &Value) -> bool {
    let sorted = |list: &Value| {
        let mut numbers = list.as_array()?.iter().map(Value::as_u64).collect::<Option<Vec<_>>>()?;
        numbers.sort_unstable();
        Some(numbers)
    };
    sorted(expected).is_some_and(|expected| Some(expected) == sorted(got))
}

fn known_keys(object: &Value, known: &str) -> Result<()> {
    let keys = object.as_object().with_context(|| format!("not an object: {object}"))?.keys();
    let unknown = keys.into_iter().find(|key| !known.split(' ').any(|k| k == *key));
    unknown.map_or(Ok(()), |key| bail!("no field `{key}`; there are: {known}"))
}
