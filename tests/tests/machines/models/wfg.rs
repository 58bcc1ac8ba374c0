//! Work-flow graphs: their invariants, and second readings of graphs without dependences and of those with one way.

use gpusched::Fault;
use gpusched::models::wfg::{Arc, Dependence, Node, WfgConfig, WorkFlow};
use gpusched_tests::models::wfg::{of_one_way, without_dependences};
use gpusched_tests::models::{Core, Graph, Models, Refused, close};
use gpusched_tests::through_c::models::ThroughC;
use proptest::prelude::*;

use crate::every::runs;

const G80: WfgConfig =
    WfgConfig { warp_size: 32.0, simd_width: 8.0, dram_lat: 400.0, delta: 20.0, n_warps: 8.0, balance_tol: 0.1 };

fn eval(config: &WfgConfig, graph: &Graph<'_>) -> Result<WorkFlow, Refused> {
    let core = Core.wfg(config, graph);
    assert_eq!(ThroughC.wfg(config, graph), core);
    core
}

fn nodes() -> impl Strategy<Value = Vec<Node>> {
    let node = prop_oneof![
        (0..40u32).prop_map(|n| Node::Comp(f64::from(n))),
        (4..40u32).prop_map(|s| Node::Smem(f64::from(s) / 4.0)),
        (4..40u32).prop_map(|x| Node::Gmem(f64::from(x) / 4.0)),
        Just(Node::Barrier),
    ];
    prop::collection::vec(node, 0..7).prop_map(|inner| [&[Node::Entry][..], &inner, &[Node::Exit]].concat())
}

prop_compose! {
    /// Arcs to the next node, and for some nodes to a later one as well.
    fn graphs()(
        nodes in nodes(),
        splits in prop::collection::vec((0..4u32, 2..4u32), 9),
        deps in prop::collection::vec((0..9u32, 1..5u32), 0..4),
    ) -> (Vec<Node>, Vec<Arc>, Vec<Dependence>) {
        let last = nodes.len() as u32 - 1;
        let mut arcs = Vec::new();
        for (from, &(quarters, far)) in (0..last).zip(&splits) {
            let (share, to) = (f64::from(quarters) / 4.0, (from + far).min(last));
            if quarters == 0 || to == from + 1 {
                arcs.push(Arc { from, to: from + 1, fraction: 1.0 });
            } else {
                arcs.push(Arc { from, to, fraction: share });
                arcs.push(Arc { from, to: from + 1, fraction: 1.0 - share });
            }
        }
        let deps = deps.iter().filter_map(|&(from, far)| {
            let to = (from + far).min(last);
            (matches!(nodes.get(from as usize), Some(Node::Gmem(_))) && from < to).then_some(Dependence { from, to })
        });
        let deps = deps.collect();
        (nodes, arcs, deps)
    }
}

proptest! {
    #![proptest_config(runs(2000))]

    /// models-I7, and second readings.
    #[test]
    fn graphs_keep_the_invariants((nodes, arcs, deps) in graphs(), n_warps in 1..50u32) {
        let config = WfgConfig { n_warps: n_warps.into(), ..G80 };
        let flow = eval(&config, &Graph { nodes: &nodes, arcs: &arcs, deps: &deps }).unwrap();
        let eps = 1e-9 * flow.span.max(1.0);
        prop_assert!(flow.span >= flow.comp - eps, "{flow:?}");
        prop_assert!(flow.stall >= 0.0 && flow.time >= flow.span && flow.time + eps >= config.n_warps * flow.comp.max(flow.mem));
        prop_assert!(flow.comp == 0.0 || flow.warps_to_hide as f64 + 1e-6 >= flow.span / flow.comp);
        let free = eval(&config, &Graph { nodes: &nodes, arcs: &arcs, deps: &[] }).unwrap();
        let (comp, mem, span) = without_dependences(&config, &Graph { nodes: &nodes, arcs: &arcs, deps: &[] });
        prop_assert!(close(free.comp, comp, 1e-9) && close(free.mem, mem, 1e-9) && close(free.span, span, 1e-9), "{free:?}");
        prop_assert_eq!(free.stall, 0.0);
        prop_assert!(free.span <= flow.span + eps && (flow.comp, flow.mem) == (free.comp, free.mem));
    }

    #[test]
    fn one_way_is_a_walk(nodes in nodes(), deps in prop::collection::vec((0..8u32, 1..5u32), 0..4)) {
        let arcs: Vec<_> = (1..nodes.len() as u32).map(|to| Arc { from: to - 1, to, fraction: 1.0 }).collect();
        let deps: Vec<_> = deps
            .iter()
            .filter(|(from, _)| matches!(nodes.get(*from as usize), Some(Node::Gmem(_))))
            .map(|&(from, far)| Dependence { from, to: (from + far).min(nodes.len() as u32 - 1) })
            .collect();
        let graph = Graph { nodes: &nodes, arcs: &arcs, deps: &deps };
        let flow = eval(&G80, &graph).unwrap();
        let (stall, span) = of_one_way(&G80, &graph);
        prop_assert!(close(flow.stall, stall, 1e-9) && close(flow.span, span, 1e-9), "{flow:?} {stall} {span}");
    }
}

/// A node that no warp reaches neither costs nor waits, nor does what waits for it.
#[test]
fn nodes_without_warps_are_skipped() {
    let nodes = [Node::Entry, Node::Gmem(4.0), Node::Comp(10.0), Node::Exit];
    let arcs =
        [(0, 1, 0.0), (0, 2, 1.0), (1, 2, 1.0), (2, 3, 1.0)].map(|(from, to, fraction)| Arc { from, to, fraction });
    let deps = [Dependence { from: 1, to: 2 }];
    let flow = eval(&G80, &Graph { nodes: &nodes, arcs: &arcs, deps: &deps }).unwrap();
    assert_eq!((flow.comp, flow.mem, flow.stall, flow.span), (40.0, 0.0, 0.0, 40.0));
}

