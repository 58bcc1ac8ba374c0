//! Vectors of `dtbl` and `frontend`: one machine, one form (E1: without gates the front end is the `dtbl` machine).

use anyhow::{Context, Result, anyhow, bail, ensure};
use gpusched::{
    BuildError, ClassId, Config, Cycle, Decision, Descriptor, Dim3, FallCause, Fault, FrontEnd, GroupLaunch, GroupRef,
    HwqId, IssueSource, KernelSlot, LaunchedRecords, RecordId, SlotId, SmxId, SmxSet, SuspId, Tables, TbRef, Words,
};
use gpusched_refgpu::tables;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Difference, Outcome, expect};
use crate::stepping::step;

mod state;

/// How a step `run {n}` is carried out; the answers must be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// One call for all n cycles.
    Skip,
    /// n ticks.
    Step,
}

/// Replays one vector on a machine with heap tables.
///
/// # Errors
/// A vector that does not have the form of its README, or needs a part that this machine does not have.
pub fn replay(vector: &Value) -> Result<Outcome> {
    replay_on(vector, Pace::Skip, tables::front_end)
}

/// Replays one vector on the machine that `build` makes of its configuration.
///
/// # Errors
/// As [`replay`], and a home that is too small for the configuration.
pub fn replay_on<T: Tables>(
    vector: &Value,
    pace: Pace,
    build: impl FnOnce(&Config) -> Result<FrontEnd<T>, BuildError>,
) -> Result<Outcome>
where
    FrontEnd<T>: Clone + PartialEq,
{
    let missing = missing_parts(vector);
    ensure!(missing.is_empty(), "needs {}, which this machine does not have", missing.join(" and "));
    let built = match config(&vector["config"])?.map(|c| build(&c)) {
        Ok(Ok(gpu)) => Ok(gpu),
        Ok(Err(BuildError::Tables(small))) => return Err(anyhow!(small).context("the machine's home")),
        Ok(Err(BuildError::Config(error))) => Err(Fault::from(error)),
        Err(fault) => Err(fault),
    };
    let Some(steps) = vector.get("steps") else {
        let expected = vector.get("ret").context("neither `steps` nor `ret`")?;
        let got = match built {
            Ok(_) => json!("ok"),
            Err(fault) => json!(fault.name()),
        };
        let difference = || Difference { step: None, expected: expected.to_string(), got: got.to_string() };
        return Ok(if *expected == got { Outcome::Passed } else { Outcome::Differs(difference()) });
    };
    let steps = steps.as_array().context("`steps` is not a list")?;
    let mut gpu = match built {
        Ok(gpu) => gpu,
        Err(fault) => {
            let got = format!("{fault:?} for {}", vector["config"]);
            return Ok(Outcome::Differs(Difference { step: None, expected: "a machine".into(), got }));
        }
    };
    for (i, step) in steps.iter().enumerate() {
        if let Some(difference) = replay_step(&mut gpu, pace, i, step).with_context(|| format!("step {i}"))? {
            return Ok(Outcome::Differs(difference));
        }
    }
    Ok(Outcome::Passed)
}

/// The configuration, or the fault of a value that its parameter cannot hold. A part that is null is off.
fn config(parameters: &Value) -> Result<Result<Config, Fault>> {
    let mut parameters = parameters.as_object().context("`config` is not an object")?.clone();
    parameters.retain(|_, value| !value.is_null());
    // Without graphs there is nothing to pass.
    parameters.remove("pass_graph");
    let known = serde_json::to_value(Config::K20C)?;
    if let Some(unknown) = parameters.keys().find(|name| known.get(name).is_none()) {
        bail!("no parameter `{unknown}`");
    }
    Ok(Config::deserialize(Value::Object(parameters)).map_err(|_| Fault::BadConfig))
}

/// Parts of the front end that a vector needs and this machine does not have yet.
#[must_use]
pub fn missing_parts(vector: &Value) -> Vec<&'static str> {
    let config = &vector["config"];
    let parts = ["laperm", "dats", "bubble"].into_iter();
    let policy = (config["policy"] == "laperm" && config["laperm"].is_null()).then_some("laperm");
    parts.filter(|part| config.get(part).is_some_and(|c| !c.is_null())).chain(policy).collect()
}

