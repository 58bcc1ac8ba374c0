//! Machines whose images are stored and forged.

use gpusched::dats::{Dgb, DgbConfig, GraphHeader, GraphPolicy, NodeId, NodeState, Prefetch, Request};
use gpusched::{ImageError, KernelSlot, SmxSet};
use gpusched_tests::dats::heap::{self, HeapTables};
use gpusched_tests::dats::memory::Memory;
use gpusched_tests::images::image;

#[test]
fn a_home_that_is_too_small_is_refused() {
    let image = image(&heap::machine(&DgbConfig::GTX480).unwrap());
    let small = heap::tables(&DgbConfig { lea: 1, ..DgbConfig::GTX480 });
    assert!(
        matches!(Dgb::<HeapTables>::restore(&image, small), Err(ImageError::Tables(t)) if t.table == "local_edges")
    );
}

/// A machine that was launched, fed as long as it asks for anything but `edge`, dispatched three times, and told of ends.
fn at_work(config: &DgbConfig, parents: &[&[u32]], edge: u32, ends: &[u16]) -> Dgb<HeapTables> {
    let memory = Memory::of_parents(&parents.iter().map(|own| own.to_vec()).collect::<Vec<_>>());
    let mut m = heap::machine(config).unwrap();
    let header = GraphHeader { node_base: 160, edge_base: 320, ..memory.header(GraphPolicy::Lvl { bound: 2 }) };
    m.launch(KernelSlot(7), &header).unwrap();
    while let Some(request) = m.poll().unwrap() {
        if !matches!(request, Request::Edges { first, .. } if first == edge) {
            memory.clone().answer(&request).apply(&mut m).unwrap();
        }
    }
    for _ in 0..3 {
        m.select(&SmxSet::first(2)).unwrap();
    }
    for node in ends {
        m.complete(NodeId(*node)).unwrap();
    }
    m
}

/// Something of everything: nodes in each state, full PUB, a node that landed, edges in flight.
pub fn busy() -> Dgb<HeapTables> {
    let config = DgbConfig { smxs: 3, lna: 5, lea: 12, pub_entries: 2, chunk_bytes: 16, ..DgbConfig::GTX480 };
    let config = DgbConfig { prefetch: Prefetch::Eager, ..config };
    let parents: [&[u32]; 12] = [&[], &[], &[], &[], &[0], &[1, 2], &[1], &[2], &[4], &[4], &[4], &[4]];
    let m = at_work(&config, &parents, 8, &[1, 2]);
    use NodeState::{Done, Executing, Pending, Ready, Waiting};
    let states = m.resident().map(|node| node.state).collect::<Vec<_>>();
    assert_eq!(states, [Executing, Done, Pending, Ready, Waiting]);
    assert_eq!((m.landed().count(), m.pending_updates().count(), m.state().edge_head), (1, 2, 8));
    m
}

/// A node that spills, with a decrement in flight.
pub fn spilling() -> Dgb<HeapTables> {
    let config =
        DgbConfig { smxs: 2, lna: 3, lea: 4, pub_entries: 0, chunk_bytes: 8, spill: true, ..DgbConfig::GTX480 };
    let mut m = at_work(&config, &[&[], &[], &[], &[0], &[0, 1]], u32::MAX, &[0]);
    assert!(matches!(m.poll(), Ok(Some(Request::Decrement { node: NodeId(3), .. }))));
    assert_eq!(m.state().spilling, Some(NodeId(0)));
    m
}
