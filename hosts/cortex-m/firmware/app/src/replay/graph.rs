//! What the front end and the buffer alone have in common: graphs, their memory, and sets of SMXs.

use alloc::vec::Vec;

use gpusched::Fault;
use gpusched::SmxSet;
use gpusched::dats::{GraphError, GraphHeader, GraphPolicy, Node, NodeId, Report, Request};
use gpusched_abi::dats::graph::{gpusched_graph_error, gpusched_graph_policy};
use gpusched_abi::dats::verbs::{gpusched_graph_report, gpusched_graph_request};
use gpusched_packed::{Damaged, Item, Reader, Record};

use super::Records;

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

/// A number of a smaller type than rows and counts have in the form.
pub(super) fn narrow<N: TryFrom<u32>>(from: &mut Reader<'_>) -> Result<N, Damaged> {
    N::try_from(u32::read(from)?).map_err(|_| Damaged)
}

pub(super) fn request(answer: Result<Option<Request>, GraphError>, to: &mut Records) -> Result<(), Fault> {
    told(answer.map(gpusched_graph_request::from), to)
}

pub(super) fn report(answer: Result<Report, GraphError>, to: &mut Records) -> Result<(), Fault> {
    told(answer.map(gpusched_graph_report::from), to)
}

/// A record, or that of the refusal.
pub(super) fn told(answer: Result<impl Record, GraphError>, to: &mut Records) -> Result<(), Fault> {
    match answer {
        Ok(record) => record.put(to),
        Err(error) => {
            gpusched_graph_error::from(error).put(to);
            return Err(error.fault());
        }
    }
    Ok(())
}