/// The answer of one event.
struct Answer {
    ret: Value,
    words: Option<Words>,
}

fn replay_step<T: Tables>(gpu: &mut FrontEnd<T>, pace: Pace, i: usize, step: &Value) -> Result<Option<Difference>>
where
    FrontEnd<T>: Clone + PartialEq,
{
    let mut out = Vec::new();
    let before = gpu.clone();
    let answer = apply(gpu, pace, step, &mut |at: Cycle, decision: Decision| out.push(decision_json(at, decision)))?;
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
        differences.push(expect(i, without_zeros(step.get("sched")).as_ref(), &counts(&sched), "sched"));
        differences.push(expect(i, without_zeros(step.get("kmu")).as_ref(), &counts(&kmu), "kmu"));
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

fn without_zeros(expected: Option<&Value>) -> Option<Value> {
    let mut words = expected?.clone();
    if let Some(words) = words.as_object_mut() {
        words.retain(|_, n| *n != 0);
    }
    Some(words)
}

fn apply<T: Tables>(
    gpu: &mut FrontEnd<T>,
    pace: Pace,
    step: &Value,
    mut probe: &mut impl FnMut(Cycle, Decision),
) -> Result<Answer>
where
    FrontEnd<T>: Clone,
{
    let op = step["op"].as_str().context("a step without `op`")?;
    let mut words = None;
    let ret = match op {
        "state" => json!("ok"),
        "host_launch" => {
            let (stream, descriptor, retain) = (u32_field(step, "stream")?, descriptor(step)?, flag(step, "retain")?);
            let launch = |gpu: &mut FrontEnd<T>| gpu.host_launch(stream, &descriptor, retain);
            match step.get("graph").filter(|graph| !graph.is_null()) {
                None => ret(launch(gpu), |HwqId(q)| json!(q)),
                // The descriptor's faults come first, that of the missing graph unit before `HwqFull`.
                Some(_) => match launch(&mut gpu.clone()) {
                    Ok(_) | Err(Fault::HwqFull) => json!(NO_DGB),
                    Err(fault) => json!(fault.name()),
                },
            }
        }
        "graph_poll" | "graph_nodes" | "graph_edges" | "graph_spilled" => json!(NO_DGB),
        "abort_graph" => abort_graph(gpu, number(step, "kdei")?),
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
            let run = run(gpu, pace, u64_field(step, "n")?, probe);
            words = run.ok();
            ret(run, |_| json!("ok"))
        }
        "set_eligible" => ret(gpu.set_eligible(mask(gpu, step)?), ok),
        "set_block_cap" => ret(gpu.set_block_cap(smx(step)?, number(step, "cap")?), ok),
        "set_class" => {
            let pc = if step["pc"].is_null() { None } else { Some(u64_field(step, "pc")?) };
            ret(gpu.set_class(ClassId(number(step, "cls")?), pc), ok)
        }
        "set_class_cap" => {
            let by = optional(step, "by")?;
            ret(gpu.set_class_cap(ClassId(number(step, "cls")?), smx(step)?, number(step, "cap")?, by), ok)
        }
        "activity" => {
            let value = |v: &Value| saturated(v).with_context(|| format!("{v} is not a number"));
            let values = list(step, "values")?.iter().map(value).collect::<Result<Vec<_>>>()?;
            ret(gpu.activity(&values), ok)
        }
        "has_work" => ret(gpu.has_work(ClassId(number(step, "cls")?)), |work| json!(u8::from(work))),
        "waiting_head" => {
            ensure!(gpu.config().n_smx <= 64, "`waiting_head` has no form for more than 64 SMXs");
            ret(gpu.waiting_head(number(step, "start")?), state::waiting_head)
        }
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

/// What verbs of graphs answer on a machine without a dependency-graph unit.
const NO_DGB: &str = "NoDgb";

fn abort_graph<T: Tables>(gpu: &FrontEnd<T>, kde: u8) -> Value {
    if u32::from(kde) >= gpu.config().n_kde {
        return json!(Fault::BadKde.name());
    }
    match gpu.kde(KernelSlot(kde)).map(|e| e.phase) {
        Some(gpusched::Phase::Active) => json!("NotGraph"),
        _ => json!(Fault::NoKernel.name()),
    }
}

fn run<T: Tables>(
    gpu: &mut FrontEnd<T>,
    pace: Pace,
    n: u64,
    mut probe: &mut impl FnMut(Cycle, Decision),
) -> Result<Words, Fault> {
    if pace == Pace::Skip {
        return gpu.run(n, &mut probe);
    }
    step(gpu, n, &mut probe)
}

/// A number field that names or limits something. Values beyond the type's range name what does not exist, as values beyond
/// the machine's range do.
fn number<N: TryFrom<u64> + Bounded>(step: &Value, field: &str) -> Result<N> {
    saturated(&step[field]).with_context(|| format!("`{field}` is not a number: {}", step[field]))
}

/// A non-negative integer, or the greatest value for one that is out of range on either side.
fn saturated<N: TryFrom<u64> + Bounded>(value: &Value) -> Option<N> {
    let whole = value.as_f64().filter(|f| f.fract() == 0.0)?;
    Some(value.as_u64().filter(|_| whole >= 0.0).and_then(|v| N::try_from(v).ok()).unwrap_or(N::GREATEST))
}

trait Bounded {
    const GREATEST: Self;
}

macro_rules! bounded {
    ($($t:ty)*) => { $(impl Bounded for $t { const GREATEST: Self = <$t>::MAX; })* };
}

bounded!(u8 u16 u32 u64);

/// As [`number`]; 0 if absent.
fn optional<N: TryFrom<u64> + Bounded + Default>(step: &Value, field: &str) -> Result<N> {
    if step[field].is_null() { Ok(N::default()) } else { number(step, field) }
}

/// A number that must be exact.
fn u64_field(step: &Value, field: &str) -> Result<u64> {
    step[field].as_u64().with_context(|| format!("`{field}` is not a 64-bit number: {}", step[field]))
}

/// A number that must be exact.
fn u32_field(step: &Value, field: &str) -> Result<u32> {
    u32::try_from(u64_field(step, field)?).with_context(|| format!("`{field}` is not a 32-bit number: {}", step[field]))
}

/// A flag, written as a boolean, 0 or 1; false if absent.
fn flag(step: &Value, field: &str) -> Result<bool> {
    match &step[field] {
        Value::Null => Ok(false),
        Value::Bool(flag) => Ok(*flag),
        other if *other == 0 || *other == 1 => Ok(*other == 1),
        other => bail!("`{field}` is not a flag: {other}"),
    }
}

fn list<'a>(step: &'a Value, field: &str) -> Result<&'a Vec<Value>> {
    step[field].as_array().with_context(|| format!("`{field}` is not a list"))
}

