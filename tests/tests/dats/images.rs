//! Images of the DGB: a restored machine cannot be told from the saved one, and forgery never makes a machine that breaks.

use flate2::Crc;
use gpusched::dats::{
    Dgb, DgbConfig, GraphHeader, GraphLaunch, GraphPolicy, NodeId, NodeState, Prefetch, Request, Tables,
    dgb_image_config,
};
use gpusched::{ImageError, KernelSlot, SmxSet};
use gpusched_tests::dats::heap::{self, HeapTables};
use gpusched_tests::dats::invariants::check_shape;
use gpusched_tests::dats::memory::Memory;
use gpusched_tests::dats::view::View;
use gpusched_tests::images::{CHECKSUM, HEADER};
use proptest::prelude::*;

use crate::runs;
use crate::script::{Host, configs, play, script, step};

fn image<T: Tables>(m: &Dgb<T>) -> Vec<u8> {
    let mut image = vec![0xa5; m.image_len()];
    assert_eq!(m.save(&mut image), Ok(image.len()));
    image
}

fn restore(image: &[u8]) -> Result<Dgb<HeapTables>, ImageError> {
    Dgb::restore(image, heap::tables(&dgb_image_config(image)?))
}

/// An image whose body has one byte changed and whose checksum is right all the same.
fn forged(image: &[u8], at: usize, byte: u8) -> Vec<u8> {
    let mut image = image[..image.len() - CHECKSUM].to_vec();
    let body = image.len() - HEADER;
    image[HEADER + at % body] = byte;
    let mut crc = Crc::new();
    crc.update(&image);
    image.extend(crc.sum().to_le_bytes());
    image
}

#[test]
fn an_image_is_of_its_own_kind() {
    let image = image(&heap::machine(&DgbConfig::GTX480).unwrap());
    assert_eq!(image[..12], [&b"gpusched"[..], &[4, 0, 1, 0]].concat());
    assert_eq!(gpusched::image_config(&image), Err(ImageError::WrongKind));
    let small = heap::tables(&DgbConfig { lea: 1, ..DgbConfig::GTX480 });
    assert!(
        matches!(Dgb::<HeapTables>::restore(&image, small), Err(ImageError::Tables(t)) if t.table == "local_edges")
    );
    for len in 0..image.len() {
        assert_eq!(restore(&image[..len]).map(drop), Err(ImageError::Truncated));
        let need = image.len();
        let m = heap::machine(&DgbConfig::GTX480).unwrap();
        assert_eq!(m.save(&mut vec![0; len]), Err(ImageError::TooSmall { need }));
    }
}

/// A machine that was launched, fed as long as it asks for anything but `edge`, dispatched three times, and told of ends.
fn at_work(config: &DgbConfig, parents: &[&[u32]], edge: u32, ends: &[u16]) -> Dgb<HeapTables> {
    let memory = Memory::of_parents(&parents.iter().map(|own| own.to_vec()).collect::<Vec<_>>());
    let mut m = heap::machine(config).unwrap();
    let header = GraphHeader { node_base: 160, edge_base: 320, ..memory.header(GraphPolicy::Lvl { bound: 2 }) };
    m.launch(&GraphLaunch { kdei: KernelSlot(7), graph: header }).unwrap();
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
    let states = m.resident().map(|(_, node)| node.state).collect::<Vec<_>>();
    assert_eq!(states, [Executing, Done, Pending, Ready, Waiting]);
    assert_eq!((m.landed().count(), m.pending_updates().count(), m.window().edge_head), (1, 2, 8));
    m
}

/// A node that spills, with a decrement in flight.
fn spilling() -> Dgb<HeapTables> {
    let config =
        DgbConfig { smxs: 2, lna: 3, lea: 4, pub_entries: 0, chunk_bytes: 8, spill: true, ..DgbConfig::GTX480 };
    let mut m = at_work(&config, &[&[], &[], &[], &[0], &[0, 1]], u32::MAX, &[0]);
    assert!(matches!(m.poll(), Ok(Some(Request::Decrement { node: NodeId(3), .. }))));
    assert_eq!(m.window().spilling, Some(NodeId(0)));
    m
}

/// Images of yesterday. If this fails, the form has changed: count up the version in `core/src/dats/image.rs`, and check in the
/// images of the new version beside the old ones.
#[test]
fn stored_images_are_still_good() {
    let stored: [(&str, Dgb<HeapTables>, &[u8]); 2] = [
        ("busy", busy(), include_bytes!("../images/dats-busy-v1.bin")),
        ("spilling", spilling(), include_bytes!("../images/dats-spilling-v1.bin")),
    ];
    for (name, m, stored) in stored {
        let now = image(&m);
        if now != stored {
            std::fs::write(format!("{}/dats-{name}-v1.bin", env!("CARGO_TARGET_TMPDIR")), &now).unwrap();
        }
        assert!(now == stored, "the form has changed; today's image is in {}", env!("CARGO_TARGET_TMPDIR"));
        assert_eq!(restore(stored), Ok(m));
    }
}

proptest! {
    #![proptest_config(runs(400))]

    /// One machine steps through the script, another one goes through an image before every call.
    #[test]
    fn a_restored_machine_goes_on_as_the_original(config in configs(), script in script()) {
        let mut m = heap::machine(&config).unwrap();
        let mut traveller = image(&m);
        play(&config, &script, &mut |_, event| {
            let mut restored = restore(&traveller).expect("its image is good");
            let answered = event.apply(&mut m);
            prop_assert_eq!(&event.apply(&mut restored), &answered);
            prop_assert_eq!(&restored, &m);
            traveller = image(&restored);
            Ok(answered)
        })?;
        prop_assert_eq!(restore(&traveller), Ok(m));
    }

    /// Forgery is refused, or makes a machine that keeps its invariants and bears every call.
    #[test]
    fn a_forged_image_never_breaks_anything(
        config in configs(),
        (graph, before) in script(),
        tries in prop::collection::vec((any::<usize>(), prop_oneof![3 => 0..=8u8, 1 => any::<u8>()]), 64),
        after in prop::collection::vec(step(), 0..60),
    ) {
        let (mut m, mut host) = (heap::machine(&config).unwrap(), Host::new(&config));
        host.launch(&graph, &mut |_, event| Ok(event.apply(&mut m)))?;
        for step in &before {
            host.step(step, &mut |_, event| Ok(event.apply(&mut m)))?;
        }
        let good = image(&m);
        for (at, byte) in tries {
            let Ok(mut m) = restore(&forged(&good, at, byte)) else { continue };
            prop_assert_eq!(restore(&image(&m)), Ok(m.clone()));
            let mut host = host.clone();
            for step in &after {
                host.step(step, &mut |_, event| {
                    let answered = event.apply(&mut m);
                    let size = m.graph().map_or((0, 0), |graph| (graph.v, graph.e));
                    check_shape(m.config(), size, &View::of(&m)).map_err(TestCaseError::fail)?;
                    Ok(answered)
                })?;
            }
        }
    }
}
