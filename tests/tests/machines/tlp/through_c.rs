//! TLP modulation through the C ABI: random runs give the core's answers, views and images.

use gpusched::tlp::TlpConfig;
use gpusched_abi::status::gpusched_status as Status;
use gpusched_tests::equalizer::Machine;
use gpusched_tests::images::image;
use gpusched_tests::through_c::fault;
use gpusched_tests::tlp::through_c::{Unit as ThroughC, image_config};
use gpusched_tests::tlp::{Kind, Unit, script};
use proptest::prelude::*;

use crate::tlp::against_model::{bytes, runs};

#[test]
fn the_presets_are_those_of_the_core() {
    for kind in Kind::ALL {
        let (c, core) =
            (ThroughC::new(kind, &TlpConfig::GTX480).unwrap(), Unit::new(kind, &TlpConfig::GTX480).unwrap());
        assert_eq!(c.view(), core.view());
        let bad = TlpConfig { slots: 33, ..TlpConfig::GTX480 };
        assert_eq!(ThroughC::new(kind, &bad).err(), Some(Status::BadConfig));
    }
    let one = TlpConfig { sms: 1, ..TlpConfig::GTX480 };
    assert_eq!(ThroughC::new(Kind::Smc, &one).err(), Some(Status::TooFewSms));
}

proptest! {
    #![proptest_config(runs(700))]

    /// Before every event one object is saved and another one becomes what it was; both answer as the core does, show what it
    /// shows, and have its image.
    #[test]
    fn a_unit_answers_as_the_core((config, events) in bytes(), which in 0..6usize) {
        let kind = Kind::ALL[which];
        let config = script::config(&config);
        let object = || ThroughC::new(kind, &config).expect("random configurations are valid");
        let (mut core, mut one, mut other) = (Unit::new(kind, &config).unwrap(), object(), object());
        for bytes in &events {
            let event = script::event(&config, kind, &core.view(), bytes);
            if kind != Kind::Pure {
                let saved = one.image();
                prop_assert_eq!(&saved, &image(&core));
                prop_assert_eq!(image_config(kind, &saved), Ok(config));
                prop_assert_eq!(other.restore(&saved), Ok(()));
            }
            let expected = core.take(&event);
            prop_assert_eq!(&one.call(&event).map_err(fault), &expected, "{:?}", event);
            prop_assert_eq!(&other.call(&event).map_err(fault), &expected, "restored, {:?}", event);
            prop_assert_eq!(one.view(), core.view(), "after {:?}", event);
            prop_assert!(one.mark() == other.mark(), "after {:?}", event);
            std::mem::swap(&mut one, &mut other);
        }
    }
}
