//! Vectors of `models`. Their form is described in the README beside them.

mod closed;
pub(crate) mod monte;
mod simt;

use anyhow::{Context, Result, bail};
use gpusched::Fault;
use gpusched::simt::coalesce::CoalescerConfig;
use serde_json::{Map, Value};

use super::{Difference, Face, Outcome, config, steps};
use crate::models::{self, Models, Refused};
use crate::simt::scoreboard::Scoreboards;
use crate::simt::stack::Stacks;
use crate::through_c;

/// Replays one vector on a unit that is reached as `face` says.
///
/// # Errors
/// A vector that does not have the form of its README.
pub fn replay(vector: &Value, face: Face) -> Result<Outcome> {
    match (unit(vector)?, face) {
        ("simt", _) => steps::replay::<Stacks>(vector, face),
        ("scoreboard", _) => steps::replay::<Scoreboards>(vector, face),
        ("monte", _) => monte::replay(vector, face),
        (unit, Face::Rust) => functions_on(vector, unit, &models::Core, crate::simt::coalesce::core),
        // There is one of the coalescer only.
        (unit, Face::Model) => functions_on(vector, unit, &models::Core, crate::simt::coalesce::model),
        (unit, Face::C) => functions_on(vector, unit, &through_c::models::ThroughC, crate::simt::coalesce::through_c),
    }
}

/// The unit that a vector drives.
///
/// # Errors
/// It names none that there is.
pub(crate) fn unit(vector: &Value) -> Result<&str> {
    const UNITS: &[&str] = &["exec", "theory", "wfg", "coalesce", "simt", "scoreboard", "monte"];
    let unit = vector["config"]["unit"].as_str().context("`unit` is not a text")?;
    UNITS.contains(&unit).then_some(unit).with_context(|| format!("no unit `{unit}`"))
}

/// Replays one vector of functions without state.
///
/// # Errors
/// As [`replay`].
pub(crate) fn functions_on(
    vector: &Value,
    unit: &str,
    models: &impl Models,
    coalesce: closed::Coalesce,
) -> Result<Outcome> {
    let config = parameters(vector)?;
    answers(vector, |ev, fields| {
        Ok(match (unit, ev) {
            ("exec", "eval") => closed::exec(models, &config, fields)?,
            ("wfg", "eval") => closed::wfg(models, &config, fields)?,
            ("theory", _) => closed::theory(models, ev, fields)?,
            ("coalesce", "access") => closed::access(coalesce, &config, fields)?,
            _ => bail!("event `{ev}` is not part of this unit"),
        })
    })
}

/// The configuration of a coalescer's vector.
///
/// # Errors
/// As [`replay`].
pub(crate) fn coalescer_config(vector: &Value) -> Result<Result<CoalescerConfig, Fault>> {
    config(&Value::Object(parameters(vector)?), CoalescerConfig::WARP_32)
}

/// What a unit answers to an event, and what can be seen then.
pub(super) struct Answered {
    /// The answer, or why the event was refused.
    answer: Result<Value, Refused>,
    /// The state that the vector may ask for.
    state: Value,
    /// Whether a refused event left the state as it was.
    unchanged: bool,
}

impl From<Result<Value, Refused>> for Answered {
    fn from(answer: Result<Value, Refused>) -> Self {
        Self { answer, state: Value::Null, unchanged: true }
    }
}

/// Goes through the steps of a vector.
fn answers(vector: &Value, mut take: impl FnMut(&str, &Value) -> Result<Answered>) -> Result<Outcome> {
    let tol = match vector["config"].get("rel_tol") {
        Some(tol) => tol.as_f64().context("`rel_tol` is not a number")?,
        None => 1e-9,
    };
    let steps = vector["steps"].as_array().context("`steps` is not a list")?;
    for (i, step) in steps.iter().enumerate() {
        let ev = step["ev"].as_str().with_context(|| format!("step {i}: a step without `ev`"))?;
        let expected = step.get("expect").with_context(|| format!("step {i}: a step without `expect`"))?;
        let Answered { answer, state, unchanged } = take(ev, &step["in"]).with_context(|| format!("step {i}"))?;
        let differs = |expected: String, got: String| Ok(Outcome::Differs(Difference { step: Some(i), expected, got }));
        if let Err(refused) = &answer
            && !unchanged
        {
            return differs(format!("unchanged state after {:?}", refused.fault), "another state".into());
        }
        let got = match answer {
            Ok(value) => value,
            Err(refused) => refusal(&refused),
        };
        if !alike(expected, &got, tol) {
            return differs(format!("{ev} {expected}"), got.to_string());
        }
        for (key, expected) in step.get("state").and_then(Value::as_object).into_iter().flatten() {
            let got = state.get(key).with_context(|| format!("step {i}: state `{key}` is not part of this unit"))?;
            if expected != got {
                return differs(format!("{key} {expected}"), got.to_string());
            }
        }
    }
    Ok(Outcome::Passed)
}

/// A refusal as vectors write it.
fn refusal(Refused { fault, field }: &Refused) -> Value {
    let mut refusal = Map::from_iter([("err".to_owned(), Value::from(fault.name()))]);
    refusal.extend(field.as_ref().map(|field| ("field".to_owned(), Value::from(field.as_str()))));
    Value::Object(refusal)
}

/// The README's comparison of whole answers.
fn alike(expected: &Value, got: &Value, tol: f64) -> bool {
    let (Value::Object(of), Value::Object(other)) = (expected, got) else { return number_alike(expected, got, tol) };
    // The benefits are differences of terms as large as the times.
    let times = ["t_comp", "t_mem"].map(|time| of.get(time).and_then(Value::as_f64).unwrap_or(1.0));
    let large = times.into_iter().fold(1.0, f64::max);
    let tol_of = |key: &str| if matches!(key, "b_itilp" | "b_fp" | "b_memlp") { tol * large } else { tol };
    of.len() == other.len()
        && of.iter().all(|(key, value)| other.get(key).is_some_and(|got| alike(value, got, tol_of(key))))
}

/// Floats are compared with the tolerance, all else exactly. A vector may write a float without a point.
fn number_alike(expected: &Value, got: &Value, tol: f64) -> bool {
    match (expected.as_f64(), got.as_f64()) {
        (Some(a), Some(b)) if got.is_f64() || expected.is_f64() => models::close(a, b, tol),
        _ => expected == got,
    }
}

/// The parameters of a vector, without what is about the vector itself.
fn parameters(vector: &Value) -> Result<Map<String, Value>> {
    let config = vector["config"].as_object().context("`config` is not an object")?;
    let about = |key: &str| matches!(key, "unit" | "rel_tol");
    Ok(config.iter().filter(|(key, _)| !about(key)).map(|(key, value)| (key.clone(), value.clone())).collect())
}

/// A number of 64 bits.
fn integer(fields: &Value, name: &str) -> Result<u64> {
    fields[name].as_u64().with_context(|| format!("`{name}` is not a number: {}", fields[name]))
}

/// A number of 32 bits: one that is too large is beyond every range, too.
fn small(fields: &Value, name: &str) -> Result<u32> {
    Ok(u32::try_from(integer(fields, name)?).unwrap_or(u32::MAX))
}
