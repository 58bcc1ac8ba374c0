//! Vectors of `mascar`. Their form is described in the README beside them.

use anyhow::{Context, Result, bail};
use gpusched::Fault;
use gpusched::mascar::{Entry, MascarConfig, Next, Offsets, Request};
use serde_json::{Value, json};

use super::argument::Argument;
use super::steps::Form;
use super::{config, word};
use crate::mascar::{Answer, Event, Mascars, View, warps};

impl Form for Mascars {
    fn config(parameters: &Value) -> Result<Result<MascarConfig, Fault>> {
        config(parameters, MascarConfig::GTX480)
    }

    fn event(_: &Value, name: &str, fields: &Value) -> Result<Event> {
        let mut step = fields.clone();
        if name == "lsu_reply" {
            step["request"] = fields.clone();
        }
        Event::read(name, &step)
    }

    fn answer(answer: &Answer) -> Result<Value> {
        record(answer)
    }

    /// Numbers are equal, whatever zeros lead them.
    fn expected(record: &Value) -> Result<Value> {
        let mut record = record.clone();
        if let Some(offs) = record.get_mut("offs") {
            *offs = hexadecimal(&offs.as_str().and_then(offsets).context("`offs` is no number")?).into();
        }
        Ok(record)
    }

    fn state(view: &View, key: &str) -> Result<Value> {
        state(view, key)
    }
}

// ---- events

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
        "lsu" => json!([word(view.lsu.state), view.lsu.warp, view.lsu.left]),
        "presented" => json!(view.presented.map(word)),
        "rexq" => view.rexq.iter().map(|e| json!([e.warp, e.dst, e.request.base])).collect(),
        _ => bail!("state `{key}` is not part of this machine"),
    })
}
