//! Answers in the form of the vectors.

use anyhow::{Context, Result, ensure};
use gpusched::dats::GraphError;
use gpusched::power::Sample;
use gpusched::{
    Cycle, Decision, Fault, GroupRef, IssueSource, Kmu, Offer, OfferId, Resources, Sched, TbRef, Tick, Words,
};
use serde_json::{Map, Value, json};

use super::super::{bubble, dats, word};
use crate::events;

/// The `ret` of an answer.
pub fn ret(answer: &events::Answer) -> Value {
    match &answer.value {
        Err(fault) => json!(obstacle(*fault).unwrap_or(fault.name())),
        Ok(events::Value::Number(n)) => json!(n),
        Ok(events::Value::Records(records)) => records.iter().map(|r| json!(r.0)).collect(),
        Ok(events::Value::Head(Some(head))) => {
            let need = head.need;
            let res = [need.threads, need.regs, need.smem, 1];
            json!({"tag": head.tag, "res": res, "allowed": head.allowed.words()[0]})
        }
        Ok(events::Value::Graph(Err(error @ (GraphError::NoDgb | GraphError::MidCycle)))) => {
            json!(error.fault().name())
        }
        Ok(events::Value::Graph(answered)) => dats::answered(answered),
        Ok(events::Value::Kmu(kmu)) => the_word(&words(&counted(Sched::Idle, *kmu)).1),
        Ok(events::Value::Sched(sched)) => the_word(&words(&counted(*sched, Kmu::Empty)).0),
        Ok(events::Value::Offers(offers)) => offers.iter().map(offer).collect(),
        Ok(events::Value::Piece(id)) => json!(name(*id)),
        Ok(events::Value::Cycles(n)) => json!(n),
        Ok(events::Value::Next(Some(at))) => json!(at.0),
        Ok(events::Value::Done | events::Value::Words(_) | events::Value::Head(None) | events::Value::Next(None)) => {
            json!("ok")
        }
    }
}

/// The `sched` and `kmu` of a run: words that were the answer at least once.
pub fn words(words: &Words) -> (Value, Value) {
    let sched = [
        ("tb", words.tb),
        ("idle", words.idle),
        ("load", words.load),
        ("noroom", words.noroom),
        ("gated", words.gated),
        ("capped", words.capped),
        ("no_fit", words.no_fit),
        ("no_candidate", words.no_candidate),
        ("masked", words.masked),
        ("g_NoReady", words.g_no_ready),
        ("g_Head", words.g_head),
        ("g_LevelBound", words.g_level_bound),
        ("g_Deadlock", words.g_deadlock),
        ("g_GraphFault", words.g_fault),
        ("told", words.told),
        ("frag", words.frag),
        ("quota", words.quota),
    ];
    let kmu = [
        ("issue", words.issue),
        ("empty", words.empty),
        ("busy", words.busy),
        ("kdfull", words.kdfull),
        ("dgbusy", words.dgbusy),
    ];
    (counts(&sched), counts(&kmu))
}

/// One cycle with these words.
fn counted(sched: Sched, kmu: Kmu) -> Words {
    let mut words = Words::default();
    words.count(&Tick { sched, kmu }, 1);
    words
}

/// The only word that was counted.
fn the_word(counts: &Value) -> Value {
    counts.as_object().and_then(|words| words.keys().next()).map_or(Value::Null, |word| json!(word))
}

fn counts(words: &[(&str, u64)]) -> Value {
    words.iter().filter(|(_, n)| *n > 0).map(|&(word, n)| (word.to_owned(), json!(n))).collect::<Map<_, _>>().into()
}

/// A group as vectors name it.
pub fn group_ref(group: GroupRef) -> String {
    match group {
        GroupRef::Age(a) => format!("a{}", a.0),
        GroupRef::Record(r) => format!("s{}", r.0),
        GroupRef::Unit(r) => format!("g{}", r.0),
    }
}

/// What a TB is part of.
pub fn tb_ref(tb: TbRef) -> String {
    match tb {
        TbRef::Native => "N".into(),
        TbRef::Restored => "R".into(),
        TbRef::Node => "V".into(),
        TbRef::Group(group) => group_ref(group),
    }
}

/// The `out` of an answer.
///
/// # Errors
/// A sample without a record, or one that has no form.
pub fn out(answer: &events::Answer) -> Result<Value> {
    let mut samples = answer.samples.iter();
    let mut form = |&(at, decision): &(Cycle, Decision)| match decision {
        Decision::Sample { waiting } => {
            let (of, record) = samples.next().context("a sample without its record")?;
            ensure!(*of == at, "the record of the sample of {at:?} is of {of:?}");
            Ok(json!(["sample", at.0, sample(record, waiting)?]))
        }
        other => Ok(plain(at, other)),
    };
    answer.decisions.iter().map(&mut form).collect()
}

/// The fields of a sample record that say something.
fn sample(record: &Sample, waiting: Option<u64>) -> Result<Value> {
    let mut fields = bubble::record(record)?;
    let object = fields.as_object_mut().context("a record is an object")?;
    let says_nothing = |value: &Value| value.is_null() || *value == 0 || *value == false;
    object.retain(|name, value| name == "eligible" || name == "resume" && !value.is_null() || !says_nothing(value));
    object.insert("waiting".into(), json!(waiting));
    Ok(fields)
}

