//! Vectors of `equalizer`. Their form is described in the README beside them.

use anyhow::{Context, Result, bail};
use gpusched::equalizer::{Change, Counts, EpochEnd, FmConfig, FmState, Levels, Round, SmConfig, Warp};
use gpusched::{Fault, SlotId, SmxSet};
use serde_json::{Value, json};

use super::argument::{Argument, given};
use super::steps::{self, Form};
use super::{Face, Outcome, config};
use crate::equalizer::{FmAnswer, FmEvent, Fms, SmAnswer, SmEvent, SmView, Sms};

/// Replays one vector on a machine that is reached as `face` says.
///
/// # Errors
/// A vector that does not have the form of its README.
pub fn replay(vector: &Value, face: Face) -> Result<Outcome> {
    replay_on(vector, |sms| if sms { steps::replay::<Sms>(vector, face) } else { steps::replay::<Fms>(vector, face) })
}

/// Replays one vector as `replay` does those of an SM (`true`) or of a frequency manager.
///
/// # Errors
/// As [`replay`].
pub fn replay_on(vector: &Value, replay: impl FnOnce(bool) -> Result<Outcome>) -> Result<Outcome> {
    match vector["config"]["unit"].as_str().context("`unit` is not a name")? {
        "sm" => replay(true),
        "fm" => replay(false),
        other => bail!("no unit `{other}`"),
    }
}

impl Form for Sms {
    fn config(parameters: &Value) -> Result<Result<SmConfig, Fault>> {
        config(parameters, SmConfig::GTX480)
    }

    /// A step says what counts and warps consist of beside its other arguments.
    fn event(_: &Value, name: &str, fields: &Value) -> Result<SmEvent> {
        let mut step = fields.clone();
        for whole in ["counts", "sums", "warp"] {
            step[whole] = fields.clone();
        }
        SmEvent::read(name, &step)
    }

    fn answer(answer: &SmAnswer) -> Result<Value> {
        Ok(sm_answer(answer))
    }

    fn state(view: &SmView, key: &str) -> Result<Value> {
        sm_state(view, key)
    }
}

impl Form for Fms {
    fn config(parameters: &Value) -> Result<Result<FmConfig, Fault>> {
        config(parameters, FmConfig::GTX480)
    }

    fn event(_: &Value, name: &str, fields: &Value) -> Result<FmEvent> {
        FmEvent::read(name, fields)
    }

    fn answer(answer: &FmAnswer) -> Result<Value> {
        Ok(fm_answer(answer))
    }

    fn state(view: &FmState, key: &str) -> Result<Value> {
        fm_state(view, key)
    }
}

// ---- fields of events

fn flag(fields: &Value, name: &str) -> Result<bool> {
    fields[name].as_bool().with_context(|| format!("`{name}` is not a flag: {}", fields[name]))
}

impl Argument for Counts {
    fn read(step: &Value) -> Result<Self> {
        let [active, waiting, xalu, xmem] = ["active", "waiting", "xalu", "xmem"].map(|key| given(step, key));
        Ok(Self { active: active?, waiting: waiting?, xalu: xalu?, xmem: xmem? })
    }
}

impl Argument for Warp {
    fn read(step: &Value) -> Result<Self> {
        let flag = |name| flag(step, name);
        Ok(Self {
            resident: flag("resident")?,
            paused: flag("paused")?,
            issued: flag("issued")?,
            valid: flag("valid")?,
            sync: flag("sync")?,
            ready: flag("ready")?,
            mem: match step["kind"].as_str() {
                Some("alu") => false,
                Some("mem") => true,
                _ => bail!("is not of alu or mem: {}", step["kind"]),
            },
            accept: flag("accept")?,
        })
    }
}

// ---- answers

fn slots(list: &[SlotId]) -> Value {
    list.iter().map(|slot| slot.0).collect()
}

