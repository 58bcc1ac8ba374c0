//! Vectors of `dats`. Their form is described in the README beside them.

use anyhow::{Context, Result, anyhow, bail, ensure};
use gpusched::{Dim3, KernelSlot, SmxId, SmxSet};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Difference, Face, Outcome};
use crate::dats::deplinks::{Built, Link};
use crate::dats::event::{Answer, Answered, Event};
use crate::dats::view::{Resident, View};
use crate::dats::{Machine, OfCore, Parts};
use crate::through_c::dats::OfC;
use gpusched::dats::{
    Admission, Completion, DepLinksError, DgbConfig, GraphError, GraphFaultKind, GraphHeader, GraphLaunch, GraphPolicy,
    Node, NodeFlaw, NodeId, NodeState, Pending, Phase, Report, Request, Selection, Stall,
};

/// Replays one vector on parts that are reached as `face` says.
///
/// # Errors
/// A vector that does not have the form of its README.
pub fn replay(vector: &Value, face: Face) -> Result<Outcome> {
    match face {
        Face::Rust => replay_on::<OfCore>(vector),
        Face::C => replay_on::<OfC>(vector),
    }
}

/// Replays one vector on parts of one hand.
///
/// # Errors
/// A vector that does not have the form of its README.
pub fn replay_on<P: Parts>(vector: &Value) -> Result<Outcome> {
    known_keys(vector, "name about unit config steps")?;
    let unit = vector["unit"].as_str().context("`unit` is not a text")?;
    ensure!(["dats", "deplinks", "admit"].contains(&unit), "no unit `{unit}`");
    let config = config(&DgbConfig::default(), &vector["config"])?;
    let mut machine = match P::machine(&config) {
        Ok(machine) => machine,
        Err(field) => {
            let got = format!("BadConfig of `{field}` for {}", vector["config"]);
            return Ok(Outcome::Differs(Difference { step: None, expected: "a machine".into(), got }));
        }
    };
    let steps = vector["steps"].as_array().context("`steps` is not a list")?;
    for (i, step) in steps.iter().enumerate() {
        let of_step = || format!("step {i}");
        let expected = step.get("expect").context("a step without `expect`").with_context(of_step)?;
        let answer = answer::<P>(&config, &mut machine, step).with_context(of_step)?;
        let difference = match answer {
            Ok(got) => first_difference(expected, &got).with_context(of_step)?,
            Err(changed) => Some((expected.to_string(), changed)),
        };
        if let Some((expected, got)) = difference {
            return Ok(Outcome::Differs(Difference { step: Some(i), expected, got }));
        }
    }
    Ok(Outcome::Passed)
}

/// The answer to a step, or how the machine has changed though it refused.
fn answer<P: Parts>(config: &DgbConfig, machine: &mut P::Machine, step: &Value) -> Result<Result<Value, String>> {
    let ev = step["ev"].as_str().context("a step without `ev`")?;
    let fields = match ev {
        "build" => "grid deps stencil policies edge_cap",
        "admit" => "nodes edges config",
        "new" | "storage_bits" => "config",
        "launch" => "v e policy kdei node_base edge_base",
        "nodes" => "tag entries",
        "edges" => "tag targets",
        "spilled" => "tag",
        "select" => "fits",
        "complete" => "node",
        _ => "",
    };
    known_keys(step, &format!("ev note expect {fields}"))?;
    let of_step = || match step.get("config") {
        Some(overrides) => self::config(config, overrides),
        None => Ok(*config),
    };
    let answer = match ev {
        "build" => built(build::<P>(step)?),
        "admit" => {
            let (nodes, edges) = (nodes(&step["nodes"])?, ids(&step["edges"], "edges")?);
            json!({"ok": admission(P::admit(&of_step()?, &nodes, &edges))})
        }
        "new" => match P::machine(&of_step()?) {
            Ok(_) => json!({"ok": {}}),
            Err(field) => json!({"err": "BadConfig", "field": field}),
        },
        "storage_bits" => json!({"ok": {"bits": P::storage_bits(&of_step()?)}}),
        "state" => json!({"ok": state(&machine.view())}),
        _ => {
            let event = event(ev, step)?;
            let before = machine.mark();
            let answered = machine.take(&event);
            let sound = matches!(answered, Ok(_) | Err(GraphError::GraphFault { .. })) || machine.mark() == before;
            if !sound {
                return Ok(Err(format!("another state after {}", self::answered(&answered))));
            }
            self::answered(&answered)
        }
    };
    Ok(Ok(answer))
}

