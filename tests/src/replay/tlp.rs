//! Vectors of `tlp`. Their form is described in the README beside them.

use anyhow::{Context, Result, anyhow, bail};
use gpusched::Fault;
use gpusched::tlp::{
    Dispatch, Finished, History, Job, KernelCode, KernelId, KernelType, Metrics, Next, Picked, Placed, Pref, Proposal,
    Sampled, Sent, SentTb, SharerTbEnded, TbNeeds, TlpConfig,
};
use serde_json::{Value, json};

use super::equalizer::{flag, now, number, steps};
use super::{Difference, Face, Outcome, config};
use crate::equalizer::Machine;
use crate::through_c::{fault, tlp as through_c};
use crate::tlp::{Answer, Event, Kind, SmView, Unit, View};

/// Replays one vector on a unit that is reached as `face` says.
///
/// # Errors
/// A vector that does not have the form of its README.
pub fn replay(vector: &Value, face: Face) -> Result<Outcome> {
    match face {
        Face::Rust => replay_on(vector, Unit::new),
        Face::C => replay_on(vector, |kind, config| through_c::Unit::new(kind, config).map_err(fault)),
    }
}

/// Replays one vector on the unit that `build` makes of its configuration.
///
/// # Errors
/// As [`replay`].
pub fn replay_on<M: Machine<Event = Event, Answer = Answer, View = View>>(
    vector: &Value,
    build: impl FnOnce(Kind, &TlpConfig) -> Result<M, Fault>,
) -> Result<Outcome> {
    let mut parameters = vector["config"].clone();
    let kind = match parameters["unit"].as_str().context("`unit` is not a name")? {
        "categorise" | "static" => Kind::Pure,
        "tlpsm" => Kind::TlpSm,
        "pool" => Kind::Pool,
        "leftover" => Kind::LeftOver,
        "smarteven" => Kind::SmartEven,
        "smc" => Kind::Smc,
        other => bail!("no unit `{other}`"),
    };
    // What the kernels of a search are is told with the configuration.
    let max = parameters.as_object_mut().and_then(|all| all.remove("max"));
    let built = config(&parameters, TlpConfig::GTX480)?.and_then(|config| build(kind, &config));
    match built {
        Err(fault) if vector.get("expect_config").is_none() => refused(vector, fault),
        built => steps(vector, built, |name, fields| event(kind, max.as_ref(), name, fields), answer, state),
    }
}

/// A unit that was not built answers everything with the reason.
fn refused(vector: &Value, fault: Fault) -> Result<Outcome> {
    let steps = vector["steps"].as_array().context("`steps` is not a list")?;
    let got = json!({"err": fault.name()});
    let differs = |step, expected: &str| {
        Ok(Outcome::Differs(Difference { step, expected: expected.to_owned(), got: got.to_string() }))
    };
    match steps.iter().position(|step| step["expect"] != got) {
        Some(i) => differs(Some(i), &steps[i]["expect"].to_string()),
        None if steps.is_empty() => differs(None, "a machine"),
        None => Ok(Outcome::Passed),
    }
}

// ---- fields of events

fn big(fields: &Value, name: &str) -> Result<u64> {
    fields[name].as_u64().with_context(|| format!("`{name}` is not a number: {}", fields[name]))
}

/// What `of` reads from both values of a field.
fn pair<T>(fields: &Value, name: &str, of: impl Fn(&Value) -> Option<T>) -> Result<[T; 2]> {
    let values =
        fields[name].as_array().filter(|values| values.len() == 2).and_then(|v| Some([of(&v[0])?, of(&v[1])?]));
    values.with_context(|| format!("`{name}` is no pair: {}", fields[name]))
}

fn small(value: &Value) -> Option<u32> {
    value.as_u64().map(|value| u32::try_from(value).unwrap_or(u32::MAX))
}

fn needs(fields: &Value) -> Result<TbNeeds> {
    let of = |name| if fields[name].is_null() { Ok(0) } else { number(fields, name) };
    Ok(TbNeeds { threads: of("threads")?, regs: of("regs")?, smem: of("smem")? })
}

fn kernel_type(fields: &Value) -> Option<KernelType> {
    serde_json::from_value(fields["type"].clone()).ok()
}

