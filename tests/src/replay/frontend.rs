//! Vectors of `dtbl` and `frontend`: one machine, one form (E1: without gates the front end is the `dtbl` machine).

use anyhow::{Context, Result, anyhow, bail};
use gpusched::{
    ClassId, Config, Cycle, Decision, Descriptor, Dim3, FallCause, Fault, FrontEnd, GroupLaunch, GroupRef, HwqId,
    IssueSource, KernelSlot, LaunchedRecords, RecordId, SlotId, SmxId, SmxSet, SuspId, TbRef, Words,
};
use gpusched_refgpu::tables::{HeapTables, front_end};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Difference, Outcome, expect};

mod state;

type Gpu = FrontEnd<HeapTables>;

/// Replays one vector.
///
/// # Errors
/// A vector that does not have the form of its README.
pub fn replay(vector: &Value) -> Result<Outcome> {
    let built = build(&vector["config"]);
    let Some(steps) = vector.get("steps") else {
        let got = match built {
            Ok(_) => json!("ok"),
            Err(fault) => json!(fault.name()),
        };
        let expected = &vector["ret"];
        let difference = || Difference { step: None, expected: expected.to_string(), got: got.to_string() };
        return Ok(if *expected == got { Outcome::Passed } else { Outcome::Differs(difference()) });
    };
    let mut gpu = match built {
        Ok(gpu) => gpu,
        Err(fault) => {
            let got = format!("{fault:?} for {}", vector["config"]);
            return Ok(Outcome::Differs(Difference { step: None, expected: "a machine".into(), got }));
        }
    };
    for (i, step) in steps.as_array().context("`steps` is not a list")?.iter().enumerate() {
        if let Some(difference) = replay_step(&mut gpu, i, step).with_context(|| format!("step {i}"))? {
            return Ok(Outcome::Differs(difference));
        }
    }
    Ok(Outcome::Passed)
}

/// A machine, or the fault of its configuration. A value that no parameter can hold, and a part that this machine does not
/// have, are `BadConfig` too. A part that is null is off.
fn build(config: &Value) -> Result<Gpu, Fault> {
    let mut config = config.clone();
    if let Some(parameters) = config.as_object_mut() {
        parameters.retain(|_, value| !value.is_null());
    }
    let config = Config::deserialize(config).map_err(|_| Fault::BadConfig)?;
    front_end(&config).map_err(|_| Fault::BadConfig)
}

/// Parts of the front end that a vector needs and this machine does not have yet.
#[must_use]
pub fn missing_parts(vector: &Value) -> Vec<&'static str> {
    let config = &vector["config"];
    ["laperm", "dats", "bubble"].into_iter().filter(|part| config.get(part).is_some_and(|c| !c.is_null())).collect()
}

/// The answer of one event.
struct Answer {
    ret: Value,
    words: Option<Words>,
}

fn replay_step(gpu: &mut Gpu, i: usize, step: &Value) -> Result<Option<Difference>> {
    let mut out = Vec::new();
    let before = gpu.clone();
    let answer = apply(gpu, step, &mut |at: Cycle, decision: Decision| out.push(decision_json(at, decision)))?;
    let refused = answer.ret.as_str().is_some_and(|r| r != "ok");
    if refused && *gpu != before {
        let expected = format!("unchanged state after {}", answer.ret);
        return Ok(Some(Difference { step: Some(i), expected, got: "another state".into() }));
    }
    let mut differences =
        vec![expect(i, step.get("ret"), &answer.ret, "ret"), expect(i, step.get("out"), &Value::Array(out), "out")];
    if let Some(words) = answer.words {
        let sched = [
            ("tb", words.tb),
            ("idle", words.idle),
            ("load", words.load),
            ("noroom", words.noroom),
            ("gated", words.gated),
            ("capped", words.capped),
        ];
        let kmu = [("issue", words.issue), ("empty", words.empty), ("busy", words.busy), ("kdfull", words.kdfull)];
        differences.push(expect(i, step.get("sched"), &counts(&sched), "sched"));
        differences.push(expect(i, step.get("kmu"), &counts(&kmu), "kmu"));
    }
    if let Some(state) = step.get("state") {
        for (key, expected) in state.as_object().context("`state` is not an object")? {
            differences.push(expect(i, Some(expected), &state::get(gpu, key, expected)?, key));
        }
    }
    Ok(differences.into_iter().flatten().next())
}

