//! Vectors of `catalogue`: whole runs under the harness of the sheet. Their form is described in the README beside them.

use anyhow::{Context, Result, bail};
use gpusched::Fault;
use gpusched::policy::catalogue::{CatalogueConfig, catalogue_storage_bits};
use gpusched::policy::seam::offer::Completion;
use serde::Deserialize;
use serde_json::{Value, json};

use super::argument::{Argument, given};
use super::{Difference, Face, Outcome};
use crate::catalogue::harness::{Arrival, Harness, Pace, Scene};
use crate::catalogue::{Chooses, UNITS, config, machine, state};
use crate::machine::unbuilt;
use crate::through_c::catalogue::ThroughC;
use crate::through_c::fault;

/// Replays one vector on a policy that is reached as `face` says.
///
/// # Errors
/// A vector that does not have the form of its README.
pub fn replay(vector: &Value, face: Face) -> Result<Outcome> {
    match face {
        Face::Rust => replay_on(vector, Pace::Step, |config| machine(config).map_err(unbuilt)),
        Face::C => replay_on(vector, Pace::Step, |config| ThroughC::new(config).map_err(fault)),
        Face::Model => bail!("policies of the catalogue have no second implementation"),
    }
}

/// Replays one vector on policies that `build` makes.
///
/// # Errors
/// As [`replay`].
pub fn replay_on<M: Chooses>(
    vector: &Value,
    pace: Pace,
    build: impl Fn(&CatalogueConfig) -> Result<M, Fault>,
) -> Result<Outcome> {
    if let Some(bad) = vector.get("bad") {
        return list(vector, bad, |(policy, parameters, n_smx): (String, Value, u32)| {
            let built = config(&policy, &parameters, &Scene { n_smx, ..Scene::default() }, UNITS);
            built.and_then(|config| build(&config)).map_or_else(|fault| json!(fault.name()), |_| json!("ok"))
        });
    }
    if let Some(storage) = vector.get("storage") {
        type Row = (String, Value, u32, u32, u32, u32);
        return list(vector, storage, |(policy, parameters, n_smx, units, slots, threads): Row| {
            let scene = Scene { n_smx, slots, threads, ..Scene::default() };
            let built = config(&policy, &parameters, &scene, units);
            built.map_or_else(|fault| json!(fault.name()), |config| json!(catalogue_storage_bits(&config).total()))
        });
    }
    let scene = Scene::deserialize(&vector["config"]).context("`config`")?;
    let arrivals = Vec::<Arrival>::deserialize(&vector["arrivals"]).context("`arrivals`")?;
    let policy = vector["policy"].as_str().context("`policy` is not a name")?;
    let config = match config(policy, &vector["params"], &scene, UNITS) {
        Ok(config) => config,
        Err(fault) => return Ok(differs(None, &json!("a configuration"), &json!(fault.name()))),
    };
    let mut policy = build(&config).map_err(|fault| anyhow::anyhow!("{fault}"))?;
    let run = Harness::new(&scene, &arrivals, UNITS).finish(&mut policy, pace)?;
    let sent = vector["sent"].as_array().context("`sent` is not a list")?;
    let got: Vec<_> = run.sent.iter().map(|sent| json!(sent)).collect();
    for i in 0..sent.len().max(got.len()) {
        let [expected, got] = [sent, &got].map(|all| all.get(i).unwrap_or(&Value::Null));
        if expected != got {
            return Ok(differs(Some(i), expected, got));
        }
    }
    let status = if run.drained { "drained" } else { "limit" };
    let rest = json!({"end": run.end, "status": status, "state": state(&policy)});
    let expected = json!({"end": vector["end"], "status": vector["status"], "state": vector["state"]});
    Ok(if rest == expected { Outcome::Passed } else { differs(Some(sent.len()), &expected, &rest) })
}

/// A list of questions, each with its answer.
fn list<Q: for<'a> Deserialize<'a>>(vector: &Value, all: &Value, answer: impl Fn(Q) -> Value) -> Result<Outcome> {
    let questions = Vec::<Q>::deserialize(all).context("a question")?;
    let got: Vec<_> = questions.into_iter().map(answer).collect();
    let expected = vector["result"].as_array().context("`result` is not a list")?;
    let step = (0..expected.len().max(got.len())).find(|i| expected.get(*i) != got.get(*i));
    Ok(step.map_or(Outcome::Passed, |i| {
        let [expected, got] = [expected, &got].map(|all| all.get(i).unwrap_or(&Value::Null));
        differs(Some(i), expected, got)
    }))
}

/// A TB that has ended, as a step of its own says it.
impl Argument for Completion {
    fn read(step: &Value) -> Result<Self> {
        Ok(Self {
            unit: given(step, "unit")?,
            row: given(step, "row")?,
            blkid: given(step, "blkid")?,
            smx: given(step, "smx")?,
            start: given(step, "start")?,
            end: given(step, "end")?,
            issued: given(step, "issued")?,
            all: given(step, "all")?,
        })
    }
}

fn differs(step: Option<usize>, expected: &Value, got: &Value) -> Outcome {
    Outcome::Differs(Difference { step, expected: expected.to_string(), got: got.to_string() })
}
