//! Vectors of `tlp`. Their form is described in the README beside them.

use anyhow::{Context, Result, anyhow, bail};
use gpusched::Fault;
use gpusched::tlp::{
    Category, Dispatch, Finished, History, Job, Kernel, KernelType, Metrics, Next, Picked, Placed, Proposal, Sampled,
    Sent, SentTb, SharerTbEnded, SmState, TbNeeds, TlpConfig,
};
use serde_json::{Value, json};

use super::argument::{Argument, chosen, given, given_or};
use super::steps::Form;
use super::{Difference, Outcome, config};
use crate::calls::{tlp, tlp_leftover, tlp_pool, tlp_sm, tlp_smart_even, tlp_smc};
use crate::tlp::{Answer, Event, Kind, Units, View};

impl Form for Units {
    fn config(parameters: &Value) -> Result<Result<(Kind, TlpConfig), Fault>> {
        let kind = kind(parameters)?;
        // What the kernels of a search are is told with the configuration.
        let mut parameters = parameters.clone();
        parameters.as_object_mut().and_then(|all| all.remove("max"));
        Ok(config(&parameters, TlpConfig::GTX480)?.map(|config| (kind, config)))
    }

    fn event(parameters: &Value, name: &str, fields: &Value) -> Result<Event> {
        event(kind(parameters)?, parameters.get("max"), name, fields)
    }

    fn answer(answered: &Answer) -> Result<Value> {
        Ok(answer(answered))
    }

    fn state(view: &View, key: &str) -> Result<Value> {
        state(view, key)
    }

    fn refused(vector: &Value, fault: Fault) -> Result<Outcome> {
        refused(vector, fault)
    }
}

