//! Dependency graphs through the C ABI: random runs give the core's answers, views and images; graphs and verdicts are the core's.

use std::path::Path;

use gpusched::Dim3;
use gpusched::dats::{DgbConfig, GraphError};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_tests::dats::heap;
use gpusched_tests::dats::{Machine, OfCore, Parts, Queries};
use gpusched_tests::dats::{OfC, ThroughC, image_config};
use gpusched_tests::images::image;
use gpusched_tests::replay::{Face, Outcome, replay_file, vectors_in};
use proptest::prelude::*;

use crate::dats::against_model::{grids, link};
use crate::dats::runs;
use crate::dats::script::{Host, configs, memory, script};

#[test]
fn every_vector_passes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/dats");
    for file in vectors_in(&folder).unwrap() {
        for face in [Face::Rust, Face::C] {
            match replay_file("dats", &file, face) {
                Ok(Outcome::Passed) => {}
                Ok(Outcome::Differs(difference)) => panic!("{}, {face:?}: {difference}", file.display()),
                Err(error) => panic!("{face:?}: {error:#}"),
            }
        }
    }
}

#[test]
fn the_presets_are_those_of_the_core() {
    for config in [DgbConfig::GTX480, DgbConfig::GTX480_LRR] {
        let (c, core) = (ThroughC::new(&config).unwrap(), heap::machine(&config).unwrap());
        assert_eq!((c.view(), c.image()), (core.view(), image(&core)));
        assert_eq!(image_config(&c.image()), Ok(config));
        assert_eq!(OfC::storage_bits(&config), OfCore::storage_bits(&config));
    }
    assert_eq!(ThroughC::new(&DgbConfig { lna: 16, ..DgbConfig::GTX480 }).err(), Some(Status::BadConfig));
}

proptest! {
    #![proptest_config(runs(400))]

    /// Before every event one object is saved and another one becomes what it was; both answer as the core does, show what it
    /// shows, and have its image.
    #[test]
    fn the_c_face_answers_as_the_core(config in configs(), (graph, steps) in script()) {
        let object = || ThroughC::new(&config).expect("random configurations are valid");
        let (mut core, mut one, mut other) = (heap::machine(&config).unwrap(), object(), object());
        let mut make = |_: &Host, event: &_| {
            let saved = one.image();
            prop_assert_eq!(&saved, &image(&core));
            prop_assert_eq!(image_config(&saved), Ok(config));
            prop_assert_eq!(other.restore(&saved), Ok(()));
            let before = one.mark();
            let expected = core.take(event);
            prop_assert_eq!(&one.take(event), &expected, "{:?}", event);
            prop_assert_eq!(&other.take(event), &expected, "restored, {:?}", event);
            prop_assert_eq!(one.graph(), Queries::graph(&core));
            prop_assert_eq!(one.state(), Queries::state(&core));
            let is_fault = matches!(expected, Err(GraphError::GraphFault { .. }));
            prop_assert!(expected.is_ok() || is_fault || one.mark() == before, "{:?} changed what it refused", event);
            if !is_fault {
                prop_assert_eq!(one.view(), core.view(), "after {:?}", event);
            }
            prop_assert!(one.mark() == other.mark(), "after {:?}", event);
            std::mem::swap(&mut one, &mut other);
            Ok(expected)
        };
        let mut host = Host::new(&config);
        host.launch(&graph, &mut make)?;
        for step in &steps {
            host.step(step, &mut make)?;
        }
    }
}

proptest! {
    #![proptest_config(runs(1000))]

    #[test]
    fn graphs_and_verdicts_are_those_of_the_core(
        config in configs(),
        memory in memory(),
        grid in grids(),
        edge_cap in prop_oneof![1 => 0..=20usize, 3 => Just(10_000)],
        mappings in prop::collection::vec(prop::collection::vec(link(), 0..=4), 1..=30),
    ) {
        prop_assert_eq!(
            OfC::admit(&config, &memory.nodes, &memory.edges),
            OfCore::admit(&config, &memory.nodes, &memory.edges)
        );
        prop_assert_eq!(OfC::storage_bits(&config), OfCore::storage_bits(&config));
        let links = |block: Dim3| {
            let tb = block.x + 5 * (block.y + 5 * block.z);
            mappings[tb as usize % mappings.len()].iter().map(|link| link.at(block)).collect()
        };
        prop_assert_eq!(OfC::build(grid, edge_cap, &links), OfCore::build(grid, edge_cap, &links));
    }
}
