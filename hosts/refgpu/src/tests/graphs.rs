//! Kernels with dependency graphs: how the buffer's requests and refusals go through the machine.

use gpusched::dats::{Admission, GraphFaultKind, GraphHeader, Node, NodeFlaw, NodeId};
use gpusched::dats::{GraphError, GraphPolicy};

use super::script::{At, Op, config, kernel, with_graph};
use crate::gpu::{Gpu, RunError, RunOptions, RunResult};
use crate::program::{Class, TbGraph};

/// Two roots with the same two children.
fn nodes() -> Vec<Node> {
    vec![Node::new(0, false, 0, 0), Node::new(2, false, 0, 0), Node::new(4, true, 2, 1), Node::new(4, true, 2, 1)]
}

fn graph(nodes: Vec<Node>) -> TbGraph {
    let edges = [2, 3, 2, 3].map(NodeId).to_vec();
    let header = GraphHeader { v: 4, e: 4, node_base: 1 << 32, edge_base: (1 << 32) + 256, policy: GraphPolicy::Lrr };
    TbGraph { header, nodes, edges }
}

/// Runs the graph, one warp per TB; each TB has so many instructions by VID.
fn run(nodes: Vec<Node>, insts: [u32; 4], change: &[(&str, &str)]) -> Result<RunResult, RunError> {
    let body = |at: At| if at.step < insts[at.blkid as usize] { Op::new(Class::Int, 1, 1) } else { Op::exit() };
    let options = RunOptions { graphs: true, log_tbs: 8, ..RunOptions::default() };
    let gpu = Gpu::new(&config("gtx480", change), options).unwrap();
    gpu.run(&mut with_graph(&[kernel(1, 4, 32, 0)], graph(nodes), body), &mut ())
}

#[test]
fn tbs_start_after_their_parents_have_ended() {
    let result = run(nodes(), [30, 5, 0, 0], &[]).unwrap();
    let tbs = result.timeline.tbs.tbs();
    let of = |vid: u32| tbs.iter().find(|tb| tb.blkid == vid).unwrap();
    for child in [2, 3] {
        assert!(of(child).start >= of(0).end.unwrap() && of(0).end > of(1).end);
    }
    // The nodes go round the SMXs.
    assert_eq!(tbs.iter().map(|tb| (tb.blkid, tb.sm)).collect::<Vec<_>>(), [(0, 0), (1, 1), (2, 2), (3, 3)]);
}

#[test]
fn a_graph_needs_a_buffer() {
    let script = |at: At| if at.step == 0 { Op::new(Class::Int, 0, 1) } else { Op::exit() };
    let gpu = Gpu::new(&config("gtx480", &[]), RunOptions::default()).unwrap();
    let error = gpu.run(&mut with_graph(&[kernel(1, 4, 32, 0)], graph(nodes()), script), &mut ()).unwrap_err();
    assert_eq!(error, RunError::Refused { cycle: 0, fault: gpusched::Fault::NoDgb });
}

/// A window of two nodes and a PUB of two updates: the child's update of one root at a time.
const NARROW: [(&str, &str); 4] =
    [("dats.chunk_bytes", "8"), ("dats.lna", "2"), ("dats.pub", "2"), ("dats.prefetch", "eager")];

#[test]
fn a_graph_that_deadlocks_in_this_schedule_is_told_with_its_node_and_what_helps() {
    // Node 1 ends first: its updates fill the PUB, and node 0 cannot place its own.
    let error = run(nodes(), [60, 0, 0, 0], &NARROW).unwrap_err();
    assert!(matches!(error, RunError::GraphStuck { node: NodeId(0), .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("node 0 waits for room") && text.contains("dats.spill = true"), "{text}");
    // In the other order it comes to its end, as the admission said it might.
    let lucky = run(nodes(), [0, 60, 0, 0], &NARROW).unwrap();
    assert!(matches!(lucky.stats.dats.unwrap().admission, Some(Admission::MayDeadlock { node: NodeId(0) })));
}

#[test]
fn a_stuck_graph_that_may_spill_goes_on_through_memory() {
    let mut change = NARROW.to_vec();
    change.push(("dats.spill", "true"));
    let stats = run(nodes(), [60, 0, 0, 0], &change).unwrap().stats;
    let dats = stats.dats.unwrap();
    assert!(dats.decrements > 0);
    // A decrement is a write at L2; nothing else writes here.
    assert_eq!((stats.l2.writes, stats.sm.tbs), (dats.decrements, 4));
}

#[test]
fn memory_that_contradicts_itself_is_told_with_its_node() {
    let mut wrong = nodes();
    wrong[1] = Node::new(2, true, 0, 0);
    let error = run(wrong, [0; 4], &[]).unwrap_err();
    let flaw = GraphError::BadGraph { node: NodeId(1), what: NodeFlaw::Childless };
    assert!(matches!(error, RunError::Graph { error, .. } if error == flaw), "{error}");
    assert!(error.to_string().contains("the dependency graph of a kernel: node 1: its mark"), "{error}");
    // A parent too few shows when the second root ends.
    let mut wrong = nodes();
    wrong[2] = Node::new(4, true, 1, 1);
    let error = run(wrong, [0, 9, 0, 0], &[]).unwrap_err();
    let fault = GraphError::GraphFault { kind: GraphFaultKind::ParentUnderflow, node: NodeId(2) };
    assert!(matches!(error, RunError::Graph { error, .. } if error == fault), "{error}");
}

#[test]
fn a_graph_of_another_size_than_its_grid_is_refused() {
    let options = RunOptions { graphs: true, ..RunOptions::default() };
    let gpu = Gpu::new(&config("gtx480", &[]), options).unwrap();
    let error = gpu.run(&mut with_graph(&[kernel(1, 5, 32, 0)], graph(nodes()), |_| Op::exit()), &mut ()).unwrap_err();
    assert_eq!(error, RunError::Refused { cycle: 0, fault: gpusched::Fault::GraphSize });
}
