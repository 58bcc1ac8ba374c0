//! Vectors of `apogee`. Their form is described in the README beside them.

use anyhow::{Context, Result, bail};
use gpusched::Fault;
use gpusched::apogee::{
    Adjust, ApogeeConfig, Loaded, Push, Request, RequestKind, RowId, RowKind, Tia, Triggered, Waiting,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Difference, Face, Outcome, expect, in_rust};
use crate::apogee::{Answer, Event, Form, LoadAnswer, Machine, RowView, View, machine};
use crate::through_c::apogee::ThroughC;
use crate::through_c::fault;

/// Replays one vector on a machine that is reached as `face` says.
///
/// # Errors
/// A vector that does not have the form of its README.
pub fn replay(vector: &Value, face: Face) -> Result<Outcome> {
    match face {
        Face::Rust => replay_on(vector, Form::List, |config| in_rust(machine(config))),
        Face::C => replay_on(vector, Form::List, |config| Ok(ThroughC::new(config).map_err(fault))),
    }
}

/// Replays one vector on the machine that `build` makes of its configuration; `form` says how lanes are handed over.
///
/// # Errors
/// As [`replay`], and those of `build`.
pub fn replay_on<M: Machine>(
    vector: &Value,
    form: Form,
    build: impl FnOnce(&ApogeeConfig) -> Result<Result<M, Fault>>,
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
        if let Some(difference) = replay_step(&mut machine, i, step, form).with_context(|| format!("step {i}"))? {
            return Ok(Outcome::Differs(difference));
        }
    }
    Ok(Outcome::Passed)
}

/// The configuration, or the fault of a value that its parameter cannot hold.
fn config(parameters: &Value) -> Result<Result<ApogeeConfig, Fault>> {
    let known = serde_json::to_value(ApogeeConfig::APOGEE_4)?;
    let parameters = parameters.as_object().context("`config` is not an object")?;
    if let Some(unknown) = parameters.keys().find(|name| known.get(name).is_none()) {
        bail!("no parameter `{unknown}`");
    }
    Ok(ApogeeConfig::deserialize(Value::Object(parameters.clone())).map_err(|_| Fault::BadConfig))
}

fn replay_step<M: Machine>(machine: &mut M, i: usize, step: &Value, form: Form) -> Result<Option<Difference>> {
    let expected = step.get("expect").context("a step without `expect`")?;
    let ev = step["ev"].as_str().context("a step without `ev`")?;
    let before = machine.mark();
    let mut event = Event::read(ev, &step["in"])?;
    if let Event::Load(load) = &mut event {
        load.form = form;
    }
    let answer = match machine.take(&event) {
        Ok(answer) => answer_of(&answer),
        Err(fault) if machine.mark() == before => json!({"err": fault.name()}),
        Err(fault) => {
            let expected = format!("unchanged state after {fault:?}");
            return Ok(Some(Difference { step: Some(i), expected, got: "another state".into() }));
        }
    };
    if let Some(difference) = expect(i, Some(expected), &answer, ev) {
        return Ok(Some(difference));
    }
    let Some(expected) = step.get("state") else { return Ok(None) };
    let view = machine.view();
    for (key, expected) in expected.as_object().context("`state` is not an object")? {
        if let Some(difference) = expect(i, Some(expected), &state(&view, key)?, key) {
            return Ok(Some(difference));
        }
    }
    Ok(None)
}

// ---- answers

fn answer_of(answer: &Answer) -> Value {
    match answer {
        Answer::Load(decided) => decision(decided),
        Answer::Request(request) => json!({"req": request.as_ref().map(request_of)}),
        Answer::PfReply(stale) | Answer::PfFill(stale) => json!({"stale": stale}),
        Answer::Done => json!({}),
        Answer::Flush(dropped) => json!({"dropped": dropped}),
    }
}

fn decision(decided: &LoadAnswer) -> Value {
    let &Loaded {
        entry,
        is_new,
        evicted,
        adjust,
        mismatch,
        confirmed,
        pushed,
        merged,
        dropped,
        outside,
        triggered,
        tia,
        tia_entry,
        tia_evicted,
    } = &decided.loaded;
    assert_eq!(
        (pushed as usize, triggered as usize),
        (decided.pushed.len(), decided.trig.len()),
        "counts of the lists"
    );
    let trig = |&Triggered { entry, moved, result }: &Triggered| json!({"entry": entry.0, "moved": moved, "result": push(result)});
    json!({
        "entry": entry.0,
        "alloc": is_new.then_some(entry.0),
        "evicted": evicted,
        "adjust": adjust_name(adjust),
        "mismatch": mismatch,
        "confirmed": confirmed,
        "pushed": decided.pushed,
        "merged": merged,
        "dropped": dropped,
        "outside": outside,
        "trig": decided.trig.iter().map(trig).collect::<Value>(),
        "tia": tia_name(tia),
        "tia_entry": tia_entry.map(|id| id.0),
        "tia_evicted": tia_evicted,
    })
}

fn adjust_name(adjust: Adjust) -> &'static str {
    match adjust {
        Adjust::None => "none",
        Adjust::Inc => "inc",
        Adjust::IncSat => "inc_sat",
        Adjust::Dec => "dec",
        Adjust::DecMin => "dec_min",
    }
}

fn tia_name(tia: Tia) -> &'static str {
    match tia {
        Tia::None => "none",
        Tia::Added => "added",
        Tia::Kept => "kept",
        Tia::Slow => "slow",
        Tia::SelfLoad => "self",
        Tia::NoLal => "no_lal",
        Tia::NoRoom => "no_room",
    }
}

fn push(push: Push) -> &'static str {
    match push {
        Push::Pushed => "pushed",
        Push::Merged => "merged",
        Push::Dropped => "dropped",
    }
}

fn request_of(request: &Request) -> Value {
    let &Request { line, entry, generation, warp, kind } = request;
    let kind = match kind {
        RequestKind::Foa => "foa",
        RequestKind::Tia => "tia",
    };
    json!({"line": line, "entry": entry.0, "gen": generation, "warp": warp.0, "kind": kind})
}

/// One state key.
fn state(view: &View, key: &str) -> Result<Value> {
    Ok(match key {
        "table" => view.table.iter().map(|(id, row)| row_of(*id, row)).collect(),
        "lal" => json!(view.lal),
        "queue" => view.queue.iter().map(|Waiting { request: r, .. }| json!([r.line, r.entry.0, r.warp.0])).collect(),
        "n" => json!(view.n),
        _ => bail!("state `{key}` is not part of this machine"),
    })
}

fn row_of(id: RowId, row: &RowView) -> Value {
    let states: Vec<_> = row.states.iter().map(|&state| state as u8).collect();
    let common = json!({"i": id.0, "pc": row.pc, "addr": row.address, "conf": row.confidence, "state": states});
    let more = match row.kind {
        RowKind::Free => json!({"type": "free"}),
        RowKind::Load(load) => json!({
            "type": if load.offset.is_some() { "foa" } else { "train" },
            "off": load.offset.unwrap_or_default(),
            "tidx": load.thread,
            "dist": load.distance,
        }),
        RowKind::Trigger { target, slow } => json!({"type": "trig", "target": target, "slow": slow}),
    };
    let fields = [common, more].into_iter().filter_map(|part| part.as_object().cloned());
    Value::Object(fields.flatten().collect())
}
