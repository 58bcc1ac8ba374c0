//! What no vector shows: the limits of the machine, the sheet's own figures, and the hazards as it foresees them.

use std::collections::VecDeque;

use gpusched::dats::{
    Admission, DepLinks, DepLinksError, DepLinksRow, Dgb, DgbConfig, DgbStats, GraphHeader, GraphPolicy, GraphStorage,
    Node, NodeId, Prefetch, Request, Selection, Stall,
};
use gpusched::{Dim3, KernelSlot, SmxId, SmxSet};
use gpusched_tests::dats::deplinks::Link;
use gpusched_tests::dats::heap::{self, HeapTables};
use gpusched_tests::dats::memory::Memory;
use gpusched_tests::dats::{OfCore, Parts};

/// How a graph was run.
struct Run {
    /// Nodes and their SMXs, as they were dispatched.
    sent: Vec<(NodeId, SmxId)>,
    stats: DgbStats,
    /// How the last select was answered.
    end: Selection,
}

/// Runs a graph with memory that answers at once. At most `slots` TBs run; the oldest ends when no more can be sent.
fn run(m: &mut Dgb<HeapTables>, memory: &Memory, policy: GraphPolicy, slots: usize) -> Run {
    let mut memory = memory.clone();
    m.launch(KernelSlot(0), &memory.header(policy)).expect("a good graph");
    let all = SmxSet::first(m.config().smxs);
    let (mut sent, mut running) = (Vec::new(), VecDeque::new());
    loop {
        while let Some(request) = m.poll().expect("a good graph") {
            memory.answer(&request).apply(m).expect("a good graph");
        }
        let end = m.select(if running.len() < slots { &all } else { &SmxSet::EMPTY }).expect("a good graph");
        if let Selection::Dispatch { node, smx, .. } = end {
            sent.push((node, smx));
            running.push_back(node);
        } else if let Some(node) = running.pop_front() {
            m.complete(node).expect("it runs");
        } else {
            return Run { sent, stats: m.stats(), end };
        }
    }
}

fn machine(config: DgbConfig) -> Dgb<HeapTables> {
    heap::machine(&config).expect("a good configuration")
}

fn admit(config: &DgbConfig, graph: &Memory) -> Admission {
    OfCore::admit(config, &graph.nodes, &graph.edges)
}

/// Derived checks of the sheet: levels, edges and memory requests of square wavefronts.
#[test]
fn requests_of_the_published_sizes() {
    for (side, levels, edges, nodes_asked, edges_asked) in
        [(32, 63, 1984, 64, 31), (64, 127, 8064, 256, 126), (96, 191, 18_240, 576, 285)]
    {
        let graph = Memory::wavefront(side, side);
        assert_eq!(graph.nodes.last().map(|node| node.level() + 1), Some(levels));
        assert_eq!(graph.edges.len(), edges);
        for (config, policy) in [
            (DgbConfig::GTX480, GraphPolicy::Lvl { bound: 3 }),
            (DgbConfig::GTX480_LRR, GraphPolicy::Lrr),
            (DgbConfig::GTX480_LRR, GraphPolicy::Lvl { bound: 0 }),
        ] {
            let Run { sent, stats, end } = run(&mut machine(config), &graph, policy, 120);
            assert_eq!((sent.len(), end), ((side * side) as usize, Selection::Finished));
            assert_eq!((stats.node_requests, stats.edge_requests), (nodes_asked, edges_asked));
            assert!(stats.spills == 0 && stats.pub_max <= 64);
            if let GraphPolicy::Lvl { bound } = policy {
                assert!(stats.max_level_range <= bound.into(), "{stats:?}");
            }
        }
    }
}

