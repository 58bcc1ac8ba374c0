//! Vectors of `bubble_dvfs`. Their form is described in the README beside them.

use anyhow::{Context, Result, bail};
use gpusched::power::{
    BubbleConfig, BubbleStats, GpuDone, GpuStart, PState, Resident, Resume, ResumeKind, Sample, Waiting,
};
use gpusched::{Fault, SmxSet};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::argument::{Argument, given};
use super::{Difference, Face, Outcome, expect, in_rust};
use crate::bubble::{Answer, Event, Machine, SmxState, View, machine};
use crate::through_c::bubble::ThroughC;
use crate::through_c::fault;

/// Replays one vector on a machine that is reached as `face` says.
///
/// # Errors
/// A vector that does not have the form of its README.
pub fn replay(vector: &Value, face: Face) -> Result<Outcome> {
    match face {
        Face::Rust => replay_on(vector, |config| in_rust(machine(config))),
        Face::C => replay_on(vector, |config| Ok(ThroughC::new(config).map_err(fault))),
    }
}

/// Replays one vector on the machine that `build` makes of its configuration.
///
/// # Errors
/// As [`replay`], and those of `build`.
pub fn replay_on<M: Machine>(
    vector: &Value,
    build: impl FnOnce(&BubbleConfig) -> Result<Result<M, Fault>>,
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
        if let Some(difference) = replay_step(&mut machine, i, step).with_context(|| format!("step {i}"))? {
            return Ok(Outcome::Differs(difference));
        }
    }
    Ok(Outcome::Passed)
}

/// The configuration, or the fault of a value that its parameter cannot hold.
fn config(parameters: &Value) -> Result<Result<BubbleConfig, Fault>> {
    let known = serde_json::to_value(BubbleConfig::K20C)?;
    let parameters = parameters.as_object().context("`config` is not an object")?;
    if let Some(unknown) = parameters.keys().find(|name| known.get(name).is_none()) {
        bail!("no parameter `{unknown}`");
    }
    Ok(BubbleConfig::deserialize(Value::Object(parameters.clone())).map_err(|_| Fault::BadConfig))
}

fn replay_step<M: Machine>(machine: &mut M, i: usize, step: &Value) -> Result<Option<Difference>> {
    let expected = step.get("expect").context("a step without `expect`")?;
    let op = step["op"].as_str().context("a step without `op`")?;
    if op == "state" {
        let (view, expected) = (machine.view(), expected.as_object().context("`expect` is not an object")?);
        for (key, expected) in expected {
            if let Some(difference) = expect(i, Some(expected), &state(&view, key)?, key) {
                return Ok(Some(difference));
            }
        }
        return Ok(None);
    }
    let before = machine.mark();
    let answer = match machine.take(&Event::read(op, step)?) {
        Ok(Answer::Resident(Resident { tbs, warps })) => json!({"ok": {"tbs": tbs, "warps": warps}}),
        Ok(Answer::Sample(sample)) => json!({"sample": record(&sample)?}),
        Ok(Answer::Done) => json!({"ok": {}}),
        Err(fault) if machine.mark() == before => json!({"err": fault.name()}),
        Err(fault) => {
            let expected = format!("unchanged state after {fault:?}");
            return Ok(Some(Difference { step: Some(i), expected, got: "another state".into() }));
        }
    };
    Ok(expect(i, Some(expected), &answer, op))
}

// ---- events

impl Argument for Waiting {
    fn read(value: &Value) -> Result<Self> {
        let allowed = match &value["allowed"] {
            Value::Null => None,
            mask => Some(SmxSet::from_words([mask.as_u64().context("`allowed` is not a mask of 64 bits")?, 0, 0, 0])),
        };
        Ok(Self { res: given(value, "res")?, allowed })
    }
}

// ---- answers

fn set(set: SmxSet) -> Result<Value> {
    match set.words() {
        [word, 0, 0, 0] => Ok(json!(word)),
        _ => bail!("an SMX set beyond 64 SMXs: {set:?}"),
    }
}