/// 4.2.1: balanced only if the warps hide the span and both times are within the tolerance.
#[test]
fn balance_has_two_conditions() {
    let of = |n_warps, comp| {
        let nodes = [Node::Entry, Node::Gmem(2.0), Node::Comp(comp), Node::Exit];
        let arcs = [0, 1, 2].map(|from| Arc { from, to: from + 1, fraction: 1.0 });
        let config = WfgConfig { n_warps, ..G80 };
        eval(&config, &Graph { nodes: &nodes, arcs: &arcs, deps: &[Dependence { from: 1, to: 2 }] }).unwrap()
    };
    // Issuing 4 + 36 cycles, memory 40: alike; the span is 4 + 416 + 36.
    let enough = of(20.0, 9.0);
    assert_eq!((enough.comp, enough.mem, enough.span, enough.warps_to_hide), (40.0, 40.0, 456.0, 12));
    assert!(enough.balanced && !of(11.0, 9.0).balanced && of(12.0, 9.0).balanced);
    assert!(!of(20.0, 20.0).balanced);
}

#[test]
fn refusals_come_in_order() {
    let good_nodes = [Node::Entry, Node::Gmem(1.0), Node::Exit];
    let good_arcs = [Arc { from: 0, to: 1, fraction: 1.0 }, Arc { from: 1, to: 2, fraction: 1.0 }];
    let refused = |config: &WfgConfig, nodes: &[Node], arcs: &[Arc], deps: &[Dependence]| {
        eval(config, &Graph { nodes, arcs, deps }).err().map(|refused| (refused.fault, refused.field))
    };
    let bare = |fault| Some((fault, None));
    assert_eq!(refused(&G80, &good_nodes, &good_arcs, &[]), None);
    let many = vec![Node::Barrier; 65];
    assert_eq!(refused(&G80, &many, &[], &[]), bare(Fault::TooBig));
    assert_eq!(refused(&G80, &good_nodes, &vec![good_arcs[0]; 129], &[]), bare(Fault::TooBig));
    assert_eq!(refused(&G80, &good_nodes, &good_arcs, &vec![Dependence { from: 0, to: 0 }; 65]), bare(Fault::TooBig));
    let shapes: [&[Node]; 6] = [
        &[],
        &[Node::Entry],
        &[Node::Comp(-1.0), Node::Exit],
        &[Node::Entry, Node::Comp(-1.0)],
        &[Node::Entry, Node::Entry, Node::Exit],
        &[Node::Entry, Node::Exit, Node::Exit],
    ];
    for nodes in shapes {
        assert_eq!(refused(&G80, nodes, &[], &[]), bare(Fault::BadGraph), "{nodes:?}");
    }
    for weight in [Node::Comp(-1.0), Node::Comp(f64::NAN), Node::Smem(0.5), Node::Gmem(0.99), Node::Gmem(f64::INFINITY)]
    {
        let nodes = [Node::Entry, weight, Node::Exit];
        assert_eq!(refused(&G80, &nodes, &[], &[]), bare(Fault::BadWeight), "{nodes:?}");
    }
    let arc = |from, to, fraction| [good_arcs[0], Arc { from, to, fraction }];
    for (from, to) in [(1, 1), (1, 0), (1, 3), (u32::MAX, 2)] {
        assert_eq!(refused(&G80, &good_nodes, &arc(from, to, 7.0), &[]), bare(Fault::NotTopological));
    }
    for fraction in [-0.1, 1.1, f64::NAN, 0.5, 1.0 - 2e-9] {
        assert_eq!(refused(&G80, &good_nodes, &arc(1, 2, fraction), &[]), bare(Fault::BadFraction), "{fraction}");
    }
    assert_eq!(refused(&G80, &good_nodes, &arc(1, 2, 1.0 - 5e-10), &[]), None);
    for (from, to) in [(1, 1), (2, 1), (1, 3)] {
        assert_eq!(refused(&G80, &good_nodes, &good_arcs, &[Dependence { from, to }]), bare(Fault::NotTopological));
    }
    assert_eq!(refused(&G80, &good_nodes, &good_arcs, &[Dependence { from: 0, to: 2 }]), bare(Fault::BadDependence));
    // The configuration comes first, each test on all fields.
    let of = |fault, field: &str| Some((fault, Some(field.to_owned())));
    assert_eq!(
        refused(&WfgConfig { warp_size: 0.0, delta: -1.0, ..G80 }, &many, &[], &[]),
        of(Fault::Negative, "delta")
    );
    for field in ["warp_size", "simd_width", "n_warps"] {
        let mut config = G80;
        match field {
            "warp_size" => config.warp_size = 0.0,
            "simd_width" => config.simd_width = 0.0,
            _ => config.n_warps = 0.0,
        }
        assert_eq!(refused(&config, &good_nodes, &good_arcs, &[]), of(Fault::ZeroInput, field));
    }
    let far = WfgConfig { dram_lat: 1e308, delta: 1e308, ..G80 };
    let deps = [Dependence { from: 1, to: 2 }];
    let heavy = [Node::Entry, Node::Gmem(9.0), Node::Exit];
    assert_eq!(refused(&far, &heavy, &good_arcs, &deps), bare(Fault::Overflow));
}