/// A decision that needs no record.
fn plain(at: Cycle, decision: Decision) -> Value {
    let t = at.0;
    match decision {
        Decision::Place { tag, place, unit, level, evicted } => {
            json!(["place", t, tag, word(place), unit.map(|u| u.0), level, evicted])
        }
        Decision::Lap { stage, prio } => json!(["lap", t, stage as u8, prio]),
        Decision::Refill { tag } => json!(["refill", t, tag]),
        Decision::Sample { .. } => Value::Null,
        Decision::Issue { source, tag, kde } => {
            let source = match source {
                IssueSource::Hwq(q) => format!("h{}", q.0),
                IssueSource::Device => "d".into(),
                IssueSource::Suspended => "s".into(),
                IssueSource::Node(i) => format!("k{}", i.0),
            };
            json!(["issue", t, source, tag, kde.0])
        }
        Decision::Arrive { kde, tag } => json!(["arrive", t, kde.0, tag]),
        Decision::Join { tag, kde, group } => json!(["join", t, tag, kde.0, group_ref(group)]),
        Decision::Fall { tag, cause } => json!(["fall", t, tag, word(cause)]),
        Decision::Load { record } => json!(["load", t, record.0]),
        Decision::Tb(tb) => json!(["tb", t, tb.smx.0, tb.slot.0, tb.kde.0, tb_ref(tb.tb_ref), tb.blkid]),
        Decision::Bypass { smx, slot } => json!(["bypass", t, smx.0, slot.0]),
        Decision::Unmark { kde } => json!(["unmark", t, kde.0]),
        Decision::Rotate { kde } => json!(["rotate", t, kde.0]),
        Decision::GroupDone { tag, group } => json!(["gdone", t, tag, group_ref(group)]),
        Decision::KernelDone { kde, tag } => json!(["kdone", t, kde.0, tag]),
        Decision::Stalled => json!(["stalled", t]),
        Decision::Complete { tag } => json!(["complete", t, tag]),
        Decision::Opened { kde, tag } => json!(["opened", t, kde.0, tag]),
        Decision::Released { smx, slot } => json!(["released", t, smx.0, slot.0]),
        Decision::KgraphStart { instance, graph, queue } => json!(["kgstart", t, instance.0, graph.0, queue.0]),
        Decision::KgraphDone { instance, graph } => json!(["kgdone", t, instance.0, graph.0]),
        Decision::Tail { tag } => json!(["tail", t, tag]),
        Decision::HwqFree { queue } => json!(["hwqfree", t, queue.0]),
        Decision::Saved { smx, slot, tb_ref: r, blkid } => json!(["saved", t, smx.0, slot.0, tb_ref(r), blkid]),
        Decision::GraphDone { kde } => json!(["gfin", t, kde.0]),
        Decision::GraphFault { kde, kind, node } => json!(["gfault", t, kde.0, format!("{kind:?}"), node.0]),
        Decision::GraphAbort { kde, executing } => json!(["gabort", t, kde.0, executing]),
        Decision::Suspend { kde, index } => json!(["susp", t, kde.0, index.0]),
        Decision::Cluster { kde, cluster, gpc, tbs } => json!(["cluster", t, kde.0, cluster, gpc.0, tbs]),
        Decision::Drained { drain } => json!(["drained", t, drain.0]),
        Decision::DrainEnd { drain } => json!(["drain_end", t, drain.0]),
        Decision::Save { kde, until } => json!(["save", t, kde.0, until.0]),
        Decision::Restore { smx, slot, cycles } => json!(["restore", t, smx.0, slot.0, cycles]),
    }
}

/// A fault of a send that says which obstacle it met.
fn obstacle(fault: Fault) -> Option<&'static str> {
    Some(match fault {
        Fault::ClosedK => "Closed K",
        Fault::ClosedR => "Closed R",
        Fault::ClosedE => "Closed E",
        Fault::ClosedX => "Closed X",
        Fault::ClosedM => "Closed M",
        _ => return None,
    })
}

/// The name of an offer.
pub fn name(id: OfferId) -> String {
    match id {
        OfferId::Entry(k) => format!("k{}", k.0),
        OfferId::Record(r) => format!("g{}", r.0),
        OfferId::Piece(p) => format!("p{}", p.0),
    }
}

/// An offer (policy-P4).
fn offer(offer: &Offer) -> Value {
    let Resources { threads, regs, smem, slots } = offer.res;
    json!({
        "id": name(offer.id),
        "kind": word(offer.kind),
        "tag": offer.tag,
        "res": [threads, regs, smem, slots],
        "blkid": offer.blkid,
        "left": offer.left,
        "prio": offer.prio,
        "psmx": offer.psmx.map(|s| s.0),
        "cls": offer.class_id.map(|c| c.0),
        "key": [offer.key.ready.0, offer.key.no],
        "open": offer.open.words()[0],
        "capped": offer.capped.words()[0],
        "load": word(offer.load),
    })
}
