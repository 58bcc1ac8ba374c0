//! Vectors of `laperm`.

use anyhow::{Context, Result, ensure};
use gpusched::laperm::{Config, Dispatch, KmuTick, Moved, Placed, Stall, Tick, WaitingHead};
use gpusched::{Fault, Id, Resources};
use serde_json::{Map, Value, json};

use super::steps::Form;
use super::{config, word};
use crate::laperm::LaPerms;
use crate::laperm::event::{Answer, Event};
use crate::laperm::view::{EntryView, View};

impl Form for LaPerms {
    const NAME: &str = "op";

    fn config(parameters: &Value) -> Result<Result<Config, Fault>> {
        config(parameters, Config::K20C)
    }

    fn event(_: &Value, name: &str, step: &Value) -> Result<Event> {
        Event::read(name, step)
    }

    fn answer(answered: &Answer) -> Result<Value> {
        answer(answered)
    }

    fn state(view: &View, key: &str) -> Result<Value> {
        state(view).remove(key).with_context(|| format!("state `{key}` is not part of this machine"))
    }
}

/// An answer as the vectors have it.
fn answer(answer: &Answer) -> Result<Value> {
    Ok(match *answer {
        Answer::Done => json!({"ok": {}}),
        Answer::TbDone(freed) => json!({"ok": {"kde_freed": freed}}),
        Answer::Placed(placed) => json!({"ok": place(placed)}),
        Answer::Tick(Tick::Dispatch(d)) => json!({"dispatch": dispatch(&d)}),
        Answer::Tick(Tick::Stall(Stall { smx, reason })) => {
            json!({"stall": {"smx": smx.map(|s| s.0), "reason": word(reason)}})
        }
        Answer::KmuTick(KmuTick::Moved(Moved { tag, unit, level, kde, cost, ready_at })) => json!({"moved": {
            "tag": tag, "unit": unit.map(|u| u.0), "level": level, "kdei": kde.0, "cost": cost, "ready_at": ready_at.0,
        }}),
        Answer::KmuTick(KmuTick::Stall(stall)) => {
            json!({"stall": {"reason": word(stall)}})
        }
        Answer::WaitingHead(None) => json!({"waiting": null}),
        Answer::WaitingHead(Some(WaitingHead { tag, res, allowed })) => {
            json!({"waiting": {"tag": tag, "res": list(&res), "allowed": mask(allowed.words())?}})
        }
    })
}

fn place(placed: Placed) -> Value {
    match placed {
        Placed::Queue0 { pos, ready_at } => json!({"where": "queue0", "pos": pos, "ready_at": ready_at.0}),
        Placed::OnChip { unit, level, pos, ready_at, evicted } => json!({
            "where": "on_chip", "unit": unit.0, "level": level, "pos": pos, "ready_at": ready_at.0, "evicted": evicted,
        }),
        Placed::Spilled { unit, level } => json!({"where": "spilled", "unit": unit.0, "level": level}),
        Placed::Pending { unit, level } => {
            json!({"where": "pending", "unit": unit.map(|u| u.0), "level": level})
        }
    }
}

fn dispatch(d: &Dispatch) -> Value {
    let Dispatch { smx, tag, tb, prio, stage, unit, last, kde, refill } = *d;
    json!({
        "smx": smx.0, "tag": tag, "tb": tb, "prio": prio, "stage": stage as u8, "unit": unit.map(|u| u.0),
        "last": last, "kdei": kde.map(|k| k.0), "refill": refill,
    })
}

fn list(res: &Resources) -> [u32; 4] {
    [res.threads, res.regs, res.smem, res.slots]
}

/// A set of SMXs as one number; JSON has none for more than 64 SMXs.
fn mask(words: [u64; 4]) -> Result<u64> {
    let [low, rest @ ..] = words;
    ensure!(rest == [0; 3], "a mask beyond 64 SMXs");
    Ok(low)
}

/// The whole state as the vectors have it.
fn state(view: &View) -> Map<String, Value> {
    let View { now: _, cur, free, mask: masked, queues, off_chip, pool_free, kdes, backups, kmu } = view;
    let on_chip = |q: &Vec<EntryView>| -> Vec<Value> {
        q.iter().map(|e| json!([e.work.tag, e.section, e.next, e.tbs, e.ready_at.map(|at| at.0)])).collect()
    };
    let in_memory = |q: &Vec<EntryView>| -> Vec<Value> {
        q.iter().map(|e| json!([e.work.tag, e.section, e.next, e.tbs])).collect()
    };
    let units = queues.len() - 1;
    let Value::Object(state) = json!({
        "cur": cur.index(),
        "free": free.iter().map(list).collect::<Vec<_>>(),
        "mask": masked.words()[0],
        "queues": queues[..units].iter().map(on_chip).collect::<Vec<_>>(),
        "q0": on_chip(&queues[units]),
        "spill": off_chip[..units].iter().map(in_memory).collect::<Vec<_>>(),
        "host_pending": off_chip[units].iter().map(|e| json!([e.work.tag, e.tbs])).collect::<Vec<_>>(),
        "pool_free": pool_free,
        "kde": kdes.iter().map(|k| k.map(|k| [k.waiting, k.running])).collect::<Vec<_>>(),
        "rec": backups.iter().map(|b| b.unit.map(|u| u.0)).collect::<Vec<_>>(),
        "run": backups.iter().map(|b| b.run).collect::<Vec<_>>(),
        "kptr": kmu.0.0,
        "kmu_free_at": kmu.1.0,
    }) else {
        return Map::new();
    };
    state
}
