//! LaPerm through the C ABI: random runs give the core's answers, views and images.

use gpusched::laperm::Config;
use gpusched_abi::status::gpusched_status as Status;
use gpusched_tests::images::image;
use gpusched_tests::laperm::event::Queries;
use gpusched_tests::laperm::heap;
use gpusched_tests::laperm::host::Host;
use gpusched_tests::laperm::machine::Machine;
use gpusched_tests::laperm::view::View;
use gpusched_tests::through_c::fault;
use gpusched_tests::through_c::laperm::{ThroughC, image_config};
use proptest::prelude::*;

use crate::laperm::script::{configs, play, script};

#[test]
fn the_preset_is_that_of_the_core() {
    let c = ThroughC::new(&Config::K20C).unwrap();
    let core = heap::machine(&Config::K20C).unwrap();
    assert_eq!((c.view(), c.image()), (View::of(&core), image(&core)));
    assert_eq!(ThroughC::new(&Config { cluster: 14, ..Config::K20C }).err(), Some(Status::BadConfig));
}

proptest! {
    #![proptest_config(crate::laperm::runs(2500))]

    #[test]
    fn the_c_face_answers_as_the_core(config in configs(), steps in script()) {
        let mut c = ThroughC::new(&config).expect("random configurations are valid");
        play(&mut heap::machine(&config).unwrap(), &mut Host::default(), &steps, &mut |m, host, event| {
            let before = View::of(m);
            let expected = event.apply(m);
            prop_assert_eq!(&c.call(event).map_err(fault), &expected, "{:?}", event);
            prop_assert_eq!(c.view(), View::of(m), "after {:?}", event);
            prop_assert_eq!((c.next_event(), c.is_idle()), (m.next_event(), m.is_idle()), "after {:?}", event);
            host.note(&before, m, event, &expected).map_err(TestCaseError::fail)
        })?;
    }
}

proptest! {
    #![proptest_config(crate::laperm::runs(800))]

    /// At every step one object is saved, another one becomes what it was, and both go on alike; their images are the core's.
    #[test]
    fn what_is_restored_goes_on(config in configs(), steps in script()) {
        let object = || ThroughC::new(&config).expect("random configurations are valid");
        let (mut one, mut other) = (object(), object());
        play(&mut heap::machine(&config).unwrap(), &mut Host::default(), &steps, &mut |m, host, event| {
            let (saved, before) = (one.image(), View::of(m));
            prop_assert_eq!(&saved, &image(m));
            prop_assert_eq!(image_config(&saved), Ok(config));
            prop_assert_eq!(other.restore(&saved), Ok(()));
            let expected = event.apply(m);
            prop_assert_eq!(&one.take(event), &expected, "{:?}", event);
            prop_assert_eq!(&other.take(event), &expected, "restored, {:?}", event);
            prop_assert_eq!(one.mark(), other.mark());
            std::mem::swap(&mut one, &mut other);
            host.note(&before, m, event, &expected).map_err(TestCaseError::fail)
        })?;
    }
}