/// The first key of an expectation that the answer does not meet, with both values.
fn first_difference(expected: &Value, got: &Value) -> Result<Option<(String, String)>> {
    let whole = || Ok(Some((expected.to_string(), got.to_string())));
    if let Some(expected) = expected.get("ok") {
        return got.get("ok").map_or_else(whole, |got| differing_key(expected, got, ""));
    }
    ensure!(expected.get("err").is_some(), "`expect` has neither `ok` nor `err`: {expected}");
    let fields = expected.as_object().context("`expect` is not an object")?;
    if fields.iter().all(|(key, value)| got.get(key) == Some(value)) { Ok(None) } else { whole() }
}

/// Compares objects on the keys given.
fn differing_key(expected: &Value, got: &Value, path: &str) -> Result<Option<(String, String)>> {
    for (key, expected) in expected.as_object().context("`ok` is not an object")? {
        let path = format!("{path}{key}");
        let got = got.get(key).with_context(|| format!("`{path}` is not part of the answer {got}"))?;
        if expected.is_object() && got.is_object() {
            let inner = differing_key(expected, got, &format!("{path}."))?;
            if inner.is_some() {
                return Ok(inner);
            }
        } else if *expected != *got && !(key == "pub" && same_set(expected, got)) {
            return Ok(Some((format!("{path} {expected}"), got.to_string())));
        }
    }
    Ok(None)
}

/// The order of the PUB's entries has no meaning.
fn same_set(expected: &Value, got: &Value) -> bool {
    let sorted = |list: &Value| {
        let mut numbers = list.as_array()?.iter().map(Value::as_u64).collect::<Option<Vec<_>>>()?;
        numbers.sort_unstable();
        Some(numbers)
    };
    sorted(expected).is_some_and(|expected| Some(expected) == sorted(got))
}

fn known_keys(object: &Value, known: &str) -> Result<()> {
    let keys = object.as_object().with_context(|| format!("not an object: {object}"))?.keys();
    let unknown = keys.into_iter().find(|key| !known.split(' ').any(|k| k == *key));
    unknown.map_or(Ok(()), |key| bail!("no field `{key}`; there are: {known}"))
}

// ---- what a step says

fn config(base: &DgbConfig, overrides: &Value) -> Result<DgbConfig> {
    let mut config = serde_json::to_value(base)?;
    for (name, value) in overrides.as_object().context("`config` is not an object")? {
        // A word that Rust keeps to itself.
        let known = if name == "pub" { "pub_entries" } else { name };
        let field = config.get_mut(known).with_context(|| format!("no parameter `{name}`"))?;
        *field = value.clone();
    }
    DgbConfig::deserialize(config).with_context(|| format!("`config`: {overrides}"))
}

fn number<N: TryFrom<u64>>(value: &Value, what: &str) -> Result<N> {
    let number = value.as_u64().and_then(|n| N::try_from(n).ok());
    number.with_context(|| format!("`{what}` is not a number of its range: {value}"))
}

fn list<'a>(value: &'a Value, what: &str) -> Result<&'a Vec<Value>> {
    value.as_array().with_context(|| format!("`{what}` is not a list: {value}"))
}

fn ids(value: &Value, what: &str) -> Result<Vec<NodeId>> {
    list(value, what)?.iter().map(|n| number(n, what).map(NodeId)).collect()
}

fn nodes(value: &Value) -> Result<Vec<Node>> {
    let entry = |entry: &Value| {
        let [start, childless, parents, level] = &list(entry, "entries")?[..] else {
            bail!("a node is not a list of four numbers: {entry}")
        };
        let start = number(start, "start")?;
        ensure!(start < 1 << 31, "`start` has more than 31 bits: {start}");
        let childless = match number(childless, "childless")? {
            0u8 => false,
            1 => true,
            _ => bail!("`childless` is neither 0 nor 1: {childless}"),
        };
        Ok(Node::new(start, childless, number(parents, "parents")?, number(level, "level")?))
    };
    list(value, "entries")?.iter().map(entry).collect()
}

