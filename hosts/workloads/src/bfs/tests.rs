use super::*;
use crate::device::CHILD_PC;
use crate::functional::{Tally, run};
use crate::graph::{EdgeList, Generator, fnv1a};
use crate::{Cover, Shape};
use gpusched::Dim3;
use gpusched_refgpu::program::{Class, Effects, Inst, TbContext, Workload};
use petgraph::algo::dijkstra;
use petgraph::graph::{DiGraph, NodeIndex, UnGraph};

fn generated(name: &str) -> Arc<Csr> {
    let generator: Generator = name.parse().unwrap();
    Arc::new(Csr::from_edges(generator.edges()).unwrap())
}

/// A vertex with this many neighbours that have no other.
fn star(leaves: u32) -> Arc<Csr> {
    let mut list = EdgeList::unweighted(leaves + 1);
    (1..=leaves).for_each(|leaf| list.push(0, leaf, 1));
    Arc::new(Csr::from_edges(list).unwrap())
}

fn merrill() -> BfsOptions {
    BfsOptions { flat: FlatForm::Merrill, ..BfsOptions::default() }
}

/// Every program there is, by name.
fn variants() -> Vec<(&'static str, Mode, BfsOptions)> {
    let default = BfsOptions::default();
    let fixed = BfsOptions { shape: Shape::Fixed(48), cover: Cover::All, min_child: 5, launch_insts: 3, ..default };
    vec![
        ("thread", Mode::Flat, default),
        ("merrill", Mode::Flat, merrill()),
        ("pt", Mode::Persistent, default),
        ("floor var", Mode::Cdp, default),
        ("cage", Mode::Dtbl, BfsOptions::cage()),
        ("all fixed", Mode::DtblIdeal, fixed),
    ]
}

fn search(graph: &Arc<Csr>, mode: Mode, options: BfsOptions, room: usize) -> (Bfs, Tally) {
    let mut bfs = Bfs::new(Arc::clone(graph), mode, options).unwrap();
    bfs.control.stay(5);
    let tally = run(&mut bfs, room);
    (bfs, tally)
}

#[test]
fn every_variant_finds_the_levels_that_petgraph_finds() {
    for name in ["cit:3000", "cage:2000", "road:4", "flight:900", "uni:9", "kron:10", "kron:12,40"] {
        let graph = generated(name);
        let edges = graph.edges().map(|(u, v, _)| (u, v));
        let reference = UnGraph::<(), ()>::from_edges(edges);
        let source = NodeIndex::new(graph.source() as usize);
        let distance = dijkstra(&reference, source, None, |_| 1_u32);
        let level = |v: u32| distance.get(&NodeIndex::new(v as usize)).copied();
        let levels: Vec<u32> = (0..graph.vertices()).map(|v| level(v).unwrap_or(UNREACHED)).collect();
        for (variant, mode, options) in variants() {
            for room in [1, 7, 1000] {
                let (bfs, _) = search(&graph, mode, options, room);
                assert_eq!(bfs.levels(), levels, "{name} {variant} {room}");
                let checksum = fnv1a(levels.iter().copied());
                assert_eq!(bfs.check(), Ok(Verified { checksum }));
                let (settled, reachable) = Workload::progress(&bfs);
                assert_eq!((settled, reachable), (distance.len() as u64, settled));
                assert!(bfs.device.is_empty());
            }
        }
    }
}

#[test]
fn arcs_of_a_directed_graph_are_followed_one_way() {
    let edges = "uni:7,3".parse::<Generator>().unwrap().edges().directed(true);
    let graph = Arc::new(Csr::from_edges(edges).unwrap());
    let reference = DiGraph::<(), ()>::from_edges(graph.edges().map(|(u, v, _)| (u, v)));
    let distance = dijkstra(&reference, NodeIndex::new(graph.source() as usize), None, |_| 1_u32);
    let level = |v: u32| distance.get(&NodeIndex::new(v as usize)).copied().unwrap_or(UNREACHED);
    let levels: Vec<u32> = (0..graph.vertices()).map(level).collect();
    assert!(graph.one_way().is_some());
    for (variant, mode, options) in variants() {
        assert_eq!(search(&graph, mode, options, 7).0.levels(), levels, "{variant}");
    }
}

#[test]
fn every_variant_looks_along_every_arc_once() {
    let graph = generated("kron:10");
    for (variant, mode, options) in variants() {
        let (bfs, tally) = search(&graph, mode, options, 20);
        for v in 0..graph.vertices() {
            let visits = u32::from(bfs.levels()[v as usize] != UNREACHED);
            for arc in graph.arcs(v) {
                let address = bfs.graph.col.at(arc as u32);
                let loads = tally.loads.get(&address).copied().unwrap_or(0);
                assert_eq!(loads, visits, "{variant} {v}");
            }
        }
    }
}