/// Child distances below the smallest full window, 113 nodes, cannot deadlock, whatever the PUB; 128 x 128 may.
#[test]
fn wavefronts_are_safe_up_to_their_smaller_side() {
    let config = DgbConfig { pub_entries: 0, ..DgbConfig::GTX480 };
    for (width, height) in [(64, 64), (96, 96), (112, 112), (111, 200), (200, 111), (73, 55), (78, 52)] {
        assert_eq!(admit(&config, &Memory::wavefront(width, height)), Admission::Safe, "{width} x {height}");
    }
    for (width, height) in [(113, 113), (113, 200), (200, 113)] {
        assert_ne!(admit(&config, &Memory::wavefront(width, height)), Admission::Safe, "{width} x {height}");
    }
    let published = admit(&DgbConfig::GTX480, &Memory::wavefront(128, 128));
    assert!(matches!(published, Admission::MayDeadlock { .. }), "{published:?}");
}

/// Barriers in sequence: `width` TBs, all of which need all before them, or one empty TB in between.
fn barriers(phases: u32, width: u32, relays: bool) -> Memory {
    let step = if relays { width + 1 } else { width };
    let links = |block: Dim3| {
        let (phase, place) = (block.x / step, block.x % step);
        let needed = match (relays, place == width) {
            (false, _) => phase.saturating_sub(1) * step..phase * step,
            (true, true) => phase * step..phase * step + width,
            (true, false) => (phase * step).saturating_sub(1)..phase * step,
        };
        needed.map(|p| Link::Parent(p.into(), 0, 0)).collect()
    };
    let built = heap::build(Dim3::linear(phases * step), 1 << 21, &links).expect("a graph without a cycle");
    Memory { nodes: built.nodes, edges: built.edges }
}

/// dats-H5: what fits the buffer of the published sizes.
#[test]
fn large_barriers_choke_the_buffer() {
    let (lvl, lrr) = (DgbConfig::GTX480, DgbConfig::GTX480_LRR);
    let direct = |config: &DgbConfig, width| admit(config, &barriers(5, width, false));
    assert_eq!((direct(&lvl, 16), direct(&lrr, 32)), (Admission::Safe, Admission::Safe));
    assert!(matches!(direct(&lvl, 20), Admission::MayDeadlock { .. }));
    assert!(matches!(direct(&lvl, 21), Admission::Deadlocks { .. }));
    assert_ne!(direct(&lrr, 33), Admission::Safe);
    assert!(matches!(direct(&lvl, 64), Admission::Deadlocks { .. }));
    assert_eq!(direct(&lvl, 513), Admission::Oversize { node: NodeId(0) });
    for width in [16, 64, 110] {
        let relayed = barriers(4, width, true);
        assert_eq!(admit(&lvl, &relayed), Admission::Safe, "{width}");
        assert_eq!(run(&mut machine(lvl), &relayed, GraphPolicy::Lrr, 120).end, Selection::Finished);
    }
    // What cannot run is stuck, and runs with spill.
    let wide = barriers(3, 64, false);
    let stuck = run(&mut machine(lvl), &wide, GraphPolicy::Lrr, 120);
    assert_eq!(stuck.end, Selection::Stall(Stall::Deadlock));
    let spilled = run(&mut machine(DgbConfig { spill: true, ..lvl }), &wide, GraphPolicy::Lrr, 120);
    assert_eq!((spilled.end, spilled.sent.len()), (Selection::Finished, 192));
    assert!(spilled.stats.spills > 0);
}

/// A graph that fits never spills (dats-H1).
#[test]
fn a_graph_that_fits_never_pays_for_spilling() {
    let graph = Memory::wavefront(64, 64);
    let with = |spill| run(&mut machine(DgbConfig { spill, ..DgbConfig::GTX480 }), &graph, GraphPolicy::Lrr, 120);
    let (plain, spilling) = (with(false), with(true));
    assert_eq!((plain.sent, plain.stats), (spilling.sent, spilling.stats));
}