fn policy(value: &Value) -> Result<GraphPolicy> {
    let wrong = || anyhow!("no policy: {value}");
    match &list(value, "policy")?[..] {
        [name] if name == "lrr" => Ok(GraphPolicy::Lrr),
        [name, bound] if name == "lvl" => Ok(GraphPolicy::Lvl { bound: number(bound, "bound")? }),
        _ => Err(wrong()),
    }
}

fn event(ev: &str, step: &Value) -> Result<Event> {
    let tag = || number(&step["tag"], "tag");
    // Numbers that are too large for their type are beyond every range, too.
    let size = |key: &str| number::<u64>(&step[key], key).map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    let or_zero = |key: &str| step.get(key).map_or(Ok(0), |value| number::<u64>(value, key));
    Ok(match ev {
        "launch" => Event::Launch(GraphLaunch {
            kdei: KernelSlot(u8::try_from(or_zero("kdei")?).context("`kdei` is no entry of a kernel distributor")?),
            graph: GraphHeader {
                v: size("v")?,
                e: size("e")?,
                node_base: or_zero("node_base")?,
                edge_base: or_zero("edge_base")?,
                policy: policy(&step["policy"])?,
            },
        }),
        "poll" => Event::Poll,
        "nodes" => Event::Nodes(tag()?, nodes(&step["entries"])?),
        "edges" => Event::Edges(tag()?, ids(&step["targets"], "targets")?),
        "spilled" => Event::Spilled(tag()?),
        "select" => {
            let mut fits = SmxSet::EMPTY;
            for smx in list(&step["fits"], "fits")? {
                fits.set(SmxId(number::<u8>(smx, "fits")?.into()), true);
            }
            Event::Select(fits)
        }
        "complete" => Event::Complete(NodeId(number(&step["node"], "node")?)),
        "abort" => Event::Abort,
        other => bail!("event `{other}` is not part of this machine"),
    })
}

/// A mapping function that asks for what the step lists.
fn build<P: Parts>(step: &Value) -> Result<Result<Built, DepLinksError>> {
    let [x, y, z] = &list(&step["grid"], "grid")?[..] else { bail!("`grid` is not a list of three numbers") };
    let grid = Dim3 { x: number(x, "grid")?, y: number(y, "grid")?, z: number(z, "grid")? };
    let blocks = |value: &Value| -> Result<Vec<[i64; 3]>> {
        let block = |block: &Value| {
            let at = list(block, "block")?.iter().map(Value::as_i64).collect::<Option<Vec<_>>>();
            at.and_then(|at| at.try_into().ok()).with_context(|| format!("no block index: {block}"))
        };
        list(value, "blocks")?.iter().map(block).collect()
    };
    let stencil = step.get("stencil").map(&blocks).transpose()?;
    let deps = step.get("deps").map(|deps| list(deps, "deps")?.iter().map(blocks).collect::<Result<Vec<_>>>());
    let deps = deps.transpose()?;
    ensure!(stencil.is_some() != deps.is_some(), "either `stencil` or `deps`");
    let none = Map::new();
    let policies = match step.get("policies") {
        Some(policies) => policies.as_object().context("`policies` is not an object")?,
        None => &none,
    };
    let policy_of = |(tb, calls): (&String, &Value)| {
        let calls = list(calls, "policies")?.iter().map(policy).collect::<Result<Vec<_>>>()?;
        Ok((tb.parse::<u32>().with_context(|| format!("`{tb}` is no TB"))?, calls))
    };
    let policies = policies.iter().map(policy_of).collect::<Result<Vec<_>>>()?;
    let links = |block: Dim3| {
        let tb = block.x + grid.x * (block.y + grid.y * block.z);
        let from = |at: u32, offset: i64| i64::from(at) + offset;
        let around = stencil.iter().flatten().map(|o| [from(block.x, o[0]), from(block.y, o[1]), from(block.z, o[2])]);
        let listed = deps.iter().filter_map(|deps| deps.get(tb as usize)).flatten().copied();
        let parents = around.chain(listed).map(|[x, y, z]| Link::Parent(x, y, z));
        let calls = policies.iter().filter(|(of, _)| *of == tb).flat_map(|(_, calls)| calls);
        parents.chain(calls.map(|policy| Link::Policy(*policy))).collect()
    };
    let edge_cap = step.get("edge_cap").map_or(Ok(1 << 20), |cap| number(cap, "edge_cap"))?;
    Ok(P::build(grid, edge_cap, &links))
}

