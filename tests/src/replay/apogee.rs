//! Vectors of `apogee`. Their form is described in the README beside them.

use anyhow::{Result, bail};
use gpusched::Fault;
use gpusched::apogee::{ApogeeConfig, Loaded, Request, RowId, RowKind, Tia, Triggered, Waiting};
use serde_json::{Value, json};

use super::steps::Form;
use super::{config, word};
use crate::apogee::{Answer, Apogees, Event, LoadAnswer, RowView, View};

impl Form for Apogees {
    fn config(parameters: &Value) -> Result<Result<ApogeeConfig, Fault>> {
        config(parameters, ApogeeConfig::APOGEE_4)
    }

    fn event(_: &Value, name: &str, fields: &Value) -> Result<Event> {
        Event::read(name, fields)
    }

    fn answer(answer: &Answer) -> Result<Value> {
        Ok(answer_of(answer))
    }

    fn state(view: &View, key: &str) -> Result<Value> {
        state(view, key)
    }
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
    let trig = |&Triggered { entry, moved, result }: &Triggered| json!({"entry": entry.0, "moved": moved, "result": word(result)});
    json!({
        "entry": entry.0,
        "alloc": is_new.then_some(entry.0),
        "evicted": evicted,
        "adjust": word(adjust),
        "mismatch": mismatch,
        "confirmed": confirmed,
        "pushed": decided.pushed,
        "merged": merged,
        "dropped": dropped,
        "outside": outside,
        "trig": decided.trig.iter().map(trig).collect::<Value>(),
        "tia": if tia == Tia::SelfLoad { "self".into() } else { word(tia) },
        "tia_entry": tia_entry.map(|id| id.0),
        "tia_evicted": tia_evicted,
    })
}

fn request_of(request: &Request) -> Value {
    let &Request { line, entry, generation, warp, kind } = request;
    json!({"line": line, "entry": entry.0, "gen": generation, "warp": warp.0, "kind": word(kind)})
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