/// A sample record; sets of SMXs as masks.
pub(crate) fn record(sample: &Sample) -> Result<Value> {
    let &Sample {
        gpu_done,
        gpu_start,
        low_done,
        high_done,
        divert,
        refused,
        drain_done,
        drain_abort,
        down,
        resume,
        starved,
        eligible,
        registers,
    } = sample;
    let (resume, kind) = match resume {
        None => (None, None),
        Some(Resume { kind: ResumeKind::Up, smx }) => (Some(smx.0), Some("up")),
        Some(Resume { kind: ResumeKind::Cancel, smx }) => (Some(smx.0), Some("cancel")),
    };
    Ok(json!({
        "gpu_done": gpu_done.map(|done| match done { GpuDone::Low => "low", GpuDone::High => "high" }),
        "gpu_start": gpu_start.map(|start| match start { GpuStart::Down => "down", GpuStart::Up => "up" }),
        "low_done": set(low_done)?,
        "high_done": set(high_done)?,
        "divert": set(divert)?,
        "refused": set(refused)?,
        "drain_done": set(drain_done)?,
        "drain_abort": set(drain_abort)?,
        "down": set(down)?,
        "resume": resume,
        "resume_kind": kind,
        "starved": starved,
        "dvr": set(registers.dvr)?,
        "drn": set(registers.drn)?,
        "dvfs": set(registers.dvfs)?,
        "gpu": u8::from(registers.gpu),
        "eligible": set(eligible)?,
    }))
}

/// One state key.
pub(crate) fn state(view: &View, key: &str) -> Result<Value> {
    let per_smx = |of: fn(&SmxState) -> Value| view.smxs.iter().map(of).collect::<Value>();
    Ok(match key {
        "dvr" => set(view.registers.dvr)?,
        "drn" => set(view.registers.drn)?,
        "dvfs" => set(view.registers.dvfs)?,
        "gpu" => json!(u8::from(view.registers.gpu)),
        "gpu_pstate" => json!(pstate(view.gpu_pstate)),
        "gpu_timer" => json!(view.gpu_timer),
        "idle_run" => json!(view.idle_run),
        "armed" => set(view.armed)?,
        "eligible" => set(view.eligible)?,
        "pstate" => per_smx(|s| json!(pstate(s.pstate))),
        "timer" => per_smx(|s| json!(s.timer)),
        "drain" => per_smx(|s| json!(s.drain)),
        "free" => per_smx(|s| json!([s.free.threads, s.free.regs, s.free.smem, s.free.slots])),
        "tbs" => per_smx(|s| json!(s.resident.tbs)),
        "warps" => per_smx(|s| json!(s.resident.warps)),
        "energy" => per_smx(|s| energy(s.energy)),
        "energy_bubble" => per_smx(|s| energy(s.energy_bubble)),
        "energy_uncore" => energy(view.energy_uncore),
        "bubble" => per_smx(|s| json!(s.bubble)),
        "low" => per_smx(|s| json!(s.low)),
        "counters" => counters(&view.stats),
        _ => bail!("state `{key}` is not part of this machine"),
    })
}

fn pstate(pstate: PState) -> &'static str {
    match pstate {
        PState::High => "high",
        PState::Down => "down",
        PState::Low => "low",
        PState::Up => "up",
    }
}

/// A number while JSON can hold it.
fn energy(energy: u128) -> Value {
    u64::try_from(energy).map_or_else(|_| json!(energy.to_string()), |small| json!(small))
}

fn counters(stats: &BubbleStats) -> Value {
    let &BubbleStats { samples, divert, refused, drain_done, drain_abort, down, up, cancel, gpu_down, gpu_up } = stats;
    let named = [
        ("samples", samples),
        ("divert", divert),
        ("refused", refused),
        ("drain_done", drain_done),
        ("drain_abort", drain_abort),
        ("down", down),
        ("up", up),
        ("cancel", cancel),
        ("gpu_down", gpu_down),
        ("gpu_up", gpu_up),
    ];
    Value::Object(named.map(|(name, n)| (name.to_owned(), json!(n))).into_iter().collect::<Map<_, _>>())
}
