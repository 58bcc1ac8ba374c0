//! Images of the DGB: a restored machine cannot be told from the saved one, and forgery never makes a machine that breaks.

use gpusched::dats::{
    Dgb, DgbConfig, GraphHeader, GraphPolicy, NodeId, NodeState, Prefetch, Request, dgb_image_config,
};
use gpusched::{ImageError, KernelSlot, SmxSet};
use gpusched_tests::dats::Event;
use gpusched_tests::dats::heap::{self, HeapTables};
use gpusched_tests::dats::memory::Memory;
use gpusched_tests::images::{
    NUMBERS, again, assert_damage_is_refused, assert_forgery_is_harmless, assert_is_stored, assert_kind, forge, image,
    on_both,
};
use proptest::prelude::*;

use crate::dats::runs;
use crate::dats::script::{Host, configs, play, script, step};

fn restore(image: &[u8]) -> Result<Dgb<HeapTables>, ImageError> {
    Dgb::restore(image, heap::tables(&dgb_image_config(image)?))
}

#[test]
fn an_image_is_of_its_own_kind() {
    let image = image(&heap::machine(&DgbConfig::GTX480).unwrap());
    assert_kind(&image, 4, 2);
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
fn busy() -> Dgb<HeapTables> {
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
fn spilling() -> Dgb<HeapTables> {
    let config =
        DgbConfig { smxs: 2, lna: 3, lea: 4, pub_entries: 0, chunk_bytes: 8, spill: true, ..DgbConfig::GTX480 };
    let mut m = at_work(&config, &[&[], &[], &[], &[0], &[0, 1]], u32::MAX, &[0]);
    assert!(matches!(m.poll(), Ok(Some(Request::Decrement { node: NodeId(3), .. }))));
    assert_eq!(m.state().spilling, Some(NodeId(0)));
    m
}

#[test]
fn what_is_damaged_is_refused() {
    assert_damage_is_refused(&busy(), restore);
    assert_damage_is_refused(&spilling(), restore);
}

#[test]
fn stored_images_are_still_good() {
    assert_is_stored(&busy(), "dats-busy-v2.bin", env!("CARGO_TARGET_TMPDIR"), restore);
    assert_is_stored(&spilling(), "dats-spilling-v2.bin", env!("CARGO_TARGET_TMPDIR"), restore);
}

#[test]
fn every_forged_number_is_refused_or_possible() {
    for m in [busy(), spilling()] {
        assert_forgery_is_harmless(&m, NUMBERS, |_| Ok(()));
    }
}

proptest! {
    #![proptest_config(runs(1500))]

    /// A machine can be saved and restored anywhere in a random history, and goes on from its image as it would have.
    #[test]
    fn a_restored_machine_goes_on_as_the_original(config in configs(), script in script()) {
        let mut m = heap::machine(&config).unwrap();
        play(&config, &script, &mut |_, event| on_both(&mut m, |m| event.apply(m)).map_err(TestCaseError::fail))?;
        again(&m).map_err(TestCaseError::fail)?;
    }
}

proptest! {
    #![proptest_config(runs(300))]

    /// Forgery is refused, or makes a machine that keeps its invariants, bears every call, and can be saved and restored.
    #[test]
    fn a_forged_image_never_breaks_anything(
        config in configs(),
        (graph, before) in script(),
        tries in prop::collection::vec(prop::collection::vec(any::<u64>(), 1..=2), 8),
        after in prop::collection::vec(step(), 0..60),
    ) {
        let (mut m, mut host) = (heap::machine(&config).unwrap(), Host::new(&config));
        host.launch(&graph, &mut |_, event| Ok(event.apply(&mut m)))?;
        for step in &before {
            host.step(step, &mut |_, event| Ok(event.apply(&mut m)))?;
        }
        for mut forged in tries.iter().filter_map(|edits| forge(&m, edits)) {
            let mut host = host.clone();
            for step in &after {
                let mut make = |_: &Host, event: &Event| on_both(&mut forged, |m| event.apply(m)).map_err(TestCaseError::fail);
                host.step(step, &mut make)?;
            }
            again(&forged).map_err(TestCaseError::fail)?;
        }
    }
}