/// Words that were the answer at least once.
fn counts(words: &[(&str, u64)]) -> Value {
    words.iter().filter(|(_, n)| *n > 0).map(|&(word, n)| (word.to_owned(), json!(n))).collect()
}

fn apply(gpu: &mut Gpu, step: &Value, mut probe: &mut impl FnMut(Cycle, Decision)) -> Result<Answer> {
    let op = step["op"].as_str().context("a step without `op`")?;
    let mut words = None;
    let ret = match op {
        "state" => json!("ok"),
        "host_launch" => {
            if step.get("graph").is_some() {
                bail!("graphs are not part of this machine");
            }
            let retain = step.get("retain").is_some_and(|r| r == true || r == 1);
            ret(gpu.host_launch(number(step, "stream")?, &descriptor(step)?, retain), |HwqId(q)| json!(q))
        }
        "device_launch" => {
            let kernels = list(step, "kernels")?.iter().map(descriptor).collect::<Result<Vec<_>>>()?;
            ret(gpu.device_launch(smx(step)?, slot(step)?, &kernels), records)
        }
        "agg_launch" => {
            let group = |g| Ok(GroupLaunch { descriptor: descriptor(g)?, hw_tid: number(g, "hw_tid")? });
            let groups = list(step, "groups")?.iter().map(group).collect::<Result<Vec<_>>>()?;
            ret(gpu.agg_launch(smx(step)?, slot(step)?, &groups), records)
        }
        "tb_done" => ret(gpu.tb_done(smx(step)?, slot(step)?, &mut probe), ok),
        "unretain" => ret(gpu.unretain(KernelSlot(number(step, "kdei")?), &mut probe), ok),
        "suspend" => ret(gpu.suspend(KernelSlot(number(step, "kdei")?), &mut probe), |SuspId(i)| json!(i)),
        "resume" => ret(gpu.resume(SuspId(number(step, "si")?)), ok),
        "spill_loaded" => ret(gpu.spill_loaded(RecordId(number(step, "rec")?)), ok),
        "run" => {
            let run = gpu.run(number(step, "n")?, &mut probe);
            words = run.ok();
            ret(run, |_| json!("ok"))
        }
        "set_eligible" => ret(gpu.set_eligible(mask(step)?), ok),
        "set_block_cap" => ret(gpu.set_block_cap(smx(step)?, number(step, "cap")?), ok),
        "set_class" => ret(gpu.set_class(ClassId(number(step, "cls")?), step["pc"].as_u64()), ok),
        "set_class_cap" => {
            let by = if step.get("by").is_some() { number(step, "by")? } else { 0 };
            ret(gpu.set_class_cap(ClassId(number(step, "cls")?), smx(step)?, number(step, "cap")?, by), ok)
        }
        "activity" => {
            let values = list(step, "values")?.iter().map(|v| Ok(u16::deserialize(v)?)).collect::<Result<Vec<_>>>()?;
            ret(gpu.activity(&values), ok)
        }
        "has_work" => ret(gpu.has_work(ClassId(number(step, "cls")?)), |work| json!(u8::from(work))),
        "waiting_head" => ret(gpu.waiting_head(number(step, "start")?), state::waiting_head),
        other => bail!("event `{other}` is not part of this machine"),
    };
    Ok(Answer { ret, words })
}

fn ret<V>(result: Result<V, Fault>, value: impl FnOnce(V) -> Value) -> Value {
    match result {
        Ok(v) => value(v),
        Err(fault) => json!(fault.name()),
    }
}

fn ok((): ()) -> Value {
    json!("ok")
}

fn records(records: LaunchedRecords) -> Value {
    records.iter().map(|r| json!(r.0)).collect()
}