fn smx(step: &Value) -> Result<SmxId> {
    Ok(SmxId(number(step, "smx")?))
}

fn slot(step: &Value) -> Result<SlotId> {
    Ok(SlotId(number(step, "slot")?))
}

/// A set of SMXs as a number. One that does not fit 64 bits names an SMX that a machine of up to 64 does not have.
fn mask<T: Tables>(gpu: &FrontEnd<T>, step: &Value) -> Result<SmxSet> {
    if let Some(word) = step["mask"].as_u64() {
        return Ok(SmxSet::from_words([word, 0, 0, 0]));
    }
    ensure!(step["mask"].is_number(), "`mask` is not a number: {}", step["mask"]);
    ensure!(gpu.config().n_smx <= 64, "`mask` has no form for more than 64 SMXs");
    Ok(SmxSet::from_words([u64::MAX; 4]))
}

fn descriptor(step: &Value) -> Result<Descriptor> {
    let dim = |field: &str| -> Result<Dim3> {
        let extent: Option<Vec<u32>> = list(step, field)?.iter().map(saturated).collect();
        match extent.as_deref() {
            Some(&[x, y, z]) => Ok(Dim3 { x, y, z }),
            _ => bail!("`{field}` is not a list of three numbers: {}", step[field]),
        }
    };
    Ok(Descriptor {
        pc: u64_field(step, "pc")?,
        grid: dim("grid")?,
        tb: dim("tb")?,
        regs: optional(step, "regs")?,
        smem: optional(step, "smem")?,
        param: if step["param"].is_null() { 0 } else { u32_field(step, "param")? },
        tag: u64_field(step, "tag")?,
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
