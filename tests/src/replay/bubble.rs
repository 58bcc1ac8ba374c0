//! Vectors of `bubble_dvfs`. Their form is described in the README beside them.

use anyhow::{Context, Result, bail};
use gpusched::power::{BubbleConfig, BubbleStats, Resident, Sample, Waiting};
use gpusched::{Fault, SmxSet};
use serde_json::{Map, Value, json};

use super::argument::{Argument, given};
use super::steps::Form;
use super::{config, word};
use crate::bubble::{Answer, Bubbles, Event, SmxState, View};

impl Form for Bubbles {
    const NAME: &str = "op";

    fn config(parameters: &Value) -> Result<Result<BubbleConfig, Fault>> {
        config(parameters, BubbleConfig::K20C)
    }

    fn event(_: &Value, name: &str, step: &Value) -> Result<Event> {
        Event::read(name, step)
    }

    fn answer(answer: &Answer) -> Result<Value> {
        Ok(match answer {
            Answer::Resident(Resident { tbs, warps }) => json!({"ok": {"tbs": tbs, "warps": warps}}),
            Answer::Sample(sample) => json!({"sample": record(sample)?}),
            Answer::Done => json!({"ok": {}}),
        })
    }

    fn state(view: &View, key: &str) -> Result<Value> {
        state(view, key)
    }
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
    Ok(json!({
        "gpu_done": gpu_done.map(word),
        "gpu_start": gpu_start.map(word),
        "low_done": set(low_done)?,
        "high_done": set(high_done)?,
        "divert": set(divert)?,
        "refused": set(refused)?,
        "drain_done": set(drain_done)?,
        "drain_abort": set(drain_abort)?,
        "down": set(down)?,
        "resume": resume.map(|resume| resume.smx.0),
        "resume_kind": resume.map(|resume| word(resume.kind)),
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
        "gpu_pstate" => json!(word(view.gpu_pstate)),
        "gpu_timer" => json!(view.gpu_timer),
        "idle_run" => json!(view.idle_run),
        "armed" => set(view.armed)?,
        "eligible" => set(view.eligible)?,
        "pstate" => per_smx(|s| json!(word(s.pstate))),
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
