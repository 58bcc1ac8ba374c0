//! Mascar through the C ABI: random runs give the core's answers, views and images.

use gpusched::mascar::MascarConfig;
use gpusched_abi::status::gpusched_status as Status;
use gpusched_tests::images::image;
use gpusched_tests::mascar::{Machine, machine};
use gpusched_tests::through_c::fault;
use gpusched_tests::through_c::mascar::{ThroughC, image_config};
use proptest::prelude::*;

use crate::mascar::script::{Host, configs, runs, script};

#[test]
fn the_presets_are_those_of_the_core() {
    for config in [MascarConfig::GTX480, MascarConfig::LRR, MascarConfig::GTO] {
        let (c, core) = (ThroughC::new(&config).unwrap(), machine(&config).unwrap());
        assert_eq!((c.view(), c.image()), (core.view(), image(&core)));
    }
    assert_eq!(ThroughC::new(&MascarConfig { warps: 64, ..MascarConfig::GTX480 }).err(), Some(Status::BadConfig));
}

proptest! {
    #![proptest_config(runs(500))]

    /// Before every event one object is saved and another one becomes what it was; both answer as the core does, show what it
    /// shows, and have its image.
    #[test]
    fn the_c_face_answers_as_the_core(config in configs(), steps in script()) {
        let object = || ThroughC::new(&config).expect("random configurations are valid");
        let (mut core, mut one, mut other) = (machine(&config).unwrap(), object(), object());
        let host = Host::new(&config);
        for step in &steps {
            for event in host.events(step, &core.view()) {
                let saved = one.image();
                prop_assert_eq!(&saved, &image(&core));
                prop_assert_eq!(image_config(&saved), Ok(config));
                prop_assert_eq!(other.restore(&saved), Ok(()));
                let expected = core.take(&event);
                prop_assert_eq!(&one.call(&event).map_err(fault), &expected, "{:?}", event);
                prop_assert_eq!(&other.call(&event).map_err(fault), &expected, "restored, {:?}", event);
                prop_assert_eq!(one.view(), core.view(), "after {:?}", event);
                prop_assert!(one.mark() == other.mark(), "after {:?}", event);
                std::mem::swap(&mut one, &mut other);
            }
        }
    }
}