/// dats-H6: the last VID is 65,534, and one past it still fits.
#[test]
fn the_largest_graph_runs() {
    let wavefront = Memory::wavefront(257, 255);
    let isolated = Memory { nodes: vec![Node::new(0, true, 0, 0); 65535], edges: Vec::new() };
    let chain = (0..65535).map(|i| Node::new(i, i == 65534, u16::from(i > 0), i as u16)).collect();
    let chain = Memory { nodes: chain, edges: (1..65535).map(NodeId).collect() };
    for (graph, lna) in [(&wavefront, 512), (&isolated, 65535), (&chain, 17)] {
        let mut m = machine(DgbConfig { lna, lea: 2048, ..DgbConfig::GTX480 });
        let Run { sent, stats, end } = run(&mut m, graph, GraphPolicy::Lrr, 1000);
        assert_eq!((sent.len(), end, stats.node_requests), (65535, Selection::Finished, 4096));
        assert_eq!((m.state().tail, m.state().head, m.state().fetched), (65535, 65535, 65535));
    }
}

/// The greatest addresses of a large graph, and the chunks that end at the end of an array.
#[test]
fn addresses_reach_the_end_of_memory() {
    let (node_base, edge_base) = (0u64.wrapping_sub(24), 0u64.wrapping_sub(8));
    let config = DgbConfig { chunk_bytes: 8, smxs: 1, ..DgbConfig::GTX480 };
    let mut m = machine(config);
    let graph = Memory::of_parents(&[vec![], vec![0], vec![0, 1]]);
    let header = GraphHeader { node_base, edge_base, ..graph.header(GraphPolicy::Lrr) };
    m.launch(KernelSlot(0), &header).unwrap();
    let mut asked = Vec::new();
    while let Some(request) = m.poll().unwrap() {
        graph.clone().answer(&request).apply(&mut m).unwrap();
        asked.push(match request {
            Request::Nodes { addr, .. } | Request::Edges { addr, .. } | Request::Decrement { addr, .. } => addr,
        });
    }
    assert_eq!(asked, [node_base, node_base + 8, edge_base, node_base + 16]);
}

/// dats-T4: each SMX in turn, among those with room, from the one behind the last; also with the greatest number.
#[test]
fn smxs_take_turns() {
    let mut m = machine(DgbConfig { smxs: 256, ..DgbConfig::GTX480 });
    let graph = Memory { nodes: vec![Node::new(0, true, 0, 0); 600], edges: Vec::new() };
    let sent = run(&mut m, &graph, GraphPolicy::Lrr, 600).sent;
    assert!(sent.iter().enumerate().all(|(i, (_, smx))| usize::from(smx.0) == i % 256));
    // The turn goes on from graph to graph (dats-A15).
    assert_eq!(m.next_smx(), SmxId((600 % 256) as u16));
    assert_eq!(run(&mut m, &graph, GraphPolicy::Lrr, 600).sent[0].1, SmxId(88));
}

/// dats-L2: the second graph finds nothing of the first.
#[test]
fn a_machine_runs_one_graph_after_another() {
    let graphs = [Memory::wavefront(9, 7), Memory::wavefront(2, 2), barriers(3, 6, false)];
    for spill in [false, true] {
        let config =
            DgbConfig { smxs: 1, lna: 12, lea: 80, pub_entries: 40, chunk_bytes: 32, spill, ..DgbConfig::GTX480 };
        let mut used = machine(config);
        for graph in graphs.iter().chain(&graphs) {
            let (again, fresh) =
                (run(&mut used, graph, GraphPolicy::Lrr, 5), run(&mut machine(config), graph, GraphPolicy::Lrr, 5));
            assert_eq!((again.sent, again.stats, again.end), (fresh.sent, fresh.stats, fresh.end));
        }
    }
}