/// `fields` and those of a change.
fn with_change(mut fields: Value, change: &Change) -> Value {
    let Change { pause, unpause, requests } = change;
    fields["pause"] = slots(pause);
    fields["unpause"] = slots(unpause);
    fields["requests"] = json!(requests);
    fields
}

/// The sheet's record of an answer.
pub fn sm_answer(answer: &SmAnswer) -> Value {
    match answer {
        SmAnswer::Started(started) => json!({"target": started.target, "requests": started.requests}),
        SmAnswer::Granted(granted) => with_change(json!({"slot": granted.slot.0}), &granted.change),
        SmAnswer::Change(change) => with_change(json!({}), change),
        SmAnswer::Ended(ended) => with_change(json!({"block": ended.block}), &ended.change),
        SmAnswer::EpochEnd(None) => json!({"epoch": false}),
        SmAnswer::EpochEnd(Some(end)) => {
            let EpochEnd { delta, action, sm_vote, mem_vote, changed, watchdog, target, change } = end;
            let fields = json!({
                "epoch": true,
                "delta": delta,
                "action": action,
                "sm_vote": sm_vote,
                "mem_vote": mem_vote,
                "changed": changed,
                "watchdog": watchdog,
                "target": target,
            });
            with_change(fields, change)
        }
        SmAnswer::Done => json!({}),
        SmAnswer::Resync(at) => json!({"next_sample": at.0}),
        SmAnswer::Classified(classified) => json!(classified),
        SmAnswer::Decision(decision) => json!(decision),
    }
}

/// The sheet's record of an answer.
pub fn fm_answer(answer: &FmAnswer) -> Value {
    let resolved = |Round { sm, mem }: &Round| json!({"resolved": true, "sm": sm, "mem": mem});
    match answer {
        FmAnswer::Vote(None) => json!({"resolved": false}),
        FmAnswer::Vote(Some(round)) | FmAnswer::Round(round) => resolved(round),
        FmAnswer::Done => json!({}),
        FmAnswer::Levels(levels) => {
            let Levels { sm, mem, sm_permille, mem_permille, next } = levels;
            json!({"sm": sm, "mem": mem, "sm_permille": sm_permille, "mem_permille": mem_permille, "next": next})
        }
    }
}

// ---- state

fn sm_state(view: &SmView, key: &str) -> Result<Value> {
    let state = &view.state;
    let Counts { active, waiting, xalu, xmem } = state.sums;
    Ok(match key {
        "next_sample" => json!(view.next_sample.0),
        "samples" => json!(state.samples),
        "sums" => json!([active, waiting, xalu, xmem]),
        "w_cta" => json!(state.w_cta),
        "limit" => json!(state.limit),
        "target" => json!(state.target),
        "run" => json!(state.run),
        "dir" => json!(state.dir),
        "running" => json!(state.running),
        "paused" => json!(state.paused),
        "outstanding" => json!(state.outstanding),
        "drained" => json!(state.drained),
        "wd" => json!(state.watchdog_epochs),
        "objective" => json!(state.objective),
        "slots" => {
            let of = |paused| if paused { "pause" } else { "run" };
            let slot =
                |slot: &Option<_>| slot.map(|block: gpusched::equalizer::Block| json!([of(block.paused), block.id]));
            view.slots.iter().map(slot).collect()
        }
        _ => bail!("state `{key}` is not part of this machine"),
    })
}

fn fm_state(state: &FmState, key: &str) -> Result<Value> {
    let list = |set: SmxSet| set.iter().map(|sm| sm.0).collect::<Value>();
    Ok(match key {
        "sm_level" => json!(state.sm.level),
        "mem_level" => json!(state.mem.level),
        "sm_target" => json!(state.sm.target),
        "mem_target" => json!(state.mem.target),
        "sm_done_at" => json!(state.sm.done_at),
        "mem_done_at" => json!(state.mem.done_at),
        "voted" => list(state.voted),
        "enabled" => list(state.enabled),
        _ => bail!("state `{key}` is not part of this machine"),
    })
}
