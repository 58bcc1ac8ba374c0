use super::*;
use crate::functional::{Tally, run};
use crate::graph::{EdgeList, Generator};
use crate::{Cover, Shape};
use gpusched_refgpu::program::{Class, Workload};
use petgraph::algo::dijkstra;
use petgraph::graph::{DiGraph, NodeIndex, UnGraph};

fn generated(name: &str) -> Arc<Csr> {
    let generator: Generator = name.parse().unwrap();
    Arc::new(Csr::from_edges(generator.edges()).unwrap().or_hashed_weights())
}

/// A vertex with this many neighbours that have no other, at distances 1, 2, ...
fn star(leaves: u32) -> Arc<Csr> {
    let mut list = EdgeList::weighted(leaves + 1);
    (1..=leaves).for_each(|leaf| list.push(0, leaf, leaf));
    Arc::new(Csr::from_edges(list).unwrap())
}

/// Every program there is, by name.
fn variants() -> Vec<(&'static str, Mode, LaunchOptions)> {
    let default = LaunchOptions::default();
    let odd = LaunchOptions { shape: Shape::Fixed(75), cover: Cover::All, min_child: 5, launch_insts: 3 };
    vec![
        ("flat", Mode::Flat, default),
        ("floor", Mode::Cdp, default),
        ("cage", Mode::Dtbl, LaunchOptions::cage()),
        ("var", Mode::CdpIdeal, LaunchOptions { shape: Shape::Var, ..default }),
        ("odd", Mode::DtblIdeal, odd),
    ]
}

fn search(graph: &Arc<Csr>, mode: Mode, options: LaunchOptions, room: usize) -> (Sssp, Tally) {
    let mut sssp = Sssp::new(Arc::clone(graph), mode, options).unwrap();
    let tally = run(&mut sssp, room);
    (sssp, tally)
}

#[test]
fn every_variant_finds_the_distances_that_petgraph_finds() {
    for name in ["cit:2000", "cage:1000", "road:3", "flight:600", "uni:7", "kron:9"] {
        let graph = generated(name);
        let reference = UnGraph::<(), u32>::from_edges(graph.edges());
        let source = NodeIndex::new(graph.source() as usize);
        let distance = dijkstra(&reference, source, None, |edge| *edge.weight());
        let of = |v: u32| distance.get(&NodeIndex::new(v as usize)).copied().unwrap_or(INFINITY);
        let wanted: Vec<u32> = (0..graph.vertices()).map(of).collect();
        for (variant, mode, options) in variants() {
            for room in [1, 5, 1000] {
                let (sssp, _) = search(&graph, mode, options, room);
                assert_eq!(sssp.distances(), wanted, "{name} {variant} {room}");
                sssp.check().unwrap();
                let (done, all) = Workload::progress(&sssp);
                assert_eq!(done, all, "as many rounds as foretold");
                assert!(sssp.device.is_empty());
            }
        }
    }
}

/// workloads-IN2: rounds, sum and maximum of the distances. The small ones are run, too.
#[test]
fn rounds_and_distances_are_the_golden_ones() {
    for (name, rounds, sum, max) in [
        ("flight:3400", 15, 737_261, 8047),
        ("kron:10,16", 10, 15_440, 83),
        ("cit:16384", 15, 586_212, 161),
        ("cit:32768", 17, 1_159_900, 176),
        ("cage:16384", 24, 682_264, 92),
        ("cage:32768", 22, 1_412_102, 90),
        ("road:7", 358, 3_647_295_589, 461_957),
        ("uni:14,16", 16, 387_756, 49),
        ("kron:14,16", 8, 206_780, 108),
        ("kron:16,16", 8, 789_202, 110),
    ] {
        let graph = generated(name);
        let paths = reference::shortest_paths(&graph, graph.source()).unwrap();
        let check = |distances: &[u32], found: u32| {
            let reached = || distances.iter().filter(|&&d| d != INFINITY).map(|&d| u64::from(d));
            assert_eq!((found, reached().sum(), reached().max()), (rounds, sum, Some(max)), "{name}");
        };
        check(&paths.distance, paths.rounds);
        if graph.vertices() < 5000 {
            let (sssp, _) = search(&graph, Mode::Flat, LaunchOptions::default(), 100);
            check(sssp.distances(), sssp.rounds());
        }
    }
}