/// A kernel. What is no type stands for a number that is none.
fn kernel(fields: &Value) -> Result<KernelCode> {
    let kind = kernel_type(fields).map_or(u32::MAX, |kind| kind as u32);
    Ok(KernelCode { needs: needs(fields)?, kind, opt: number(fields, "opt")? })
}

/// As [`kernel`], where only the resources matter.
fn body(fields: &Value) -> Result<KernelCode> {
    if fields["type"].is_null() && fields["opt"].is_null() {
        return Ok(KernelCode { needs: needs(fields)?, kind: KernelType::Up as u32, opt: 1 });
    }
    kernel(fields)
}

fn traits(fields: &Value) -> Result<(KernelType, Pref)> {
    let kind = kernel_type(fields).with_context(|| format!("`type` is none: {}", fields["type"]))?;
    let pref = serde_json::from_value(fields["pref"].clone()).context("`pref` is not compute or memory")?;
    Ok((kind, pref))
}

fn metrics(fields: &Value) -> Result<Metrics> {
    Ok(Metrics {
        sp: pair(fields, "sp", Value::as_u64)?,
        ldst: pair(fields, "ldst", Value::as_u64)?,
        stall_mem: big(fields, "stall_mem")?,
        stall_struct: big(fields, "stall_struct")?,
        avail: pair(fields, "avail", Value::as_bool)?,
    })
}

fn list<'a>(fields: &'a Value, name: &str) -> Result<&'a Vec<Value>> {
    fields[name].as_array().with_context(|| format!("`{name}` is not a list: {}", fields[name]))
}

fn event(kind: Kind, max: Option<&Value>, name: &str, fields: &Value) -> Result<Event> {
    let number = |name| number(fields, name);
    let now = || now(fields);
    Ok(match (kind, name) {
        (Kind::Pure, "categorise") => {
            let profile = list(fields, "profile")?.iter().map(Value::as_u64).collect::<Option<_>>();
            Event::Categorise(profile.context("`profile` holds what is not a number")?)
        }
        (Kind::Pure, "static") => {
            let first = if fields["first"].is_null() { 0 } else { number("first")? };
            Event::Static { k0: kernel(&fields["k0"])?, k1: kernel(&fields["k1"])?, first }
        }
        (Kind::Pure, "max") => Event::Max(body(&fields["k"])?),
        (Kind::Pure, "remain") => {
            Event::Remain { k: body(&fields["k"])?, other: body(&fields["other"])?, n: number("n")? }
        }
        (Kind::TlpSm, "attach") => Event::Attach { now: now()?, k: number("k")?, kernel: kernel(&fields["kernel"])? },
        (Kind::TlpSm, "done") => Event::Done { now: now()?, k: number("k")? },
        (Kind::TlpSm, "dispatch") => Event::Dispatch { now: now()?, avail: pair(fields, "avail", Value::as_bool)? },
        (Kind::TlpSm, "finish") => Event::Finish { now: now()?, slot: number("slot")? },
        (Kind::TlpSm, "sample") => Event::Sample { now: now()?, metrics: metrics(fields)? },
        (Kind::TlpSm, "override") => Event::Override { now: now()?, tb: pair(fields, "tb", small)? },
        (Kind::Pool, "add") => {
            let (kind, pref) = traits(fields)?;
            let ready = if fields["ready"].is_null() { true } else { flag(fields, "ready")? };
            Event::Add { kind, pref, ready }
        }
        (Kind::Pool, "ready") => Event::Ready(number("i")?),
        (Kind::Pool, "pick_pair") => Event::PickPair,
        (Kind::Pool, "pick_next") => {
            let (kind, pref) = traits(fields)?;
            Event::PickNext { kind, pref }
        }
        (Kind::LeftOver, "submit") => Event::Submit { needs: needs(&fields["kernel"])?, n_tb: number("n_tb")? },
        (Kind::LeftOver | Kind::SmartEven, "dispatch") => Event::Send,
        (Kind::LeftOver, "finish") => Event::LeftOverFinish { sm: number("sm")?, k: number("k")? },
        (Kind::SmartEven, "start") => {
            let job = |job| Ok(Job { needs: needs(job)?, n_tb: super::equalizer::number(job, "n_tb")? });
            Event::Share(list(fields, "kernels")?.iter().map(job).collect::<Result<_>>()?)
        }
        (Kind::SmartEven, "finish") => Event::SharerFinish(number("sm")?),
        (Kind::Smc, "start") => {
            let max = json!({"max": max.context("the configuration has no `max`")?});
            Event::Search(pair(&max, "max", small)?)
        }
        (Kind::Smc, "report") => Event::Report(big(fields, "perf")?),
        _ => bail!("event `{name}` is not part of this unit"),
    })
}

