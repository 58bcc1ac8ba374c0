//! The visible state of a front end in the form of the vectors' state keys.

use anyhow::{Result, bail, ensure};
use gpusched::{
    ClassId, Cursor, FrontEnd, GroupView, HwqId, Id, KernelSlot, Load, Phase, RecordState, SmxId, Status, Tables,
    WaitingHead,
};
use serde_json::{Map, Value, json};

use super::{group_ref, tb_ref};

/// One state key. `expected` is asked only for which of the optional parts it lists.
pub fn get<T: Tables>(gpu: &FrontEnd<T>, key: &str, expected: &Value) -> Result<Value> {
    Ok(match key {
        "now" => json!(gpu.now().0),
        "rr" => json!(gpu.rr().0),
        "fcfs" => gpu.fcfs().map(|k| json!(k.0)).collect(),
        "sscr" => sscr(gpu),
        "cursors" => cursors(gpu),
        "kde" => gpu.kdes().map(|(k, _)| (k.0.to_string(), kde(gpu, k))).collect(),
        "entry" => {
            let entry = |e: &gpusched::Kde| json!([0, e.kernel.psmx.map(|s| s.0), 0, Value::Null]);
            gpu.kdes().map(|(k, e)| (k.0.to_string(), entry(e))).collect()
        }
        "agt" => gpu.agt().map(|(age, g)| (age.0.to_string(), group(&g))).collect(),
        "spill" => gpu.spilled().map(|(r, g)| (r.0.to_string(), group(&g))).collect(),
        "rec" => records(gpu),
        "hwq" => hwqs(gpu),
        "susp" => suspended(gpu),
        "smx" => smxs(gpu),
        "tbcr" => tbs(gpu, |t| json!([t.smx.0, t.slot.0, t.kde.0, tb_ref(t.tb_ref), t.blkid])),
        "tbx" => tbs(gpu, |t| json!([t.smx.0, t.slot.0, 0, t.class.map(|c| c.0), u8::from(t.bypass)])),
        "gates" => {
            ensure!(gpu.config().n_smx <= 64, "`gates` has no form for more than 64 SMXs");
            gates(gpu)
        }
        "stats" => chosen(&serde_json::to_value(gpu.stats())?, expected),
        "stats2" => {
            let mut stats = serde_json::to_value(gpu.stats())?;
            stats["graph_tbs"] = json!(0);
            stats["samples"] = json!(0);
            chosen(&stats, expected)
        }
        "status" => json!(match gpu.status() {
            Status::Running => "running",
            Status::Gated => "gated",
            Status::KdBlocked => "kd_blocked",
            Status::Suspended => "suspended",
            Status::HwqBlocked => "hwq_blocked",
            Status::Retained => "retained",
            Status::Drained => "drained",
        }),
        other => bail!("state `{other}` is not part of this machine"),
    })
}

/// The answer of the query `waiting_head`.
pub fn waiting_head(head: Option<WaitingHead>) -> Value {
    match head {
        None => json!("ok"),
        Some(WaitingHead { tag, need, allowed }) => {
            json!({"tag": tag, "res": [need.threads, need.regs, need.smem, 1], "allowed": allowed.words()[0]})
        }
    }
}

/// Those of an object's fields that another one has.
fn chosen(all: &Value, like: &Value) -> Value {
    let keys = like.as_object().into_iter().flat_map(Map::keys);
    keys.map(|key| (key.clone(), all[key].clone())).collect()
}

fn unit<T: Tables>(gpu: &FrontEnd<T>, group: Option<gpusched::RecordId>) -> String {
    group.and_then(|r| gpu.group_location(r)).map_or("N".into(), group_ref)
}

fn load_code(load: Load) -> u8 {
    match load {
        Load::NotAsked => 0,
        Load::Waiting(_) => 1,
        Load::Here => 2,
    }
}

/// NextBL: of the group being sent, else of the kernel's own grid.
fn next_bl<T: Tables>(gpu: &FrontEnd<T>, k: KernelSlot, cursor: &Cursor) -> u32 {
    match cursor.group {
        Some(_) => cursor.next_bl,
        None => gpu.kde(k).map_or(0, |e| e.kernel.next_native),
    }
}

fn sscr<T: Tables>(gpu: &FrontEnd<T>) -> Value {
    let head = gpu.fcfs().next();
    let cursor = head.and_then(|k| Some((k, gpu.kde(k)?.cursor()?)));
    match cursor {
        None => Value::Null,
        Some((k, c)) => {
            json!({"kdei": k.0, "agei": unit(gpu, c.group), "nextbl": next_bl(gpu, k, c), "load": load_code(c.load)})
        }
    }
}

