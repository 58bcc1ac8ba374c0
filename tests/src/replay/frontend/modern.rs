//! What the vectors of `modern` add to the form: the configuration, sets of SMXs, contexts, and what is seen of them.

use anyhow::{Context, Result, bail};
use gpusched::{Cluster, Descriptor, Dim3, Fault, Id, IdSet, Numbering, SmxSet, Topology, Victim};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::event::{number, optional_number, three};
use crate::events::Event;
use crate::view::{KdeView, View};

/// Puts the topology and the contexts of a configuration into the form that the library reads. What each context has, which is
/// given to it once the machine is built; or the fault of what has no form there.
///
/// # Errors
/// Contexts that do not have the form of the README.
pub fn configure(parameters: &mut Map<String, Value>) -> Result<Result<Vec<Event>, Fault>> {
    if let Some(given) = parameters.get_mut("topology") {
        match topology(given) {
            Ok(topology) => *given = serde_json::to_value(topology)?,
            Err(fault) => return Ok(Err(fault)),
        }
    }
    let Some(partition) = parameters.get_mut("partition").and_then(Value::as_object_mut) else {
        return Ok(Ok(Vec::new()));
    };
    let Some(contexts) = partition.get("contexts").and_then(Value::as_array).cloned() else {
        return Ok(Err(Fault::BadConfig));
    };
    partition.insert("contexts".into(), json!(contexts.len()));
    let mut events = Vec::new();
    for (c, context) in contexts.iter().enumerate() {
        let known = ["smx", "gpcs", "quota", "kde"];
        let is_known = |fields: &Map<String, Value>| fields.keys().all(|key| known.contains(&key.as_str()));
        if !context.as_object().is_some_and(is_known) {
            return Ok(Err(Fault::BadConfig));
        }
        events.push(set_context(c as u32, context)?);
    }
    Ok(Ok(events))
}

/// The name of a preset, or GPCs as lists of the sizes of their TPCs, and the SMXs that are for pairs only.
fn topology(given: &Value) -> Result<Topology, Fault> {
    if let Some(name) = given.as_str() {
        return Topology::preset(name).ok_or(Fault::BadConfig);
    }
    let fields = given.as_object().ok_or(Fault::BadConfig)?;
    if fields.keys().any(|key| !["gpcs", "numbering", "pair_only"].contains(&key.as_str())) {
        return Err(Fault::BadConfig);
    }
    let gpcs = Vec::<Vec<u32>>::deserialize(&given["gpcs"]).map_err(|_| Fault::BadConfig)?;
    let numbering = match fields.get("numbering").filter(|numbering| !numbering.is_null()) {
        Some(numbering) => Numbering::deserialize(numbering).map_err(|_| Fault::BadConfig)?,
        None => Numbering::Gpc,
    };
    let topology = Topology::new(&gpcs.iter().map(Vec::as_slice).collect::<Vec<_>>(), numbering)?;
    let pair_only = match fields.get("pair_only") {
        Some(smxs) => Vec::deserialize(smxs).ok().and_then(|smxs| set(&smxs)).ok_or(Fault::BadConfig)?,
        None => SmxSet::EMPTY,
    };
    Ok(Topology { pair_only, ..topology })
}

/// What a context is to have.
///
/// # Errors
/// Fields that are no numbers or lists of numbers.
pub fn set_context(context: u32, fields: &Value) -> Result<Event> {
    Ok(Event::SetContext {
        context,
        smxs: distinct(fields, "smx")?,
        gpcs: distinct(fields, "gpcs")?,
        quota: optional_number(fields, "quota")?,
        kdes: optional_number(fields, "kde")?,
    })
}

/// The SMXs that are to be drained.
///
/// # Errors
/// A field that is no list of numbers.
pub fn smxs(step: &Value) -> Result<SmxSet> {
    let numbers = numbers(step, "smx")?.context("`smx` is not a list")?;
    // No set holds a number beyond 255; what is empty is refused as well.
    Ok(set(&numbers).unwrap_or(SmxSet::EMPTY))
}

/// A set whose list names nothing twice. There is no set of another list, so that it is the empty one, which is refused as
/// well.
fn distinct<I: Id>(fields: &Value, name: &str) -> Result<Option<IdSet<I>>> {
    let Some(mut numbers) = numbers(fields, name)? else { return Ok(None) };
    let given = numbers.len();
    numbers.sort_unstable();
    numbers.dedup();
    Ok(Some(set(&numbers).filter(|_| numbers.len() == given).unwrap_or(IdSet::EMPTY)))
}

fn numbers(fields: &Value, name: &str) -> Result<Option<Vec<i64>>> {
    if fields[name].is_null() {
        return Ok(None);
    }
    let list = Vec::<i64>::deserialize(&fields[name]);
    list.map(Some).with_context(|| format!("`{name}` is not a list of numbers: {}", fields[name]))
}

