//! The stochastic memory hierarchy.

use anyhow::{Context, Result, bail};
use gpusched::Fault;
use gpusched::models::monte::{Extreme, MonteConfig};
use serde_json::{Map, Value, json};

use super::{Answered, answers, integer, parameters, small};
use crate::machine::{Family, Of};
use crate::models::monte::{Draws, Event, Level, Montes};
use crate::replay::steps::as_expected;
use crate::replay::{Face, Outcome, config};
use crate::through_c;

pub fn replay(vector: &Value, face: Face) -> Result<Outcome> {
    match face {
        Face::Rust => replay_on(vector, |config| Ok(Montes::core(config))),
        Face::C => replay_on(vector, |config| Ok(through_c::monte::ThroughC::new(config).map_err(through_c::fault))),
        Face::Model => replay_on(vector, |config| Ok(Montes::model(config))),
    }
}

/// Replays one vector on the machine that `build` makes of its configuration.
///
/// # Errors
/// A vector that does not have the form of its README; those of `build`.
pub fn replay_on<M: Of<Montes> + Draws>(
    vector: &Value,
    build: impl FnOnce(&MonteConfig) -> Result<Result<M, Fault>>,
) -> Result<Outcome> {
    let built = match config(&Value::Object(flat(&parameters(vector)?)?), MonteConfig::GTX480)? {
        Ok(config) => build(&config)?,
        Err(fault) => Err(fault),
    };
    let mut machine = match as_expected(vector, built) {
        Ok(machine) => machine,
        Err(outcome) => return Ok(outcome),
    };
    answers(vector, |ev, fields| match ev {
        "rng" => {
            let count = usize::try_from(integer(fields, "n")?)?;
            let below = fields.get("below").and_then(Value::as_u64);
            let numbers = machine.rng(integer(fields, "seed")?, small(fields, "run")?, count, below);
            Ok(Ok(json!({"v": numbers})).into())
        }
        "simulate" => {
            let before = machine.mark();
            let answer = machine.take(&Event::read(ev, fields)?);
            let unchanged = answer.is_ok() || machine.mark() == before;
            Ok(Answered {
                answer: answer.map(|()| distributions(&machine)).map_err(Into::into),
                state: Value::Null,
                unchanged,
            })
        }
        _ => bail!("event `{ev}` is not part of this unit"),
    })
}

/// Caches are lists of sets, ways and line.
fn flat(given: &Map<String, Value>) -> Result<Map<String, Value>> {
    let mut flat = Map::new();
    for (name, value) in given {
        if let "l1" | "l2" = name.as_str() {
            let parts = value.as_array().filter(|parts| parts.len() == 3);
            let parts = parts.with_context(|| format!("`{name}` is not a list of three"))?;
            let names = ["sets", "ways", "line"].map(|part| format!("{name}_{part}"));
            flat.extend(names.into_iter().zip(parts.iter().cloned()));
        } else {
            flat.insert(name.clone(), value.clone());
        }
    }
    Ok(flat)
}

fn distributions(machine: &impl Of<Montes>) -> Value {
    let view = machine.view();
    let extreme = |of: Option<Extreme>| of.map(|Extreme { hits, loads }| [hits, loads]);
    let level = |of: &Level| {
        json!({
            "loads": of.loads,
            "hits": of.hits,
            "hist": of.hist,
            "empty": of.empty,
            "min": extreme(of.min),
            "max": extreme(of.max),
            "mode": of.mode,
            "reliable": of.reliable,
        })
    };
    let sites = view.sites.iter().enumerate().filter(|(_, of)| of.l1_loads > 0);
    let sites: Vec<_> = sites.map(|(i, of)| json!([i, of.l1_loads, of.l1_hits, of.l2_loads, of.l2_hits])).collect();
    json!({
        "runs": view.runs,
        "l1": level(&view.l1),
        "l2": level(&view.l2),
        "stores": view.stores,
        "sites": sites,
    })
}
