//! The records of C in the core's terms, and back.

use gpusched::dats::{
    Completion, DgbStats, GraphError, GraphFaultKind, GraphHeader, GraphPolicy, Node, NodeFlaw, NodeId, NodeState,
    Pending, Phase, Report, Request, Selection, Stall,
};
use gpusched::{Fault, KernelSlot, SmxId};
use gpusched_abi::dats::graph::*;
use gpusched_abi::dats::query::*;
use gpusched_abi::dats::verbs::*;
use gpusched_abi::status::gpusched_status as Status;

use crate::dats::view::{Resident, View};
use crate::through_c::object::fault;
use crate::through_c::records::{flag, narrow, number, one_of};

/// What the queries of a buffer tell, of one that stands alone or of a part.
pub(in crate::through_c) struct Told {
    pub state: gpusched_dgb_state,
    pub stats: gpusched_dgb_stats,
    pub resident: Vec<gpusched_dgb_node>,
    pub edges: Vec<u16>,
    pub pending_updates: Vec<u16>,
    pub landed: Vec<u64>,
}

impl Told {
    /// It in the core's terms, of a buffer with so many places for edges. Where two queries show the same thing, they must agree.
    pub fn view(self, lea: u32) -> View {
        let Self { state, stats, resident, edges, pending_updates, landed } = self;
        let Window { tail, head, fetched, tail_edge, edge_head } = Window::of(&state);
        assert_eq!(resident.len(), (head - tail) as usize);
        assert_eq!(edges.len(), (edge_head - tail_edge) as usize);
        assert_eq!(landed.len(), (fetched - head) as usize);
        let mut slots = vec![None; lea as usize];
        for (edge, target) in (tail_edge..).zip(edges) {
            slots[(edge % lea) as usize] = Some(NodeId(target));
        }
        let mut pending_updates = pending_updates.into_iter().map(NodeId).collect::<Vec<_>>();
        pending_updates.sort();
        let nib = (head..).zip(landed).map(|(vid, bits)| (NodeId(narrow(vid)), Node::from_bits(bits).parents()));
        View {
            phase: phase(&state),
            window: (tail, head),
            fetched,
            edges: (tail_edge, edge_head),
            resident: (tail..).zip(&resident).map(|(vid, node)| local(vid, node, lea)).collect(),
            lea: slots,
            pending_updates,
            nib: nib.collect(),
            spilling: number(state.spilling).map(NodeId),
            deadlock: number(state.deadlock).map(NodeId),
            next_smx: SmxId(narrow(state.next_smx)),
            stats: core_stats(&stats),
        }
    }
}

/// The registers of the window.
pub(super) struct Window {
    tail: u32,
    head: u32,
    fetched: u32,
    tail_edge: u32,
    edge_head: u32,
}

impl Window {
    fn of(state: &gpusched_dgb_state) -> Self {
        let &gpusched_dgb_state { tail, head, fetched, tail_edge, edge_head, .. } = state;
        Self { tail, head, fetched, tail_edge, edge_head }
    }
}

pub(super) fn phase(state: &gpusched_dgb_state) -> Phase {
    use gpusched_dgb_phase as C;
    let node = number(state.fault_node).map(NodeId);
    assert_eq!(node.is_some(), state.phase == C::Faulted as u32, "a fault is somewhere");
    match node {
        Some(node) => Phase::Faulted { kind: one_of(state.fault, &FAULTS), node },
        None => one_of(
            state.phase,
            &[
                (C::Idle as u32, Phase::Idle),
                (C::Running as u32, Phase::Running),
                (C::Finished as u32, Phase::Finished),
            ],
        ),
    }
}

pub(super) fn local(vid: u32, node: &gpusched_dgb_node, lea: u32) -> Resident {
    use gpusched_node_state as C;
    let states = [
        (C::Waiting as u32, NodeState::Waiting),
        (C::Ready as u32, NodeState::Ready),
        (C::Executing as u32, NodeState::Executing),
        (C::Pending as u32, NodeState::Pending),
        (C::Done as u32, NodeState::Done),
    ];
    assert_eq!(node.node, vid, "nodes follow each other");
    Resident {
        node: NodeId(narrow(node.node)),
        state: one_of(node.state, &states),
        parents: narrow(node.parents),
        level: narrow(node.level),
        les: (!flag(node.childless)).then_some(node.start % lea),
    }
}

