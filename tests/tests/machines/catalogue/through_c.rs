//! Policies as a C program has them.

use gpusched_abi::status::gpusched_status as Status;
use gpusched_tests::catalogue::harness::Pace;
use gpusched_tests::catalogue::{Chooses, Queries, state};
use gpusched_tests::images::image;
use gpusched_tests::through_c::catalogue::{ThroughC, image_config};
use gpusched_tests::through_c::fault;
use proptest::prelude::*;

use gpusched::catalogue::{About, CatalogueConfig, Completion, List, Policy};
use gpusched::{Cycle, Fault};

use super::cases::cases;
use crate::every::runs;

proptest! {
    #![proptest_config(runs(800))]

    /// It answers and stands as the core does, also when it goes on from the core's image.
    #[test]
    fn the_c_face_answers_as_the_core(case in cases(), cycles in 0..60_usize) {
        let mut c = ThroughC::new(&case.config()).map_err(fault).unwrap();
        let run = case.harness().finish(&mut c, Pace::Step).unwrap();
        let (expected, core) = case.run(Pace::Step)?;
        prop_assert_eq!(run, expected);
        prop_assert_eq!((state(&c), c.image()), (state(&core), image(&core)));

        let (mut core, mut harness) = (case.machine(), case.harness());
        for _ in 0..cycles {
            if !harness.is_over() {
                harness.cycle(&mut core, Pace::Step).unwrap();
            }
        }
        let middle = image(&core);
        prop_assert_eq!(image_config(&middle).ok(), Some(case.config()));
        prop_assert_eq!(c.restore(&middle), Ok(()));
        if !harness.is_over() {
            prop_assert_eq!(harness.clone().finish(&mut c, Pace::Skip).unwrap(), harness.finish(&mut core, Pace::Step).unwrap());
        }
        prop_assert_eq!(c.image(), image(&core));
    }
}

#[test]
fn what_is_wrong_is_refused() {
    let small = CatalogueConfig { n_smx: 3, units: 5, ..CatalogueConfig::of(Policy::Lcs) };
    let mut c = ThroughC::new(&small).unwrap();
    let before = c.image();
    let good = Completion { start: Cycle(1), end: Cycle(1), ..Completion::default() };
    assert_eq!(c.done(&good), Ok(()));
    assert_eq!(c.done(&Completion { row: 5, ..good }), Err(Fault::BadUnit));
    assert_eq!(c.done(&Completion { end: Cycle(0), ..good }), Err(Fault::TimeBackwards));
    assert_eq!((c.image(), c.pointer(0), c.unit(5)), (before, None, None));
    let wrong = CatalogueConfig { tpc: List::new(&[0, 1]).unwrap(), ..small };
    assert_eq!(ThroughC::new(&wrong).err(), Some(Status::BadConfig));
    // Each policy is built with its defaults.
    for about in About::ALL {
        assert!(ThroughC::new(&CatalogueConfig::of(about.policy)).is_ok(), "{}", about.name);
    }
}