fn kind(parameters: &Value) -> Result<Kind> {
    Ok(match parameters["unit"].as_str().context("`unit` is not a name")? {
        "categorise" | "static" => Kind::Pure,
        "tlpsm" => Kind::TlpSm,
        "pool" => Kind::Pool,
        "leftover" => Kind::LeftOver,
        "smarteven" => Kind::SmartEven,
        "smc" => Kind::Smc,
        other => bail!("no unit `{other}`"),
    })
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

// ---- arguments of events

impl Argument for TbNeeds {
    fn read(value: &Value) -> Result<Self> {
        let (regs, smem) = (given_or(value, "regs", 0)?, given_or(value, "smem", 0)?);
        Ok(Self { threads: given_or(value, "threads", 0)?, regs, smem })
    }
}

impl Argument for Kernel {
    fn read(value: &Value) -> Result<Self> {
        let opt = given::<u32>(value, "opt")?.try_into()?;
        Ok(Self { needs: TbNeeds::read(value)?, category: Category { kind: chosen(value, "type")?, opt } })
    }
}

impl Argument for Job {
    fn read(value: &Value) -> Result<Self> {
        Ok(Self { needs: TbNeeds::read(value)?, n_tb: given(value, "n_tb")? })
    }
}

impl Argument for Metrics {
    fn read(step: &Value) -> Result<Self> {
        Ok(Self {
            sp: given(step, "sp")?,
            ldst: given(step, "ldst")?,
            stall_mem: given(step, "stall_mem")?,
            stall_struct: given(step, "stall_struct")?,
            avail: given(step, "avail")?,
        })
    }
}

/// Where only the resources of a kernel matter, its type may be left out.
fn body(kernel: &mut Value) {
    if kernel["type"].is_null() && kernel["opt"].is_null() {
        kernel["type"] = json!(KernelType::Up);
        kernel["opt"] = 1.into();
    }
}

fn event(kind: Kind, max: Option<&Value>, name: &str, fields: &Value) -> Result<Event> {
    let mut step = fields.clone();
    match (kind, name) {
        (Kind::Pure, "max" | "remain") => ["k", "other"].iter().for_each(|kernel| body(&mut step[*kernel])),
        (Kind::TlpSm, "sample") => step["metrics"] = fields.clone(),
        (Kind::Smc, "start") => step["max"] = max.context("the configuration has no `max`")?.clone(),
        _ => {}
    }
    Ok(match kind {
        Kind::Pure => tlp::Event::read(name, &step)?.into(),
        Kind::TlpSm => tlp_sm::Event::read(name, &step)?.into(),
        Kind::Pool => tlp_pool::Event::read(name, &step)?.into(),
        Kind::LeftOver => tlp_leftover::Event::read(name, &step)?.into(),
        Kind::SmartEven => tlp_smart_even::Event::read(name, &step)?.into(),
        Kind::Smc => tlp_smc::Event::read(name, &step)?.into(),
    })
}

// ---- answers

fn stall(name: &str) -> Value {
    json!({ "stall": name })
}

fn sent(sent: &Sent) -> Value {
    match sent {
        Sent::Tb(SentTb { sm, k, tb }) => json!({"sm": sm.0, "k": k.0, "tb": tb}),
        Sent::Empty => stall("Empty"),
        Sent::NoRoom => stall("NoRoom"),
    }
}

/// The sheet's record of an answer.
pub fn answer(answer: &Answer) -> Value {
    match answer {
        Answer::Pure(answer) => match answer {
            tlp::Answer::Category(category) => json!(category),
            tlp::Answer::StaticTlp(targets) => json!({"tb": targets.tb, "mode": targets.mode, "a": targets.a.0}),
            tlp::Answer::Max(max) => json!({ "max": max }),
            tlp::Answer::Remain(remain) => json!({ "remain": remain }),
        },
        Answer::TlpSm(answer) => of_sm(answer),
        Answer::Pool(answer) => match answer {
            tlp_pool::Answer::Add(i) => json!({"i": i.0}),
            tlp_pool::Answer::Done => json!({}),
            tlp_pool::Answer::Picked(None) | tlp_pool::Answer::Next(None) => stall("NoReady"),
            tlp_pool::Answer::Picked(Some(Picked { a, b })) => json!({"a": a.0, "b": b.map(|b| b.0)}),
            tlp_pool::Answer::Next(Some(Next { i, complementary })) => {
                json!({"i": i.0, "complementary": complementary})
            }
        },
        Answer::LeftOver(answer) => match answer {
            tlp_leftover::Answer::Submit(k) => json!({"k": k.0}),
            tlp_leftover::Answer::Sent(tb) => sent(tb),
            tlp_leftover::Answer::Finish(done) => json!({ "done": done }),
        },
        Answer::SmartEven(answer, owners) => {
            let owners: Value = owners.iter().map(|owner| owner.map(|k| k.0)).collect();
            match answer {
                tlp_smart_even::Answer::Done => json!({ "owner": owners }),
                tlp_smart_even::Answer::Sent(tb) => sent(tb),
                tlp_smart_even::Answer::SharerTbEnded(SharerTbEnded { k, done }) => {
                    json!({"k": k.0, "done": done, "owner": owners})
                }
            }
        }
        Answer::Smc(answer) => match answer {
            tlp_smc::Answer::Proposal(Proposal { sm, b }) => json!({"sm": sm, "b": b}),
            tlp_smc::Answer::Reported(reported) => {
                let Proposal { sm, b } = reported.proposal;
                json!({"sm": sm, "b": b, "done": reported.done})
            }
        },
    }
}

fn of_sm(answer: &tlp_sm::Answer) -> Value {
    use tlp_sm::Answer;

    match answer {
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
    }
}

/// A piece of the visible state, under the sheet's name.
fn state(view: &View, key: &str) -> Result<Value> {
    let View::TlpSm(view) = view else { bail!("only tlpsm has a state that vectors name") };
    let SmState { mode, phase, tb, by, bypassing, resident, learn, history, cohort, .. } = &view.state;
    let History { load, periods } = history;
    Ok(match key {
        "mode" => json!(mode),
        "phase" => json!(phase),
        "tb" => json!(tb),
        "by" => json!(by),
        "bycur" => json!(bypassing),
        "res" => json!(resident),
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