pub(super) fn core_stats(stats: &gpusched_dgb_stats) -> DgbStats {
    let &gpusched_dgb_stats { dispatched, node_requests, edge_requests, spills, pub_max, max_level_range } = stats;
    DgbStats { dispatched, node_requests, edge_requests, spills, pub_max, max_level_range }
}

pub(in crate::through_c) fn bits(entries: &[Node]) -> Vec<u64> {
    entries.iter().map(|node| node.to_bits()).collect()
}

pub(in crate::through_c) fn vids(targets: &[NodeId]) -> Vec<u16> {
    targets.iter().map(|node| node.0).collect()
}

pub(in crate::through_c) fn c_header(graph: &GraphHeader) -> gpusched_graph_header {
    let &GraphHeader { v, e, node_base, edge_base, policy } = graph;
    let (policy, bound) = match policy {
        // The bound has no meaning then.
        GraphPolicy::Lrr => (gpusched_graph_policy::Lrr, 70_000),
        GraphPolicy::Lvl { bound } => (gpusched_graph_policy::Lvl, bound.into()),
    };
    gpusched_graph_header { node_base, edge_base, v, e, policy: policy as u32, bound }
}

pub(in crate::through_c) fn core_header(graph: &gpusched_graph_header) -> GraphHeader {
    let &gpusched_graph_header { node_base, edge_base, v, e, policy, bound } = graph;
    let policies = [
        (gpusched_graph_policy::Lrr as u32, GraphPolicy::Lrr),
        (gpusched_graph_policy::Lvl as u32, GraphPolicy::Lvl { bound: narrow(bound) }),
    ];
    let policy = one_of(policy, &policies);
    assert!(policy != GraphPolicy::Lrr || bound == 0);
    GraphHeader { v, e, node_base, edge_base, policy }
}

pub(in crate::through_c) fn core_request(request: &gpusched_graph_request) -> Option<Request> {
    use gpusched_graph_request_kind as C;
    let &gpusched_graph_request { addr, kind, tag, first, count } = request;
    let kinds = [C::None, C::Nodes, C::Edges, C::Decrement];
    match one_of(kind, &kinds.map(|kind| (kind as u32, kind))) {
        C::None => {
            assert_eq!(*request, gpusched_graph_request::default());
            None
        }
        C::Nodes => Some(Request::Nodes { tag, first, count, addr }),
        C::Edges => Some(Request::Edges { tag, first, count, addr }),
        C::Decrement => {
            assert_eq!(count, 1);
            Some(Request::Decrement { tag, node: NodeId(narrow(first)), addr })
        }
    }
}

pub(in crate::through_c) fn core_report(report: &gpusched_graph_report) -> Report {
    let &gpusched_graph_report { finalised, updates, pub_in, pub_out, inserted, readied, finished, pending } = report;
    assert_eq!(pending, gpusched_graph_pending::None as u32, "only the end of a TB says this");
    Report { finalised, updates, pub_in, pub_out, inserted, readied, finished: flag(finished) }
}

pub(super) fn completion(report: &gpusched_graph_report) -> Completion {
    use gpusched_graph_pending as C;
    let reasons = [
        (C::None as u32, None),
        (C::Edges as u32, Some(Pending::Edges)),
        (C::Pub as u32, Some(Pending::Pub)),
        (C::Tail as u32, Some(Pending::Tail)),
        (C::Spill as u32, Some(Pending::Spill)),
    ];
    let pending = one_of(report.pending, &reasons);
    Completion { report: core_report(&gpusched_graph_report { pending: 0, ..*report }), pending }
}