fn set<I: Id>(numbers: &[i64]) -> Option<IdSet<I>> {
    let mut set = IdSet::EMPTY;
    for &number in numbers {
        set.set(I::from_index(u8::try_from(number).ok()?.into()), true);
    }
    Some(set)
}

/// The cluster of a launch, if it gives one.
///
/// # Errors
/// Fields that do not have the form.
pub fn cluster(step: &Value) -> Result<Cluster> {
    let nonportable = optional_number::<u32>(step, "nonportable")?.unwrap_or(0).min(1) as u8;
    if step["cluster"].is_null() {
        return Ok(Cluster { nonportable, ..Cluster::default() });
    }
    let cluster = match three(step, "cluster")? {
        // Without any dimension it would be none; with one it is as empty.
        Dim3 { x: 0, y: 0, z: 0 } => Cluster::new(0, 0, 1),
        Dim3 { x, y, z } => Cluster::new(x, y, z),
    };
    Ok(Cluster { nonportable, ..cluster })
}

/// The question how many clusters of a kernel fit.
///
/// # Errors
/// Fields that do not have the form.
pub fn max_active_clusters(step: &Value) -> Result<Event> {
    let kernel = Descriptor {
        grid: Dim3::linear(1),
        tb: three(step, "tb")?,
        regs: optional_number(step, "regs")?.unwrap_or(0),
        smem: optional_number(step, "smem")?.unwrap_or(0),
        cluster: cluster(step)?,
        ..Descriptor::default()
    };
    Ok(Event::MaxActiveClusters { kernel, context: optional_number(step, "ctx")?.unwrap_or(0) })
}

/// A stream's context and priority.
///
/// # Errors
/// Fields that do not have the form.
pub fn set_stream(step: &Value) -> Result<Event> {
    let (context, priority) = (optional_number(step, "ctx")?, optional_number(step, "prio")?);
    Ok(Event::SetStream { stream: number(step, "stream")?, context, priority })
}

/// A piece of the visible state.
///
/// # Errors
/// A key that names none, or one of a part that is off.
pub fn state(view: &View, key: &str) -> Result<Value> {
    Ok(match key {
        "topo" => {
            let (gpcs, tpcs) = view.topology.as_ref().context("`topo` of a machine without it")?;
            json!({"gpcs": sets(gpcs), "tpcs": sets(tpcs)})
        }
        "clusters" => {
            let (grr, crr) = view.clusters.as_ref().context("`clusters` of a machine without them")?;
            let tb = |tb: &gpusched::TbView| tb.cluster.map(|cluster| json!([tb.smx.0, tb.slot.0, cluster, tb.rank]));
            let unit = |kde: &KdeView| (kde.unit > 0).then(|| json!(kde.unit));
            json!({
                "grr": grr,
                "crr": crr,
                "tbs": view.tbs.iter().filter_map(tb).collect::<Vec<_>>(),
                "unit": by_entry(view, unit),
            })
        }
        "prio" => by_entry(view, |kde| Some(json!(kde.owner.1))),
        "ctx" => {
            let contexts = view.contexts.as_ref().context("`ctx` of a machine without contexts")?;
            let kdes = |c: usize| -> Vec<u8> {
                view.kdes.iter().filter(|(_, kde)| usize::from(kde.owner.0) == c).map(|(k, _)| k.0).collect()
            };
            let context = |(c, context): (usize, &gpusched::ContextView)| {
                json!([list(&context.smxs), context.limit, context.kdes, context.threads, kdes(c)])
            };
            contexts.iter().enumerate().map(context).collect()
        }
        "streams" => {
            let stream = |(stream, &(context, prio)): (&u32, &(u8, u8))| (stream.to_string(), json!([context, prio]));
            view.streams.iter().map(stream).collect()
        }
        "drains" => {
            let request = |drain: &gpusched::DrainView| {
                let (kind, of) = match drain.victim {
                    Victim::Kernel { kde } => ("kernel", json!(kde.0)),
                    Victim::Context { context } => ("ctx", json!(context.0)),
                    Victim::All => ("all", Value::Null),
                };
                json!([kind, of, list(&drain.smxs), u8::from(drain.is_done)])
            };
            view.drains.iter().map(|(i, drain)| (i.to_string(), request(drain))).collect()
        }
        "saving" => by_entry(view, |kde| kde.saving.map(|until| json!(until))),
        other => bail!("state `{other}` is not part of this machine"),
    })
}

/// Of each entry what is to be said of it.
fn by_entry(view: &View, of: impl Fn(&KdeView) -> Option<Value>) -> Value {
    view.kdes.iter().filter_map(|(k, kde)| Some((k.0.to_string(), of(kde)?))).collect()
}

fn list(smxs: &SmxSet) -> Vec<u16> {
    smxs.iter().map(|smx| smx.0).collect()
}

fn sets(all: &[SmxSet]) -> Vec<Vec<u16>> {
    all.iter().map(list).collect()
}