// ---- what is answered

fn policy_value(policy: GraphPolicy) -> Value {
    match policy {
        GraphPolicy::Lrr => json!(["lrr"]),
        GraphPolicy::Lvl { bound } => json!(["lvl", bound]),
    }
}

fn id_list(ids: &[NodeId]) -> Value {
    ids.iter().map(|id| json!(id.0)).collect()
}

fn built(built: Result<Built, DepLinksError>) -> Value {
    let (name, tb) = match built {
        Ok(Built { nodes, edges, order, policy, levels }) => {
            let entry = |n: &Node| json!([n.start(), u8::from(n.is_childless()), n.parents(), n.level()]);
            return json!({"ok": {
                "order": order,
                "nodes": nodes.iter().map(entry).collect::<Value>(),
                "edges": id_list(&edges),
                "policy": policy_value(policy),
                "levels": levels,
            }});
        }
        Err(DepLinksError::EmptyGrid) => return json!({"err": "EmptyGrid"}),
        Err(DepLinksError::TooManyNodes) => return json!({"err": "TooManyNodes"}),
        Err(DepLinksError::SelfDependency { tb }) => ("SelfDependency", tb),
        Err(DepLinksError::EdgeStorageFull { tb }) => ("EdgeStorageFull", tb),
        Err(DepLinksError::PolicyConflict { tb }) => ("PolicyConflict", tb),
        Err(DepLinksError::Cycle { tb }) => ("Cycle", tb),
        Err(error @ (DepLinksError::Complete | DepLinksError::Storage(_))) => return json!({"err": error.to_string()}),
    };
    json!({"err": name, "tb": tb})
}

fn admission(admission: Admission) -> Value {
    let (verdict, node) = match admission {
        Admission::Safe => ("Safe", None),
        Admission::MayDeadlock { node } => ("MayDeadlock", Some(node)),
        Admission::Deadlocks { node } => ("Deadlocks", Some(node)),
        Admission::Oversize { node } => ("Oversize", Some(node)),
    };
    json!({"verdict": verdict, "node": node.map(|n| n.0)})
}

/// An answer of the DGB as the vectors have it.
pub(crate) fn answered(answered: &Answered) -> Value {
    match answered {
        Ok(answer) => json!({"ok": match answer {
            Answer::Done => json!({}),
            Answer::Request(request) => json!({"req": request.as_ref().map(self::request)}),
            Answer::Report(report) => self::report(report),
            Answer::Selection(Selection::Dispatch { kdei, node, smx }) => {
                json!({"dispatch": {"kdei": kdei.0, "node": node.0, "smx": smx.0}})
            }
            Answer::Selection(Selection::Stall(stall)) => json!({"stall": self::stall(*stall)}),
            Answer::Selection(Selection::Finished) => json!({"finished": true}),
            Answer::Completion(Completion { report, pending }) => {
                let pending = pending.map(|pending| match pending {
                    Pending::Edges => "Edges",
                    Pending::Pub => "Pub",
                    Pending::Tail => "Tail",
                    Pending::Spill => "Spill",
                });
                let mut value = self::report(report);
                value["pending"] = json!(pending);
                value
            }
            Answer::Executing(executing) => json!({"executing": executing}),
        }}),
        Err(error) => self::error(error),
    }
}

fn request(request: &Request) -> Value {
    match *request {
        Request::Nodes { tag, first, count, addr } => {
            json!({"kind": "nodes", "tag": tag, "first": first, "count": count, "addr": addr})
        }
        Request::Edges { tag, first, count, addr } => {
            json!({"kind": "edges", "tag": tag, "first": first, "count": count, "addr": addr})
        }
        Request::Decrement { tag, node, addr } => {
            json!({"kind": "decrement", "tag": tag, "node": node.0, "addr": addr})
        }
    }
}

