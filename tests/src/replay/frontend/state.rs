//! The visible state of a front end in the form of the vectors' state keys.

use anyhow::{Context, Result, ensure};
use gpusched::{ClassCap, GraphState, GroupRef, RecordId, TbView};
use serde_json::{Map, Value, json};

use super::super::{bubble, dats, word};
use super::answer::{group_ref, tb_ref};
use super::{grids, modern};
use crate::view::{CursorView, KdeView, LaPermView, LoadView, RecordStateView, RecordView, UnitView, View};

/// One state key. `expected` is asked only for which of the optional parts it lists.
pub fn get(view: &View, key: &str, expected: &Value) -> Result<Value> {
    Ok(match key {
        "now" => json!(view.now),
        "rr" => json!(view.rr.0),
        "fcfs" => view.fcfs.iter().map(|k| json!(k.0)).collect(),
        "sscr" => sscr(view),
        "cursors" => cursors(view),
        "kde" => view.kdes.iter().map(|(k, e)| (k.0.to_string(), kde(e))).collect(),
        "entry" => {
            let entry = |e: &KdeView| json!([e.prio, e.psmx.map(|s| s.0), e.pend, e.graph.and_then(graph)]);
            view.kdes.iter().map(|(k, e)| (k.0.to_string(), entry(e))).collect()
        }
        "agt" => groups(view, |at| if let GroupRef::Age(age) = at { Some(age.0) } else { None }),
        "spill" => groups(view, |at| if let GroupRef::Record(r) = at { Some(r.0) } else { None }),
        "buffer" => view.load_buffer.iter().map(|(r, load)| json!([r.0, load_code(*load)])).collect(),
        "rec" => records(view),
        "hwq" => {
            let queue = |&(busy, len): &(bool, u32)| json!({"busy": u8::from(busy), "len": len});
            view.hwqs.iter().map(|(q, hwq)| (q.to_string(), queue(hwq))).collect()
        }
        "susp" => {
            let kernel = |&(tag, saved, resumed): &(u64, u32, bool)| json!({"tag": tag, "saved": saved, "ready": u8::from(resumed)});
            view.suspended.iter().map(|(i, s)| (i.to_string(), kernel(s))).collect()
        }
        "smx" => json!(view.smxs),
        "tbcr" => tbs(view, |t| json!([t.smx.0, t.slot.0, t.kde.0, tb_ref(t.tb_ref), t.blkid])),
        "tbx" => tbs(view, |t| json!([t.smx.0, t.slot.0, t.prio, t.class_id.map(|c| c.0), u8::from(t.bypass)])),
        "gates" => {
            ensure!(view.smxs.len() <= 64, "`gates` has no form for more than 64 SMXs");
            gates(view)
        }
        "stats" | "stats2" | "stats3" => {
            let mut stats = serde_json::to_value(view.stats)?;
            if let Some(all) = &view.grids {
                grids::count(all, &mut stats);
            }
            chosen(&stats, expected)
        }
        "l2" => {
            let grids = view.grids.as_ref().context("`l2` of a machine without grids")?;
            chosen(&grids::state(view, grids), expected)
        }
        "groups" => laperm_groups(view),
        "lap" => laperm(view.laperm.as_ref().context("`lap` of a machine without LaPerm")?),
        "bubble" => {
            let bubble = view.bubble.as_ref().context("`bubble` of a machine without it")?;
            let keys = expected.as_object().into_iter().flat_map(Map::keys);
            keys.map(|key| Ok((key.clone(), bubble::state(bubble, key)?))).collect::<Result<_>>()?
        }
        "dgb" => {
            let (dgb, owner) = view.dgb.as_ref().context("`dgb` of a machine without it")?;
            let mut state = dats::state(dgb);
            state["owner"] = json!(owner.map(|k| k.0));
            chosen(&state, expected)
        }
        "told" => {
            let told = view.told.as_ref().context("`told` of a machine whose policy is another one")?;
            let decline = match (told.has_declined, told.wake) {
                (false, _) => Value::Null,
                (true, Some(at)) => json!(at.0),
                (true, None) => json!("never"),
            };
            let stats = &view.stats;
            json!({
                "begun": u8::from(told.is_begun),
                "sent": told.sent,
                "decline": decline,
                "spell": told.spell,
                "rescuing": u8::from(told.is_rescuing),
                "units": told.units,
                "n_told": stats.told,
                "n_stalled": stats.stalled,
                "n_rescued": stats.rescued,
            })
        }
        "status" => json!(word(view.status)),
        other => modern::state(view, other)?,
    })
}

/// The state of a kernel's graph, once it has arrived.
fn graph(state: GraphState) -> Option<&'static str> {
    match state {
        GraphState::Coming => None,
        GraphState::Running => Some("run"),
        GraphState::Finished => Some("fin"),
        GraphState::Faulted => Some("fault"),
        GraphState::Aborted => Some("aborted"),
    }
}

