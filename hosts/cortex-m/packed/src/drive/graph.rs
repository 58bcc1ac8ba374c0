//! What the front end and the buffer alone have in common: graphs, their memory, and sets of SMXs.

use alloc::vec::Vec;

use gpusched::SmxSet;
use gpusched::dats::{GraphError, GraphHeader, GraphPolicy, Node, NodeId, Report, Request};
use gpusched_abi::dats::graph::{gpusched_graph_error, gpusched_graph_policy};
use gpusched_abi::dats::verbs::{gpusched_graph_report, gpusched_graph_request};

use super::Refused;
use crate::{Bytes, Damaged, Reader, Record};

pub(super) fn header(from: &mut Reader<'_>) -> Result<GraphHeader, Damaged> {
    let (node_base, edge_base, v, e) = (from.get()?, from.get()?, from.get()?, from.get()?);
    Ok(GraphHeader { v, e, node_base, edge_base, policy: policy(from)? })
}

pub(super) fn policy(from: &mut Reader<'_>) -> Result<GraphPolicy, Damaged> {
    let (policy, bound) = (from.get::<u32>()?, from.get::<u32>()?);
    if policy == gpusched_graph_policy::Lrr as u32 {
        return Ok(GraphPolicy::Lrr);
    }
    Ok(GraphPolicy::Lvl { bound: bound.try_into().map_err(|_| Damaged)? })
}

pub(super) fn nodes(from: &mut Reader<'_>) -> Result<Vec<Node>, Damaged> {
    from.list(|from| from.get().map(Node::from_bits))
}

pub(super) fn edges(from: &mut Reader<'_>) -> Result<Vec<NodeId>, Damaged> {
    from.list(|from| from.get().map(NodeId))
}

pub(super) fn set(from: &mut Reader<'_>) -> Result<SmxSet, Damaged> {
    Ok(SmxSet::from_words([from.get()?, from.get()?, from.get()?, from.get()?]))
}

pub(super) fn request(answer: Result<Option<Request>, GraphError>, to: &mut Bytes) -> Result<(), Refused> {
    told::<gpusched_graph_request>(answer, to)
}

pub(super) fn report(answer: Result<Report, GraphError>, to: &mut Bytes) -> Result<(), Refused> {
    told::<gpusched_graph_report>(answer, to)
}

/// A record, or that of the refusal.
pub(super) fn told<C: Record>(answer: Result<impl Into<C>, GraphError>, to: &mut Bytes) -> Result<(), Refused> {
    match answer {
        Ok(answer) => {
            answer.into().put(to);
            Ok(())
        }
        Err(error) => {
            gpusched_graph_error::from(error).put(to);
            Err(error.fault().into())
        }
    }
}