fn report(report: &Report) -> Value {
    let Report { finalised, updates, pub_in, pub_out, inserted, readied, finished } = *report;
    json!({
        "finalised": finalised, "updates": updates, "pub_in": pub_in, "pub_out": pub_out, "inserted": inserted,
        "readied": readied, "finished": finished,
    })
}

fn stall(stall: Stall) -> &'static str {
    match stall {
        Stall::NoReady => "NoReady",
        Stall::Head => "Head",
        Stall::LevelBound => "LevelBound",
        Stall::NoSmx => "NoSmx",
        Stall::Deadlock => "Deadlock",
    }
}

/// An error of the DGB as the vectors have it.
fn error(error: &GraphError) -> Value {
    let name = match error {
        GraphError::GraphFault { kind, node } => {
            let kind = match kind {
                GraphFaultKind::EdgeOrder => "EdgeOrder",
                GraphFaultKind::ParentUnderflow => "ParentUnderflow",
                GraphFaultKind::ParentExcess => "ParentExcess",
            };
            return json!({"err": "GraphFault", "kind": kind, "node": node.0});
        }
        GraphError::BadGraph { node, what } => {
            let what = match what {
                NodeFlaw::EdgeStart => "EdgeStart",
                NodeFlaw::Childless => "Childless",
                NodeFlaw::Oversize => "Oversize",
                NodeFlaw::Level => "Level",
                NodeFlaw::Parents => "Parents",
            };
            return json!({"err": "BadGraph", "node": node.0, "what": what});
        }
        GraphError::BadEdge { edge } => return json!({"err": "BadEdge", "edge": edge}),
        GraphError::BadSmx { smx } => return json!({"err": "BadSmx", "smx": smx.0}),
        GraphError::NotRunning { node } => return json!({"err": "NotRunning", "node": node.0}),
        GraphError::Busy => "Busy",
        GraphError::EmptyGraph => "EmptyGraph",
        GraphError::TooManyNodes => "TooManyNodes",
        GraphError::TooManyEdges => "TooManyEdges",
        GraphError::Misaligned => "Misaligned",
        GraphError::AddressOverflow => "AddressOverflow",
        GraphError::StaleTag => "StaleTag",
        GraphError::BadLength => "BadLength",
        GraphError::NotLaunched => "NotLaunched",
        GraphError::NoDgb => "NoDgb",
    };
    json!({"err": name})
}

/// The whole state as the vectors have it; of a faulted machine only the fault.
pub(crate) fn state(view: &View) -> Value {
    let View {
        phase,
        window,
        fetched,
        edges,
        resident,
        lea,
        pending_updates,
        nib,
        spilling,
        deadlock,
        next_smx,
        stats,
    } = view;
    let phase = match phase {
        &Phase::Faulted { kind, node } => return json!({"fault": error(&GraphError::GraphFault { kind, node })}),
        Phase::Idle => "idle",
        Phase::Running => "running",
        Phase::Finished => "finished",
    };
    let entry = |r: &Resident| {
        let state = match r.state {
            NodeState::Waiting => "W",
            NodeState::Ready => "R",
            NodeState::Executing => "P",
            NodeState::Pending => "P!",
            NodeState::Done => "D",
        };
        json!([r.node.0, state, r.parents, r.level, r.les.map_or(-1, i64::from)])
    };
    json!({
        "phase": phase,
        "fault": null,
        "tail": window.0,
        "head": window.1,
        "fetched": fetched,
        "tail_edge": edges.0,
        "edge_head": edges.1,
        "window": resident.iter().map(entry).collect::<Value>(),
        "lea": lea.iter().map(|child| json!(child.map(|c| c.0))).collect::<Value>(),
        "pub": id_list(pending_updates),
        "nib": nib.iter().map(|(node, parents)| json!([node.0, parents])).collect::<Value>(),
        "spilling": spilling.map(|n| n.0),
        "deadlock": deadlock.map(|n| n.0),
        "next_smx": next_smx.0,
        "stats": {
            "dispatched": stats.dispatched,
            "node_requests": stats.node_requests,
            "edge_requests": stats.edge_requests,
            "spills": stats.spills,
            "pub_max": stats.pub_max,
            "max_level_range": stats.max_level_range,
        },
    })
}