/// The lists of workloads-BF1 to BF4 counted by hand on a star of 40 leaves: a level of one vertex, then a level of 40, eight warps each.
#[test]
fn instructions_are_those_of_the_lists() {
    // A turn of a visit that finds and claims: I1 L I1 L I2 A I1 I2 A S I3 I2; that finds nothing fresh.
    let (found, idle) = (17, 11);
    // I4 Lq I1 L L; a warp without a vertex is I4 and exit.
    let (entry, empty) = (8, 5);
    let graph = star(40);

    let (_, thread) = search(&graph, Mode::Flat, BfsOptions::default(), 100);
    let second_level = 2 * (entry + idle + 1) + 6 * empty;
    assert_eq!(thread.issued, entry + 40 * found + 1 + 7 * empty + second_level);

    // One child of 32: I2 S K by the parent, which visits the other 8 itself.
    let (_, dynamic) = search(&graph, Mode::Dtbl, BfsOptions::default(), 100);
    let child = 3 + 1 + 1 + 2 + 2 + 1 + 3 + 2 + 1;
    let parent = entry + 4 + 8 * found + 1 + 7 * empty;
    assert_eq!(dynamic.issued, parent + child + second_level + 2 * 2);
    assert_eq!(dynamic.launches.len(), 1);

    let (_, called) = search(&graph, Mode::Dtbl, BfsOptions { launch_insts: 32, ..BfsOptions::default() }, 100);
    assert_eq!(called.issued, dynamic.issued + 32);

    // A round of the TB that elects nobody is I2 B l I2. The warp visits 32 and then 8: I2, two turns, I2.
    let (_, merrill) = search(&graph, Mode::Flat, merrill(), 100);
    let round = 6;
    let first_level = entry + round + 2 + 2 * found + 2 + 1 + 7 * (empty + round);
    let second_level = 2 * (entry + round + idle + 1) + 6 * (empty + round);
    assert_eq!(merrill.issued, first_level + second_level);
}

/// workloads-BF6 counted by hand for the TB that takes everything; the four after it find that all is over.
#[test]
fn instructions_of_persistent_threads_are_those_of_the_list() {
    let (_, tally) = search(&star(40), Mode::Persistent, BfsOptions::default(), 1);
    let (found, idle, warps) = (17, 11, 8);
    // I2 to see who leads, B l, I2 to stay; at the end I2 of the turn. The leader: A8 I2 I2 A s.
    let (turn, leader) = (2 + 2 + 2 + 2, 7);
    // A chunk: I4, a round without a candidate, B, I2; the leader: A I2 and, of the last chunk of a level, A S S A8.
    let chunk = warps * (turn + 4 + 6 + 1 + 2) + leader + 3 + 4;
    // The source: four instructions to have it, and the warp visits 32 and then 8.
    let first = chunk + 4 + 4 + 2 * found;
    // Five leaves for each warp.
    let second = chunk + warps * (4 + idle);
    let over = warps * (turn + 1) + leader;
    assert_eq!(tally.issued, first + second + 5 * over);
    assert_eq!((tally.kernels.len(), tally.kernels[0].grid.x), (1, 5));
}

#[test]
fn vertices_are_taken_from_the_open_level_only() {
    // 300 leaves are five chunks; that of the source was taken before, and one more is asked for by each TB at the end.
    let (bfs, tally) = search(&star(300), Mode::Persistent, BfsOptions::default(), 1);
    assert_eq!(bfs.next_queue.len(), 301);
    let (busy, opened, over) = (1 + 5, 2, 5);
    let claims = tally.by_class[&Class::AtomicGlobal][0] - (2 * (1 + 5 + over) + busy + 2 * opened);
    // The source's arcs in turns of 8 warps and 2: each claims and counts the tail up.
    assert_eq!(claims, 2 * (8 + 2));
}

#[test]
fn merrill_gives_wide_vertices_to_the_tb() {
    // 600 leaves: the TB takes 256, 256, then 88 of them: turns of 8, 8 and 3 warps.
    let (_, tally) = search(&star(600), Mode::Flat, merrill(), 100);
    assert_eq!(tally.of(Class::StoreShared), 1);
    // Two rounds in the first level; one in each of the three TBs of the second.
    assert_eq!(tally.of(Class::Barrier), 8 * (2 + 3));
    let first_level = 2 * (8 + 8 + 3);
    let claims = 8 + 8 + 3;
    // 19 warps with a leaf each claim nothing: their one neighbour is the source.
    assert_eq!(tally.of(Class::AtomicGlobal), 2 * claims);
    assert_eq!(tally.of(Class::LoadGlobal), 3 + first_level + 19 * (3 + 2));
}

