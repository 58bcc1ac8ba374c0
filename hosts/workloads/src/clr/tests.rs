use super::*;
use crate::functional::{Tally, run};
use crate::graph::{EdgeList, Generator};
use crate::{Cover, Shape};
use gpusched_refgpu::program::Workload;

fn generated(name: &str) -> Arc<Csr> {
    let generator: Generator = name.parse().unwrap();
    Arc::new(Csr::from_edges(generator.edges()).unwrap())
}

fn star(leaves: u32) -> Arc<Csr> {
    let mut list = EdgeList::unweighted(leaves + 1);
    (1..=leaves).for_each(|leaf| list.push(0, leaf, 1));
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

fn color(graph: &Arc<Csr>, mode: Mode, options: LaunchOptions, room: usize) -> (Clr, Tally) {
    let mut clr = Clr::new(Arc::clone(graph), mode, options).unwrap();
    let tally = run(&mut clr, room);
    (clr, tally)
}

/// The definition of an iteration, word for word: who has no greater neighbour among those without a colour?
fn by_iterations(graph: &Csr) -> Vec<u32> {
    let rank = |v: u32| (hash(u64::from(v)) >> 32, v);
    let mut color = vec![0; graph.vertices() as usize];
    for c in 1.. {
        let free = |v: u32| color[v as usize] == 0;
        let wins = |&v: &u32| free(v) && graph.neighbours(v).iter().all(|&u| !free(u) || rank(u) < rank(v));
        let winners: Vec<u32> = (0..graph.vertices()).filter(wins).collect();
        if winners.is_empty() {
            break;
        }
        winners.into_iter().for_each(|v| color[v as usize] = c);
    }
    color
}

#[test]
fn neighbours_have_to_see_each_other() {
    let arcs = |arcs: &[(u32, u32)]| {
        let mut list = EdgeList::unweighted(0).directed(true);
        arcs.iter().for_each(|&(u, v)| list.push(u, v, 1));
        Clr::new(Arc::new(Csr::from_edges(list).unwrap()), Mode::Flat, LaunchOptions::default())
    };
    let error = arcs(&[(0, 1), (1, 0), (1, 2)]).unwrap_err();
    assert_eq!(error, SetupError::OneWay { from: 1, to: 2 });
    assert!(arcs(&[(0, 1), (1, 0), (1, 2), (2, 1)]).is_ok());
}

#[test]
fn every_variant_gives_the_colours_of_the_definition() {
    for name in ["cit:1500", "cage:1000", "road:4", "flight:400", "uni:8", "kron:9"] {
        let graph = generated(name);
        let wanted = by_iterations(&graph);
        for (variant, mode, options) in variants() {
            for room in [1, 5, 1000] {
                let (clr, _) = color(&graph, mode, options, room);
                assert_eq!(clr.colors(), wanted, "{name} {variant} {room}");
                assert_eq!(clr.check(), Ok(Verified { checksum: crate::graph::fnv1a(wanted.iter().copied()) }));
                assert_eq!(Workload::progress(&clr), (u64::from(graph.vertices()), u64::from(graph.vertices())));
                assert!(clr.device.is_empty());
            }
        }
    }
}

/// workloads-IN2: colours, as many as iterations. The small ones are run, too.
#[test]
fn iterations_are_the_golden_ones() {
    for (name, colors) in [
        ("flight:3400", 50),
        ("kron:10,16", 88),
        ("cit:16384", 52),
        ("cit:32768", 56),
        ("cage:16384", 44),
        ("cage:32768", 50),
        ("road:7", 9),
        ("uni:14,16", 79),
        ("kron:14,16", 304),
        ("kron:16,16", 534),
    ] {
        let graph = generated(name);
        let clr = Clr::new(Arc::clone(&graph), Mode::Flat, LaunchOptions::default()).unwrap();
        assert_eq!(clr.expected.iter().max(), Some(&colors), "{name}");
        if graph.vertices() < 5000 {
            let (clr, _) = color(&graph, Mode::Flat, LaunchOptions::default(), 100);
            assert_eq!((clr.iterations(), clr.colors()), (colors, &clr.expected[..]));
        }
    }
}

/// The lists of workloads-CL2 to CL4 counted by hand on a star of 40 leaves, in two warps. The middle has to wait for the greater
/// leaves, the others for the middle: three iterations.
#[test]
fn instructions_are_those_of_the_lists() {
    let graph = star(40);
    let (clr, flat) = color(&graph, Mode::Flat, LaunchOptions::default(), 100);
    assert_eq!(clr.iterations(), 3);
    let warps = |has: fn(u32) -> bool| clr.colors().chunks(32).filter(|w| w.iter().any(|&c| has(c))).count() as u64;
    assert_eq!((warps(|c| c == 1), warps(|c| c == 2), warps(|c| c == 3)), (2, 1, 2), "the case that is counted here");
    // I4 and exit for the six idle warps.
    let idle = 6 * 5;
    // I4 L I2 and exit; of lanes without a colour L L L I2, turns of I1 L L L I5 I2; S of those that lose.
    let (entry, look, turn) = (8, 5, 11);
    // In the first iteration both warps lose; in the second, too; in the third nobody.
    let examine = 3 * (idle + 2 * entry + 2 * look) + (41 + 41 + 2) * turn + 2 + 2;
    // I4 L L I2 and exit; S A of those that win.
    let resolve = 3 * (idle + 2 * 9) + (2 + 1 + 2) * 2;
    assert_eq!(flat.issued, examine + resolve);

    // In two iterations the middle gives 32 arcs away: S K, 32 turns fewer. Every warp tests for that in each: I2.
    let (_, dynamic) = color(&graph, Mode::Dtbl, LaunchOptions::default(), 100);
    assert_eq!(dynamic.launches.len(), 2);
    let launch = 2 * 2 + 3 * 2 * 2;
    // I3 L L L L I4 I2 and exit; S in the iteration in which a leaf of the first 32 is greater. The middle's other leaves
    // and its warp lose as before.
    let children = 2 * 14 + 1;
    assert_eq!(dynamic.issued + 2 * 32 * turn, flat.issued + launch + children);
}

#[test]
fn children_are_what_the_descriptor_says() {
    let (clr, tally) = color(&star(100), Mode::Cdp, LaunchOptions::default(), 100);
    let child = tally.launches[0];
    assert_eq!((child.grid.x, child.tb.x, child.regs, child.smem), (3, 32, 16 * 32, 0));
    assert!(tally.loads[&clr.device.address(0)] >= 96, "every thread reads its parameters");
}

#[test]
fn a_wrong_colour_is_told_with_its_place() {
    let (mut clr, _) = color(&star(3), Mode::Flat, LaunchOptions::default(), 1);
    let right = clr.color.clone();
    clr.color[2] = 9;
    assert!(clr.check().unwrap_err().to_string().starts_with("wrong result: color[2] is 9, want "));
    clr.color[2] = right[0];
    let wanted = format!("wrong result: color[2] is {}, want another than that of its neighbour 0", right[0]);
    assert_eq!(clr.check().unwrap_err().to_string(), wanted);
}

#[test]
fn options_out_of_range_are_refused() {
    let wide = LaunchOptions { shape: Shape::Fixed(1025), ..LaunchOptions::default() };
    let error = Clr::new(star(3), Mode::Flat, wide).unwrap_err();
    assert_eq!(error.to_string(), "option `shape`: expected 1 to 1024 threads, found 1025");
}
