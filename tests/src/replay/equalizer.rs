//! Vectors of `equalizer`. Their form is described in the README beside them.

use anyhow::{Context, Result, anyhow, bail};
use gpusched::equalizer::{
    Change, Counts, EpochEnd, Fm, FmConfig, HeadKind, Levels, Objective, Resolved, Sm, SmConfig, Transition, Warp,
};
use gpusched::{Cycle, Fault, SlotId, SmxSet};
use serde_json::{Value, json};

use super::{Difference, Face, Outcome, config, expect};
use crate::equalizer::{FmAnswer, FmEvent, FmView, Machine, SmAnswer, SmEvent, SmView};
use crate::through_c::{equalizer as through_c, fault};

/// Replays one vector on a machine that is reached as `face` says.
///
/// # Errors
/// A vector that does not have the form of its README.
pub fn replay(vector: &Value, face: Face) -> Result<Outcome> {
    match face {
        Face::Rust => replay_on(vector, |c| Sm::new(c).map_err(Fault::from), |c| Fm::new(c).map_err(Fault::from)),
        Face::C => {
            replay_on(vector, |c| through_c::Sm::new(c).map_err(fault), |c| through_c::Fm::new(c).map_err(fault))
        }
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
    F: Machine<Event = FmEvent, Answer = FmAnswer, View = FmView>,
{
    match vector["config"]["unit"].as_str().context("`unit` is not a name")? {
        "sm" => {
            let built = config(&vector["config"], SmConfig::GTX480)?.and_then(|config| sm(&config));
            steps(vector, built, sm_event, sm_answer, sm_state)
        }
        "fm" => {
            let built = config(&vector["config"], FmConfig::GTX480)?.and_then(|config| fm(&config));
            steps(vector, built, fm_event, fm_answer, fm_state)
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

pub(super) fn now(fields: &Value) -> Result<Cycle> {
    fields["now"].as_u64().map(Cycle).with_context(|| format!("`now` is not a time: {}", fields["now"]))
}

/// A number. What is negative or too large for its type is beyond every range, too.
pub(super) fn number(fields: &Value, name: &str) -> Result<u32> {
    let value = &fields[name];
    if !value.is_i64() && !value.is_u64() {
        bail!("`{name}` is not a number: {value}");
    }
    Ok(value.as_u64().and_then(|value| u32::try_from(value).ok()).unwrap_or(u32::MAX))
}

fn signed(fields: &Value, name: &str) -> Result<i32> {
    let value = fields[name].as_i64().with_context(|| format!("`{name}` is not a number: {}", fields[name]))?;
    Ok(i32::try_from(value).unwrap_or(i32::MAX))
}

pub(super) fn flag(fields: &Value, name: &str) -> Result<bool> {
    fields[name].as_bool().with_context(|| format!("`{name}` is not a flag: {}", fields[name]))
}

fn counts(fields: &Value) -> Result<Counts> {
    let of = |name| number(fields, name);
    Ok(Counts { active: of("active")?, waiting: of("waiting")?, xalu: of("xalu")?, xmem: of("xmem")? })
}

fn sm_event(name: &str, fields: &Value) -> Result<SmEvent> {
    let now = || now(fields);
    let number = |name| number(fields, name);
    Ok(match name {
        "kernel_start" => {
            let keep = if fields["keep"].is_null() { false } else { flag(fields, "keep")? };
            SmEvent::KernelStart { now: now()?, w_cta: number("w_cta")?, limit: number("limit")?, keep }
        }
        "grant" => {
            let block =
                fields["block"].as_u64().with_context(|| format!("`block` is not a number: {}", fields["block"]))?;
            SmEvent::Grant { now: now()?, block }
        }
        "deny" => SmEvent::Deny { now: now()? },
        "refill" => SmEvent::Refill { now: now()? },
        "block_end" => SmEvent::BlockEnd { now: now()?, slot: number("slot")? },
        "sample" => SmEvent::Sample { now: now()?, counts: counts(fields)? },
        "set_objective" => SmEvent::SetObjective { now: now()?, objective: objective(&fields["objective"])? },
        "resync" => SmEvent::Resync { now: now()? },
        "classify" => SmEvent::Classify(warp(fields)?),
        "decide" => SmEvent::Decide { sums: counts(fields)?, samples: number("samples")?, w_cta: number("w_cta")? },
        _ => bail!("event `{name}` is not part of this machine"),
    })
}

/// The number of an objective; one that there is not for any other name.
fn objective(value: &Value) -> Result<u32> {
    Ok(match value.as_str().with_context(|| format!("`objective` is not a name: {value}"))? {
        "energy" => Objective::Energy as u32,
        "performance" => Objective::Performance as u32,
        _ => u32::MAX,
    })
}

fn warp(fields: &Value) -> Result<Warp> {
    let flag = |name| flag(fields, name);
    Ok(Warp {
        resident: flag("resident")?,
        paused: flag("paused")?,
        issued: flag("issued")?,
        valid: flag("valid")?,
        sync: flag("sync")?,
        ready: flag("ready")?,
        kind: match fields["kind"].as_str() {
            Some("alu") => HeadKind::Alu,
            Some("mem") => HeadKind::Mem,
            _ => bail!("`kind` is not alu or mem: {}", fields["kind"]),
        },
        accept: flag("accept")?,
    })
}

fn fm_event(name: &str, fields: &Value) -> Result<FmEvent> {
    let now = now(fields)?;
    Ok(match name {
        "vote" => {
            let votes = (signed(fields, "sm_vote")?, signed(fields, "mem_vote")?);
            FmEvent::Vote { now, sm: number(fields, "sm")?, votes }
        }
        "close" => FmEvent::Close { now },
        "enable" => FmEvent::Enable { now, sm: number(fields, "sm")?, on: flag(fields, "on")? },
        "levels" => FmEvent::Levels { now },
        _ => bail!("event `{name}` is not part of this machine"),
    })
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
        SmAnswer::Changed(change) => with_change(json!({}), change),
        SmAnswer::Ended(ended) => with_change(json!({"block": ended.block}), &ended.change),
        SmAnswer::Sampled(None) => json!({"epoch": false}),
        SmAnswer::Sampled(Some(end)) => {
            let EpochEnd { decision, votes, changed, watchdog, target, change } = end;
            let fields = json!({
                "epoch": true,
                "delta": decision.delta,
                "action": decision.action,
                "sm_vote": votes.sm,
                "mem_vote": votes.mem,
                "changed": changed,
                "watchdog": watchdog,
                "target": target,
            });
            with_change(fields, change)
        }
        SmAnswer::Done => json!({}),
        SmAnswer::NextSample(at) => json!({"next_sample": at.0}),
        SmAnswer::Classified(classified) => json!(classified),
        SmAnswer::Decision(decision) => json!(decision),
    }
}

/// The sheet's record of an answer.
pub fn fm_answer(answer: &FmAnswer) -> Value {
    let resolved = |resolved: &Resolved| json!(resolved);
    match answer {
        FmAnswer::Open => json!({"resolved": false}),
        FmAnswer::Round(round) => json!({"resolved": true, "sm": resolved(&round.sm), "mem": resolved(&round.mem)}),
        FmAnswer::Done => json!({}),
        FmAnswer::Levels(levels) => {
            let Levels { sm, mem, sm_permille, mem_permille, next } = levels;
            json!({"sm": sm, "mem": mem, "sm_permille": sm_permille, "mem_permille": mem_permille, "next": next})
        }
    }
}

// ---- state

fn sm_state(view: &SmView, key: &str) -> Result<Value> {
    let Counts { active, waiting, xalu, xmem } = view.sums;
    Ok(match key {
        "next_sample" => json!(view.next_sample.0),
        "samples" => json!(view.samples),
        "sums" => json!([active, waiting, xalu, xmem]),
        "w_cta" => json!(view.w_cta),
        "limit" => json!(view.limit),
        "target" => json!(view.target),
        "run" => json!(view.run),
        "dir" => json!(view.dir),
        "running" => json!(view.running),
        "paused" => json!(view.paused),
        "outstanding" => json!(view.outstanding),
        "drained" => json!(view.drained),
        "wd" => json!(view.wd),
        "objective" => json!(view.objective),
        "slots" => {
            let of = |paused| if paused { "pause" } else { "run" };
            let slot =
                |slot: &Option<_>| slot.map(|block: gpusched::equalizer::Block| json!([of(block.paused), block.id]));
            view.slots.iter().map(slot).collect()
        }
        _ => bail!("state `{key}` is not part of this machine"),
    })
}

fn fm_state(view: &FmView, key: &str) -> Result<Value> {
    let done_at = |transition: Option<Transition>| json!(transition.map(|transition| transition.done_at.0));
    let list = |set: SmxSet| set.iter().map(|sm| sm.0).collect::<Value>();
    Ok(match key {
        "sm_level" => json!(view.sm_level),
        "mem_level" => json!(view.mem_level),
        "sm_target" => json!(view.sm.map_or(view.sm_level, |transition| transition.target)),
        "mem_target" => json!(view.mem.map_or(view.mem_level, |transition| transition.target)),
        "sm_done_at" => done_at(view.sm),
        "mem_done_at" => done_at(view.mem),
        "voted" => list(view.voted),
        "enabled" => list(view.enabled),
        _ => return Err(anyhow!("state `{key}` is not part of this machine")),
    })
}
