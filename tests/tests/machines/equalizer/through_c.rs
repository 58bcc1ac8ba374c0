//! Equalizer through the C ABI: random runs give the core's answers, views and images.

use gpusched::equalizer::{self, FmConfig, SmConfig};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_tests::equalizer::{FmQueries as _, Machine, SmQueries as _};
use gpusched_tests::images::image;
use gpusched_tests::through_c::equalizer_fm::{self, ThroughC as Fm};
use gpusched_tests::through_c::equalizer_sm::{self, ThroughC as Sm};
use proptest::prelude::*;

use crate::equalizer::script::{FmHost, SmHost, fm_configs, fm_script, runs, sm_configs, sm_script};

#[test]
fn the_presets_are_those_of_the_core() {
    let (c, core) = (Sm::new(&SmConfig::GTX480).unwrap(), equalizer::Sm::new(&SmConfig::GTX480).unwrap());
    assert_eq!((c.view(), c.image()), (core.view(), image(&core)));
    let (c, core) = (Fm::new(&FmConfig::GTX480).unwrap(), equalizer::Fm::new(&FmConfig::GTX480).unwrap());
    assert_eq!((c.view(), c.image()), (core.view(), image(&core)));
    assert_eq!(Sm::new(&SmConfig { min_blocks: 9, ..SmConfig::GTX480 }).err(), Some(Status::BadConfig));
    assert_eq!(Fm::new(&FmConfig { sms: 257, ..FmConfig::GTX480 }).err(), Some(Status::BadConfig));
}

proptest! {
    #![proptest_config(runs(700))]

    /// Before every event one object is saved and another one becomes what it was; both answer as the core does, show what it
    /// shows, and have its image.
    #[test]
    fn an_sm_answers_as_the_core(config in sm_configs(), steps in sm_script()) {
        let object = || Sm::new(&config).expect("random configurations are valid");
        let (mut core, mut one, mut other) = (equalizer::Sm::new(&config).unwrap(), object(), object());
        let mut host = SmHost::new(&config);
        for step in &steps {
            for event in host.events(step, &core.view()) {
                let saved = one.image();
                prop_assert_eq!(&saved, &image(&core));
                prop_assert_eq!(equalizer_sm::image_config(&saved), Ok(config));
                prop_assert_eq!(other.restore(&saved), Ok(()));
                let expected = core.take(&event);
                prop_assert_eq!(&one.take(&event), &expected, "{:?}", event);
                prop_assert_eq!(&other.take(&event), &expected, "restored, {:?}", event);
                prop_assert_eq!(one.view(), core.view(), "after {:?}", event);
                prop_assert_eq!(one.now(), core.now());
                prop_assert!(one.mark() == other.mark(), "after {:?}", event);
                std::mem::swap(&mut one, &mut other);
            }
        }
    }

    #[test]
    fn an_fm_answers_as_the_core(config in fm_configs(), steps in fm_script()) {
        let object = || Fm::new(&config).expect("random configurations are valid");
        let (mut core, mut one, mut other) = (equalizer::Fm::new(&config).unwrap(), object(), object());
        let mut host = FmHost::new(&config);
        for step in &steps {
            for event in host.events(step, &core.view()) {
                let saved = one.image();
                prop_assert_eq!(&saved, &image(&core));
                prop_assert_eq!(equalizer_fm::image_config(&saved), Ok(config));
                prop_assert_eq!(other.restore(&saved), Ok(()));
                let expected = core.take(&event);
                prop_assert_eq!(&one.take(&event), &expected, "{:?}", event);
                prop_assert_eq!(&other.take(&event), &expected, "restored, {:?}", event);
                prop_assert_eq!(one.view(), core.view(), "after {:?}", event);
                prop_assert_eq!((one.now(), one.next_event()), (core.now(), core.next_event()));
                prop_assert!(one.mark() == other.mark(), "after {:?}", event);
                std::mem::swap(&mut one, &mut other);
            }
        }
    }
}