/// The lists of workloads-SP1 to SP3 counted by hand on a star of 40 leaves, one TB of 41 threads with work in two warps. Two rounds.
#[test]
fn instructions_are_those_of_the_lists() {
    // I4 and exit for the six idle warps; I3 in the clear kernel.
    let idle = 6 * 5;
    let clear = 2 * (3 + 1 + 1) + 6 * 4;
    // I4 L L L, turns of I1 L L L I4 I2, S I2, exit.
    let (entry, turn, end) = (7, 10, 1 + 2 + 1);
    let graph = star(40);
    let (sssp, flat) = search(&graph, Mode::Flat, LaunchOptions::default(), 100);
    assert_eq!(sssp.rounds(), 2);
    // In the first round both warps reach leaves: S changed.
    let pull = idle + 2 * (entry + end) + 40 * turn + turn;
    assert_eq!(flat.issued, 2 * (clear + pull) + 2);

    // I2 S K by the parent, then 8 turns. The child: I3 L L L L I3 s B, five steps of I2 l s B, A I2.
    let (_, dynamic) = search(&graph, Mode::Dtbl, LaunchOptions::default(), 100);
    let child = 3 + 4 + 3 + 2 + 5 * (2 + 2 + 1) + 1 + 2 + 1;
    let pull = idle + 2 * (entry + 2 + end) + 2 + 8 * turn + turn + child;
    assert_eq!(dynamic.issued, 2 * (clear + pull) + 2);
    assert_eq!(dynamic.launches.len(), 2);
    assert_eq!(dynamic.of(Class::Barrier), 2 * 6);
}

#[test]
fn children_are_what_the_descriptor_says() {
    let (sssp, tally) = search(&star(100), Mode::Cdp, LaunchOptions::default(), 100);
    let child = tally.launches[0];
    assert_eq!((child.grid.x, child.tb.x, child.regs, child.smem), (3, 32, 20 * 32, 4 * 32));
    assert_eq!(tally.launches.len(), 2, "one a round");
    assert_eq!(tally.loads[&sssp.device.address(0)], 2 * 96, "every thread reads its parameters");
}

/// Each edge of a generator one way, the odd ones back: distances go along arcs, never against one.
#[test]
fn arcs_of_a_directed_graph_are_followed_one_way() {
    let edges: Generator = "kron:8,3".parse().unwrap();
    let mut list = EdgeList::weighted(0).directed(true);
    for ((&[u, v], weight), turn) in edges.edges().ends().iter().zip(1..).zip([false, true].into_iter().cycle()) {
        let (u, v) = if turn { (v, u) } else { (u, v) };
        list.push(u, v, 1 + weight % 50);
    }
    let graph = Arc::new(Csr::from_edges(list).unwrap());
    let reference = DiGraph::<(), u32>::from_edges(graph.edges());
    let distance = dijkstra(&reference, NodeIndex::new(graph.source() as usize), None, |edge| *edge.weight());
    let of = |v: u32| distance.get(&NodeIndex::new(v as usize)).copied().unwrap_or(INFINITY);
    let wanted: Vec<u32> = (0..graph.vertices()).map(of).collect();
    assert!(distance.len() > 20 && graph.one_way().is_some());
    for (variant, mode, options) in variants() {
        let (sssp, _) = search(&graph, mode, options, 5);
        assert_eq!(sssp.distances(), wanted, "{variant}");
        sssp.check().unwrap();
    }
}

#[test]
fn a_graph_without_weights_gets_hashed_ones() {
    let bare = Csr::from_edges("cit:500".parse::<Generator>().unwrap().edges()).unwrap();
    assert!(bare.weights().is_none());
    let (bare, _) = search(&Arc::new(bare), Mode::Flat, LaunchOptions::default(), 10);
    let (weighted, _) = search(&generated("cit:500"), Mode::Flat, LaunchOptions::default(), 10);
    assert_eq!(bare.distances(), weighted.distances());
}

#[test]
fn a_path_may_be_as_long_as_the_mark_less_one() {
    let line = |weights: [u32; 2]| {
        let mut list = EdgeList::weighted(3);
        list.push(0, 1, weights[0]);
        list.push(1, 2, weights[1]);
        Sssp::from_vertex(Arc::new(Csr::from_edges(list).unwrap()), 0, Mode::Flat, LaunchOptions::default())
    };
    let mut longest = line([u32::MAX - 2, 1]).unwrap();
    run(&mut longest, 1);
    assert_eq!(longest.distances(), [0, u32::MAX - 2, u32::MAX - 1]);
    longest.check().unwrap();
    let error = line([u32::MAX - 2, 2]).unwrap_err();
    assert_eq!(error.to_string(), "a shortest path of length 4294967295: expected at most 2^32 - 2");
}

#[test]
fn what_is_out_of_range_is_refused() {
    let none = LaunchOptions { min_child: 0, ..LaunchOptions::default() };
    let error = Sssp::new(star(3), Mode::Flat, none).unwrap_err();
    assert_eq!(error.to_string(), "option `min_child`: expected 1 or more, found 0");
    let error = Sssp::from_vertex(star(3), 4, Mode::Flat, LaunchOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "option `source`: expected a vertex of the graph, found 4");
}

#[test]
fn a_wrong_distance_is_told_with_its_place() {
    let (mut sssp, _) = search(&star(3), Mode::Flat, LaunchOptions::default(), 1);
    sssp.dist[2] = 9;
    assert_eq!(sssp.check().unwrap_err().to_string(), "wrong result: dist[2] is 9, want 2");
}