/// LaPerm's groups, by record.
fn laperm_groups(view: &View) -> Value {
    let group = |(r, record): (&RecordId, &RecordView)| {
        let RecordStateView::Grp { kde, exe, dist, .. } = record.state else { return None };
        let group = json!([record.tag, kde.0, exe, u8::from(dist), record.prio, record.psmx.0]);
        Some((r.0.to_string(), group))
    };
    view.records.iter().filter_map(group).collect()
}

fn laperm(view: &LaPermView) -> Value {
    let unit =
        |on: &'static str| move |u: &UnitView| json!([u.tag, on, u.section, u.next, u.tbs, u.ready_at.map(|at| at.0)]);
    let on_chip = |units: &[UnitView]| units.iter().map(unit("on")).collect::<Vec<_>>();
    let queue = |(on, over): (&Vec<UnitView>, &Vec<UnitView>)| -> Value {
        on_chip(on).into_iter().chain(over.iter().map(unit("over"))).collect()
    };
    json!({
        "cur": view.cur.0,
        "rec": view.backups.iter().map(|b| b.unit.map(|u| u.0)).collect::<Vec<_>>(),
        "kptr": view.kptr.0,
        "pool_free": view.pool_free,
        "queues": view.queues.iter().zip(&view.overflow).map(queue).collect::<Vec<_>>(),
        "q0": on_chip(&view.queue0),
    })
}

/// Those of an object's fields that another one has.
fn chosen(all: &Value, like: &Value) -> Value {
    let keys = like.as_object().into_iter().flat_map(Map::keys);
    keys.map(|key| (key.clone(), all[key].clone())).collect()
}

fn unit(group: Option<GroupRef>) -> String {
    group.map_or("N".into(), group_ref)
}

fn load_code(load: LoadView) -> u8 {
    match load {
        LoadView::NotAsked => 0,
        LoadView::Waiting => 1,
        LoadView::Here => 2,
    }
}

/// Tried entries in line, with their cursors.
fn tried(view: &View) -> impl Iterator<Item = (usize, u8, CursorView)> {
    view.fcfs.iter().enumerate().filter_map(|(i, k)| Some((i, k.0, view.kdes.get(k)?.cursor?)))
}

fn sscr(view: &View) -> Value {
    match tried(view).find(|(i, ..)| *i == 0) {
        None => Value::Null,
        Some((_, k, c)) => json!({"kdei": k, "agei": unit(c.group), "nextbl": c.next_bl, "load": load_code(c.load)}),
    }
}

fn cursors(view: &View) -> Value {
    let behind = tried(view).filter(|(i, ..)| *i > 0);
    behind.map(|(_, k, c)| json!([k, unit(c.group), c.next_bl, load_code(c.load)])).collect()
}

fn kde(e: &KdeView) -> Value {
    let state = if e.arrives.is_none() { "act" } else { "arr" };
    let (saved, restored) = e.saved;
    json!({
        "st": state,
        "tag": e.tag,
        "marked": u8::from(e.mark.is_some()),
        "first": u8::from(e.mark == Some(true)),
        "nagei": unit(e.chain.map(|(next, _)| next)),
        "lagei": unit(e.chain.map(|(_, last)| last)),
        "exe": e.exe,
        "live": e.live,
        "next": e.next_native,
        "restore": saved - restored,
    })
}

/// Live groups in a place that has a number.
fn groups(view: &View, number: impl Fn(GroupRef) -> Option<u32>) -> Value {
    let group = |record: &RecordView| {
        let RecordStateView::Grp { at, kde, next, exe, dist } = record.state else { return None };
        let group = json!({"tag": record.tag, "kde": kde.0, "next": unit(next), "exe": exe, "dist": u8::from(dist)});
        Some((number(at)?.to_string(), group))
    };
    view.records.values().filter_map(group).collect()
}

fn records(view: &View) -> Value {
    let count = |is: fn(&RecordStateView) -> bool| view.records.values().filter(|r| is(&r.state)).count();
    json!({
        "agg": count(|s| matches!(s, RecordStateView::Agg(_))),
        "dev": count(|s| matches!(s, RecordStateView::Dev(_))),
        "grp": count(|s| matches!(s, RecordStateView::Grp { .. })),
    })
}

fn tbs(view: &View, form: impl Fn(&TbView) -> Value) -> Value {
    view.tbs.iter().map(form).collect()
}

fn gates(view: &View) -> Value {
    let per_smx = |f: fn(&ClassCap) -> u8| -> Value {
        view.classes.iter().map(|(_, caps, _)| caps.iter().map(f).collect::<Vec<_>>()).collect()
    };
    json!({
        "eligible": view.eligible[0],
        "block": view.block_caps,
        "classes": view.classes.iter().map(|(pc, ..)| pc).collect::<Vec<_>>(),
        "cap": per_smx(|c| c.cap),
        "by": per_smx(|c| c.by),
    })
}