/// A number field. Values beyond the id's width are ids that do not exist, as beyond the machine's range.
fn number<N: TryFrom<u64> + Bounded>(step: &Value, field: &str) -> Result<N> {
    let value = step[field].as_u64().ok_or_else(|| anyhow!("`{field}` is not a number: {}", step[field]))?;
    Ok(N::try_from(value).unwrap_or(N::GREATEST))
}

trait Bounded {
    const GREATEST: Self;
}

macro_rules! bounded {
    ($($t:ty)*) => { $(impl Bounded for $t { const GREATEST: Self = <$t>::MAX; })* };
}

bounded!(u8 u16 u32 u64);

fn list<'a>(step: &'a Value, field: &str) -> Result<&'a Vec<Value>> {
    step[field].as_array().with_context(|| format!("`{field}` is not a list"))
}

fn smx(step: &Value) -> Result<SmxId> {
    Ok(SmxId(number(step, "smx")?))
}

fn slot(step: &Value) -> Result<SlotId> {
    Ok(SlotId(number(step, "slot")?))
}

fn mask(step: &Value) -> Result<SmxSet> {
    Ok(SmxSet::from_words([number(step, "mask")?, 0, 0, 0]))
}

fn descriptor(step: &Value) -> Result<Descriptor> {
    let dim = |field: &str| -> Result<Dim3> {
        let [x, y, z] = <[u32; 3]>::deserialize(&step[field]).with_context(|| format!("`{field}`"))?;
        Ok(Dim3 { x, y, z })
    };
    let optional = |field| if step.get(field).is_some() { number(step, field) } else { Ok(0) };
    Ok(Descriptor {
        pc: number(step, "pc")?,
        grid: dim("grid")?,
        tb: dim("tb")?,
        regs: optional("regs")?,
        smem: optional("smem")?,
        param: optional("param")?,
        tag: number(step, "tag")?,
    })
}

fn group_ref(group: GroupRef) -> String {
    match group {
        GroupRef::Age(a) => format!("a{}", a.0),
        GroupRef::Record(r) => format!("s{}", r.0),
    }
}

fn tb_ref(tb: TbRef) -> String {
    match tb {
        TbRef::Native => "N".into(),
        TbRef::Restored => "R".into(),
        TbRef::Group(group) => group_ref(group),
    }
}

fn decision_json(at: Cycle, decision: Decision) -> Value {
    let t = at.0;
    match decision {
        Decision::Issue { source, tag, kde } => {
            let source = match source {
                IssueSource::Hwq(q) => format!("h{}", q.0),
                IssueSource::Device => "d".into(),
                IssueSource::Suspended => "s".into(),
            };
            json!(["issue", t, source, tag, kde.0])
        }
        Decision::Arrive { kde, tag } => json!(["arrive", t, kde.0, tag]),
        Decision::Join { tag, kde, group } => json!(["join", t, tag, kde.0, group_ref(group)]),
        Decision::Fall { tag, cause: FallCause::Kde } => json!(["fall", t, tag, "kde"]),
        Decision::Fall { tag, cause: FallCause::Agt } => json!(["fall", t, tag, "agt"]),
        Decision::Load { record } => json!(["load", t, record.0]),
        Decision::Tb(tb) => json!(["tb", t, tb.smx.0, tb.slot.0, tb.kde.0, tb_ref(tb.tb_ref), tb.blkid]),
        Decision::Bypass { smx, slot } => json!(["bypass", t, smx.0, slot.0]),
        Decision::Unmark { kde } => json!(["unmark", t, kde.0]),
        Decision::Rotate { kde } => json!(["rotate", t, kde.0]),
        Decision::GroupDone { tag, group } => json!(["gdone", t, tag, group_ref(group)]),
        Decision::KernelDone { kde, tag } => json!(["kdone", t, kde.0, tag]),
        Decision::HwqFree { queue } => json!(["hwqfree", t, queue.0]),
        Decision::Saved { smx, slot, tb_ref: r, blkid } => json!(["saved", t, smx.0, slot.0, tb_ref(r), blkid]),
        Decision::Suspend { kde, index } => json!(["susp", t, kde.0, index.0]),
    }
}
