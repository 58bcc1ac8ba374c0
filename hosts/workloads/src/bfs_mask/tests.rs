//! What the search computes and issues, without a machine.

use super::*;
use crate::functional::{Tally, Turns, finished};
use crate::graph::EdgeList;
use gpusched_refgpu::program::Class;

fn run(graph: &Arc<Csr>, turns: Turns) -> (MaskBfs, Tally) {
    finished(MaskBfs::new(Arc::clone(graph)), 2, turns)
}

#[test]
fn costs_are_the_levels_of_a_sequential_search() {
    // With vertices that no path reaches, with hubs, and with a great depth.
    for name in ["uni:11,3", "kron:10,8", "road:4", "cit:1500"] {
        let graph = graph(name, u64::MAX).unwrap();
        let sums = [Turns::Together, Turns::FirstAhead, Turns::LastAhead].map(|turns| {
            let (bfs, _) = run(&graph, turns);
            assert_eq!(bfs.costs(), graph.levels(graph.source()));
            bfs.check().unwrap()
        });
        assert!(sums.iter().all(|sum| *sum == sums[0]), "{name}");
    }
}

/// Vertex 0 with two neighbours, one of which has one more.
fn branch() -> Arc<Csr> {
    let mut edges = EdgeList::unweighted(4);
    [(0, 1), (0, 2), (2, 3)].into_iter().for_each(|(u, v)| edges.push(u, v, 0));
    Arc::new(Csr::from_edges(edges).unwrap())
}

#[test]
fn the_lists_are_the_sheets() {
    let (bfs, tally) = run(&branch(), Turns::Together);
    assert_eq!(bfs.costs(), [0, 1, 1, 2]);
    // Three levels and an idle second kernel at the end. A warp of 16 has vertices.
    assert_eq!(tally.kernels.len(), 6);
    // Turns of the loop: 2 edges of 0; 2 of 2, with the one of 1 beside; 1 of 3. New vertices in the first two and in one turn of
    // vertex 2.
    let (levels, turns, found) = (3, 2 + 2 + 1, 2 + 1);
    let [expand, advance] = [15 * levels; 2]; // warps without vertices: I3 and an exit
    let int = 3 * (levels + expand) + 3 * (levels + advance) + 2 * levels * 2 + turns * (1 + 3 + 2);
    assert_eq!(tally.of(Class::Int), int);
    assert_eq!(tally.of(Class::LoadGlobal), levels + 2 * levels + 2 * turns + found + levels);
    // Two levels find something.
    assert_eq!(tally.of(Class::StoreGlobal), levels + 2 * found + 2 * 4);
    let kernel = tally.kernels[0];
    assert_eq!((kernel.tb.x, kernel.grid.x, kernel.regs, kernel.smem), (512, 1, 16 * 512, 0));
    assert!(tally.kernels[0].pc != tally.kernels[1].pc && tally.kernels[0].pc == tally.kernels[2].pc);
}

#[test]
fn nodes_are_pairs_and_masks_are_bytes() {
    let bfs = MaskBfs::new(branch()).unwrap();
    let Memory { node, edge, mask, updating, .. } = bfs.memory;
    assert_eq!((node.at(3) - node.at(0), mask.at(3) - mask.at(0)), (24, 3));
    assert_eq!([edge, mask, updating].map(|array| array.at(0) - (1 << 32)), [256, 512, 768]);
}

#[test]
fn a_wrong_cost_is_told_with_its_place() {
    let (mut bfs, _) = run(&branch(), Turns::Together);
    bfs.cost[3] = 7;
    assert_eq!(bfs.check().unwrap_err().to_string(), "wrong result: cost[3] is 7, want 2");
}

#[test]
fn sizes_are_powers_of_two_and_too_large_ones_are_refused() {
    let vertices = |size| {
        let bfs = MaskBfs::requested(Request { size, ..Request::default() });
        bfs.map(|bfs| bfs.graph.vertices()).map_err(|error| error.to_string())
    };
    assert_eq!(vertices(Size::Test), Ok(512));
    assert_eq!([1, 2, 3].map(|n| vertices(Size::Times(n))), [Ok(1 << 14), Ok(1 << 15), Ok(1 << 16)]);
    let error = vertices(Size::Times(1 << 20)).unwrap_err();
    assert_eq!(error, "graph `uni:34,3,seed=1`: expected 1..=28, found 34");
}