// ---- answers

fn stall(name: &str) -> Value {
    json!({ "stall": name })
}

fn owners(owners: &[Option<KernelId>]) -> Value {
    owners.iter().map(|owner| owner.map(|k| k.0)).collect()
}

/// The sheet's record of an answer.
pub fn answer(answer: &Answer) -> Value {
    match answer {
        Answer::Category(category) => json!(category),
        Answer::Static(targets) => json!({"tb": targets.tb, "mode": targets.mode, "a": targets.a.0}),
        Answer::Max(max) => json!({ "max": max }),
        Answer::Remain(remain) => json!({ "remain": remain }),
        Answer::Attached(attached) => json!({"mode": attached.mode, "tb": attached.tb}),
        Answer::Detached(gone) => json!({"mode": gone.mode, "tb": gone.tb, "aborted": gone.aborted}),
        Answer::Dispatch(Dispatch::Placed(Placed { slot, k, bypass })) => {
            json!({"slot": slot.0, "k": k.0, "bypass": bypass})
        }
        Answer::Dispatch(Dispatch::Stall(why)) => stall(why.name()),
        Answer::Finished(Finished { k, bypass, period_end }) => {
            json!({"k": k.0, "bypass": bypass, "period_end": period_end})
        }
        Answer::Sampled(Sampled { action, critical, grow, tb, by, learn, cost }) => json!({
            "action": action,
            "critical": critical,
            "grow": grow.map(|k| k.0),
            "tb": tb,
            "by": by,
            "learn": learn,
            "cost": cost,
        }),
        Answer::Overridden(set) => json!({"aborted": set.aborted, "by": set.by}),
        Answer::Added(i) => json!({"i": i.0}),
        Answer::Ready => json!({}),
        Answer::PickedPair(None) | Answer::PickedNext(None) => stall("NoReady"),
        Answer::PickedPair(Some(Picked { a, b })) => json!({"a": a.0, "b": b.map(|b| b.0)}),
        Answer::PickedNext(Some(Next { i, complementary })) => json!({"i": i.0, "complementary": complementary}),
        Answer::Submitted(k) => json!({"k": k.0}),
        Answer::Sent(Sent::Tb(SentTb { sm, k, tb })) => json!({"sm": sm.0, "k": k.0, "tb": tb}),
        Answer::Sent(Sent::Empty) => stall("Empty"),
        Answer::Sent(Sent::NoRoom) => stall("NoRoom"),
        Answer::LeftOverFinished { done } => json!({ "done": done }),
        Answer::Owners(all) => json!({"owner": owners(all)}),
        Answer::SharerFinished(SharerTbEnded { k, done }, all) => {
            json!({"k": k.0, "done": done, "owner": owners(all)})
        }
        Answer::Proposed(Proposal { sm, b }) => json!({"sm": sm, "b": b}),
        Answer::Reported(reported) => {
            let Proposal { sm, b } = reported.proposal;
            json!({"sm": sm, "b": b, "done": reported.done})
        }
    }
}

/// A piece of the visible state, under the sheet's name.
fn state(view: &View, key: &str) -> Result<Value> {
    let View::TlpSm(SmView { mode, phase, tb, by, bycur, res, learn, history, cohort, .. }) = view else {
        bail!("only tlpsm has a state that vectors name");
    };
    let History { load, periods } = history;
    Ok(match key {
        "mode" => json!(mode),
        "phase" => json!(phase),
        "tb" => json!(tb),
        "by" => json!(by),
        "bycur" => json!(bycur),
        "res" => json!(res),
        "learn" => json!(learn),
        "nper" => json!(periods),
        "sp_his" => json!(load.sp),
        "ldst_his" => json!(load.ldst),
        "spk_his" => json!(load.sp_of),
        "ldstk_his" => json!(load.ldst_of),
        "cohort" => json!(cohort),
        _ => return Err(anyhow!("no state `{key}`")),
    })
}
