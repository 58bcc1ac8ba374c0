//! Vectors of `equalizer`. Their form is described in the README beside them.

use anyhow::{Context, Result, bail};
use gpusched::equalizer::{Change, Counts, EpochEnd, Fm, FmConfig, FmState, Levels, Round, Sm, SmConfig, Warp};
use gpusched::{Fault, SlotId, SmxSet};
use serde_json::{Value, json};

use super::argument::{Argument, given};
use super::{Difference, Face, Outcome, config, expect};
use crate::equalizer::{FmAnswer, FmEvent, Machine, SmAnswer, SmEvent, SmView};
use crate::through_c::{equalizer_fm, equalizer_sm, fault};

/// Replays one vector on a machine that is reached as `face` says.
///
/// # Errors
/// A vector that does not have the form of its README.
pub fn replay(vector: &Value, face: Face) -> Result<Outcome> {
    match face {
        Face::Rust => replay_on(vector, |c| Sm::new(c).map_err(Fault::from), |c| Fm::new(c).map_err(Fault::from)),
        Face::C => replay_on(
            vector,
            |c| equalizer_sm::ThroughC::new(c).map_err(fault),
            |c| equalizer_fm::ThroughC::new(c).map_err(fault),
        ),
    }
}

/// Replays one vector on the machine that `sm` or `fm` makes of its configuration.
///
/// # Errors
/// As [`replay`].
pub fn replay_on<S, F>(
    vector: &Value,
    sm: impl FnOnce(&SmConfig) -> Result<S, Fault>,
    fm: impl FnOnce(&FmConfig) -> Result<F, Fault>,
) -> Result<Outcome>
where
    S: Machine<Event = SmEvent, Answer = SmAnswer, View = SmView>,
    F: Machine<Event = FmEvent, Answer = FmAnswer, View = FmState>,
{
    match vector["config"]["unit"].as_str().context("`unit` is not a name")? {
        "sm" => {
            let built = config(&vector["config"], SmConfig::GTX480)?.and_then(|config| sm(&config));
            steps(vector, built, sm_event, sm_answer, sm_state)
        }
        "fm" => {
            let built = config(&vector["config"], FmConfig::GTX480)?.and_then(|config| fm(&config));
            steps(vector, built, FmEvent::read, fm_answer, fm_state)
        }
        other => bail!("no unit `{other}`"),
    }
}

pub(super) fn steps<M: Machine>(
    vector: &Value,
    built: Result<M, Fault>,
    event: impl Fn(&str, &Value) -> Result<M::Event>,
    answer: fn(&M::Answer) -> Value,
    state: fn(&M::View, &str) -> Result<Value>,
) -> Result<Outcome> {
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
    for (i, step) in vector["steps"].as_array().context("`steps` is not a list")?.iter().enumerate() {
        let step = Step { i, step };
        if let Some(difference) = step.on(&mut machine, &event, answer, state).with_context(|| format!("step {i}"))? {
            return Ok(Outcome::Differs(difference));
        }
    }
    Ok(Outcome::Passed)
}

struct Step<'a> {
    i: usize,
    step: &'a Value,
}

impl Step<'_> {
    fn on<M: Machine>(
        &self,
        machine: &mut M,
        event: impl Fn(&str, &Value) -> Result<M::Event>,
        answer: fn(&M::Answer) -> Value,
        state: fn(&M::View, &str) -> Result<Value>,
    ) -> Result<Option<Difference>> {
        let Self { i, step } = *self;
        let expected = step.get("expect").context("a step without `expect`")?;
        let name = step["ev"].as_str().context("a step without `ev`")?;
        let before = machine.mark();
        let got = match machine.take(&event(name, &step["in"])?) {
            Ok(got) => answer(&got),
            Err(fault) if machine.mark() == before => json!({"err": fault.name()}),
            Err(fault) => {
                let expected = format!("unchanged state after {fault:?}");
                return Ok(Some(Difference { step: Some(i), expected, got: "another state".into() }));
            }
        };
        if let Some(difference) = expect(i, Some(expected), &got, name) {
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
}

// ---- fields of events

pub(super) fn flag(fields: &Value, name: &str) -> Result<bool> {
    fields[name].as_bool().with_context(|| format!("`{name}` is not a flag: {}", fields[name]))
}

/// A step says what counts and warps consist of beside its other arguments.
fn sm_event(name: &str, fields: &Value) -> Result<SmEvent> {
    let mut step = fields.clone();
    for whole in ["counts", "sums", "warp"] {
        step[whole] = fields.clone();
    }
    SmEvent::read(name, &step)
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
