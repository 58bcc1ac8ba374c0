//! The occupancy-bubble machine through the C ABI: random runs give the core's answers, views and images.

use gpusched::power::BubbleConfig;
use gpusched_abi::status::gpusched_status as Status;
use gpusched_tests::bubble::{Machine, Queries, machine};
use gpusched_tests::images::image;
use gpusched_tests::through_c::bubble::{ThroughC, image_config};
use gpusched_tests::through_c::fault;
use proptest::prelude::*;

use crate::bubble::script::{Host, configs, runs, script};

#[test]
fn the_preset_is_that_of_the_core() {
    let c = ThroughC::new(&BubbleConfig::K20C).unwrap();
    let core = machine(&BubbleConfig::K20C).unwrap();
    assert_eq!((c.view(), c.image()), (core.view(), image(&core)));
    assert_eq!(ThroughC::new(&BubbleConfig { t_num: 17, ..BubbleConfig::K20C }).err(), Some(Status::BadConfig));
}

proptest! {
    #![proptest_config(runs(700))]

    /// Before every event one object is saved and another one becomes what it was; both answer as the core does, show what it
    /// shows, and have its image.
    #[test]
    fn the_c_face_answers_as_the_core(config in configs(), steps in script()) {
        let object = || ThroughC::new(&config).expect("random configurations are valid");
        let (mut core, mut one, mut other) = (machine(&config).unwrap(), object(), object());
        let mut host = Host::new(&config);
        for step in &steps {
            host.wait(step);
            for event in host.events(step) {
                let saved = one.image();
                prop_assert_eq!(&saved, &image(&core));
                prop_assert_eq!(image_config(&saved), Ok(config));
                prop_assert_eq!(other.restore(&saved), Ok(()));
                let expected = core.take(&event);
                prop_assert_eq!(&one.call(&event).map_err(fault), &expected, "{:?}", event);
                prop_assert_eq!(&other.call(&event).map_err(fault), &expected, "restored, {:?}", event);
                prop_assert_eq!(one.view(), core.view(), "after {:?}", event);
                prop_assert_eq!((one.now(), one.next_sample()), (core.controller().now(), core.controller().next_sample()));
                prop_assert!(one.mark() == other.mark(), "after {:?}", event);
                if expected.is_ok() {
                    host.accepted(&event);
                }
                std::mem::swap(&mut one, &mut other);
            }
        }
    }
}