fn cursors<T: Tables>(gpu: &FrontEnd<T>) -> Value {
    let behind = gpu.fcfs().skip(1).filter_map(|k| Some((k, gpu.kde(k)?.cursor()?)));
    behind.map(|(k, c)| json!([k.0, unit(gpu, c.group), next_bl(gpu, k, c), load_code(c.load)])).collect()
}

fn kde<T: Tables>(gpu: &FrontEnd<T>, k: KernelSlot) -> Value {
    let Some(e) = gpu.kde(k) else { return Value::Null };
    let state = if e.phase == Phase::Active { "act" } else { "arr" };
    json!({
        "st": state,
        "tag": e.kernel.descriptor.tag,
        "marked": u8::from(e.mark.is_some()),
        "first": u8::from(e.mark.is_some_and(|m| m.first)),
        "nagei": unit(gpu, e.chain.map(|c| c.next)),
        "lagei": unit(gpu, e.chain.map(|c| c.last)),
        "exe": e.exe,
        "live": e.live,
        "next": e.kernel.next_native,
        "restore": e.kernel.saved - e.restored,
    })
}

fn group(g: &GroupView) -> Value {
    let next = g.next.map_or("N".into(), group_ref);
    json!({"tag": g.tag, "kde": g.kde.0, "next": next, "exe": g.exe, "dist": u8::from(g.dist)})
}

fn records<T: Tables>(gpu: &FrontEnd<T>) -> Value {
    let count = |is: fn(&RecordState) -> bool| {
        let all = (0..gpu.config().pend_limit).filter_map(|r| gpu.record(gpusched::RecordId(r)));
        all.filter(|r| is(&r.state)).count()
    };
    json!({
        "agg": count(|s| matches!(s, RecordState::Agg { .. })),
        "dev": count(|s| matches!(s, RecordState::Dev)),
        "grp": count(|s| matches!(s, RecordState::Grp(_))),
    })
}

fn hwqs<T: Tables>(gpu: &FrontEnd<T>) -> Value {
    let all = (0..gpu.config().n_hwq).map(|q| HwqId(q as u8)).filter_map(|q| Some((q, gpu.hwq(q)?)));
    let used = all.filter(|(_, h)| h.busy || h.len > 0);
    used.map(|(q, h)| (q.0.to_string(), json!({"busy": u8::from(h.busy), "len": h.len}))).collect()
}

fn suspended<T: Tables>(gpu: &FrontEnd<T>) -> Value {
    let all = (0..gpu.config().susp_cap).map(|i| gpusched::SuspId(i as u8));
    let taken = all.filter_map(|i| Some((i, gpu.suspended(i)?)));
    taken
        .map(|(i, s)| {
            let kernel = &s.kernel;
            let ready = u8::from(s.resumed.is_some());
            (i.0.to_string(), json!({"tag": kernel.descriptor.tag, "saved": kernel.saved, "ready": ready}))
        })
        .collect()
}

fn all_smxs<T: Tables>(gpu: &FrontEnd<T>) -> impl Iterator<Item = SmxId> {
    (0..gpu.config().n_smx as usize).map(SmxId::from_index)
}

fn smxs<T: Tables>(gpu: &FrontEnd<T>) -> Value {
    let free = all_smxs(gpu).filter_map(|s| gpu.smx(s));
    free.map(|s| json!([s.slots.count_ones(), s.threads, s.regs, s.smem])).collect()
}

fn tbs<T: Tables>(gpu: &FrontEnd<T>, form: impl Fn(gpusched::TbView) -> Value) -> Value {
    gpu.resident_tbs().map(form).collect()
}

fn gates<T: Tables>(gpu: &FrontEnd<T>) -> Value {
    let classes = || (0..gpu.config().n_class as usize).map(ClassId::from_index);
    let per_smx = |f: &dyn Fn(&gpusched::ClassCap) -> u8| -> Value {
        classes().map(|c| all_smxs(gpu).filter_map(|s| gpu.class_cap(c, s)).map(f).collect::<Vec<_>>()).collect()
    };
    json!({
        "eligible": gpu.eligible().words()[0],
        "block": all_smxs(gpu).filter_map(|s| gpu.block_cap(s)).collect::<Vec<_>>(),
        "classes": classes().map(|c| gpu.class(c)).collect::<Vec<_>>(),
        "cap": per_smx(&|c| c.cap),
        "by": per_smx(&|c| c.by),
    })
}