pub(super) fn core_selection(selection: &gpusched_dgb_selection) -> Selection {
    use gpusched_dgb_sched as C;
    let &gpusched_dgb_selection { sched, kde, node, smx } = selection;
    let dispatch =
        Selection::Dispatch { kdei: KernelSlot(narrow(kde)), node: NodeId(narrow(node)), smx: SmxId(narrow(smx)) };
    let words = [
        (C::Dispatch as u32, dispatch),
        (C::NoReady as u32, Selection::Stall(Stall::NoReady)),
        (C::Head as u32, Selection::Stall(Stall::Head)),
        (C::LevelBound as u32, Selection::Stall(Stall::LevelBound)),
        (C::NoSmx as u32, Selection::Stall(Stall::NoSmx)),
        (C::Deadlock as u32, Selection::Stall(Stall::Deadlock)),
        (C::Finished as u32, Selection::Finished),
    ];
    let word = one_of(sched, &words);
    assert!(word == dispatch || (kde, node, smx) == (0, 0, 0), "only a dispatch is about a node");
    word
}

const FAULTS: [(u32, GraphFaultKind); 3] = [
    (gpusched_graph_fault::EdgeOrder as u32, GraphFaultKind::EdgeOrder),
    (gpusched_graph_fault::ParentUnderflow as u32, GraphFaultKind::ParentUnderflow),
    (gpusched_graph_fault::ParentExcess as u32, GraphFaultKind::ParentExcess),
];

const FLAWS: [(u32, NodeFlaw); 5] = [
    (gpusched_node_flaw::EdgeStart as u32, NodeFlaw::EdgeStart),
    (gpusched_node_flaw::Childless as u32, NodeFlaw::Childless),
    (gpusched_node_flaw::Oversize as u32, NodeFlaw::Oversize),
    (gpusched_node_flaw::Level as u32, NodeFlaw::Level),
    (gpusched_node_flaw::Parents as u32, NodeFlaw::Parents),
];

/// The error of a status and its details; that a node is not running is said of the one that was named.
pub(in crate::through_c) fn core_error(
    status: Status,
    wrong: &gpusched_graph_error,
    named: Option<NodeId>,
) -> GraphError {
    let node = || NodeId(number(wrong.node).expect("a node"));
    let nowhere = gpusched_graph_error::default();
    let (error, details) = match fault(status) {
        Fault::BadGraph => {
            let error = GraphError::BadGraph { node: node(), what: one_of(wrong.what, &FLAWS) };
            (error, gpusched_graph_error { node: wrong.node, what: wrong.what, ..nowhere })
        }
        Fault::GraphFault => {
            let error = GraphError::GraphFault { kind: one_of(wrong.what, &FAULTS), node: node() };
            (error, gpusched_graph_error { node: wrong.node, what: wrong.what, ..nowhere })
        }
        Fault::BadEdge => {
            (GraphError::BadEdge { edge: wrong.edge }, gpusched_graph_error { edge: wrong.edge, ..nowhere })
        }
        Fault::BadSmx => {
            let smx = SmxId(number(wrong.smx).expect("an SMX"));
            (GraphError::BadSmx { smx }, gpusched_graph_error { smx: wrong.smx, ..nowhere })
        }
        Fault::NotRunning => (GraphError::NotRunning { node: named.expect("a node was named") }, nowhere),
        Fault::Busy => (GraphError::Busy, nowhere),
        Fault::EmptyGraph => (GraphError::EmptyGraph, nowhere),
        Fault::TooManyNodes => (GraphError::TooManyNodes, nowhere),
        Fault::TooManyEdges => (GraphError::TooManyEdges, nowhere),
        Fault::Misaligned => (GraphError::Misaligned, nowhere),
        Fault::AddressOverflow => (GraphError::AddressOverflow, nowhere),
        Fault::StaleTag => (GraphError::StaleTag, nowhere),
        Fault::BadLength => (GraphError::BadLength, nowhere),
        Fault::NotLaunched => (GraphError::NotLaunched, nowhere),
        Fault::NoDgb => (GraphError::NoDgb, nowhere),
        other => panic!("{other:?} is no error of a graph"),
    };
    assert_eq!(*wrong, details, "nothing else is told");
    error
}