#[test]
fn children_are_what_the_descriptor_says() {
    let options = BfsOptions::default();
    let (bfs, tally) = search(&star(300), Mode::Cdp, options, 100);
    let [child] = tally.launches[..] else {
        panic!("one child: {:?}", tally.launches);
    };
    let wanted = Descriptor {
        pc: CHILD_PC,
        grid: Dim3::linear(1),
        tb: Dim3::linear(256),
        regs: 16 * 256,
        smem: 0,
        tag: 1,
        ..Descriptor::default()
    };
    assert_eq!(child, wanted);
    // Its eight warps load the one slot, all lanes the same address.
    assert_eq!(tally.loads[&bfs.device.address(0)], 256);
}

#[test]
fn the_cage_preset_launches_as_the_sheet_expects() {
    let graph = generated("cage:16384");
    let (_, tally) = search(&graph, Mode::Dtbl, BfsOptions::cage(), 500);
    let share = tally.launches.len() as f64 / f64::from(graph.vertices());
    assert!((0.64..0.68).contains(&share), "66% launch: {share}");
    let (_, default) = search(&graph, Mode::Dtbl, BfsOptions::default(), 500);
    let share = default.launches.len() as f64 / f64::from(graph.vertices());
    assert!((0.004..0.006).contains(&share), "0.5% launch: {share}");
}

#[test]
fn launching_evens_out_a_skewed_graph() {
    let graph = generated("kron:12");
    let lanes = |mode| search(&graph, mode, BfsOptions::default(), 500).1.mean_lanes(Class::LoadGlobal);
    assert!(lanes(Mode::Dtbl) > 2.0 * lanes(Mode::Flat));
}

#[test]
fn a_wrong_level_is_told_with_its_place() {
    let (mut bfs, _) = search(&star(3), Mode::Flat, BfsOptions::default(), 1);
    bfs.level[2] = 9;
    let wrong = bfs.check().unwrap_err();
    assert_eq!(wrong.to_string(), "wrong result: level[2] is 9, want 1");
}

#[test]
fn options_out_of_range_are_refused() {
    let options = BfsOptions { min_child: 0, ..BfsOptions::default() };
    let error = Bfs::new(star(3), Mode::Flat, options).unwrap_err();
    assert_eq!(error.to_string(), "option `min_child`: expected 1 or more, found 0");
}

/// What waits for what: a load for the instructions that make its address, never for a load beside it.
#[test]
fn registers_carry_the_dependences_of_the_list() {
    let mut bfs = Bfs::new(star(1), Mode::Flat, BfsOptions::default()).unwrap();
    let kernel = Workload::next_kernel(&mut bfs).unwrap();
    let context = TbContext { tag: kernel.tag, blkid: 0, threads: kernel.tb.x };
    let mut warp = <Bfs as Workload>::Warp::default();
    bfs.begin(&context, 0, &mut warp);
    let mut effects = Effects { addr: [0; 32], bytes: 0, rank: 0, launches: Vec::new() };
    let mut list = Vec::new();
    while list.last().is_none_or(|inst: &Inst| inst.class != Class::Exit) {
        list.push(bfs.fetch(&warp));
        bfs.execute(&mut warp, &mut effects);
    }
    let of = |class| list.iter().filter(move |inst| inst.class == class);
    let loads: Vec<&Inst> = of(Class::LoadGlobal).collect();
    let [queue, first, end, col, level] = loads[..] else {
        panic!("{loads:?}");
    };
    let [claim, tail] = of(Class::AtomicGlobal).collect::<Vec<_>>()[..] else {
        panic!("two atomics");
    };
    let store = of(Class::StoreGlobal).next().unwrap();
    let after = |load: &Inst| list[list.iter().position(|inst| inst == load).unwrap() + 1];

    assert_ne!(after(queue).src & queue.dst, 0, "the row's address needs the vertex");
    assert_eq!(first.src, after(queue).dst);
    assert_eq!(end.src, first.src);
    assert_eq!(end.src & first.dst, 0, "the two ends load side by side");
    assert_eq!(after(end).src & (first.dst | end.dst), first.dst | end.dst, "the visit needs both");
    assert_eq!(after(col).src, col.dst);
    assert_eq!(level.src, after(col).dst);
    assert_eq!(after(level).src, level.dst, "the test needs the level");
    assert_eq!(after(claim).src, claim.dst, "whether it won");
    assert_ne!(store.src & tail.dst, 0, "the place in the queue");
    for inst in &list {
        assert!(inst.dst == 0 || inst.dst.is_power_of_two());
    }
}

#[test]
fn a_search_starts_where_it_is_told() {
    let graph = generated("cit:3000");
    let from = |source| Bfs::from_vertex(Arc::clone(&graph), source, Mode::Dtbl, BfsOptions::default());
    let mut bfs = from(2999).unwrap();
    run(&mut bfs, 20);
    assert_eq!((bfs.levels()[2999], bfs.levels()), (0, &graph.levels(2999)[..]));
    bfs.check().unwrap();
    assert!(matches!(from(3000), Err(SetupError::Option { option: "source", found: 3000, .. })));
}
