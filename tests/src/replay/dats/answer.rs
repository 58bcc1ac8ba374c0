//! Answers as the vectors have them.

use serde_json::{Value, json};

use gpusched::dats::{
    Admission, DepLinksError, GraphError, GraphPolicy, Node, NodeId, NodeState, Phase, Report, Request, Selection,
};

use crate::dats::deplinks::Built;
use crate::dats::view::{Resident, View};
use crate::dats::{Answer, Answered};
use crate::replay::word;

pub(super) fn policy_value(policy: GraphPolicy) -> Value {
    match policy {
        GraphPolicy::Lrr => json!(["lrr"]),
        GraphPolicy::Lvl { bound } => json!(["lvl", bound]),
    }
}

pub(super) fn id_list(ids: &[NodeId]) -> Value {
    ids.iter().map(|id| json!(id.0)).collect()
}

pub(super) fn built(built: Result<Built, DepLinksError>) -> Value {
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

pub(super) fn admission(admission: Admission) -> Value {
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
            Answer::Selection(Selection::Dispatch { kde, node, smx }) => {
                json!({"dispatch": {"kdei": kde.0, "node": node.0, "smx": smx.0}})
            }
            Answer::Selection(Selection::Stall(stall)) => json!({"stall": format!("{stall:?}")}),
            Answer::Selection(Selection::Finished) => json!({"finished": true}),
            Answer::Abort(executing) => json!({"executing": executing}),
        }}),
        Err(error) => self::error(error),
    }
}

pub(super) fn request(request: &Request) -> Value {
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

pub(super) fn report(report: &Report) -> Value {
    let Report { finalised, updates, pub_in, pub_out, inserted, readied, finished, pending } = *report;
    let mut value = json!({
        "finalised": finalised, "updates": updates, "pub_in": pub_in, "pub_out": pub_out, "inserted": inserted,
        "readied": readied, "finished": finished,
    });
    if let Some(pending) = pending {
        value["pending"] = format!("{pending:?}").into();
    }
    value
}

/// An error of the DGB as the vectors have it.
pub(super) fn error(error: &GraphError) -> Value {
    match error {
        GraphError::GraphFault { kind, node } => {
            json!({"err": "GraphFault", "kind": format!("{kind:?}"), "node": node.0})
        }
        GraphError::BadGraph { node, what } => json!({"err": "BadGraph", "node": node.0, "what": format!("{what:?}")}),
        GraphError::BadEdge { edge } => json!({"err": "BadEdge", "edge": edge}),
        GraphError::BadSmx { smx } => json!({"err": "BadSmx", "smx": smx.0}),
        GraphError::NotRunning { node } => json!({"err": "NotRunning", "node": node.0}),
        other => json!({"err": format!("{other:?}")}),
    }
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
        other => word(other),
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