/// A spilled graph's parent counts in memory were counted down: launched again without repair it is refused or faulty, never stuck.
#[test]
fn a_spilled_graph_must_be_restored() {
    let config =
        DgbConfig { smxs: 1, lna: 3, lea: 16, pub_entries: 0, chunk_bytes: 8, spill: true, ..DgbConfig::GTX480 };
    let graph = Memory::of_parents(&[vec![], vec![], vec![], vec![0], vec![0, 1]]);
    let mut memory = graph.clone();
    let mut m = machine(config);
    m.launch(KernelSlot(0), &graph.header(GraphPolicy::Lrr)).unwrap();
    let mut decrements = Vec::new();
    loop {
        while let Some(request) = m.poll().unwrap() {
            if let Request::Decrement { node, .. } = request {
                decrements.push(node);
            }
            memory.answer(&request).apply(&mut m).unwrap();
        }
        match m.select(&SmxSet::first(1)).unwrap() {
            Selection::Dispatch { node, .. } => drop(m.complete(node).unwrap()),
            Selection::Stall(stall) => panic!("{stall:?}"),
            Selection::Finished => break,
        }
    }
    assert!(!decrements.is_empty());
    for (node, before) in (0..).map(NodeId).zip(&graph.nodes) {
        let times = decrements.iter().filter(|n| **n == node).count() as u16;
        assert_eq!(memory.nodes[usize::from(node.0)].parents(), before.parents() - times, "{node:?}");
    }
    assert_ne!(memory, graph);
}

/// dats-H9: bound 0 is a barrier between levels.
#[test]
fn bound_0_runs_level_by_level() {
    let graph = Memory::wavefront(8, 8);
    let level = |node: &NodeId| graph.nodes[usize::from(node.0)].level();
    let Run { sent, stats, end } = run(&mut machine(DgbConfig::GTX480), &graph, GraphPolicy::Lvl { bound: 0 }, 64);
    assert_eq!((end, stats.max_level_range), (Selection::Finished, 0));
    assert!(sent.is_sorted_by_key(|(node, _)| level(node)));
}

/// LRR runs in the order of VIDs as far as parents allow: with a slot, in that very order.
#[test]
fn one_slot_runs_in_the_order_of_vids() {
    for policy in [GraphPolicy::Lrr, GraphPolicy::Lvl { bound: 0 }, GraphPolicy::Lvl { bound: u16::MAX }] {
        for prefetch in [Prefetch::ChunkFree, Prefetch::Eager] {
            let graph = Memory::wavefront(13, 11);
            let sent = run(&mut machine(DgbConfig { prefetch, ..DgbConfig::GTX480 }), &graph, policy, 1).sent;
            assert!(sent.into_iter().map(|(node, _)| node).eq((0..143).map(NodeId)), "{policy:?}");
        }
    }
}

/// A barrier is edges: each TB of `after` to each TB of `before` (2.2), and outside the grid is nothing.
#[test]
fn a_barrier_is_edges() {
    let build = |mapping: &dyn Fn(u32, &mut DepLinks<'_>) -> Result<(), DepLinksError>| {
        let (mut nodes, mut order) = ([Node::default(); 6], [0; 6]);
        let (mut edges, mut parents) = ([NodeId(0); 20], [0; 20]);
        let mut rows = [DepLinksRow::default(); 6];
        let storage = GraphStorage {
            nodes: &mut nodes,
            edges: &mut edges,
            order: &mut order,
            parents: &mut parents,
            rows: &mut rows,
        };
        let graph = DepLinks::build(Dim3::linear(6), storage, |_, links| mapping(links.tb(), links))?;
        Ok::<_, DepLinksError>((graph.nodes.to_vec(), graph.edges.to_vec()))
    };
    let by_barrier = build(&|_, links| links.barrier(0..3, 3..9));
    let by_hand = build(&|tb, links| (0..if tb < 3 { 0 } else { 3 }).try_for_each(|p| links.add_dependency(p, 0, 0)));
    assert_eq!(by_barrier, by_hand);
    assert_eq!(by_barrier.unwrap().1.len(), 9);
    assert_eq!(build(&|_, links| links.barrier(4..99, 0..1)).unwrap().1, [NodeId(5); 2]);
    let error = build(&|_, links| links.barrier(0..3, 2..4)).unwrap_err();
    assert_eq!(error, DepLinksError::SelfDependency { tb: 2 });
}
